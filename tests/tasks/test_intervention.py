"""After do(D), can X still reach Y?"""

import pytest

import calverify as cv
from tests.decision_agreement import decision_task_agrees, word_is_judged
from tests.sheets import bits, sheet_of

CASES = pytest.mark.parametrize("count", [150, pytest.param(5_000, marks=pytest.mark.property)])

JUDGED = [
    (
        "do(X) reaches Y",
        "U -> X -> M -> Y",
        "X Y",
        True,
        "X -> M -> Y is a directed path once edges into X are removed",
    ),
    ("do(X) does not reach what is above", "U -> X -> Y", "X U", False, "X reaches only {X, Y}"),
    ("a confounder is no effect", "U -> X, U -> Y", "X Y", False, "Y cannot be reached from X once edges into X"),
    ("an arc is no effect", "X <-> Y", "X Y", False, "X reaches only {X}"),
    ("do(M) cuts the way through M", "X -> M -> Y", "M X Y", False, "Y cannot be reached from X once edges into M"),
    ("do(M) leaves the other way", "X -> M -> Y, X -> A -> Y", "M X Y", True, "X -> A -> Y is a directed path once"),
    ("do(Y) cuts every way to Y", "X -> Y", "Y X Y", False, "once edges into Y are removed"),
    ("do(X) leaves what X does", "X -> Y", "X X Y", True, "X -> Y is a directed path once edges into X are removed"),
    ("a feedback loop", "X -> Y -> X", "X Y", True, "X -> Y is a directed path"),
    ("a feedback loop, cut", "X -> A -> B -> A, B -> Y", "A X Y", False, "X reaches only {X}"),
]


@pytest.mark.parametrize("graph, targets, truth, why", [row[1:] for row in JUDGED], ids=[row[0] for row in JUDGED])
def test_a_word_is_judged(graph, targets, truth, why):
    word_is_judged(graph, cv.Query("intervention", targets.split()), truth, why)


REFUSED = [
    ("one node", ("X",), "takes 2 targets (intervention, outcome) or 3"),
    ("four nodes", ("X", "M", "Y", "X"), "takes 2 targets"),
    ("nothing", (), "not none"),
    ("X = Y", ("X", "X"), "must be different nodes, not X, X"),
    ("source and outcome the same", ("M", "X", "X"), "not X twice"),
    ("an unknown node", ("X", "W"), "'W' is not in the graph"),
    ("an unknown intervention", ("W", "X", "Y"), "'W' is not in the graph"),
]


@pytest.mark.parametrize("targets, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_query_that_makes_no_sense_is_refused(targets, why):
    with pytest.raises(cv.QueryError) as refused:
        cv.check(cv.Graph.parse("X -> M -> Y"), cv.Query("intervention", targets), "yes")
    assert why in str(refused.value)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_words_agree_with_the_oracle(kind, count):
    decision_task_agrees("intervention", kind, count)


def test_a_witness_may_not_use_an_edge_that_was_cut():
    graph = cv.Graph.parse("X -> M -> Y, X -> A -> Y")
    problem = cv.Problem("p", cv.Query("intervention", ("M", "X", "Y")), graph)
    verdict = cv.verify(problem, sheet_of(problem).but(strategy={"method": "do", "path": ["X", "M", "Y"]}).text())
    assert bits(verdict) == "110111"
    assert verdict.faults[0].why == "X -> M is not an edge of the graph once edges into M are removed"


def test_the_graph_slot_states_the_graph_before_the_surgery():
    problem = cv.Problem("p", cv.Query("intervention", ("X", "Y")), cv.Graph.parse("U -> X -> Y"))
    sheet = sheet_of(problem)
    assert ["U", "X"] in sheet.graph["edges"]
    after = {**sheet.graph, "edges": [["X", "Y"]]}
    assert bits(cv.verify(problem, sheet.but(graph=after).text())) == "011111"
