"""Graphs in the model language of dagitty, the web page and the R package.

Read: `dag { ... }` and `digraph { ... }` with chains of -> <- <->, groups in braces, attributes, names in quotes or of
the characters A-Z a-z 0-9 _ . and statements set apart by a blank, a line break or ';'.  `dag` promises that there is
no directed cycle, and that is checked.

A node marked [latent] (or [l], [unobserved], [u]) is hidden: it is refused, unless the latent projection is asked for.
A node marked [selected] (or [s]) stands for selection, which no graph of ours carries: refused.
Dropped: [exposure], [outcome] and [adjusted], which belong to a query, the layout, labels and path coefficients.
Refused, naming the edge: undirected edges and the marks of unknown ends (-- @-> <-@ @-@ @-- --@); then the types that
hold such edges or read them in another way (graph, pdag, mag, pag).  dagitty calls no node "graph" or "node".
"""

import re
from typing import Final

from calverify.errors import GraphError
from calverify.formats._sketch import Sketch
from calverify.formats._statements import Attributes, Block, Dialect
from calverify.formats._tokens import Cursor, Token, shown
from calverify.graphs import Graph

__all__ = ["from_dagitty", "to_dagitty"]

TOKENS: Final = re.compile(
    r"""(?P<blank>[ \t\r\n]++|//[^\n]*+|\#[^\n]*+|/\*(?:[^*]++|\*(?!/)|(?!))*+\*/)"""
    r"""|(?P<arrow>@->|@-@|@--|<->|<-@|<-|->|--@|--)"""
    r"""|(?P<word>-?+[0-9A-Za-z_.]++)"""
    r"""|(?P<quoted>"(?:[^"\\\x00-\x1f\x7f]++|\\"|\\[\r\n]++|\\|(?!))*+")"""
    r"""|(?P<mark>[{}\[\]=,;+])"""
)
ESCAPE: Final = re.compile(r'\\(?:"|[\r\n]++)')
PLAIN: Final = re.compile(r"[0-9A-Za-z_.]++")
UNSPELLABLE: Final = re.compile(r"[\x00-\x1f\x7f]|\\\Z")
TYPES: Final = frozenset({"dag", "digraph", "graph", "pdag", "mag", "pag"})
KEYWORDS: Final = frozenset({*TYPES, "strict", "subgraph", "node", "edge"})
NO_NAMES: Final = frozenset({"graph", "node"})
LATENT: Final = ("latent", "l", "unobserved", "u")
SELECTED: Final = ("selected", "s")


def _unquote(string: str) -> str:
    return ESCAPE.sub(lambda found: '"' if found[0] == '\\"' else "", string[1:-1])


def _mark(arrow: str, attributes: Attributes, edge: str) -> str:
    if arrow in ("->", "<-", "<->"):
        return arrow
    why = "is undirected" if arrow == "--" else "has an end that is not known"
    raise GraphError(f"{edge} {why}; expected -> <- or <->")


def _node(sketch: Sketch, name: Token, attributes: Attributes) -> None:
    if any(key in attributes for key in SELECTED):
        raise GraphError(
            f"dagitty line {name.line}: node {shown(name.text)} is a selection node, which no graph of ours carries; "
            "expected a node without [selected]"
        )
    if any(key in attributes for key in LATENT):
        sketch.hide(sketch.node(name.text, name.line), name.line)


def _is_name(token: Token) -> bool:
    return token.text not in NO_NAMES and (token.kind == "quoted" or token.text.lower() != "subgraph")


DAGITTY: Final = Dialect(
    format="dagitty",
    unquote=_unquote,
    is_name=_is_name,
    edge_attributes=frozenset(),
    mark=_mark,
    node=_node,
    defaults=frozenset({"graph"}),
    bare_keys=True,
)


def from_dagitty(text: str, *, project_latents: bool = False) -> Graph:
    """The graph of a dagitty model; with `project_latents`, hidden nodes give way to bidirected edges."""
    cursor = Cursor(text, TOKENS, "dagitty")
    strict = cursor.next.kind == "word" and cursor.next.text.lower() == "strict"
    if strict:
        cursor.take()
    header = cursor.next
    kind = header.text.lower()
    if header.kind != "word" or kind not in TYPES:
        cursor.refuse("'dag'")
    cursor.take()
    sketch = Sketch("dagitty", merge=strict)
    block = Block(cursor, DAGITTY, sketch)
    if not cursor.sees("{"):
        block.identifier("the name of the model or '{'")
    cursor.expect("{")
    block.read()
    while cursor.accept(";"):
        pass
    if cursor.next.kind != "end":
        cursor.refuse("the end of the text after the model")
    if kind not in ("dag", "digraph"):
        raise GraphError(f"dagitty line {header.line}: the model is a {header.text}; expected a dag")
    return sketch.graph(project_latents=project_latents, acyclic=kind == "dag")


def to_dagitty(graph: Graph) -> str:
    """The graph as a dagitty model that `from_dagitty` and dagitty read; one with a directed cycle is a `digraph`."""
    graph.refuse_undirected("a dagitty dag")
    spelled = {node: _quoted(node) for node in graph.nodes}
    lines = [spelled[node] for node in graph.nodes]
    lines += [f"{spelled[a]} -> {spelled[b]}" for a, b in graph.directed]
    lines += [f"{spelled[a]} <-> {spelled[b]}" for a, b in graph.bidirected]
    return "\n".join(["dag {" if graph.acyclic else "digraph {", *lines, "}", ""])


def _quoted(name: str) -> str:
    if name in NO_NAMES:
        raise GraphError(f"dagitty has no node called {name!r}; rename it first")
    if PLAIN.fullmatch(name) and name.lower() not in KEYWORDS:
        return name
    if UNSPELLABLE.search(name):
        raise GraphError(f"dagitty cannot spell the name {name!r}: a control character, or a backslash at the end")
    return '"' + name.replace('"', '\\"') + '"'
