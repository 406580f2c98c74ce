"""Cross-validity: under how many of the pool's graphs is a candidate's answer valid?

In constructed mode each trace is judged on a graph of its own, which it may have drawn to suit its answer; here every
answer is judged on the graph of every candidate that stands, and a graph counts as often as it was drawn.  In supplied
mode there is one graph, so the share is 1 or 0.
"""

from collections import Counter
from fractions import Fraction
from typing import Any

from calverify.errors import BudgetError, Fault
from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View
from calverify.tasks import Case, task_of

__all__ = ["cross_validity"]


@selector("cross_validity")
def cross_validity(view: View) -> list[Number | None]:
    """The share of the pool's graphs under which each answer is valid; one that is undetermined on any stands aside."""
    graphs = Counter(
        verdict.judged_on
        for verdict, stands in zip(view.verdicts, view.stands, strict=True)
        if stands and verdict.judged_on is not None
    )
    if not graphs:
        return [None] * len(view)
    task = task_of(view.problem.query)  # a graph was judged on, so there is one
    cases = [(task.case(graph, view.problem.query), count) for graph, count in graphs.items()]
    shares: dict[str, Number | None] = {}
    for answer, verdict in zip(view.answers, view.verdicts, strict=True):
        if answer is not None and answer not in shares:
            shares[answer] = _share(verdict.answer, cases, graphs.total())
    return [None if answer is None else shares[answer] for answer in view.answers]


def _share(shown: Any, cases: list[tuple[Case, int]], total: int) -> Number | None:
    if shown is None:
        return 0  # it stands unread
    try:
        return Fraction(sum(count for case, count in cases if _valid(shown, case)), total)
    except BudgetError:
        return None


def _valid(shown: Any, case: Case) -> bool:
    value = case.task.answer.read(shown, case.names, "answer")
    return not isinstance(value, Fault) and case.holds(value)
