"""How one row of a task's table is judged: by `check`, and by `verify` in a trace that is faultless but for its answer.

A row is (what it is about, graph, targets, answer, valid, a part of the reason).
"""

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

import calverify as cv
from calverify.scoring import case_of
from tests.agreement import object_agrees
from tests.problems import known
from tests.sheets import bits, sheet_of

CASES = pytest.mark.parametrize("count", [40, pytest.param(1_500, marks=pytest.mark.property)])


def judged(names: str, rows: Iterable[tuple[Any, ...]]) -> pytest.MarkDecorator:
    """One test a row, called by what the row is about."""
    rows = list(rows)
    return pytest.mark.parametrize(names, [row[1:] for row in rows], ids=[row[0] for row in rows])


def is_judged(query: cv.Query, graph: str, answer: Any, valid: bool, why: str) -> None:
    drawn = cv.Graph.parse(graph)
    said = cv.check(drawn, query, answer)
    assert said.valid is valid, said
    assert why in said.why
    if said.answer is None:
        return  # nothing was read
    problem, case = cv.Problem("p", query, drawn), case_of(drawn, query)
    value = case.task.answer.read(said.answer, case.names, "answer")
    verdict = cv.verify(problem, sheet_of(problem, value).text())
    assert bits(verdict) == ("111111" if valid else "110100")
    assert (verdict.why, verdict.witness, verdict.answer) == (said.why, said.witness, said.answer)


def is_refused(query: cv.Query, graph: str, error: type[Exception], why: str) -> None:
    drawn = cv.Graph.parse(graph)
    for ask in (
        lambda: cv.check(drawn, query, "A"),
        lambda: cv.solve(drawn, query),
        lambda: cv.nearest_valid(drawn, query, "A"),
        lambda: cv.verify(cv.Problem("p", query, drawn), "ANSWER: A"),
    ):
        with pytest.raises(error) as refused:
            ask()
        assert why in str(refused.value)


def agrees(task: str, kind: str, count: int) -> None:
    """Random problems of the task, against the oracle that `known` asks."""
    for seed in range(count):
        object_agrees(known(Random(f"{task} {kind} {seed}"), task, kind))
