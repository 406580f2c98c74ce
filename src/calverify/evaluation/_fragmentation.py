"""The fragmentation meter: how right answers split the vote, pool by pool, and whether checking can help at all.

A pool has headroom where some candidate is right that may be picked.  Of these, the paper's first stratum holds the
pools in which one invalid answer has more votes than any valid one: there plurality is wrong by construction, and the
more draws, the more surely.  The second holds the rest.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from calverify.errors import CalverifyError
from calverify.evaluation._bootstrap import Interval, Resampling, paired_gain, ratio
from calverify.evaluation._study import COVERAGE, Study, Unit
from calverify.selectors import View

__all__ = ["STRATA", "Meter", "PoolMass", "Stratum", "contrasts", "decompose", "mass_of", "meter"]

STRATA = ("an invalid answer is the strict plurality", "otherwise")
ALL = "all pools with headroom"
CHANCE = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class PoolMass:
    """The votes of one pool, as shares of the candidates that vote.

    `regime` is "none" (no valid answer), "fails" (an invalid answer leads every valid one), "holds" (a valid one
    leads every invalid one) or "tied".  An undetermined answer is of neither sort.
    """

    problem: str
    seed: int
    voters: int
    strongest_valid: Fraction
    strongest_invalid: Fraction
    valid_mass: Fraction
    valid_answers: int

    @property
    def regime(self) -> str:
        if not self.valid_answers:
            return "none"
        lead = self.strongest_valid - self.strongest_invalid
        return "holds" if lead > 0 else "fails" if lead < 0 else "tied"

    @property
    def fragmented(self) -> bool:
        """Do the valid answers together outweigh the invalid one that leads each of them?"""
        return self.regime == "fails" and self.valid_mass > self.strongest_invalid


def mass_of(view: View, unit: Unit) -> PoolMass:
    """The masses of a pool's answers, valid and invalid."""
    votes = Counter(answer for answer in view.answers if answer is not None)
    right = {answer: ok for answer, ok in zip(view.answers, unit.correct, strict=True) if answer is not None}
    voters = sum(votes.values())
    valid = [count for answer, count in votes.items() if right[answer] is True]
    invalid = [count for answer, count in votes.items() if right[answer] is False]
    each = [Fraction(part, voters) if voters else Fraction(0) for part in (
        max(valid, default=0), max(invalid, default=0), sum(valid))]  # fmt: skip
    return PoolMass(unit.problem, unit.seed, voters, each[0], each[1], each[2], len(valid))


# ---------------------------------------------------------------- repairs and losses


@dataclass(frozen=True, slots=True)
class Stratum:
    """Units of one kind, and on how many of them each selector is right, one alone, or the other."""

    name: str
    units: int
    base_right: int
    other_right: int
    repairs: int
    losses: int

    @property
    def gain(self) -> Fraction:
        """(repairs - losses) / units; 0 where there is no unit."""
        return Fraction(self.repairs - self.losses, self.units) if self.units else Fraction(0)


def decompose(rows: Iterable[tuple[str, bool, bool]], order: Sequence[str] = STRATA, total: str = ALL) -> list[Stratum]:
    """One stratum a name of `order`, then all together, from (stratum, is base right, is the other right) a unit."""
    rows = list(rows)
    for name, _, _ in rows:
        if name not in order:
            raise CalverifyError(f"no stratum is called {name!r}; there are {', '.join(order)}")
    parts = [_stratum(name, [(base, other) for row, base, other in rows if row == name]) for name in order]
    return [*parts, _stratum(total, [(base, other) for _, base, other in rows])]


def _stratum(name: str, pairs: Sequence[tuple[bool, bool]]) -> Stratum:
    repairs = sum(other and not base for base, other in pairs)
    losses = sum(base and not other for base, other in pairs)
    return Stratum(name, len(pairs), sum(b for b, _ in pairs), sum(o for _, o in pairs), repairs, losses)


def contrasts(study: Study, base: str = "plurality", other: str = "calver") -> list[tuple[str, bool, bool]]:
    """The rows of `decompose` for the pools with headroom."""
    rows = []
    for unit in study.units:
        if unit.covered:
            fails = mass_of(study.view(unit), unit).regime == "fails"
            rows.append((STRATA[0] if fails else STRATA[1], unit.right(base), unit.right(other)))
    return rows


# ---------------------------------------------------------------- can checking help?


@dataclass(frozen=True, slots=True)
class Meter:
    """What a pilot says about checking: the pools by regime, the headroom over plurality, and what the score tells.

    `told` is how often the checker scores a right candidate above a wrong one of the same pool (ties half), None where
    no pool holds both.  `gain_expected` is False where checking cannot help, and `sentence` says why.
    """

    regimes: dict[str, int]
    fragmented: int
    most_valid_answers: int
    headroom: Interval
    told: Interval | None
    gain_expected: bool
    sentence: str


def meter(study: Study, *, draws: int = 10_000, seed: int = 0) -> Meter:
    """The meter of a study that plurality and the checker chose in."""
    if not study.units:
        raise CalverifyError("a study without pools cannot be measured")
    masses = [mass_of(study.view(unit), unit) for unit in study.units]
    counts = Counter(mass.regime for mass in masses)
    regimes = {name: counts[name] for name in ("fails", "tied", "holds", "none")}
    headroom = paired_gain(study.right(COVERAGE), study.right("plurality"), study.clusters, draws=draws, seed=seed)
    told = _told(study, Resampling(draws, seed))
    fragmented = sum(mass.fragmented for mass in masses)
    most = max(mass.valid_answers for mass in masses)
    why_not = _why_not(regimes, headroom, told)
    sentence = f"no gain expected: {why_not}" if why_not else _promise(regimes, fragmented, most, headroom)
    return Meter(regimes, fragmented, most, headroom, told, not why_not, sentence)


def _told(study: Study, how: Resampling) -> Interval | None:
    """Concordant pairs over pairs, so that an uninformative score gives one half."""
    pairs = [_concordance(unit) for unit in study.units]
    if not any(total for _, total in pairs):
        return None
    (found,) = ratio([([won for won, _ in pairs], [total for _, total in pairs])], study.clusters, how)
    return found


def _concordance(unit: Unit) -> tuple[int, int]:
    """(2 for each pair of a right and a wrong candidate that the score puts in order, 1 for each tie; 2 a pair)."""
    scores: dict[bool, list[int]] = {True: [], False: []}
    for verdict, right, stands in zip(unit.verdicts, unit.correct, unit.stands, strict=True):
        if stands and right is not None:
            scores[right].append(verdict.score or 0)
    won = sum(2 * (good > bad) + (good == bad) for good, bad in product(scores[True], scores[False]))
    return won, 2 * len(scores[True]) * len(scores[False])


def _why_not(regimes: dict[str, int], headroom: Interval, told: Interval | None) -> str:
    """Why checking cannot help, or nothing."""
    if regimes["none"] == sum(regimes.values()):
        return "no pool holds a right answer"
    if headroom.low <= 0:
        return (
            f"plurality is right almost wherever any candidate is (headroom {_points(headroom)})"
            if headroom.point
            else "plurality is right wherever any candidate is"
        )
    if told is None or told.low <= CHANCE:
        return "within a pool, the checker's score does not tell right candidates from wrong ones"
    return ""


def _promise(regimes: dict[str, int], fragmented: int, most: int, headroom: Interval) -> str:
    pools = sum(regimes.values())
    lead = f"checking can help: up to {_points(headroom)} over plurality"
    where = f"an invalid answer leads in {regimes['fails']} of {pools} pools"
    if most < 2:
        return f"{lead}; {where}, and nothing is fragmented: no pool holds two valid answers"
    return f"{lead}; {where}, in {fragmented} of them although the valid answers together have more votes"


def _points(interval: Interval) -> str:
    return f"{100 * interval.point:.1f} points [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"
