"""Nodes with a directed path to the node."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("a parent", "A -> B -> C, D -> B, A <-> C, E", "B", "A", True, "A is an ancestor of node B"),
    ("a grandparent", "A -> B -> C, D -> B, A <-> C, E", "C", "A", True, "A is an ancestor"),
    ("a child", "A -> B -> C, D -> B, A <-> C, E", "B", "C", False, "C is not an ancestor"),
    ("alone", "A -> B -> C, D -> B, A <-> C, E", "E", "A", False, "A is not an ancestor of node E"),
    ("around a cycle", "A -> B -> C -> A, C -> D", "A", "B", True, "B is an ancestor"),
    ("itself around a cycle", "A -> B -> C -> A, C -> D", "A", "A", False, "A is not an ancestor"),
    ("below a cycle", "A -> B -> C -> A, C -> D", "A", "D", False, "D is not an ancestor"),
    ("the node itself", "A -> B -> C, D -> B, A <-> C, E", "B", "B", False, "B is not an ancestor"),
    ("a name that is no node", "A -> B -> C, D -> B, A <-> C, E", "B", "W", False, "W is not an ancestor of node B"),
    ("two names", "A -> B -> C, D -> B, A <-> C, E", "B", ["A", "D"], False, "must be a string"),
    ("nothing", "A -> B -> C, D -> B, A <-> C, E", "B", "", False, "the answer is empty"),
    ("no name", "A -> B -> C, D -> B, A <-> C, E", "B", 7, False, "must be a string"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_node_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("ancestor", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("no node", "A -> B", "", cv.QueryError, "ancestor takes 1 targets (node), not none"),
    ("two nodes", "A -> B", "A B", cv.QueryError, "not A, B"),
    ("an unknown node", "A -> B", "W", cv.QueryError, "'W' is not in the graph"),
    ("no directions", "A -- B", "A", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("ancestor", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("ancestor", kind, count)
