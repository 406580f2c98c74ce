"""Separators: all inclusion-minimal ones and one of least size, against trying every set."""

from itertools import islice
from random import Random

import networkx as nx
import pytest

from calverify.errors import GraphError
from calverify.graphs import Graph, _separators, minimal_separators, minimum_separator, separated
from tests.oracles import cuts
from tests.oracles.paths import Paths
from tests.strategies import random_admg, random_dag

ROWS = [
    ("apart already", "A, B, C", "A", "B", "C", [""]),
    ("joined by an edge", "A -> B, C", "A", "B", "C", []),
    ("joined by an arc", "A <-> B, C", "A", "B", "C", []),
    ("chain", "A -> B -> C", "A", "C", "B", ["B"]),
    ("chain of four", "A -> B -> C -> D", "A", "D", "B C", ["B", "C"]),
    ("chain of six", "A -> B -> C -> D -> E -> F", "A", "F", "B C D E", ["B", "C", "D", "E"]),
    ("two routes", "A -> B -> D, A -> C -> D", "A", "D", "B C", ["B C"]),
    ("collider stays out", "A -> B <- C", "A", "C", "B", [""]),
    ("collider on a route", "X <- A -> M <- B -> Y, M -> X, M -> Y", "X", "Y", "A B M", ["A M", "B M"]),
    ("not usable", "A -> B -> C -> D", "A", "D", "C", ["C"]),
    ("nothing usable", "A -> B -> C", "A", "C", "", []),
    (
        "a route gives way whole to two others",
        "R -> A, R -> Z -> Y, A -> B -> D -> X, A -> C -> E -> X",
        "X",
        "Y",
        "A B C D E R Z",
        ["A", "R", "Z", "B C", "B E", "C D", "D E"],
    ),
    ("through arcs", "A <- B <-> C -> D", "A", "D", "B C", ["B", "C"]),
    ("a usable node off every route", "A -> B -> C, D", "A", "C", "B D", ["B"]),
    ("the ends do not count as usable", "A -> B -> C", "A", "C", "A B C", ["B"]),
]


@pytest.mark.parametrize("graph, x, y, usable, found", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_minimal_and_minimum(graph, x, y, usable, found):
    graph, usable, sets = Graph.parse(graph), usable.split(), [frozenset(names.split()) for names in found]
    assert sorted(map(sorted, minimal_separators(graph, x, y, usable))) == sorted(map(sorted, sets))
    least = minimum_separator(graph, x, y, usable)
    assert (least in sets and len(least) == min(map(len, sets))) if sets else least is None


@pytest.mark.parametrize("search", [minimum_separator, lambda *question: next(minimal_separators(*question))])
@pytest.mark.parametrize("x, y, usable", [("Q", "B", ""), ("A", "Q", ""), ("A", "B", "Q")])
def test_unknown_names_are_refused(search, x, y, usable):
    with pytest.raises(GraphError, match="'Q' is not a node"):
        search(Graph.parse("A, B"), x, y, usable.split())


def test_nothing_separates_a_node_from_itself():
    graph = Graph.parse("A -> B, C")
    assert not separated(graph, {"A"}, {"A"})
    assert list(minimal_separators(graph, "A", "A", {"B", "C"})) == []
    assert minimum_separator(graph, "A", "A", {"B", "C"}) is None


@pytest.mark.parametrize("search", [minimum_separator, lambda *question: list(minimal_separators(*question))])
def test_a_cycle_is_refused_naming_it(search):
    """As `separated` refuses it: what cannot be decided cannot be searched."""
    with pytest.raises(GraphError, match="directed cycle B -> C -> B"):
        search(Graph.parse("A -> B -> C -> B, D"), "A", "D", {"B", "C"})


def test_minimal_separators_are_lazy():
    """Twenty parallel routes of two nodes each: 2^20 separators, and the first hundred come at once."""
    edges = [pair for i in range(20) for pair in (("X", f"A{i}"), (f"A{i}", f"B{i}"), (f"B{i}", "Y"))]
    names = ["X", "Y", *(f"{letter}{i}" for i in range(20) for letter in "AB")]
    graph = Graph(names, edges)
    found = list(islice(minimal_separators(graph, "X", "Y", names[2:]), 100))
    assert len(set(found)) == 100
    assert all(len(one) == 20 and separated(graph, {"X"}, {"Y"}, one) for one in found)


@pytest.mark.parametrize("count", [250, pytest.param(6_000, marks=pytest.mark.property)])
def test_agree_with_trying_every_set(count):
    rng = Random(41)
    for _ in range(count):
        n = rng.randint(2, 7)
        graph = random_admg(rng, n, rng.choice([0.2, 0.35, 0.5]), rng.choice([0.0, 0.1, 0.2]))
        x, y, *rest = rng.sample(graph.nodes, n)
        usable = rest[: rng.randint(0, len(rest))] if rng.random() < 0.5 else rest
        sets = cuts.separating_sets(Paths(graph), x, y, usable)
        found = list(minimal_separators(graph, x, y, usable))
        assert len(set(found)) == len(found)
        assert set(found) == cuts.minimal(sets)
        least = minimum_separator(graph, x, y, usable)
        assert (least in sets and len(least) == len(sets[0])) if sets else least is None


def routes(graph: Graph, x: str, y: str) -> nx.Graph:
    """The moralised ancestral graph, by networkx."""
    dag = nx.DiGraph(graph.directed)
    dag.add_nodes_from(graph.nodes)
    return nx.moral_graph(dag.subgraph(nx.ancestors(dag, x) | nx.ancestors(dag, y) | {x, y}))


@pytest.mark.parametrize("count", [250, pytest.param(5_000, marks=pytest.mark.property)])
def test_the_least_has_as_many_nodes_as_a_cut_by_networkx(count):
    """On sparse graphs with many routes, where one route must give way to two others, several times over."""
    rng = Random(44)
    found = []
    for _ in range(count):
        graph = random_dag(rng, 40, 0.06)
        x, y, *rest = sorted(rng.sample(graph.nodes, 40), key=lambda node: -len(graph.ancestors({node})))
        moral = routes(graph, x, y)
        least = minimum_separator(graph, x, y, rest)
        assert (least is None) == moral.has_edge(x, y)
        if least is not None:
            assert len(least) == len(nx.minimum_node_cut(moral, x, y) if nx.has_path(moral, x, y) else ())
            assert separated(graph, {x}, {y}, least)
            found.append(len(least))
    assert sum(size > 1 for size in found) > count / 5


@pytest.mark.parametrize("count", [40, pytest.param(1_500, marks=pytest.mark.property)])
def test_large_graphs_give_separators_that_no_member_can_leave(count):
    """Where trying every set is out of reach: each separates, and needs each of its nodes."""
    rng = Random(43)
    for _ in range(count):
        graph = random_dag(rng, 25, 0.12)
        x, y, *rest = rng.sample(graph.nodes, 25)
        least = minimum_separator(graph, x, y, rest)
        found = list(islice(minimal_separators(graph, x, y, rest), 20))
        assert (least is None) == (not found)
        for one in found:
            assert len(one) >= len(least)
            assert separated(graph, {x}, {y}, one)
            assert not any(separated(graph, {x}, {y}, one - {member}) for member in one)
        assert least is None or separated(graph, {x}, {y}, least)


@pytest.mark.parametrize("width", [20, 60])
def test_a_least_set_takes_steps_by_nodes_and_not_by_edges(width, monkeypatch):
    """The neighbours of X here are all joined to each other, and one augmenting path is found for each."""
    steps = 0

    def counted(mask):
        nonlocal steps
        for bit in each_bit(mask):
            steps += 1
            yield bit

    each_bit = _separators.each_bit
    forks = ", ".join(f"X <- A{i} -> B{i} -> Y" for i in range(width))
    graph = Graph.parse(forks)
    monkeypatch.setattr(_separators, "each_bit", counted)
    assert len(minimum_separator(graph, "X", "Y", graph.node_set - {"X", "Y"})) == width
    assert steps < 20 * width**2, "width cubed is what walking every edge anew for every path would take"
