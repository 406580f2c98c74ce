"""The set medoid, against nested loops; exact where floats would round."""

from fractions import Fraction
from random import Random

import pytest

import calverify as cv
from tests.drawn_pools import CASES, PROBLEM, SHEET, draw, drawn
from tests.oracles import votes
from tests.problems import known
from tests.sheets import sheet_of
from tests.views import view_of_texts

TABLE = [
    ("nobody", [], None),
    ("one", ["U"], 0),
    ("the set in the middle", ["U", "UP", "P"], 1),
    ("all disjoint: the first", ["U", "M", "P"], 0),
    ("two empty sets overlap wholly", ["U", "", ""], 1),
    ("overlap beats votes", ["M", "M", "UP", "UPX", "UPW"], 2),
    ("the unreadable have no set", [None, "U", "UP", "UP"], 2),
]


@pytest.mark.parametrize("sets, index", [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_which_set_is_in_the_middle(sets, index):
    texts = ["nothing" if names is None else SHEET.swapped(sorted(names)).text() for names in sets]
    assert cv.choose(view_of_texts(PROBLEM, texts), "medoid").index == index
    assert votes.medoid([None if names is None else frozenset(names) for names in sets]) == index


def test_the_numbers_are_exact_means():
    texts = [SHEET.swapped(names).text() for names in (["U"], ["P", "U"], ["M"])]
    found = cv.SELECTORS["medoid"](view_of_texts(PROBLEM, texts))
    assert found == [Fraction(1, 2), Fraction(1, 2), Fraction(1, 3)]


@CASES
def test_it_agrees_with_nested_loops(count):
    """The oracle leaves the candidate itself out of its mean, ours does not: the choice is the same."""
    rng = Random(11)
    for _ in range(count):
        pool = draw(rng)
        sets = [frozenset([vote]) if isinstance(vote, str) else vote for vote in pool.answers]
        assert cv.choose(pool.view, "medoid").index == votes.medoid(sets), pool.names


@pytest.mark.parametrize("task", ["directed_path", "topological_order", "mediator", "cycle", "knights", "node"])
def test_what_is_no_set_is_a_set_of_one(task):
    """For paths, orders, words and names the medoid is the vote."""
    problem = known(Random(task), task, "puzzle" if task == "knights" else "directed" if task == "cycle" else "dag")
    answers = [*problem.right[:2], *problem.wrong[:2]]
    rng = Random(f"{task} medoid")
    for _ in range(40):
        chosen = [rng.randrange(len(answers)) for _ in range(7)]
        view = view_of_texts(problem.problem, [sheet_of(problem.problem, answers[one]).text() for one in chosen])
        assert cv.choose(view, "medoid").index == votes.plurality(chosen) == cv.choose(view, "plurality").index


def test_a_list_of_objects_is_a_set_of_objects():
    """Of "all of them" the overlap is that of the objects."""
    problem = cv.Problem("all", cv.Query("parent", ("Y",), form="find_all"), cv.Graph.parse("A -> Y, B -> Y, C -> Y"))
    texts = [f'STEP 6 [answer]: {{"answer": {said}}}' for said in ('["A"]', '["A", "B"]', '["B"]')]
    assert cv.choose(view_of_texts(problem, texts), "medoid").index == 1


def test_unreadable_ones_are_sets_of_one_where_they_stand():
    assert cv.choose(drawn(["prose", "whole U", "more prose"], "all").view, "medoid").index == 0
    assert cv.choose(drawn(["prose", "whole U", "more prose"]).view, "medoid").index == 1
