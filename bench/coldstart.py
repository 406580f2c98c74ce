"""What the first answer costs in a fresh interpreter with compiled byte code, from Python and from the shell."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping
from statistics import median
from tempfile import TemporaryDirectory

from bench.measure import OURS, Figure, Row

__all__ = ["cold_starts"]

OUR_START = """
from time import process_time
start = process_time()
import calverify as cv
graph = cv.Graph.parse("U -> X, U -> Y, X -> Y")
assert cv.check(graph, cv.Query("backdoor", ("X", "Y")), {"U"}).valid
print((process_time() - start) * 1e6)
"""
THEIR_START = """
from time import process_time
start = process_time()
import networkx
graph = networkx.DiGraph([("U", "X"), ("U", "Y")])
assert networkx.is_d_separator(graph, {"X"}, {"Y"}, {"U"})
print((process_time() - start) * 1e6)
"""
OUR_COMMAND = ["-m", "calverify", "check", "--graph", "U -> X, U -> Y, X -> Y", "--task", "backdoor"]
OUR_COMMAND += ["--targets", "X,Y", "--answer", "U"]
PROGRAMS = {
    "import and one check": {OURS: ["-c", OUR_START], "networkx": ["-c", THEIR_START]},
    "calverify check, from the shell": {OURS: OUR_COMMAND, "the interpreter alone": ["-c", "pass"]},
}


def cold_starts(tries: int) -> Iterator[Row]:
    """The best and the median of some fresh interpreters; the first one only compiles."""
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for name, programs in PROGRAMS.items():
            figures = {}
            for engine, arguments in programs.items():
                taken = [_run(arguments, environment) for _ in range(tries + 1)][1:]
                figures[engine] = Figure(min(taken), median(taken))
            yield Row("cold start", name, tries, figures)


def _run(arguments: list[str], environment: Mapping[str, str]) -> float:
    """What the program says it took, in microseconds; else all the processor time it had."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if arguments[0] == "-c" and done.stdout:
        return float(done.stdout)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e6
