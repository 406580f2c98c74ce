"""Graphs of networkx, read by their shape: this room runs where networkx is not installed.

A directed networkx edge is a directed edge.  A bidirected edge is carried once, in either direction, with the attribute
`kind="bidirected"`; next to a directed edge between the same two nodes that takes a MultiDiGraph.  Two opposite edges
without that attribute are a directed cycle, not a bidirected edge.  Every other attribute is dropped, but a hidden node
(`observed="no"`, as DoWhy says, or a member of `g.latents`, as pgmpy does) is never read as an ordinary one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from importlib import import_module
from typing import Any, Final, Protocol

from calverify.errors import GraphError
from calverify.formats._latents import latent_projection
from calverify.formats._sketch import says_hidden
from calverify.graphs import Graph

__all__ = ["from_networkx", "to_networkx"]

SHAPE: Final = ("is_directed", "nodes", "edges")


class NetworkxGraph(Protocol):
    """What is used of a networkx graph."""

    @property
    def nodes(self) -> Callable[..., Iterable[tuple[object, Mapping[str, object]]]]: ...
    @property
    def edges(self) -> Callable[..., Iterable[tuple[object, object, Mapping[str, object]]]]: ...
    def is_directed(self) -> bool: ...


def from_networkx(g: NetworkxGraph, *, project_latents: bool = False) -> Graph:
    """The graph of a networkx DiGraph or MultiDiGraph; `project_latents` puts bidirected edges for hidden nodes."""
    if not all(hasattr(g, name) for name in SHAPE):
        raise GraphError(f"expected a networkx DiGraph or MultiDiGraph, not {type(g).__name__}")
    nodes = {_name(node): attributes for node, attributes in g.nodes(data=True)}
    directed: list[tuple[str, str]] = []
    bidirected: list[tuple[str, str]] = []
    kinds = {"directed": directed, "bidirected": bidirected}
    for tail, head, attributes in g.edges(data=True):
        if not g.is_directed():
            raise GraphError(f"edge {tail} -- {head} is undirected; expected a DiGraph or MultiDiGraph")
        kind = attributes.get("kind", "directed")
        if not isinstance(kind, str) or kind not in kinds:
            raise GraphError(f"edge {tail} -> {head} has kind={kind!r}; expected one of {', '.join(kinds)}")
        kinds[kind].append((_name(tail), _name(head)))
    if not g.is_directed():
        raise GraphError("the networkx graph is undirected; expected a DiGraph or MultiDiGraph")
    graph = Graph(nodes, directed, bidirected)
    latents = getattr(g, "latents", ())
    named = latents if isinstance(latents, Collection) else ()
    hidden = [node for node, attributes in nodes.items() if node in named or says_hidden(attributes)]
    if hidden and not project_latents:
        raise GraphError(
            f"node {hidden[0]} is marked as hidden, so it may stand in no answer; read the graph with "
            "project_latents=True, which puts bidirected edges in the place of hidden nodes, or take the mark off"
        )
    return latent_projection(graph, hidden) if hidden else graph


def _name(node: object) -> str:
    if not isinstance(node, str):
        raise GraphError(f"node {node!r} is not a string; rename with nx.relabel_nodes(g, str) first")
    return node


def to_networkx(graph: Graph) -> Any:
    """A networkx DiGraph, or a MultiDiGraph when there are bidirected edges, which carry kind="bidirected"."""
    graph.refuse_undirected("a networkx DiGraph")
    try:
        networkx = import_module("networkx")
    except ImportError as error:
        raise ImportError("to_networkx needs networkx: pip install 'calverify[networkx]'") from error
    g = networkx.MultiDiGraph() if graph.bidirected else networkx.DiGraph()
    g.add_nodes_from(graph.nodes)
    g.add_edges_from(graph.directed)
    g.add_edges_from((a, b, {"kind": "bidirected"}) for a, b in graph.bidirected)
    return g
