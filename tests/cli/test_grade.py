"""`calverify grade`: after reveal and not before, by predicate, with intervals."""

import json
from pathlib import Path

import pytest

from calverify.evaluation import read_outcomes

KEYS = ["--keys", "keys.jsonl"]


def test_it_grades_what_was_chosen(run, folder):
    """{M}, {U}, {M}: the first and the most frequent are wrong, the checker's choice is right."""
    done = run("grade", "revealed", *KEYS, "--draws", "100")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "1 units of 1 problems, 100 draws by problem",
        "selector             accuracy               gain of calver",
        "first                0.0 [0.0, 0.0]         +100.0 [+100.0, +100.0]",
        "plurality            0.0 [0.0, 0.0]         +100.0 [+100.0, +100.0]",
        "calver               100.0 [100.0, 100.0]",
        "coverage             100.0 [100.0, 100.0]   +0.0 [+0.0, +0.0]",
        f"wrote {Path('revealed') / 'outcomes.jsonl'}",
    ]
    kept = [(outcome.selector, outcome.index, outcome.correct) for outcome in read_outcomes("revealed/outcomes.jsonl")]
    assert kept == [("first", 0, False), ("plurality", 0, False), ("calver", 1, True)]


def test_the_same_in_json(run, folder):
    rows = run("grade", "revealed", *KEYS, "--draws", "100", "--json").json
    assert [row["selector"] for row in rows] == ["first", "plurality", "calver", "coverage"]
    assert rows[2] == {"selector": "calver", "gain": None, "undetermined": 0, "accuracy": {
        "point": 1.0, "low": 1.0, "high": 1.0, "draws": 100, "clusters": 1, "units": 1, "key": "problem"}}  # fmt: skip


def test_grading_twice_writes_the_same_bytes(run, folder):
    run("grade", "revealed", *KEYS)
    first = Path("revealed/outcomes.jsonl").read_bytes()
    assert run("grade", "revealed", *KEYS).code == 0
    assert Path("revealed/outcomes.jsonl").read_bytes() == first


@pytest.mark.parametrize(
    ("name", "first"), [("frozen", "seal frozen --keys FILE"), ("chosen", "reveal chosen --keys FILE")]
)
def test_nothing_is_graded_before_it_is_revealed(run, folder, name, first):
    done = run("grade", name, *KEYS)
    assert (done.code, done.err) == (2, f"error: {name} is not revealed; calverify {first} comes first\n")
    assert not Path(name, "outcomes.jsonl").exists()


def test_a_changed_byte_is_caught(run, folder):
    """Even after the keys were revealed."""
    record = json.loads(Path("revealed/choices.jsonl").read_text("utf-8").splitlines()[0])
    record["index"] = 1
    lines = Path("revealed/choices.jsonl").read_text("utf-8").splitlines()[1:]
    Path("revealed/choices.jsonl").write_text("\n".join([json.dumps(record), *lines]) + "\n", "utf-8")
    done = run("grade", "revealed", *KEYS)
    assert done.code == 2
    assert "choices.jsonl" in done.err
