"""The main table: every policy by every selector, and what checking gains over the set-aware baseline."""

from collections.abc import Sequence

from calverify.evaluation import COVERAGE, Study
from calverify.reports._shelf import HEADLINE, Options, Parts, report
from calverify.reports._table import Cell, Table
from calverify.reports._units import CALVER, accuracy_of, counted_notes, gain_of, in_order, interval_note, units_of

__all__ = ["policies"]

BASELINE = "medoid"


@report("policies", draws=HEADLINE)
def policies(studies: Sequence[Study], options: Options) -> Parts:
    """Each policy by selector: accuracies, coverage, and the gain of calver over the set medoid."""
    everyone = in_order(name for study in studies for name in study.selectors)
    columns = ("policy", "units", "clusters", *everyone, COVERAGE, f"gain over {BASELINE}")
    rows: list[tuple[Cell, ...]] = []
    for study in studies:
        units = study.units
        shares = [accuracy_of(units, name) if name in study.selectors else None for name in everyone]
        both = {CALVER, BASELINE} <= set(study.selectors)
        gain = gain_of(units, CALVER, BASELINE, options.how) if both else None
        clusters = len(set(study.clusters))
        rows.append((study.policy, len(units), clusters, *shares, accuracy_of(units, COVERAGE), gain))
    return [
        Table("policies", "Selection accuracy by policy and selector", columns, tuple(rows), _notes(studies, options))
    ]


def _notes(studies: Sequence[Study], options: Options) -> tuple[str, ...]:
    notes = [interval_note(units_of(studies), options.how)]
    for study in studies:
        notes += [f"{study.policy}: {said}" for said in counted_notes(study.units, study.selectors)]
        gone = [name for name in (CALVER, BASELINE) if name not in study.selectors]
        if gone:
            notes.append(f"{study.policy}: {' and '.join(gone)} made no choice, so there is no gain to show.")
    return (*notes, "Every selector ranks the same candidates; coverage is the share of units with a right one.")
