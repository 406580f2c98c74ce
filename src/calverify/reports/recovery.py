"""Graphs from text: how much of the source graph the traces recover, and what checking gains on graphs of their own."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from calverify.evaluation import COVERAGE, Recovery, Study, Unit
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Number, Share, Table
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

__all__ = ["recovery"]

NAME, TITLE = "recovery", "Graph construction from text"
LEVEL = "level"
STRUCTURE = "structure_only"
COLUMNS = (
    "policy", LEVEL, "problems", "units", "states a graph", "edge-F1", "exact graph", "signature kept",
    "verdict kept", VOTE, STRUCTURE, CALVER, COVERAGE, "gain",
)  # fmt: skip
NEEDED = "needs problems without a graph whose keys hold the source graph (constructed-graph mode)."


@report("recovery")
def recovery(studies: Sequence[Study], options: Options) -> Parts:
    """What traces recover of a graph that is told in a text, by level, and the gain of checking on their own graphs."""
    if why := lacking(studies, VOTE, CALVER):
        return [empty(NAME, TITLE, why)]
    kept = [unit for unit in units_of(studies) if unit.recovered]
    if not kept:
        return [empty(NAME, TITLE, NEEDED)]
    rows: list[tuple[Cell, ...]] = []
    for policy, these in by_policy(studies):
        units = [unit for unit in units_of(these) if unit.recovered]
        for level in sorted({unit.strata.get(LEVEL, "all") for unit in units}):
            part = [unit for unit in units if unit.strata.get(LEVEL, "all") == level]
            rows.append((policy, level, *_row(part, options)))
    notes = [
        interval_note(kept, options.how),
        *counted_notes(kept, [VOTE, CALVER]),
        "Of the candidates: the share that states a graph that can be judged; of those, the mean edge-F1 and the share "
        "with exactly the source's edges.",
        "Signature kept: both graphs say the same about the returned backdoor set.  Verdict kept: the answer's verdict "
        "on the trace's own graph is its verdict on the source graph.",
    ]
    left = len(units_of(studies)) - len(kept)
    if left:
        notes.append(f"Left out: {plural(left, 'unit')} of problems that supply their graph.")
    return [Table(NAME, TITLE, COLUMNS, tuple(rows), tuple(notes))]


def _row(units: Sequence[Unit], options: Options) -> tuple[Cell, ...]:
    every = [one for unit in units for one in unit.recovered]
    stated = [one for one in every if one is not None]
    structure = accuracy_of(units, STRUCTURE) if all(STRUCTURE in unit.choices for unit in units) else None
    return (
        len({unit.problem for unit in units}),
        len(units),
        Share.of(len(stated), len(every)),
        Number(float(sum((one.edge_f1 for one in stated), Fraction(0)) / len(stated))) if stated else None,
        Share.of(sum(one.exact for one in stated), len(stated)),
        _kept(stated, "signature"),
        _kept(stated, "carries"),
        accuracy_of(units, VOTE),
        structure,
        accuracy_of(units, CALVER),
        accuracy_of(units, COVERAGE),
        gain_of(units, CALVER, VOTE, options.how),
    )


def _kept(stated: Iterable[Recovery], what: str) -> Share | None:
    """The share of those for which the question makes sense."""
    said = [getattr(one, what) for one in stated if getattr(one, what) is not None]
    return Share.of(sum(said), len(said))
