"""The policy's own yes or no, asked n times: an exact share, or none."""

import asyncio
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calverify.errors import CalverifyError, Fault
from calverify.pools import Candidate
from calverify.sampling import Completion, Confidence, Parameters, parse_vote
from calverify.sampling.scores import Unit
from tests.sampling.scores.raters import Says, problem, trace_in

VOTES = [
    ("yes", True), ("No", False), ("YES.", True), ("  **no**", False), ("Yes, it is.", True), ("no\nIt opens.", False),
    ('"yes"', True), ("<think>no</think>yes", True),
]  # fmt: skip
NEITHER = [
    "",
    "maybe",
    "yesterday",
    "It is right: yes",
    "yes it is",
    "yes, or no",
    "No. Well, yes.",
    "y",
    "1",
    "true",
    "<think>yes",
]


@pytest.mark.parametrize("text, vote", VOTES)
def test_votes_that_are_read(text, vote):
    assert parse_vote(Completion(text)) is vote


@pytest.mark.parametrize("text", NEITHER)
def test_votes_that_are_not(text):
    assert isinstance(parse_vote(Completion(text)), Fault)


@given(
    st.text(max_size=30) | st.lists(st.sampled_from(["yes", "no", " ", ".", "*", "\n", "ok"]), max_size=6).map("".join)
)
def test_any_words_are_a_vote_or_none(text):
    assert parse_vote(Completion(text)) in (True, False) or isinstance(parse_vote(Completion(text)), Fault)


def rated(source, **parts):
    rater = Confidence(source=source, **parts)
    return asyncio.run(rater.rate(Unit(problem(), 0, Candidate(1, "ANSWER: U")), source.complete))


def test_share_is_exact():
    said = cycle(["yes", "no", "yes", "yes"])
    source = Says(lambda request, want: [next(said) for _ in range(want)])
    rating = rated(source)
    assert (rating.score, rating.why, rating.tokens_out) == (0.75, "", 2)
    assert [request.index for request in source.asked] == [0]
    assert trace_in(source.asked[0]) == "ANSWER: U"


def test_source_that_gives_one_at_a_time():
    """Each has a seed of its own."""
    source = Says(lambda request, want: ["yes"])
    assert rated(source, samples=4).score == 1
    assert [request.index for request in source.asked] == [0, 1, 2, 3]


def test_what_cannot_be_read_is_asked_again():
    said = iter(["yes", "hm", "no", "hm", "no", "no"])
    assert rated(Says(lambda request, want: [next(said)]), samples=4).score == 0.25


def test_too_little_that_can_be_read_is_no_score():
    """Twice as many are asked for in all, and no share of fewer is made up."""
    source = Says(lambda request, want: ["hm"] * want)
    rating = rated(source, samples=4)
    assert (rating.score, len(source.asked)) == (None, 2)
    assert rating.why == "0 of 8 replies say yes or no, 4 are needed; one said 'hm'"


@pytest.mark.parametrize("samples", [0, 3, 1001])
def test_shares_that_no_number_says_exactly(samples):
    with pytest.raises(CalverifyError):
        Confidence(source=Says(lambda request, want: []), samples=samples)


def test_temperature_0_asks_once():
    with pytest.raises(CalverifyError, match="every reply is the same"):
        Confidence(source=Says(lambda request, want: []), parameters=Parameters(temperature=0), samples=2)
    assert rated(Says(lambda request, want: ["no"]), parameters=Parameters(temperature=0), samples=1).score == 0


def test_long_trace_is_left_unrated():
    source = Says(lambda request, want: ["yes"] * want)
    assert (rated(source, longest=3).score, source.asked) == (None, [])
