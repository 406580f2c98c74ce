"""Is M a child of X and a parent of Y?  CausalGraph2LLM's mediator: direct edges only."""

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks import _decisions as walks
from calverify.tasks._graph_slot import GRAPH_SLOT
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.traces import WALK, YES_NO

__all__ = ["mediates_directly"]


def prepare_direct(graph: Graph, query: Query) -> walks.WalkQuestion:
    """Targets are the source, the mediator asked about and the outcome, in this order."""
    stops = distinct_targets(query, graph.node_set, ("source", "mediator", "outcome"))
    return walks.WalkQuestion(graph, stops, direct=True)


def explain(answer: str, case: Case) -> Reason:
    return walks.reason(case)


@task(
    "direct_mediator",
    family="decision",
    answer=YES_NO,
    formal=GRAPH_SLOT,
    prepare=prepare_direct,
    solve=walks.only_truth,
    cheapest=walks.truth,
    explain=explain,
    question=lambda q: (
        f"Is {q.targets[1]} a direct mediator for {q.targets[0]} and {q.targets[2]}, that is, are "
        f"{q.targets[0]}->{q.targets[1]} and {q.targets[1]}->{q.targets[2]} both edges? Answer yes or no."
    ),
    aliases=("sandwich", "direct_mediation", "immediate_mediator"),
    rules=walks.WALK_RULES,
    rule="directed_path",
    states=walks.WALK_STATES,
    witness=WALK,
    witness_fault=walks.walk_fault,
    witness_for=walks.walk_for,
)
def mediates_directly(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when source -> mediator and mediator -> outcome are both edges."""
    return walks.is_the_truth(answer, case)
