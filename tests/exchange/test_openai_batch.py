"""The output file of an OpenAI batch: replies in the order of their numbers, and each failed request listed."""

import pytest

from calverify.exchange import Join, import_logs
from tests.exchange.logs import PROBLEMS, joined, lines, read, texts_of


def line(body=None, **parts):
    body = {"model": "m", "choices": [{"index": 0, "message": {"content": "ANSWER: {U}"}}]} if body is None else body
    return {"id": "r1", "custom_id": "w1", "response": {"status_code": 200, "body": body}, "error": None, **parts}


def choices(*listed):
    return {"choices": list(listed)}


def test_a_published_shape():
    """Choices stand in the order of their numbers, whatever that of the file; what failed is told of."""
    found = joined("batch_output.jsonl")
    assert texts_of(found) == {"w1/0": ("ANSWER: {P, U}",), "w2/0": ("ANSWER: {B}", "ANSWER: set()")}
    assert found.models == ("gpt-4o-mini-2024-07-18",)
    expired, limited = map(str, found.rejected)
    assert expired.startswith("batch_output.jsonl, line 3: the request failed: 'batch_expired: ")
    assert limited == "batch_output.jsonl, line 4: the request failed: 'rate_limit_exceeded: Rate limit reached'"
    assert found.missing == ("w3",)
    assert found.marks == ()


BODIES = [
    ("a completion", choices({"index": 0, "text": "U"}), "U"),
    ("a refusal", choices({"message": {"content": None, "refusal": "no"}}), "no"),
    ("thoughts", choices({"message": {"content": "U", "reasoning_content": "so"}}), "<think>\nso\n</think>\nU"),
    ("parts", choices({"message": {"content": [{"type": "text", "text": "U"}]}}), "U"),
    ("a response's text", {"output_text": "U"}, "U"),
    (
        "a response",
        {
            "output": [
                {"type": "reasoning", "summary": [{"type": "summary_text", "text": "so"}]},
                {"type": "message", "content": [{"type": "output_text", "text": "U"}]},
            ]
        },
        "<think>\nso\n</think>\nU",
    ),
]


@pytest.mark.parametrize("body, text", [row[1:] for row in BODIES], ids=[row[0] for row in BODIES])
def test_bodies(body, text):
    ((entry,), why) = read("openai-batch", lines(line(body)))
    assert (entry.texts, why) == ((text,), [])


ROWS = [
    ("a request", {"custom_id": "w1", "body": {}}, "it is a request (a line of the input file), not a response"),
    ("no body", line(response={"status_code": 200}), "response.body is missing, not an object"),
    ("an error of its own", line(error={"code": "x", "message": "y"}), "the request failed: 'x: y'"),
    ("an error in words", line(error="no"), "the request failed: 'no'"),
    ("a status", line(response={"status_code": 500, "body": {}}), "the request failed with the status 500"),
    ("no choices", line({"choices": []}), "the body of its response holds neither choices nor an output"),
    ("a choice that is none", line(choices(None)), "choice 0 is missing, not an object"),
    ("no message", line(choices({"index": 0})), "the message of a choice is missing, not an object"),
    ("numbers twice", line(choices({"index": 0, "text": "a"}, {"index": 0, "text": "b"})), "its choices are numbered"),
    ("a gap", line(choices({"index": 0, "text": "a"}, {"index": 2, "text": "b"})), "its choices are numbered [0, 2]"),
    ("words", line(choices({"index": "a", "text": "a"}, {"index": 1, "text": "b"})), "its choices are numbered ['a'"),
    ("no message at all", line({"output": []}), "its response holds no message"),
    ("no object", 7, "the record is 7, not an object"),
]


@pytest.mark.parametrize("damaged, why", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_damaged_line_costs_itself_only(damaged, why):
    found, said = read("openai-batch", lines(damaged, line()))
    assert [entry.texts for entry in found] == [("ANSWER: {U}",)]
    assert len(said) == 1
    assert said[0].startswith(f"log.jsonl, line 1: {why}")


def test_one_request_a_sample():
    """Lines come in any order; the number behind the cut gives them theirs back."""
    rows = [line(choices({"text": name}), id=f"r{name}", custom_id=f"w1#{name}") for name in "201"]
    found = import_logs({"log.jsonl": lines(*rows)}, PROBLEMS, join=Join(cut="#"))
    assert texts_of(found) == {"w1/0": ("0", "1", "2")}


def test_the_same_response_twice():
    found = import_logs({"log.jsonl": lines(line(), line())}, PROBLEMS)
    assert texts_of(found) == {"w1/0": ("ANSWER: {U}",)}
    assert str(found.rejected[0]) == "log.jsonl, line 2: the same record stood already at line 1"
