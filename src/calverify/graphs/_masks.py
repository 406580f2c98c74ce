"""The machine form of a graph: every set of nodes is one integer, every relation a table from bit to mask.

Rule 1: node i is the bit `1 << i`; a bidirected edge A <-> B is one more bit, a latent parent of A and of B, above
all nodes.  So one routine serves d- and m-separation.
Rule 2: tables are keyed by the bit itself, because `mask & -mask` yields bits, not positions.
"""

from collections.abc import Iterable, Iterator

from calverify.errors import GraphError

__all__ = ["Masks", "as_names", "each_bit", "reach"]


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
    """Bit tables of one graph.  `ancestors` (inclusive, latents included) is built by `close`."""

    __slots__ = ("ancestors", "bits", "children", "names", "node", "parents", "spouses", "visible")

    def __init__(
        self, nodes: tuple[str, ...], directed: Iterable[tuple[str, str]], bidirected: Iterable[tuple[str, str]]
    ) -> None:
        self.bits = bits = {name: 1 << i for i, name in enumerate(nodes)}
        self.names = dict(zip(bits.values(), nodes, strict=True))
        self.visible = (1 << len(nodes)) - 1
        self.parents = parents = dict.fromkeys(self.names, 0)
        self.children = children = dict.fromkeys(self.names, 0)
        self.spouses = spouses = dict.fromkeys(self.names, 0)
        for tail, head in directed:
            parents[bits[head]] |= bits[tail]
            children[bits[tail]] |= bits[head]
        latent = 1 << len(nodes)
        for left, right in bidirected:
            one, two = bits[left], bits[right]
            spouses[one] |= two
            spouses[two] |= one
            parents[latent] = 0
            children[latent] = one | two
            parents[one] |= latent
            parents[two] |= latent
            latent <<= 1
        self.ancestors: dict[int, int] = {}
        self.node: dict[str, tuple[int, int]] = {}

    def order(self) -> list[int] | None:
        """Nodes and latents with parents before children, or None when a directed cycle exists."""
        children = self.children
        waiting = {bit: parents.bit_count() for bit, parents in self.parents.items()}
        ready = [bit for bit, count in waiting.items() if not count]
        for bit in ready:  # grows while we walk it
            todo = children[bit]
            while todo:
                child = todo & -todo
                todo ^= child
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)
        return ready if len(ready) == len(waiting) else None

    def close(self, order: list[int] | None) -> None:
        """Fill `ancestors`, and `node` from name to (bit, inclusive ancestors)."""
        parents, ancestors = self.parents, self.ancestors
        if order is None:
            for bit in parents:
                ancestors[bit] = reach(parents, bit)
        else:
            for bit in order:
                found, todo = bit, parents[bit]
                while todo:
                    parent = todo & -todo
                    todo ^= parent
                    found |= ancestors[parent]
                ancestors[bit] = found
        self.node = {name: (bit, ancestors[bit]) for name, bit in self.bits.items()}

    def without_arrows_out_of(self, cut: int, order: list[int]) -> "Masks":
        """These tables once arrows out of `cut` are removed; only what lies below it is closed anew."""
        other = Masks.__new__(Masks)
        other.bits, other.names, other.visible, other.spouses = self.bits, self.names, self.visible, self.spouses
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
