"""A study from one file: every stage does what is missing, and nothing that was done is done again."""

import json
import os
import subprocess
import sys
import time
from random import Random

import pytest

import calverify as cv
from calverify.archives import read_archive, read_log
from calverify.errors import CalverifyError
from calverify.keys import Key, write_keys
from calverify.studies import Clock, StudyFolder, read_plan
from tests.cli.conftest import Run, run
from tests.sampling.loopback import Loopback, fine, refused
from tests.sampling.runs import distinct

__all__ = ["Run", "run"]  # the command as a fixture

STUDY = """
k = 4
seeds = [0, 1]
selectors = ["first", "plurality", "calver"]
reports = ["policies", "same-pool"]
draws = 50

[problems]
file = "problems.jsonl"
keys = "keys.jsonl"

[sampling]
max_tokens = 50

[[policies]]
kind = "endpoint"
model = "tiny"
prices = [1, 2]
tries = 2
"""


@pytest.fixture
def study(tmp_path, monkeypatch, run):
    """study.toml with three problems and their keys, to work in."""
    problems = distinct(3)
    lines = [json.dumps(problem.to_json()) for problem in problems]
    (tmp_path / "problems.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    write_keys(tmp_path / "keys.jsonl", [Key(problem.id) for problem in problems])
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def endpoint(monkeypatch):
    """A server whose texts depend on prompt and seed alone."""
    with Loopback(fine).running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield server


def frozen(folder, policy="tiny"):
    return {(pool.problem, pool.seed): list(pool.texts) for pool in read_archive(folder / policy / "frozen").pools}


def test_a_whole_study(run, study, endpoint):
    """It says what it will cost, ends with the table and the report, and the steps are in order."""
    done = run("run", "study.toml")
    assert (done.code, done.err) == (0, "")
    assert "24 of 24 to sample (K = 4, 2 seeds)" in done.out
    assert "at most 1,200 written" in done.out
    assert "cost        about 0.00" in done.out
    assert "calver               0.0 [0.0, 0.0]" in done.out
    assert done.out.rstrip().endswith(f"report      {'study-run'}{os.sep}report.html")
    assert [step.step for step in read_log("study-run/tiny/frozen")] == ["seal", "select", "reveal"]
    page = (study / "study-run" / "report.html").read_text("utf-8")
    assert "<!doctype html>" in page
    assert "Selection accuracy by policy and selector" in (study / "study-run" / "tables.md").read_text("utf-8")
    manifest = read_archive("study-run/tiny/frozen").manifest
    assert manifest.command == "calverify run study.toml"


def test_again_does_nothing(run, study, endpoint):
    """No call, no stage, no byte that changes."""
    run("run", "study.toml")
    calls = len(endpoint.calls)
    before = {path: path.stat().st_mtime_ns for path in (study / "study-run").rglob("*") if path.is_file()}
    again = run("run", "study.toml")
    assert again.code == 0
    assert "now " not in again.out
    assert "all 24 are there" in again.out
    assert len(endpoint.calls) == calls
    assert {path: path.stat().st_mtime_ns for path in (study / "study-run").rglob("*") if path.is_file()} == before


def test_dry_run_writes_nothing(run, study, endpoint):
    """What it would do and cost, and no folder."""
    done = run("run", "study.toml", "--dry-run")
    assert (done.code, done.err) == (0, "")
    assert "24 of 24 to sample" in done.out
    assert not (study / "study-run").exists()
    assert endpoint.calls == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("k = 4", "k = 3"), "begun with other policies"),
        (('file = "problems.jsonl"', 'file = "problems.jsonl"\nlimit = 2'), "begun with other problems"),
        (('"calver"]', '"medoid", "calver"]'), "would not be blind"),
    ],
)
def test_a_plan_that_changes(run, study, endpoint, change, said):
    """What was sampled or chosen stays as it was: another plan needs another folder."""
    run("run", "study.toml")
    (study / "study.toml").write_text(STUDY.replace(*change), encoding="utf-8")
    done = run("run", "study.toml")
    assert done.code == 2
    assert said in done.err
    assert run("run", "study.toml", "--out", "other").code == 0


def test_reports_may_change(run, study, endpoint):
    """They are made anew from what was chosen."""
    run("run", "study.toml")
    (study / "study.toml").write_text(STUDY.replace('"same-pool"', '"ties"'), encoding="utf-8")
    done = run("run", "study.toml")
    assert done.code == 0
    assert "making the report ties" in done.out
    assert "sampling" not in done.out.partition("now ")[2].partition("making")[0]


def test_requests_that_are_given_up(run, study, monkeypatch):
    """The study stays open, says so, and goes on when the endpoint does."""
    with Loopback(lambda call: refused(500, "no") if call.seed >> 16 else fine(call)).running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        short = run("run", "study.toml")
    assert short.code == 4
    assert "go on with  calverify run study.toml" in short.out
    assert not (study / "study-run" / "tiny" / "frozen").exists()


def test_killed_at_random_moments(study, endpoint, run):
    """SIGKILL, again and again: in the end the pools are those of a study that nobody disturbed."""
    assert run("run", "study.toml", "--out", "whole").code == 0
    rng = Random(7)
    command = [sys.executable, "-m", "calverify", "run", "study.toml", "--out", "killed"]
    for _ in range(6):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.2, 1.5))
        process.kill()
        process.wait()
    done = run("run", "study.toml", "--out", "killed")
    assert done.code == 0, done.err
    assert frozen(study / "killed") == frozen(study / "whole")
    for name in ("choices.jsonl", "outcomes.jsonl"):
        assert (study / "killed/tiny/frozen" / name).read_bytes() == (study / "whole/tiny/frozen" / name).read_bytes()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("k = ", "no TOML"),
        ("kk = 1", "'kk'"),
        ("[problems]\nbenchmark = 'miniature'", "must have 'policies'|policies"),
        ("policies = []\n[problems]\nbenchmark = 'miniature'", "a study needs a policy"),
        ("policies = [{}]\n[problems]\nbenchmark = 'miniature'", "a policy is a table with a kind"),
        ("policies = [{kind='embedded'},{kind='embedded'}]\n[problems]\nbenchmark = 'miniature'", "give each a label"),
        ("policies = [{kind='embedded'}]\n[problems]\nfile = 'p.jsonl'", 'with keys = "..."'),
        ("policies = [{kind='embedded'}]\n[problems]\nbenchmark='a'\nfile='b'\nkeys='c'", "problems come from"),
        ("policies = [{kind='embedded'}]\nreports=['x']\n[problems]\nbenchmark='a'", "no report 'x'"),
        ("policies = [{kind='embedded'}]\nselectors=['x']\n[problems]\nbenchmark='a'", "'x'"),
        ("policies = [{kind='embedded'}]\nselectors=['first','first']\n[problems]\nbenchmark='a'", "each once"),
        ("policies = [{kind='embedded', prices=[1]}]\n[problems]\nbenchmark='a'", "prices are two numbers"),
        ("policies = [{kind='embedded'}]\n[sampling]\nwarmth=1\n[problems]\nbenchmark='a'", "'warmth'"),
        ("policies = [{kind='embedded'}]\n[problems]\nbenchmark='a'\nlimit=0", "limit must be at least 1"),
    ],
)
def test_what_no_plan_says(tmp_path, text, said):
    """The mistake is named, with the file it stands in."""
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CalverifyError, match=said) as error:
        read_plan(tmp_path / "study.toml")
    assert str(error.value).startswith(str(tmp_path / "study.toml"))


def test_the_folder_of_a_label(tmp_path):
    """A label may hold what a file's name may not; one of nothing else is refused."""
    folder = StudyFolder(tmp_path)
    assert folder.run("a/b: c").name == "a-b--c"
    assert folder.run("../x").parent == tmp_path
    with pytest.raises(CalverifyError, match="needs a label"):
        folder.run("...")


def test_the_clock(tmp_path):
    """Seconds of several sessions are added up, and nothing is kept of a stage that did nothing."""
    ticks = iter([0.0, 8.0, 10.0, 12.0, 20.0, 20.5, 30.0, 31.0])
    clock = Clock(tmp_path / "times.jsonl", now=lambda: next(ticks))
    for count in (4, 1):
        with clock.measured("p", "sample") as about:
            about["candidates"] = count
    assert Clock(clock.path).each_s("p", "sample") == 2.0
    assert clock.share("p") is None
    with clock.measured("p", "check") as about:
        about["candidates"] = 5
    assert clock.share("p") == pytest.approx(0.05)
    with clock.measured("q", "sample"):
        pass
    assert clock.each_s("q", "sample") is None


def test_every_demo_problem_can_be_pinned():
    """The demo says that a grammar writes slots 1 to 3; of a problem that cannot be pinned that would not be true."""
    from importlib.resources import files

    from calverify.benchmarks import BENCHMARKS
    from calverify.sampling._grammar import held

    with_text = files("calverify.cli").joinpath("demo.toml").read_text("utf-8")
    assert 'benchmark = "miniature"' in with_text
    for item in BENCHMARKS["miniature"].build(Random("miniature 0")).items:
        assert held(item.problem, "pinned") != held(item.problem, "names")
        assert isinstance(item.problem, cv.Problem)
