"""The rules that every stored score keeps."""

from collections.abc import Sequence
from fractions import Fraction

import calverify as cv
from calverify.pools import SCORE_NAMES
from tests.drawn_pools import KINDS, PROBLEM
from tests.views import pool_of

ABSENT = object()  # a candidate that was never rated
STORED_ROWS = [
    ("nobody", [], None),
    ("the highest", [0.2, 0.9, 0.5], 1),
    ("the earliest of the highest", [0.5, 0.9, 0.9], 1),
    ("a missing rating stands aside", [ABSENT, -3.5, -9], 1),
    ("a failed rating stands aside, and is no zero", [None, -3.5, -9], 1),
    ("all missing: nothing is picked", [ABSENT, None], None),
    ("integers and floats", [1, 1.0, 1.5], 2),
    ("a difference in the last digit", [0.1, 0.10000000000000002], 1),
    ("a sum that floats get wrong is another number", [0.3, 0.1 + 0.2], 1),
]


def stored_rules(name: str, ratings: Sequence[object], index: int | None) -> None:
    texts = [KINDS["whole U"].text] * len(ratings)
    scores = [{} if rating is ABSENT else {name: rating} for rating in ratings]
    view = cv.view_of(PROBLEM, pool_of(PROBLEM, texts, scores))
    found = list(cv.SELECTORS[name](view))
    assert found == [None if rating in (ABSENT, None) else Fraction(str(rating)) for rating in ratings]
    assert cv.choose(view, name).index == index
    for other in SCORE_NAMES - {name}:
        assert list(cv.SELECTORS[other](view)) == [None] * len(ratings)
    silent = cv.view_of(PROBLEM, pool_of(PROBLEM, [KINDS["silent"].text] * len(ratings), scores))
    assert list(cv.SELECTORS[name](silent)) == [None] * len(
        ratings
    )  # an unreadable trace stands aside, whatever its rating
