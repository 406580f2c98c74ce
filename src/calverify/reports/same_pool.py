"""Every selector on one pool: the records for which every selector has what it needs, all policies together."""

from collections.abc import Sequence
from fractions import Fraction

from calverify.evaluation import COVERAGE, Study, Unit, design_effect, mcnemar
from calverify.pools import SCORE_NAMES
from calverify.reports._shelf import HEADLINE, Options, Parts, report
from calverify.reports._table import Cell, PValue, Table
from calverify.reports._units import (
    CALVER,
    accuracy_of,
    counted_notes,
    empty,
    gains_of,
    interval_note,
    lacking,
    listed,
    plural,
    units_of,
)

__all__ = ["same_pool"]

NAME, TITLE = "same-pool", "Every selector on the same frozen pools"
COLUMNS = ("selector", "accuracy", "gain of calver", "only calver right", "only the other right", "McNemar p")


@report("same-pool", draws=HEADLINE)
def same_pool(studies: Sequence[Study], options: Options) -> Parts:
    """Every selector on the same units, and the gain of calver over each, with coverage as the ceiling."""
    if why := lacking(studies, CALVER):
        return [empty(NAME, TITLE, why)]
    names = listed(studies)
    units = tuple(unit for study in studies for unit in study.units if _complete(study, unit, names))
    if not units:
        return [empty(NAME, TITLE, "needs a unit in which every candidate that stands has every stored score.")]
    others = [*(name for name in names if name != CALVER), COVERAGE]
    gains = dict(zip(others, gains_of(units, CALVER, others, options.how), strict=True))
    ranked = sorted(names, key=lambda name: sum(unit.right(name) for unit in units))
    mine = [unit.right(CALVER) for unit in units]
    rows: list[tuple[Cell, ...]] = []
    for name in [*ranked, COVERAGE]:
        split = mcnemar(mine, [unit.right(name) for unit in units])
        against: tuple[Cell, ...] = (gains[name], split.only_a, split.only_b, PValue(split.p)) if name in gains else ()
        rows.append((name, accuracy_of(units, name), *(against or (None,) * 4)))
    return [Table(NAME, TITLE, COLUMNS, tuple(rows), _notes(studies, units, names, options))]


def _complete(study: Study, unit: Unit, names: Sequence[str]) -> bool:
    """Does every candidate that stands have every stored score that some selector reads?"""
    stored = [name for name in names if name in SCORE_NAMES]
    candidates = study.pools[unit.problem, unit.seed].candidates
    standing = [candidate for candidate, stands in zip(candidates, unit.stands, strict=True) if stands]
    return all(candidate.scores.get(name) is not None for candidate in standing for name in stored)


def _notes(studies: Sequence[Study], units: Sequence[Unit], names: Sequence[str], options: Options) -> tuple[str, ...]:
    notes = [interval_note(units, options.how), *counted_notes(units, names)]
    left = len(units_of(studies)) - len(units)
    if left:
        notes.append(f"Left out: {plural(left, 'unit')} in which a stored score is missing.")
    odd = sorted({name for study in studies for name in study.selectors} - set(names))
    if odd:
        notes.append(f"Not shown, because they did not choose in every study: {', '.join(odd)}.")
    effect = design_effect([Fraction(unit.right(CALVER)) for unit in units], [unit.cluster for unit in units])
    said = "nothing varies" if effect is None else f"{float(effect):.2f}"
    notes.append(f"McNemar's exact test takes units as independent; the design effect of calver by cluster is {said}.")
    return (*notes, "Coverage is no selector: it is right wherever any candidate is, and the gain is the gap to it.")
