"""Edits that should do nothing, cost exactly three components, or cost exactly one: made in the study's own traces.

Renaming is made in the raw text of every candidate.  The two destructive edits are made in traces with the maximum
score, because a trace that failed already has no further component to lose: the trace is written out again, slot by
slot, with its own six values and the edit.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any

from calverify.errors import Fault
from calverify.evaluation import Study, Unit
from calverify.reports._renaming import Renaming, renaming_of
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Share, Table
from calverify.sampling import familiar_errors
from calverify.scoring import Verdict, checker_for, verify
from calverify.tasks import Case, task_of
from calverify.traces import Trace, parse, render_trace

__all__ = ["adversarial", "damaged_witness", "swapped"]

NAME, TITLE = "adversarial", "What edits of the traces do to their scores"
COLUMNS = ("edit", "expected", "tried", "as expected", "share", "otherwise", "could not be edited")
FULL = 6


def _case(problem: Any, verdict: Verdict) -> Case:
    """The question on the graph that the trace was judged on."""
    supplied = checker_for(problem).case
    return supplied if supplied is not None else task_of(problem.query).case(verdict.judged_on, problem.query)


def _written(trace: Trace, line: str, **parts: Any) -> str:
    """The trace by the book, with other values in some of its slots ({"strategy": ...}) and on the ANSWER line."""
    names = ("graph", "query", "strategy", "derivation", "result", "answer")
    return render_trace([parts.get(name, value) for name, value in zip(names, trace.slots, strict=True)], line)


def swapped(trace: Trace, verdict: Verdict, case: Case) -> str | None:
    """The trace with an invalid object, or the other word, in its answer slot and on its line; None without one."""
    kind = case.task.answer
    held = kind.read(verdict.answer, case.names, "answer")
    wrong = familiar_errors(case, [held], 1)
    if not wrong:
        return None
    _, value = wrong[0]
    return _written(trace, kind.spell(value), answer={**trace.slots[5], "answer": kind.show(value)})


def damaged_witness(trace: Trace, verdict: Verdict, case: Case, rng: Random) -> str | None:
    """The trace with one node of its witness path replaced so that a step of it is no edge; None without a witness."""
    task, body = case.task, trace.slots[2]
    if task.witness is None or task.witness_fault is None or verdict.answer != "yes":
        return None
    key = next((name for name in body if name in task.states), None)
    walk = None if key is None else task.witness.read(body[key], case.names, "strategy")
    if not isinstance(walk, tuple) or not all(isinstance(node, str) for node in walk):
        return None
    trials = ((place, name) for place in range(len(walk)) for name in sorted(case.names) if name != walk[place])
    for place, name in rng.sample(listed := list(trials), len(listed)):
        broken = (*walk[:place], name, *walk[place + 1 :])
        if task.witness_fault(broken, case) is not None:
            line = task.answer.spell("yes")
            return _written(trace, line, strategy={**body, key: task.witness.show(broken)})
    return None


class Tally:
    """One edit: how many were made, the scores that they left, and how many could not be made."""

    def __init__(self) -> None:
        self.scores: Counter[int | str] = Counter()
        self.left_out = 0

    def row(self, name: str, expected: str, good: int | str) -> tuple[Cell, ...]:
        tried = self.scores.total()
        others = sorted(((str(score), count) for score, count in self.scores.items() if score != good))
        said = ", ".join(f"{score}: {count:,}" for score, count in others) or "none"
        done = self.scores[good]
        return (name, expected, tried, done, Share.of(done, tried), said, self.left_out)


def _rename(study: Study, units: Sequence[Unit], seed: int, tally: Tally) -> None:
    """Every candidate of one problem's pools, scored again under other names."""
    problem = study.problems[units[0].problem]
    pools = [study.pools[unit.problem, unit.seed].texts for unit in units]
    renaming: Renaming | None = renaming_of(problem, list(chain(*pools)), Random(f"{seed} {problem.id} renaming"))
    if renaming is None:
        tally.left_out += sum(map(len, pools))
        return
    other = renaming.problem(problem)
    for unit, texts in zip(units, pools, strict=True):
        for text, verdict in zip(texts, unit.verdicts, strict=True):
            found = verify(other, renaming.text(text))
            same = (found.score, found.bits) == (verdict.score, verdict.bits)
            tally.scores["same" if same else f"{_shown(verdict)} to {_shown(found)}"] += 1


def _shown(verdict: Verdict) -> str:
    return "undetermined" if verdict.score is None else str(verdict.score)


def _destroy(study: Study, unit: Unit, rng: Random, swap: Tally, damage: Tally) -> None:
    """Both destructive edits of the unit's maximum-score traces; numeric traces are another family."""
    problem = study.problems[unit.problem]
    family = task_of(problem.query).family
    for text, verdict in zip(study.pools[unit.problem, unit.seed].texts, unit.verdicts, strict=True):
        if verdict.score != FULL or family == "numeric":
            continue
        trace, case = parse(text), _case(problem, verdict)
        kept = case.task.answer.read(verdict.answer, case.names, "answer")
        again = not isinstance(kept, Fault) and verify(problem, _written(trace, case.task.answer.spell(kept)))
        for tally, edited in (
            (swap, swapped(trace, verdict, case)),
            (damage, damaged_witness(trace, verdict, case, rng)),
        ):
            if edited is None or not again or again.score != FULL:
                tally.left_out += tally is swap or family == "decision"
            else:
                found = verify(problem, edited).score
                tally.scores["undetermined" if found is None else found] += 1


@report("adversarial")
def adversarial(studies: Sequence[Study], options: Options) -> Parts:
    """Renaming by a bijection, swapped answers and damaged witnesses: the scores that they leave."""
    rename, swap, damage = Tally(), Tally(), Tally()
    for study in studies:
        for units in _by_problem(study):
            _rename(study, units, options.seed, rename)
            for unit in units:
                rng = Random(f"{options.seed} {unit.problem} {unit.seed} witness")
                _destroy(study, unit, rng, swap, damage)
    rows = (
        rename.row("names changed by a bijection", "same six components", "same"),
        swap.row("final answer swapped", "score 3", 3),
        damage.row("one edge of the witness damaged", "score 5", 5),
    )
    notes = (
        "Renaming: every candidate, in its raw text; left out are problems whose names are words of the contract.",
        "Swaps and damage: candidates with the maximum score, written out again by the book with the edit.",
        "Left out of these: where no invalid answer is found, and decisions without a witness path, as every no is.  "
        "Numeric traces are of another family, and neither.",
        f"Otherwise: the score that was left instead, and how often.  Names and places: seed {options.seed}.",
    )
    return [Table(NAME, TITLE, COLUMNS, rows, notes)]


def _by_problem(study: Study) -> Iterator[list[Unit]]:
    """The units of each problem, in the order of the study."""
    found: dict[str, list[Unit]] = {}
    for unit in study.units:
        found.setdefault(unit.problem, []).append(unit)
    yield from found.values()
