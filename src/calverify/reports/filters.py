"""The round-trip filter: what the gain would be under stricter and laxer thresholds of the corpus."""

from collections.abc import Sequence
from fractions import Fraction

from calverify.evaluation import Study, Unit
from calverify.names import exact_number
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Table
from calverify.reports._units import (
    CALVER,
    VOTE,
    accuracy_of,
    by_policy,
    counted_notes,
    empty,
    gain_of,
    interval_note,
    lacking,
    plural,
    units_of,
)

__all__ = ["THRESHOLDS", "filters"]

NAME, TITLE = "filters", "Sensitivity to the round-trip filter"
STRATUM = "edge_f1"
COLUMNS = ("policy", "filter", "problems", "units", "vote", CALVER, "gain")
THRESHOLDS = (Fraction(1), Fraction(19, 20), Fraction(9, 10), Fraction(4, 5), Fraction(1, 2), Fraction(0))
NEEDED = (
    f"needs the stratum {STRATUM!r} in the keys, the round-trip edge-F1 of each problem from 0 to 1, as text: "
    '{"strata": {"edge_f1": "0.95"}}.'
)


def _measure(unit: Unit) -> Fraction | None:
    return exact_number(unit.strata.get(STRATUM))


@report("filters")
def filters(studies: Sequence[Study], options: Options) -> Parts:
    """Vote, calver and the gain on the problems whose round-trip edge-F1 reaches each threshold."""
    if why := lacking(studies, VOTE, CALVER):
        return [empty(NAME, TITLE, why)]
    measured = {id(unit): _measure(unit) for unit in units_of(studies)}
    if all(value is None for value in measured.values()):
        return [empty(NAME, TITLE, NEEDED)]
    rows: list[tuple[Cell, ...]] = []
    for policy, these in by_policy(studies):
        for threshold in THRESHOLDS:
            units = [u for u in units_of(these) if (value := measured[id(u)]) is not None and value >= threshold]
            said = "= 1" if threshold == 1 else f">= {float(threshold):g}"
            problems = len({unit.problem for unit in units})
            gain = gain_of(units, CALVER, VOTE, options.how)
            rows.append(
                (policy, said, problems, len(units), accuracy_of(units, VOTE), accuracy_of(units, CALVER), gain)
            )
    kept = [unit for unit in units_of(studies) if measured[id(unit)] is not None]
    notes = [interval_note(kept, options.how), *counted_notes(kept, [VOTE, CALVER])]
    left = len(measured) - len(kept)
    if left:
        notes.append(f"Left out: {plural(left, 'unit')} whose key states no {STRATUM}.")
    notes.append("Rows are nested: each threshold keeps the problems of the stricter ones.")
    return [Table(NAME, TITLE, COLUMNS, tuple(rows), tuple(notes))]
