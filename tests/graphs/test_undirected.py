"""Undirected graphs: read, written and compared; asked for nodes and edges, and for nothing that needs a direction."""

import json
from random import Random

import pytest

import calverify as cv
from tests.problems import ADMITS, known
from tests.strategies import random_undirected

WRITTEN = [
    ("A -- B", "A -- B"),
    ("A--B", "A -- B"),
    ("A -- B -- C", "A -- B, B -- C"),
    ("P, A--B;B--C", "A -- B, B -- C, P"),
    ('"two words" -- "x--y"', '"two words" -- "x--y"'),
]


@pytest.mark.parametrize("text, written", WRITTEN)
def test_read_and_written(text, written):
    graph = cv.Graph.parse(text)
    assert graph.kind == "undirected"
    assert (graph.directed, graph.bidirected) == ((), ())
    assert str(graph) == written
    assert cv.Graph.parse(written) == graph


def test_text_and_json_read_back():
    for seed in range(200):
        graph = random_undirected(Random(seed), 1 + seed % 7, 0.4)
        record = json.loads(json.dumps(graph.to_json()))
        assert cv.Graph.from_json(record) == graph
        assert cv.Graph.from_json(record).to_json() == record
        assert cv.Graph.parse(str(graph)) == graph
        assert graph.renamed({"A": "a b"}).renamed({"a b": "A"}) == graph


EQUAL = [
    ("A -- B", "B -- A", True),
    ("A -- B, B -- C", "C -- B -- A", True),
    ("A -- B", "A -> B", False),
    ("A -- B", "A <-> B", False),
    ("A -- B", "A, B", False),
]


@pytest.mark.parametrize("left, right, same", EQUAL)
def test_an_undirected_edge_has_no_order(left, right, same):
    one, two = cv.Graph.parse(left), cv.Graph.parse(right)
    assert (one == two) is same
    assert not same or hash(one) == hash(two)


NOT_A_GRAPH = [
    ({"undirected": [("A", "B")], "directed": [("B", "C")]}, "A -- B stands among edges of other types"),
    ({"undirected": [("A", "B")], "bidirected": [("A", "B")]}, "A -- B stands among edges of other types"),
    ({"undirected": [("A", "B"), ("B", "A")]}, "edge A -- B is listed twice"),
    ({"undirected": [("A", "A")]}, "edge A -- A is a self-loop"),
    ({"undirected": [("A", "Q")]}, "edge A -- Q names 'Q', which is not among the nodes"),
    ({"undirected": [("A", "B")], "kind": "directed"}, "declared directed, but it has the undirected edge A -- B"),
]


@pytest.mark.parametrize("parts, why", NOT_A_GRAPH)
def test_what_is_no_undirected_graph(parts, why):
    with pytest.raises(cv.GraphError) as refused:
        cv.Graph("ABC", **parts)
    assert why in str(refused.value)


# ---------------------------------------------------------------- questions

NO_DIRECTION = "an undirected graph can be asked for its nodes and edges only, and this needs directions"
SQUARE = cv.Graph.parse("A -- B -- C -- D -- A")
LONE = cv.Graph("ABCD", kind="undirected")
ASKS = {
    "parents": lambda graph: graph.parents({"A"}),
    "children": lambda graph: graph.children({"A"}),
    "spouses": lambda graph: graph.spouses({"A"}),
    "ancestors": lambda graph: graph.ancestors({"A"}),
    "descendants": lambda graph: graph.strict_descendants({"A"}),
    "surgery": lambda graph: graph.without_edges_into({"A"}),
    "other surgery": lambda graph: graph.without_edges_out_of({"A"}),
    "induced": lambda graph: graph.induced({"A", "B"}),
    "separated": lambda graph: cv.separated(graph, {"A"}, {"C"}, {"B", "D"}),
}


@pytest.mark.parametrize("graph", [SQUARE, LONE], ids=["square", "lone nodes"])
@pytest.mark.parametrize("ask", ASKS)
def test_a_question_about_directions_is_refused(ask, graph):
    with pytest.raises(cv.GraphError) as refused:
        ASKS[ask](graph)
    assert str(refused.value) == NO_DIRECTION


@pytest.mark.parametrize("graph", [SQUARE, LONE], ids=["square", "lone nodes"])
@pytest.mark.parametrize("task", [task for task in ADMITS if "undirected" not in ADMITS[task] and task != "knights"])
def test_a_task_about_directions_is_refused(task, graph):
    """As a question, and as a problem whose traces are to be judged."""
    drawn = known(Random(task), task, ADMITS[task][0]).problem.query
    query = cv.Query(task, tuple("ABCD"[: len(drawn.targets)]), path="A -> B -> C" if drawn.path else None)
    for ask in (
        lambda: cv.check(graph, query, ["A"]),
        lambda: cv.solve(graph, query),
        lambda: cv.verify(cv.Problem("p", query, graph), "ANSWER: A"),
    ):
        with pytest.raises((cv.GraphError, cv.QueryError)) as refused:
            ask()
        assert "undirected" in str(refused.value)


def test_a_trace_that_states_an_undirected_graph_of_its_own_loses_the_graph():
    problem = cv.Problem("p", cv.Query("backdoor", ("A", "C")), legend=tuple("ABCD"))
    slot = json.dumps({"nodes": list("ABCD"), "edges": [], "undirected": [["A", "B"]]})
    verdict = cv.verify(problem, f"STEP 1 [graph_extract]: {slot}\nANSWER: B")
    assert verdict.bits["graph"] == 0
    assert "undirected" in verdict.faults[0].why


@pytest.mark.parametrize("form, answer", [("find_one", "A"), ("find_all", list("DCBA")), ("how_many", 4)])
def test_its_nodes(form, answer):
    assert cv.check(SQUARE, cv.Query("node", form=form), answer).valid


@pytest.mark.parametrize(
    "form, answer, valid",
    [
        ("find_one", "A -- B", True),
        ("find_one", "B--A", True),
        ("find_one", "A-B", True),
        ("find_one", "A -- C", False),
        ("find_one", "A -> B", False),
        ("find_all", ["A-B", "C-B", "C -- D", "A--D"], True),
        ("find_all", "A-B, B-C, C-D, D-A", True),
        ("find_all", ["A-B", "C-B", "C -- D"], False),
        ("how_many", 4, True),
        ("how_many", "5", False),
    ],
)
def test_its_edges(form, answer, valid):
    assert cv.check(SQUARE, cv.Query("edge", form=form), answer).valid is valid
