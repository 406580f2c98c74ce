"""The tie rule: how much of the accuracy is owed to the order in which tied candidates happen to stand."""

from collections.abc import Sequence
from typing import NamedTuple

from calverify.evaluation import Study, Unit
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Share, Table
from calverify.reports._units import CALVER, VOTE, accuracy_of, counted_notes, empty, lacking, plural

__all__ = ["Tie", "tie_of", "ties"]

NAME, TITLE = "ties", "Accuracy under other tie rules"
COLUMNS = ("policy", "units", "tie rate", "worst tied", "first index", "best tied", "vote")


class Tie(NamedTuple):
    """The candidates that share the highest score: how many, is every one right, is any, and is one undetermined?"""

    size: int
    worst: bool
    best: bool
    undetermined: bool


def tie_of(study: Study, unit: Unit) -> Tie:
    """What resolving the unit's tie to its worst and to its best candidate would give."""
    scores = study.view(unit).scores
    top = max((score for score in scores if score is not None), default=None)
    tied = [right for score, right in zip(scores, unit.correct, strict=True) if top is not None and score == top]
    right = [outcome is True for outcome in tied]
    return Tie(len(tied), bool(tied) and all(right), any(right), None in tied)


@report("ties")
def ties(studies: Sequence[Study], options: Options) -> Parts:
    """How often the highest score is tied, and the accuracy when ties go to the worst, the first and the best."""
    if why := lacking(studies, VOTE, CALVER):
        return [empty(NAME, TITLE, why)]
    rows: list[tuple[Cell, ...]] = []
    notes: list[str] = []
    for study in studies:
        found, n = [tie_of(study, unit) for unit in study.units], len(study.units)
        rows.append(
            (
                study.policy,
                n,
                Share.of(sum(tie.size > 1 for tie in found), n),
                Share.of(sum(tie.worst for tie in found), n),
                accuracy_of(study.units, CALVER),
                Share.of(sum(tie.best for tie in found), n),
                accuracy_of(study.units, VOTE),
            )
        )
        notes += [f"{study.policy}: {said}" for said in counted_notes(study.units, [VOTE, CALVER])]
        held = sum(tie.undetermined for tie in found)
        if held:
            notes.append(
                f"{study.policy}: an undetermined candidate is tied in {plural(held, 'unit')}; it is not right."
            )
    notes.append("Worst tied: right only where every candidate with the highest score is; best tied: where any is.")
    return [Table(NAME, TITLE, COLUMNS, tuple(rows), tuple(notes))]
