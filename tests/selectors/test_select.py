"""Select: the earliest of the highest score among those that may stand."""

import json

import pytest

import calverify as cv
from tests.sheets import ABSENT, Copies, Raw, sheet_of
from tests.views import view_of_texts

PROBLEM = cv.Problem("w", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y"))
SHEET = sheet_of(PROBLEM)
GOOD = SHEET.text()
ALSO = sheet_of(PROBLEM, frozenset({"U", "P"})).text()
BAD = SHEET.swapped(["M"]).text()
SIX_BUT_ONE = SHEET.but(query=Raw("{")).text()
SILENT = SHEET.but(answer=ABSENT, line=ABSENT).text()  # three bits, and no answer
HEDGE = SHEET.but(line=Copies((["U"], ["M"]))).text()  # three bits, and no answer
EMPTY = "I do not know."
BARE = "ANSWER: U"  # an answer without a header
ZERO = "STEP 1 [graph_extract]: ?\nANSWER: M"  # a header and an answer, and no bit
HUGE = GOOD + " " * (1 << 20)

TABLE = [
    ("nobody", [], None, None),
    ("the best", [BAD, GOOD], 1, 1),
    ("the earliest of the best", [BAD, ALSO, GOOD, ALSO], 1, 1),
    ("five beats three", [BAD, SIX_BUT_ONE, BAD], 1, 1),
    ("six beats five", [SIX_BUT_ONE, GOOD], 1, 1),
    ("all invalid: the earliest", [BAD, BAD], 0, 0),
    ("a trace without an answer stands aside, or scores 0", [SILENT, BAD], 1, 1),
    ("so does one that hedges", [HEDGE, BAD], 1, 1),
    ("an answer without a trace stands aside", [BARE, ZERO], 1, 0),
    ("a trace that earns nothing still stands", [EMPTY, ZERO], 1, 0),
    ("nobody admissible: with all, the first of the zeros", [EMPTY, BARE, SILENT], None, 0),
    ("undetermined is never picked", [HUGE, BAD], 1, 1),
    ("nor over one that earns nothing", [HUGE, ZERO], 1, 1),
    ("nor alone", [HUGE], None, None),
    ("nor with the unreadable", [HUGE, EMPTY], None, 1),
]


@pytest.mark.parametrize("texts, admissible, everybody", [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_who_is_picked(texts, admissible, everybody):
    assert cv.select(PROBLEM, texts).index == admissible
    assert cv.select(PROBLEM, texts, admission="admissible").index == admissible
    assert cv.select(PROBLEM, texts, admission="all").index == everybody


def test_a_choice_says_what_was_picked_and_why():
    choice = cv.select(PROBLEM, [BAD, ALSO, EMPTY])
    assert choice.answer == ["P", "U"]
    assert [verdict.score for verdict in choice.verdicts] == [3, 6, 0]
    assert choice.verdicts[1] == cv.verify(PROBLEM, ALSO)


def test_an_empty_choice():
    assert cv.select(PROBLEM, []) == cv.Choice(None, None, ())
    assert cv.select(PROBLEM, [EMPTY]).answer is None


def test_undetermined_is_neither_a_pass_nor_a_zero():
    (verdict,) = cv.select(PROBLEM, [HUGE], admission="all").verdicts
    assert verdict.score is None
    assert verdict.undetermined
    assert cv.plurality(view_of_texts(PROBLEM, [HUGE], "all")) == [None]


def test_it_takes_any_sequence_of_texts_but_not_one_text():
    assert cv.select(PROBLEM, (BAD, GOOD)).index == 1
    with pytest.raises(cv.CalverifyError, match="list of texts"):
        cv.select(PROBLEM, GOOD)


@pytest.mark.parametrize("admission", ["", "some", "ALL", None])
def test_an_admission_that_nobody_named(admission):
    with pytest.raises(cv.CalverifyError, match="admissible, all"):
        cv.select(PROBLEM, [GOOD], admission=admission)


def test_an_unregistered_task_picks_nobody():
    """Every bit is 0 and no answer is read, so that nobody is admissible."""
    unknown = cv.Problem("u", cv.Query("sorcery", ("X", "Y")), PROBLEM.graph)
    assert cv.select(unknown, [GOOD, ALSO]).index is None
    assert cv.select(unknown, [GOOD, ALSO], admission="all").index == 0


def test_a_choice_is_plain_json_and_back():
    for texts in ([], [BAD, ALSO, EMPTY], [HUGE]):
        choice = cv.select(PROBLEM, texts)
        record = json.loads(json.dumps(choice.to_json()))
        assert set(record) == {"index", "answer", "verdicts"}
        again = cv.Choice.from_json(record)
        assert again == choice
        assert again.to_json() == record


def test_the_same_pool_gives_the_same_choice():
    texts = [BAD, SIX_BUT_ONE, SILENT, ALSO, GOOD]
    first = cv.select(PROBLEM, texts).to_json()
    twin = cv.Problem.from_json(json.loads(json.dumps(PROBLEM.to_json())))
    assert cv.select(twin, texts).to_json() == first
    assert cv.select(PROBLEM, texts).to_json() == first


def test_the_choice_depends_on_the_verdicts_and_the_order_alone():
    """Prefixes: adding candidates behind moves the choice only to a higher score."""
    texts = [ZERO, BAD, SIX_BUT_ONE, ALSO, GOOD]
    assert [cv.select(PROBLEM, texts[:k]).index for k in range(6)] == [None, 0, 1, 2, 3, 3]
