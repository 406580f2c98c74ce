"""The vote among the traces with the highest score."""

from random import Random

import pytest

import calverify as cv
from tests.drawn_pools import CASES, draw, drawn
from tests.oracles import votes

TABLE = [
    ("nobody", [], [], None),
    ("one of six beats many of three", ["said ['M']", "said ['M']", "whole U"], [None, None, 1], 2),
    ("the vote decides among sixes", ["whole U", "whole UP", "whole UP"], [1, 2, 2], 1),
    ("all of three: an ordinary vote", ["said ['X']", "said ['M']", "said ['M']"], [1, 2, 2], 1),
]


@pytest.mark.parametrize("names, numbers, index", [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_who_wins(names, numbers, index):
    view = drawn(names).view
    assert list(cv.SELECTORS["verified_plurality"](view)) == numbers
    assert cv.choose(view, "verified_plurality").index == index


@CASES
def test_it_agrees_with_a_vote_by_hand(count):
    rng = Random(8)
    for _ in range(count):
        pool = draw(rng)
        picked = cv.choose(pool.view, "verified_plurality").index
        assert picked == votes.verified(pool.answers, pool.scores), pool.names
