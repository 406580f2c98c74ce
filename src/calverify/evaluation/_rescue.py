"""Rescue: what a log marked wrong and is valid, and what it marked right and is not, without a new token.

Rule 1: an answer is read from what the model wrote: its six slots, else its ANSWER line.  Only where there is neither,
the answer that the log itself extracted is judged.  Each finding says which of the three it was.
Rule 2: an answer is judged by predicate, on the problem's graph or on that of its key, and never by its spelling.
Rule 3: what cannot be read as an answer is no finding: a grader of ours that misread a text would find mistakes
everywhere.  An answer outside the six slots that names what the graph does not have counts as unread too.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from calverify.errors import BudgetError, Fault
from calverify.exchange import Imported, Mark, is_grade
from calverify.keys import Key
from calverify.problem import Problem
from calverify.scoring import checker_for
from calverify.tasks import Case, task_of
from calverify.traces import CYCLE, NODE, NODE_SET, ORDERING, WALK, parse

__all__ = ["WAYS", "Finding", "MarkCount", "Rescue", "rescue"]

WAYS = ("six slots", "ANSWER line", "extracted by the log")
OF_NAMES = (CYCLE, NODE, NODE_SET, ORDERING, WALK)  # answers that are nothing but names


@dataclass(frozen=True, slots=True)
class Finding:
    """One answer that a log judged: what it said, what is true, and why.

    `valid` is None where it is undetermined or could not be read (`way` is None then).  `index` is None where the log
    judged the record and not one reply of it.
    """

    problem: str
    seed: int
    index: int | None
    place: str
    mark: str
    marked: bool
    valid: bool | None
    answer: str | None
    way: str | None
    why: str
    gold: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class MarkCount:
    """How one grader of the log did: `judged` answers, of which it marked `right`, of which in truth `valid` are."""

    mark: str
    judged: int
    right: int
    valid: int
    rescued: int
    overturned: int
    unread: int
    undetermined: int

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Rescue:
    """Everything that a log judged and that could be judged again."""

    findings: tuple[Finding, ...]

    @property
    def rescued(self) -> tuple[Finding, ...]:
        """Marked wrong, and valid."""
        return tuple(found for found in self.findings if found.valid and not found.marked)

    @property
    def overturned(self) -> tuple[Finding, ...]:
        """Marked right, and not valid."""
        return tuple(found for found in self.findings if found.valid is False and found.marked)

    @property
    def ways(self) -> Mapping[str, int]:
        """How many answers were read in each way."""
        counted = Counter(way for *_, way in {(f.problem, f.seed, f.index, f.way) for f in self.findings})
        return {way: counted[way] for way in WAYS}

    def marks(self) -> tuple[MarkCount, ...]:
        """A line for each grader of the log, in the order in which they first stand there."""
        return tuple(_count(name, [found for found in self.findings if found.mark == name])
                     for name in dict.fromkeys(found.mark for found in self.findings))  # fmt: skip


def _count(name: str, findings: list[Finding]) -> MarkCount:
    judged = [found for found in findings if found.valid is not None]
    unread = sum(found.way is None for found in findings)
    return MarkCount(
        name,
        len(judged),
        sum(found.marked for found in judged),
        sum(bool(found.valid) for found in judged),
        sum(bool(found.valid) and not found.marked for found in judged),
        sum(not found.valid and found.marked for found in judged),
        unread,
        len(findings) - len(judged) - unread,
    )


def rescue(
    imported: Imported,
    keys: Mapping[str, Key] | None = None,
    *,
    marks: tuple[str, ...] = (),
    right_at: Fraction | None = None,
) -> Rescue:
    """Judge again what a log marked right or wrong: by all of its graders, unless some are named.

    `keys` are needed for problems whose graph only the key holds.  From `right_at` on a number is a mark of "right".
    """
    return Rescue(tuple(_findings(imported, keys or {}, marks, right_at)))


def _findings(
    imported: Imported, keys: Mapping[str, Key], marks: tuple[str, ...], right_at: Fraction | None
) -> Iterator[Finding]:
    texts = {(pool.problem, pool.seed): pool.texts for pool in imported.pools}
    judges = {name: _Judge(problem, keys.get(name)) for name, problem in imported.problems.items()}
    for mark in imported.marks:
        text = "" if mark.index is None else texts[mark.problem, mark.seed][mark.index]
        place = imported.places.get((mark.problem, mark.seed, mark.index or 0), "")
        for name in marks or filter(is_grade, mark.scores):
            marked = mark.right(name, right_at)
            if marked is not None:
                valid, answer, way, why = judges[mark.problem].judge(text, _extracted(mark, name))
                unit = (mark.problem, mark.seed, mark.index)
                yield Finding(*unit, place, name, marked, valid, answer, way, why, mark.gold)


def _extracted(mark: Mark, name: str) -> str:
    return mark.answers.get(name, "")


Judgement = tuple[bool | None, str | None, str | None, str]  # is it valid, the answer, how it was read, why


class _Judge:
    """A problem, compiled on the graph that grades it, and asked about many replies."""

    def __init__(self, problem: Problem, key: Key | None) -> None:
        source = problem if key is None or key.graph is None else replace(problem, graph=key.graph, graph_class=None)
        self.checker = checker_for(source)
        self.stated = None if key is None else key.answer
        self.known: dict[tuple[str, str], Judgement] = {}

    def judge(self, text: str, extracted: str) -> Judgement:
        if (text, extracted) not in self.known:
            self.known[text, extracted] = self._judge(text, extracted)
        return self.known[text, extracted]

    def _judge(self, text: str, extracted: str) -> Judgement:
        case = self.checker.case
        if case is None:
            noun = task_of(self.checker.problem.query).formal.noun
            return None, None, None, f"the problem holds no {noun.split()[-1]} to judge on; its key does (--keys)"
        for said, ways in ((text, WAYS[:2]), (extracted, WAYS[2:] * 2)):
            trace = parse(said)
            verdict, way = self.checker.judge(trace), ways[0 if trace.headers else 1]
            if verdict.undetermined:
                return None, None, way, f"undetermined: {verdict.undetermined}"
            if verdict.answer is not None:
                return self._held(case, verdict.answer, way)
            if len(trace.answers) > 1 or trace.headers:
                return None, None, None, "its answer cannot be read, or it gives several"
        if not extracted.strip():
            return None, None, None, "it has no answer line, and the log extracted nothing"
        value = case.task.answer.read(extracted, case.names, "answer")
        if isinstance(value, Fault):
            return None, None, None, f"what the log extracted is no answer: {value.why}"
        return self._held(case, case.task.answer.show(value), WAYS[2])

    def _held(self, case: Case, answer: Any, way: str) -> Judgement:
        """The answer, in plain JSON, against the predicate or, where the key states one, against that."""
        value = case.task.answer.read(answer, case.names, "answer")
        spelled = case.task.answer.spell(value)
        strange = _strange(case, answer) if way != WAYS[0] else []
        if strange:
            return None, spelled, None, f"it names what the graph does not have: {', '.join(strange)}"
        if self.stated is not None:
            truth = case.task.answer.read(self.stated, case.names, "answer")
            return value == truth, spelled, way, f"the key states {case.task.answer.spell(truth)}"
        try:
            return case.holds(value), spelled, way, case.task.explain(value, case).why
        except BudgetError as error:
            return None, spelled, way, f"undetermined: {error}"


def _strange(case: Case, answer: Any) -> list[str]:
    """The names of an answer that are no names of the graph."""
    if case.task.answer not in OF_NAMES:
        return []
    return [name for name in (answer if isinstance(answer, list) else [answer]) if name not in case.names]
