"""Is M a child of X and a parent of Y?  Direct edges only."""

import pytest

import calverify as cv
from tests.decision_agreement import decision_task_agrees, word_is_judged
from tests.sheets import bits, sheet_of

CASES = pytest.mark.parametrize("count", [150, pytest.param(5_000, marks=pytest.mark.property)])

JUDGED = [
    ("a chain", "X -> M -> Y", True, "X -> M -> Y is a directed path"),
    ("a longer way to the mediator", "X -> A -> M -> Y", False, "X -> M is not an edge of the graph"),
    ("a longer way from it", "X -> M -> A -> Y", False, "M -> Y is not an edge of the graph"),
    ("two arrows into the outcome", "X -> M -> Y, X -> Y", True, "X -> M -> Y is a directed path"),
    ("a fork", "X <- M -> Y", False, "M cannot be reached from X"),
    ("an arc", "X <-> M, M -> Y", False, "M cannot be reached from X"),
    ("on a cycle", "X -> M -> Y -> X", True, "X -> M -> Y is a directed path"),
    ("on a two-cycle", "X -> M -> X, M -> Y", True, "X -> M -> Y is a directed path"),
]


@pytest.mark.parametrize("graph, truth, why", [row[1:] for row in JUDGED], ids=[row[0] for row in JUDGED])
def test_a_word_is_judged(graph, truth, why):
    word_is_judged(graph, cv.Query("direct_mediator", ("X", "M", "Y")), truth, why)


REFUSED = [
    ("one node twice", ("X", "M", "X"), "must be different nodes, not X, M, X"),
    ("two targets", ("X", "Y"), "takes 3 targets"),
    ("an unknown node", ("X", "W", "Y"), "'W' is not in the graph"),
]


@pytest.mark.parametrize("targets, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_query_that_makes_no_sense_is_refused(targets, why):
    with pytest.raises(cv.QueryError) as refused:
        cv.check(cv.Graph.parse("X -> M -> Y"), cv.Query("direct_mediator", targets), "yes")
    assert why in str(refused.value)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_words_agree_with_the_oracle(kind, count):
    decision_task_agrees("direct_mediator", kind, count)


def test_a_witness_that_is_a_path_but_not_direct():
    problem = cv.Problem("p", cv.Query("direct_mediator", ("X", "M", "Y")), cv.Graph.parse("X -> A -> M -> Y, X -> M"))
    sheet = sheet_of(problem)
    verdict = cv.verify(problem, sheet.but(strategy={"method": "any", "path": ["X", "A", "M", "Y"]}).text())
    assert bits(verdict) == "110111"
    assert verdict.faults[0].why == "X -> A -> M -> Y is not direct"


def test_it_is_not_the_reachability_form():
    graph = cv.Graph.parse("X -> A -> M -> Y")
    assert cv.check(graph, cv.Query("mediator", ("X", "M", "Y")), "yes").valid
    assert not cv.check(graph, cv.Query("direct_mediator", ("X", "M", "Y")), "yes").valid
