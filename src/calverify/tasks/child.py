"""Nodes that an arrow leads to from the node."""

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks._member_tasks import member_parts
from calverify.tasks._task import Case, distinct_targets, task
from calverify.traces import NODE

__all__ = ["is_child"]


def children(graph: Graph, query: Query) -> list[str]:
    (node,) = distinct_targets(query, graph.node_set, ("node",))
    return sorted(graph.children({node}))


@task(
    "child",
    aliases=("children", "child_of", "children_of"),
    **member_parts(
        NODE, children, lambda q: ("child", f"of node {q.targets[0]}"), ("node", "nodes", "set", "children")
    ),
)
def is_child(name: str, case: Case) -> bool:
    """The name is one of the node's children."""
    return name in case.state
