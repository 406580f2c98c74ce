"""Is M a child of X and a parent of Y?  CausalGraph2LLM's mediator: direct edges only."""

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks import _decisions as walks
from calverify.tasks._task import Case, distinct_targets, task

__all__ = ["mediates_directly"]


def prepare_direct(graph: Graph, query: Query) -> walks.WalkQuestion:
    """Targets are the source, the mediator asked about and the outcome, in this order."""
    stops = distinct_targets(query, graph.node_set, ("source", "mediator", "outcome"))
    return walks.WalkQuestion(graph, stops, direct=True)


@task(
    "direct_mediator",
    aliases=("sandwich", "direct_mediation", "immediate_mediator"),
    **walks.walk_parts(
        prepare_direct,
        lambda q: (
            f"Is {q.targets[1]} a direct mediator for {q.targets[0]} and {q.targets[2]}, that is, are "
            f"{q.targets[0]}->{q.targets[1]} and {q.targets[1]}->{q.targets[2]} both edges? Answer yes or no."
        ),
    ),
)
def mediates_directly(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when source -> mediator and mediator -> outcome are both edges."""
    return walks.is_the_truth(answer, case)
