"""Is the whole graph one C-component?"""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("joined", "A <-> B <-> C", "", "yes", True, "the graph is a C-component"),
    ("joined, denied", "A <-> B <-> C", "", "no", False, "the graph is a C-component"),
    ("joined, with arrows", "A -> B, A <-> B <-> C", "", "yes", True, "the graph is a C-component"),
    ("joined, with arrows, denied", "A -> B, A <-> B <-> C", "", "no", False, "the graph is a C-component"),
    ("two parts", "A <-> B, C", "", "no", True, "not a C-component: no bidirected edge joins {A, B} and {C}"),
    ("two parts, denied", "A <-> B, C", "", "yes", False, "not a C-component: no bidirected edge joins {A, B} and {C}"),
    ("one node", "A", "", "yes", True, "the graph is"),
    ("one node, denied", "A", "", "no", False, "the graph is"),
    ("arrows do not join", "A -> B", "", "no", True, "no bidirected edge joins {A} and {B}"),
    ("arrows do not join, denied", "A -> B", "", "yes", False, "no bidirected edge joins {A} and {B}"),
    ("neither word", "A <-> B", "", "maybe", False, "is neither yes nor no"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_word_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("is_c_component", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("a target", "A -> B", "A", cv.QueryError, "is_c_component takes no targets, not A"),
    ("no directions", "A -- B", "", cv.GraphError, "undirected"),
    ("a cycle", "A -> B -> A", "", cv.GraphError, "directed cycle"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("is_c_component", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("is_c_component", kind, count)
