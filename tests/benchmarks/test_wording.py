"""Shapes of text: what fills a slot is read back, and any other text has another shape."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calverify.benchmarks._wording import filled, opening
from calverify.benchmarks.clear import WORDINGS
from calverify.benchmarks.memkk import SPEECHES, read_quiz
from calverify.errors import CalverifyError

ROWS = [
    ("a slot", "path {p}.", "path A->B.", {"p": "A->B"}),
    ("two slots", "from {x} to {y}.", "from A to B.", {"x": "A", "y": "B"}),
    ("a slot at the end", "say {what}", "say it. all", {"what": "it. all"}),
    ("a slot at the start", "{who} says", "Ann says", {"who": "Ann"}),
    ("no slot", "Is it?", "Is it?", {}),
    ("twice alike", "{x} or {x}", "A or A", {"x": "A"}),
    ("twice, not alike", "{x} or {x}", "A or B", None),
    ("an empty slot", "path {p}.", "path .", None),
    ("more behind it", "path {p}.", "path A. B", None),
    ("less", "path {p}.", "path A", None),
    ("another start", "path {p}.", "a path A.", None),
    ("nothing", "path {p}.", "", None),
]


@pytest.mark.parametrize("shape, text, slots", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_rows(shape, text, slots):
    assert filled(shape, text) == slots


def test_an_opening_says_where_the_text_goes_on():
    assert opening("{who} left.", "Ann left. Bob left.") == ({"who": "Ann"}, 9)
    assert opening("{who} left.", "Ann left. Bob left.", 10) == ({"who": "Bob"}, 19)


WORDS = st.text("ABCDE", min_size=1, max_size=3)
SHAPES = sorted({shape for rows in WORDINGS.values() for _, _, shape in rows} | set(SPEECHES))


@settings(max_examples=600)
@given(shape=st.sampled_from(SHAPES), words=st.lists(WORDS, min_size=6, max_size=6))
def test_what_fills_a_published_shape_is_read_back(shape, words):
    names = ("x", "y", "path", "claim", "relation", "who", "what")
    slots = {name: word for name, word in zip(names, [*words, "AB"], strict=True) if f"{{{name}}}" in shape}
    assert filled(shape, shape.format(**slots)) == slots


@given(st.text())
def test_any_text_is_a_quiz_or_refused(text):
    """And nothing else is raised."""
    for quiz in (text, f"You meet 2 inhabitants: {text}"):
        with pytest.raises(CalverifyError):
            read_quiz(quiz)


@given(
    st.lists(
        st.sampled_from([*"AB{}\"'., ", " is a knight", " said that ", "Zoey", "Oliver", "If ", " then "]), max_size=30
    )
)
def test_any_speeches_are_read_or_refused(parts):
    opening_ = (
        "A very special island is inhabited only by knights and knaves. Knights always tell the truth, and knaves "
        "always lie. You meet 2 inhabitants: Zoey, and Oliver. "
    )
    try:
        people, said = read_quiz(f"{opening_}{''.join(parts)} So who is a knight and who is a knave?")
    except CalverifyError:
        return
    assert people == ("Zoey", "Oliver")
    assert sorted(speaker for speaker, _ in said) == ["Oliver", "Zoey"]
