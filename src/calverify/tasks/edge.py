"""Which edges a graph has, by type; undirected graphs can be asked too."""

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks._member_tasks import member_parts
from calverify.tasks._task import Case, distinct_targets, task
from calverify.traces import EDGE

__all__ = ["is_edge"]

Edge = tuple[str, str, str]


def edges(graph: Graph, query: Query) -> list[Edge]:
    """Every edge as (left, mark, right), one without a direction with its names in order."""
    distinct_targets(query, graph.node_set, ())
    typed = (("->", graph.edge_set[0]), ("<->", graph.edge_set[1]), ("--", graph.undirected_set))
    return [(left, mark, right) for mark, pairs in typed for left, right in sorted(pairs)]


@task(
    "edge",
    aliases=("edges",),
    undirected=True,
    **member_parts(EDGE, edges, lambda q: ("edge", "of this graph"), ("edge", "edges")),
)
def is_edge(edge: Edge, case: Case) -> bool:
    """The edge, with its type and direction, is in the graph."""
    return edge in case.state
