"""Graphs and paths as people type them: "U -> X <- V, A <-> B, P".

A chain is names joined by arrows (or by --, an undirected edge); a comma, a semicolon or a line break ends it.
A name with blanks, commas or arrows in it is written in double quotes, and a double quote inside them is written
twice.  Arrows may be Unicode.
"""

import re
from collections.abc import Iterable

from calverify.errors import GraphError
from calverify.names import NameFault, brief, clean_name

__all__ = ["MARKS", "quoted", "read_arrows", "read_chain", "write_arrows"]

Pair = Iterable[tuple[str, str]]
Pairs = list[tuple[str, str]]

MARKS = ("->", "<-", "<->")
TOKEN = re.compile(r'"((?:[^"]|"")++)"|(<->|->|<-|--(?!>)|↔|→|←|⟶|⟵|⟷)|([,;\n]++)|([ \t\r]++)')
UNICODE = {"→": "->", "←": "<-", "↔": "<->", "⟶": "->", "⟵": "<-", "⟷": "<->"}
PLAIN = re.compile(r'[^\s,;"<>→←↔⟶⟵⟷]++')


def _tokens(text: str) -> list[tuple[str, str, int]]:
    """(kind, value, position) of every name, arrow and end of chain in the text."""
    tokens: list[tuple[str, str, int]] = []
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            name, end = _plain_name(text, at)
            tokens.append(("name", _name(name, at), at))
            at = end
            continue
        quoted_name, arrow, stop, _ = found.groups()
        if quoted_name:
            tokens.append(("name", _name(quoted_name.replace('""', '"'), at), at))
        elif arrow:
            tokens.append(("arrow", UNICODE.get(arrow, arrow), at))
        elif stop:
            tokens.append(("end", stop, at))
        at = found.end()
    return tokens


def _name(text: str, at: int) -> str:
    try:
        return clean_name(text)
    except NameFault as fault:
        raise GraphError(f"at character {at + 1} of the graph, {fault}") from None


def _plain_name(text: str, at: int) -> tuple[str, int]:
    """The unquoted name that starts at `at`, up to a blank, a separator or an arrow."""
    found = PLAIN.match(text, at)
    if found is None:
        raise GraphError(f"unexpected {text[at]!r} at character {at + 1} of the graph; the edges are -> <- <-> --")
    end = found.end()
    name = found[0]
    line = name.find("--")
    if line > 0 and not text.startswith("-->", at + line):  # "A--B": a name, then an undirected edge
        return name[:line], at + line
    if text.startswith(">", end) and name.endswith("-"):  # "X->Y": the dash belongs to the arrow
        name, end = name[:-1], end - 1
    if not name or name.endswith("-") or "--" in name:
        raise GraphError(f"unexpected {brief(found[0])} at character {at + 1} of the graph; the edges are -> <- <-> --")
    return name, end


def read_chain(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and marks of one chain: "F->P<-T" -> (("F", "P", "T"), ("->", "<-"))."""
    names: list[str] = []
    marks: list[str] = []
    for kind, value, at in _tokens(text):
        if kind == "end":
            raise GraphError(
                f"unexpected {value.strip() or 'line break'!r} at character {at + 1} of the path {brief(text)}"
            )
        if (kind == "name") == (len(names) > len(marks)):
            wanted = "an arrow" if kind == "name" else "a name"
            raise GraphError(f"expected {wanted} before {brief(value)} at character {at + 1} of {brief(text)}")
        if kind == "arrow" and value == "--":
            raise GraphError(f"the path {brief(text)} has the undirected edge -- at character {at + 1}")
        (names if kind == "name" else marks).append(value)
    if len(names) != len(marks) + 1:
        raise GraphError(f"the path {brief(text)} does not end with a name" if names else "the path is empty")
    return tuple(names), tuple(marks)


def read_arrows(text: str) -> tuple[list[str], Pairs, Pairs, Pairs]:
    """Nodes in order of first mention, directed, bidirected and undirected edges of a graph text."""
    nodes: dict[str, None] = {}
    directed: list[tuple[str, str]] = []
    bidirected: list[tuple[str, str]] = []
    undirected: list[tuple[str, str]] = []
    last, mark = "", ""
    for kind, value, at in [*_tokens(text), ("end", "", len(text))]:
        if kind == "end":
            if mark:
                raise GraphError(
                    f"arrow {mark} at the end of a chain: expected a name at character {at + 1} of the graph"
                )
            last = ""
        elif kind == "arrow":
            if mark or not last:
                raise GraphError(f"expected a name before {value} at character {at + 1} of the graph")
            mark = value
        else:
            if last and not mark:
                raise GraphError(
                    f"expected an arrow or a comma between {last!r} and {value!r} at character {at + 1} of the graph "
                    '(a name with blanks goes in "double quotes")'
                )
            nodes[value] = None
            if mark == "<->":
                bidirected.append((last, value))
            elif mark == "--":
                undirected.append((last, value))
            elif mark:
                directed.append((last, value) if mark == "->" else (value, last))
            last, mark = value, ""
    return list(nodes), directed, bidirected, undirected


def quoted(name: str) -> str:
    """The name as a chain spells it, in double quotes where it needs them."""
    whole = PLAIN.fullmatch(name)
    plain = whole and "--" not in name and not name.endswith("-")
    return name if plain else '"' + name.replace('"', '""') + '"'


def write_arrows(nodes: Iterable[str], directed: Pair, arcs: Pair, lines: Pair) -> str:
    """The text that `read_arrows` reads back; nodes without an edge stand alone."""
    typed = (("->", directed), ("<->", arcs), ("--", lines))
    pairs = [(a, mark, b) for mark, edges in typed for a, b in edges]
    joined = {name for a, _, b in pairs for name in (a, b)}
    chains = [f"{quoted(a)} {mark} {quoted(b)}" for a, mark, b in pairs]
    return ", ".join(chains + [quoted(node) for node in nodes if node not in joined])
