"""Nodes with a directed path to the node, the node itself apart."""

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks._member_tasks import member_parts
from calverify.tasks._task import Case, distinct_targets, task
from calverify.traces import NODE

__all__ = ["is_ancestor"]


def ancestors(graph: Graph, query: Query) -> list[str]:
    (node,) = distinct_targets(query, graph.node_set, ("node",))
    return sorted(graph.strict_ancestors({node}) - {node})


@task(
    "ancestor",
    aliases=("ancestors", "ancestor_of", "ancestors_of"),
    **member_parts(
        NODE, ancestors, lambda q: ("ancestor", f"of node {q.targets[0]}"), ("node", "nodes", "set", "ancestors")
    ),
)
def is_ancestor(name: str, case: Case) -> bool:
    """The name is one of the node's ancestors."""
    return name in case.state
