"""All nodes, every parent before its children."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    (
        "an order",
        "A -> B -> D, C -> D, B <-> C",
        "",
        ["A", "B", "C", "D"],
        True,
        "every parent stands before its children",
    ),
    ("another", "A -> B -> D, C -> D, B <-> C", "", "C, A, B, D", True, "every parent"),
    ("in brackets", "A -> B -> D, C -> D, B <-> C", "", "[A, C, B, D]", True, "every parent"),
    ("a child first", "A -> B -> D, C -> D, B <-> C", "", ["B", "A", "C", "D"], False, "B stands before its parent A"),
    ("back to front", "A -> B -> D, C -> D, B <-> C", "", ["D", "C", "B", "A"], False, "stands before its parent"),
    ("a node left out", "A -> B -> D, C -> D, B <-> C", "", ["A", "B", "D"], False, "C is left out"),
    ("a foreign name", "A -> B -> D, C -> D, B <-> C", "", ["A", "B", "C", "D", "W"], False, "W is not a node"),
    ("a node twice", "A -> B -> D, C -> D, B <-> C", "", ["A", "B", "C", "D", "A"], False, "a name stands twice"),
    ("nothing", "A -> B -> D, C -> D, B <-> C", "", [], False, "the sequence is empty"),
    ("an arc sets no order", "A <-> B", "", "B, A", True, "every parent"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_an_order_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("topological_order", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("a target", "A -> B", "A", cv.QueryError, "topological_order takes no targets, not A"),
    ("no directions", "A -- B", "", cv.GraphError, "undirected"),
    ("a cycle", "A -> B -> A", "", cv.GraphError, "directed cycle"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("topological_order", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("topological_order", kind, count)
