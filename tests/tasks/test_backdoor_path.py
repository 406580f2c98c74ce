"""Simple paths that start with an arrowhead into their first node."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("by the fork", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A <- C -> D", True, "A <- C -> D is a backdoor path"),
    ("by the arc", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A <-> B -> D", True, "is a backdoor path"),
    (
        "by the front door",
        "A -> B -> D, A <- C -> D, A <-> B",
        "A D",
        "A -> B -> D",
        False,
        "A -> B -> D leaves A by an arrow out of it",
    ),
    ("an edge that is not there", "A -> B -> D, A <- C -> D, A <-> B", "A D", "A <- D", False, "A <- D is not an edge"),
    ("one edge", "B -> A", "A B", "A <- B", True, "is a backdoor path"),
    ("the arc of a bow", "A -> B, A <-> B", "A B", "A <-> B", True, "is a backdoor path"),
    ("the arrow of a bow", "A -> B, A <-> B", "A B", "A -> B", False, "leaves A by an arrow"),
    ("through a two-cycle", "A -> B -> A", "A B", "A <- B", True, "is a backdoor path"),
    (
        "from the other end",
        "A -> B -> D, A <- C -> D, A <-> B",
        "A D",
        "D <- C -> A",
        False,
        "does not run from A to D",
    ),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_path_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("backdoor_path", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("one target", "A -> B", "A", cv.QueryError, "backdoor_path takes 2 targets"),
    ("one node twice", "A -> B", "A A", cv.QueryError, "must be different nodes, not A, A"),
    ("an unknown target", "A -> B", "A W", cv.QueryError, "'W' is not in the graph"),
    ("no directions", "A -- B", "A B", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("backdoor_path", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("backdoor_path", kind, count)
