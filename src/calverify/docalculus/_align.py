"""Ways from one probability to another by the three rules, and ways to bring two probabilities to one context.

Rule 1: each variable beside the outcome is in one of three states, and one rule leads from each to each; so a search
tries first what brings a variable to its wanted state at once, and all variables that need the same change together.
Rule 2: the first way found is kept, found is found: what was answered once is not searched again.
Rule 3: `MOST_TRIED` leaves are looked at, then the answer is None, which says nothing about the probabilities.
"""

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import NamedTuple, TypeVar

from calverify.docalculus._rules import ABSENT, DO, GIVEN, Leaf, Rules
from calverify.docalculus._separate import each_bit

__all__ = ["Aligner", "Want", "Way"]

MOST_TRIED = 24
STATES = (GIVEN, ABSENT, DO)

Way = tuple[Leaf, ...]  # from the first to the last, one rule between each and the next
Pair = tuple[Leaf, Leaf]
Item = TypeVar("Item")


class Want(NamedTuple):
    """What two leaves should come to: the same states, but for these."""

    given: int = 0  # given in the first; in the second it does not matter
    absent: int = 0  # absent from the second; in the first it does not matter
    ignored: int = 0


class Aligner:
    """Searches on the leaves of one graph, with their answers remembered."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._ways: dict[Pair, Way | None] = {}
        self._pairs: dict[tuple[Pair, Want], tuple[Way, Way] | None] = {}

    def way(self, start: Leaf, stop: Leaf) -> Way | None:
        """A way from one leaf to the other."""
        key = start, stop
        if key not in self._ways:
            self._ways[key] = self._search_way(start, stop) if start.of == stop.of else None
        return self._ways[key]

    def aligned(self, one: Leaf, other: Leaf, want: Want) -> tuple[Way, Way] | None:
        """Ways for both that end as wanted."""
        key = (one, other), want
        if key not in self._pairs:
            self._pairs[key] = self._search_pair(one, other, want)
        return self._pairs[key]

    def _search_way(self, start: Leaf, stop: Leaf) -> Way | None:
        came: dict[Leaf, Leaf | None] = {start: None}
        queue: list[tuple[int, int, Leaf]] = [(0, 0, start)]
        tried = 0
        while queue and tried < MOST_TRIED:
            leaf = heappop(queue)[2]
            if leaf == stop:
                return _trail(came, leaf)
            tried += 1
            self.rules.budget.spend()
            for new in self._steps_towards(leaf, stop):
                if new not in came:
                    came[new] = leaf
                    heappush(queue, (len(came) // 8 + 4 * _apart(new, stop).bit_count(), len(came), new))
        return None

    def _steps_towards(self, leaf: Leaf, stop: Leaf) -> Iterator[Leaf]:
        for was in STATES:
            for wanted in STATES:
                some = _in(leaf, was) & _in(stop, wanted) if was != wanted else 0
                for _, part, state in _moves(False, some, was):
                    new = self.rules.moved(leaf, part, state)
                    if new is not None:
                        yield new

    def _search_pair(self, one: Leaf, other: Leaf, want: Want) -> tuple[Way, Way] | None:
        start = one, other
        came: dict[Pair, Pair | None] = {start: None}
        queue: list[tuple[int, int, Pair]] = [(0, 0, start)]
        tried = 0
        while queue and tried < MOST_TRIED:
            pair = heappop(queue)[2]
            if not _wrong(*pair, want):
                trail = _trail(came, pair)
                return _way_of(trail, 0), _way_of(trail, 1)
            tried += 1
            self.rules.budget.spend()
            for new in self._steps_of_pair(pair, want):
                if new not in came:
                    came[new] = pair
                    heappush(queue, (len(came) // 8 + 4 * _wrong(*new, want).bit_count(), len(came), new))
        return None

    def _steps_of_pair(self, pair: Pair, want: Want) -> Iterator[Pair]:
        one, other = pair
        for second, part, state in _changes(one, other, want):
            new = self.rules.moved(other if second else one, part, state)
            if new is not None:
                yield (one, new) if second else (new, other)


def _changes(one: Leaf, other: Leaf, want: Want) -> Iterator[tuple[bool, int, int]]:
    """(of the second leaf?, variables, their new state) for all that is not as wanted."""
    free = ~(want.given | want.absent | want.ignored)
    for was in STATES:
        yield from _moves(False, want.given & ~one.given & _in(one, was), was)
        yield from _moves(True, want.absent & (other.do | other.given) & _in(other, was), was)
        for beside in STATES:
            if beside != was:
                some = _in(one, was) & _in(other, beside) & free
                yield from _moves(False, some, was)
                yield from _moves(True, some, beside)


def _moves(second: bool, some: int, was: int) -> Iterator[tuple[bool, int, int]]:
    if some:
        for part in _together_and_singly(some):
            yield from ((second, part, state) for state in STATES if state != was)


def _in(leaf: Leaf, state: int) -> int:
    """The variables in a state; of those that are absent, all there are."""
    if state == ABSENT:
        return ~(leaf.of | leaf.do | leaf.given)
    return leaf.do if state == DO else leaf.given


def _apart(one: Leaf, other: Leaf) -> int:
    """The variables that are in different states."""
    return (one.do ^ other.do) | (one.given ^ other.given)


def _wrong(one: Leaf, other: Leaf, want: Want) -> int:
    """The variables that are not as wanted."""
    free = ~(want.given | want.absent | want.ignored)
    return (want.given & ~one.given) | (want.absent & (other.do | other.given)) | (_apart(one, other) & free)


def _together_and_singly(some: int) -> Iterator[int]:
    yield some
    if some & (some - 1):
        yield from each_bit(some)


def _trail(came: Mapping[Item, Item | None], last: Item) -> tuple[Item, ...]:
    found = [last]
    while (before := came[found[-1]]) is not None:
        found.append(before)
    return tuple(reversed(found))


def _way_of(trail: tuple[Pair, ...], side: int) -> Way:
    """One side of the trail, without the moments when the other side moved."""
    way = [trail[0][side]]
    for pair in trail[1:]:
        if pair[side] != way[-1]:
            way.append(pair[side])
    return tuple(way)
