"""Numeric effects by decision margin: how selection fares near the threshold, and what the strict guards leave."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from calverify.errors import BudgetError
from calverify.evaluation import Study, Unit
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Table
from calverify.reports._units import (
    CALVER,
    VOTE,
    accuracy_of,
    counted_notes,
    empty,
    gain_of,
    interval_note,
    lacking,
    plural,
)
from calverify.scoring import certify, checker_for
from calverify.tasks import ate, task_of

__all__ = ["EDGES", "GUARDS", "guard_of", "margin_of", "margins"]

NAME, TITLE = "margins", "Numeric effects by decision margin"
COLUMNS = (
    "stratum", "units", "vote", CALVER, "gain", "candidates", "maximum score", "of these right", "certified",
    "certified and right",
)  # fmt: skip
EDGES = (Fraction(0), Fraction(1, 50), Fraction(1, 20), Fraction(3, 20))
GUARDS = ("certified", "holds treatment or outcome", "holds a descendant of the treatment", "within the tolerance")
NEEDED = "needs units of the task ate: problems with probability tables (scm)."


@dataclass(slots=True)
class Audit:
    """A unit, the distance of its effect from the threshold, and what the guards say of its maximum-score traces."""

    unit: Unit
    margin: Fraction
    guards: tuple[tuple[str, bool | None], ...]  # (guard, is the decision right) a maximum-score trace


def margin_of(study: Study, unit: Unit) -> Fraction | None:
    """How far the exact effect is from the threshold; None where it cannot be computed."""
    case = checker_for(study.problems[unit.problem]).case
    if case is None:
        return None
    state: ate.Effect = case.state
    try:
        return abs(state.truth() - state.threshold)
    except BudgetError:
        return None


def guard_of(study: Study, unit: Unit, place: int) -> str:
    """Certified, or the first guard that a maximum-score trace breaks."""
    problem = study.problems[unit.problem]
    if certify(problem, study.pools[unit.problem, unit.seed].candidates[place].text):
        return GUARDS[0]
    claim: ate.EffectClaim = unit.verdicts[place].claim
    x, y = problem.query.targets
    graph = unit.verdicts[place].judged_on.graph
    assert claim.adjustment is not None
    if claim.adjustment & {x, y}:
        return GUARDS[1]
    return GUARDS[2] if claim.adjustment & graph.strict_descendants({x}) else GUARDS[3]


def _audits(studies: Sequence[Study]) -> tuple[list[Audit], int]:
    """The audit of every numeric unit, and how many are undetermined."""
    found, held = [], 0
    for study in studies:
        for unit in study.units:
            if task_of(study.problems[unit.problem].query).name != "ate":
                continue
            margin = margin_of(study, unit)
            if margin is None:
                held += 1
                continue
            guards = [(guard_of(study, unit, place), unit.correct[place])
                      for place, verdict in enumerate(unit.verdicts) if verdict.score == 6]  # fmt: skip
            found.append(Audit(unit, margin, tuple(guards)))
    return found, held


@report("margins")
def margins(studies: Sequence[Study], options: Options) -> Parts:
    """Vote, calver and certified traces by the distance of the effect from the threshold; wrong traces by guard."""
    if why := lacking(studies, VOTE, CALVER):
        return [empty(NAME, TITLE, why)]
    audits, held = _audits(studies)
    if not audits:
        return [empty(NAME, TITLE, NEEDED if not held else f"the effects of {plural(held, 'unit')} are undetermined.")]
    bounds = [*EDGES, None]
    rows: list[tuple[Cell, ...]] = []
    for low, high in zip(EDGES, bounds[1:], strict=True):
        inside = [audit for audit in audits if audit.margin >= low and (high is None or audit.margin < high)]
        said = f"[{float(low):g}, {float(high):g})" if high is not None else f"{float(low):g} and more"
        rows.append((said, *_row(inside, options)))
    outside = [audit for audit in audits if audit.margin >= EDGES[1]]
    rows += [("all", *_row(audits, options)), (f"reported: {float(EDGES[1]):g} and more", *_row(outside, options))]
    units = [audit.unit for audit in audits]
    notes = [
        interval_note(units, options.how),
        *counted_notes(units, [VOTE, CALVER]),
        "The margin is the distance of the exact effect from the threshold.  Strata are a complete partition; the "
        "reported stratum leaves out the first, in which agreement within 0.02 does not settle the decision.",
    ]
    if held:
        notes.append(f"Left out: {plural(held, 'unit')} whose effect is undetermined.")
    return [Table(NAME, TITLE, COLUMNS, tuple(rows), tuple(notes)), _guards(audits)]


def _row(audits: Sequence[Audit], options: Options) -> tuple[Cell, ...]:
    units = [audit.unit for audit in audits]
    top = [guard for audit in audits for guard in audit.guards]
    certified = [right for guard, right in top if guard == GUARDS[0]]
    return (
        len(units),
        accuracy_of(units, VOTE),
        accuracy_of(units, CALVER),
        gain_of(units, CALVER, VOTE, options.how),
        sum(len(unit.verdicts) for unit in units),
        len(top),
        sum(right is True for _, right in top),
        len(certified),
        sum(right is True for right in certified),
    )


def _guards(audits: Sequence[Audit]) -> Table:
    """The maximum-score traces by what the strict guards say of them, right and wrong apart."""
    counts = Counter(guard for audit in audits for guard in audit.guards)
    rows: list[tuple[Cell, ...]] = [
        (guard, *(counts[guard, right] for right in (True, False, None))) for guard in GUARDS
    ]
    total: tuple[Cell, ...] = tuple(sum(counts[guard, right] for guard in GUARDS) for right in (True, False, None))
    notes = (
        "Traces with the maximum score by the first strict guard that they break: the set first, then the margin.",
        "A certified trace cannot be wrong: a count other than 0 there would be an error of the checker.",
    )
    columns = ("guard", "right", "wrong", "undetermined")
    title = "What the strict guards leave of the maximum score"
    return Table(f"{NAME}-guards", title, columns, (*rows, ("all with the maximum score", *total)), notes)
