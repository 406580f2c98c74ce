"""A directed graph as text in six ways, as CausalGraph2LLM shows it to models.

The published code puts sentences through `str.capitalize`, which writes all but their first letter small; names bind
exactly here, so they are left as they are.  Its "graphviz" is a list of arrows, and here it is DOT.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final
from xml.sax.saxutils import quoteattr

from calverify.formats import to_dot
from calverify.graphs import Graph

__all__ = ["ENCODINGS"]

Edge = tuple[str, str]


def _from_the_roots(graph: Graph) -> Iterator[Edge]:
    """Every edge once, depth first from the nodes without parents, in the order of the nodes."""
    below: dict[str, list[str]] = {node: [] for node in graph.nodes}
    for tail, head in graph.directed:
        below[tail].append(head)
    heads = {head for _, head in graph.directed}
    waiting = [iter([("", node)]) for node in reversed(graph.nodes) if node not in heads]
    seen: set[str] = set()
    while waiting:
        edge = next(waiting[-1], None)
        if edge is None:
            waiting.pop()
            continue
        tail, node = edge
        if tail:
            yield edge
        if node not in seen:
            seen.add(node)
            waiting.append(iter([(node, head) for head in below[node]]))


def prose(graph: Graph) -> str:
    """ "A causes B. B causes C." """
    return " ".join(f"{tail} causes {head}." for tail, head in _from_the_roots(graph))


def as_json(graph: Graph) -> str:
    """{"B": {"parents": ["A"]}}"""
    parents: dict[str, list[str]] = {node: [] for node in graph.nodes}
    for tail, head in graph.directed:
        parents[head].append(tail)
    return json.dumps({node: {"parents": found} for node, found in parents.items()}, indent=4, ensure_ascii=False)


def adjacency(graph: Graph) -> str:
    """ "(A, B). (B, C)." """
    return " ".join(f"({tail}, {head})." for tail, head in sorted(graph.directed))


def multinode(graph: Graph) -> str:
    """ "A causes B, C. B causes D." """
    below: dict[str, list[str]] = {}
    for tail, head in sorted(graph.directed):
        below.setdefault(tail, []).append(head)
    return " ".join(f"{tail} causes {', '.join(heads)}." for tail, heads in below.items())


def graphml(graph: Graph) -> str:
    """Nodes and edges, and nothing else."""
    nodes = [f"    <node id={quoteattr(node)}/>" for node in graph.nodes]
    edges = [f"    <edge source={quoteattr(tail)} target={quoteattr(head)}/>" for tail, head in graph.directed]
    head = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n  <graph edgedefault="directed">'
    return "\n".join([head, *nodes, *edges, "  </graph>\n</graphml>"])


ENCODINGS: Final[Mapping[str, Callable[[Graph], str]]] = {
    "prose": prose,
    "json": as_json,
    "adjacency": adjacency,
    "multinode": multinode,
    "graphviz": to_dot,
    "graphml": graphml,
}
