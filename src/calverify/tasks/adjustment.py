"""Find one adjustment set, by the complete generalised criterion (Shpitser et al. 2010; Perkovic et al. 2018).

Unlike `backdoor`, it accepts descendants of the treatment that lie on no causal path and below none.
"""

from calverify.graphs import Graph, Separation, directed_path
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT, require_acyclic
from calverify.tasks._set_tasks import (
    SET_RULES,
    SET_STATES,
    endpoint_in,
    minimal_sets,
    names_text,
    separation_reason,
    separator_between,
    smallest_set,
    unknown_names,
)
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.traces import NODE_SET

__all__ = ["adjusts", "causal_nodes"]


def causal_nodes(graph: Graph, treatment: str, outcome: str) -> frozenset[str]:
    """Nodes on directed paths from treatment to outcome, the treatment apart."""
    return graph.strict_descendants({treatment}) & graph.ancestors({outcome})


def prepare_adjustment(graph: Graph, query: Query) -> Separation:
    """Separation once the first edge of every causal path is cut, without descendants of nodes on such paths."""
    require_acyclic(graph, query.task)
    treatment, outcome = distinct_targets(query, graph.node_set, ("treatment", "outcome"))
    causal = causal_nodes(graph, treatment, outcome)
    kept = [edge for edge in graph.directed if not (edge[0] == treatment and edge[1] in causal)]
    forbidden = {treatment, outcome} | graph.descendants(causal)
    return Separation(Graph(graph.nodes, kept, graph.bidirected), {treatment}, {outcome}, forbidden=forbidden)


def explain(adjustment: frozenset[str], case: Case) -> Reason:
    treatment, outcome = case.query.targets
    graph: Graph = case.formal
    if unknown := unknown_names(adjustment, case):
        return unknown
    if itself := endpoint_in(adjustment, treatment, outcome):
        return itself
    causal = causal_nodes(graph, treatment, outcome)
    for name in sorted(adjustment & case.state.forbidden):
        below = directed_path(graph, causal, {name}) or ()
        path = [*(directed_path(graph, {treatment}, {below[0]}) or ()), *below[1:]]
        why = f"{name} lies on or below a causal path: {' -> '.join(path)}"
        onward = directed_path(graph, {below[0]}, {outcome}) or ()
        return Reason(why, {"kind": "descendant", "path": path, "onward": list(onward)})
    where = f" once the causal paths from {treatment} are cut"
    reason = separation_reason(case.state.graph, treatment, outcome, adjustment, where)
    if not case.holds(adjustment):
        return reason
    why = f"{names_text(adjustment)} blocks every non-causal path from {treatment} to {outcome}"
    return Reason(f"{why} and nothing on or below a causal one", reason.witness)


@task(
    "adjustment",
    family="object",
    answer=NODE_SET,
    formal=GRAPH_SLOT,
    prepare=prepare_adjustment,
    solve=minimal_sets,
    cheapest=smallest_set,
    between=separator_between,
    explain=explain,
    noun=lambda q: ("valid adjustment set", "for the effect of {} on {}".format(*q.targets)),
    aliases=("adjustment_set", "valid_adjustment_set", "generalized_adjustment", "generalised_adjustment"),
    rules=SET_RULES,
    rule="adjustment",
    states=SET_STATES,
)
def adjusts(adjustment: frozenset[str], case: Case) -> bool:
    """No node on or below a causal path, and every non-causal path is blocked."""
    separation: Separation = case.state
    return separation.admits(adjustment)
