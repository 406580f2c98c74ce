"""A vote weighted by verified bits."""

from random import Random

import calverify as cv
from tests.drawn_pools import CASES, draw, drawn
from tests.oracles import votes


def test_a_vote_counts_its_bits():
    """Three wrong answers of 3 bits outvote one right answer of 6: 9 against 6."""
    view = drawn(["said ['M']", "whole U", "said ['M']", "said ['M']"]).view
    assert list(cv.SELECTORS["soft_consistency"](view)) == [9, 6, 9, 9]
    assert cv.choose(view, "soft_consistency").index == 0
    view = drawn(["said ['M']", "whole U", "said ['M']", "no query"]).view
    assert list(cv.SELECTORS["soft_consistency"](view)) == [6, 11, 6, 11]
    assert cv.choose(view, "soft_consistency").index == 1


@CASES
def test_it_agrees_with_a_vote_by_hand(count):
    rng = Random(9)
    for _ in range(count):
        pool = draw(rng)
        weights = [score or 0 for score in pool.scores]
        assert cv.choose(pool.view, "soft_consistency").index == votes.weighted(pool.answers, weights), pool.names
