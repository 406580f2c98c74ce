"""Names and numbers as they are written: what is one name, what a number says, and what is kept of either."""

from fractions import Fraction

import pytest

from calverify.names import (
    MAX_BRIEF,
    MAX_NAME,
    NameFault,
    _clean,
    article,
    brief,
    clean_name,
    exact_number,
    first_repeat,
    listing,
    number_json,
    those_there_are,
)

NAMES = [
    ("as it is", "X", "X"),
    ("blanks around", " \t X\n", "X"),
    ("blanks inside", "heart rate", "heart rate"),
    ("composed", "e\u0301", "\u00e9"),
    ("as long as may be", "x" * MAX_NAME, "x" * MAX_NAME),
    ("as long as may be, far out", " " * 10_000 + "x" * MAX_NAME, "x" * MAX_NAME),
    ("a look-alike letter", "\u0425", "\u0425"),
    ("a zero-width character", "X\u200b", "X\u200b"),
]


@pytest.mark.parametrize("written, name", [row[1:] for row in NAMES], ids=[row[0] for row in NAMES])
def test_a_name_is_trimmed_and_composed_and_nothing_else(written, name):
    assert clean_name(written) == name


FAULTS = [
    ("empty", "", "empty"),
    ("blank", " \n ", "empty"),
    ("too long", "x" * (MAX_NAME + 1), "over 200 characters"),
    ("too long once composed", "\ufb1d" * MAX_NAME, "over 200 characters"),
    ("a lone surrogate", "X\ud800", "lone surrogate"),
    ("a number", 7, "must be a string, not 7"),
    ("nothing", None, "must be a string, not None"),
]


@pytest.mark.parametrize("written, why", [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_what_is_no_name(written, why):
    with pytest.raises(NameFault, match=why):
        clean_name(written)


def test_a_long_spelling_is_not_kept():
    """A model may write a megabyte of blanks around each name; what is remembered must stay small."""
    before = _clean.cache_info()
    assert clean_name(" " * 1_000_000 + "A") == "A"
    after = _clean.cache_info()
    assert (after.misses, after.currsize) == (before.misses, before.currsize)


NUMBERS = [
    (0.02, Fraction(1, 50)),
    ("1/3", Fraction(1, 3)),
    (" -2.50 ", Fraction(-5, 2)),
    ("1e3", Fraction(1000)),
    (".5", Fraction(1, 2)),
    (7, Fraction(7)),
    (True, None),
    ("1/0", None),
    ("1.5/2", None),
    ("1e999", None),
    ("nan", None),
    (float("inf"), None),
    ("\u0661", None),
    ("9" * 41, None),
    (2**2000, None),
    (None, None),
    ([1], None),
]


@pytest.mark.parametrize("written, number", NUMBERS, ids=[brief(row[0]) for row in NUMBERS])
def test_a_number_says_what_is_written(written, number):
    assert exact_number(written) == number


@pytest.mark.parametrize("number", [Fraction(1, 3), Fraction(1, 10), Fraction(-7), Fraction(10**400, 7), Fraction(0)])
def test_a_number_reads_back_from_json(number):
    shown = number_json(number)
    assert (Fraction(shown) if isinstance(shown, int | str) else exact_number(shown)) == number


def test_what_is_shown_is_short():
    assert len(brief("x" * 10_000)) == 60
    assert brief(10**300) == "<huge int>"
    assert len(brief([[["x" * 100] * 100] * 100] * 100)) == MAX_BRIEF
    assert brief(["Y", "X"]) == "['Y', 'X']"
    assert listing([f"V{i}" for i in range(40)]) == "V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, ... (40 in all)"
    assert listing(["A", "B"], " -> ") == "A -> B"


def test_small_words():
    assert [article(noun) for noun in ("edge", "path", "instrument")] == ["an edge", "a path", "an instrument"]
    assert first_repeat("XYXY") == "X"
    assert first_repeat("XY") is None


def test_a_mistyped_name_is_told_the_nearest_one():
    assert those_there_are("cylce", ["cycle", "path"]) == "did you mean 'cycle'? There are cycle, path"
    assert those_there_are("sorcery", ["cycle", "path"]) == "there are cycle, path"
    assert those_there_are("cycle" * 1_000_000, ["cycle", "path"]) == "there are cycle, path"
