"""An unshielded chain A -> B -> C."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("a chain", "A -> B -> C", "", ["A", "B", "C"], True, "{A, B, C} is a chain of this graph"),
    ("in any order", "A -> B -> C", "", "('C', 'A', 'B')", True, "{A, B, C} is a chain"),
    ("a fork", "A <- B -> C", "", ["A", "B", "C"], False, "is not a chain"),
    ("a collider", "A -> B <- C", "", ["A", "B", "C"], False, "is not a chain"),
    ("shielded", "A -> B -> C, A -> C", "", ["A", "B", "C"], False, "is not a chain"),
    ("shielded from behind", "A -> B -> C -> A", "", ["A", "B", "C"], False, "is not a chain"),
    ("an arc does not shield", "A -> B -> C, A <-> C", "", ["A", "B", "C"], True, "is a chain"),
    ("an arc is no step", "A <-> B -> C", "", ["A", "B", "C"], False, "is not a chain"),
    ("there and back is none", "A -> B -> A, B -> C", "", ["A", "B"], False, "is not a chain"),
    ("out of a two-cycle", "A -> B -> A, B -> C", "", ["A", "B", "C"], True, "is a chain"),
    ("two nodes", "A -> B -> C", "", ["A", "B"], False, "is not a chain"),
    ("a foreign name", "A -> B -> C", "", ["A", "B", "W"], False, "is not a "),
    ("nothing", "A -> B -> C", "", "", False, "the answer is empty"),
    ("the empty set", "A -> B -> C", "", "set()", False, "{} is not a"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_set_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("chain", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("a target", "A -> B", "A", cv.QueryError, "chain takes no targets, not A"),
    ("no directions", "A -- B", "", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("chain", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("chain", kind, count)
