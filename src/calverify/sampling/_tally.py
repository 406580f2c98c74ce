"""What a run has: which candidates are there, which failed, how many tokens they took, and how many repeat another.

No text is kept, so that a run of a million candidates takes no more memory than its table of places.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256

from calverify.errors import RecordError
from calverify.sampling._journal import Entry, Failure, Line

__all__ = ["Prices", "Tally", "Unit"]

Unit = tuple[str, int]  # a problem's id and a pool's seed
Prices = tuple[Fraction, Fraction]  # of a million tokens in, and out
MOST_FINGERPRINTS = 20


@dataclass(slots=True)
class Tally:
    """The units of a run in order, and how many candidates each shall have."""

    units: Sequence[Unit]
    k: int
    done: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    uncounted: int = 0  # replies that did not tell their tokens
    repeats: int = 0
    calls: Counter[str] = field(default_factory=Counter)  # by what they gave
    fingerprints: set[str] = field(default_factory=set)
    failed: dict[tuple[Unit, int], str] = field(default_factory=dict)
    _there: dict[Unit, int] = field(default_factory=dict)  # a bit for each place
    _texts: dict[Unit, set[bytes]] = field(default_factory=dict)  # of units that are not whole yet

    def __post_init__(self) -> None:
        self._there = dict.fromkeys(self.units, 0)

    @property
    def total(self) -> int:
        return len(self.units) * self.k

    def missing(self, unit: Unit) -> list[int]:
        """The places of a pool that hold no candidate yet."""
        there = self._there[unit]
        return [index for index in range(self.k) if not there >> index & 1]

    @property
    def short(self) -> Iterator[tuple[Unit, list[int]]]:
        """Each pool that has fewer candidates than it shall have, with the places that are empty."""
        whole = (1 << self.k) - 1
        return ((unit, self.missing(unit)) for unit in self.units if self._there[unit] != whole)

    def add(self, batch: Sequence[Line]) -> None:
        """Count a reply or a failure; a candidate that stands already or has no place is refused."""
        for line in batch:
            if isinstance(line, Failure):
                self.failed[(line.problem, line.seed), line.index] = line.failed
            else:
                self._add(line)

    def _add(self, entry: Entry) -> None:
        unit = (entry.problem, entry.seed)
        where = f"candidate {entry.index} of problem {entry.problem!r}, seed {entry.seed}"
        if unit not in self._there or not 0 <= entry.index < self.k:
            raise RecordError(f"{where} has no place in this run")
        if self._there[unit] >> entry.index & 1:
            raise RecordError(f"{where} stands already in this journal")
        self._there[unit] |= 1 << entry.index
        self.failed.pop((unit, entry.index), None)
        self.done += 1
        self._count_repeat(unit, entry)
        if not entry.choice:
            self._count_call(entry)

    def _count_repeat(self, unit: Unit, entry: Entry) -> None:
        seen = self._texts.setdefault(unit, set())
        before = len(seen)
        seen.add(sha256(f"{entry.reasoning}\0{entry.text}".encode("utf-8", "backslashreplace")).digest()[:12])
        self.repeats += len(seen) == before
        if self._there[unit] == (1 << self.k) - 1:
            del self._texts[unit]

    def _count_call(self, entry: Entry) -> None:
        kind = "single" if entry.wanted <= 1 else "whole" if entry.choices == entry.wanted else "short"
        self.calls[kind] += 1
        self.tokens_in += entry.tokens_in or 0
        self.tokens_out += entry.tokens_out or 0
        self.uncounted += entry.tokens_out is None
        if entry.fingerprint and len(self.fingerprints) < MOST_FINGERPRINTS:
            self.fingerprints.add(entry.fingerprint)

    @property
    def repeated(self) -> Fraction:
        """The share of candidates, but for the first of each pool, that repeat another of theirs."""
        beside = self.done - sum(map(bool, self._there.values()))
        return Fraction(self.repeats, beside) if beside else Fraction(0)

    @property
    def path(self) -> str:
        """How the choices came: "n", "one by one", or "n, topped up one by one"."""
        several, short = self.calls["whole"], self.calls["short"]
        if not several and not short:
            return "one by one"
        return "n" if not short and not self.calls["single"] else "n, topped up one by one"

    def cost(self, prices: Prices | None) -> Fraction | None:
        """What the tokens cost; None where no prices are known."""
        if prices is None:
            return None
        return (self.tokens_in * prices[0] + self.tokens_out * prices[1]) / 1_000_000
