"""The maximal C-components: nodes joined by bidirected edges."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("three joined", "A -> B, A <-> B, B <-> C, D", "", ["A", "B", "C"], True, "{A, B, C} is a maximal C-component"),
    ("a lone node", "A -> B, A <-> B, B <-> C, D", "", ["D"], True, "{D} is a maximal"),
    ("not maximal", "A -> B, A <-> B, B <-> C, D", "", ["A", "B"], False, "{A, B} is not a"),
    ("two of them", "A -> B, A <-> B, B <-> C, D", "", ["A", "B", "C", "D"], False, "is not a maximal"),
    ("arrows do not join", "A -> B", "", ["A", "B"], False, "is not a maximal"),
    ("nothing", "A -> B, A <-> B, B <-> C, D", "", [], False, "{} is not a"),
    ("a foreign name", "A -> B, A <-> B, B <-> C, D", "", ["D", "W"], False, "is not a"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_set_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("c_component", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("a target", "A -> B", "A", cv.QueryError, "c_component takes no targets, not A"),
    ("no directions", "A -- B", "", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("c_component", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("c_component", kind, count)
