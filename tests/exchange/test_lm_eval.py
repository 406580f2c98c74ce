"""lm-eval's samples: a document stands once a filter, and a metric is a mark of the reply that the filter kept."""

import json

import pytest

from tests.exchange.logs import joined, lines, read, records_of, texts_of

FILE = "samples_causal_sets.jsonl"
STRICT, *_ = records_of(FILE)


def one(**parts):
    alone = {"doc_id": 0, "doc": {"id": "w1"}, "target": "{U}", "resps": [["ANSWER: {U}"]], "filter": "none",
             "filtered_resps": ["{U}"], "metrics": ["exact_match"], "exact_match": 1.0}  # fmt: skip
    return {**alone, **parts}


def test_what_lm_eval_wrote():
    """Two filters of two replies: one pool a document, and the metric of each filter under its own name."""
    found = joined(FILE)
    assert texts_of(found) == {
        "w1/0": ("U confounds X and Y.\nANSWER: {P, U}", "M carries it.\nANSWER: {M}"),
        "w2/0": ("B is between.\nANSWER: B", "Nothing is needed.\nANSWER: set()"),
        "w3/0": ("ANSWER: X->G->X", "There is G -> X -> H -> G.\nANSWER: G -> X -> H -> G"),
    }
    assert found.rejected == ()
    assert found.mark_names == ("exact_match@flexible", "exact_match@strict")
    said = [(mark.problem, mark.index, mark.right("exact_match@strict")) for mark in found.marks if mark.scores]
    assert [row for row in said if row[2] is not None] == [("w1", None, False), ("w2", None, True), ("w3", None, False)]


def test_a_metric_of_what_a_filter_made_is_said_of_the_document():
    """The first filter cut "{P, U}" out of a reply; whose reply that was, the log does not say."""
    ((entry,), _) = read("lm-eval", lines(STRICT))
    assert [dict(said.scores) for said in entry.said] == [{}, {}]
    assert (entry.whole.scores, entry.whole.answers) == (
        {"exact_match@strict": 0.0},
        {"exact_match@strict": "{P, U}"},
    )


def test_a_metric_of_one_reply_is_a_mark_of_it():
    ((only,), _) = read("lm-eval", lines(one()))
    assert only.said[0].scores == {"exact_match@none": 1.0}
    kept = one(resps=[["a", "b", "a"]], filtered_resps=["a"])
    ((entry,), _) = read("lm-eval", lines(kept))
    assert [dict(said.scores) for said in entry.said] == [{"exact_match@none": 1.0}, {}, {"exact_match@none": 1.0}]
    assert not entry.whole.scores


ROWS = [
    ("likelihoods", {"resps": [["-1.0", True], ["-2.0", False]]}, "it has the responses of 2 requests, and one"),
    ("no responses", {"resps": None}, "it has the responses of 0 requests"),
    ("numbers for texts", {"resps": [[-1.5]]}, "resps[0] is -1.5, neither a text nor chat messages"),
    ("the same again", {}, "document 0 stood already at line 1, under the filter 'none' too"),
    ("other responses", {"filter": "x", "resps": [["other"]]}, "document 0 has other responses here than at line 1"),
]


@pytest.mark.parametrize("parts, why", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_damaged_line_costs_itself_only(parts, why):
    found, said = read("lm-eval", lines(one(), one(**parts)))
    assert [entry.texts for entry in found] == [("ANSWER: {U}",)]
    assert len(said) == 1
    assert said[0].startswith(f"log.jsonl, line 2: {why}")


@pytest.mark.parametrize("lost", ["doc_id", "doc", "filter", "metrics", "target", "arguments", "filtered_resps"])
def test_a_field_that_is_not_there(lost):
    """Only replies are needed; a line without a number is a document of its own."""
    record = {name: value for name, value in one().items() if name != lost}
    found, said = read("lm-eval", lines(record))
    assert ([entry.texts for entry in found], said) == ([("ANSWER: {U}",)], [])


def test_metrics_of_strange_kinds():
    """NaN, which Python writes, is no number; what is no single value is kept as its JSON."""
    strange = one(metrics=["a", "b", 7, "lost"], a=float("nan"), b=[1, 2])
    ((entry,), _) = read("lm-eval", lines(strange))
    assert entry.said[0].scores == {"a@none": None, "b@none": "[1, 2]"}


CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Which set?\nSay."}]


@pytest.mark.parametrize(
    "asked, prompt",
    [
        ("Which set?", "Which set?"),
        (CHAT, "Which set?\nSay."),
        (json.dumps(CHAT), "Which set?\nSay."),
        ([json.dumps(CHAT)], "Which set?\nSay."),
        ("[{no chat", "[{no chat"),
        (None, ""),
        (7, ""),
    ],
)
def test_what_was_asked(asked, prompt):
    """Of a chat, the last word of the user."""
    ((entry,), _) = read("lm-eval", lines(one(arguments={"gen_args_0": {"arg_0": asked, "arg_1": {}}})))
    assert entry.prompt == prompt
