"""Find one set that separates two nodes: d-separation on dags, m-separation on admgs (Richardson 2003)."""

from calverify.graphs import Graph, Separation
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT, require_acyclic
from calverify.tasks._set_tasks import (
    SET_RULES,
    SET_STATES,
    minimal_sets,
    separation_reason,
    separator_between,
    smallest_set,
    unknown_names,
)
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.traces import NODE_SET

__all__ = ["separates"]


def prepare_separation(graph: Graph, query: Query) -> Separation:
    """Separation of the two targets, which may not be in the set themselves."""
    require_acyclic(graph, query.task)
    left, right = distinct_targets(query, graph.node_set, ("one node", "the other"))
    return Separation(graph, {left}, {right}, forbidden={left, right})


def explain(given: frozenset[str], case: Case) -> Reason:
    left, right = case.query.targets
    if unknown := unknown_names(given, case):
        return unknown
    for name in (left, right):
        if name in given:
            return Reason(
                f"{name} is one of the two nodes to separate", {"kind": "endpoint", "role": "end", "name": name}
            )
    return separation_reason(case.formal, left, right, given)


@task(
    "d_separation",
    family="object",
    answer=NODE_SET,
    formal=GRAPH_SLOT,
    prepare=prepare_separation,
    solve=minimal_sets,
    cheapest=smallest_set,
    explain=explain,
    noun=lambda q: ("valid nodeset", "that can d-separate node {} and node {}".format(*q.targets)),
    between=separator_between,
    aliases=("d_separation_nodeset", "d_separation_set", "dseparation", "d_sep", "dsep", "m_separation", "m_sep",
             "m_separation_nodeset", "conditional_independence", "separating_set", "separation"),
    rules=SET_RULES,
    rule="node_insertion",
    states=SET_STATES,
    ordered=False,
)  # fmt: skip
def separates(given: frozenset[str], case: Case) -> bool:
    """The set holds neither node and blocks every path between them."""
    separation: Separation = case.state
    return separation.admits(given)
