"""An unshielded chain: A -> B -> C with no arrow between A and C; only arrows count, as in CLEAR."""

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks._member_tasks import member_parts
from calverify.tasks._task import Case, distinct_targets, task
from calverify.traces import NODE_SET

__all__ = ["is_chain"]


def chains(graph: Graph, query: Query) -> list[frozenset[str]]:
    """The three nodes of each A -> B -> C; which is in the middle follows from the graph."""
    distinct_targets(query, graph.node_set, ())
    joined = frozenset(frozenset(edge) for edge in graph.directed)
    found = {
        frozenset((left, middle, right))
        for middle in graph.nodes
        for left in graph.parents({middle})
        for right in graph.children({middle})
        if left != right and frozenset((left, right)) not in joined
    }
    return sorted(found, key=sorted)


@task(
    "chain",
    aliases=("chains",),
    **member_parts(NODE_SET, chains, lambda q: ("chain", "of this graph"), ("nodes", "triple", "set", "chain")),
)
def is_chain(nodes: frozenset[str], case: Case) -> bool:
    """The three nodes form A -> B -> C without an arrow between its ends."""
    return nodes in case.state
