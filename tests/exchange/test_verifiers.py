"""verifiers' traces: the reply of a single agent and its rewards; and the older results, a completion a line."""

import pytest

from tests.exchange.logs import joined, lines, read, records_of, texts_of

EPISODE, *_ = records_of("traces.jsonl")
RESULT, *_ = records_of("results.jsonl")


def changed(**parts):
    """The episode, with these parts of its one trace in the place of what is there."""
    return {**EPISODE, "traces": [{**EPISODE["traces"][0], "id": "another", **parts}]}


def test_what_verifiers_wrote():
    """The thoughts stand before the reply; the first mark is the weighted sum of the rewards."""
    found = joined("traces.jsonl")
    thought = "<think>\nU confounds them.\n</think>\n"
    assert texts_of(found) == {"w1/0": (f"{thought}ANSWER: {{P, U}}", f"{thought}ANSWER: {{U}}")}
    assert [dict(mark.scores) for mark in found.marks] == [
        {"reward": 0, "exact": 0.0, "length": 14.0},
        {"reward": 1, "exact": 1.0, "length": 11.0},
    ]
    assert (found.models, found.rejected, found.marks[0].gold) == (("a-model",), (), "{U}")


def test_the_older_results():
    """A completion is a list of messages that ends with the reply; the rows have no id of ours, but they say what they
    asked."""
    found = joined("results.jsonl")
    assert texts_of(found) == {"w1/0": ("ANSWER: {P, U}", "ANSWER: {M}")}
    assert dict(found.marks[0].scores) == {"reward": 0.0, "exact": 0.0, "num_turns": 1.0}


def test_rewards_are_weighted_exactly():
    rewards = {"a": {"score": 0.1, "weight": 3}, "b": {"score": 0.2}, "c": None, "d": {"score": "no"}}
    ((entry,), _) = read("verifiers", lines(changed(rewards=rewards, metrics=None)))
    assert entry.said[0].scores == {"reward": 0.5, "a": 0.1, "b": 0.2, "d": "no"}


def test_a_trace_without_its_episode():
    ((entry,), why) = read("verifiers", lines(EPISODE["traces"][0]))
    assert (entry.texts[0].endswith("ANSWER: {P, U}"), why) == (True, [])


def test_the_reply_of_the_root():
    """Where the trace has agents below the one that was asked."""
    ((entry,), _) = read("verifiers", lines(changed(root_reply="ANSWER: {U}")))
    assert entry.texts == ("ANSWER: {U}",)


ROWS = [
    ("several agents", {**EPISODE, "traces": EPISODE["traces"] * 2}, "the episode has 2 traces, and one was expected"),
    (
        "none",
        {**EPISODE, "traces": [], "errors": [{"type": "Died"}]},
        "the episode has 0 traces, and one was expected; ",
    ),
    ("no list", {**EPISODE, "traces": 7}, "the episode has 0 traces"),
    ("a trace that is none", {**EPISODE, "traces": [7]}, "the trace is 7, not an object"),
    ("no nodes", changed(nodes=None), "the trace holds no reply"),
    ("nothing sampled", changed(nodes=[{"message": {"role": "user", "content": "?"}}]), "the trace holds no reply"),
    ("a strange reply", changed(nodes=[{"sampled": True, "message": {"content": 7}}]), "the content of a reply is 7"),
    ("neither", {"a": 1}, "it holds neither traces nor nodes nor a completion"),
    ("a failed result", {**RESULT, "error": "boom"}, "the rollout failed: 'boom'"),
    ("a strange result", {**RESULT, "completion": 7}, "completion[0] is 7, neither a text nor chat messages"),
]


@pytest.mark.parametrize("damaged, why", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_damaged_line_costs_itself_only(damaged, why):
    found, said = read("verifiers", lines(damaged, EPISODE))
    assert len(found) == 1
    assert len(said) == 1
    assert said[0].startswith(f"log.jsonl, line 1: {why}")
