"""Runs that are killed at any moment: what is resumed ends as what nobody stopped, byte for byte."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from tests.sampling.loopback import MISDEEDS, Answer, Call, Loopback, fine, refused
from tests.sampling.runs import HASTY, begin, distinct, source_of

SOURCE = str(Path(__file__).parents[2] / "src")
BEGIN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests in the background ignores Ctrl-C
from calverify.cli import main
main()
"""
CALVERIFY = [sys.executable, "-c", BEGIN]
PROBLEMS, K = 30, 4


def uneven(call: Call) -> Answer:
    """Some pools come whole, some short, and now and then a call is refused; what is said depends on the seed alone."""
    lot = sha256(f"{call.prompt} {call.seed} {call.n}".encode()).digest()[0]
    if call.number % 11 == 5:
        return refused(429, "slow down", "retry-after-ms: 1")
    return MISDEEDS["one fewer" if lot < 100 else "one only" if lot < 120 else "backwards"](call)


class Killed:
    """A run of the command that is killed and resumed."""

    def __init__(self, folder: Path, server: Loopback) -> None:
        self.folder = folder
        self.server = server
        folder.mkdir()
        lines = [json.dumps(problem.to_json()) for problem in distinct(PROBLEMS)]
        (folder / "problems.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def start(self) -> subprocess.Popen:
        """The first command where no run has begun, else --resume."""
        begun = (self.folder / "run" / "run.json").is_file()
        asked = ["problems.jsonl", "--out", "run", "-m", "tiny", "-b", self.server.url, "-k", str(K), "-c", "4"]
        words = ["--resume", "run"] if begun else asked
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CALVERIFY_", "OPENAI_"))}
        return subprocess.Popen(
            [*CALVERIFY, "sample", *words, "--json"], cwd=self.folder, env={**kept, "PYTHONPATH": SOURCE},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def finish(self) -> bytes:
        """Run on to the end; the bytes of what is frozen."""
        out, err = self.start().communicate(timeout=120)
        assert err == b""
        assert json.loads(out)["candidates"] == PROBLEMS * K
        return b"".join(
            (self.folder / "run" / "frozen" / name).read_bytes() for name in ("problems.jsonl", "pools.jsonl")
        )

    def kill_once(self, lots: Random, sign: int = signal.SIGKILL) -> bool:
        """Start it and kill it at a random moment, mostly while it samples; False where it was over before that."""
        child = self.start()
        if lots.random() < 0.2:
            time.sleep(lots.uniform(0.0, 1.0))  # at any moment: while it starts, reads, samples or freezes
        else:
            calls = self.server.count + lots.randrange(1, 25)
            until = time.monotonic() + 60
            while self.server.count < calls and child.poll() is None and time.monotonic() < until:
                time.sleep(0.0005)
            time.sleep(lots.uniform(0.0, 0.01))
        over = child.poll() is not None
        child.send_signal(sign)
        child.communicate()
        return not over


def kill_often(folder: Path, kills: int, seed: int) -> Iterator[tuple[bytes, bytes]]:
    """What is frozen in each run, and what it must be."""
    lots = Random(seed)
    folder.mkdir(exist_ok=True)
    with Loopback(uneven, 0.004, keep=False).running() as server:
        wanted = Killed(folder / "whole", server).finish()
        turn = 0
        while kills > 0:
            turn += 1
            killed = Killed(folder / f"killed {turn}", server)
            for _ in range(min(kills, 6)):
                kills -= killed.kill_once(lots)
            yield killed.finish(), wanted


def test_killed_a_few_times(tmp_path):
    """SIGKILL, three times."""
    for found, wanted in kill_often(tmp_path, kills=3, seed=0):
        assert found == wanted


@pytest.mark.property
def test_killed_at_fifty_random_moments(tmp_path):
    """SIGKILL, fifty times; a run that was over before it was killed does not count."""
    runs = list(kill_often(tmp_path, kills=50, seed=1))
    assert len(runs) >= 8
    for found, wanted in runs:
        assert found == wanted


def test_interrupted(tmp_path):
    """Ctrl-C ends with exit code 4 and says how to go on."""
    with Loopback(uneven, 0.2, keep=False).running() as server:
        killed = Killed(tmp_path / "run", server)
        child = killed.start()
        while server.count < 10 and child.poll() is None:
            time.sleep(0.001)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        told = json.loads(out)
        assert (child.returncode, err) == (4, b"")
        assert 0 < told["candidates"] < PROBLEMS * K
        assert (told["stopped"], told["frozen"]) == ("interrupted", None)
        assert told["resume"] == "calverify sample --resume run"
        server.latency_s = 0.0
        killed.finish()


# ---------------------------------------------------------------- torn at any byte


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that is whole, and its journal."""
    with Loopback(uneven).running() as server:
        run = begin(tmp_path_factory.mktemp("torn") / "run", server.url, count=2, seeds=(0,), concurrency=2)
        run.sample(source_of(run), retries=HASTY)
    return run, (run.folder / "journal.jsonl").read_bytes()


def rest_after(run, data: bytes) -> dict:
    """What is there once a run with that journal is resumed."""
    file = run.folder / "journal.jsonl"
    file.write_bytes(data)
    with Loopback(fine).running() as server:
        tally = run.sample(source_of(run, base_url=server.url), retries=HASTY)
    assert tally.done == 8
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    return {(line["problem"], line["index"]): line["text"] for line in lines}


@pytest.mark.parametrize("share", [0, 0.004, 0.13, 0.31, 0.5, 0.69, 0.87, 0.996, 1])
def test_journal_torn_at_any_byte(whole, share):
    """Whatever was lost is asked for again, and nothing else is."""
    run, data = whole
    assert rest_after(run, data[: round(share * len(data))]) == rest_after(run, data)


@pytest.mark.property
def test_journal_torn_at_every_byte(whole):
    run, data = whole
    wanted = rest_after(run, data)
    assert all(rest_after(run, data[:end]) == wanted for end in range(0, len(data), 3))
