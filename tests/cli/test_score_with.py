"""`calverify score-with judge | confidence | reward`."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from calverify.archives import read_archive
from tests.sampling.loopback import Loopback, fine, rating, refused
from tests.sampling.scores.raters import frozen_folder

SOURCE = str(Path(__file__).parents[2] / "src")


@pytest.fixture
def server(monkeypatch):
    """A server that judges, says yes, and writes."""
    for name in ("OPENAI_API_KEY", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    with Loopback(lambda call: fine(call, say=rating)).running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield server


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return frozen_folder(tmp_path / "frozen")


def test_judge(run, here, server):
    done = run("score-with", "judge", "frozen", "--out", "judged", "-m", "big", "--prices", "1,2")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "asking      big, prompt judge 1",
        "ratings     12: 4 pools of frozen",
        "rated       12; 0 failed and are null, never 0",
        "tokens      120 read, 60 written; they cost 0.00024",
        "frozen      judged, with the score 'judge'",
    ]
    assert read_archive("judged").pools[0].candidates[0].scores == {"judge": 7}
    assert {(call.body["model"], call.body["temperature"], call.body["max_tokens"]) for call in server.calls} == {
        ("big", 0.0, 1024)
    }


def test_confidence_asks_the_policy_itself(run, here, server):
    """The model is the one of the manifest."""
    done = run("score-with", "confidence", "frozen", "--out", "sure", "--samples", "4", "--json")
    assert (done.code, done.json["rated"], done.json["failed"], done.json["cost"]) == (0, 12, [], None)
    assert {call.body["model"] for call in server.calls} == {"tiny"}
    assert read_archive("sure").pools[0].candidates[0].scores == {"confidence": 1}
    assert done.json["manifest"]["scores"]["confidence"]["settings"]["samples"] == 4


def test_ratings_that_fail_are_told(run, here, server):
    server.answer = lambda call: fine(call, say=lambda call: "Hm." if "ANSWER: P" in call.prompt else "5")
    done = run("score-with", "judge", "frozen", "--out", "judged", "-m", "big")
    assert done.code == 0
    assert "rated       8; 4 failed and are null, never 0" in done.out
    assert "failed      w0, seed 0, candidate 3: no line holds a rating alone" in done.out
    assert read_archive("judged").pools[0].candidates[2].scores == {"judge": None}


def test_outage_ends_incomplete_and_the_same_command_goes_on(run, here, server):
    words = ("score-with", "judge", "frozen", "--out", "judged", "-m", "big", "-c", "1", "--tries", "1")
    server.answer = lambda call: refused(500, "oops") if "ANSWER: P" in call.prompt else fine(call, say=rating)
    done = run(*words)
    assert done.code == 4
    assert f"candidate 3: 127.0.0.1:{server.port} says 500: oops (tried 1 times)" in done.out
    assert done.out.splitlines()[-1] == "kept        judged.ratings.jsonl; the same command goes on"
    assert not Path("judged").exists()
    server.answer, server.calls = lambda call: fine(call, say=rating), []
    assert run(*words).code == 0
    assert len(server.calls) == 4


def test_other_settings_are_not_mixed_in(run, here, server):
    words = ("score-with", "judge", "frozen", "--out", "judged", "-m", "big", "-c", "1")
    server.answer = lambda call: refused(401, "expired") if call.number > 3 else fine(call, say=rating)
    assert run(*words).code == 2
    assert "with settings.temperature 0.0, and now it is 0.5" in run(*words, "--temperature", "0.5").err


REFUSED = [
    (("judge", "frozen", "--out", "judged"), "Name the model: --model NAME"),
    (("judge", "nowhere", "--out", "judged", "-m", "big"), "nowhere is no folder"),
    (("judge", "frozen", "--out", "frozen", "-m", "big"), "frozen is not empty"),
    (("confidence", "frozen", "--out", "sure", "--samples", "3"), "a share of 3 has no exact decimal spelling"),
    (("confidence", "frozen", "--out", "sure", "--temperature", "0"), "at temperature 0 every reply is the same"),
    (("reward", "frozen", "--out", "rewarded", "-m", "owner/name"), "pin it with --revision"),
    (("reward", "frozen", "--out", "rewarded", "-m", "owner/name", "--dtype", "int4"), "the dtype one of float32"),
]


@pytest.mark.parametrize("words, why", REFUSED, ids=lambda value: " ".join(value) if isinstance(value, tuple) else "")
def test_what_makes_no_sense_is_refused(run, here, server, words, why):
    done = run("score-with", *words)
    assert done.code == 2
    assert why in done.err
    assert server.calls == []


@pytest.mark.parametrize("kills", [2, pytest.param(12, marks=pytest.mark.property)])
def test_killed_and_run_again(tmp_path, here, server, kills):
    """SIGKILL while it rates; the end is what nobody stopped, byte for byte, and nothing was rated twice."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CALVERIFY_")}
    code = "from calverify.cli import main; main()"

    def start(out: str) -> subprocess.Popen:
        words = ["score-with", "judge", "frozen", "--out", out, "-m", "big", "-c", "1", "--json"]
        return subprocess.Popen(
            [sys.executable, "-c", code, *words], env={**kept, "PYTHONPATH": SOURCE}, stdout=subprocess.PIPE
        )

    assert json.loads(start("whole").communicate()[0])["rated"] == 12
    server.latency_s = 0.005
    for _ in range(kills):
        child, before = start("judged"), server.count
        while server.count == before and child.poll() is None:
            time.sleep(0.0005)
        child.send_signal(signal.SIGKILL)
        child.communicate()
    assert json.loads(start("judged").communicate()[0])["rated"] == 12
    assert Path("judged/pools.jsonl").read_bytes() == Path("whole/pools.jsonl").read_bytes()
    assert server.count <= 24 + kills
