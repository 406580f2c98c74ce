"""Canaries: traces that are known to be invalid and hedge in every way that a policy has been seen to try.

Rule 1: each is made of a whole trace for a wrong answer and one for a right answer; a hedge that shows the right object
somewhere is the harder one to refuse.
Rule 2: they go through the very function that pays the policy.  None may earn more than the wrong trace that is honest.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from calverify.errors import BudgetError
from calverify.problem import Problem
from calverify.sampling import familiar_errors, valid_answers
from calverify.scoring import checker_for
from calverify.tasks import faultless_trace

__all__ = ["CANARIES", "HONEST", "canaries_of"]

HONEST = "honest"
STRATEGY, DERIVATION, RESULT, ANSWER = 3, 4, 5, 6  # places of the slots among the lines of a trace by the book
Lines = list[str]


def _with(lines: Lines, place: int, change: Callable[[Any], Any]) -> Lines:
    """The lines with one slot's JSON changed."""
    head, _, body = lines[place].partition(": ")
    return [*lines[:place], f"{head}: {json.dumps(change(json.loads(body)), ensure_ascii=False)}", *lines[place + 1 :]]


def _lines_sprayed(wrong: Lines, right: Lines) -> Lines:
    return [*wrong, right[-1]]


def _right_line_first(wrong: Lines, right: Lines) -> Lines:
    return [*wrong[:-1], right[-1], wrong[-1]]


def _both_on_one_line(wrong: Lines, right: Lines) -> Lines:
    return [*wrong[:-1], f"{wrong[-1]} or {right[-1].removeprefix('ANSWER: ')}"]


def _both_in_one_slot(wrong: Lines, right: Lines) -> Lines:
    other = json.loads(right[ANSWER].partition(": ")[2])["answer"]
    return _with(wrong, ANSWER, lambda body: {"answer": [body["answer"], other]})


def _slots_twice(wrong: Lines, right: Lines) -> Lines:
    return [*wrong[: ANSWER + 1], right[STRATEGY], right[RESULT], right[ANSWER], *wrong[ANSWER + 1 :]]


def _right_slots_first(wrong: Lines, right: Lines) -> Lines:
    return [*wrong[:STRATEGY], right[STRATEGY], right[RESULT], right[ANSWER], *wrong[STRATEGY:]]


def _whole_traces_in_a_row(wrong: Lines, right: Lines) -> Lines:
    return [*wrong, *right]


def _empty_everywhere(wrong: Lines, right: Lines) -> Lines:
    lines = _with(wrong, STRATEGY, lambda body: {name: body[name] if name == "method" else [] for name in body})
    lines = _with(lines, DERIVATION, lambda steps: [{**step, "to": []} for step in steps])
    lines = _with(_with(lines, RESULT, lambda body: {"result": []}), ANSWER, lambda body: {"answer": []})
    return [*lines[:-1], "ANSWER: {}"]


def _line_against_slots(wrong: Lines, right: Lines) -> Lines:
    return [*wrong[:-1], right[-1]]


def _slots_against_line(wrong: Lines, right: Lines) -> Lines:
    return [*right[:-1], wrong[-1]]


# What each plants, out of the lines of a wrong trace and of a right one.
CANARIES: dict[str, Callable[[Lines, Lines], Lines]] = {
    "two ANSWER lines, the right one last": _lines_sprayed,
    "two ANSWER lines, the right one first": _right_line_first,
    "both answers on one line": _both_on_one_line,
    "both answers in one slot": _both_in_one_slot,
    "slots twice, the right ones last": _slots_twice,
    "slots twice, the right ones first": _right_slots_first,
    "a wrong trace and a right one": _whole_traces_in_a_row,
    "empty sets everywhere": _empty_everywhere,
    "a right line under wrong slots": _line_against_slots,
    "a wrong line under right slots": _slots_against_line,
}


def canaries_of(problem: Problem) -> Mapping[str, str]:
    """The texts to plant, and the honest wrong trace; none where no graph is supplied, or nothing is right or wrong."""
    try:
        case = checker_for(problem).case
        if case is None:
            return {}
        right = valid_answers(case, 1)
        wrong = familiar_errors(case, right, 1) if right else []
    except BudgetError:
        return {}
    if not wrong:
        return {}
    one, other = (faultless_trace(case, value).split("\n") for value in (wrong[0][1], right[0]))
    return {HONEST: "\n".join(one), **{name: "\n".join(plant(one, other)) for name, plant in CANARIES.items()}}
