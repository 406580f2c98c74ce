"""Proofs about numbers of a model, about what would have been, and about a class: accepted whole, refused damaged."""

import copy
import json
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

import calverify as cv
from calverify.effects import SCM
from calverify.names import number_json
from calverify.recheck import recheck
from calverify.scoring import checker_for, proof, proof_of
from calverify.tasks.equivalence_claim import RELATIONS
from tests.known import random_graph
from tests.numeric_tasks import random_model, written

SEEN = ("probability", "correlation", "explaining_away")
CAUSAL = ("ett", "necessity", "natural_direct", "natural_indirect")


def as_read(record: dict) -> dict:
    return json.loads(json.dumps(record))


def drawn_problem(task: str, seed: object) -> tuple[Random, cv.Problem] | None:
    """A question of this task about a random model; None where the model does not admit it."""
    rng, _, scm = random_model(f"{task} {seed}")
    x, y, c = rng.sample(sorted(scm.graph.nodes), 3)
    targets, given = ((y,), (x, c)) if task == "probability" else ((x, y), (c,))
    given = given if task in SEEN else ()
    names = (*targets, *given) if task in SEEN else (y,)
    formula = tuple((name, rng.choice("01")) for name in names if rng.random() < 0.5)
    threshold = rng.choice((None, Fraction(1, 10), Fraction(-1, 200)))
    query = cv.Query(task, targets, given=given, formula=formula, threshold=threshold)
    problem = cv.Problem("p", query, scm=scm)
    try:
        checker_for(problem)
    except cv.QueryError:  # the treatment prevents the outcome
        return None
    return rng, problem


def drawn_claim(rng: Random, problem: cv.Problem) -> dict:
    """A claim with any set, a number near or far, mostly the word that follows."""
    case = checker_for(problem).case
    names = sorted(rng.sample([*problem.graph.nodes, "Q"], rng.randint(0, 2)))
    names = sorted(case.state.usual_set) if rng.random() < 0.5 else names
    number = case.state.truth() + rng.choice((0, 0, Fraction(1, 100), Fraction(1, 5)))
    follows = "yes" if number > (problem.query.threshold or 0) else "no"
    word = follows if rng.random() < 0.8 else "no" if follows == "yes" else "yes"
    stated = None if problem.query.task in SEEN and rng.random() < 0.3 else names
    verdict = checker_for(problem)(written(problem, stated, number_json(round(number, 12)), word))
    return as_read(proof_of(problem, verdict))


@pytest.mark.parametrize("task", [*SEEN, *CAUSAL])
def test_numbers_and_claims(task):
    kinds = Counter()
    for seed in range(36):
        drawn = drawn_problem(task, seed)
        if drawn is None:
            continue
        rng, problem = drawn
        for record in (as_read(proof(problem, rng.choice(("yes", "no")))), drawn_claim(rng, problem)):
            assert recheck(record) is None, (seed, recheck(record), record)
            kinds[record["witness"]["kind"], record["valid"]] += 1
            for damaged in damages(record):
                assert recheck(damaged) is not None, (seed, damaged)
    assert kinds["effect", True] > 5
    assert kinds["quantity", True] > 5
    assert kinds["quantity", False] + kinds["unknown", False] > 3
    wanted = {"ett": "active_path", "natural_direct": "no_mediator", "natural_indirect": "no_mediator"}.get(task)
    assert wanted is None or kinds[wanted, False] > 0


def damages(record: dict):
    """One change each, after which the record proves nothing."""
    yield {**record, "valid": not record["valid"]}
    witness = record["witness"]
    for field in ("effect", "value"):
        if isinstance(witness.get(field), int | float):
            yield {**record, "witness": {**witness, field: witness[field] + 0.001}}
    if witness["kind"] == "quantity":
        yield {**record, "witness": {**witness, "set": [*witness["set"], "Q"]}}
        yield {**record, "witness": {"kind": "quantity", "set": witness["set"]}}
    yield {**record, "witness": {**witness, "extra": 1}}
    yield {**record, "witness": None}
    for name in record["problem"]["scm"]["variables"]:
        changed = copy.deepcopy(record)
        changed["problem"]["scm"]["variables"][name]["p"] = 2
        yield changed
    if "formula" not in record["problem"]["query"]:
        changed = copy.deepcopy(record)
        changed["problem"]["query"]["formula"] = [["Q", "0"]]
        yield changed


def test_a_natural_effect_that_leaves_a_path_out():
    tables = {"X": {"p": 0.5}, "A": {"parents": ["X"], "p": [0.2, 0.6]}, "B": {"parents": ["X"], "p": [0.3, 0.8]},
              "Y": {"parents": ["A", "B", "X"], "p": [[[0.1, 0.2], [0.3, 0.4]], [[0.5, 0.6], [0.7, 0.8]]]}}  # fmt: skip
    problem = cv.Problem("p", cv.Query("natural_direct", ("X", "Y")), scm=SCM.from_json({"variables": tables}))
    record = as_read(proof_of(problem, cv.verify(problem, written(problem, ["A"], 0.1, "yes"))))
    assert record["witness"] == {"kind": "directed_walk", "walk": ["X", "B", "Y"], "cut": None}
    assert (record["valid"], recheck(record)) == (False, None)
    for walk in (["X", "A", "Y"], ["X", "Y"], ["X", "B"], ["B", "Y"]):
        assert recheck({**record, "witness": {**record["witness"], "walk": walk}})
    whole = as_read(proof_of(problem, cv.verify(problem, written(problem, ["A", "B"], 0.1, "yes"))))
    assert (whole["valid"], recheck(whole)) == (True, None)
    assert recheck({**record, "valid": True, "witness": whole["witness"]})


def test_what_the_task_would_refuse_is_refused():
    prevents = {"variables": {"X": {"p": 0.5}, "Y": {"parents": ["X"], "p": [0.9, 0.2]}}}
    graph = {"class": "dag", "nodes": ["X", "Y"], "directed": [["X", "Y"]], "bidirected": []}
    query = {"task": "necessity", "targets": ["X", "Y"]}
    record = {"problem": {"id": "p", "text": "", "query": query, "graph": graph, "scm": prevents}, "answer": "no",
              "valid": True, "why": "", "witness": {"kind": "effect", "effect": -3.5, "threshold": 0}}  # fmt: skip
    assert "prevents the outcome" in recheck(record)
    asked = {**record["problem"], "query": {"task": "explaining_away", "targets": ["X", "Y"]}}
    assert "no common effect" in recheck({**record, "problem": asked})
    twice = {**record["problem"], "query": {"task": "probability", "targets": ["Y"], "given": ["Y"]}}
    assert "a name stands twice" in recheck({**record, "problem": twice})
    never = {"variables": {"X": {"p": 0}, "Y": {"parents": ["X"], "p": [0.9, 0.2]}}}
    seen = {**record["problem"], "scm": never, "query": {"task": "probability", "targets": ["Y"], "given": ["X"]}}
    assert "never occurs" in recheck({**record, "problem": seen})


# ---------------------------------------------------------------- without chance


def certain_problem(seed: int) -> cv.Problem | None:
    rng = Random(seed)
    parents = {"A": [], "B": [], "C": ["A", "B"], "D": ["A", "C"], "E": ["D", "B"]}
    tables = {}
    for name, above in parents.items():
        table = [[rng.randint(0, 1) for _ in range(2)] for _ in range(2)]
        tables[name] = {"parents": above, "p": table if above else "1/3"}
    x, y, seen = rng.sample(list(parents), 3)
    formula = tuple((name, rng.choice("01")) for name in (x, y, seen))
    query = cv.Query("counterfactual", (x, y), given=(seen,), formula=formula)
    problem = cv.Problem("p", query, scm=SCM.from_json({"variables": tables}))
    try:
        checker_for(problem)
    except cv.QueryError:
        return None
    return problem


def test_what_would_have_been():
    tried, turns = 0, Counter()
    for problem in filter(None, map(certain_problem, range(40))):
        for word in ("yes", "no"):
            record = as_read(proof(problem, word))
            assert recheck(record) is None
            tried += 1
            assert recheck({**record, "valid": not record["valid"]})
            for part in ("seen", "had_it_been"):
                for name, state in record["witness"][part].items():
                    turned = {**record["witness"][part], name: 1 - state}
                    said = recheck({**record, "witness": {**record["witness"], part: turned}})
                    assert said in ("no such world", None)  # None: a root may be turned if X is set there
                    turns[said] += 1
            loose = copy.deepcopy(record)
            loose["problem"]["scm"]["variables"]["C"]["p"] = [[0.5, 1], [1, 1]]
            assert "leaves it to chance" in recheck(loose)
    assert tried > 20
    assert turns["no such world"] > 10 * turns[None]


# ---------------------------------------------------------------- claims about a class


def test_claims_about_a_class():
    kinds = Counter()
    for seed in range(36):
        rng = Random(seed)
        graph = random_graph(rng, "dag", 5, 4)
        a, b = rng.sample(graph.nodes, 2)
        query = cv.Query("equivalence_claim", (a, b), formula=(("relation", rng.choice(list(RELATIONS))),))
        problem = cv.Problem("p", query, graph)
        for word in ("yes", "no"):
            record = as_read(proof(problem, word))
            assert recheck(record) is None, record
            kind = record["witness"]["kind"]
            kinds[kind] += 1
            assert recheck({**record, "valid": not record["valid"]})
            if kind == "every_member":
                assert recheck({**record, "witness": {"kind": kind, "count": record["witness"]["count"] + 1}})
                assert recheck({**record, "witness": {"kind": "counter_member", "graph": record["problem"]["graph"]}})
            else:
                shown = record["witness"]["graph"]
                for edge in shown["directed"]:
                    less = {**shown, "directed": [other for other in shown["directed"] if other != edge]}
                    assert recheck({**record, "witness": {"kind": kind, "graph": less}})
            assert recheck({**record, "witness": {"kind": "every_member", "count": 0}})
    assert min(kinds.values()) > 5
    assert len(kinds) == 2


@pytest.mark.parametrize("formula", [[], [["relation", "friend"]], [["relation", "parent"], ["relation", "child"]]])
def test_a_claim_names_one_relation(formula):
    query = cv.Query("equivalence_claim", ("A", "B"), formula=(("relation", "parent"),))
    record = as_read(proof(cv.Problem("p", query, cv.Graph.parse("A -> B")), "no"))
    assert recheck(record) is None
    record["problem"]["query"]["formula"] = formula
    assert "the formula names no relation" in recheck(record)
