"""`calverify freeze`, `seal`, `select --archive`, `reveal`, `audit leak`: the flow, its order, and what is refused."""

import json

import pytest

import calverify as cv
from calverify import archives as rooms
from calverify.archives import FORBIDDEN, read_archive, read_log
from calverify.selectors import ADMISSIONS

FREEZE = ["--problems", "problem.json", "--pools", "pool.json", "--policy", "demo"]
KEYS = ["--keys", "keys.jsonl"]


def test_the_whole_flow(run, folder):
    """Freeze, seal, select, reveal: each says what it did and what comes next."""
    frozen = run("freeze", "new", *FREEZE)
    assert (frozen.code, frozen.err) == (0, "")
    assert frozen.out.startswith("froze 1 problems, 1 pools, 3 candidates into new\n")
    sealed = run("seal", "new", *KEYS)
    assert (sealed.code, sealed.out.splitlines()[::2]) == (
        0,
        ["sealed new", "next        calverify select --archive new"],
    )
    commitment = read_log("new")[0].sha256
    assert commitment in sealed.out
    chosen = run("select", "--archive", "new")
    assert (chosen.code, chosen.err) == (0, "")
    assert chosen.out.splitlines()[0] == "calver              picked from 1 of 1 pools"
    assert chosen.out.splitlines()[-4:] == [
        "left out: confidence, judge, prm, reward (no candidate has such a score)",
        "wrote new/choices.jsonl",
        f"commitment  {read_log('new')[1].sha256}",
        "next        calverify reveal new --keys FILE",
    ]
    noted = ["--commitment", commitment, "--commitment", read_log("new")[1].sha256]
    revealed = run("reveal", "new", *KEYS, *noted)
    assert revealed.code == 0
    assert [line.split()[:2] for line in revealed.out.splitlines()[:-2]] == [
        [step.step, step.sha256] for step in read_log("new")
    ]
    assert revealed.out.splitlines()[0].split()[1] == commitment
    assert revealed.out.splitlines()[-2:] == [
        "revealed: nothing has changed since it was sealed and chosen",
        "next    calverify grade new --keys keys.jsonl, or calverify report",
    ]


def test_the_same_in_json(run, folder):
    """One value each."""
    manifest = run("freeze", "new", *FREEZE, "--sampling", "temperature=0.8", "--packed", "--json").json
    assert manifest == read_archive("new").manifest.to_json()
    assert manifest["sampling"] == {"temperature": 0.8}
    assert run("seal", "new", *KEYS, "--json").json == read_log("new")[0].to_json()
    said = run("select", "--archive", "new", "--selector", "first", "--selector", "calver", "--json").json
    assert said.pop("commitment") == read_log("new")[-1].sha256
    assert said == {"choices": "new/choices.jsonl", "left_out": [], "picked": {"first": 1, "calver": 1}, "pools": 1}
    assert run("reveal", "new", *KEYS, "--json").json == [step.to_json() for step in read_log("new")]


def test_a_commitment_that_the_log_does_not_hold(run, folder):
    """One sentence, and the keys stay closed."""
    refused = run("reveal", "chosen", *KEYS, "--commitment", "0" * 64)
    assert (refused.code, refused.out) == (2, "")
    assert "chosen/log.jsonl is not the log that was noted down: no step of it has the commitment 0000" in refused.err
    assert [step.step for step in read_log("chosen")] == ["seal", "select"]


def test_freeze_keeps_what_it_is_told(run, folder):
    """Each option is a field of the manifest, and a number is a number."""
    more = ["--model", "m", "--adapter", "a", "--quantisation", "nf4", "--prompt-version", "7", "--command", "by hand"]
    sampled = ["--sampling", "top_k=20", "--sampling", "top_p=0.9", "--sampling", "backend=vllm"]
    record = run("freeze", "new", *FREEZE, *more, *sampled, "--json").json
    kept = {
        name: record[name] for name in ("model", "adapter", "quantisation", "prompt_version", "command", "sampling")
    }
    assert kept == {
        "model": "m", "adapter": "a", "quantisation": "nf4", "prompt_version": "7", "command": "by hand",
        "sampling": {"top_k": 20, "top_p": 0.9, "backend": "vllm"},
    }  # fmt: skip


def test_pools_of_several_files(run, folder):
    """In the order of the files; one unit in two of them is refused, with both places."""
    record = json.loads((folder / "pool.json").read_text())
    (folder / "more.json").write_text(json.dumps({**record, "seed": 1}))
    assert run("freeze", "new", *FREEZE, "--pools", "more.json").code == 0
    assert [pool.seed for pool in read_archive("new").pools] == [0, 1]
    twice = run("freeze", "again", *FREEZE, "--pools", "pool.json")
    assert twice.code == 2
    assert "seed 0, stood already at pools.jsonl, line 1" in twice.err
    assert not (folder / "again").exists()


REFUSED = [
    ("a folder that is there", ["freeze", "frozen", *FREEZE], "is not empty; what is frozen is never written"),
    ("no such file", ["freeze", "new", "--problems", "x", "--pools", "y", "--policy", "p"], "cannot read x"),
    ("a sampling parameter without a value", ["freeze", "new", *FREEZE, "--sampling", "hot"], "NAME=VALUE"),
    ("an unknown one", ["freeze", "new", *FREEZE, "--sampling", "luck=1"], "sampling record carries 'luck'"),
    ("no folder to seal", ["seal", "new", *KEYS], "new is no folder: there is no manifest.json in it;"),
    ("sealed before", ["seal", "chosen", *KEYS], "chosen is sealed already"),
    ("no keys", ["seal", "frozen", "--keys", "x"], "cannot read the keys x"),
    ("keys that are none", ["seal", "frozen", "--keys", "pool.json"], "pool.json, line 1: key record carries"),
    ("never sealed", ["reveal", "frozen", *KEYS], "was never sealed; calverify seal frozen --keys FILE comes before"),
    ("no folder to reveal", ["reveal", "new", *KEYS], "new is no folder: there is no manifest.json in it;"),
    ("no folder to grade", ["grade", "new", *KEYS], "new is no folder: there is no manifest.json in it;"),
    ("other keys", ["reveal", "chosen", "--keys", "problem.json"], "problem.json are not the keys that were sealed"),
    ("too late to choose", ["select", "--archive", "revealed"], "the keys of revealed were revealed"),
    ("an archive and a problem", ["select", "--archive", "frozen", "--problem", "x"], "leave out the others"),
    ("an archive and a trace", ["select", "--archive", "frozen", "trace.txt"], "leave out the others"),
    ("a plugin without an archive", ["select", "--problem", "x", "--plugin", "x"], "--plugin belongs to --archive"),
    ("a plugin that nobody is chosen of", ["select", "--archive", "frozen", "--plugin", "x"], "with --selector"),
    ("a plugin that is none", ["select", "--archive", "frozen", "--plugin", "x", "--selector", "x"], "No module named"),
    ("two selectors for one pool",
     ["select", "--problem", "problem.json", "--pool", "pool.json", "--selector", "first", "--selector", "calver"],
     "several need an --archive"),
    ("an unknown selector", ["select", "--archive", "frozen", "--selector", "luck"], "no selector 'luck' is on"),
]  # fmt: skip


@pytest.mark.parametrize("words, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_is_refused(run, folder, words, why):
    """One sentence, which says what to do, and exit code 2."""
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert why in done.err
    assert json.loads(run(*words, "--json").out)["error"]["message"]


def test_a_changed_file_is_named(run, folder):
    """Between choice and reveal."""
    path = folder / "chosen" / "choices.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"index":0', b'"index":2', 1))
    done = run("reveal", "chosen", *KEYS)
    assert done.code == 2
    assert "chosen/choices.jsonl has changed since the step 'select'" in done.err


@pytest.mark.parametrize("name", ["first", "plurality", "calver", "medoid"])
def test_one_pool_by_any_selector(run, folder, problem, name):
    """--selector says who picks; what voting picks is told beside it."""
    done = run("select", "--problem", "problem.json", "--pool", "pool.json", "--selector", name)
    index = 1 if name == "calver" else 0
    assert f"chosen: candidate {index + 1}, " in done.out
    record = run("select", "--problem", "problem.json", "--pool", "pool.json", "--selector", name, "--json").json
    assert (record["index"], record["voting"]) == (index, 0)


@pytest.mark.parametrize("admission", ADMISSIONS)
def test_admission(run, folder, admission):
    assert run("select", "--archive", "frozen", "--selector", "first", "--admission", admission).code == 0
    assert read_log("frozen")[-1].admission == admission


def test_audit_leak(run, folder):
    """A row a field and place, each refused; the folder is not touched."""
    before = {file.name: file.read_bytes() for file in (folder / "frozen").iterdir()}
    done = run("audit", "leak", "--archive", "frozen")
    assert (done.code, done.err) == (0, "")
    head, *rows, last, log = done.out.splitlines()
    assert head.split() == ["field", "place", "refused", "by"]
    assert last == f"{len(rows)} of {len(rows)} refused"
    assert log == "frozen has no log: it was never sealed, so nothing proves that choosing was blind"
    assert {row.split()[0] for row in rows} == set(FORBIDDEN)
    assert {row.split()[2] for row in rows} == {"LeakError"}
    assert ["gold", "pool.candidates.0", "LeakError"] in [row.split() for row in rows]
    assert {file.name: file.read_bytes() for file in (folder / "frozen").iterdir()} == before
    found = run("audit", "leak", "--json", "--field", "tomorrow").json["plantings"]
    assert {planting["field"] for planting in found} == {"tomorrow"}
    assert {planting["place"] for planting in found} >= {"problem", "pool", "choice", "log", "manifest"}


def test_audit_leak_that_finds_one(run, folder, monkeypatch):
    """One that gets in leaves with 3."""
    passed = rooms.Planting("gold", "pool", None)
    monkeypatch.setattr("calverify.cli._audit.plant", lambda archive, fields: [passed])
    done = run("audit", "leak")
    assert done.code == 3
    assert done.out.splitlines()[1:] == ["gold   pool   invalid: it got in", "0 of 1 refused"]
    assert run("audit", "leak", "--json").json == {"plantings": [passed.to_json()], "log": []}


def test_audit_leak_prints_the_log(run, folder):
    """The chain of a folder that was sealed, chosen from and revealed, as `reveal` prints it."""
    done = run("audit", "leak", "--archive", "revealed", "--field", "gold")
    shown = done.out.splitlines()[-3:]
    assert shown == run("reveal", "revealed", "--keys", "keys.jsonl").out.splitlines()[:3]
    steps = read_log("revealed")
    assert [line.split()[:2] for line in shown] == [[step.step, step.sha256] for step in steps]
    assert run("audit", "leak", "--archive", "revealed", "--json").json["log"] == [step.to_json() for step in steps]


def test_the_environment_reaches_a_command_below_a_group(run, folder, monkeypatch):
    monkeypatch.setenv("CALVERIFY_AUDIT_LEAK_JSON", "1")
    assert run("audit", "leak").json["plantings"]


def test_a_group_alone_is_a_usage_error(run):
    done = run("audit")
    assert done.code == 2
    assert "Usage: calverify audit" in done.err + done.out


def test_completion_lists_selectors(monkeypatch):
    """After --selector come those on the shelf."""
    from calverify.cli._judge import selector_names

    assert selector_names(None, None, "") == list(cv.SELECTORS)
    assert selector_names(None, None, "pl") == ["plurality"]
