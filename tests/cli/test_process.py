"""The command as a process of its own: pipes, terminals, encodings, and what it loads."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLE

SOURCE = str(Path(__file__).parents[2] / "src")
CALVERIFY = [sys.executable, "-c", "from calverify.cli import main; main()"]
LOADED = """
import sys
before = set(sys.modules)
import calverify as cv
graph = cv.Graph.parse("U->X, U->Y, X->M->Y, P->Y")
query = cv.Query("backdoor", ("X", "Y"))
assert cv.check(graph, query, {"U"}).valid
assert cv.verify(cv.Problem("w1", query, graph), "ANSWER: U").score == 0
tops = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(tops - sys.stdlib_module_names - {"calverify"}))
"""


ROOMS_OF_CHECK = """
import sys
from calverify.cli import main
try:
    main(["check", "--graph", "U->X, U->Y, X->Y", "--task", "backdoor", "--targets", "X,Y", "--answer", "U"])
except SystemExit as done:
    assert done.code == 0
print(*sorted({name.split(".")[1] for name in sys.modules if name.startswith("calverify.")}), file=sys.stderr)
"""


def environment(**extra: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CALVERIFY_")}
    return {**kept, "PYTHONPATH": SOURCE, **extra}


def test_checking_loads_the_standard_library_only():
    """Importing calverify, checking an answer and scoring a trace loads no third-party module."""
    done = subprocess.run([sys.executable, "-c", LOADED], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_command_loads_the_rooms_it_needs_only():
    """What others need (archives, benchmarks, sampling, reports) does not slow the first answer down."""
    done = subprocess.run(
        [sys.executable, "-c", ROOMS_OF_CHECK], env=environment(), capture_output=True, text=True, check=True
    )
    needed = {"cli", "errors", "graphs", "names", "pools", "problem", "records", "registry", "scoring", "selectors"}
    assert set(done.stderr.split()) == needed | {"tasks", "traces"}


def test_exit_codes_reach_the_shell():
    """0, 1 and 2, as a script sees them, with prose on the right stream."""
    for answer, code in (("U", 0), ("M", 1)):
        done = subprocess.run(
            [*CALVERIFY, "check", *EXAMPLE, "--answer", answer], env=environment(), capture_output=True
        )
        assert (done.returncode, done.stderr) == (code, b"")
    done = subprocess.run([*CALVERIFY, "check", *EXAMPLE], env=environment(), capture_output=True)
    assert (done.returncode, done.stdout) == (2, b"")


def test_output_that_is_no_terminal_has_no_colours():
    """Pipes and files get plain text."""
    done = subprocess.run([*CALVERIFY, "demo", "--by-hand"], env=environment(), capture_output=True, check=True)
    assert b"\x1b" not in done.stdout


def test_reader_that_goes_away(tmp_path):
    """`calverify solve ... | head` ends quietly."""
    graph = ", ".join(f"X<-A{i}->B{i}->Y" for i in range(13))  # 8,192 minimal sets
    command = [*CALVERIFY, "solve", "--graph", graph, "--task", "backdoor", "--targets", "X,Y", "--limit", "9999"]
    with subprocess.Popen(
        command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"{A0, ")
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_of_standard_output(encoding):
    """What the encoding cannot write is escaped, and JSON stays JSON."""
    graph = "😀 -> X, 😀 -> Ψ, X -> Ψ"
    asked = ["--graph", graph, "--task", "backdoor", "--targets", "X,Ψ", "--answer", "😀"]
    spoken = environment(PYTHONIOENCODING=encoding, PYTHONUTF8="0", LC_ALL="C.UTF-8")
    prose = subprocess.run([*CALVERIFY, "check", *asked], env=spoken, capture_output=True)
    assert (prose.returncode, prose.stderr) == (0, b"")
    machine = subprocess.run([*CALVERIFY, "check", *asked, "--json"], env=spoken, capture_output=True)
    assert json.loads(machine.stdout.decode(encoding))["answer"] == ["😀"]
