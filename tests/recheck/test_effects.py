"""Numeric effects rechecked: bare words, claims of traces, strict certificates, and tables that are none."""

import copy
import json

import pytest

import calverify as cv
from calverify.effects import SCM
from calverify.recheck import recheck
from calverify.scoring import proof, proof_of

TABLES = {
    "U": {"p": 0.3},
    "X": {"parents": ["U"], "p": [0.2, 0.7]},
    "M": {"parents": ["X"], "p": [0.1, 0.6]},
    "Y": {"parents": ["M", "U"], "p": [[0.1, 0.4], [0.5, 0.9]]},
    "D": {"parents": ["X"], "states": ["low", "mid", "high"], "positive": ["high"],
          "p": [["1/3", "1/3", "1/3"], [0.1, 0.2, 0.7]]},
}  # fmt: skip
EDGES = [["U", "X"], ["X", "M"], ["M", "Y"], ["U", "Y"], ["X", "D"]]


def problem(tables=TABLES, **limits):
    return cv.Problem("e", cv.Query("ate", ("X", "Y"), **limits), scm=SCM.from_json({"variables": tables}))


def claim(names, effect, answer, asked=None):
    """The proof of what a trace says; the effect is 0.215."""
    stated = json.dumps(names)
    text = "\n".join(
        [
            f'STEP 1 [graph_extract]: {{"nodes":{json.dumps(list(TABLES))},"edges":{json.dumps(EDGES)}}}',
            'STEP 2 [query_id]: {"task":"ate","targets":["X","Y"]}',
            f'STEP 3 [strategy]: {{"method":"adjustment","set":{stated}}}',
            f'STEP 4 [identification_proof]: [{{"rule":"adjustment_formula","to":{stated}}}]',
            f'STEP 5 [compute]: {{"result":{effect}}}',
            f'STEP 6 [answer]: {{"answer":"{answer}"}}',
            f"ANSWER: {answer}",
        ]
    )
    asked = asked or problem()
    return json.loads(json.dumps(proof_of(asked, cv.verify(asked, text))))


ROWS = [
    ("right, and no other word is possible", ["U"], 0.215, "yes", True, "certificate"),
    ("within the tolerance", ["U"], 0.23, "yes", True, "certificate"),
    ("beyond it", ["U"], 0.24, "yes", False, "strata"),
    ("the other word", ["U"], 0.215, "no", False, "strata"),
    ("an open path", [], 0.215, "yes", False, "active_path"),
    ("a name that nobody knows", ["U", "Q"], 0.215, "yes", False, "unknown"),
    ("right by the deployed test: the treatment", ["U", "X"], 0.215, "yes", True, "strata"),
    ("right by the deployed test: a descendant", ["U", "D"], 0.215, "yes", True, "strata"),
    ("the wrong number of a mediator", ["U", "M"], 0, "no", True, "strata"),
]


@pytest.mark.parametrize(
    ("names", "effect", "answer", "valid", "kind"), [r[1:] for r in ROWS], ids=[r[0] for r in ROWS]
)
def test_a_claim_is_rechecked(names, effect, answer, valid, kind):
    record = claim(names, effect, answer)
    assert (record["valid"], record["witness"]["kind"]) == (valid, kind)
    assert record["answer"] == {"set": sorted(names), "effect": effect, "answer": answer}
    assert recheck(record) is None
    assert recheck({**record, "valid": not valid})


def test_a_word_is_rechecked():
    for answer, valid in (("yes", True), ("no", False)):
        record = json.loads(json.dumps(proof(problem(), answer)))
        assert (record["valid"], record["witness"]) == (valid, {"kind": "effect", "effect": 0.215, "threshold": 0})
        assert recheck(record) is None
        assert recheck({**record, "valid": not valid})


def test_threshold_and_tolerance_count():
    """Inside the tolerance of the threshold there is no certificate; the claim is right all the same."""
    record = claim(["U"], 0.215, "yes", problem(threshold=0.2))
    assert (record["valid"], record["witness"]["kind"]) == (True, "strata")
    assert recheck(record) is None
    forged = copy.deepcopy(claim(["U"], 0.215, "yes"))
    forged["problem"]["query"]["threshold"] = 0.2
    assert "another word was possible" in str(recheck(forged))
    forged["problem"]["query"]["tolerance"] = 0.01
    assert recheck(forged) is None


def test_a_stratum_without_an_arm_is_proved_too():
    record = claim(["U"], 0.215, "yes", problem({**TABLES, "X": {"parents": ["U"], "p": [0.2, 1]}}))
    assert record["witness"]["psi"] is None
    assert [part["control"] for part in record["witness"]["strata"]][1] is None
    assert recheck(record) is None


def test_what_a_trace_leaves_out_cannot_be_proved():
    asked = problem()
    with pytest.raises(cv.QueryError, match="does not state a set, a number and an answer"):
        proof_of(asked, cv.verify(asked, "STEP 6 [answer]: {}\nANSWER: yes"))


DAMAGE = [
    ("another mass", lambda w: w["strata"][0].update(mass=0.6), "the strata are others"),
    ("another arm", lambda w: w["strata"][0].update(treated=0.5), "the strata are others"),
    ("a stratum less", lambda w: w["strata"].pop(), "the strata are others"),
    ("a stratum twice", lambda w: w["strata"].append(w["strata"][0]), "the strata are others"),
    ("another sum", lambda w: w.update(psi=0.2), "another sum"),
    ("no list", lambda w: w.update(strata=None), "too large to recheck"),
    ("another set", lambda w: w.update(adjustment=[]), "does not show"),
    ("no proof of separation", lambda w: w["separated"]["states"].pop(0), "another separation"),
    ("an endless number", lambda w: w.update(psi="1/0"), "damaged"),
    ("a word", lambda w: w.update(psi="much"), "no number"),
    ("not a number", lambda w: w.update(psi=float("nan")), "no number"),
    ("true", lambda w: w.update(psi=True), "no number"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "why"), [r[1:] for r in DAMAGE], ids=[r[0] for r in DAMAGE])
def test_a_damaged_certificate_is_refused(change, why):
    record = claim(["U"], 0.215, "yes")
    change(record["witness"])
    assert why in str(recheck(record))


TABLES_THAT_ARE_NONE = [
    ("not one in all", lambda v: v["D"]["p"][0].__setitem__(0, 0.5), "the table of D is no distribution"),
    ("a negative number", lambda v: v["X"]["p"].__setitem__(0, -0.5), "the table of X is no distribution"),
    ("more than one", lambda v: v["U"].update(p=1.5), "the table of U is no distribution"),
    ("too short", lambda v: v["Y"]["p"].pop(), "the table of Y has another shape"),
    ("not deep enough", lambda v: v["Y"].update(p=[0.1, 0.2]), "the table of Y has another shape"),
    ("a row where a number is due", lambda v: v["U"].update(p=[0.3]), "no number"),
    ("an unknown parent", lambda v: v["X"].update(parents=["Q"]), "X has an unknown parent"),
    ("its own parent", lambda v: v["X"].update(parents=["X"]), "X has an unknown parent"),
    ("a parent less", lambda v: v["X"].update(parents=[], p=0.5), "the graph is not the model's"),
    ("states without those that count", lambda v: v["D"].pop("positive"), "the states of D"),
    ("a target of three states",
     lambda v: v["X"].update(states=["a", "b"], positive=["b"], p=[[0.8, 0.2], [0.3, 0.7]]), "a target is not 0 or 1"),
    ("an unknown field", lambda v: v["U"].update(gold=1), "the fields must be"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "why"), [r[1:] for r in TABLES_THAT_ARE_NONE], ids=[r[0] for r in TABLES_THAT_ARE_NONE]
)
def test_tables_that_are_none_are_refused(change, why):
    record = claim(["U"], 0.215, "yes")
    change(record["problem"]["scm"]["variables"])
    assert why in str(recheck(record))


def test_a_model_too_large_to_list_is_refused():
    """A chain of 21 variables: two million worlds."""
    links = [(f"V{n}", f"V{n + 1}") for n in range(18)]
    tables = {"X": {"p": 0.5}, "V0": {"parents": ["X"], "p": [0.2, 0.7]}}
    tables |= {b: {"parents": [a], "p": [0.2, 0.7]} for a, b in [*links, ("V18", "Y")]}
    record = json.loads(json.dumps(proof(problem(tables), "no")))
    assert "too large to recheck" in str(recheck(record))


def test_numbers_too_long_to_multiply_are_refused():
    """A common denominator of more than some five thousand digits, however it comes about."""
    record = claim(["U"], 0.215, "yes")
    table = record["problem"]["scm"]["variables"]["Y"]["p"]
    table[0] = [f"1/{10**1_500 + 1}", f"1/{10**1_400 + 1}"]
    assert recheck(record) == "the strata are others"
    table[1] = [f"1/{10**1_300 + 1}", f"1/{10**1_200 + 1}"]
    assert recheck(record) == "too large to recheck: the numbers of Y"
