"""The edit margin of a verdict: the fewest edge edits after which the same answer is no longer what it was.

An edit deletes one edge, adds one arrow, on an admg one bidirected edge, or reverses one arrow.  The edited graph must
still be a graph of the same class, and the question must still make sense on it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from calverify.errors import BudgetError, Fault, GraphError, QueryError
from calverify.graphs import Graph
from calverify.problem import Query
from calverify.scoring._check import case_of, read_in

__all__ = ["Margin", "edit_margin"]

MOST_GRAPHS = 20_000

Edit = tuple[str, str]  # "delete", "add" or "reverse", and the edge as it stood before (or, added, stands after)


@dataclass(frozen=True, slots=True)
class Margin:
    """How many edits flip the verdict, and which ones do.

    `count` None: no `searched` edits or fewer flip it.  That is all we know, and exact: every graph within that many
    edits was tried.  `searched` is less than what was asked for where the budget ended first.
    """

    count: int | None
    edits: tuple[Edit, ...]
    searched: int

    @property
    def why(self) -> str:
        """ "2 edits flip the verdict: delete U -> X, add X -> Y"."""
        if self.count is None:
            return f"more than {self.searched} edge edits are needed to flip the verdict"
        edits = ", ".join(" ".join(edit) for edit in self.edits)
        return f"{self.count} edge edit{'s flip' if self.count != 1 else ' flips'} the verdict: {edits}"

    def to_json(self) -> dict[str, Any]:
        edits = [list(edit) for edit in self.edits]
        return {"count": self.count, "edits": edits, "searched": self.searched}


def edit_margin(graph: Graph, query: Query, answer: Any, most: int = 3) -> Margin:
    """The least number of edge edits, up to `most`, that turn a valid answer invalid or an invalid one valid.

    Breadth first over graphs, so the first flip found is a shortest one; at most MOST_GRAPHS graphs are tried.
    """
    case = case_of(graph, query)
    value = read_in(case, answer)
    if isinstance(value, Fault):
        return Margin(None, (), most)  # what cannot be read is invalid on every graph
    verdict = case.holds(value)
    trail: dict[Graph, tuple[Edit, ...]] = {graph: ()}
    ring = [graph]
    for count in range(1, most + 1):
        inner, ring = ring, []
        for start in inner:
            for edit, edited in _neighbours(start):
                if edited in trail:
                    continue
                if len(trail) > MOST_GRAPHS:
                    return Margin(None, (), count - 1)
                trail[edited] = (*trail[start], edit)
                ring.append(edited)
                try:
                    flipped = case_of(edited, query).holds(value) is not verdict
                except BudgetError:
                    return Margin(None, (), count - 1)
                except (GraphError, QueryError):  # the question makes no sense there; on its far side it may again
                    continue
                if flipped:
                    return Margin(count, trail[edited], count)
    return Margin(None, (), most)


def _neighbours(graph: Graph) -> Iterator[tuple[Edit, Graph]]:
    """Every legal graph of the same class one edit away, deletions first."""
    arrows, arcs, lines = graph.directed, graph.bidirected, graph.undirected
    for a, b in arrows:
        yield from _legal(("delete", f"{a} -> {b}"), graph, [e for e in arrows if e != (a, b)], arcs, lines)
    for a, b in arcs:
        yield from _legal(("delete", f"{a} <-> {b}"), graph, arrows, [e for e in arcs if e != (a, b)], lines)
    for a, b in lines:
        yield from _legal(("delete", f"{a} -- {b}"), graph, arrows, arcs, [e for e in lines if e != (a, b)])
    if lines:
        return
    for a, b in arrows:
        turned = [(b, a) if e == (a, b) else e for e in arrows]
        yield from _legal(("reverse", f"{a} -> {b}"), graph, turned, arcs, ())
    for a in graph.nodes:
        for b in graph.nodes:
            if a != b and (a, b) not in graph.edge_set[0]:
                yield from _legal(("add", f"{a} -> {b}"), graph, [*arrows, (a, b)], arcs, ())
    for a, b in combinations(sorted(graph.nodes), 2) if graph.kind == "admg" else ():
        yield from _legal(("add", f"{a} <-> {b}"), graph, arrows, [*arcs, (a, b)], ())


def _legal(edit: Edit, graph: Graph, arrows: Any, arcs: Any, lines: Any) -> Iterator[tuple[Edit, Graph]]:
    try:
        yield edit, Graph(graph.nodes, arrows, arcs, graph.kind, lines)
    except GraphError:
        return  # a cycle where the class admits none, or an edge that is there already
