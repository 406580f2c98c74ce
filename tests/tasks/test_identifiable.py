"""Yes or no: the word is what the ID algorithm says."""

import pytest

import calverify as cv
from tests.rows import is_judged, is_refused, judged

ROWS = [
    ("no confounding", "A -> B", "yes", True, "is identified"),
    ("no confounding, denied", "A -> B", "no", False, "is identified"),
    ("no edge", "A, B", "yes", True, "is identified"),
    ("backdoor", "C -> A, C -> B, A -> B", "yes", True, "is identified"),
    ("front door", "A -> M -> B, A <-> B", "yes", True, "is identified"),
    ("bow", "A <-> B, A -> B", "no", True, "form a hedge"),
    ("bow, denied", "A <-> B, A -> B", "yes", False, "form a hedge"),
    ("instrument", "Z -> A -> B, A <-> B", "no", True, "form a hedge"),
    ("a bidirected edge alone", "A <-> B", "yes", True, "is identified"),
]


@judged("graph, answer, valid, why", ROWS)
def test_a_row(graph, answer, valid, why):
    is_judged(cv.Query("identifiable", ("A", "B")), graph, answer, valid, why)


@pytest.mark.parametrize("graph, word", [("A -> B", "yes"), ("A -> B, A <-> B", "no")])
def test_the_word_is_solved(graph, word):
    assert cv.solve(cv.Graph.parse(graph), cv.Query("identifiable", ("A", "B"))) == [word]


def test_sets_and_a_condition():
    query = cv.Query("identifiable", (("A", "B"), "Y"), given=("Z",))
    is_judged(query, "A -> B -> Y, Z -> Y, A <-> B", "yes", True, "is identified")
    is_judged(query, "A -> B -> Y, Z -> Y, B <-> Y", "no", True, "form a hedge")


REFUSED = [
    ("one target", "A -> B", "A", cv.QueryError, "identifiable takes 2 targets"),
    ("one node twice", "A -> B", "A A", cv.QueryError, "cannot be both treatment and outcome"),
    ("an unknown target", "A -> B", "A W", cv.QueryError, "'W' is not in the graph"),
    ("a cycle", "A -> B -> A", "A B", cv.GraphError, "directed cycle"),
    ("no directions", "A -- B", "A B", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("identifiable", tuple(targets.split())), graph, error, why)
