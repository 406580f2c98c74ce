"""Which nodes a graph has; undirected graphs can be asked too."""

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks._member_tasks import member_parts
from calverify.tasks._task import Case, distinct_targets, task
from calverify.traces import NODE

__all__ = ["is_node"]


def nodes(graph: Graph, query: Query) -> list[str]:
    distinct_targets(query, graph.node_set, ())
    return list(graph.nodes)


@task(
    "node",
    aliases=("nodes",),
    undirected=True,
    **member_parts(NODE, nodes, lambda q: ("node", "of this graph"), ("node", "nodes")),
)
def is_node(name: str, case: Case) -> bool:
    """The name is a node of the graph."""
    return name in case.state
