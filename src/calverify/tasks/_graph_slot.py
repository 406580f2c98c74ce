"""Graphs as a trace states them: the supplied graph repeated, or a graph of the trace's own."""

from typing import Any

from calverify.errors import BudgetError, GraphError
from calverify.graphs import Graph
from calverify.names import listing
from calverify.problem import Problem
from calverify.traces import graph_of_slot

__all__ = ["GRAPH_SLOT", "class_phrase", "require_acyclic"]

MAX_OWN_NODES = 1_500  # some questions take time by the square of them
NO_ARCS: list[Any] = []
CLASSES = {
    "dag": "a directed acyclic graph (DAG)",
    "admg": "an acyclic directed mixed graph (ADMG)",
    "directed": "a directed graph",
    "undirected": "an undirected graph",
}


def class_phrase(kind: str | None) -> str:
    return CLASSES.get(kind or "dag", "a graph")


class GraphSlot:
    """The `Formal` of every graph task."""

    noun = "a graph"

    def schema(self, formal: Graph | None) -> str:
        kind = formal.kind if formal is not None else ""
        extra = {"admg": "bidirected", "undirected": "undirected"}.get(kind)
        arcs = f',"{extra}":[["A","C"],...]' if extra else ""
        return f'{{"nodes":[...],"edges":[["A","B"],...]{arcs}}}'

    def supplied(self, problem: Problem) -> Graph | None:
        return problem.graph

    def names(self, formal: Graph) -> frozenset[str]:
        return formal.node_set

    def mismatch(self, value: Any, formal: Graph) -> str | None:
        """Compared as written first, because nearly every trace repeats the graph letter by letter."""
        why = "" if value == formal.written else _as_written(value, formal)
        if why is not None:
            return why or None
        try:
            stated = graph_of_slot(value)
        except (GraphError, BudgetError) as error:
            return str(error)
        return None if stated == formal else _difference(stated, formal)

    def construct(self, value: Any, problem: Problem) -> Graph:
        legend = frozenset(problem.legend)
        try:
            graph = graph_of_slot(value)
        except BudgetError as error:
            if legend:  # then most of these nodes are not in it
                raise GraphError(str(error)) from None
            raise
        if not legend and len(graph.nodes) > MAX_OWN_NODES:
            raise BudgetError(f"the trace's own graph has {len(graph.nodes):,} nodes; the limit is {MAX_OWN_NODES:,}")
        if legend and not graph.node_set <= legend:
            raise GraphError(f"{min(graph.node_set - legend)} is not in the legend")
        if problem.graph_class is not None and graph.kind != problem.graph_class:
            graph = Graph(graph.nodes, graph.directed, graph.bidirected, problem.graph_class)
        for target in problem.query.target_names:
            if target not in graph:
                raise GraphError(f"the target {target} is not among the nodes")
        return graph

    def show(self, formal: Graph) -> dict[str, Any]:
        return formal.written

    def given(self, formal: Graph | None, problem: Problem) -> str:
        if formal is not None:
            return f"{class_phrase(formal.kind)} and a question about its causal structure"
        return f"a text that describes {class_phrase(problem.graph_class)}, and a question about its causal structure"

    def facts(self, formal: Graph) -> list[str]:
        lines = [
            f"Graph nodes: {', '.join(formal.nodes)}",
            f"Directed edges: {', '.join(f'{a}->{b}' for a, b in formal.directed) or 'none'}",
        ]
        if formal.bidirected:
            lines.append(f"Bidirected edges: {', '.join(f'{a}<->{b}' for a, b in formal.bidirected)}")
        if formal.undirected:
            lines[1:] = [f"Undirected edges: {', '.join(f'{a}--{b}' for a, b in formal.undirected)}"]
        return lines


def _as_written(value: Any, graph: Graph) -> str | None:
    """ "" for a statement of the same nodes and edges in any order, else the first edge that differs.

    Looks only at statements spelled by the book; None means that `_difference` has to take a closer look.
    """
    try:
        nodes, edges, arcs = value["nodes"], value["edges"], value.get("bidirected", NO_ARCS)
        if len(value) != 2 + ("bidirected" in value) or len(nodes) != len(graph.nodes):
            return None
        if not {list} >= {type(nodes), type(edges), type(arcs), *map(type, edges), *map(type, arcs)}:
            return None
        directed = frozenset([(a, b) for a, b in edges])
        stated = directed, frozenset([(a, b) if a < b else (b, a) for a, b in arcs])
        if frozenset(nodes) != graph.node_set or (len(directed), len(stated[1])) != (len(edges), len(arcs)):
            return None
        if stated == graph.edge_set:
            return ""
        known = graph.node_set
        if arcs or any(a == b or a not in known or b not in known for a, b in directed):
            return None  # beside arcs, a cycle would be another fault
    except (TypeError, ValueError, LookupError, AttributeError):
        return None
    return _edge_difference(stated, graph)


def _edge_difference(stated: Any, graph: Graph) -> str | None:
    for arrow, ours, theirs in zip(("->", "<->"), graph.edge_set, stated, strict=True):
        for a, b in sorted(theirs - ours):
            return f"the edge {a} {arrow} {b} is not in the graph"
        for a, b in sorted(ours - theirs):
            return f"the edge {a} {arrow} {b} is left out"
    return None


def _difference(stated: Graph, graph: Graph) -> str:
    """The first node or edge in which a stated graph differs from the supplied one."""
    for name in sorted(stated.node_set ^ graph.node_set):
        return f"the node {name} is {'not in the graph' if name in stated else 'left out'}"
    for a, b in sorted(stated.undirected_set ^ graph.undirected_set):
        return f"the edge {a} -- {b} is {'not in the graph' if (a, b) in stated.undirected_set else 'left out'}"
    why = _edge_difference(stated.edge_set, graph)
    assert why is not None, "equal graphs do not differ"
    return why


def require_acyclic(graph: Graph, name: str) -> None:
    if not graph.acyclic:
        cycle = graph.some_cycle()
        raise GraphError(f"{name} needs an acyclic graph, and this one has the directed cycle {listing(cycle, ' -> ')}")


GRAPH_SLOT = GraphSlot()
