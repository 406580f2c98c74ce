"""What the first answer costs: import and one check, in a fresh interpreter whose byte code is already compiled."""

import os
import subprocess
import sys
from statistics import median
from tempfile import TemporaryDirectory

from bench.measure import OURS, Figure, Row

__all__ = ["cold_start"]

OUR_START = """
from time import perf_counter
start = perf_counter()
import calverify as cv
graph = cv.Graph.parse("U -> X, U -> Y, X -> Y")
assert cv.check(graph, cv.Query("backdoor", ("X", "Y")), {"U"}).valid
print((perf_counter() - start) * 1e6)
"""
THEIR_START = """
from time import perf_counter
start = perf_counter()
import networkx
graph = networkx.DiGraph([("U", "X"), ("U", "Y")])
assert networkx.is_d_separator(graph, {"X"}, {"Y"}, {"U"})
print((perf_counter() - start) * 1e6)
"""


def cold_start(tries: int) -> Row:
    """The best and the median of some fresh interpreters; the first one only compiles."""
    figures = {}
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for name, program in ((OURS, OUR_START), ("networkx", THEIR_START)):
            taken = [_run(program, environment) for _ in range(tries + 1)][1:]
            figures[name] = Figure(min(taken), median(taken))
    return Row("cold start", "import and one check", tries, figures)


def _run(program: str, environment: dict[str, str]) -> float:
    answer = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return float(answer.stdout)
