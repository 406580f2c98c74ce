"""One routine for d- and m-separation, and the same routine bound to one question.

The walk stays inside the ancestors of everything named (ancestral restriction).  There, a node outside Z passes the
walk on to parents and children alike, and a node in Z passes it on to its parents only, when entered from a parent:
that is a collider which Z opens.  This equals separation in the moralised ancestral graph (Lauritzen 1990) without
building that graph.  Latent parents stand for bidirected edges, so it is m-separation too (Richardson 2003).
"""

from collections.abc import Iterable
from functools import cached_property

from calverify.graphs._graph import Graph
from calverify.graphs._masks import Masks, as_names, each_bit

__all__ = ["Separation", "separated"]

LARGE = 1 << 40


def separated(graph: Graph, xs: Iterable[str], ys: Iterable[str], given: Iterable[str] = ()) -> bool:
    """Is every path from `xs` to `ys` blocked by `given`?

    Members of `given` leave `xs` and `ys` first, so a set that holds an endpoint separates it trivially.  Callers that
    must forbid that (backdoor, the strict certificate) say so themselves.
    """
    masks = graph.walkable or graph.acyclic_masks("separation")
    node = masks.node
    z = area = x = y = 0
    try:
        for name in given if not isinstance(given, str) else (given,):
            bit, above = node[name]
            z |= bit
            area |= above
        for name in xs if not isinstance(xs, str) else (xs,):
            bit, above = node[name]
            x |= bit
            area |= above
        for name in ys if not isinstance(ys, str) else (ys,):
            bit, above = node[name]
            y |= bit
            area |= above
    except KeyError as unknown:
        masks.mask(unknown.args)
        raise
    return not _meets(masks, x & ~z, y & ~z, z, area)


def _meets(masks: Masks, x: int, y: int, z: int, area: int) -> bool:
    """Does an active walk inside `area`, the ancestors of all three sets, join x and y?"""
    if x & y:
        return True
    parents, children = masks.parents, masks.children
    if area > LARGE and x and y:  # start at the side with fewer ways out
        some, other = x & -x, y & -y
        if ((parents[some] | children[some]) & area).bit_count() > (
            (parents[other] | children[other]) & area
        ).bit_count():
            x, y = y, x
    left = area & ~x
    free = left & ~z
    todo = x
    while todo:
        bit = todo & -todo
        todo ^= bit
        if bit & z:
            new = parents[bit] & free
        else:
            new = parents[bit] & free | children[bit] & left
        if new:
            if new & y:
                return True
            left ^= new
            free &= left
            todo |= new
    return False


class Separation:
    """Separation of two sides in one graph, asked for many sets: compiled once.

    `cut` names nodes whose outgoing arrows are removed first; `forbidden` names may not be in a set at all.
    """

    def __init__(
        self,
        graph: Graph,
        xs: Iterable[str],
        ys: Iterable[str],
        *,
        cut: Iterable[str] = (),
        forbidden: Iterable[str] = (),
    ) -> None:
        masks = graph.acyclic_masks("separation")
        self._graph, self._cut = graph, as_names(cut)
        self.xs, self.ys = masks.mask(xs), masks.mask(ys)
        self.forbidden = as_names(forbidden)
        if self._cut and graph.order is not None:
            masks = masks.without_arrows_out_of(masks.mask(self._cut), graph.order)
        self._masks = masks
        self._area = 0
        for bit in each_bit(self.xs | self.ys):
            self._area |= masks.ancestors[bit]

    @cached_property
    def graph(self) -> Graph:
        """The graph in which the sides are separated or not."""
        return self._graph.without_edges_out_of(self._cut) if self._cut else self._graph

    def admits(self, given: frozenset[str]) -> bool:
        """Does `given` separate the two sides without a forbidden or unknown name?"""
        if not self.forbidden.isdisjoint(given):
            return False
        z, area, node = 0, self._area, self._masks.node
        for name in given:
            if name not in node:
                return False
            bit, above = node[name]
            z |= bit
            area |= above
        return not _meets(self._masks, self.xs & ~z, self.ys & ~z, z, area)
