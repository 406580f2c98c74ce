"""Graphs in GML, the Graph Modelling Language: `graph [ directed 1 node [ id 0 label "X" ] edge [ ... ] ]`.

Read: whole numbers or strings as ids, the label as the name (the id where there is none), entities such as &amp; in
strings, `#` comments, and `kind "bidirected"` on an edge, which is how `to_networkx` carries one through networkx.
Dropped: every other key, with whatever is nested in it.
Refused: an undirected graph, an id that is missing, used twice or unknown, a repeated edge, and `observed "no"`
(DoWhy's mark of a hidden node) unless the latent projection is asked for.
"""

import re
from html.entities import html5
from typing import Final, NamedTuple, NoReturn

from calverify.errors import GraphError
from calverify.formats._sketch import Sketch, says_hidden
from calverify.formats._tokens import Cursor, Token, shown
from calverify.graphs import Graph

__all__ = ["from_gml"]

TOKENS: Final = re.compile(
    r"""(?P<blank>\s++|\#[^\n]*+)"""
    r"""|(?P<number>[+-]?+(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++|(?!))?+)"""
    r"""|(?P<word>[+-]?+[A-Za-z][A-Za-z0-9_]*+)"""
    r"""|(?P<quoted>"[^"]*+")"""
    r"""|(?P<mark>[\[\]])"""
)
WHOLE: Final = re.compile(r"([+-]?+)0*+([0-9]*+)")
ENTITY: Final = re.compile(r"&(?:#([0-9]{1,7}+)|#[xX]([0-9A-Fa-f]{1,6}+)|([A-Za-z][A-Za-z0-9]{1,31}+));")
LAST_CHARACTER: Final = 0x10FFFF
KINDS: Final = {"directed": "->", "bidirected": "<->"}


class _Record(NamedTuple):
    """The scalars of one `node [...]` or `edge [...]`."""

    line: int
    values: dict[str, Token]


def _decoded(string: str) -> str:
    return ENTITY.sub(_entity, string[1:-1])


def _entity(found: re.Match[str]) -> str:
    decimal, hexadecimal, name = found.groups()
    if name:
        return html5.get(f"{name};", found[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if code <= LAST_CHARACTER else found[0]


def _refuse(line: int, why: str) -> NoReturn:
    raise GraphError(f"GML line {line}: {why}")


def from_gml(text: str, *, project_latents: bool = False) -> Graph:
    """The graph of a GML text; with `project_latents`, hidden nodes give way to bidirected edges."""
    header, nodes, edges = _records(Cursor(text, TOKENS, "GML"))
    sketch = Sketch("GML")
    names: dict[tuple[str, str], str] = {}
    for node in nodes:
        key = _id(node, "id", "node")
        if key in names:
            _refuse(node.line, f"two nodes have the id {shown(key[1])}")
        label = node.values.get("label")
        spelling = key[1] if label is None else _text(label)
        if sketch.known(spelling):
            _refuse(node.line, f"two nodes are called {shown(spelling)}")
        names[key] = sketch.node(spelling, node.line)
        if says_hidden({name: _text(value) for name, value in node.values.items() if name in ("observed", "latent")}):
            sketch.hide(names[key], node.line)
    ends = [(_end(edge, "source", names), _end(edge, "target", names)) for edge in edges]
    directed = header.values.get("directed")
    if directed is None or _text(directed) != "1":
        first = f", so edge {ends[0][0]} -- {ends[0][1]} has no direction" if ends else ""
        _refuse((directed or header).line, f"the graph is undirected{first}; expected directed 1")
    for edge, (source, target) in zip(edges, ends, strict=True):
        kind = edge.values.get("kind")
        mark = "->" if kind is None else KINDS.get(_text(kind))
        if mark is None:
            _refuse(edge.line, f"edge {source} -> {target} has another kind; expected one of {', '.join(KINDS)}")
        sketch.edge(source, mark, target, edge.line)
    return sketch.graph(project_latents=project_latents)


def _records(cursor: Cursor) -> tuple[_Record, list[_Record], list[_Record]]:
    """The scalars of the graph itself, of its nodes and of its edges."""
    graphs: list[_Record] = []
    nodes: list[_Record] = []
    edges: list[_Record] = []
    wanted = {("graph",): graphs, ("graph", "node"): nodes, ("graph", "edge"): edges}
    path: list[str] = []
    while cursor.next.kind != "end":
        if path and cursor.accept("]"):
            path.pop()
            continue
        key = cursor.take() if cursor.next.kind == "word" else cursor.refuse("a key or ']'" if path else "a key")
        if cursor.accept("["):
            path.append(key.text)
            if len(path) <= 2 and (kept := wanted.get(tuple(path))) is not None:
                kept.append(_Record(key.line, {}))
            continue
        if cursor.next.kind not in ("number", "quoted", "word"):
            cursor.refuse(f"a number, a string or '[' after the key {shown(key.text)}")
        value = cursor.take()
        record = wanted.get(tuple(path)) if len(path) <= 2 else None
        if record is not None and record[-1].values.setdefault(key.text, value) is not value:
            _refuse(key.line, f"the key {shown(key.text)} stands twice in one {path[-1]}")
    if path:
        cursor.refuse(f"']' to close {shown(path[-1])}")
    if len(graphs) != 1:
        cursor.refuse("one graph [...]")
    return graphs[0], nodes, edges


def _text(token: Token) -> str:
    return _decoded(token.text) if token.kind == "quoted" else token.text


def _id(record: _Record, key: str, what: str) -> tuple[str, str]:
    """A node's id as a value: 7, 07 and +7 are the same, "7" is another."""
    token = record.values.get(key)
    if token is None:
        _refuse(record.line, f"{what} without {key}; expected a whole number or a string")
    if token.kind == "quoted":
        return "string", _text(token)
    whole = WHOLE.fullmatch(token.text)
    if whole is None:
        _refuse(token.line, f"the {key} {shown(token.text)} of a {what}; expected a whole number or a string")
    sign, digits = whole.groups()
    return "number", ("-" if sign == "-" and digits else "") + (digits or "0")


def _end(edge: _Record, key: str, names: dict[tuple[str, str], str]) -> str:
    end = _id(edge, key, "edge")
    if end not in names:
        _refuse(edge.line, f"an edge whose {key} is {shown(end[1])}, which is not the id of a node")
    return names[end]
