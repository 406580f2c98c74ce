"""Whose fault it is: a model's mistake is data, a caller's is an error of ours."""

from random import Random

import pytest

import calverify as cv
from tests.problems import ROWS, known

ERRORS = [cv.GraphError, cv.FormulaError, cv.QueryError, cv.RecordError, cv.LeakError, cv.BudgetError]


@pytest.mark.parametrize("error", ERRORS)
def test_one_tree(error):
    assert issubclass(error, cv.CalverifyError)
    assert issubclass(error, Exception)
    assert error.__doc__


def test_a_leak_is_a_record_that_is_wrong():
    assert issubclass(cv.LeakError, cv.RecordError)


def test_a_fault_is_a_value():
    fault = cv.Fault("strategy", "2 copies")
    assert fault == cv.Fault("strategy", "2 copies")
    assert fault.to_json() == {"slot": "strategy", "why": "2 copies"}
    assert not isinstance(fault, Exception)
    with pytest.raises(AttributeError):
        fault.why = "missing"


JUNK = [
    None,
    True,
    0,
    7,
    1.5,
    "",
    " ",
    "?",
    "∅",
    "A",
    "A -> B",
    "A, A",
    [],
    ["A"],
    ["A", "A"],
    [None],
    [["A", "B"]],
    {},
    {"A": 1},
    {"A": "knight"},
    (),
    ("A", "B"),
    set(),
    {"A"},
    frozenset({"nowhere"}),
    b"A",
    object(),
    "x" * 300,
    ["x" * 300],
    "\ud800",
    ["\ud800"],
    "[" * 100,
    '{"A": {"B": []}}',
    10**400,
    float("nan"),
    range(3),
    {1: 2},
]


@pytest.mark.parametrize("task, kind", ROWS)
def test_any_answer_is_judged(task, kind):
    """An answer is the model's: whatever it is, it is valid or it is not, and a sentence says why."""
    problem = known(Random(f"{task} {kind}"), task, kind).problem
    for answer in JUNK:
        said = cv.check(problem.graph, problem.query, answer)
        assert said.valid in (True, False), answer
        assert said.why
        near = cv.nearest_valid(problem.graph, problem.query, answer)
        assert near is None or cv.check(problem.graph, problem.query, near).valid


def test_a_fault_is_plain_json_and_back():
    fault = cv.Fault("strategy", "2 copies")
    assert cv.Fault.from_json(fault.to_json()) == fault
    for broken in (None, {}, {"slot": "graph"}, {"slot": "graph", "why": 7}, {"slot": "graph", "why": "", "gold": 1}):
        with pytest.raises(cv.RecordError):
            cv.Fault.from_json(broken)
