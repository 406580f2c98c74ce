"""Find one valid backdoor adjustment set (Pearl 2009, Definition 3.3.1), strict, on dags and admgs."""

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

__all__ = ["blocks_every_backdoor"]


def prepare_backdoor(graph: Graph, query: Query) -> Separation:
    """Separation of the targets once arrows out of the treatment are cut, with the forbidden names left out."""
    require_acyclic(graph, query.task)
    treatment, outcome = distinct_targets(query, graph.node_set, ("treatment", "outcome"))
    forbidden = {treatment, outcome} | graph.strict_descendants({treatment})
    return Separation(graph, {treatment}, {outcome}, cut={treatment}, forbidden=forbidden)


def explain(adjustment: frozenset[str], case: Case) -> Reason:
    """The first clause that fails: unknown, an endpoint, a descendant, an open path; or the proof that none does."""
    treatment, outcome = case.query.targets
    if unknown := unknown_names(adjustment, case):
        return unknown
    if itself := endpoint_in(adjustment, treatment, outcome):
        return itself
    graph: Graph = case.formal
    for name in sorted(adjustment & graph.strict_descendants({treatment})):
        path = directed_path(graph, {treatment}, {name}) or ()
        why = f"{name} is a descendant of {treatment}: {' -> '.join(path)}"
        return Reason(why, {"kind": "descendant", "path": list(path)})
    where = f" once arrows out of {treatment} are cut"
    reason = separation_reason(case.state.graph, treatment, outcome, adjustment, where)
    if not case.holds(adjustment):
        return reason
    why = f"{names_text(adjustment)} blocks every backdoor path from {treatment} to {outcome}"
    return Reason(f"{why} and holds no descendant of {treatment}", reason.witness)


@task(
    "backdoor",
    family="object",
    answer=NODE_SET,
    formal=GRAPH_SLOT,
    prepare=prepare_backdoor,
    solve=minimal_sets,
    cheapest=smallest_set,
    explain=explain,
    noun=lambda q: ("valid backdoor adjustment set", "for treatment {} and outcome {}".format(*q.targets)),
    between=separator_between,
    aliases=("backdoor_adjustment_set", "backdoor_adjustment", "backdoor_set", "backdoor_nodeset", "backdoor_criterion",
             "find_backdoor_adjustment_set", "back door", "back door adjustment", "back door adjustment set"),
    rules=SET_RULES,
    rule="backdoor_criterion",
    states=SET_STATES,
)  # fmt: skip
def blocks_every_backdoor(adjustment: frozenset[str], case: Case) -> bool:
    """No treatment, outcome or descendant of the treatment, and separation once arrows out of the treatment are cut."""
    separation: Separation = case.state
    return separation.admits(adjustment)
