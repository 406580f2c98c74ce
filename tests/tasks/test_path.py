"""Simple paths whatever their arrows; parallel edges make different paths."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    (
        "the way ahead",
        "A -> B -> D, A <- C -> D, A <-> B",
        "A D",
        "A -> B -> D",
        True,
        "A -> B -> D is a path of the graph",
    ),
    ("in short", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A->B->D", True, "is a path"),
    ("by the other edge", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A <-> B -> D", True, "A <-> B -> D is a path"),
    ("by the fork", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A <- C -> D", True, "is a path"),
    ("as a list", "A -> B -> D, A <- C -> D, A <-> B", "A D", ["A", "<-", "C", "->", "D"], True, "is a path"),
    ("an arrow turned", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A -> C -> D", False, "A -> C is not an edge"),
    (
        "from the other end",
        "A -> B -> D, A <- C -> D, A <-> B",
        "A D",
        "D <- B <- A",
        False,
        "does not run from A to D",
    ),
    ("half of it", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A -> B", False, "does not run from A to D"),
    ("one node", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A", False, "does not run from A to D"),
    ("there and back", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A -> B <-> A <- C -> D", False, "visits A twice"),
    ("a foreign name", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A -> W -> D", False, "A -> W is not an edge"),
    ("nothing", "A -> B -> D, A <- C -> D, A <-> B", "A D", "", False, "the path is empty"),
    ("a number", "A -> B -> D, A <- C -> D, A <-> B", "A D", 4, False, "is not a path"),
    ("around a cycle", "A -> B -> C -> A, C -> D", "A D", "A <- C -> D", True, "is a path"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_path_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("path", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("one target", "A -> B", "A", cv.QueryError, "path takes 2 targets"),
    ("one node twice", "A -> B", "A A", cv.QueryError, "must be different nodes, not A, A"),
    ("an unknown target", "A -> B", "A W", cv.QueryError, "'W' is not in the graph"),
    ("no directions", "A -- B", "A B", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("path", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("path", kind, count)
