"""`calverify import` and `calverify export`: logs become pools and back, and whatever is left out is told."""

import json
import shutil

import pytest

from calverify.archives import read_archive, read_pools
from calverify.exchange import WRITERS, Mark
from tests.exchange.logs import FILES, LOGS, PROBLEMS, lines


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """The folder of logs, with problems.jsonl beside them."""
    shutil.copytree(LOGS, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_log_with_its_problems_beside_it(run, logs):
    """Says what it read, what it made of it, what it left out and what comes next."""
    done = run("import", "inspect.eval", "--out", "new")
    assert (done.code, done.err) == (4, "")
    assert done.out.splitlines() == [
        "read     inspect.eval (inspect)",
        "wrote    3 pools of 2 to 3, on 3 problems, into new",
        "marks    match, pattern: left out; --marks FILE writes them",
        "next     calverify select --archive new --admission all",
        "         (no reply has one of the six slots, and only with them a trace is admitted by default)",
        "left out 1 record:",
        "  inspect.eval, samples/w3_epoch_3.json: the model gave no reply: \"RuntimeError('the endpoint went away')\"",
    ]
    archive = read_archive("new")
    assert archive.problems == PROBLEMS
    assert (archive.manifest.policy, archive.manifest.model) == ("mockllm/model", "mockllm/model")
    assert archive.manifest.command == "imported from inspect.eval (inspect)"
    assert run("select", "--archive", "new").code == 0


@pytest.mark.parametrize("file", FILES)
def test_every_log(run, logs, file):
    done = run("import", file, "--problems", "problems.jsonl", "--out", "new", "--packed", "--json")
    said = done.json
    assert done.code == (4 if said["left_out"] else 0)
    assert (said["formats"], said["candidates"]) == ([FILES[file]], sum(map(len, read_archive("new").pools)))
    assert set(said["missing"]) == set(PROBLEMS) - set(read_archive("new").problems)


def test_marks_and_pools_in_files(run, logs):
    """What the log says of the answers stays apart from the pools."""
    assert run("import", "plain.jsonl", "--out", "pools.jsonl", "--marks", "marks.jsonl").code == 0
    pools = read_pools((logs / "pools.jsonl").read_bytes(), "pools.jsonl", PROBLEMS)
    assert [len(pool) for pool in pools] == [3, 1]
    assert "correct" not in (logs / "pools.jsonl").read_text()
    marks = [Mark.from_json(json.loads(line)) for line in (logs / "marks.jsonl").read_text().splitlines()]
    assert [mark.right("correct") for mark in marks] == [False, False, True, False]


def test_replies_with_slots(run, logs):
    """Need no other admission."""
    (logs / "log.jsonl").write_bytes(lines({"id": "w1", "completions": ['STEP 6 [answer]: {"answer": ["U"]}']}))
    assert "next     calverify select --archive new\n" in run("import", "log.jsonl", "--out", "new").out


def test_the_log_carries_its_problems(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    row = {"doc_id": 0, "doc": {"problem": PROBLEMS["w1"].to_json()}, "resps": [["ANSWER: U"]], "filter": "none"}
    (tmp_path / "log.jsonl").write_bytes(lines(row))
    assert run("import", "log.jsonl", "--out", "new").code == 0
    assert list(read_archive("new").problems) == ["w1"]


def test_many_records_left_out(run, logs):
    """The screen shows ten, and --json all."""
    (logs / "log.jsonl").write_bytes(lines({"id": "w1", "completions": ["a"]}, *[7] * 12))
    out = run("import", "log.jsonl", "--out", "new").out.splitlines()
    assert out[-12] == "left out 12 records:"
    assert out[-1] == "  ... and 2 more, which --json lists"
    assert len(run("import", "log.jsonl", "--out", "again", "--json").json["left_out"]) == 12


def test_two_models_are_no_one_policy(run, logs):
    refused = run("import", "inspect.eval", "rollouts.jsonl", "--out", "new")
    assert refused.code == 2
    assert "the log holds answers of mockllm/model, policy_model: name the --policy" in refused.err
    assert run("import", "inspect.eval", "rollouts.jsonl", "--out", "new", "--policy", "both").code == 4
    assert (read_archive("new").manifest.policy, read_archive("new").manifest.model) == ("both", None)


def test_ratings(run, logs):
    assert run("import", "completions.jsonl", "--rating", "scores=prm", "--out", "new").code == 0
    assert read_archive("new").pools[0].candidates[0].scores == {"prm": 0.93}


REFUSALS = [
    (["plain.jsonl"], "Missing option '--out'"),
    ([], "Missing argument 'LOG...'"),
    (["nowhere.jsonl", "--out", "new"], "cannot read nowhere.jsonl: No such file"),
    (["plain.jsonl", "--out", "plain.jsonl"], "plain.jsonl is there already, and nothing is written over it"),
    (["plain.jsonl", "--out", "new", "--marks", "plain.jsonl"], "plain.jsonl is there already"),
    (["plain.jsonl", "--out", "logs"], "logs is not empty"),
    (["plain.jsonl", "--out", "new", "--rating", "scores"], "is not of the form MARK=SCORE"),
    (["plain.jsonl", "--out", "new", "--format", "csv"], "'csv' is not one of 'auto', 'inspect'"),
    (["plain.jsonl", "--out", "new", "--format", "inspect"], "nothing was imported from plain.jsonl"),
    (["problems.jsonl", "--out", "new"], "problems.jsonl is in no format that is known: its first record has the keys"),
    (
        ["plain.jsonl", "--out", "new", "--match", "id", "--id-field", "prompt"],
        "the ids of its records are 'Given a DAG",
    ),
]


@pytest.mark.parametrize("arguments, why", REFUSALS)
def test_refusals(run, logs, arguments, why):
    """One sentence, and nothing is written."""
    (logs / "logs").mkdir()
    (logs / "logs" / "x").write_text("")
    refused = run("import", *arguments)
    assert (refused.code, refused.out) == (2, "")
    assert why in refused.err
    assert not (logs / "new").exists()


@pytest.mark.parametrize("format", WRITERS)
def test_export_and_back(run, logs, format):
    """The same pools, and it says what the log cannot hold."""
    run("import", "inspect.eval", "--out", "old")
    done = run("export", "old", "--format", format, "--out", "log")
    assert (done.code, done.out.splitlines()) == (
        0,
        [f"wrote 3 pools, 8 candidates to log ({format})", "not in it: graphs and queries"],
    )
    assert run("import", "log", "--out", "new").code == 0
    assert read_archive("new").pools == read_archive("old").pools


def test_what_an_export_leaves_behind(run, logs):
    run("import", "completions.jsonl", "--rating", "scores=prm", "--out", "old")
    lost = {
        format: run("export", "old", "--format", format, "--out", f"{format}.log", "--json").json["lost"]
        for format in WRITERS
    }
    assert {format for format, said in lost.items() if "stored scores prm" in said} == {
        "inspect", "lm-eval", "openai-batch",
    }  # fmt: skip


def test_export_refusals(run, folder):
    (folder / "there").write_text("")
    assert "there is there already" in run("export", "frozen", "--format", "plain", "--out", "there").err
    assert "is no folder" in run("export", "nowhere", "--format", "plain", "--out", "x").err
    assert run("export", "frozen", "--format", "verifiers", "--out", "x").code == 2
