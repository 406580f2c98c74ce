"""After do(D), can X still reach Y?  Edges into D are removed, then directed reachability decides.

Two targets (X, Y) ask whether do(X) reaches Y; three (D, X, Y) ask about two other nodes after do(D), as
CausalGraph2LLM does.
"""

from calverify.errors import QueryError
from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks import _decisions as walks
from calverify.tasks._task import Case, distinct_targets, task

__all__ = ["still_reaches"]


def prepare_intervention(graph: Graph, query: Query) -> walks.WalkQuestion:
    """The question in the graph without edges into the intervention."""
    if len(query.targets) == 2:
        source, outcome = distinct_targets(query, graph.node_set, ("intervention", "outcome"))
        cut = source
    elif len(query.targets) == 3:
        cut, source, outcome = query.targets
        for name in query.targets:
            if name not in graph:
                raise QueryError(f"{query.task}: {name!r} is not in the graph ({', '.join(graph.nodes)})")
        if source == outcome:
            raise QueryError(f"{query.task}: source and outcome must be different nodes, not {source} twice")
    else:
        raise QueryError(
            f"{query.task} takes 2 targets (intervention, outcome) or 3 (intervention, source, outcome), not "
            f"{', '.join(query.targets) or 'none'}"
        )
    return walks.WalkQuestion(graph.without_edges_into({cut}), (source, outcome), cut=cut)


def question(query: Query) -> str:
    cut, source, outcome = query.targets if len(query.targets) == 3 else (query.targets[0], *query.targets)
    return (
        f"Suppose we intervene on {cut}, which removes every edge into it. Does a directed path still lead from "
        f"{source} to {outcome}? Answer yes or no."
    )


@task(
    "intervention",
    aliases=("intervention_reachability", "intervene", "do_reachability", "do", "interventional_reachability"),
    **walks.walk_parts(prepare_intervention, question),
)
def still_reaches(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when a directed path joins source and outcome once the intervention is cut off."""
    return walks.is_the_truth(answer, case)
