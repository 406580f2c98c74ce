"""A v-structure: A -> B <- C with no arrow between A and C; only arrows count, as in CLEAR."""

from calverify.graphs import Graph, unshielded_triples
from calverify.problem import Query
from calverify.tasks._best import within_budget
from calverify.tasks._member_tasks import member_parts
from calverify.tasks._task import Case, distinct_targets, task
from calverify.traces import NODE_SET

__all__ = ["is_v_structure"]


def v_structures(graph: Graph, query: Query) -> list[frozenset[str]]:
    """The three nodes of each A -> B <- C; which is in the middle follows from the graph."""
    distinct_targets(query, graph.node_set, ())
    return sorted(within_budget(query.task, unshielded_triples(graph, "parents", "parents")), key=sorted)


@task(
    "v_structure",
    aliases=("v_structures",),
    **member_parts(
        NODE_SET, v_structures, lambda q: ("v-structure", "of this graph"), ("nodes", "triple", "set", "v_structure")
    ),
)
def is_v_structure(nodes: frozenset[str], case: Case) -> bool:
    """The three nodes form A -> B <- C without an arrow between its ends."""
    return nodes in case.state
