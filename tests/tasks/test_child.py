"""Nodes that an arrow leads to from the node."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("a child", "A -> B -> C, D -> B, A <-> C, E", "B", "C", True, "C is a child of node B"),
    ("of a parent", "A -> B -> C, D -> B, A <-> C, E", "D", "B", True, "B is a child"),
    ("a parent", "A -> B -> C, D -> B, A <-> C, E", "B", "A", False, "A is not a child"),
    ("a grandchild", "A -> B -> C, D -> B, A <-> C, E", "A", "C", False, "C is not a child of node A"),
    ("around a cycle", "A -> B -> C -> A, C -> D", "C", "A", True, "A is a child"),
    ("the node itself", "A -> B -> C, D -> B, A <-> C, E", "B", "B", False, "B is not a child"),
    ("a name that is no node", "A -> B -> C, D -> B, A <-> C, E", "B", "W", False, "W is not a child of node B"),
    ("two names", "A -> B -> C, D -> B, A <-> C, E", "B", ["A", "D"], False, "must be a string"),
    ("nothing", "A -> B -> C, D -> B, A <-> C, E", "B", "", False, "the answer is empty"),
    ("no name", "A -> B -> C, D -> B, A <-> C, E", "B", 7, False, "must be a string"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_node_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("child", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("no node", "A -> B", "", cv.QueryError, "child takes 1 targets (node), not none"),
    ("two nodes", "A -> B", "A B", cv.QueryError, "not A, B"),
    ("an unknown node", "A -> B", "W", cv.QueryError, "'W' is not in the graph"),
    ("no directions", "A -- B", "A", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("child", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("child", kind, count)
