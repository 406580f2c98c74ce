"""Which row a node of a drawing stands in, and where in the row: the first half of the layered layout.

An arrow points down, from one row to a row below it.  An arrow that passes rows gets a bend in each of them, which
takes part in the ordering like a node, so that no arrow runs through a node.  Arrows that close a directed cycle point
up.  Nodes are numbers here; a bend is a number from the count of nodes on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Layers", "layers_of"]

Arrow = tuple[int, int]
SWEEPS = 12
ROW_OF_LONERS = 6


@dataclass(frozen=True, slots=True)
class Layers:
    """The rows from the top, each from the left; and for each arrow the nodes and bends that it runs through."""

    rows: tuple[tuple[int, ...], ...]
    routes: tuple[tuple[int, ...], ...]


def layers_of(count: int, arrows: Sequence[Arrow], arcs: Sequence[Arrow]) -> Layers:
    """The layers of a graph of `count` nodes; `arcs` join nodes without a direction, and only draw them together."""
    downward = _without_cycles(count, arrows)
    depth = _depths(count, downward)
    joined = {node for pair in (*arrows, *arcs) for node in pair}
    loners = [node for node in range(count) if node not in joined]
    rows: list[list[int]] = [[] for _ in range(1 + max((depth[node] for node in joined), default=-1))]
    for node in range(count):
        if node in joined:
            rows[depth[node]].append(node)
    routes: list[tuple[int, ...]] = []
    links: list[Arrow] = []
    next_bend = count
    for (tail, _), (top, bottom) in zip(arrows, downward, strict=True):
        bends = list(range(next_bend, next_bend + depth[bottom] - depth[top] - 1))
        next_bend += len(bends)
        for place, bend in enumerate(bends, start=depth[top] + 1):
            rows[place].append(bend)
        route = [top, *bends, bottom]
        links += pairwise(route)
        routes.append(tuple(route if top == tail else reversed(route)))
    ordered = _ordered(rows, [*links, *arcs])
    alone = [tuple(loners[start : start + ROW_OF_LONERS]) for start in range(0, len(loners), ROW_OF_LONERS)]
    return Layers((*map(tuple, ordered), *alone), tuple(routes))


def _without_cycles(count: int, arrows: Sequence[Arrow]) -> list[Arrow]:
    """The arrows, each that leads back to a node it was reached from turned round."""
    below: list[list[int]] = [[] for _ in range(count)]
    for place, (tail, _) in enumerate(arrows):
        below[tail].append(place)
    found = list(arrows)
    state = [0] * count  # 0 not met, 1 on the way, 2 done
    for start in range(count):
        if state[start]:
            continue
        state[start] = 1
        trail = [(start, iter(below[start]))]
        while trail:
            node, left = trail[-1]
            arrow = next(left, None)
            if arrow is None:
                state[node] = 2
                trail.pop()
                continue
            head = arrows[arrow][1]
            if state[head] == 1:
                found[arrow] = (head, node)
            elif state[head] == 0:
                state[head] = 1
                trail.append((head, iter(below[head])))
    return found


def _depths(count: int, arrows: Sequence[Arrow]) -> list[int]:
    """One more than the deepest parent; a node without a parent stands just above its highest child."""
    children: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for tail, head in arrows:
        children[tail].append(head)
        waiting[head] += 1
    depth = [0] * count
    sources = [node for node in range(count) if not waiting[node]]
    ready = list(sources)
    for node in ready:
        for child in children[node]:
            depth[child] = max(depth[child], depth[node] + 1)
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)
    for node in sources:
        depth[node] = min((depth[child] for child in children[node]), default=1) - 1
    return depth


def _ordered(rows: list[list[int]], links: Sequence[Arrow]) -> list[list[int]]:
    """The rows in the order of the sweep that left the fewest crossings."""
    row_of = {node: place for place, row in enumerate(rows) for node in row}
    beside: dict[int, list[int]] = {node: [] for node in row_of}
    for one, other in links:
        beside[one].append(other)
        beside[other].append(one)
    best, fewest = rows, _crossings(rows, links)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        rows = [list(row) for row in rows]
        places = {node: place for row in rows for place, node in enumerate(row)}
        for at in range(len(rows)) if sweep % 2 == 0 else reversed(range(len(rows))):
            toward = at - 1 if sweep % 2 == 0 else at + 1
            wish = {}
            for node in rows[at]:
                near = [places[other] for other in beside[node] if row_of[other] == toward]
                near = near or [places[other] for other in beside[node]] or [places[node]]
                wish[node] = sum(near) / len(near)
            rows[at].sort(key=lambda node: (wish[node], places[node]))
            places.update((node, place) for place, node in enumerate(rows[at]))
        crossed = _crossings(rows, links)
        if crossed < fewest:
            best, fewest = rows, crossed
    return best


def _crossings(rows: Sequence[Sequence[int]], links: Sequence[Arrow]) -> int:
    """How many pairs of links between the same two rows cross."""
    spot = {node: (at, place) for at, row in enumerate(rows) for place, node in enumerate(row)}
    between: dict[int, list[tuple[int, int]]] = {}
    for one, other in links:
        (row, left), (next_row, right) = sorted((spot[one], spot[other]))
        if next_row == row + 1:
            between.setdefault(row, []).append((left, right))
    return sum(
        (a - c) * (b - d) < 0
        for pairs in between.values()
        for place, (a, b) in enumerate(pairs)
        for c, d in pairs[:place]
    )
