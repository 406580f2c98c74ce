"""Latent projection: the graph of the seen nodes that says the same about them (Verma 1993; Tian and Pearl 2002).

    X  -> Y   iff a directed path X -> ... -> Y has only hidden nodes between its ends
    X <-> Y   iff a path without colliders, with arrowheads at both ends, has only hidden nodes between its ends

Two sets of seen nodes are m-separated in the projection iff they are in the graph.
"""

from collections.abc import Iterable
from typing import Final

from calverify.errors import BudgetError, GraphError
from calverify.graphs import Graph

__all__ = ["latent_projection"]

MAX_PAIRS: Final = 100_000  # a hidden node with n seen children joins n * (n - 1) / 2 pairs


def latent_projection(graph: Graph, hidden: Iterable[str]) -> Graph:
    """The dag or admg over the nodes outside `hidden`; every node of `hidden` must be in the graph."""
    gone = frozenset(hidden)
    unknown = sorted(gone - graph.node_set)
    if unknown:
        raise GraphError(f"cannot hide {unknown[0]!r}, which is not among the nodes")
    if not graph.acyclic:
        raise GraphError("the latent projection is defined for graphs without a directed cycle")
    reached = _first_seen(graph, gone)
    seen = [node for node in graph.nodes if node not in gone]
    directed = [(node, below) for node in seen for below in sorted(reached[node])]
    forks = [(reached[node], reached[node]) for node in graph.nodes if node in gone]
    forks += [(_landing(a, gone, reached), _landing(b, gone, reached)) for a, b in graph.bidirected]
    if sum(len(left) * len(right) for left, right in forks) > 2 * MAX_PAIRS:
        raise BudgetError(f"the latent projection has over {MAX_PAIRS:,} pairs to join by bidirected edges")
    pairs = {(min(a, b), max(a, b)) for left, right in forks for a in left for b in right if a != b}
    return Graph(seen, directed, sorted(pairs))


def _first_seen(graph: Graph, gone: frozenset[str]) -> dict[str, frozenset[str]]:
    """For each node, the seen nodes at the end of a directed path through hidden nodes only."""
    parents: dict[str, list[str]] = {node: [] for node in graph.nodes}
    below: dict[str, set[str]] = {node: set() for node in graph.nodes}
    waiting = dict.fromkeys(graph.nodes, 0)
    for parent, child in graph.directed:
        parents[child].append(parent)
        waiting[parent] += 1
    ready = [node for node, children in waiting.items() if not children]
    reached: dict[str, frozenset[str]] = {}
    total = 0
    while ready:  # children before parents
        node = ready.pop()
        reached[node] = frozenset(below.pop(node))
        total += len(reached[node])
        if total > MAX_PAIRS:
            raise BudgetError(f"the latent projection has over {MAX_PAIRS:,} directed edges")
        for parent in parents[node]:
            below[parent] |= _landing(node, gone, reached)
            waiting[parent] -= 1
            if not waiting[parent]:
                ready.append(parent)
    return reached


def _landing(node: str, gone: frozenset[str], reached: dict[str, frozenset[str]]) -> frozenset[str]:
    """Where an arrow into `node` ends among the seen nodes."""
    return reached[node] if node in gone else frozenset((node,))
