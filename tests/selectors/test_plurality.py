"""Exact voting, against a hand-written vote."""

from random import Random

import pytest

import calverify as cv
from tests.drawn_pools import CASES, PROBLEM, SHEET, draw, drawn
from tests.oracles import votes
from tests.problems import SOLVABLE, known
from tests.sheets import sheet_of
from tests.views import view_of_texts

TABLE = [
    ("nobody", [], None),
    ("nobody admissible", [None, None], None),
    ("one", ["U"], 0),
    ("a majority", ["U", "M", "M"], 1),
    ("a tie goes to the earliest first occurrence", ["U", "M", "M", "U"], 0),
    ("a tie of three", ["UP", "M", "U"], 0),
    ("the earliest of the most frequent, not of all", ["U", "M", "P", "M", "P"], 1),
    ("no answer does not vote", [None, None, "M"], 2),
    ("the empty set votes", ["", "U", ""], 0),
    ("order inside a set does not matter", ["UP", "M", "PU"], 0),
]


@pytest.mark.parametrize("sets, index", [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_who_wins(sets, index):
    texts = ["nothing" if names is None else SHEET.swapped(list(names)).text() for names in sets]
    assert cv.choose(view_of_texts(PROBLEM, texts), "plurality").index == index
    assert votes.plurality([None if names is None else sorted(names) for names in sets]) == index


@CASES
def test_it_agrees_with_a_vote_by_hand(count):
    rng = Random(7)
    for _ in range(count):
        pool = draw(rng)
        assert cv.choose(pool.view, "plurality").index == votes.plurality(pool.answers), pool.names


def test_the_number_of_each_candidate_is_its_votes():
    texts = [SHEET.swapped(names).text() for names in (["M"], ["U"], ["M"])]
    assert cv.plurality(view_of_texts(PROBLEM, [*texts, ""])) == [2, 1, 2, None]


def test_the_unreadable_vote_with_what_they_wrote():
    """The raw ANSWER lines, and without one the whole text; what can be read votes as it reads."""
    names = [
        "prose",
        "more prose",
        "unreadable line",
        "unreadable line, said otherwise",
        "line without a trace",
        "whole U",
    ]
    assert cv.plurality(drawn(names, "all").view) == [2, 2, 2, 2, 2, 2]
    assert cv.plurality(drawn(names).view) == [None, None, None, None, None, 1]


def test_a_raw_answer_is_never_a_readable_one():
    """A text that spells the JSON of an answer is still a text."""
    view = view_of_texts(PROBLEM, ['["U"]', SHEET.text()], "all")
    assert view.answers[1] == '["U"]'
    assert cv.plurality(view) == [1, 1]


@pytest.mark.parametrize("task, kind", SOLVABLE)
def test_ways_to_write_one_answer_are_one_vote(task, kind):
    rng = Random(f"{task} {kind}")
    drawn = known(rng, task, kind)
    wrong = next((answer for answer in drawn.wrong if answer not in ((), frozenset())), drawn.wrong[0])
    type_of = cv.find_task(task).answer
    one, two, other = (sheet_of(drawn.problem, answer) for answer in (drawn.right[0], drawn.right[0], wrong))
    two = two.but(line=type_of.spell(drawn.right[0]))
    assert cv.plurality(view_of_texts(drawn.problem, [sheet.text() for sheet in (other, one, two)])) == [1, 2, 2]
