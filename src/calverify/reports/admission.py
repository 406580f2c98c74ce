"""Traces that do not parse: left out of the choice, or scored zero and left in with their raw answers."""

from collections.abc import Sequence
from dataclasses import replace

from calverify.evaluation import COVERAGE, Study
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Table
from calverify.reports._units import (
    ALL,
    CALVER,
    VOTE,
    accuracy_of,
    counted_notes,
    gain_of,
    interval_note,
    plural,
    units_of,
)
from calverify.selectors import ADMISSIONS

__all__ = ["admission", "admitted"]

NAME, TITLE = "admission", "Handling of traces that cannot be read"
COLUMNS = ("policy", "unreadable traces", "units", "first", "vote", CALVER, "gain", COVERAGE)
CHOOSING = ("first", VOTE, CALVER)
HANDLED = dict(zip(ADMISSIONS, ("left out", "scored zero, left in"), strict=True))


def admitted(study: Study, admission: str) -> Study:
    """The study in which these selectors choose again under that handling."""
    return study.only(replace(unit, admission=admission) for unit in study.units).chosen_by(CHOOSING)


@report("admission")
def admission(studies: Sequence[Study], options: Options) -> Parts:
    """Unreadable traces left out, against scored zero and left in: first, vote, calver and the gain under both."""
    handled = {name: [admitted(study, name) for study in studies] for name in ADMISSIONS}
    rows: list[tuple[Cell, ...]] = []
    groups: list[tuple[str, slice]] = [(study.policy, slice(i, i + 1)) for i, study in enumerate(studies)]
    if len(studies) > 1:
        groups.append((ALL, slice(None)))
    for policy, part in groups:
        for name, said in HANDLED.items():
            units = units_of(handled[name][part])
            shares = [accuracy_of(units, selector) for selector in CHOOSING]
            gain = gain_of(units, CALVER, VOTE, options.how)
            rows.append((policy, said, len(units), *shares, gain, accuracy_of(units, COVERAGE)))
    units = units_of(studies)
    verdicts = [verdict for unit in units for verdict in unit.verdicts]
    unread = sum(not verdict.admissible and verdict.undetermined is None for verdict in verdicts)
    held = sum(verdict.undetermined is not None for verdict in verdicts)
    left_out = units_of(handled[ADMISSIONS[0]])
    notes = [
        interval_note(units, options.how),
        f"Unreadable: {unread:,} of {plural(len(verdicts), 'trace')}; undetermined, which never stand: {held:,}.",
        *counted_notes(left_out, CHOOSING),
        "The selectors choose again under each handling.  Left in, an unreadable trace scores 0 and votes with its raw "
        "answer.",
    ]
    return [Table(NAME, TITLE, COLUMNS, tuple(rows), tuple(notes))]
