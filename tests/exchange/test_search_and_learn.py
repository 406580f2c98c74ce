"""search-and-learn's completions: the last step's process reward is a mark, and a stored score only when asked for."""

import pytest

from calverify.errors import CalverifyError
from tests.exchange.logs import joined, lines, read, records_of, texts_of

RECORD, *_ = records_of("completions.jsonl")


def test_a_published_shape():
    found = joined("completions.jsonl")
    assert texts_of(found) == {
        "w1/0": ("Look at U.\n\nANSWER: {P, U}", "M carries it.\n\nANSWER: {M}"),
        "w2/0": ("ANSWER: {B}", "ANSWER: set()"),
    }
    assert [dict(mark.scores) for mark in found.marks][:2] == [
        {"scores": 0.93, "agg_scores": 0.93},
        {"scores": 0.21, "agg_scores": 0.21},
    ]
    assert [candidate.scores for pool in found.pools for candidate in pool.candidates] == [{}, {}, {}, {}]


def test_ratings_become_stored_scores_where_that_is_asked_for():
    found = joined("completions.jsonl", ratings={"scores": "prm"})
    assert [candidate.scores for candidate in found.pools[0].candidates] == [{"prm": 0.93}, {"prm": 0.21}]


@pytest.mark.parametrize("ratings, why", [
    ({"scores": "correct"}, "a stored score is one of confidence, judge, prm, reward, not 'correct'"),
    ({"nothing": "prm"}, "no mark of the log is called 'nothing'; there are scores, agg_scores"),
])  # fmt: skip
def test_ratings_that_are_none(ratings, why):
    with pytest.raises(CalverifyError, match=why):
        joined("completions.jsonl", ratings=ratings)


ROWS = [
    ("no completions", {"completions": None}, "'completions' is None, not a list"),
    ("a completion that is none", {"completions": ["a", 7]}, "completions[1] is 7, neither a text nor chat messages"),
    ("scores of others", {"scores": [[1.0]]}, "there are 1 'scores' for 2 completions"),
]


@pytest.mark.parametrize("parts, why", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_damaged_line_costs_itself_only(parts, why):
    found, said = read("search-and-learn", lines({**RECORD, **parts}, RECORD))
    assert [len(entry.texts) for entry in found] == [2]
    assert len(said) == 1
    assert said[0].startswith(f"log.jsonl, line 1: {why}")


@pytest.mark.parametrize("scores", [None, 7, "x", [[], None]])
def test_scores_that_say_nothing(scores):
    ((entry,), why) = read("search-and-learn", lines({**RECORD, "scores": scores, "agg_scores": None}))
    assert why == []
    assert [value for said in entry.said for value in said.scores.values()] == (
        [None, None] if scores == [[], None] else []
    )
