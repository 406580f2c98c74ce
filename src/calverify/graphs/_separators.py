"""Sets that separate: all inclusion-minimal ones, lazily, and one of least size.

An inclusion-minimal separator lies inside the ancestors of both sides (van der Zander, Liskiewicz, Textor 2019), so it
is a vertex separator of one undirected graph: the moralised ancestral graph.  Nodes that may not be used (latents
among them) are taken out of that graph first, each connected piece of them joining its neighbours.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from calverify.graphs._graph import Graph
from calverify.graphs._masks import each_bit, reach

__all__ = ["minimal_separators", "minimum_separator"]

Undirected = dict[int, int]


def _moral(graph: Graph, x: int, y: int, usable: int) -> Undirected:
    """Neighbours in the moralised ancestral graph of x and y, reduced to x, y and usable nodes."""
    masks = graph.masks
    area = masks.ancestors[x] | masks.ancestors[y]
    neighbours = dict.fromkeys(each_bit(area), 0)
    for bit in neighbours:
        family = bit | masks.parents[bit]
        for member in each_bit(family):
            neighbours[member] |= family
    keep = area & (usable | x | y)
    rest = area & ~keep
    while rest:
        piece = reach(neighbours, rest & -rest, rest)
        rest &= ~piece
        border = 0
        for bit in each_bit(piece):
            border |= neighbours[bit]
        for bit in each_bit(border & keep):
            neighbours[bit] |= border
    return {bit: neighbours[bit] & keep & ~bit for bit in each_bit(keep)}


def _border(neighbours: Undirected, inside: int) -> int:
    border = 0
    for bit in each_bit(inside):
        border |= neighbours[bit]
    return border & ~inside


def minimal_separators(graph: Graph, x: str, y: str, usable: Iterable[str]) -> Iterator[frozenset[str]]:
    """Every inclusion-minimal subset of `usable` that separates x and y, lazily, each once.

    From the separator closest to x, each next one gives up one of its nodes to x's side (Shen and Liang 1997).
    """
    masks = graph.acyclic_masks("a separator")
    start, goal = masks.mask([x]), masks.mask([y])
    neighbours = _moral(graph, start, goal, masks.mask(usable))
    if (start | neighbours[start]) & goal:
        return

    def closest(inside: int) -> int:
        """The minimal separator between `inside` and the goal that is nearest to `inside`."""
        return _border(neighbours, reach(neighbours, goal, ~(inside | _border(neighbours, inside))))

    queue = [closest(start)]
    seen = set(queue)
    for separator in queue:  # grows while we walk it
        yield frozenset(masks.named(separator))
        side = reach(neighbours, start, ~separator)
        for bit in each_bit(separator & ~neighbours[goal]):
            after = closest(side | bit)
            if after not in seen:
                seen.add(after)
                queue.append(after)


def minimum_separator(graph: Graph, x: str, y: str, usable: Iterable[str]) -> frozenset[str] | None:
    """A separating subset of `usable` with the fewest nodes, in polynomial time (Menger), or None."""
    masks = graph.acyclic_masks("a separator")
    start, goal = masks.mask([x]), masks.mask([y])
    neighbours = _moral(graph, start, goal, masks.mask(usable))
    if (start | neighbours[start]) & goal:
        return None
    after: dict[int, int] = {}  # the unit flow: after[v] is the node that v's one path goes on to
    while True:
        seen = _augment(neighbours, start, goal, after)
        if seen is not None:
            return frozenset(masks.named(seen))


def _augment(neighbours: Undirected, start: int, goal: int, after: dict[int, int]) -> int | None:
    """Push one more disjoint path into `after` and return None, or the cut when none is left.

    Each inner node has an entry and an exit joined by an edge of capacity one; states are (node, at its exit?).
    """
    before = {head: tail for tail, head in after.items() if head != goal}
    came: dict[tuple[int, bool], tuple[int, bool] | None] = {(start, True): None}
    queue = [(start, True)]
    entered = start  # nodes at whose entry we were: most neighbours, most of the time
    for state in queue:  # grows while we walk it
        bit, leaving = state
        steps: list[tuple[int, bool]] = []
        if leaving:
            steps += [(other, False) for other in each_bit(neighbours[bit] & ~entered)]
            if bit != start and bit in after:
                steps.append((bit, False))  # undo the inner edge
        elif bit not in after:
            steps.append((bit, True))
        elif bit in before:
            steps.append((before[bit], True))  # undo the edge that feeds it
        for step in steps:
            if step in came:
                continue
            came[step] = state
            entered |= 0 if step[1] else step[0]
            if step[0] == goal:
                _flip(came, step, start, after)
                return None
            queue.append(step)
    return sum(bit for bit in neighbours if (bit, False) in came and (bit, True) not in came and bit != goal)


def _flip(
    came: dict[tuple[int, bool], tuple[int, bool] | None], state: tuple[int, bool], start: int, after: dict[int, int]
) -> None:
    """Add the augmenting path that ends in `state` to the flow, cancelling what it walks back over."""
    path = [state]
    while (previous := came[path[-1]]) is not None:
        path.append(previous)
    path.reverse()
    for (left, _), (right, entering) in pairwise(path):
        if left != right and entering and after.get(right) == left:
            del after[right]
    for (left, _), (right, at_exit) in pairwise(path):
        if left not in (right, start) and not at_exit:
            after[left] = right
