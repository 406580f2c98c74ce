"""Proofs about expressions: every sort rechecks, and no damage makes a wrong verdict pass."""

import copy
import json
from collections import Counter
from random import Random

import pytest

import calverify as cv
from calverify.docalculus import EXAMPLES, to_text
from calverify.recheck import recheck
from calverify.scoring import proof
from tests.docalculus.test_decide import drawn
from tests.recheck.brute_estimands import is_true_proof, truth
from tests.recheck.mutations import CHANGES, places

FORK = "U -> X, U -> Y, X -> Y"
BOW = "X -> Y, X <-> Y"
NONE = "not identifiable"


def record_of(graph, answer, task="identification", targets=("X", "Y"), given=()):
    problem = cv.Problem("p", cv.Query(task, targets, given=given), cv.Graph.parse(graph))
    return json.loads(json.dumps(proof(problem, answer)))


KINDS = [
    (FORK, "sum_{U} P(Y|X,U) P(U)", True, "derivation"),
    (FORK, "sum_{U} P(Y=1|X=0,U) P(U)", True, "derivation"),
    (FORK, "P(Y|X)", False, "counter_model"),
    (FORK, "P(Y=1|X)", False, "counter_model"),
    (FORK, "P(Y|do(X))", False, "interventional"),
    (FORK, "P(Y|X,Q)", False, "unknown"),
    (FORK, NONE, False, "derivation"),
    (BOW, NONE, True, "hedge"),
    (BOW, "P(Y|X)", False, "counter_model"),
    ("X -> M -> Y, X <-> Y", "sum_{M} P(M|X) sum_{X'} P(Y|M,X') P(X')", True, "derivation"),
]


@pytest.mark.parametrize("graph, answer, valid, kind", KINDS)
def test_a_proof_of_every_kind_rechecks(graph, answer, valid, kind):
    record = record_of(graph, answer)
    assert (record["valid"], record["witness"]["kind"]) == (valid, kind)
    assert recheck(record) is None
    assert recheck({**record, "valid": not valid}) is not None


@pytest.mark.parametrize(
    "graph, answer, valid, kind",
    [
        (FORK, "yes", True, "derivation"),
        (BOW, "no", True, "hedge"),
        (BOW, "yes", False, "hedge"),
        (FORK, "no", False, "derivation"),
    ],
)
def test_proofs_of_yes_and_no_recheck(graph, answer, valid, kind):
    record = record_of(graph, answer, "identifiable")
    assert (record["valid"], record["witness"]["kind"]) == (valid, kind)
    assert recheck(record) is None
    assert recheck({**record, "valid": not valid}) is not None


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_named_example_rechecks(example):
    query = cv.Query("identification", (tuple(example.treatments), tuple(example.outcomes)), given=example.given)
    record = json.loads(json.dumps(proof(cv.Problem("p", query, example.graph), example.estimand or NONE)))
    assert record["valid"] is True
    assert recheck(record) is None


def test_a_comparison_on_random_models_rechecks_too():
    record = record_of(FORK, "sum_{U} P(Y|X,U) P(U)")
    record["witness"] = {"kind": "identified", "estimand": "sum_{U} P(Y | U, X) P(U)", "same": True, "agreement": None}
    assert recheck(record) is None
    record["answer"] = "P(Y | X)"
    assert recheck(record) == "a random model shows a difference"


def changed(record, path, value):
    copied = copy.deepcopy(record)
    inner = copied
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copied


STEP = ("witness", "steps", 0)
DAMAGES = [
    ("another goal", ("witness", "goal"), {"P": [[["Y", 0, None]], [], []]}, "another expression is derived"),
    ("another start", ("witness", "start"), {"P": [[["Y", 0, None]], [], []]}, "starts from another effect"),
    ("a step that is no instance", (*STEP, "rule"), "chain rule", "no instance"),
    ("an unknown rule", (*STEP, "rule"), "magic", "no rule"),
    ("a part that is not there", (*STEP, "place"), [3], "there is no such part"),
    ("a number", (*STEP, "number"), 2, "not there"),
    ("another whole", (*STEP, "whole"), {"number": 1}, "more than it says"),
    ("no steps", ("witness", "steps"), [], "not the goal"),
    ("another answer", ("answer",), "P(Y | X)", "another expression is derived"),
    ("another graph", ("problem", "graph", "directed"), [["U", "X"], ["U", "Y"], ["Y", "X"]], "no instance"),
]  # fmt: skip


@pytest.mark.parametrize("path, value, why", [row[1:] for row in DAMAGES], ids=[row[0] for row in DAMAGES])
def test_a_damaged_derivation_is_refused(path, value, why):
    said = recheck(changed(record_of(FORK, "sum_{U} P(Y|X,U) P(U)"), path, value))
    assert said is not None
    assert why in said


def test_a_condition_that_does_not_hold_is_refused():
    """Rule 2 turns do(X) into X where U is not given: just what confounding forbids."""
    record = record_of("U -> X, X -> Y", "P(Y|X)")
    assert recheck(record) is None
    confounded = changed(record, ("problem", "graph", "directed"), [["U", "X"], ["X", "Y"], ["U", "Y"]])
    assert "no instance" in recheck(confounded)


COUNTERS = [
    ("another number", ("witness", "candidate_value"), "1/2", "other numbers"),
    ("an edge that the graph has not", ("witness", "model", "nodes", 0, "parents"), ["Y"], "hears"),
    ("a row that is no distribution", ("witness", "model", "nodes", 0, "rows"), [["1/2", "1/3"]], "no distribution"),
    ("an impossible event", ("witness", "model", "nodes", 0, "rows"), [["1", "0"]], "impossible"),
    ("no values", ("witness", "at"), {}, "other variables"),
    ("a value too many", ("witness", "at"), {"X": 0, "Y": 1, "U": 0}, "other variables"),
    ("a value that is none", ("witness", "at"), {"X": False, "Y": 1}, "other variables"),
]


@pytest.mark.parametrize("path, value, why", [row[1:] for row in COUNTERS], ids=[row[0] for row in COUNTERS])
def test_a_damaged_counter_model_is_refused(path, value, why):
    said = recheck(changed(record_of(FORK, "P(Y|X)"), path, value))
    assert said is not None
    assert why in said


def test_models_that_differ_on_what_is_observed_show_nothing():
    record = record_of(BOW, NONE)
    models = record["witness"]["apart"]["models"]
    models[1]["nodes"][1]["rows"] = [["1/2", "1/2"]] * 4
    assert recheck(record) == "the models differ on what is observed"
    for at in ({"X": 0}, {"X": 0, "Y": 1, "Q": 0}, {"X": 0, "Y": True}):
        assert "other variables" in recheck(changed(record_of(BOW, NONE), ("witness", "apart", "at"), at))
    assert recheck(changed(record_of(BOW, NONE), ("witness", "apart"), None)) == (
        "no pair of models shows that there is no estimand"
    )


def random_record(rng):
    effect, expression = drawn(rng)
    answer = NONE if rng.random() < 0.2 else to_text(expression)
    lists = (tuple(sorted(effect.treatments)), tuple(sorted(effect.outcomes)))
    query = cv.Query("identification", lists, given=tuple(sorted(effect.given)))
    return json.loads(json.dumps(proof(cv.Problem("p", query, effect.graph), answer)))


CASES = pytest.mark.parametrize("count", [40, pytest.param(2_000, marks=pytest.mark.property)])


@CASES
def test_every_verdict_on_a_random_expression_rechecks(count):
    rng, seen = Random("estimands"), Counter()
    for _ in range(count):
        record = random_record(rng)
        kind, refused = record["witness"]["kind"], recheck(record)
        seen[kind, record["valid"]] += 1
        assert (refused is None) is is_true_proof(record), (refused, record)
        assert truth(record) is record["valid"]
        assert refused is None or kind == "undefined" or record["witness"]["apart"] is None
    assert {("derivation", True), ("counter_model", False)} <= set(seen)


@pytest.mark.parametrize("count", [150, pytest.param(20_000, marks=pytest.mark.property)])
def test_a_damaged_proof_passes_only_where_it_is_a_true_one(count):
    rng, became = Random("damage"), Counter()
    records = [random_record(rng) for _ in range(max(10, count // 40))]
    for _ in range(count):
        record = copy.deepcopy(rng.choice(records))
        part = rng.choices(("witness", "problem", "answer", "valid", "other"), (70, 10, 5, 5, 10))[0]
        if part == "valid":
            record["valid"] = not record["valid"]
        elif part == "other":
            other = copy.deepcopy(rng.choice(records))
            record["witness"], record["valid"] = other["witness"], other["valid"]
        else:
            inside = list(places(record[part])) or [(record, part)]
            rng.choice(CHANGES)(rng, *rng.choice(inside))
        passes = recheck(record) is None
        became[passes] += 1
        if passes:
            assert is_true_proof(record), record
    assert became[False] > became[True] > 0
