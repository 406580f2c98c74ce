"""The ablation: what each of the six components is worth, dropped from the score or alone."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from calverify.evaluation import Study, Unit
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Table
from calverify.reports._units import CALVER, VOTE, accuracy_of, empty, gains_of, interval_note, lacking, units_of
from calverify.selectors import earliest_max
from calverify.traces import SLOTS

__all__ = ["VARIANTS", "components", "pick_by"]

NAME, TITLE = "components", "Component ablation: selection by part of the score"
STRUCTURE = "structure_only"
STATED = ("graph", "query", "strategy", "derivation")
COLUMNS = ("policy", "score", "components", "units", "accuracy", "gain over the vote", "gain over the whole score")


def _variants() -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "whole score", SLOTS
    for slot in SLOTS:
        yield f"without {slot}", tuple(other for other in SLOTS if other != slot)
    for slot in SLOTS:
        yield f"{slot} alone", (slot,)
    yield "without result and answer", STATED


VARIANTS = tuple(_variants())


def pick_by(study: Study, unit: Unit, kept: Sequence[str]) -> int | None:
    """The earliest candidate with the most of these components."""
    view = study.view(unit)
    return earliest_max(view.counted(lambda place: sum(view.verdicts[place].bits[slot] or 0 for slot in kept)))


def _ablated(study: Study) -> tuple[Unit, ...]:
    """The units with a choice for each variant beside the vote and the structure-only control."""
    control = study if STRUCTURE in study.selectors else study.chosen_by([STRUCTURE])
    found = []
    for unit, other in zip(study.units, control.units, strict=True):
        picks = {name: pick_by(study, unit, kept) for name, kept in VARIANTS}
        kept = {VOTE: unit.choices[VOTE], STRUCTURE: other.choices[STRUCTURE]}
        found.append(replace(unit, choices={**kept, **picks}))
    return tuple(found)


@report("components")
def components(studies: Sequence[Study], options: Options) -> Parts:
    """Selection with each component dropped, with each alone, and with the structure-only control."""
    if why := lacking(studies, VOTE, CALVER):
        return [empty(NAME, TITLE, why)]
    whole = VARIANTS[0][0]
    rows: list[tuple[Cell, ...]] = []
    for study in studies:
        units = _ablated(study)
        for name, kept in (*VARIANTS, (STRUCTURE, ("graph", "query", "derivation", "format"))):
            over_vote, over_whole = gains_of(units, name, [VOTE, whole], options.how) if units else (None, None)
            shown = "all six" if kept == SLOTS else ", ".join(kept)
            change = None if name == whole else over_whole
            rows.append((study.policy, name, shown, len(units), accuracy_of(units, name), over_vote, change))
    notes = (
        interval_note(units_of(studies), options.how),
        "Every variant picks the earliest candidate with the most components, among the same candidates.",
        "Format: the answer slot can be read and the ANSWER line does not contradict it; validity is not looked at.",
    )
    return [Table(NAME, TITLE, COLUMNS, tuple(rows), notes)]
