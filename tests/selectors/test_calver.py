"""The checker's selector: the earliest of the highest scores."""

from random import Random

import calverify as cv
from tests.drawn_pools import CASES, KINDS, draw, drawn
from tests.oracles import votes


def test_its_numbers_are_the_scores():
    names = ["said ['M']", "silent", "whole U", "no query"]
    assert list(cv.SELECTORS["calver"](drawn(names).view)) == [3, None, 6, 5]
    assert list(cv.SELECTORS["calver"](drawn(names, "all").view)) == [3, 0, 6, 5]


@CASES
def test_it_agrees_with_counting_by_hand(count):
    rng = Random(2)
    for _ in range(count):
        pool = draw(rng)
        assert cv.choose(pool.view, "calver").index == votes.highest(pool.scores), pool.names
        texts = [KINDS[name].text for name in pool.names[:3]]
        same = cv.choose(cv.view_of(pool.view.problem, pool.view.pool.prefix(len(texts)), pool.view.admission))
        assert cv.select(pool.view.problem, texts, admission=pool.view.admission).index == same.index
