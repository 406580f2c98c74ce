"""Which edges a graph has, by type."""

import pytest

import calverify as cv
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("an arrow", "A -> B, A <-> C, D", "", "A -> B", True, "A -> B is an edge of this graph"),
    ("an arrow in short", "A -> B, A <-> C, D", "", "A->B", True, "A -> B"),
    ("an arrow written back", "A -> B, A <-> C, D", "", "B <- A", True, "A -> B is"),
    ("an arrow turned", "A -> B, A <-> C, D", "", "B -> A", False, "B -> A is not an edge"),
    ("a pair", "A -> B, A <-> C, D", "", ["A", "B"], True, "A -> B"),
    ("a pair turned", "A -> B, A <-> C, D", "", ["B", "A"], False, "B -> A is not"),
    ("an arc", "A -> B, A <-> C, D", "", "A <-> C", True, "A <-> C is"),
    ("an arc from the other end", "A -> B, A <-> C, D", "", "C<->A", True, "A <-> C is"),
    ("an arc as an arrow", "A -> B, A <-> C, D", "", "A -> C", False, "A -> C is not"),
    ("an arrow as an arc", "A -> B, A <-> C, D", "", "A <-> B", False, "A <-> B is not"),
    ("an arrow as a line", "A -> B, A <-> C, D", "", "A -- B", False, "A -- B is not"),
    ("a line", "A -- B", "", "A -- B", True, "A -- B is"),
    ("a line from the other end", "A -- B", "", "B-A", True, "A -- B is"),
    ("a line as an arrow", "A -- B", "", "A -> B", False, "A -> B is not"),
    ("a foreign end", "A -> B, A <-> C, D", "", "A -> W", False, "A -> W is not"),
    ("two edges", "A -> B, A <-> C, D", "", "A -> B -> D", False, "not one edge"),
    ("a node", "A -> B, A <-> C, D", "", "A", False, "not one edge"),
    ("a self-loop", "A -> B, A <-> C, D", "", "A -> A", False, "self-loop"),
    ("nothing", "A -> B, A <-> C, D", "", "", False, "not one edge"),
    ("a number", "A -> B, A <-> C, D", "", 3, False, "not an edge"),
]


@judged("graph, targets, answer, valid, why", ROWS)
def test_an_edge_is_judged(graph, targets, answer, valid, why):
    is_judged(cv.Query("edge", tuple(targets.split())), graph, answer, valid, why)


REFUSED = [
    ("a target", "A -> B", "A", cv.QueryError, "edge takes no targets, not A"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("edge", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed", "undirected"])
def test_random_problems_agree_with_the_oracle(kind, count):
    agrees("edge", kind, count)


def test_a_pair_of_one_name_is_no_edge():
    """It must be judged, as any answer must; it is read as an edge that cannot be written."""
    said = cv.check(cv.Graph.parse("A -> B"), cv.Query("edge"), ["A", "A"])
    assert said.valid is False
