"""Proof of a separation verdict: the active path, or the closed set of walk states that never reaches the target.

A walk state is (node, mark): the walk arrived by an arrowhead ("head") or by a tail ("tail").  The move rule: the walk
may leave v by an edge when v is open for it.  A collider (heads on both sides of v) is open when v or a descendant of v
is given; anything else is open when v is not given.  A walk's first node is always open.
A shortest active walk is a path, because cutting out a repeated node never closes it.
"""

from collections.abc import Iterable, Iterator

from calverify.graphs._graph import Graph
from calverify.graphs._masks import as_names, each_bit, reach
from calverify.graphs._paths import Path, directed_path

__all__ = ["active_path", "opened_colliders", "walk_states"]

State = tuple[int, str]  # the node's bit, and "start", "head" or "tail"


def _moves(graph: Graph, state: State, z: int, opened: int) -> Iterator[tuple[State, str]]:
    """Every state one open step away, with the edge taken."""
    masks = graph.masks
    bit, mark = state
    if mark == "start" or not bit & z:
        for child in each_bit(masks.children[bit]):
            yield (child, "head"), "->"
    if mark == "start" or (bit & opened if mark == "head" else not bit & z):
        for parent in each_bit(masks.parents[bit] & masks.visible):
            yield (parent, "tail"), "<-"
        for spouse in each_bit(masks.spouses[bit]):
            yield (spouse, "head"), "<->"


def _explore(graph: Graph, xs: int, ys: int, z: int) -> dict[State, tuple[State, str] | None]:
    """Every walk state reached from `xs`, breadth first, with the step that reached it; stops at the first in `ys`."""
    opened = reach(graph.masks.parents, z)
    came: dict[State, tuple[State, str] | None] = {(bit, "start"): None for bit in each_bit(xs)}
    queue = list(came)
    for state in queue:  # grows while we walk it
        for after, arrow in _moves(graph, state, z, opened):
            if after not in came and not after[0] & xs:
                came[after] = state, arrow
                queue.append(after)
                if after[0] & ys:
                    return came
    return came


def active_path(graph: Graph, xs: Iterable[str], ys: Iterable[str], given: Iterable[str] = ()) -> Path | None:
    """A shortest path between the sides that `given` leaves open, or None when it separates them."""
    masks = graph.acyclic_masks("an active path")
    z = masks.mask(given)
    x, y = masks.mask(xs) & ~z, masks.mask(ys) & ~z
    if x & y:
        return Path(masks.named(x & y)[:1], ())
    came = _explore(graph, x, y, z)
    state = next(reversed(came), (0, ""))
    if not state[0] & y:
        return None
    nodes, arrows = [masks.names[state[0]]], []
    while step := came[state]:
        state, arrow = step
        nodes.append(masks.names[state[0]])
        arrows.append(arrow)
    return Path(tuple(reversed(nodes)), tuple(reversed(arrows)))


def opened_colliders(graph: Graph, path: Path, given: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each collider on an active path, the directed path to the given node that opens it: {"C": ("C", "D")}."""
    given = as_names(given)
    found = {}
    for collider in path.colliders():
        chain = directed_path(graph, {collider}, given)
        if chain is not None:
            found[collider] = chain
    return found


def walk_states(graph: Graph, xs: Iterable[str], given: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Every (node, mark) an active walk from `xs` reaches: closed under the move rule, so the rest is out of reach.

    Moves back into a start are left out: a start is open for every step anyway.
    """
    masks = graph.acyclic_masks("an active walk")
    z = masks.mask(given)
    came = _explore(graph, masks.mask(xs) & ~z, 0, z)
    return [(masks.names[bit], mark) for bit, mark in came]
