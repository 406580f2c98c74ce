"""One C-component in which every node has at most one child."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("two roots", "A <-> B <-> C, A -> B", "", "yes", True, "the graph is a C-forest"),
    ("two roots, denied", "A <-> B <-> C, A -> B", "", "no", False, "the graph is a C-forest"),
    ("one root", "A <-> B <-> C, A -> B -> C", "", "yes", True, "the graph is a C-forest"),
    ("one root, denied", "A <-> B <-> C, A -> B -> C", "", "no", False, "the graph is a C-forest"),
    ("no arrows", "A <-> B", "", "yes", True, "the graph is"),
    ("no arrows, denied", "A <-> B", "", "no", False, "the graph is"),
    ("two children", "A <-> B <-> C, A -> B, A -> C", "", "no", True, "A has 2 children: B, C"),
    ("two children, denied", "A <-> B <-> C, A -> B, A -> C", "", "yes", False, "A has 2 children: B, C"),
    ("two parents", "A <-> B <-> C, A -> C, B -> C", "", "yes", True, "the graph is"),
    ("two parents, denied", "A <-> B <-> C, A -> C, B -> C", "", "no", False, "the graph is"),
    ("two parts", "A <-> B, B -> C", "", "no", True, "no bidirected edge joins {A, B} and {C}"),
    ("two parts, denied", "A <-> B, B -> C", "", "yes", False, "no bidirected edge joins {A, B} and {C}"),
    ("neither word", "A <-> B", "", "maybe", False, "is neither yes nor no"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_word_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("c_forest", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("a target", "A -> B", "A", cv.QueryError, "c_forest takes no targets, not A"),
    ("no directions", "A -- B", "", cv.GraphError, "undirected"),
    ("a cycle", "A -> B -> A", "", cv.GraphError, "directed cycle"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("c_forest", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("c_forest", kind, count)
