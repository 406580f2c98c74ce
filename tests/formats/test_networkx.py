"""networkx graphs, there and back."""

import re
import sys
from types import SimpleNamespace

import networkx as nx
import pytest

from calverify import errors
from calverify.formats import from_networkx, to_networkx
from calverify.graphs import Graph

REFUSED = [
    (nx.Graph([("a", "b")]), "edge a -- b is undirected"),
    (nx.MultiGraph(), "the networkx graph is undirected"),
    (nx.DiGraph([(1, 2)]), "node 1 is not a string; rename with nx.relabel_nodes(g, str) first"),
    (nx.DiGraph([("a", "a")]), "edge a -> a is a self-loop"),
    (nx.MultiDiGraph([("a", "b"), ("a", "b")]), "edge a -> b is listed twice"),
    (nx.DiGraph([("a", "a ")]), "a"),
    (nx.DiGraph([("a", "b", {"kind": "undirected"})]), "edge a -> b has kind='undirected'; expected one of directed"),
    (nx.DiGraph([("a", "b", {"kind": []})]), "edge a -> b has kind=[]"),
    (nx.DiGraph([("a", "b"), ("b", "a"), ("c", "a", {"kind": "bidirected"})]), "directed cycle"),
    ("a -> b", "expected a networkx DiGraph or MultiDiGraph, not str"),
    (None, "expected a networkx DiGraph or MultiDiGraph, not NoneType"),
]


@pytest.mark.parametrize("text", ["", "a, b", "a -> b <- c, d", "a -> b -> a"])
def test_without_bidirected_edges_a_digraph(text):
    g = to_networkx(Graph.parse(text))
    assert type(g) is nx.DiGraph
    assert from_networkx(g) == Graph.parse(text)


def test_with_bidirected_edges_a_multidigraph():
    graph = Graph.parse("a -> b, a <-> b, b <-> c, d")
    g = to_networkx(graph)
    assert type(g) is nx.MultiDiGraph
    assert sorted(g.edges(data="kind"), key=str) == [
        ("a", "b", "bidirected"),
        ("a", "b", None),
        ("b", "c", "bidirected"),
    ]
    assert from_networkx(g) == graph
    assert from_networkx(g).nodes == graph.nodes


def test_a_digraph_may_carry_bidirected_edges():
    assert from_networkx(nx.DiGraph([("a", "b", {"kind": "bidirected"})])) == Graph.parse("a <-> b")


def test_opposite_edges_are_a_cycle():
    assert from_networkx(nx.DiGraph([("a", "b"), ("b", "a")])).kind == "directed"


@pytest.mark.parametrize(("g", "why"), REFUSED, ids=[row[1][:40] for row in REFUSED])
def test_refused(g, why):
    with pytest.raises(errors.GraphError, match=re.escape(why)):
        from_networkx(g)


def _observed_as_dowhy_says():
    g = nx.DiGraph([("U", "X"), ("U", "Y")])
    g.nodes["U"]["observed"] = "no"
    return g


def _latents_as_pgmpy_says():
    g = nx.DiGraph([("U", "X"), ("U", "Y")])
    g.latents = {"U"}
    return g


@pytest.mark.parametrize("g", [_observed_as_dowhy_says(), _latents_as_pgmpy_says()], ids=["DoWhy", "pgmpy"])
def test_hidden_nodes(g):
    with pytest.raises(errors.GraphError, match="node U is marked as hidden"):
        from_networkx(g)
    assert from_networkx(g, project_latents=True) == Graph.parse("X <-> Y")


def test_networkx_is_asked_for_by_name_when_it_is_absent(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match=re.escape("pip install 'calverify[networkx]'")):
        to_networkx(Graph.parse("a"))


def test_anything_of_the_shape_is_read():
    g = SimpleNamespace(
        is_directed=lambda: True,
        nodes=lambda data: [("a", {}), ("b", {})],
        edges=lambda data: [("a", "b", {})],
    )
    assert from_networkx(g) == Graph.parse("a -> b")
