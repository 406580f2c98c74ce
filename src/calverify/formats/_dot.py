"""Graphs in the DOT language of Graphviz.

Read: `[strict] digraph [name] { ... }` with comments, quoted and joined strings, numerals, edge chains, groups, ports
and default attributes.  An edge's heads are what Graphviz draws:

    dir=forward (the default)   a -> b        dir=both      a <-> b
    dir=back                    a <- b        dir=none      refused: undirected

An `arrowhead` or `arrowtail` of `none` takes that head away, so causal-learn's `dir=both, arrowtail=none` is a -> b.  A
circle (`odot`) and an invisible edge (`style=invis`) are refused, naming the edge.

Dropped: ports, layout, labels.  Refused: `graph`, HTML strings as names, a subgraph opened twice, a repeated edge
outside `strict`, and `observed="no"` (DoWhy's mark of a hidden node) unless the latent projection is asked for.
"""

import re
from typing import Final

from calverify.errors import GraphError
from calverify.formats._sketch import Sketch, says_hidden
from calverify.formats._statements import Attributes, Block, Dialect
from calverify.formats._tokens import Cursor, Token
from calverify.graphs import Graph

__all__ = ["from_dot", "to_dot"]

# A word may hold any letter but ASCII punctuation, blanks of any script and the arrows of our own text format.
TOKENS: Final = re.compile(
    r"""(?P<blank>[ \t\r\n\f\v]++|//[^\n]*+|\#[^\n]*+|/\*(?:[^*]++|\*(?!/)|(?!))*+\*/)"""
    r"""|(?P<word>[^\x00-/0-9:-@\[-\^`{-\x7f\s→←↔⟶⟵⟷][^\x00-/:-@\[-\^`{-\x7f\s→←↔⟶⟵⟷]*+"""
    r"""|-?+(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?+)(?![^\x00-/:-@\[-\^`{-\x7f\s→←↔⟶⟵⟷]))"""
    r"""|(?P<quoted>"(?:[^"\\]++|\\[\s\S])*+")"""
    r"""|(?P<html><(?:[^<>]++|<[^<>]*+>|(?!))*+>)"""
    r"""|(?P<arrow>->|--)"""
    r"""|(?P<mark>[{}\[\]=,;:+])"""
)
ESCAPE: Final = re.compile(r'\\(?:["\\]|\r?+\n)')
PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+|[0-9]++")
UNSPELLABLE: Final = re.compile(r'\\(?:\r?+\n|"|\Z)')
PAIR: Final = re.compile(r"\\\\")
KEYWORDS: Final = frozenset({"strict", "graph", "digraph", "subgraph", "node", "edge"})
HEADS: Final = {"forward": (False, True), "back": (True, False), "both": (True, True), "none": (False, False)}


def _unquote(string: str) -> str:
    r"""DOT has two escapes in a string, \" and a line break; every other backslash stands for itself."""
    return ESCAPE.sub(lambda found: {'"': '"', "\\": "\\\\"}.get(found[0][1], ""), string[1:-1])


def _mark(arrow: str, attributes: Attributes, edge: str) -> str:
    if arrow == "--":
        raise GraphError(f"{edge} is undirected; expected 'digraph' and '->'")
    if "invis" in attributes.get("style", ""):
        raise GraphError(f"{edge} is invisible (style=invis): a line for the layout only; delete it or show it")
    said = attributes.get("dir", "forward")
    if said not in HEADS:
        raise GraphError(f"{edge} has dir={said!r}; expected one of {', '.join(HEADS)}")
    for end in ("arrowtail", "arrowhead"):
        if "dot" in attributes.get(end, ""):
            raise GraphError(f"{edge} ends in a circle ({end}={attributes[end]}), which no graph of ours has")
    tail, head = HEADS[said]
    tail = tail and attributes.get("arrowtail") != "none"
    head = head and attributes.get("arrowhead") != "none"
    if not (tail or head):
        raise GraphError(f"{edge} is drawn without a head, so it is undirected; expected a directed or bidirected edge")
    return "<->" if tail and head else "->" if head else "<-"


def _node(sketch: Sketch, name: Token, attributes: Attributes) -> None:
    clean = sketch.node(name.text, name.line)
    if says_hidden(attributes):
        sketch.hide(clean, name.line)


def _is_name(token: Token) -> bool:
    return token.kind == "quoted" or token.text.lower() not in KEYWORDS


DOT: Final = Dialect(
    format="DOT",
    unquote=_unquote,
    is_name=_is_name,
    edge_attributes=frozenset({"dir", "arrowhead", "arrowtail", "style"}),
    mark=_mark,
    node=_node,
    defaults=frozenset({"node", "edge", "graph"}),
    bare_keys=False,
)


def from_dot(text: str, *, project_latents: bool = False) -> Graph:
    """The graph of a DOT text; with `project_latents`, hidden nodes give way to bidirected edges."""
    cursor = Cursor(text, TOKENS, "DOT")
    strict = cursor.next.kind == "word" and cursor.next.text.lower() == "strict"
    if strict:
        cursor.take()
    header = cursor.next
    if header.kind != "word" or header.text.lower() not in ("digraph", "graph"):
        cursor.refuse("'digraph'")
    cursor.take()
    sketch = Sketch("DOT", merge=strict)
    block = Block(cursor, DOT, sketch)
    if not cursor.sees("{"):
        block.identifier("the name of the graph or '{'")
    cursor.expect("{")
    block.read()
    if cursor.next.kind != "end":
        cursor.refuse("the end of the text after the graph")
    if header.text.lower() == "graph":
        raise GraphError(f"DOT line {header.line}: a 'graph' is undirected; expected 'digraph'")
    return sketch.graph(project_latents=project_latents)


def to_dot(graph: Graph) -> str:
    """The graph as a DOT text that `from_dot` and Graphviz read; bidirected edges are dashed, with two heads."""
    graph.refuse_undirected("a DOT digraph")
    spelled = {node: _quoted(node) for node in graph.nodes}
    lines = [f"    {spelled[node]};" for node in graph.nodes]
    lines += [f"    {spelled[a]} -> {spelled[b]};" for a, b in graph.directed]
    lines += [f"    {spelled[a]} -> {spelled[b]} [dir=both, style=dashed];" for a, b in graph.bidirected]
    return "\n".join(["digraph {", *lines, "}", ""])


def _quoted(name: str) -> str:
    if PLAIN.fullmatch(name) and name.lower() not in KEYWORDS:
        return name
    if UNSPELLABLE.search(PAIR.sub("", name)):
        raise GraphError(f"DOT cannot spell the name {name!r}: a backslash before a quote, a line break or the end")
    return '"' + name.replace('"', '\\"') + '"'
