"""The earliest accepted answer, or nothing."""

from random import Random

import pytest

import calverify as cv
from tests.drawn_pools import CASES, VERDICTS, draw, drawn

TABLE = [
    ("nobody", [], None),
    ("none accepted: nothing is picked", ["said ['M']", "said []"], None),
    ("the earliest accepted", ["said ['M']", "said ['P', 'U']", "whole U"], 1),
    ("a low score does not matter", ["no query", "whole U"], 0),
    ("an answer without a trace is not looked at", ["line without a trace", "whole U"], 1),
]


@pytest.mark.parametrize("admission", ["admissible", "all"])
@pytest.mark.parametrize("names, index", [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_the_earliest_accepted_or_nothing(names, index, admission):
    assert cv.choose(drawn(names, admission).view, "provable").index == index


@CASES
def test_it_picks_a_right_answer_or_none(count):
    rng = Random(3)
    for _ in range(count):
        pool = draw(rng)
        right = [VERDICTS[name].admissible and VERDICTS[name].bits["answer"] == 1 for name in pool.names]
        assert cv.choose(pool.view, "provable").index == (right.index(True) if True in right else None)
