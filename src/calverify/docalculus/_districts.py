"""A mixed graph as bit masks, for `identify`: ancestors, districts, separation.  Shared with no other engine.

Rule 1: node i of a topological order (ties by name) is the bit `1 << i`, so what lies below a bit came before it, and
the order in which a graph lists its nodes changes nothing.
Rule 2: surgery is an argument, not a new graph: `within` keeps some nodes, `into` cuts every edge with an arrowhead at
some (bidirected edges too), `out` cuts every arrow that leaves some.
Rule 3: `projected` alone makes new tables: those of the graph in which some nodes are not observed.
"""

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush

from calverify.errors import QueryError
from calverify.graphs import Graph

__all__ = ["Districts", "bits_of"]


def bits_of(mask: int) -> Iterator[int]:
    """The single bits of a mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


class Districts:
    """The tables of one acyclic graph: `parents`, `children` and `spouses` from bit to mask."""

    def __init__(self, graph: Graph) -> None:
        if not graph.acyclic or graph.undirected:
            raise QueryError(f"effects are identified in acyclic graphs (dag or admg), and this one is {graph.kind}")
        self.names: tuple[str, ...] = _order(graph)
        self.bit = {name: 1 << place for place, name in enumerate(self.names)}
        self.all = (1 << len(self.names)) - 1
        self.parents = dict.fromkeys(self.bit.values(), 0)
        self.children = dict(self.parents)
        self.spouses = dict(self.parents)
        for tail, head in graph.directed:
            self.parents[self.bit[head]] |= self.bit[tail]
            self.children[self.bit[tail]] |= self.bit[head]
        for left, right in graph.bidirected:
            self.spouses[self.bit[left]] |= self.bit[right]
            self.spouses[self.bit[right]] |= self.bit[left]

    def projected(self, gone: int) -> "Districts":
        """The graph over the other nodes that says of them what this one does (the latent projection)."""
        new = self._copy()
        for bit in bits_of(gone & self.all):
            new._leave_out(bit)
        return new

    def _copy(self) -> "Districts":
        new = Districts.__new__(Districts)
        new.names, new.bit, new.all = self.names, self.bit, self.all
        new.parents, new.children, new.spouses = self.parents.copy(), self.children.copy(), self.spouses.copy()
        return new

    def _leave_out(self, bit: int) -> None:
        """Its parents reach its children; its children are joined to each other and to its spouses."""
        parents, children, spouses = (table.pop(bit) for table in (self.parents, self.children, self.spouses))
        self.all ^= bit
        for parent in bits_of(parents):
            self.children[parent] = (self.children[parent] ^ bit) | children
        for child in bits_of(children):
            self.parents[child] = (self.parents[child] ^ bit) | parents
            self.spouses[child] |= (children | spouses) & ~child
        for spouse in bits_of(spouses):
            self.spouses[spouse] = (self.spouses[spouse] & ~bit) | children & ~spouse

    def without_arrows(self, tails: int, heads: int) -> "Districts":
        """The graph without the arrows from some nodes to others."""
        new = self._copy()
        for tail in bits_of(tails):
            new.children[tail] &= ~heads
        for head in bits_of(heads):
            new.parents[head] &= ~tails
        return new

    def mask(self, names: Iterable[str]) -> int:
        return sum(self.bit[name] for name in set(names))

    def named(self, mask: int) -> list[str]:
        """The names of a mask, sorted: what records and sentences show."""
        return sorted(self.name(bit) for bit in bits_of(mask))

    def name(self, bit: int) -> str:
        return self.names[bit.bit_length() - 1]

    def ancestors(self, of: int, within: int, into: int = 0) -> int:
        """`of`, and every node with a directed path to it."""
        found = todo = of & within
        while todo:
            bit = todo & -todo
            todo ^= bit
            new = 0 if bit & into else self.parents[bit] & within & ~found
            found |= new
            todo |= new
        return found

    def descendants(self, of: int, within: int, into: int = 0) -> int:
        found = todo = of & within
        while todo:
            bit = todo & -todo
            new = self.children[bit] & within & ~found & ~into
            found |= new
            todo = (todo ^ bit) | new
        return found

    def district(self, bit: int, within: int) -> int:
        """What bidirected edges join to the bit, itself included."""
        found = todo = bit
        while todo:
            one = todo & -todo
            new = self.spouses[one] & within & ~found
            found |= new
            todo = (todo ^ one) | new
        return found

    def districts(self, within: int) -> list[int]:
        found = []
        while within:
            found.append(self.district(within & -within, within))
            within &= ~found[-1]
        return found

    def closure(self, inner: int) -> int:
        """The largest set that is joined by bidirected edges and of which every node reaches the joined set `inner`.

        The ID algorithm gets the factor of `inner` out of the observed distribution when this is `inner` itself.
        """
        found, within = 0, self.all
        while found != within:
            found = within
            within = self.district(inner & -inner, self.ancestors(inner, within))
        return found

    def pillow(self, bit: int, within: int) -> int:
        """The earlier nodes that fix the bit's conditional distribution: its district so far, and their parents."""
        district = self.district(bit, within & (2 * bit - 1))
        found = district
        for one in bits_of(district):
            found |= self.parents[one] & within
        return found & ~bit

    def separated(self, one: int, other: int, given: int, into: int = 0, out: int = 0) -> bool:
        """Is every path from one set to the other blocked?  By walks, over (node, arrived at its arrowhead?) pairs.

        A walk turns at a given node; a collider above one is passed by going down to it and back.
        """
        by_tail = todo_tail = one & ~given
        by_head = todo_head = 0
        while todo_tail | todo_head:
            if (by_tail | by_head) & other:
                return False
            at_head = not todo_tail
            bit = (todo_head & -todo_head) if at_head else todo_tail & -todo_tail
            todo_tail, todo_head = (todo_tail, todo_head ^ bit) if at_head else (todo_tail ^ bit, todo_head)
            passes = not bit & given
            tails = heads = 0
            if passes and not bit & out:
                heads = self.children[bit] & ~into
            if not bit & into and at_head != passes:
                tails = self.parents[bit] & ~out
                heads |= self.spouses[bit] & ~into
            todo_tail |= tails & ~by_tail
            todo_head |= heads & ~by_head
            by_tail, by_head = by_tail | tails, by_head | heads
        return True


def _order(graph: Graph) -> tuple[str, ...]:
    """Parents before children; among those that may come next, the least name."""
    waiting = dict.fromkeys(graph.nodes, 0)
    children: dict[str, list[str]] = {name: [] for name in graph.nodes}
    for tail, head in graph.directed:
        waiting[head] += 1
        children[tail].append(head)
    ready = [name for name, count in waiting.items() if not count]
    heapify(ready)
    order = []
    while ready:
        name = heappop(ready)
        order.append(name)
        for child in children[name]:
            waiting[child] -= 1
            if not waiting[child]:
                heappush(ready, child)
    return tuple(order)
