"""The supplement's worked example: scores 6 and 3, plurality picks {M}, the checker the earliest valid set."""

import pytest

import calverify as cv
from tests.sheets import SLOTS, sheet_of
from tests.views import view_of_texts

G = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y")
PROBLEM = cv.Problem("w1", cv.Query("backdoor", ("X", "Y")), G, "return one valid backdoor adjustment set")

# Three copies of {M}, two of {U}, two of {U, P} and one empty set; the order is ours, {M} first.
POOL = ["M", "", "M", "UP", "U", "M", "UP", "U"]
TEXTS = [sheet_of(PROBLEM, frozenset(names)).text() for names in POOL]

TABLE = {  # the table of the supplement, row by row
    "graph": (1, 1),
    "query": (1, 1),
    "strategy": (1, 0),
    "derivation": (1, 1),
    "result": (1, 0),
    "answer": (1, 0),
}


@pytest.mark.parametrize("names, column, score", [("UP", 0, 6), ("M", 1, 3)])
def test_the_printed_columns(names, column, score):
    verdict = cv.verify(PROBLEM, sheet_of(PROBLEM, frozenset(names)).text())
    assert verdict.bits == {slot: TABLE[slot][column] for slot in SLOTS}
    assert verdict.score == score


@pytest.mark.parametrize(
    "names, valid, why",
    [
        ("U", True, "{U} blocks every backdoor path from X to Y and holds no descendant of X"),
        ("UP", True, "{P, U} blocks every backdoor path from X to Y and holds no descendant of X"),
        ("", False, "{} leaves the path X <- U -> Y open once arrows out of X are cut"),
        ("M", False, "M is a descendant of X: X -> M"),
    ],
)
def test_what_the_text_says_of_each_set(names, valid, why):
    said = cv.check(G, PROBLEM.query, set(names))
    assert said.valid is valid
    assert said.why == why


def test_plurality_picks_the_descendant():
    view = view_of_texts(PROBLEM, TEXTS)
    votes = cv.plurality(view)
    assert votes == [3, 1, 3, 2, 2, 3, 2, 2]
    assert view.verdicts[cv.earliest_max(votes)].answer == ["M"]


def test_four_traces_contain_a_valid_object_and_the_earliest_is_chosen():
    choice = cv.select(PROBLEM, TEXTS)
    assert [verdict.score for verdict in choice.verdicts] == [3, 3, 3, 6, 6, 3, 6, 6]
    assert choice.index == 3
    assert choice.answer == ["P", "U"]


@pytest.mark.parametrize("first", ["U", "UP"])
def test_either_valid_set_will_do_whichever_comes_first(first):
    other = {"U": "UP", "UP": "U"}[first]
    texts = [sheet_of(PROBLEM, frozenset(names)).text() for names in ("M", "M", first, other, other, "M")]
    assert cv.select(PROBLEM, texts).index == 2
