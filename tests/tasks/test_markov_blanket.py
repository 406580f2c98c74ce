"""Parents, children and the children's other parents; in an admg, what colliders join."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    (
        "the family",
        "P -> X -> C <- S, C -> D, Q",
        "X",
        ["P", "C", "S"],
        True,
        "{C, P, S} is the markov blanket of node X",
    ),
    ("without the spouse", "P -> X -> C <- S, C -> D, Q", "X", ["P", "C"], False, "S is left out"),
    ("with a grandchild", "P -> X -> C <- S, C -> D, Q", "X", ["P", "C", "S", "D"], False, "D does not belong"),
    ("the node itself", "P -> X -> C <- S, C -> D, Q", "X", ["P", "C", "S", "X"], False, "X does not belong"),
    ("alone", "P -> X -> C <- S, C -> D, Q", "Q", "set()", True, "{} is the markov blanket of node Q"),
    ("an arc is a neighbour", "X <-> A", "X", ["A"], True, "{A} is"),
    ("a district and its parents", "X <-> A <-> B <- P, B -> D", "X", ["A", "B", "P"], True, "{A, B, P} is"),
    ("below the district", "X <-> A <-> B <- P, B -> D", "X", ["A", "B", "D", "P"], False, "D does not belong"),
    ("a child's district", "X -> A <-> B <- P", "X", ["A", "B", "P"], True, "is the"),
    ("a foreign name", "P -> X -> C <- S, C -> D, Q", "X", ["W"], False, "W is not a node"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_set_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("markov_blanket", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("no node", "A -> B", "", cv.QueryError, "markov_blanket takes 1 targets (node), not none"),
    ("two nodes", "A -> B", "A B", cv.QueryError, "not A, B"),
    ("an unknown node", "A -> B", "W", cv.QueryError, "'W' is not in the graph"),
    ("no directions", "A -- B", "A", cv.GraphError, "undirected"),
    ("a cycle", "A -> B -> A", "A", cv.GraphError, "directed cycle"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("markov_blanket", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("markov_blanket", kind, count)
