"""Simple paths along the arrows."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("the way ahead", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A -> B -> D", True, "A -> B -> D is directed"),
    ("by the arc", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A <-> B -> D", False, "does not follow its arrows"),
    ("by the fork", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A <- C -> D", False, "does not follow its arrows"),
    ("one edge", "A -> B -> D, A <- C -> D, A <-> B", "B D", "B -> D", True, "is directed"),
    ("an edge that is not there", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A -> D", False, "A -> D is not an edge"),
    ("around a cycle", "A -> B -> C -> A, C -> D", "A D", "A -> B -> C -> D", True, "is directed"),
    (
        "twice around a cycle",
        "A -> B -> C -> A, C -> D",
        "A D",
        "A -> B -> C -> A -> B -> C -> D",
        False,
        "visits A twice",
    ),
    (
        "from the other end",
        "A -> B -> D, A <- C -> D, A <-> B",
        "A D",
        "D <- B <- A",
        False,
        "does not run from A to D",
    ),
    ("no path", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A, B, D", False, "unexpected"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_path_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("directed_path", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("one target", "A -> B", "A", cv.QueryError, "directed_path takes 2 targets"),
    ("one node twice", "A -> B", "A A", cv.QueryError, "must be different nodes, not A, A"),
    ("an unknown target", "A -> B", "A W", cv.QueryError, "'W' is not in the graph"),
    ("no directions", "A -- B", "A B", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("directed_path", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("directed_path", kind, count)
