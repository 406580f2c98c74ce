"""An unshielded fork A <- B -> C."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("a fork", "A <- B -> C", "", ["A", "B", "C"], True, "{A, B, C} is a fork of this graph"),
    ("in any order", "A <- B -> C", "", "{'C', 'A', 'B'}", True, "is a fork"),
    ("a chain", "A -> B -> C", "", ["A", "B", "C"], False, "is not a fork"),
    ("a collider", "A -> B <- C", "", ["A", "B", "C"], False, "is not a fork"),
    ("shielded", "A <- B -> C, A -> C", "", ["A", "B", "C"], False, "is not a fork"),
    ("an arc does not shield", "A <- B -> C, A <-> C", "", ["A", "B", "C"], True, "is a fork"),
    ("an arc is no arm", "A <-> B -> C", "", ["A", "B", "C"], False, "is not a fork"),
    ("two nodes", "A -> B -> C", "", ["A", "B"], False, "is not a fork"),
    ("a foreign name", "A -> B -> C", "", ["A", "B", "W"], False, "is not a "),
    ("nothing", "A -> B -> C", "", "", False, "the answer is empty"),
    ("the empty set", "A -> B -> C", "", "set()", False, "{} is not a"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_set_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("fork", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("a target", "A -> B", "A", cv.QueryError, "fork takes no targets, not A"),
    ("no directions", "A -- B", "", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("fork", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("fork", kind, count)
