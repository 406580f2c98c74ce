"""Intervals and paired tests: resample clusters, keep all their units, compare on the same draws.

Rule 1: a statistic is a ratio of sums over units, so clusters of different sizes weigh what they hold.
Rule 2: what is compared shares its draws; two intervals made apart say nothing about a difference.
Rule 3: the draws come from a seed (PCG64), and an interval records how it was made.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import comb
from types import UnionType
from typing import TYPE_CHECKING, Any

from calverify.errors import CalverifyError
from calverify.names import brief
from calverify.records import read_fields

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

__all__ = [
    "Interval",
    "McNemar",
    "Resampling",
    "accuracy",
    "cluster_draws",
    "design_effect",
    "mcnemar",
    "paired_gain",
    "paired_gains",
    "ratio",
]

Column = tuple[int, ...]  # one number a cluster

DRAWS = 10_000
CELLS_AT_ONCE = 4_000_000  # of the matrix of draws: 32 MB
PERCENTILES = (2.5, 97.5)
KINDS: dict[str, type | UnionType] = {
    "point": int | float, "low": int | float, "high": int | float, "draws": int, "clusters": int, "units": int,
    "key": str,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Interval:
    """A point estimate with its 95 % percentile interval, as fractions, and how the interval was made."""

    point: float
    low: float
    high: float
    draws: int
    clusters: int
    units: int
    key: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Interval":
        return cls(**read_fields("interval", record, KINDS, needed=KINDS))


@dataclass(frozen=True, slots=True)
class Resampling:
    """What is alike in all intervals of one table: the number of draws, their seed, and what a cluster is."""

    draws: int = DRAWS
    seed: int = 0
    key: str = "problem"


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise CalverifyError("intervals need numpy: pip install 'calverify[eval]'") from None
    return numpy


def cluster_draws(count: int, draws: int, seed: int) -> "NDArray[int64]":
    """The clusters of each draw, by place: `draws` rows of `count` places, from PCG64 of the seed."""
    np = _numpy()
    drawn: NDArray[int64] = np.random.Generator(np.random.PCG64(seed)).integers(count, size=(draws, count))
    return drawn


def ratio(
    parts: Sequence[tuple[Sequence[int], Sequence[int]]], clusters: Sequence[Hashable], how: Resampling
) -> tuple[Interval, ...]:
    """The interval of sum(top) / sum(bottom) for each (top, bottom), one number a unit, all on the same draws.

    A draw in which a bottom sums to nothing (no unit of that cluster counts) says nothing and is left out.
    """
    if how.draws < 1:
        raise CalverifyError(f"an interval needs at least one draw, not {how.draws}")
    if not clusters:
        raise CalverifyError("there is no unit to take an interval over")
    places = {cluster: place for place, cluster in enumerate(dict.fromkeys(clusters))}
    units = [places[cluster] for cluster in clusters]
    sums = [(_sums(top, units, len(places)), _sums(bottom, units, len(places))) for top, bottom in parts]
    for _, below in sums:
        if sum(below) <= 0:
            raise CalverifyError("there is no unit to take an interval over")
    bounds = _percentiles(sums, len(places), how)
    points = [float(Fraction(sum(above), sum(below))) for above, below in sums]
    return tuple(
        Interval(point, low, high, how.draws, len(places), len(units), how.key)
        for point, (low, high) in zip(points, bounds, strict=True)
    )


def _sums(values: Sequence[int], units: Sequence[int], clusters: int) -> Column:
    """The sum over each cluster's units."""
    if len(values) != len(units):
        raise CalverifyError(f"{len(values)} values do not belong to {len(units)} units")
    found = [0] * clusters
    for place, value in zip(units, values, strict=True):
        found[place] += int(value)
    return tuple(found)


def _percentiles(sums: Sequence[tuple[Column, Column]], count: int, how: Resampling) -> list[tuple[float, float]]:
    """The 2.5th and 97.5th percentile of each ratio; the matrix of draws is made a piece at a time."""
    np = _numpy()
    rng = np.random.Generator(np.random.PCG64(how.seed))
    columns = {tuple(column): np.asarray(column) for pair in sums for column in pair}
    found: list[list[NDArray[float64]]] = [[] for _ in sums]
    rows = max(1, CELLS_AT_ONCE // count)
    for start in range(0, how.draws, rows):
        drawn = rng.integers(count, size=(min(rows, how.draws - start), count))
        totals = {name: column[drawn].sum(axis=1) for name, column in columns.items()}
        for (above, below), ratios in zip(sums, found, strict=True):
            bottom = totals[below]
            told = bottom > 0
            ratios.append(totals[above][told] / bottom[told])
    limits = [np.percentile(np.concatenate(ratios), PERCENTILES) for ratios in found]
    return [(float(low), float(high)) for low, high in limits]


def accuracy(
    right: Sequence[bool], clusters: Sequence[Hashable], *, draws: int = DRAWS, seed: int = 0, key: str = "problem"
) -> Interval:
    """The share of units that are right."""
    (found,) = ratio([(right, [1] * len(right))], clusters, Resampling(draws, seed, key))
    return found


def paired_gain(
    a: Sequence[bool],
    b: Sequence[bool],
    clusters: Sequence[Hashable],
    *,
    draws: int = DRAWS,
    seed: int = 0,
    key: str = "problem",
) -> Interval:
    """How much more often `a` is right than `b` on the same units: 0.174 is 17.4 points."""
    (found,) = paired_gains(a, [b], clusters, Resampling(draws, seed, key))
    return found


def paired_gains(
    a: Sequence[bool], others: Sequence[Sequence[bool]], clusters: Sequence[Hashable], how: Resampling
) -> tuple[Interval, ...]:
    """The gain of `a` over each of the others, all on the same draws."""
    ones = [1] * len(a)
    for b in others:
        _refuse_unpaired(a, b)
    return ratio([([int(x) - int(y) for x, y in zip(a, b, strict=True)], ones) for b in others], clusters, how)


def _refuse_unpaired(a: Sequence[bool], b: Sequence[bool]) -> None:
    if len(a) != len(b):
        raise CalverifyError(f"a comparison is paired: {len(a)} units on one side and {len(b)} on the other")


@dataclass(frozen=True, slots=True)
class McNemar:
    """The units on which two selectors differ, and the exact two-sided p of an even split."""

    only_a: int
    only_b: int
    both: int
    neither: int
    p: Fraction

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "p": float(self.p)}


def mcnemar(a: Sequence[bool], b: Sequence[bool]) -> McNemar:
    """Exact McNemar test: under no difference, the discordant units fall on either side like fair coins.

    It takes units as independent; where clusters hold several, read it beside `design_effect`.
    """
    _refuse_unpaired(a, b)
    cells = [(bool(x), bool(y)) for x, y in zip(a, b, strict=True)]
    only_a, only_b = cells.count((True, False)), cells.count((False, True))
    n = only_a + only_b
    tail = Fraction(sum(comb(n, k) for k in range(min(only_a, only_b) + 1)), 2**n)
    p = min(Fraction(1), 2 * tail)
    return McNemar(only_a, only_b, cells.count((True, True)), cells.count((False, False)), p)


def design_effect(values: Sequence[int | Fraction], clusters: Sequence[Hashable]) -> Fraction | None:
    """How many times the variance of a mean grows because units come in clusters; None where nothing varies.

    Exact: the sum over clusters of (sum of deviations) squared, over the sum of squared deviations (linearised).
    It is 1 with one unit a cluster, and m where the m units of every cluster say the same.
    """
    if len(values) != len(clusters):
        raise CalverifyError(f"{len(values)} values do not belong to {len(clusters)} units")
    if any(isinstance(value, float) for value in values):
        raise CalverifyError(f"values must be exact, not floats: {brief(list(values))}")
    if not values:
        return None
    mean = Fraction(sum(values)) / len(values)
    within: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
    for value, cluster in zip(values, clusters, strict=True):
        within[cluster] += value - mean
    spread = sum(((value - mean) ** 2 for value in values), Fraction(0))
    return sum((deviation**2 for deviation in within.values()), Fraction(0)) / spread if spread else None
