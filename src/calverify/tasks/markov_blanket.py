"""The Markov blanket of a node: parents, children and the children's other parents; in an admg, what colliders join."""

from calverify.graphs import Graph, markov_blanket
from calverify.problem import Query
from calverify.tasks._graph_slot import require_acyclic
from calverify.tasks._single_sets import single_set_parts
from calverify.tasks._task import Case, distinct_targets, task

__all__ = ["is_the_blanket"]


def blanket(graph: Graph, query: Query) -> frozenset[str]:
    require_acyclic(graph, query.task)
    (node,) = distinct_targets(query, graph.node_set, ("node",))
    return markov_blanket(graph, node)


@task(
    "markov_blanket",
    aliases=("blanket", "markov_boundary"),
    rules=("markov_blanket", "parents", "children", "spouses", "co_parents", "coparents", "d_separation", "set"),
    rule="markov_blanket",
    **single_set_parts(blanket, lambda q: ("markov blanket", f"of node {q.targets[0]}")),
)
def is_the_blanket(answer: frozenset[str], case: Case) -> bool:
    """The set is the least one that separates the node from all others."""
    return bool(answer == case.state)
