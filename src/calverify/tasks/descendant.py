"""Nodes that a directed path leads to from the node, the node itself apart."""

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks._member_tasks import member_parts
from calverify.tasks._task import Case, distinct_targets, task
from calverify.traces import NODE

__all__ = ["is_descendant"]


def descendants(graph: Graph, query: Query) -> list[str]:
    (node,) = distinct_targets(query, graph.node_set, ("node",))
    return sorted(graph.strict_descendants({node}) - {node})


@task(
    "descendant",
    aliases=("descendants", "descendant_of", "descendants_of"),
    **member_parts(
        NODE, descendants, lambda q: ("descendant", f"of node {q.targets[0]}"), ("node", "nodes", "set", "descendants")
    ),
)
def is_descendant(name: str, case: Case) -> bool:
    """The name is one of the node's descendants."""
    return name in case.state
