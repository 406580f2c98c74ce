"""All nodes without children."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("the end of a chain", "A -> B -> C", "", ["C"], True, "{C} is the maximal root set"),
    ("two ends", "A <- B -> C", "", ["A", "C"], True, "{A, C} is the maximal root set"),
    ("one of two", "A <- B -> C", "", ["A"], False, "C is left out"),
    ("one too many", "A -> B", "", ["A", "B"], False, "A does not belong"),
    ("a lone node", "A -> B, C", "", ["B", "C"], True, "is the maximal"),
    ("nothing, on a cycle", "A -> B -> A", "", [], True, "{} is the maximal"),
    ("an arc has no child", "A <-> B", "", ["A", "B"], True, "is the maximal"),
    ("a foreign name", "A -> B", "", ["B", "W"], False, "W is not a node"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_set_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("maximal_root_set", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("a target", "A -> B", "A", cv.QueryError, "maximal_root_set takes no targets, not A"),
    ("no directions", "A -- B", "", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("maximal_root_set", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("maximal_root_set", kind, count)
