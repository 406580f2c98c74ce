"""The paper's theory as functions: exact where it is exact, and pure.

Rule 1: shares and precisions are fractions, so that increments sum to their curve and ties are ties.
Rule 2: a candidate that stands aside (no score) ranks below every score and is never right.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, comb, exp, lcm, log

from calverify.errors import BudgetError, CalverifyError
from calverify.graphs import Graph, query_signature

__all__ = [
    "FirstIndexLaw",
    "Fragmentation",
    "Inversion",
    "SharpFamily",
    "first_index_law",
    "fragmentation",
    "plurality_accuracy",
    "samples_needed",
    "signatures_agree",
    "stable_bits",
    "weighted_law",
]

MOST_STEPS = 12_000_000
MOST_BITS = 6


# ---------------------------------------------------------------- fragmentation


@dataclass(frozen=True, slots=True)
class Fragmentation:
    """Which way plurality goes as K grows, and how fast (the validity fragmentation theorem).

    `regime` is "fails" (an invalid answer has `margin` more mass than every valid one), "succeeds" (a valid one has
    `margin` more than every invalid one), or "open" (the strongest of both sorts weigh the same).  `rivals` is the
    number of answers the union bound runs over; no answer counts as a rival where there is no other.
    """

    regime: str
    margin: Fraction
    rivals: int

    def bound(self, k: int) -> float:
        """In the failing regime, plurality is valid with at most this probability; in the other with at least this."""
        tail = self.rivals * exp(-k * float(self.margin) ** 2 / 2)
        return {"fails": min(1.0, tail), "succeeds": max(0.0, 1 - tail), "open": 0.0}[self.regime]

    def samples_needed(self, miss: float) -> int | None:
        """The K from which the bound is within `miss` of its limit; None in the open regime, which has no limit."""
        return None if self.regime == "open" else samples_needed(self.margin, self.rivals, miss)


def fragmentation(masses: Mapping[str, Fraction], valid: Collection[str]) -> Fragmentation:
    """The regime of a distribution of answers; `masses` are shares of all draws, at most 1 together."""
    _refuse_impossible(masses)
    right = [mass for answer, mass in masses.items() if answer in valid and mass > 0]
    wrong = [mass for answer, mass in masses.items() if answer not in valid and mass > 0]
    margin = max(right, default=Fraction(0)) - max(wrong, default=Fraction(0))
    if margin == 0:
        return Fragmentation("open", Fraction(0), 0)
    if margin < 0:
        return Fragmentation("fails", -margin, len(right))
    return Fragmentation("succeeds", margin, len(wrong) or int(sum(masses.values()) < 1))


def samples_needed(margin: Fraction, rivals: int, miss: float) -> int:
    """The smallest K >= 1 with rivals * exp(-K * margin**2 / 2) <= miss."""
    if not 0 < miss < 1 or not 0 < margin <= 1:
        raise CalverifyError(f"margin and miss lie between 0 and 1, not {margin} and {miss}")
    if rivals <= miss:
        return 1
    return max(1, ceil(2 * log(rivals / miss) / float(margin) ** 2))


def _refuse_impossible(masses: Mapping[str, Fraction]) -> None:
    for answer, mass in masses.items():
        if not isinstance(mass, Fraction | int) or not 0 <= mass <= 1:
            raise CalverifyError(f"the mass of {answer!r} must be a fraction between 0 and 1, not {mass!r}")
    if sum(masses.values()) > 1:
        raise CalverifyError(f"the masses add up to {sum(masses.values())}, which is more than 1")


@dataclass(frozen=True, slots=True)
class SharpFamily:
    """`spread` valid answers share the mass `rho` evenly, one invalid answer has the rest."""

    rho: Fraction
    spread: int

    def __post_init__(self) -> None:
        if not 0 < self.rho < 1 or self.spread < 1:
            raise CalverifyError(
                f"rho lies between 0 and 1 and there is a valid answer, not {self.rho} over {self.spread}"
            )

    @property
    def flips(self) -> bool:
        """Is the invalid answer the only mode, so that plurality converges to it?"""
        return self.spread > self.rho / (1 - self.rho)

    @property
    def masses(self) -> dict[str, Fraction]:
        return {**{f"valid {i}": self.rho / self.spread for i in range(self.spread)}, "invalid": 1 - self.rho}

    @property
    def valid(self) -> frozenset[str]:
        return frozenset(self.masses) - {"invalid"}

    def verified(self, k: int) -> Fraction:
        """A score that separates valid from invalid is right whenever any valid answer is there."""
        return 1 - (1 - self.rho) ** k

    def plurality(self, k: int) -> Fraction:
        return plurality_accuracy(self.masses, self.valid, k)


# ---------------------------------------------------------------- plurality, exactly


def plurality_accuracy(masses: Mapping[str, Fraction], valid: Collection[str], k: int) -> Fraction:
    """The probability that plurality over k independent draws is valid, ties going to the earliest first occurrence.

    What the masses leave to 1 is no answer, which does not vote.  Given the counts, each of t tied answers came first
    with probability 1/t, so the multinomial sum runs over the top count, and over how many valid and invalid answers
    reach it; every weight is an integer over the common denominator to the power k.
    """
    _refuse_impossible(masses)
    scale = lcm(*(Fraction(mass).denominator for mass in masses.values()), 1)
    weights = [(int(mass * scale), answer in valid) for answer, mass in sorted(masses.items()) if mass > 0]
    silent = scale - sum(weight for weight, _ in weights)
    if len(weights) * k**3 > MOST_STEPS:
        raise BudgetError(f"plurality over {k} draws of {len(weights)} answers is too large to sum exactly")
    total = sum((_reached(top, weights, silent, k) for top in range(1, k + 1)), Fraction(0))
    return total / int(scale**k)


def _reached(top: int, weights: Sequence[tuple[int, bool]], silent: int, k: int) -> Fraction:
    """The weight of all outcomes whose highest count is `top`, each times the share of valid answers among the tied."""
    ways: dict[tuple[int, int, int], int] = {(k, 0, 0): 1}  # (draws left, valid at the top, invalid at the top)
    for weight, is_valid in weights:
        powers = [weight**count for count in range(top + 1)]
        new: dict[tuple[int, int, int], int] = {}
        for (left, good, bad), way in ways.items():
            for count in range(min(top, left) + 1):
                tied = count == top
                state = left - count, good + (tied and is_valid), bad + (tied and not is_valid)
                new[state] = new.get(state, 0) + way * comb(left, count) * powers[count]
        ways = new
    parts = (
        Fraction(way * silent**left * good, good + bad) for (left, good, bad), way in ways.items() if good + bad > 0
    )
    return sum(parts, Fraction(0))


# ---------------------------------------------------------------- the first-index law


@dataclass(frozen=True, slots=True)
class Inversion:
    """A higher score that is less often right than the one below it: more draws can then hurt."""

    lower: int | None
    higher: int
    precision_lower: Fraction
    precision_higher: Fraction


@dataclass(frozen=True)
class FirstIndexLaw:
    """What one draw is like, score by score from the lowest, and what the earliest maximum of k draws is worth.

    `scores` are the occupied ones (None: stands aside), `shares` P(S = s), `precisions` P(right | S = s).
    """

    scores: tuple[int | None, ...]
    shares: tuple[Fraction, ...]
    precisions: tuple[Fraction, ...]

    @cached_property
    def below(self) -> tuple[Fraction, ...]:
        """q_j = P(S <= s_j)."""
        return tuple(sum(self.shares[: place + 1], Fraction(0)) for place in range(len(self.shares)))

    def accuracy(self, k: int) -> Fraction:
        """sum over s of w_s (Q_s^k - Q_{s-1}^k)."""
        under = (Fraction(0), *self.below)
        rows = zip(self.precisions, under[1:], under, strict=False)
        return sum((w * (q**k - lower**k) for w, q, lower in rows), Fraction(0))

    def telescoped(self, k: int) -> Fraction:
        """The same: w_m + sum over j < m of (w_j - w_{j+1}) q_j^k."""
        return self.limit + sum((-step * q**k for step, q in self._steps), Fraction(0))

    def increment(self, k: int) -> Fraction:
        """accuracy(k + 1) - accuracy(k): the sum of (w_{j+1} - w_j) (1 - q_j) q_j^k."""
        return sum((step * (1 - q) * q**k for step, q in self._steps), Fraction(0))

    @property
    def _steps(self) -> list[tuple[Fraction, Fraction]]:
        """(w_{j+1} - w_j, q_j) for each score but the highest."""
        pairs = zip(self.precisions, self.precisions[1:], self.below, strict=False)
        return [(higher - lower, q) for lower, higher, q in pairs]

    @property
    def limit(self) -> Fraction:
        """What the curve tends to: the precision of the highest occupied score."""
        return self.precisions[-1]

    @property
    def inversions(self) -> tuple[Inversion, ...]:
        """Neighbouring scores of which the higher is right less often; with none of them, the curve never falls."""
        rows = zip(self.scores, self.scores[1:], self.precisions, self.precisions[1:], strict=False)
        return tuple(Inversion(a, b, v, w) for a, b, v, w in rows if b is not None and w < v)


def first_index_law(pairs: Iterable[tuple[int | None, bool]]) -> FirstIndexLaw:
    """The law of candidates given as (score, right), each with the same weight."""
    return weighted_law((score, right, Fraction(1)) for score, right in pairs)


def weighted_law(rows: Iterable[tuple[int | None, bool, Fraction]]) -> FirstIndexLaw:
    """The law of candidates given as (score, right, weight)."""
    drawn: dict[int | None, Fraction] = {}
    good: dict[int | None, Fraction] = {}
    for score, right, weight in rows:
        drawn[score] = drawn.get(score, Fraction(0)) + weight
        good[score] = good.get(score, Fraction(0)) + (weight if right and score is not None else 0)
    total = sum(drawn.values(), Fraction(0))
    if not total:
        raise CalverifyError("a law needs at least one candidate")
    scores = tuple(sorted(drawn, key=lambda score: -1 if score is None else score))
    kept = tuple(score for score in scores if drawn[score])
    return FirstIndexLaw(kept, tuple(drawn[s] / total for s in kept), tuple(good[s] / drawn[s] for s in kept))


# ---------------------------------------------------------------- stability


def stable_bits(scores: Sequence[int]) -> int | None:
    """How many bits of every trace may be judged wrongly without moving the choice; None where the maximum is tied.

    The lemma's e: the largest with margin > 2e; a lone candidate is chosen whatever its bits.
    """
    ranked = sorted(scores, reverse=True)
    if not ranked:
        return None
    if len(ranked) == 1:
        return MOST_BITS
    margin = ranked[0] - ranked[1]
    return None if margin == 0 else (margin - 1) // 2


def signatures_agree(graph: Graph, source: Graph, treatment: str, outcome: str, given: Collection[str]) -> bool:
    """Do both graphs say the same about this backdoor claim?  Equal signatures carry a verdict from one to the other.

    A name that one of the graphs does not know is a disagreement.
    """
    if not all(name in each for name in (treatment, outcome, *given) for each in (graph, source)):
        return False
    return query_signature(graph, treatment, outcome, given) == query_signature(source, treatment, outcome, given)
