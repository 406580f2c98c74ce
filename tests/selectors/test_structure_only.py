"""The control: graph, query, derivation and the format of the answer, and nothing about validity."""

from random import Random

import pytest

import calverify as cv
from tests.drawn_pools import CASES, KINDS, PROBLEM, SHEET, VERDICTS, draw, drawn
from tests.oracles import votes
from tests.problems import SOLVABLE, known
from tests.sheets import Raw, sheet_of
from tests.views import view_of_texts

ROWS = [
    ("whole and right", SHEET, 4),
    ("whole and wrong", SHEET.swapped(["M"]), 4),
    ("no graph", SHEET.but(graph=Raw("{")), 3),
    ("no query", SHEET.but(query=Raw("{")), 3),
    ("no derivation", SHEET.but(derivation=Raw("{")), 3),
    ("no strategy", SHEET.but(strategy=Raw("{")), 4),
    ("no result", SHEET.but(result=Raw("{")), 4),
    ("another result", SHEET.but(result={"result": ["M"]}), 4),
    ("the answer on the line alone", SHEET.but(answer=Raw("{")), 3),
    ("the answer in the slot alone", SHEET.but(line="").swapped(["U"]), 4),
]


def numbers(view):
    return list(cv.SELECTORS["structure_only"](view))


@pytest.mark.parametrize("sheet, count", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_which_parts_count(sheet, count):
    assert numbers(view_of_texts(PROBLEM, [sheet.text()])) == [count]


@pytest.mark.parametrize("task, kind", SOLVABLE)
def test_validity_moves_nothing(task, kind):
    """A right and a wrong answer of one form have the same number: four."""
    drawn = known(Random(f"{task} {kind}"), task, kind)
    sheets = [sheet_of(drawn.problem, answer) for answer in (drawn.right[0], drawn.wrong[0])]
    found = numbers(view_of_texts(drawn.problem, [sheet.text() for sheet in sheets]))
    verdicts = [cv.verify(drawn.problem, sheet.text()) for sheet in sheets]
    assert found == [sum(v.bits[slot] for slot in ("graph", "query", "derivation")) + 1 for v in verdicts]
    assert found[0] == 4


@CASES
def test_it_agrees_with_what_is_known_of_each(count):
    rng = Random(5)
    for _ in range(count):
        pool = draw(rng)
        known_parts = [
            None
            if answer is None
            else 0
            if KINDS[name].answer is None
            else sum(VERDICTS[name].bits[slot] for slot in ("graph", "query", "derivation")) + KINDS[name].formed
            for name, answer in zip(pool.names, pool.answers, strict=True)
        ]
        assert numbers(pool.view) == known_parts
        assert cv.choose(pool.view, "structure_only").index == votes.highest(known_parts)


def test_without_a_supplied_graph():
    """A trace that states no graph loses that bit and keeps the others."""
    problem = cv.Problem("c", PROBLEM.query, text="...", legend=("U", "X", "Y", "M", "P"))
    texts = [SHEET.text(), SHEET.but(graph=Raw("{")).text()]
    assert numbers(view_of_texts(problem, texts)) == [4, 3]


def test_an_unregistered_task_has_no_structure():
    unknown = cv.Problem("u", cv.Query("sorcery", ("X", "Y")), PROBLEM.graph)
    assert numbers(view_of_texts(unknown, [SHEET.text()])) == [None]
    assert numbers(view_of_texts(unknown, [SHEET.text()], "all")) == [0]
    assert drawn([]).view.answers == ()
