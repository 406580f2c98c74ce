"""Find another dag of the same Markov equivalence class: same skeleton, same v-structures (Verma and Pearl 1990)."""

from collections.abc import Iterator
from itertools import islice

from calverify.errors import GraphError
from calverify.graphs import Graph, skeleton, v_structure_apart
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.traces import GRAPH

__all__ = ["is_another_member", "members"]


def prepare_class(graph: Graph, query: Query) -> Graph:
    distinct_targets(query, graph.node_set, ())
    if not graph.acyclic or graph.bidirected:
        raise GraphError(f"{query.task} needs a dag, and this graph is of the class {graph.kind}")
    return graph


def neighbours(graph: Graph) -> Iterator[Graph]:
    """The members one covered edge away: X -> Y turns when Y's other parents are X's (Chickering 1995)."""
    for tail, head in graph.directed:
        if graph.parents({head}) - {tail} == graph.parents({tail}):
            turned = [(head, tail) if edge == (tail, head) else edge for edge in graph.directed]
            yield Graph(graph.nodes, turned)


def members(graph: Graph) -> Iterator[Graph]:
    """Every dag of the graph's class, itself first, then nearest first."""
    yield graph
    seen = {graph}
    queue = [graph]
    for member in queue:  # grows while we walk it
        for other in neighbours(member):
            if other not in seen:
                seen.add(other)
                queue.append(other)
                yield other


def other_members(case: Case) -> Iterator[Graph]:
    """Every other dag of the class, nearest first."""
    return islice(members(case.formal), 1, None)


def explain(other: Graph, case: Case) -> Reason:
    graph: Graph = case.formal
    if other.node_set != graph.node_set or other.kind != "dag":
        why = "it is no dag" if other.kind != "dag" else "its nodes are not the graph's"
        return Reason(why, {"kind": "graph", "class": other.kind, "nodes": sorted(other.node_set ^ graph.node_set)})
    for pair in sorted(map(sorted, skeleton(other) ^ skeleton(graph))):
        where = "the given graph" if frozenset(pair) in skeleton(graph) else "it"
        return Reason(f"only {where} joins {pair[0]} and {pair[1]}", {"kind": "skeleton", "pair": pair})
    apart = v_structure_apart(other, graph)
    if apart is not None:
        left, middle, right, its = apart
        return Reason(
            f"only {'it' if its else 'the given graph'} has the v-structure {left} -> {middle} <- {right}",
            {"kind": "v_structure", "triple": [left, middle, right]},
        )
    if other == graph:
        return Reason("it is the given graph itself", {"kind": "same"})
    return Reason("it has the same skeleton and the same v-structures", {"kind": "equivalent"})


@task(
    "markov_equivalent",
    family="object",
    answer=GRAPH,
    formal=GRAPH_SLOT,
    prepare=prepare_class,
    solve=other_members,
    every=other_members,
    cheapest=lambda case: next(other_members(case), None),
    explain=explain,
    noun=lambda q: ("other graph", "of the same Markov equivalence class as the given graph"),
    aliases=("markov_equivalence", "mec", "equivalent_graph", "markov_equivalent_class"),
    rules=(
        "reverse_edge",
        "covered_edge",
        "reverse_covered_edge",
        "skeleton",
        "v_structures",
        "same_skeleton",
        "flip_edge",
    ),
    rule="covered_edge",
    states=("graph", "dag"),
)
def is_another_member(other: Graph, case: Case) -> bool:
    """A dag on the same nodes with the same skeleton and v-structures, and not the given graph."""
    graph: Graph = case.formal
    if other.kind != "dag" or other == graph or other.node_set != graph.node_set:
        return False
    return skeleton(other) == skeleton(graph) and v_structure_apart(other, graph) is None
