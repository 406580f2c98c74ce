"""Another dag of the class, held to what equivalence means: the same nodes are separated by the same sets."""

from random import Random

import pytest

import calverify as cv
from calverify.scoring import case_of
from tests.object_problems import as_graph
from tests.oracles.paths import Paths
from tests.oracles.relations import every_dag
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("the arrow turned", "A -> B", "A <- B", True, "the same skeleton and the same v-structures"),
    ("the same graph", "A -> B", "A -> B", False, "it is the given graph itself"),
    ("a fork for a chain", "A -> B -> C", "A <- B -> C", True, "the same skeleton"),
    ("a collider for a chain", "A -> B -> C", "A -> B <- C", False, "only it has the v-structure A -> B <- C"),
    (
        "a chain for a collider",
        "A -> B <- C",
        "A -> B -> C",
        False,
        "only the given graph has the v-structure A -> B <- C",
    ),
    ("an arrow too few", "A -> B -> C", "A <- B, C", False, "only the given graph joins B and C"),
    ("an arrow too many", "A -> B, C", "A <- B -> C", False, "only it joins B and C"),
    ("a node too few", "A -> B, C", "A <- B", False, "its nodes are not the graph's"),
    ("a node too many", "A -> B", "A <- B, C", False, "its nodes are not the graph's"),
    ("a cycle", "A -> B -> C, A -> C", "A -> B -> C -> A", False, "it is no dag"),
    ("an arc", "A -> B", "A <-> B", False, "it is no dag"),
    ("as an object", "A -> B", {"nodes": ["A", "B"], "edges": [["B", "A"]]}, True, "the same skeleton"),
    ("half an object", "A -> B", {"nodes": ["A", "B"]}, False, "edges"),
    ("nothing", "A -> B", "", False, "the answer is empty"),
    ("a number", "A -> B", 7, False, "a graph is an object"),
]


@judged("graph, answer, valid, why", ROWS)
def test_a_graph_is_judged(graph, answer, valid, why):
    is_judged(cv.Query("markov_equivalent"), graph, answer, valid, why)


REFUSED = [
    ("a target", "A -> B", "A", cv.QueryError, "markov_equivalent takes no targets, not A"),
    ("an arc", "A <-> B", "", cv.GraphError, "needs a dag, and this graph is of the class admg"),
    ("a cycle", "A -> B -> A", "", cv.GraphError, "needs a dag, and this graph is of the class directed"),
    ("no directions", "A -- B", "", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("markov_equivalent", tuple(targets.split())), graph, error, why)


@CASES
def test_random_problems_agree_with_the_oracle(count):
    agrees("markov_equivalent", "dag", count)


@pytest.mark.parametrize(
    "nodes, given", [("AB", None), ("ABC", None), ("ABCD", 12), pytest.param("ABCD", 150, marks=pytest.mark.property)]
)
def test_every_dag_against_every_dag(nodes, given):
    """On so few nodes the classes are found by brute force; `given` says of how many graphs the class is asked."""
    dags = [as_graph(plain) for plain in every_dag(tuple(nodes))]
    assert len(dags) == {"AB": 3, "ABC": 25, "ABCD": 543}[nodes]
    separations = {dag: Paths(dag).independences() for dag in dags}
    for dag in dags if given is None else Random(1).sample(dags, given):
        case = case_of(dag, cv.Query("markov_equivalent"))
        members = {other for other in dags if other != dag and separations[other] == separations[dag]}
        assert {other for other in dags if case.holds(other)} == members
        assert set(case.task.solve(case)) == members
