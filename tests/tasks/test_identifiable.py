"""Identification is not decided yet: neither word is accepted, and what makes no sense is still refused."""

import pytest

import calverify as cv
from calverify.scoring import case_of
from tests.rows import is_refused, judged
from tests.sheets import bits, sheet_of

GRAPHS = ["A -> B", "A <-> B, A -> B", "A -> M -> B, A <-> B", "A, B"]


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("word", ["yes", "no"])
def test_neither_word_is_accepted(graph, word):
    problem = cv.Problem("p", cv.Query("identifiable", ("A", "B")), cv.Graph.parse(graph))
    said = cv.check(problem.graph, problem.query, word)
    assert said.valid is False
    assert said.why == "identification is not decided by this version, so no answer is accepted"
    assert bits(cv.verify(problem, sheet_of(problem, word).text())) == "110100"
    assert cv.solve(problem.graph, problem.query) == []
    assert cv.nearest_valid(problem.graph, problem.query, word) is None
    assert case_of(problem.graph, problem.query).task.cheapest(case_of(problem.graph, problem.query)) is None


REFUSED = [
    ("one target", "A -> B", "A", cv.QueryError, "identifiable takes 2 targets"),
    ("one node twice", "A -> B", "A A", cv.QueryError, "must be different nodes"),
    ("an unknown target", "A -> B", "A W", cv.QueryError, "'W' is not in the graph"),
    ("a cycle", "A -> B -> A", "A B", cv.GraphError, "directed cycle"),
    ("no directions", "A -- B", "A B", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("identifiable", tuple(targets.split())), graph, error, why)
