"""The first sample, against counting by hand."""

from random import Random

import calverify as cv
from tests.drawn_pools import CASES, draw, drawn


def test_the_earliest_that_stands():
    assert list(cv.SELECTORS["first"](drawn(["silent", "said ['M']", "whole U"]).view)) == [None, 1, 1]
    assert cv.choose(drawn(["silent", "said ['M']", "whole U"]).view, "first").index == 1
    assert cv.choose(drawn(["silent", "said ['M']"], "all").view, "first").index == 0
    assert cv.choose(drawn([]).view, "first").index is None


@CASES
def test_it_agrees_with_counting_by_hand(count):
    rng = Random(1)
    for _ in range(count):
        pool = draw(rng)
        standing = [place for place, answer in enumerate(pool.answers) if answer is not None]
        assert cv.choose(pool.view, "first").index == (standing[0] if standing else None)
