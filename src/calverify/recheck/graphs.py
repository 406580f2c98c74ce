"""A graph read from its record, and the proof that two of its nodes are separated or joined."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

from .records import Set, fields, need, row, several, steps

__all__ = ["Graph", "read_graph"]

EVERY_MARK = frozenset({"->", "<-", "<->", "--"})
State = tuple[str, ...]  # of a walk: a node, and how the walk came to it: "start", "head" or "tail"


class Graph:
    """`arrows` a -> b, `arcs` a <-> b and `lines` a -- b (both with a < b); `at` has the (mark, end) at each node."""

    def __init__(
        self, nodes: Iterable[str], arrows: Iterable[Any], arcs: Iterable[Any] = (), lines: Iterable[Any] = ()
    ) -> None:
        self.nodes, self.arrows, self.arcs, self.lines = map(frozenset, (nodes, arrows, arcs, lines))
        self.at: dict[str, list[tuple[str, str]]] = {node: [] for node in sorted(self.nodes)}
        for edges, there, back in ((self.arrows, "->", "<-"), (self.arcs, "<->", "<->"), (self.lines, "--", "--")):
            for a, b in sorted(edges):
                self.at[a].append((there, b))
                self.at[b].append((back, a))

    def near(self, mark: str, node: str) -> Set:
        """The other ends of the edges with this mark at a node: "->" gives its children."""
        return frozenset(b for there, b in self.at[node] if there == mark)

    def reach(self, mark: str, start: Iterable[str], stop: Iterable[str] = ()) -> Set:
        """`start` and all that "->" (or "<-", or "<->") leads to without entering `stop`."""
        found, queue = set(start), list(start)
        for node in queue:  # grows while we walk it
            queue += (new := self.near(mark, node) - found - set(stop))
            found |= new
        return frozenset(found)

    def cut(self, tail: str, heads: Iterable[str]) -> "Graph":
        """The graph without the arrows from `tail` to `heads`."""
        return Graph(self.nodes, ((a, b) for a, b in self.arrows if a != tail or b not in heads), self.arcs)

    def has(self, nodes: Sequence[str], arrows: Sequence[str] = ()) -> bool:
        """Is each step of the chain (by default of arrows forward) an edge?"""
        taken = zip(nodes, arrows or ["->"] * len(nodes), nodes[1:], strict=False)
        return len(nodes) > 0 and set(nodes) <= self.nodes and all((arrow, b) in self.at[a] for a, arrow, b in taken)

    def simple(self, start: str, along: Set = EVERY_MARK) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Every walk from `start` along these marks that visits no node twice, as names and arrows."""
        waiting: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((start,), ())]
        while waiting:
            names, marks = waiting.pop()
            yield names, marks
            onward = [(mark, b) for mark, b in self.at[names[-1]] if mark in along and b not in names]
            waiting += [((*names, b), (*marks, mark)) for mark, b in onward]

    def triples(self, marks: tuple[str, str]) -> frozenset[Set]:
        """The three nodes of each pair of arrows with these marks at one node, whose ends no arrow joins."""
        pairs = [(node, *pair) for node in self.nodes for pair in permutations(self.at[node], 2)]
        ends = [(a, node, b) for node, (mark, a), (other, b) in pairs if (mark, other) == marks and a != b]
        return frozenset(frozenset(three) for three in ends if not {three[::2], three[::-2]} & self.arrows)

    def colliders(self) -> set[tuple[str, str, str]]:
        """(a, b, c) with a < c for each a -> b <- c whose ends no arrow joins."""
        found = {(a, node, c) for node in self.nodes for a, c in combinations(sorted(self.near("<-", node)), 2)}
        return {three for three in found if not {three[::2], three[::-2]} & self.arrows}

    def acyclic(self) -> bool:
        """Can all nodes be taken away, always one without parents?"""
        left = self.nodes
        while free := {node for node in left if not self.near("<-", node) & left}:
            left -= free
        return not left

    def sorts(self, order: Sequence[str]) -> bool:
        """Does every node stand in the order once, parents first?"""
        return sorted(order) == sorted(self.nodes) and all(order.index(a) < order.index(b) for a, b in self.arrows)

    # ------------------------------------------------------------ separation

    def moves(self, state: State, given: Set, opened: Set) -> Iterator[tuple[str, str]]:
        """Where an active walk may go: past a collider that is opened, past anything else that is not given."""
        node, came = state
        for mark, other in self.at[node]:
            collider = came == "head" and mark != "->"
            if came == "start" or (node in opened if collider else node not in given):
                yield other, "tail" if mark == "<-" else "head"

    def joins(self, x: str, y: str, given: Set) -> bool:
        """Does an active walk lead from x to y, neither of them given?"""
        opened, seen = self.reach("<-", given), {(x, "start")}
        queue = list(seen)
        for state in queue:  # grows while we walk it
            queue += (new := {after for after in self.moves(state, given, opened) if after[0] != x} - seen)
            seen |= new
        return any(node == y for node, _ in seen)

    def separated(self, w: Any, x: str, y: str, given: Set) -> bool:
        """Which of the two does a witness show: x and y separated, or joined by an active path?"""
        need(not given & {x, y} and x != y and {x, y} <= self.nodes, "not two nodes that are not given")
        if w["kind"] == "separated":
            self._is_closed(w, x, y, given)
            return True
        need(w["kind"] == "active_path")
        self._is_active(w, x, y, given)
        return False

    def _is_closed(self, w: Any, x: str, y: str, given: Set) -> None:
        """The states hold the start, whatever an active walk can move on to from each of them, and not y."""
        _, start, stop, stated, listed = fields(w, "kind from to given states")
        states, opened = several(listed, lambda state: row(state, 2)), self.reach("<-", given & self.nodes)
        need((start, stop, several(stated)) == (x, y, given) and (x, "start") in states, "another separation is shown")
        for state in states:
            marked = state[1] in ("head", "tail") or state == (x, "start")
            need(marked and state[0] in self.nodes - {y}, f"no state of a walk: {state}")
            left = {after for after in self.moves(state, given, opened) if after[0] != x} - states
            need(not left, f"the walk goes on from {state} to {left}, which is not listed")

    def _is_active(self, w: Any, x: str, y: str, given: Set) -> None:
        """The path runs from x to y, edge by edge, and a directed path into the condition leaves each collider."""
        _, stated, path, opened = fields(w, "kind given path opened")
        taken = [row(step, 3) for step in path]
        nodes, arrows = (x, *(step[2] for step in taken)), tuple(step[1] for step in taken)
        need(several(stated) == given and taken == steps((nodes, arrows)), "no path")
        need(len(set(nodes)) == len(nodes) and nodes[-1] == y and self.has(nodes, arrows), "no path from end to end")
        colliders = {c for a, c, b in zip(arrows, nodes[1:], arrows[1:], strict=False) if a != "<-" and b != "->"}
        need(set(opened) == colliders and not (set(nodes) - colliders) & given, "the path is blocked")
        for collider, below in opened.items():
            need(self.has(row(below)) and below[0] == collider and below[-1] in given, f"{collider} is not opened")


def read_graph(record: Any) -> tuple[Graph, str]:
    """The graph of a record, and its class."""
    whole = {"bidirected": [], "undirected": [], "class": None, **record}
    nodes, *lists, declared = fields(whole, "nodes directed bidirected undirected class")
    known = several(nodes)
    arrows, arcs, lines = (several(part, lambda edge: row(edge, 2)) for part in lists)
    need(all(a != b and {a, b} <= known for a, b in arrows | arcs | lines), "an edge joins two of the nodes")
    graph = Graph(known, arrows, *(several([sorted(pair) for pair in pairs], tuple) for pairs in (arcs, lines)))
    acyclic = graph.acyclic()
    wider = ["admg", "directed"] * (acyclic and not arcs and not lines) + ["undirected"] * (not arrows and not arcs)
    kind = "undirected" if lines else "directed" if not acyclic else "admg" if arcs else "dag"
    mixed = (lines and (arrows or arcs)) or (arcs and not acyclic)
    need(not mixed and declared in (None, kind, *wider), "no graph of its class")
    return graph, "undirected" if declared == "undirected" else kind
