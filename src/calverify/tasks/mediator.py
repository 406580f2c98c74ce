"""Does M lie on a directed path from X to Y?  The paper's mediator: X ~> M ~> Y, with M neither end."""

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks import _decisions as walks
from calverify.tasks._graph_slot import require_acyclic
from calverify.tasks._task import Case, distinct_targets, task

__all__ = ["mediates"]


def prepare_mediator(graph: Graph, query: Query) -> walks.WalkQuestion:
    """Targets are the source, the mediator asked about and the outcome, in this order."""
    require_acyclic(graph, query.task)
    return walks.WalkQuestion(graph, distinct_targets(query, graph.node_set, ("source", "mediator", "outcome")))


@task(
    "mediator",
    aliases=("mediation", "is_mediator", "mediator_identification", "mediators"),
    **walks.walk_parts(
        prepare_mediator,
        lambda q: (
            f"Is {q.targets[1]} a mediator between {q.targets[0]} and {q.targets[2]}, that is, does a directed path "
            f"lead from {q.targets[0]} through {q.targets[1]} to {q.targets[2]}? Answer yes or no."
        ),
    ),
)
def mediates(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when a directed path leads from the source through the mediator to the outcome."""
    return walks.is_the_truth(answer, case)
