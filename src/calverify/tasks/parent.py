"""Nodes with an arrow into the node."""

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks._member_tasks import member_parts
from calverify.tasks._task import Case, distinct_targets, task
from calverify.traces import NODE

__all__ = ["is_parent"]


def parents(graph: Graph, query: Query) -> list[str]:
    (node,) = distinct_targets(query, graph.node_set, ("node",))
    return sorted(graph.parents({node}))


@task(
    "parent",
    aliases=("parents", "parent_of", "parents_of"),
    **member_parts(NODE, parents, lambda q: ("parent", f"of node {q.targets[0]}"), ("node", "nodes", "set", "parents")),
)
def is_parent(name: str, case: Case) -> bool:
    """The name is one of the node's parents."""
    return name in case.state
