"""Answers made of graph: paths, edges, whole graphs."""

from typing import Any

from calverify.errors import GraphError
from calverify.graphs import Graph, Path
from calverify.names import brief
from calverify.traces._answer_type import AnswerType, Names, Unreadable, json_value, read_name, short, unwrap

__all__ = ["EDGE", "GRAPH", "PATH", "graph_of_slot"]

MARKS = {"->", "<-", "<->"}
EDGE_MARKS = ("->", "<-", "<->", "--")
TypedEdge = tuple[str, str, str]  # left, mark, right
GRAPH_FIELDS = frozenset({"nodes", "edges", "directed", "bidirected", "undirected", "class"})


def _read_path(value: Any, names: Names) -> Path:
    if type(value) is str and type(stated := json_value(unwrap(value))) is list:
        value = stated
    try:
        if type(value) is list and len(value) > 1 and set(value[1::2]) <= MARKS:
            return Path(tuple(map(read_name, value[::2])), tuple(value[1::2]))
        if type(value) is list and value:
            return Path.parse(" ".join(value))
        if type(value) is str:
            return Path.parse(unwrap(value))
    except (GraphError, TypeError) as error:
        raise Unreadable(short(error)) from None
    raise Unreadable(f"{brief(value)} is not a path")


def _path_json(path: Path) -> str | list[str]:
    """ "A -> B <- C", or its parts one by one where emphasis marks would be lost from a name."""
    chain = str(path)
    return chain if unwrap(chain) == chain else _alternating(path)


def _alternating(path: Path) -> list[str]:
    """["A", "->", "B"]: a path whose names a chain cannot spell."""
    return [path.nodes[0], *(part for step in zip(path.arrows, path.nodes[1:], strict=True) for part in step)]


def graph_of_slot(value: Any) -> Graph:
    """The graph of {"nodes", "edges", "bidirected"}; raises `GraphError` saying what is wrong with it."""
    if type(value) is not dict:
        raise GraphError(f"a graph is an object with nodes and edges, not {brief(value)}")
    extra = value.keys() - GRAPH_FIELDS
    if extra:
        raise GraphError(f"unknown field {brief(min(extra))}; a graph has nodes, edges and bidirected")
    if "edges" in value and "directed" in value:
        raise GraphError("the edges are stated twice, as edges and as directed")
    nodes = _list_of("nodes", value.get("nodes"))
    edges = _list_of("edges", value.get("edges", value.get("directed")))
    arcs = _list_of("bidirected", value.get("bidirected", []))
    lines = _list_of("undirected", value.get("undirected", []))
    for pair in [*edges, *arcs, *lines]:
        if type(pair) is not list:
            raise GraphError(f"an edge must be a pair of names, not {brief(pair)}")
    return Graph(nodes, edges, arcs, value.get("class"), lines)


def _list_of(field: str, part: Any) -> list[Any]:
    if type(part) is not list:
        raise GraphError(f"{field} must be a list, not {brief(part)}" if part is not None else f"no field {field!r}")
    return part


def _read_graph(value: Any, names: Names) -> Graph:
    if type(value) is str and type(stated := json_value(unwrap(value))) is dict:
        value = stated
    if type(value) is str and not unwrap(value):
        raise Unreadable("the answer is empty")
    try:
        return Graph.parse(unwrap(value)) if type(value) is str else graph_of_slot(value)
    except GraphError as error:
        raise Unreadable(short(error)) from None


def _graph_json(graph: Graph) -> dict[str, list[Any]]:
    """The graph with everything in order, so that one graph has one record."""
    directed, bidirected = graph.edge_set
    record: dict[str, list[Any]] = {"nodes": sorted(graph.nodes), "edges": sorted(map(list, directed))}
    record["bidirected"] = sorted(map(list, bidirected))
    return {**record, "undirected": sorted(map(list, graph.undirected_set))} if graph.undirected else record


def _read_edge(value: Any, names: Names) -> TypedEdge:
    """(left, mark, right) of one edge: "A->B", "A<->B", "A--B" or "A-B"; without a direction, the names in order."""
    if type(value) is str and type(stated := json_value(unwrap(value))) is list:
        value = stated
    if type(value) is list and len(value) == 2:
        return _typed_edge(value[0], "->", value[1])
    if type(value) is list and len(value) == 3 and value[1] in EDGE_MARKS:
        return _typed_edge(*value)
    if type(value) is not str:
        raise Unreadable(f"{brief(value)} is not an edge")
    text = unwrap(value)
    left, _, right = text.partition("-")
    if text.count("-") == 1 and left.strip() in names and right.strip() in names:
        text = f"{left}--{right}"  # "A-B", where A-B is not itself a name in quotes
    try:
        graph = Graph.parse(text)
    except GraphError as error:
        raise Unreadable(str(error)) from None
    marked = (("->", graph.directed), ("<->", graph.edge_set[1]), ("--", graph.undirected_set))
    found = [(a, mark, b) for mark, edges in marked for a, b in edges]
    if len(found) != 1 or len(graph.nodes) != 2:
        raise Unreadable(f"{brief(text)} is not one edge")
    return found[0]


def _typed_edge(one: Any, mark: str, other: Any) -> TypedEdge:
    left, right = read_name(one), read_name(other)
    if left == right:
        raise Unreadable(f"{left} {mark} {right} is a self-loop")
    if mark == "<-" or (mark != "->" and right < left):
        left, right = right, left
    return left, "->" if mark == "<-" else mark, right


def _edge_text(edge: TypedEdge) -> str:
    left, mark, right = edge
    pair = [(left, right)]
    return str(Graph((left, right), pair * (mark == "->"), pair * (mark == "<->"), None, pair * (mark == "--")))


def _edge_json(edge: TypedEdge) -> str | list[str]:
    """ "A -> B", or its parts one by one where emphasis marks would be lost from a name."""
    text = _edge_text(edge)
    return text if unwrap(text) == text else list(edge)


EDGE = AnswerType("edge", _read_edge, _edge_json, _edge_text, list)
PATH = AnswerType("path", _read_path, _path_json, str, _alternating)
GRAPH = AnswerType("graph", _read_graph, _graph_json, str)
