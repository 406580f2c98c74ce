"""Nodes with an arrow into the node."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("a parent", "A -> B -> C, D -> B, A <-> C, E", "B", "A", True, "A is a parent of node B"),
    ("the other parent", "A -> B -> C, D -> B, A <-> C, E", "B", "D", True, "D is a parent"),
    ("a child", "A -> B -> C, D -> B, A <-> C, E", "B", "C", False, "C is not a parent"),
    ("a grandparent", "A -> B -> C, D -> B, A <-> C, E", "C", "A", False, "A is not a parent of node C"),
    ("an arc is no arrow", "A -> B -> C, D -> B, A <-> C, E", "A", "C", False, "C is not a parent of node A"),
    ("around a cycle", "A -> B -> C -> A, C -> D", "A", "C", True, "C is a parent"),
    ("in words", "A -> B -> C, D -> B, A <-> C, E", "B", "**A**.", True, "A is a parent"),
    ("the node itself", "A -> B -> C, D -> B, A <-> C, E", "B", "B", False, "B is not a parent"),
    ("a name that is no node", "A -> B -> C, D -> B, A <-> C, E", "B", "W", False, "W is not a parent of node B"),
    ("two names", "A -> B -> C, D -> B, A <-> C, E", "B", ["A", "D"], False, "must be a string"),
    ("nothing", "A -> B -> C, D -> B, A <-> C, E", "B", "", False, "the answer is empty"),
    ("no name", "A -> B -> C, D -> B, A <-> C, E", "B", 7, False, "must be a string"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_node_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("parent", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("no node", "A -> B", "", cv.QueryError, "parent takes 1 targets (node), not none"),
    ("two nodes", "A -> B", "A B", cv.QueryError, "not A, B"),
    ("an unknown node", "A -> B", "W", cv.QueryError, "'W' is not in the graph"),
    ("no directions", "A -- B", "A", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("parent", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("parent", kind, count)
