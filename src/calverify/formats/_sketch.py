"""What a reader has found so far: names, typed edges and hidden nodes, each with the line that says so.

Rule 1: two spellings that become one name after trimming and Unicode NFC are refused, because a text that tells them
apart means two nodes.
Rule 2: a repeated edge is refused, unless the text itself asks for merging (`strict` in DOT and dagitty).  Then it must
repeat itself exactly, for Graphviz would overwrite the first `a -> b` with a later `a -> b [dir=both]`.
Rule 3: a hidden node is never read as an ordinary one: the reader's caller asks for the latent projection, or the graph
is refused.
Rule 4: nodes and edges are bounded, so that `{a b c} -> {d e f}` stays cheap whatever the text.
"""

from collections.abc import Mapping
from typing import Final, NoReturn

from calverify.errors import BudgetError, GraphError
from calverify.formats._latents import latent_projection
from calverify.formats._tokens import shown
from calverify.graphs import Graph
from calverify.names import NameFault, clean_name

__all__ = ["MAX_EDGES", "MAX_NODES", "Sketch", "says_hidden"]

MAX_NODES: Final = 10_000  # a Graph keeps a table of nodes x nodes bits
MAX_EDGES: Final = 100_000  # counted before repeats are merged
NO: Final = frozenset({"no", "false", "0", "none", ""})


def says_hidden(attributes: Mapping[str, object]) -> bool:
    """Do a node's attributes mark it as hidden: `observed="no"` (DoWhy) or `latent=true`?"""
    observed, latent = (
        str(attributes.get(key, default)).lower() for key, default in (("observed", ""), ("latent", ""))
    )
    return (bool(observed) and observed in NO) or latent not in NO


class Sketch:
    """Collects nodes and edges line by line; `graph()` is what they come to."""

    def __init__(self, format: str, merge: bool = False) -> None:
        self.format = format
        self.merge = merge
        self._spellings: dict[str, str] = {}
        self._nodes: dict[str, str] = {}
        self._edges: dict[tuple[str, str, str], int] = {}
        self._said: dict[tuple[str, str], str] = {}
        self._hidden: dict[str, int] = {}
        self._tried = 0

    def node(self, spelling: str, line: int) -> str:
        """The clean name; a new one joins the nodes."""
        known = self._spellings.get(spelling)
        if known is not None:
            return known
        try:
            name = clean_name(spelling)
        except NameFault as fault:
            self._refuse(line, str(fault), fault)
        if name in self._nodes:
            self._refuse(
                line, f"{shown(spelling)} and {shown(self._nodes[name])} are the same name after trimming and NFC"
            )
        if len(self._nodes) == MAX_NODES:
            raise BudgetError(f"{self.format} line {line}: more than {MAX_NODES:,} nodes")
        self._spellings[spelling] = name
        self._nodes[name] = spelling
        return name

    def known(self, spelling: str) -> str | None:
        """The clean name if the text has used this spelling before."""
        return self._spellings.get(spelling)

    def edge(self, left: str, mark: str, right: str, line: int) -> None:
        """Join two clean names by one of the marks -> <- <->."""
        if self.merge and self._said.setdefault((left, right), mark) != mark:
            self._refuse(line, f"edge {left} {mark} {right} has other heads before; `strict` keeps one edge of the two")
        if mark == "<-":
            left, mark, right = right, "->", left
        self._tried += 1
        if self._tried > MAX_EDGES:
            raise BudgetError(f"{self.format} line {line}: more than {MAX_EDGES:,} edges")
        if left == right:
            self._refuse(line, f"edge {left} {mark} {right} is a self-loop")
        key = (left, mark, right) if mark == "->" else (min(left, right), mark, max(left, right))
        first = self._edges.setdefault(key, line)
        if len(self._edges) != self._tried and not self.merge:
            self._refuse(line, f"edge {left} {mark} {right} is listed twice (first on line {first})")

    def hide(self, name: str, line: int) -> None:
        """Mark a clean name as a hidden node."""
        self._hidden.setdefault(name, line)

    def graph(self, *, project_latents: bool = False, acyclic: bool = False) -> Graph:
        """The graph; `acyclic` refuses a directed cycle."""
        if self._hidden and not project_latents:
            name, line = next(iter(self._hidden.items()))
            self._refuse(
                line,
                f"node {name} is marked as hidden, so it may stand in no answer; read the graph with "
                "project_latents=True, which puts bidirected edges in the place of hidden nodes, or take the mark off",
            )
        directed = [(a, b) for a, mark, b in self._edges if mark == "->"]
        bidirected = [(a, b) for a, mark, b in self._edges if mark == "<->"]
        kind = ("admg" if bidirected else "dag") if acyclic else None
        graph = Graph(self._nodes, directed, bidirected, kind)
        return latent_projection(graph, self._hidden) if self._hidden else graph

    def _refuse(self, line: int, why: str, cause: Exception | None = None) -> NoReturn:
        raise GraphError(f"{self.format} line {line}: {why}") from cause
