"""Checking and solving without a trace: is this object an answer to this query on this graph, and which ones are?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

from calverify.errors import BudgetError, Fault, QueryError
from calverify.graphs import Graph
from calverify.problem import Problem, Query
from calverify.records import read_fields
from calverify.tasks import Case, task_of
from calverify.traces import NODE_SET

__all__ = ["Check", "case_for", "case_of", "check", "judged", "nearest_valid", "read_in", "solve"]

MAX_SOLUTIONS = 10_000
MAX_TRIALS = 20_000


@dataclass(frozen=True, slots=True)
class Check:
    """Is the object valid, why in one sentence, and data to check that by hand; None is undetermined."""

    valid: bool | None
    why: str
    witness: Mapping[str, Any] | None = None
    answer: Any = None

    def to_json(self) -> dict[str, Any]:
        witness = dict(self.witness) if self.witness is not None else None
        return {"valid": self.valid, "why": self.why, "witness": witness, "answer": self.answer}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Check":
        kinds = {"valid": bool | None, "why": str, "witness": dict | None, "answer": object}
        return cls(**read_fields("check", record, kinds, needed=kinds))


def case_of(graph: Graph | None, query: Query) -> Case:
    """The query compiled on the graph (None for a task that needs none); raises what is wrong with either."""
    return case_for(Problem("(check)", query, graph))


def case_for(problem: Problem) -> Case:
    """The problem's query compiled on what the problem supplies."""
    task = task_of(problem.query)
    formal = task.formal.supplied(problem)
    if formal is None:
        raise QueryError(f"{problem.query.task} needs {task.formal.noun} to be checked")
    return task.case(formal, problem.query)


def read_in(case: Case, answer: Any) -> Any:
    """The answer as the case's task reads it, or a `Fault`."""
    if isinstance(answer, set | frozenset) and case.task.answer is not NODE_SET:
        return Fault("answer", f"a set has no order, and the answer to {case.task.name} is a {case.task.answer.name}")
    if isinstance(answer, set | frozenset | tuple):
        answer = list(answer)
    return case.task.answer.read(answer, case.names, "answer")


def check(graph: Graph | None, query: Query, answer: Any) -> Check:
    """Is `answer` valid for `query` on `graph`?  The answer is a set or list of names, a word, or the text of one."""
    return judged(case_of(graph, query), answer)


def judged(case: Case, answer: Any) -> Check:
    """What there is to say of an answer to a compiled question."""
    value = read_in(case, answer)
    if isinstance(value, Fault):
        return Check(False, value.why, {"kind": "unreadable"})
    try:
        valid = case.holds(value)
        reason = case.task.explain(value, case)
    except BudgetError as error:
        return Check(None, f"undetermined: {error}")
    return Check(valid, reason.why, reason.witness, case.task.answer.show(value))


def solve(graph: Graph | None, query: Query, *, limit: int = MAX_SOLUTIONS) -> list[Any]:
    """The inclusion-minimal valid objects, smallest first, [] if there is none.

    More than `limit` of them is a `BudgetError`; `find_task(name).solve` yields them one by one without a limit.
    """
    case = case_of(graph, query)
    found = list(islice(case.task.solve(case), limit + 1))
    if len(found) > limit:
        raise BudgetError(f"{query.task} has more than {limit:,} minimal answers on this graph")
    return sorted(found, key=lambda value: _size_and_spelling(case.task.answer.show(value)))


def _size_and_spelling(shown: Any) -> tuple[int, str]:
    return (len(shown) if isinstance(shown, list | str) else 0), repr(shown)


def nearest_valid(graph: Graph | None, query: Query, answer: Any) -> Any | None:
    """A valid object close to `answer`, in plain JSON, or None when there is none.  It is ours, not the model's.

    For sets: the fewest names added or removed, as far as a bounded search reaches, else a smallest valid set.
    """
    case = case_of(graph, query)
    value = read_in(case, answer)
    found = None
    if case.task.answer is NODE_SET and not isinstance(value, Fault):
        found = _nearest_set(value & case.names, case)
    if found is None:
        found = case.task.cheapest(case)
    return None if found is None else case.task.answer.show(found)


def _nearest_set(value: frozenset[str], case: Case) -> frozenset[str] | None:
    """The first valid set by number of changes, then by names; None when the budget ends first."""
    names = sorted(case.names)
    for trial, changed in enumerate(_changes(names)):
        if trial > MAX_TRIALS:
            return None
        candidate = value ^ frozenset(changed)
        if case.holds(candidate):
            return candidate
    return None


def _changes(names: list[str]) -> Iterable[tuple[str, ...]]:
    return (changed for size in range(len(names) + 1) for changed in combinations(names, size))
