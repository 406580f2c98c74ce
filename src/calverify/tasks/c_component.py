"""The maximal C-components (districts) of a graph: nodes joined by paths of bidirected edges."""

from calverify.graphs import Graph, c_components
from calverify.problem import Query
from calverify.tasks._member_tasks import member_parts
from calverify.tasks._set_tasks import SET_STATES
from calverify.tasks._task import Case, distinct_targets, task
from calverify.traces import NODE_SET

__all__ = ["is_a_district"]


def districts(graph: Graph, query: Query) -> list[frozenset[str]]:
    distinct_targets(query, graph.node_set, ())
    return list(c_components(graph))


@task(
    "c_component",
    aliases=("c_components", "district", "districts", "confounded_component"),
    **member_parts(NODE_SET, districts, lambda q: ("maximal C-component", "of this graph"), SET_STATES),
)
def is_a_district(nodes: frozenset[str], case: Case) -> bool:
    """The set is one of the parts into which bidirected edges join the nodes."""
    return nodes in case.state
