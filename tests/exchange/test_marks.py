"""Marks: which values say right, which wrong, and which neither; and which scores grade at all."""

from fractions import Fraction

import pytest

from calverify.errors import CalverifyError
from calverify.exchange import Mark, is_grade, is_right

ROWS = [
    (True, True), (False, False), (None, None), (1, True), (0, False), (-1, False), (1.0, True), (0.0, False),
    (0.5, None), (14, None), ("C", True), ("I", False), ("N", False), ("P", None), (" Correct ", True), ("no", False),
    ("1", True), ("0", False), ("", None), ("[1, 2]", None), (10**400, None),
]  # fmt: skip


@pytest.mark.parametrize("value, right", ROWS)
def test_is_right(value, right):
    assert is_right(value) is right


@pytest.mark.parametrize(
    "value, right", [(0.5, True), (0.49, False), (14, True), (-1, False), ("C", True), (None, None)]
)
def test_from_a_number_on(value, right):
    assert is_right(value, Fraction(1, 2)) is right


@pytest.mark.parametrize("name, grade", [
    ("exact_match@strict", True), ("reward", True), ("match", True), ("accuracy.score", True), ("num_turns", False),
    ("length", False), ("output_tokens", False), ("Time", False), ("outcome", True), ("numeric_match", True),
])  # fmt: skip
def test_is_grade(name, grade):
    assert is_grade(name) is grade


def test_records():
    mark = Mark("w1", 0, 2, {"match": "C"}, {"match": "U"}, "{U}")
    assert Mark.from_json(mark.to_json()) == mark
    assert (mark.right("match"), mark.right("other")) == (True, None)
    with pytest.raises(CalverifyError, match="mark record carries 'gold_v2'"):
        Mark.from_json({**mark.to_json(), "gold_v2": 1})
