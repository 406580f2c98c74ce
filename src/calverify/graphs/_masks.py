"""The machine form of a graph: every set of nodes is one integer, every relation a table from bit to mask.

Rule 1: node i is the bit `1 << i`; a bidirected edge A <-> B is one more bit, a latent parent of A and of B, above
all nodes.  So one routine serves d- and m-separation.
Rule 2: tables are keyed by the bit itself, because `mask & -mask` yields bits, not positions.
"""

from collections.abc import Iterable, Iterator, Sequence

from calverify.errors import GraphError

__all__ = ["Masks", "as_names", "each_bit", "reach"]

POWERS = [1 << place for place in range(128)]


def as_names(names: Iterable[str]) -> frozenset[str]:
    """The names as a set; a lone string is one name, not its letters."""
    return frozenset((names,) if isinstance(names, str) else names)


def each_bit(mask: int) -> Iterator[int]:
    """The single bits of a mask, lowest first: 0b101 -> 0b001, 0b100."""
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit


def reach(step: dict[int, int], start: int, within: int = -1) -> int:
    """Everything reachable from `start` by `step` without leaving `within`, `start` included."""
    found = todo = start
    while todo:
        bit = todo & -todo
        todo ^= bit
        new = step[bit] & within & ~found
        found |= new
        todo |= new
    return found


class Masks:
    """Bit tables of one graph, from legal names and edges.

    `order` is the bits with parents before children, or None where there is a directed cycle.  `ancestors` are
    inclusive, latents among them, and `node` is from name to (bit, ancestors); where there is a cycle, both are empty,
    because nothing that needs them is defined there.
    """

    __slots__ = ("ancestors", "bits", "children", "names", "node", "order", "parents", "spouses", "visible")

    def __init__(
        self, nodes: Sequence[str], directed: Iterable[tuple[str, str]], bidirected: Sequence[tuple[str, str]]
    ) -> None:
        """Built on lists by place, because a dictionary hashes its key, and a bit is as long as the graph is large."""
        size = len(nodes) + len(bidirected)
        power = POWERS[:size] if size <= len(POWERS) else [1 << i for i in range(size)]
        place = dict(zip(nodes, range(size), strict=False))
        above, below, waiting = [0] * size, [0] * size, [0] * size
        heads: list[list[int]] = [[] for _ in power]
        for tail, head in directed:
            i, j = place[tail], place[head]
            above[j] |= power[i]
            below[i] |= power[j]
            heads[i].append(j)
            waiting[j] += 1
        self.names = dict(zip(power, nodes, strict=False))  # latents have no name
        self.spouses = spouses = dict.fromkeys(self.names, 0)
        for latent, (left, right) in enumerate(bidirected, len(nodes)):
            i, j = heads[latent] = [place[left], place[right]]
            spouses[power[i]] |= power[j]
            spouses[power[j]] |= power[i]
            below[latent] = power[i] | power[j]
            for end in (i, j):
                above[end] |= power[latent]
                waiting[end] += 1
        self.bits = dict(zip(nodes, power, strict=False))
        self.visible = (1 << len(nodes)) - 1
        self.parents = dict(zip(power, above, strict=True))
        self.children = dict(zip(power, below, strict=True))
        self.order, self.ancestors = _in_order(power, heads, waiting)
        self.node = dict(zip(self.bits, self.ancestors.items(), strict=False))

    def without_arrows_out_of(self, cut: int, order: list[int]) -> "Masks":
        """These tables once arrows out of `cut` are removed; only what lies below it is closed anew."""
        other = Masks.__new__(Masks)
        other.bits, other.names, other.visible, other.spouses = self.bits, self.names, self.visible, self.spouses
        other.order = order
        other.parents, other.children = parents, children = dict(self.parents), dict(self.children)
        other.ancestors = ancestors = dict(self.ancestors)
        other.node = dict(self.node)
        below = 0
        for bit in each_bit(cut):
            for child in each_bit(children[bit]):
                parents[child] &= ~cut
            below |= reach(self.children, self.children[bit])
            children[bit] = 0
        for bit in order:
            if bit & below:
                found = bit
                for parent in each_bit(parents[bit]):
                    found |= ancestors[parent]
                ancestors[bit] = found
                other.node[self.names[bit]] = bit, found
        return other

    def mask(self, names: Iterable[str]) -> int:
        """The names as one integer; an unknown name is refused."""
        bits, mask = self.bits, 0
        for name in (names,) if isinstance(names, str) else names:
            if name not in bits:
                raise GraphError(f"{name!r} is not a node of the graph (nodes: {', '.join(bits) or 'none'})")
            mask |= bits[name]
        return mask

    def named(self, mask: int) -> tuple[str, ...]:
        """The visible nodes of a mask, in the graph's order."""
        names = self.names
        return tuple(names[bit] for bit in each_bit(mask & self.visible))


def _in_order(power: list[int], heads: list[list[int]], waiting: list[int]) -> tuple[list[int] | None, dict[int, int]]:
    """The bits with parents before children, and each one's inclusive ancestors; None and none where there is a cycle.

    `heads` are the places of each one's children, `waiting` is how many parents each one has; it is used up.
    """
    closed = power.copy()
    ready = [i for i, parents in enumerate(waiting) if not parents]
    for i in ready:  # grows while we walk it
        above = closed[i]
        for j in heads[i]:
            closed[j] |= above
            waiting[j] -= 1
            if not waiting[j]:
                ready.append(j)
    if len(ready) < len(power):
        return None, {}
    return [power[i] for i in ready], dict(zip(power, closed, strict=True))
