"""One rule picks: the earliest of the highest, exactly."""

from fractions import Fraction
from random import Random

import pytest

import calverify as cv

TABLE = [
    ("nobody", [], None),
    ("nobody stands", [None, None], None),
    ("one", [3], 0),
    ("one that scores nothing", [0], 0),
    ("one below nothing", [-2], 0),
    ("the last", [1, 2, 3], 2),
    ("a tie goes to the earliest", [1, 6, 6], 1),
    ("all alike", [4, 4, 4], 0),
    ("some stand aside", [None, 2, None, 5, 5], 3),
    ("zero beats none", [None, 0], 1),
    ("negative beats none", [None, -1, -1], 1),
    ("fractions", [Fraction(1, 3), Fraction(2, 6), Fraction(1, 2)], 2),
    ("equal fractions", [Fraction(1, 3), Fraction(2, 6)], 0),
    ("fractions and integers", [Fraction(5, 2), 3, Fraction(6, 2)], 1),
    ("a difference no float can hold", [10**20, 10**20 + 1], 1),
    ("thirds that a float adds up wrong", [Fraction(3, 10), Fraction(1, 10) + Fraction(2, 10)], 0),
]


@pytest.mark.parametrize("scores, index", [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_the_earliest_of_the_highest(scores, index):
    assert cv.earliest_max(scores) == index
    assert cv.earliest_max(tuple(scores)) == index


@pytest.mark.parametrize("scores", [[1.0], [None, 0.5], [1, 2.0], [float("nan")], [3, 2, float("inf")], [0.0, None]])
def test_a_float_is_refused_wherever_it_stands(scores):
    with pytest.raises(cv.CalverifyError, match="float"):
        cv.earliest_max(scores)


def test_it_agrees_with_python():
    rng = Random(1)
    for _ in range(3_000):
        scores = [rng.choice([None, 0, 1, 2, 3, Fraction(1, 2)]) for _ in range(rng.randint(0, 9))]
        stood = [score for score in scores if score is not None]
        assert cv.earliest_max(scores) == (scores.index(max(stood)) if stood else None)
