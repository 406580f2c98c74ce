"""Which nodes a graph has."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("a node", "A -> B, A <-> C, D", "", "A", True, "A is a node of this graph"),
    ("one without edges", "A -> B, A <-> C, D", "", "D", True, "D is a node"),
    ("a name that is no node", "A -> B, A <-> C, D", "", "W", False, "W is not a node"),
    ("another case", "A -> B, A <-> C, D", "", "a", False, "a is not a node"),
    ("undirected", "A -- B", "", "B", True, "B is a node"),
    ("two names", "A -> B, A <-> C, D", "", "A, B", False, "not one name"),
    ("in quotes", "A -> B, A <-> C, D", "", "'A'", True, "A is a node"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_node_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("node", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("a target", "A -> B", "A", cv.QueryError, "node takes no targets, not A"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("node", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed", "undirected"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("node", kind, count)
