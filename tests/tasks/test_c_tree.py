"""A C-forest with a single root."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("one root", "A <-> B <-> C, A -> B -> C", "", "yes", True, "the graph is a C-tree"),
    ("one root, denied", "A <-> B <-> C, A -> B -> C", "", "no", False, "the graph is a C-tree"),
    ("two roots", "A <-> B <-> C, A -> B", "", "no", True, "it has 2 roots: B, C"),
    ("two roots, denied", "A <-> B <-> C, A -> B", "", "yes", False, "it has 2 roots: B, C"),
    ("two children", "A <-> B <-> C, A -> B -> C, A -> C", "", "no", True, "A has 2 children: B, C"),
    ("two children, denied", "A <-> B <-> C, A -> B -> C, A -> C", "", "yes", False, "A has 2 children: B, C"),
    ("two parts", "A -> B", "", "no", True, "no bidirected edge joins {A} and {B}"),
    ("two parts, denied", "A -> B", "", "yes", False, "no bidirected edge joins {A} and {B}"),
    ("one node", "A", "", "yes", True, "the graph is"),
    ("one node, denied", "A", "", "no", False, "the graph is"),
    ("two parents", "A <-> B <-> C, A -> C, B -> C", "", "yes", True, "the graph is"),
    ("two parents, denied", "A <-> B <-> C, A -> C, B -> C", "", "no", False, "the graph is"),
    ("neither word", "A <-> B", "", "maybe", False, "is neither yes nor no"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_word_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("c_tree", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("a target", "A -> B", "A", cv.QueryError, "c_tree takes no targets, not A"),
    ("no directions", "A -- B", "", cv.GraphError, "undirected"),
    ("a cycle", "A -> B -> A", "", cv.GraphError, "directed cycle"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("c_tree", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("c_tree", kind, count)
