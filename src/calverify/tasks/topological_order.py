"""Find one ordering of all nodes with every parent before its children."""

from collections.abc import Iterator

from calverify.graphs import Graph, topological_order, topological_orders, violates_order
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT, require_acyclic
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.traces import ORDERING

__all__ = ["puts_parents_first"]

Order = tuple[str, ...]


def prepare_order(graph: Graph, query: Query) -> Graph:
    require_acyclic(graph, query.task)
    distinct_targets(query, graph.node_set, ())
    return graph


def every_order(case: Case) -> Iterator[Order]:
    return topological_orders(case.formal)


def explain(order: Order, case: Case) -> Reason:
    missing, foreign = sorted(case.names - set(order)), sorted(set(order) - case.names)
    if missing or foreign:
        why = f"{missing[0]} is left out" if missing else f"{foreign[0]} is not a node of the graph"
        return Reason(why, {"kind": "names", "missing": missing, "unknown": foreign})
    late = violates_order(case.formal, order)
    if late is not None:
        return Reason(f"{late[1]} stands before its parent {late[0]}", {"kind": "late_parent", "edge": list(late)})
    return Reason("every parent stands before its children", {"kind": "topological_order", "order": list(order)})


@task(
    "topological_order",
    family="object",
    answer=ORDERING,
    formal=GRAPH_SLOT,
    prepare=prepare_order,
    solve=every_order,
    every=every_order,
    cheapest=lambda case: topological_order(case.formal),
    explain=explain,
    noun=lambda q: ("valid topological ordering", "of the graph"),
    aliases=("topological", "topological_ordering", "topological_sort", "causal_order"),
    rules=("topological_sort", "kahn", "dfs", "sort", "order", "remove_roots", "remove_sources", "parents_first"),
    rule="topological_sort",
    states=("order", "ordering", "sequence", "nodes"),
)
def puts_parents_first(order: Order, case: Case) -> bool:
    """Every node stands in the ordering once, and no child before a parent of it."""
    return frozenset(order) == case.names and violates_order(case.formal, order) is None
