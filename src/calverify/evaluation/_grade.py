"""Is an answer right?  Decided by the task's predicate, never by comparing texts.

Rule 1: where the key states the one right answer, an answer is right when it is the same answer (as values: a set in
any order, a cycle in any rotation).
Rule 2: otherwise the predicate decides, on the source graph that the key holds, else on what the problem supplies.
Rule 3: undetermined is neither right nor wrong: it is None, and counted apart.
"""

from collections.abc import Mapping
from dataclasses import replace
from json import dumps
from typing import Any

from calverify.errors import BudgetError, Fault, RecordError
from calverify.keys import Key
from calverify.names import brief
from calverify.problem import Problem
from calverify.scoring import Verdict, checker_for
from calverify.tasks import Case, task_of

__all__ = ["Grader", "grader_for"]


class Grader:
    """A problem and its key, compiled: `Grader(problem, key)(answer)` is True, False or None for undetermined."""

    __slots__ = ("_case", "_known", "_names", "_truth", "key", "problem")

    def __init__(self, problem: Problem, key: Key) -> None:
        if key.problem != problem.id:
            raise RecordError(f"the key of problem {key.problem!r} does not grade problem {problem.id!r}")
        self.problem, self.key = problem, key
        self._known: dict[str, bool | None] = {}
        self._case: Case | None = None
        self._truth: Any = None
        source = problem if key.graph is None else replace(problem, graph=key.graph, graph_class=None)
        if key.answer is None:
            self._case = checker_for(source).case
            if self._case is None:
                noun = task_of(problem.query).formal.noun
                raise RecordError(f"problem {problem.id!r} cannot be graded: neither it nor its key holds {noun}")
            return
        known = source.graph.node_set if source.graph is not None else frozenset(problem.legend)
        self._names = known or frozenset(problem.query.target_names)
        self._truth = self._read(key.answer)
        if isinstance(self._truth, Fault):
            raise RecordError(f"the key of problem {problem.id!r} states {brief(key.answer)}: {self._truth.why}")

    def __call__(self, answer: Any) -> bool | None:
        """Is this answer, in plain JSON, right?  It need not be one that any candidate gave."""
        if answer is None:
            return False
        spelled = dumps(answer, sort_keys=True)
        if spelled not in self._known:
            self._known[spelled] = self._judge(answer)
        return self._known[spelled]

    def verdict(self, verdict: Verdict) -> bool | None:
        """Is the answer of a judged trace right?  What the checker could not read for its size stays undetermined."""
        return None if verdict.undetermined else self(verdict.answer)

    def _judge(self, answer: Any) -> bool | None:
        if self._case is None:
            return bool(self._read(answer) == self._truth)  # a fault is equal to no answer
        value = self._case.task.answer.read(answer, self._case.names, "answer")
        if isinstance(value, Fault):
            return False
        try:
            return self._case.holds(value)
        except BudgetError:
            return None

    def _read(self, answer: Any) -> Any:
        return task_of(self.problem.query).answer.read(answer, self._names, "answer")


def grader_for(problem: Problem, keys: Mapping[str, Key]) -> Grader:
    """The grader of a problem; a problem without a key is refused."""
    if problem.id not in keys:
        raise RecordError(f"there is no key of problem {problem.id!r}")
    return Grader(problem, keys[problem.id])
