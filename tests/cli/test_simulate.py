"""`calverify simulate`: pools of a policy that is no model."""

import json
from pathlib import Path

import pytest

import calverify as cv
from calverify.archives import read_archive
from calverify.keys import read_keys


def test_pools_are_frozen_and_say_what_they_are(run, folder):
    done = run("simulate", "problem.json", "--out", "new", "--k", "4", "--seeds", "3", "--keys", "new-keys.jsonl")
    assert (done.code, done.err) == (0, "")
    assert done.out == "froze 3 simulated pools of 4 candidates into new\nwrote new-keys.jsonl\n"
    archive = read_archive("new")
    assert [len(pool) for pool in archive.pools] == [4, 4, 4]
    assert (archive.manifest.policy, archive.manifest.model) == ("simulated", "simulated")
    assert read_keys("new-keys.jsonl").keys() == archive.problems.keys() == {"w1"}


def test_the_same_words_give_the_same_bytes(run, folder):
    words = ["--k", "8", "--right", "0.6", "--malformed", "0"]
    for name in ("one", "two"):
        assert run("simulate", "problem.json", "--out", name, *words).code == 0
    assert run("simulate", "problem.json", "--out", "three", *words, "--seed", "1").code == 0
    one, two, three = ((Path(name) / "pools.jsonl").read_bytes() for name in ("one", "two", "three"))
    assert one == two != three


def test_json_is_the_manifest(run, folder):
    done = run("simulate", "problem.json", "--out", "new", "--label", "7B", "--wrong", "2/3,1/3", "--json")
    assert done.json == read_archive("new").manifest.to_json()
    assert done.json["policy"] == "simulated 7B"
    assert done.json["command"].endswith("--right 3/5 --wrong 2/3,1/3 --malformed 1/10")


REFUSED = [
    (["--right", "half"], "must hold fractions between 0 and 1"),
    (["--right", "1.5"], "must hold fractions between 0 and 1"),
    (["--malformed", "0.1,0.2"], "--malformed takes one share"),
    (["--wrong", "0"], "an error to make"),
    (["--spread", "0"], "--spread"),
    (["--out", "."], "is not empty"),
    (["--keys", "problem.json"], "problem.json is there already and differs"),
]


@pytest.mark.parametrize("words, why", REFUSED)
def test_what_makes_no_sense_is_refused(run, folder, words, why):
    done = run("simulate", "problem.json", *([] if "--out" in words else ["--out", "new"]), *words)
    assert (done.code, done.out) == (2, "")
    assert why in done.err
    assert not Path("new").exists()


def test_a_problem_without_a_graph_is_refused(run, folder):
    problem = cv.Problem("tale", cv.Query("backdoor", ("X", "Y")), text="A tale.")
    Path("tale.jsonl").write_text(json.dumps(problem.to_json()), encoding="utf-8")
    done = run("simulate", "tale.jsonl", "--out", "new")
    assert done.code == 2
    assert "problem 'tale' supplies no graph" in done.err
