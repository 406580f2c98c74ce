"""`calverify theory`: from the masses of answers, and from the pools of a pilot."""

from fractions import Fraction

import pytest

from calverify.evaluation import SharpFamily

FRAGMENTED = ["--valid", "0.15,0.15,0.15,0.15", "--invalid", "0.4"]


def test_from_masses(run):
    done = run("theory", *FRAGMENTED, "--k", "1,8,64")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "an invalid answer leads every valid one by 0.25: plurality goes wrong as K grows\n"
        "     K    at most  plurality    checked\n"
        "     1    100.0 %     60.0 %     60.0 %\n"
        "     8    100.0 %     36.1 %     99.9 %\n"
        "    64     54.1 %      0.9 %    100.0 %\n"
        "plurality is valid with probability at most 0.05 from K = 141 on\n"
    )


def test_json_holds_the_same(run):
    told = run("theory", *FRAGMENTED, "--k", "2,8", "--json").json
    assert (told["regime"], told["margin"], told["rivals"], told["samples_needed"]) == ("fails", 0.25, 4, 141)
    family = SharpFamily(Fraction(3, 5), 4)
    assert [(row["plurality"], row["checked"]) for row in told["rows"]] == [
        (float(family.plurality(k)), float(family.verified(k))) for k in (2, 8)
    ]


SAID = [
    (["--valid", "3/5", "--invalid", "2/5"], "a valid answer leads every invalid one by 0.2"),
    (["--valid", "1/2", "--invalid", "1/2"], "plurality has no direction"),
    (["--valid", "0.01,0.01", "--invalid", "0.9", "--k", "3000"], "too large"),
]


@pytest.mark.parametrize("words, said", SAID)
def test_each_regime_is_told(run, words, said):
    done = run("theory", *words)
    assert done.code == 0
    assert said in done.out


@pytest.fixture
def pilot(run, folder):
    run("simulate", "problem.json", "--out", "pilot", "--k", "6", "--seeds", "4", "--keys", "pilot-keys.jsonl")
    return ["--archive", "pilot", "--keys", "pilot-keys.jsonl", "--draws", "50"]


def test_from_a_pilot(run, pilot):
    done = run("theory", *pilot, "--k", "1,6,48")
    assert done.code == 0
    first, sentence, *rows = done.out.splitlines()
    assert first == "simulated: 4 pools of 6 candidates or more"
    assert sentence.startswith(("checking can help", "no gain expected"))
    assert rows[0].split() == ["score", "share", "right"]
    assert [line.split()[0] for line in rows[-3:]] == ["1", "6", "48"]
    assert [line.endswith("extrapolated") for line in rows[-3:]] == [False, False, True]


def test_from_a_pilot_as_json(run, pilot):
    told = run("theory", *pilot, "--k", "1,6", "--json").json
    assert told["policy"] == "simulated"
    assert told["law"]["inversions"] == []
    assert sum(told["meter"]["regimes"].values()) == 4
    assert [(point["k"], point["extrapolated"], point["accuracy"]["draws"]) for point in told["plan"]] == [
        (1, False, 50), (6, False, 50)]  # fmt: skip


def test_a_sealed_pilot_is_not_opened(run, pilot):
    run("seal", "pilot", "--keys", "pilot-keys.jsonl")
    done = run("theory", *pilot)
    assert (done.code, done.out) == (2, "")
    assert "is sealed; calverify reveal" in done.err


def test_choices_that_are_not_there_are_named(run, pilot):
    run("select", "--archive", "pilot", "--selector", "first")
    done = run("theory", *pilot)
    assert done.code == 2
    assert "holds no choices of calver and plurality" in done.err


REFUSED = [
    ([], "Give the masses"),
    (["--archive", "x"], "with its --keys"),
    (["--keys", "x"], "belong to an --archive"),
    (["--archive", "x", "--keys", "x", "--valid", "1/2"], "not both"),
    (["--valid", "0.8", "--invalid", "0.4"], "add up to 6/5"),
    ([*FRAGMENTED, "--k", "0"], "whole numbers from 1 on"),
    ([*FRAGMENTED, "--k", ","], "at least one --k"),
    ([*FRAGMENTED, "--miss", "0"], "--miss"),
]


@pytest.mark.parametrize("words, why", REFUSED)
def test_what_makes_no_sense_is_refused(run, words, why):
    done = run("theory", *words)
    assert (done.code, done.out) == (2, "")
    assert why in done.err
