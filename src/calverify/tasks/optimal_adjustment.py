"""The adjustment set of least asymptotic variance in linear models (Henckel, Perkovic, Maathuis 2022), on dags."""

from calverify.errors import GraphError, QueryError
from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks._single_sets import single_set_parts
from calverify.tasks._task import Case, distinct_targets, task
from calverify.tasks.adjustment import causal_nodes

__all__ = ["is_the_optimal_set"]


def optimal_set(graph: Graph, query: Query) -> frozenset[str]:
    """Parents of the causal nodes that are neither the treatment nor on or below a causal path."""
    treatment, outcome = distinct_targets(query, graph.node_set, ("treatment", "outcome"))
    if not graph.acyclic or graph.bidirected:
        raise GraphError(f"{query.task} is defined on dags, and this graph is of the class {graph.kind}")
    causal = causal_nodes(graph, treatment, outcome)
    if not causal:
        raise QueryError(f"{query.task}: {outcome} is no descendant of {treatment}, so there is no effect to estimate")
    return graph.parents(causal) - graph.descendants(causal) - {treatment}


@task(
    "optimal_adjustment",
    aliases=("optimal_adjustment_set", "o_set", "efficient_adjustment"),
    rules=("o_set", "optimal", "parents_of_causal_nodes", "adjustment", "efficient_adjustment", "set"),
    rule="o_set",
    **single_set_parts(
        optimal_set, lambda q: ("optimal adjustment set", "for the effect of {} on {}".format(*q.targets))
    ),
)
def is_the_optimal_set(answer: frozenset[str], case: Case) -> bool:
    """The set is the one that no valid adjustment set beats in asymptotic variance."""
    return bool(answer == case.state)
