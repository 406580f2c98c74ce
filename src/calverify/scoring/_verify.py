"""From a problem and a text to a verdict: compile the problem once, judge its K traces with it."""

from json import dumps
from typing import Any

from calverify.errors import BudgetError, CalverifyError, Fault, UnknownTaskError
from calverify.problem import Problem
from calverify.scoring._bits import (
    decision_faults,
    derivation_fault,
    effect_claim,
    numeric_faults,
    object_faults,
    query_fault,
    read_answer,
    stated_object,
)
from calverify.scoring._verdict import Verdict
from calverify.tasks import Case, Task, task_of
from calverify.traces import SLOTS, Trace, parse

__all__ = ["Checker", "checker_for", "verify"]

JUDGES = {"object": object_faults, "decision": decision_faults, "numeric": numeric_faults}
ABSENT = object()
NO_GRAPH = tuple(Fault(slot, "there is no graph to check it on") for slot in ("strategy", "result", "answer"))


class Checker:
    """A problem, compiled: `Checker(problem)(text)` is a verdict.

    The caller's mistakes (targets that are not in the graph, a path that is none) are raised here, once.  Two things
    are no mistakes, and the verdicts say so: a task that nobody registered, whose traces earn nothing, and a question
    that is too large to be compiled, whose traces stay undetermined.
    """

    __slots__ = ("_case", "_legend", "_spelled", "_too_large", "_unknown", "_written", "problem", "task")

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.task: Task | None = None
        self._case: Case | None = None
        self._legend = frozenset(problem.legend)
        self._unknown = self._too_large = ""
        self._written: Any = ABSENT  # what the first slot should state, and its two usual spellings
        self._spelled: dict[str, Any] = {}
        try:
            self.task = task_of(problem.query)
            self._compile(self.task)
        except UnknownTaskError as unknown:
            self._unknown = str(unknown)
        except BudgetError as error:
            self._too_large = str(error)

    def _compile(self, task: Task) -> None:
        """Bind the query to the supplied graph, if there is one."""
        formal = task.formal.supplied(self.problem)
        if formal is not None:
            self._case = task.case(formal, self.problem.query)
            self._written = written = task.formal.show(formal)
            compact = dumps(written, ensure_ascii=False, separators=(",", ":"))
            self._spelled = {compact: written, dumps(written, ensure_ascii=False): written}

    @property
    def case(self) -> Case | None:
        """The query on the supplied graph, None without one; refused where that is too large to be compiled."""
        if self._too_large:
            raise BudgetError(self._too_large)
        return self._case

    def __call__(self, text: str) -> Verdict:
        return self.judge(parse(text, self._spelled))

    def judge(self, trace: Trace) -> Verdict:
        """The verdict on a trace that is already parsed."""
        if undetermined := trace.undetermined or self._too_large:
            return Verdict((), trace.headers, undetermined=undetermined)
        if self.task is None:
            return Verdict(tuple(Fault(slot, self._unknown) for slot in SLOTS), trace.headers)
        try:
            if self._case is not None:
                return self._judge(trace, self.task, self._case, self._graph_fault(trace.slots[0], self._case))
            case, fault = self._own_case(trace.slots[0], self.task)
            if case is not None:
                return self._judge(trace, self.task, case, None)
            return self._judge_without_graph(trace, self.task, fault)
        except BudgetError as error:
            return Verdict((), trace.headers, undetermined=str(error))

    def _judge(self, trace: Trace, task: Task, case: Case, graph: Fault | None) -> Verdict:
        slots = trace.slots
        answer = read_answer(trace, task, case.names)
        stated = stated_object(slots[2], task, case.names, answer)
        query = query_fault(slots[1], task, case.query)
        derivation = derivation_fault(slots[3], task, stated, case.names)
        strategy, result, final = JUDGES[task.family](trace, case, answer, stated)
        marks = (graph, query, strategy, derivation, result, final)
        if task.family == "numeric":
            claim = effect_claim(trace, answer, stated)
            return Verdict(marks, trace.headers, case=case, value=claim, answer=answer.value)
        return Verdict(marks, trace.headers, case=case, value=answer.value)

    def _judge_without_graph(self, trace: Trace, task: Task, graph: Fault | None) -> Verdict:
        """What is left to judge in constructed mode when the trace states no graph: the query and the derivation."""
        answer = read_answer(trace, task, self._legend)
        stated = stated_object(trace.slots[2], task, self._legend, answer)
        query = query_fault(trace.slots[1], task, self.problem.query)
        derivation = derivation_fault(trace.slots[3], task, stated, self._legend)
        shown = None if answer.value is None else task.answer.show(answer.value)
        strategy, result, final = NO_GRAPH
        return Verdict((graph, query, strategy, derivation, result, final), trace.headers, answer=shown)

    def _graph_fault(self, slot: Any, case: Case) -> Fault | None:
        """Supplied mode: the slot must state the problem's own graph."""
        if slot is self._written:
            return None
        if isinstance(slot, Fault):
            return slot
        why = case.task.formal.mismatch(slot, case.formal)
        return Fault("graph", why) if why else None

    def _own_case(self, slot: Any, task: Task) -> tuple[Case | None, Fault | None]:
        """Constructed mode: the query compiled on the graph that the trace states, or why there is none."""
        if isinstance(slot, Fault):
            return None, slot
        try:
            return task.case(task.formal.construct(slot, self.problem), self.problem.query), None
        except BudgetError:
            raise
        except CalverifyError as error:
            return None, Fault("graph", str(error))


def verify(problem: Problem, text: str) -> Verdict:
    """The verdict on one text: six bits, a score from 0 to 6, and why.  Never raises on any text."""
    return checker_for(problem)(text)


def checker_for(problem: Problem) -> Checker:
    """The problem's checker, compiled on first use and kept with the problem."""
    checker: Checker | None = problem._memo.get("checker")
    if checker is None:
        checker = problem._memo["checker"] = Checker(problem)
    return checker
