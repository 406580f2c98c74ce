"""Does a high score mean a right answer?  The checker as a classifier of candidates, at each family's own threshold."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from calverify.evaluation import Resampling, Study, Unit, ratio
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Number, Share, Table
from calverify.reports._units import by_policy, interval_note, units_of
from calverify.scoring import Verdict
from calverify.tasks import task_of

__all__ = ["THRESHOLDS", "auroc", "passes", "quality"]

NAME, TITLE = "quality", "How well a high score predicts a right answer"
COLUMNS = (
    "policy", "family", "threshold", "candidates", "right", "precision", "recall", "FPR", "coverage", "AUROC",
    "undetermined",
)  # fmt: skip

# What counts as passing: the validity component, or, where the answer component only compares a number, every one.
THRESHOLDS = {"object": "answer holds", "decision": "answer holds", "numeric": "score 6"}


def passes(verdict: Verdict, family: str) -> bool:
    """Does the candidate reach the threshold of its family?"""
    return verdict.score == 6 if family == "numeric" else verdict.bits["answer"] == 1


@dataclass(slots=True)
class Counts:
    """The determined candidates of one unit: passing and right, passing, right, all."""

    hits: int = 0
    passing: int = 0
    right: int = 0
    all: int = 0


def _counts(unit: Unit, family: str) -> Counts:
    found = Counts()
    for verdict, right in zip(unit.verdicts, unit.correct, strict=True):
        if verdict.undetermined is None and right is not None:
            passing = passes(verdict, family)
            found.all += 1
            found.right += right
            found.passing += passing
            found.hits += passing and right
    return found


def auroc(units: Sequence[Unit]) -> Fraction | None:
    """The chance that a right candidate has a higher score than a wrong one, ties half; None without both."""
    right, wrong = Counter[int](), Counter[int]()
    for unit in units:
        for verdict, good in zip(unit.verdicts, unit.correct, strict=True):
            if verdict.score is not None and good is not None:
                (right if good else wrong)[verdict.score] += 1
    pairs = right.total() * wrong.total()
    won = sum(a * b * (2 * (high > low) + (high == low)) for high, a in right.items() for low, b in wrong.items())
    return Fraction(won, 2 * pairs) if pairs else None


def _shares(counts: Sequence[Counts], units: Sequence[Unit], how: Resampling) -> list[Share | None]:
    """Precision, recall, false positive rate and coverage, with intervals; None where there is nothing to count."""
    sums = (
        ([c.hits for c in counts], [c.passing for c in counts]),
        ([c.hits for c in counts], [c.right for c in counts]),
        ([c.passing - c.hits for c in counts], [c.all - c.right for c in counts]),
        ([c.passing for c in counts], [c.all for c in counts]),
    )
    clusters = [unit.cluster for unit in units]
    there = [pair for pair in sums if sum(pair[1])]
    varied = there and len(set(clusters)) > 1
    found = iter(ratio(there, clusters, how) if varied else [None] * len(there))
    return [Share(Fraction(sum(top), sum(low)), next(found)) if sum(low) else None for top, low in sums]


@report("quality")
def quality(studies: Sequence[Study], options: Options) -> Parts:
    """Precision, recall, false positives, coverage and AUROC of the score over single candidates."""
    rows: list[tuple[Cell, ...]] = []
    for policy, these in by_policy(studies):
        for family, threshold in THRESHOLDS.items():
            units = [unit for study in these for unit in study.units
                     if task_of(study.problems[unit.problem].query).family == family]  # fmt: skip
            if not units:
                continue
            counts = [_counts(unit, family) for unit in units]
            candidates = sum(count.all for count in counts)
            held = sum(len(unit.verdicts) for unit in units) - candidates
            area = auroc(units)
            shares = _shares(counts, units, options.how)
            right = sum(count.right for count in counts)
            shown = None if area is None else Number(area)
            rows.append((policy, family, threshold, candidates, right, *shares, shown, held))
    notes = (
        interval_note(units_of(studies), options.how),
        "Every candidate counts, readable or not; FPR is the share of wrong ones that pass, coverage of all that pass.",
        "AUROC is that of the score 0 to 6 over all pairs of a right and a wrong candidate, ties half.",
    )
    return [Table(NAME, TITLE, COLUMNS, tuple(rows), notes)]
