"""Separation for `prove`, by the augmented graph of Richardson; shared with no other engine.

Rule 1: surgery is an argument: `into` cuts every edge with an arrowhead at some nodes (bidirected edges too), `out`
cuts every arrow that leaves some.
Rule 2: only ancestors of the two sides and of what is given matter.  Among them, a district (what bidirected edges
join) and its parents are joined pairwise: two nodes are neighbours there exactly when a path of colliders connects
them.  Two sets are separated when what is given cuts every path of neighbours.
"""

from collections.abc import Collection, Iterable, Iterator

from calverify.errors import QueryError
from calverify.graphs import Graph

__all__ = ["Separator", "each_bit"]


def each_bit(mask: int) -> Iterator[int]:
    """The single bits of a mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


class _Cut:
    """The parents and spouses that surgery leaves."""

    def __init__(self, parents: dict[int, int], spouses: dict[int, int]) -> None:
        self.parents = parents
        self.spouses = spouses
        self.groups: dict[int, list[int]] = {}  # ancestral set -> its districts, each with its parents

    def ancestors(self, of: int) -> int:
        found = todo = of
        while todo:
            bit = todo & -todo
            new = self.parents[bit] & ~found
            found |= new
            todo = (todo ^ bit) | new
        return found

    def groups_of(self, area: int) -> list[int]:
        if area not in self.groups:
            self.groups[area] = list(self._groups(area))
        return self.groups[area]

    def _groups(self, area: int) -> Iterator[int]:
        left = area
        while left:
            district = todo = left & -left
            group = 0
            while todo:
                bit = todo & -todo
                new = self.spouses[bit] & area & ~district
                group |= self.parents[bit]
                district |= new
                todo = (todo ^ bit) | new
            left &= ~district
            yield group | district


class Separator:
    """The ancestors of some names in an acyclic graph, as bit masks; nodes are numbered by name."""

    def __init__(self, graph: Graph, names: Iterable[str]) -> None:
        if not graph.acyclic or graph.undirected:
            raise QueryError(f"derivations are made in acyclic graphs (dag or admg), and this one is {graph.kind}")
        inside = graph.ancestors(names)
        self.names = sorted(inside)
        self.bit = {name: 1 << place for place, name in enumerate(self.names)}
        self._parents = dict.fromkeys(self.bit.values(), 0)
        self._spouses = dict(self._parents)
        for tail, head in graph.directed:
            if head in inside:
                self._parents[self.bit[head]] |= self.bit[tail]
        for left, right in graph.bidirected:
            if left in inside and right in inside:
                self._spouses[self.bit[left]] |= self.bit[right]
                self._spouses[self.bit[right]] |= self.bit[left]
        self._cuts: dict[tuple[int, int], _Cut] = {}

    def mask(self, names: Collection[str]) -> int:
        return sum(self.bit[name] for name in set(names))

    def named(self, mask: int) -> list[str]:
        """The names of a mask, sorted."""
        return [self.names[bit.bit_length() - 1] for bit in each_bit(mask)]

    def ancestors(self, of: int, into: int = 0) -> int:
        """`of`, and every node with a directed path to it that surgery leaves."""
        return self._cut(into, 0).ancestors(of)

    def separated(self, one: int, other: int, given: int, into: int = 0, out: int = 0) -> bool:
        """Are the two sets separated by the third?  The three are disjoint."""
        cut = self._cut(into, out)
        groups = cut.groups_of(cut.ancestors(one | other | given))
        reached, before = one, 0
        while reached != before:
            before = reached
            for group in groups:
                if group & reached & ~given:
                    reached |= group
        return not reached & other

    def _cut(self, into: int, out: int) -> _Cut:
        key = into, out
        if key not in self._cuts:
            parents = {bit: 0 if bit & into else above & ~out for bit, above in self._parents.items()}
            spouses = {bit: 0 if bit & into else beside & ~into for bit, beside in self._spouses.items()}
            self._cuts[key] = _Cut(parents, spouses)
        return self._cuts[key]
