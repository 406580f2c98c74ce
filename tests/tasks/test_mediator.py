"""Does M lie on a directed path from X to Y?"""

import pytest

import calverify as cv
from tests.decision_agreement import decision_task_agrees, word_is_judged
from tests.sheets import bits, sheet_of

CASES = pytest.mark.parametrize("count", [150, pytest.param(5_000, marks=pytest.mark.property)])

JUDGED = [
    ("a chain", "X -> M -> Y", "X M Y", True, "X -> M -> Y is a directed path"),
    ("a longer chain", "X -> A -> M -> B -> Y", "X M Y", True, "X -> A -> M -> B -> Y is a directed path"),
    ("a fork is no mediator", "X <- M -> Y", "X M Y", False, "M cannot be reached from X: X reaches only {X}"),
    ("a collider is no mediator", "X -> M <- Y", "X M Y", False, "Y cannot be reached from M: M reaches only {M}"),
    ("beside the path", "X -> Y, X -> M", "X M Y", False, "Y cannot be reached from M: M reaches only {M}"),
    ("an arc is no path", "X -> M <-> Y", "X M Y", False, "Y cannot be reached from M"),
    ("downstream of the outcome", "X -> Y -> M", "X M Y", False, "Y cannot be reached from M"),
]


@pytest.mark.parametrize("graph, targets, truth, why", [row[1:] for row in JUDGED], ids=[row[0] for row in JUDGED])
def test_a_word_is_judged(graph, targets, truth, why):
    word_is_judged(graph, cv.Query("mediator", targets.split()), truth, why)


REFUSED = [
    (
        "source and mediator the same",
        "X -> M -> Y",
        ("X", "X", "Y"),
        cv.QueryError,
        "must be different nodes, not X, X, Y",
    ),
    (
        "mediator and outcome the same",
        "X -> M -> Y",
        ("X", "Y", "Y"),
        cv.QueryError,
        "must be different nodes, not X, Y, Y",
    ),
    (
        "source and outcome the same",
        "X -> M -> Y",
        ("X", "M", "X"),
        cv.QueryError,
        "must be different nodes, not X, M, X",
    ),
    ("two targets", "X -> M -> Y", ("X", "Y"), cv.QueryError, "takes 3 targets (source, mediator, outcome), not X, Y"),
    ("an unknown mediator", "X -> M -> Y", ("X", "W", "Y"), cv.QueryError, "'W' is not in the graph"),
    ("a cycle", "X -> M -> X, M -> Y", ("X", "M", "Y"), cv.GraphError, "directed cycle"),
]


@pytest.mark.parametrize("graph, targets, error, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    with pytest.raises(error) as refused:
        cv.check(cv.Graph.parse(graph), cv.Query("mediator", targets), "yes")
    assert why in str(refused.value)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg"])
def test_words_agree_with_the_oracle(kind, count):
    decision_task_agrees("mediator", kind, count)


WIDE = cv.Problem(
    "p", cv.Query("mediator", ("X", "M", "Y")), cv.Graph.parse("X -> A -> M -> B -> Y, X -> M -> Y, X -> Y")
)
WALKS = [
    ("the short way", ["X", "M", "Y"], None),
    ("the long way", ["X", "A", "M", "B", "Y"], None),
    ("in words", "X -> A -> M -> Y", None),
    ("around the mediator", ["X", "Y"], "X -> Y does not pass M"),
    ("a gap", ["X", "A", "Y"], "A -> Y is not an edge of the graph"),
    ("half of it", ["X", "M"], "X -> M does not run from X to Y"),
    ("the other half", ["M", "Y"], "M -> Y does not run from X to Y"),
    ("back to front", ["Y", "M", "X"], "Y -> M -> X does not run from X to Y"),
    ("one node", ["X"], "X does not run from X to Y"),
    ("a foreign name", ["X", "W", "Y"], "X -> W is not an edge of the graph"),
    ("nothing", [], "the sequence is empty"),
    ("no walk", 7, "7 is not a list of names"),
]


@pytest.mark.parametrize("walk, why", [row[1:] for row in WALKS], ids=[row[0] for row in WALKS])
@pytest.mark.parametrize("state", ["path", "witness", "walk"])
def test_a_yes_needs_a_witness_that_holds(state, walk, why):
    verdict = cv.verify(WIDE, sheet_of(WIDE).but(strategy={"method": "any", state: walk}).text())
    assert bits(verdict) == ("110111" if why else "111111")
    assert [fault.why for fault in verdict.faults] == ([why] if why else [])


def test_a_yes_without_a_witness_loses_one_bit():
    verdict = cv.verify(WIDE, sheet_of(WIDE).but(strategy={"method": "directed_path"}).text())
    assert bits(verdict) == "110111"
    assert verdict.faults[0].why == "a yes needs a witness, and none is stated"


def test_a_witness_stated_twice_must_be_one_witness():
    same = {"method": "any", "path": ["X", "M", "Y"], "walk": "X -> M -> Y"}
    assert cv.verify(WIDE, sheet_of(WIDE).but(strategy=same).text()).score == 6
    two = {"method": "any", "path": ["X", "M", "Y"], "walk": ["X", "A", "M", "Y"]}
    verdict = cv.verify(WIDE, sheet_of(WIDE).but(strategy=two).text())
    assert bits(verdict) == "110111"
    assert verdict.faults[0].why == "two different objects are stated"


def test_a_no_needs_no_witness():
    problem = cv.Problem("p", cv.Query("mediator", ("X", "M", "Y")), cv.Graph.parse("X <- M -> Y"))
    sheet = sheet_of(problem)
    assert sheet.strategy == {"method": "directed_path"}
    for strategy in (sheet.strategy, {}, {"method": "any", "path": ["X", "M", "Y"]}):
        assert cv.verify(problem, sheet.but(strategy=strategy).text()).score == 6


@pytest.mark.parametrize("written", ["yes", "Yes.", "YES", "**yes**", True, "true", '"yes"'])
def test_ways_to_say_yes(written):
    for part in ({"line": written}, {"result": {"result": written}}, {"answer": {"answer": written}}):
        assert cv.verify(WIDE, sheet_of(WIDE).but(**part).text()).score == 6


@pytest.mark.parametrize("written", ["maybe", "yes and no", "", "y", 1, None, ["yes"], "yes!no"])
def test_what_is_neither_yes_nor_no(written):
    verdict = cv.verify(WIDE, sheet_of(WIDE).but(line=written).text())
    assert verdict.answer is None
    assert bits(verdict) == "110100"
