"""Separation by walking every path, and reachability by walking every chain: slow and obvious.

A path is a row of edges, so a directed and a bidirected edge between the same two nodes give two paths.  It is open
when every interior collider has itself or a descendant in Z and no other interior node is in Z.

This module reads a graph's nodes and edges and nothing else.
"""

from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import combinations

Nodes = tuple[str, ...]
Arrows = tuple[str, ...]
Typed = tuple[Nodes, Arrows]


def subsets(items: Collection[str]) -> Iterator[frozenset[str]]:
    """Every subset, small ones first."""
    for size in range(len(items) + 1):
        yield from map(frozenset, combinations(sorted(items), size))


class Paths:
    """Every question about the paths of one graph; what it has walked once it remembers."""

    def __init__(self, graph) -> None:
        self.nodes = tuple(graph.nodes)
        self.directed = tuple(graph.directed)
        self.bidirected = tuple(graph.bidirected)
        self._between: dict[tuple[str, str], list[Typed]] = {}
        self._needs: dict[tuple[str, str], list[tuple[frozenset[str], list[frozenset[str]]]]] = {}

    @cached_property
    def edges_at(self) -> dict[str, list[tuple[str, str]]]:
        """(arrow, other end) of every edge at a node, read from that node."""
        at = {node: [] for node in self.nodes}
        for tail, head in self.directed:
            at[tail].append(("->", head))
            at[head].append(("<-", tail))
        for left, right in self.bidirected:
            at[left].append(("<->", right))
            at[right].append(("<->", left))
        return at

    @cached_property
    def below(self) -> dict[str, frozenset[str]]:
        """Each node with its descendants."""
        return {node: frozenset(self._fall(node, set())) for node in self.nodes}

    def _fall(self, node: str, seen: set[str]) -> set[str]:
        seen.add(node)
        for tail, head in self.directed:
            if tail == node and head not in seen:
                self._fall(head, seen)
        return seen

    def above(self, node: str) -> frozenset[str]:
        """The node with its ancestors."""
        return frozenset(other for other in self.nodes if node in self.below[other])

    def strictly_below(self, node: str) -> frozenset[str]:
        """The ends of every directed chain of one edge or more; the node itself only on a cycle."""
        return frozenset().union(*(self.below[head] for tail, head in self.directed if tail == node))

    # ------------------------------------------------------------ paths

    def between(self, x: str, y: str) -> list[Typed]:
        """Every simple path from x to y."""
        if (x, y) not in self._between:
            self._between[x, y] = list(self._walk((x,), (), y))
        return self._between[x, y]

    def _walk(self, nodes: Nodes, arrows: Arrows, y: str) -> Iterator[Typed]:
        if nodes[-1] == y:
            yield nodes, arrows
            return
        for arrow, other in self.edges_at[nodes[-1]]:
            if other not in nodes:
                yield from self._walk((*nodes, other), (*arrows, arrow), y)

    def is_open(self, path: Typed, given: frozenset[str]) -> bool:
        """The definition, interior node by interior node."""
        nodes, arrows = path
        for i in range(1, len(nodes) - 1):
            head_before = arrows[i - 1] in ("->", "<->")
            head_after = arrows[i] in ("<-", "<->")
            if head_before and head_after:
                if not self.below[nodes[i]] & given:
                    return False
            elif nodes[i] in given:
                return False
        return True

    def open_paths(self, x: str, y: str, given: frozenset[str]) -> list[Typed]:
        return [path for path in self.between(x, y) if self.is_open(path, given)]

    # ------------------------------------------------------------ separation

    def separated(self, xs: Collection[str], ys: Collection[str], given: Collection[str] = ()) -> bool:
        """Is no path between the sides open?  Members of `given` leave both sides first."""
        z = frozenset(given)
        return not any(self._joined(x, y, z) for x in set(xs) - z for y in set(ys) - z)

    def _joined(self, x: str, y: str, z: frozenset[str]) -> bool:
        """Is some path open?  As `is_open`, with each path boiled down to what must and what must not be given."""
        if (x, y) not in self._needs:
            self._needs[x, y] = [self._need(path) for path in self.between(x, y)]
        return any(
            z.isdisjoint(closing) and not any(map(z.isdisjoint, openings)) for closing, openings in self._needs[x, y]
        )

    def _need(self, path: Typed) -> tuple[frozenset[str], list[frozenset[str]]]:
        nodes, arrows = path
        inner = range(1, len(nodes) - 1)
        colliders = [i for i in inner if arrows[i - 1] in ("->", "<->") and arrows[i] in ("<-", "<->")]
        closing = frozenset(nodes[i] for i in inner if i not in colliders)
        return closing, [self.below[nodes[i]] for i in colliders]

    # ------------------------------------------------------------ criteria

    def is_backdoor_set(self, x: str, y: str, given: frozenset[str]) -> bool:
        """Pearl's criterion, strict: no treatment, outcome or descendant, and every path into x blocked."""
        if given & ({x, y} | self.strictly_below(x)):
            return False
        into = [path for path in self.between(x, y) if path[1] and path[1][0] in ("<-", "<->")]
        return not any(self.is_open(path, given) for path in into)

    def independences(self) -> frozenset[tuple[str, str, frozenset[str]]]:
        """Every separation of one node from another: two graphs are Markov equivalent when these agree."""
        return frozenset(
            (x, y, z)
            for x, y in combinations(sorted(self.nodes), 2)
            for z in subsets(set(self.nodes) - {x, y})
            if self.separated({x}, {y}, z)
        )


def separated(graph, xs: Collection[str], ys: Collection[str], given: Collection[str] = ()) -> bool:
    """One question about one graph."""
    return Paths(graph).separated(xs, ys, given)
