"""Where gains come from: complete partitions of the units by task and graph class, and by every stratum of the keys."""

from collections.abc import Iterable, Sequence

from calverify.evaluation import Study, Unit
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
    units_of,
)

__all__ = ["tasks"]

NAME, TITLE = "tasks", "Selection accuracy by graph class and task"
FIXED = ("graph", "task")
KNOWN = {*FIXED, "form", "edge_f1"}  # the others come from the keys; edge_f1 is a measure, which `filters` cuts
NOT_STATED = "(not stated)"


@report("tasks")
def tasks(studies: Sequence[Study], options: Options) -> Parts:
    """By graph class and task, and by every other stratum that the keys name: vote, calver and the gain."""
    if why := lacking(studies, VOTE, CALVER):
        return [empty(NAME, TITLE, why)]
    forms = {unit.strata["form"] for unit in units_of(studies) if "form" in unit.strata}
    parts: Parts = [_partition(NAME, TITLE, [*FIXED, *(["form"] if len(forms) > 1 else [])], studies, options)]
    for stratum in sorted({name for unit in units_of(studies) for name in unit.strata} - KNOWN):
        parts.append(_partition(f"{NAME}-{stratum}", f"Selection accuracy by {stratum}", [stratum], studies, options))
    return parts


def _partition(name: str, title: str, by: Sequence[str], studies: Sequence[Study], options: Options) -> Table:
    """One row a cell of the partition, for each policy and for all of them."""
    rows: list[tuple[Cell, ...]] = []
    for policy, these in by_policy(studies):
        units = units_of(these)
        for cell in _cells(units, by):
            inside = [unit for unit in units if _cell(unit, by) == cell]
            rows.append((policy, *cell, *_row(inside, options)))
        rows.append((policy, "all", *[""] * (len(by) - 1), *_row(units, options)))
    units = units_of(studies)
    notes = [
        interval_note(units, options.how),
        *counted_notes(units, [VOTE, CALVER]),
        "A complete partition: every unit stands in exactly one row of its policy, and the row \"all\" is their sum.",
    ]  # fmt: skip
    columns = ("policy", *by, "units", "clusters", "vote", CALVER, "gain")
    return Table(name, title, columns, tuple(rows), tuple(notes))


def _cell(unit: Unit, by: Sequence[str]) -> tuple[str, ...]:
    return tuple(unit.strata.get(name, NOT_STATED) for name in by)


def _cells(units: Iterable[Unit], by: Sequence[str]) -> list[tuple[str, ...]]:
    return sorted({_cell(unit, by) for unit in units})


def _row(units: Sequence[Unit], options: Options) -> tuple[Cell, ...]:
    gain = gain_of(units, CALVER, VOTE, options.how)
    return (
        len(units),
        len({unit.cluster for unit in units}),
        accuracy_of(units, VOTE),
        accuracy_of(units, CALVER),
        gain,
    )
