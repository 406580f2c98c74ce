"""The maximal root set of a graph, as CLEAR uses the word: all nodes without children."""

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks._single_sets import single_set_parts
from calverify.tasks._task import Case, distinct_targets, task

__all__ = ["is_the_root_set"]


def root_set(graph: Graph, query: Query) -> frozenset[str]:
    distinct_targets(query, graph.node_set, ())
    return frozenset(node for node in graph.nodes if not graph.children({node}))


@task(
    "maximal_root_set",
    aliases=("root_set", "roots"),
    rules=("root_set", "no_children", "childless", "sinks", "roots", "set"),
    rule="root_set",
    **single_set_parts(root_set, lambda q: ("maximal root set", "of this graph")),
)
def is_the_root_set(answer: frozenset[str], case: Case) -> bool:
    """The set holds exactly the nodes without children."""
    return bool(answer == case.state)
