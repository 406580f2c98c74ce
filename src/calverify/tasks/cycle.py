"""Find one simple directed cycle; any rotation, with or without the first node repeated at the end."""

from collections.abc import Iterator

from calverify.graphs import Graph, shortest_cycle, simple_cycles, topological_order
from calverify.names import first_repeat, listing
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.traces import CYCLE

__all__ = ["closes"]

Cycle = tuple[str, ...]


def prepare_cycle(graph: Graph, query: Query) -> frozenset[tuple[str, str]]:
    """The graph's arrows."""
    distinct_targets(query, graph.node_set, ())
    return graph.edge_set[0]


def all_cycles(case: Case) -> Iterator[Cycle]:
    """Every simple cycle, each in its canonical rotation."""
    return (CYCLE.read(list(cycle), case.names, "answer") for cycle in simple_cycles(case.formal))


def least_cycle(case: Case) -> Cycle | None:
    found = shortest_cycle(case.formal)
    return None if found is None else CYCLE.read(list(found), case.names, "answer")


def explain(cycle: Cycle, case: Case) -> Reason:
    """The first step that is no edge, or the node that stands twice; for a graph without a cycle, an order of it."""
    graph: Graph = case.formal
    shown = listing([*cycle, cycle[0]], " -> ")
    order = topological_order(graph)
    if order is not None:
        why = f"{shown} is no cycle: the graph has none, as the order {listing(order)} shows"
        return Reason(why, {"kind": "topological_order", "order": list(order)})
    twice = first_repeat(cycle)
    if twice is not None:
        return Reason(f"{shown} visits {twice} twice", {"kind": "repeated", "name": twice})
    for tail, head in _steps(cycle):
        if (tail, head) not in case.state:
            return Reason(f"{tail} -> {head} is not an edge of the graph", {"kind": "no_edge", "edge": [tail, head]})
    return Reason(f"{shown} is a directed cycle", {"kind": "cycle", "cycle": [*cycle, cycle[0]]})


def _steps(cycle: Cycle) -> Iterator[tuple[str, str]]:
    return zip(cycle, (*cycle[1:], cycle[0]), strict=True)


@task(
    "cycle",
    family="object",
    answer=CYCLE,
    formal=GRAPH_SLOT,
    prepare=prepare_cycle,
    solve=all_cycles,
    cheapest=least_cycle,
    explain=explain,
    noun=lambda q: ("cycle", "in this graph"),
    every=all_cycles,
    aliases=("find_cycle", "find_one_cycle", "directed_cycle", "cycle_detection", "find_directed_cycle"),
    rules=("follow_edges", "follow_edge", "trace_edges", "dfs", "depth_first_search", "cycle_detection", "find_cycle",
           "directed_cycle", "closed_walk", "back_edge", "edge", "edges", "path", "walk"),
    rule="follow_edges",
    states=("cycle", "path", "nodes", "walk", "sequence"),
)  # fmt: skip
def closes(cycle: Cycle, case: Case) -> bool:
    """Every consecutive edge exists, the sequence closes, and no node stands twice."""
    return len(set(cycle)) == len(cycle) and all(step in case.state for step in _steps(cycle))
