"""What every table does with its units: shares, paired gains, and the sentences that say how they were counted."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from calverify.evaluation import COVERAGE, Interval, Resampling, Study, Unit, paired_gains, ratio
from calverify.reports._table import Points, Share, Table

__all__ = [
    "ALL",
    "CALVER",
    "VOTE",
    "accuracies",
    "accuracy_of",
    "by_policy",
    "counted_notes",
    "empty",
    "gain_of",
    "gains_of",
    "in_order",
    "interval_note",
    "lacking",
    "listed",
    "plural",
    "units_of",
    "whole_or_empty",
]

ALL = "all policies"
CALVER, VOTE = "calver", "plurality"
BASELINES = ("first", VOTE, "medoid", "soft_consistency", "confidence", "reward", "judge", "prm", "structure_only")
OWN = ("cross_validity", "provable", "verified_plurality", CALVER)


def units_of(studies: Iterable[Study]) -> tuple[Unit, ...]:
    """The units of all studies, one after another."""
    return tuple(unit for study in studies for unit in study.units)


def by_policy(studies: Sequence[Study]) -> Iterator[tuple[str, tuple[Study, ...]]]:
    """Each policy with its study, then, where there are several, all of them together."""
    for study in studies:
        yield study.policy, (study,)
    if len(studies) > 1:
        yield ALL, tuple(studies)


def listed(studies: Sequence[Study]) -> tuple[str, ...]:
    """The selectors that chose in every study: baselines, controls, those of plugins, and the checker's own last."""
    return in_order(name for name in studies[0].selectors if all(name in study.selectors for study in studies))


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, in the order in which tables show selectors."""
    asked = dict.fromkeys(names)
    others = [name for name in asked if name not in BASELINES and name not in OWN]
    return tuple(name for name in (*BASELINES, *others, *OWN) if name in asked)


def lacking(studies: Iterable[Study], *names: str) -> str:
    """Which of these selectors did not choose somewhere, as a sentence; nothing where all of them did."""
    gaps = [f"{study.policy} ({', '.join(gone)})" for study in studies
            if (gone := [name for name in names if name not in study.selectors])]  # fmt: skip
    return f"needs choices of {' and '.join(names)}, which are missing in: {'; '.join(gaps)}." if gaps else ""


def empty(name: str, title: str, why: str) -> Table:
    """A table that could not be filled, and what it needs."""
    return Table(name, title, (), (), (f"Nothing to show: {why}",))


def whole_or_empty(table: Table, why: str) -> Table:
    """The table, or, where it has no row, one that says why."""
    return table if table.rows else empty(table.name, table.title, why)


# ---------------------------------------------------------------- cells


def _right(units: Sequence[Unit], name: str) -> list[bool]:
    return [unit.right(name) for unit in units]


def _clusters(units: Iterable[Unit]) -> list[str]:
    return [unit.cluster for unit in units]


def _varied(units: Iterable[Unit]) -> bool:
    """Is there more than one cluster?  Resampling a single one gives the same units again, and an empty certainty."""
    return len(set(_clusters(units))) > 1


def accuracy_of(units: Sequence[Unit], name: str) -> Share | None:
    """How often the selector is right, without an interval; None where there is no unit."""
    return Share.of(sum(_right(units, name)), len(units))


def accuracies(units: Sequence[Unit], names: Sequence[str], how: Resampling) -> list[Share]:
    """How often each selector is right, with intervals from the same draws."""
    ones = [1] * len(units)
    sides = [_right(units, name) for name in names]
    found: Sequence[Interval | None] = [None] * len(sides)
    if _varied(units):
        found = ratio([(side, ones) for side in sides], _clusters(units), how)
    return [Share(Fraction(sum(side), len(side)), interval) for side, interval in zip(sides, found, strict=True)]


def gains_of(units: Sequence[Unit], name: str, others: Sequence[str], how: Resampling) -> list[Points]:
    """How much more often the selector is right than each of the others, unit by unit, from the same draws."""
    mine, theirs = _right(units, name), [_right(units, other) for other in others]
    found: Sequence[Interval | None] = [None] * len(theirs)
    if _varied(units):
        found = paired_gains(mine, theirs, _clusters(units), how)
    return [
        Points(Fraction(sum(mine) - sum(side), len(units)), interval)
        for side, interval in zip(theirs, found, strict=True)
    ]


def gain_of(units: Sequence[Unit], name: str, other: str, how: Resampling) -> Points | None:
    """The gain over one other selector; None where there is no unit."""
    return gains_of(units, name, [other], how)[0] if units else None


# ---------------------------------------------------------------- notes


def plural(count: int, noun: str) -> str:
    """1 unit, 2 units."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def interval_note(units: Sequence[Unit], how: Resampling) -> str:
    """How the intervals of a table were made."""
    clusters = len({unit.cluster for unit in units})
    return (
        f"Intervals: 95 % percentiles of {how.draws:,} paired bootstrap draws (seed {how.seed}) that resample clusters "
        f"(key: {how.key}) and keep all their units, row by row; the table holds {plural(clusters, 'cluster')} and "
        f"{plural(len(units), 'unit')}.  A row of a single cluster has no interval."
    )


def counted_notes(units: Sequence[Unit], names: Sequence[str]) -> list[str]:
    """What was counted as not right without being wrong: nothing could be picked, or the pick is undetermined."""
    notes = []
    silent = sum(not any(unit.stands) for unit in units)
    if silent:
        notes.append(f"In {plural(silent, 'unit')} no candidate may be picked; there no selector is right.")
    for name in names:
        if name == COVERAGE:
            continue
        held = sum(unit.outcome(name) is None for unit in units)
        if held:
            notes.append(f"Undetermined picks of {name}, counted as not right: {held:,}.")
    return notes
