"""Asking without a trace: `check`, `solve`, `nearest_valid`."""

import json

import pytest

import calverify as cv
from calverify.scoring import case_of

WORKED = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y")
QUERY = cv.Query("backdoor", ("X", "Y"))

WAYS = [
    ("a set", {"U", "P"}),
    ("a frozen set", frozenset({"U", "P"})),
    ("a list", ["U", "P"]),
    ("a tuple", ("P", "U")),
    ("words", "U, P"),
    ("words in braces", "{U, P}"),
    ("a Python set", "{'U', 'P'}"),
    ("JSON", '["U", "P"]'),
    ("a full stop", "U, P."),
]


@pytest.mark.parametrize("answer", [row[1] for row in WAYS], ids=[row[0] for row in WAYS])
def test_ways_to_write_one_set(answer):
    said = cv.check(WORKED, QUERY, answer)
    assert said.valid is True
    assert said.answer == ["P", "U"]


UNREADABLE = [
    ("nothing", None),
    ("a number", 7),
    ("an empty text", ""),
    ("a list of numbers", [1]),
    ("a dict", {"U": 1}),
    ("an empty name", ["U", " "]),
    ("a nested list", [["U"]]),
    ("half a list", "{U, P"),
    ("a boolean", True),
    ("a set of pairs", {("U", "P")}),
]


@pytest.mark.parametrize("answer", [row[1] for row in UNREADABLE], ids=[row[0] for row in UNREADABLE])
def test_what_is_no_set_is_invalid_and_says_so(answer):
    said = cv.check(WORKED, QUERY, answer)
    assert said.valid is False
    assert said.why
    assert said.answer is None
    assert said.witness == {"kind": "unreadable"}


@pytest.mark.parametrize("answer", [{"U"}, {"M"}, {"X"}, {"W"}, set(), "{"])
def test_a_check_is_plain_json(answer):
    said = cv.check(WORKED, QUERY, answer)
    record = json.loads(json.dumps(said.to_json()))
    assert set(record) == {"valid", "why", "witness", "answer"}
    assert cv.Check.from_json(record) == said


@pytest.mark.parametrize("record", [{}, [], None, {"valid": True}])
def test_a_record_that_is_none_is_refused(record):
    for noun in (cv.Check, cv.Choice):
        with pytest.raises(cv.RecordError):
            noun.from_json(record)


def test_a_task_about_a_graph_needs_one():
    for ask in (
        lambda: cv.check(None, QUERY, []),
        lambda: cv.solve(None, QUERY),
        lambda: cv.nearest_valid(None, QUERY, []),
    ):
        with pytest.raises(cv.QueryError, match="backdoor needs a graph to be checked"):
            ask()


@pytest.mark.parametrize("answer", [{"U"}, {"M"}, {"U", "M"}, set(), {"W"}])
def test_asking_twice_is_asking_once(answer):
    assert cv.check(WORKED, QUERY, answer) == cv.check(WORKED, QUERY, answer)
    assert cv.nearest_valid(WORKED, QUERY, answer) == cv.nearest_valid(WORKED, QUERY, answer)


def test_solutions_come_smallest_first_and_then_by_name():
    graph, query = cv.Graph.parse("A -> C -> B, A -> D -> E -> B"), cv.Query("d_separation", ("A", "B"))
    assert cv.solve(graph, query) == [frozenset({"C", "D"}), frozenset({"C", "E"})]
    wide = cv.Graph.parse("A -> C -> B, X -> C, Y -> C, A -> Y")
    found = cv.solve(wide, query)
    assert found == sorted(found, key=lambda names: (len(names), sorted(names)))


def test_a_limit_is_no_truncation():
    graph, query = cv.Graph.parse("A -> C -> B, A -> D -> E -> B"), cv.Query("d_separation", ("A", "B"))
    assert len(cv.solve(graph, query, limit=2)) == 2
    with pytest.raises(cv.BudgetError, match="more than 1 minimal answers"):
        cv.solve(graph, query, limit=1)


@pytest.mark.parametrize(
    "answer, near",
    [
        ({"U"}, ["U"]),
        ({"U", "P"}, ["P", "U"]),
        ({"M"}, ["U"]),
        ({"P"}, ["P", "U"]),
        (set(), ["U"]),
        ({"X", "Y", "M"}, ["U"]),
        ({"W"}, ["U"]),
        ({"W", "P"}, ["P", "U"]),
        (7, ["U"]),
    ],
)
def test_the_nearest_valid_set(answer, near):
    assert cv.nearest_valid(WORKED, QUERY, answer) == near


def test_a_case_is_compiled_once_and_asked_often():
    case = case_of(WORKED, QUERY)
    assert case.query == QUERY
    assert case.formal == WORKED
    assert case.names == set("UXYMP")
    assert [case.holds(frozenset(names)) for names in ("U", "UP", "M", "", "U")] == [True, True, False, False, True]
