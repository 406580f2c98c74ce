"""Graphs with damaged edges: what the checker is handed when we ask how much it leans on the graph.

Rule 1: nodes and class stay: what was acyclic stays acyclic, because a task may be defined on nothing else.
Rule 2: a rate is the expected share of the edges: of 5 edges at 1/10, one is damaged in half of the draws.
Rule 3: an edge is damaged once at most; where no edge is left that may be, fewer are damaged, and the count says so.
"""

from collections.abc import Callable
from fractions import Fraction
from random import Random

from calverify.graphs import Graph

__all__ = ["DAMAGES", "damaged"]

Typed = tuple[str, str, str]  # ("A", "->", "B") or ("A", "<->", "B")


class Edges:
    """The typed edges of a graph under repair in reverse; every change keeps the class."""

    def __init__(self, graph: Graph) -> None:
        self.nodes, self.kind = graph.nodes, graph.kind
        self.edges: list[Typed] = [
            *((a, "->", b) for a, b in graph.directed),
            *((a, "<->", b) for a, b in graph.bidirected),
        ]

    def graph(self) -> Graph:
        directed = [(a, b) for a, mark, b in self.edges if mark == "->"]
        bidirected = [(a, b) for a, mark, b in self.edges if mark == "<->"]
        return Graph(self.nodes, directed, bidirected, self.kind)

    def _closes(self, tail: str, head: str, without: Typed | None = None) -> bool:
        """Would tail -> head close a directed cycle, in a class that has none?"""
        if self.kind == "directed":
            return False
        below: dict[str, list[str]] = {}
        for edge in self.edges:
            if edge[1] == "->" and edge != without:
                below.setdefault(edge[0], []).append(edge[2])
        seen, todo = {head}, [head]
        while todo:
            fresh = [node for node in below.get(todo.pop(), ()) if node not in seen]
            seen.update(fresh)
            todo += fresh
        return tail in seen

    def delete(self, edge: Typed) -> bool:
        self.edges.remove(edge)
        return True

    def reverse(self, edge: Typed) -> bool:
        """Turn an arrow; a bidirected edge, and an arrow that would close a cycle, stay as they are."""
        turned = (edge[2], edge[1], edge[0])
        if edge[1] != "->" or turned in self.edges or self._closes(turned[0], turned[2], without=edge):
            return False
        self.edges[self.edges.index(edge)] = turned
        return True

    def add(self, rng: Random) -> bool:
        """An edge between two nodes that had none, with the mark of a random edge."""
        joined = {frozenset((a, b)) for a, _, b in self.edges}
        apart = [(a, b) for i, a in enumerate(self.nodes) for b in self.nodes[i + 1 :] if {a, b} not in joined]
        rng.shuffle(apart)
        mark = rng.choice(self.edges)[1] if self.edges else "->"
        for pair in apart:
            for a, b in rng.sample((pair, pair[::-1]), 2):
                if mark == "<->" or not self._closes(a, b):
                    self.edges.append((a, mark, b))
                    return True
        return False


def _count(edges: int, rate: Fraction, rng: Random) -> int:
    """Whole edges, and one more with the chance of the part that is left."""
    wanted = edges * rate
    return int(wanted) + (rng.random() < wanted - int(wanted))


def _delete(edges: Edges, count: int, rng: Random) -> int:
    return sum(edges.delete(edge) for edge in rng.sample(edges.edges, count))


def _add(edges: Edges, count: int, rng: Random) -> int:
    return sum(edges.add(rng) for _ in range(count))


def _reverse(edges: Edges, count: int, rng: Random) -> int:
    """Arrows in random order; what would close a cycle now may not later, so they are tried until none can turn."""
    left = rng.sample(edges.edges, len(edges.edges))
    turned = 0
    while turned < count:
        able = next((edge for edge in left if edges.reverse(edge)), None)
        if able is None:
            break
        left.remove(able)
        turned += 1
    return turned


def _mixed(edges: Edges, count: int, rng: Random) -> int:
    """Each edge drawn is deleted, reversed or left beside a new one, by lot."""
    done = 0
    for edge in rng.sample(edges.edges, count):
        way = rng.choice(("delete", "add", "reverse"))
        done += edges.add(rng) if way == "add" else edges.delete(edge) if way == "delete" else edges.reverse(edge)
    return done


def _random(edges: Edges, count: int, rng: Random) -> int:
    """As many edges with the same marks between random nodes: arrows along a random order, where there is to be one."""
    order = rng.sample(edges.nodes, len(edges.nodes))
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    arrows = pairs + [(b, a) for a, b in pairs] if edges.kind == "directed" else pairs  # both ways: there may be rings
    marks = [mark for _, mark, _ in edges.edges]
    drawn: list[Typed] = []
    for mark, places in (("->", arrows), ("<->", pairs)):
        drawn += [(a, mark, b) for a, b in rng.sample(places, marks.count(mark))]
    edges.edges = drawn
    return len(drawn)


def _all_reversed(edges: Edges, count: int, rng: Random) -> int:
    arrows = sum(mark == "->" for _, mark, _ in edges.edges)
    edges.edges = [(b, mark, a) if mark == "->" else (a, mark, b) for a, mark, b in edges.edges]
    return arrows


DAMAGES: dict[str, Callable[[Edges, int, Random], int]] = {
    "delete": _delete,
    "add": _add,
    "reverse": _reverse,
    "mixed": _mixed,
    "random": _random,
    "full reversal": _all_reversed,
}


def damaged(graph: Graph, damage: str, rate: Fraction, rng: Random) -> tuple[Graph, int]:
    """The graph with this share of its edges damaged, and how many were."""
    edges = Edges(graph)
    done = DAMAGES[damage](edges, _count(len(edges.edges), rate, rng), rng)
    return edges.graph(), done
