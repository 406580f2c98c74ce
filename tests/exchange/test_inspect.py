"""Inspect's logs: what Inspect itself wrote is read whole, and each sample that is damaged is told of."""

import json

import pytest

from calverify.exchange import find_writer
from tests.exchange.logs import archive_with, data_of, joined, lines, read, texts_of
from tests.views import pool_of


def sample(**parts):
    reply = {"message": {"role": "assistant", "content": "ANSWER: {U}"}, "stop_reason": "stop"}
    return {"id": "w1", "epoch": 1, "input": "?", "target": "{U}", "output": {"choices": [reply]}, **parts}


def log(*samples):
    return json.dumps({"version": 2, "eval": {"task": "t", "model": "m"}, "samples": samples}).encode()


def content(value):
    return {"output": {"choices": [{"message": {"role": "assistant", "content": value}}]}}


def test_what_inspect_wrote():
    """Epochs stand in one pool in their order; the sample whose call failed is listed, and nothing else is missing."""
    found = joined("inspect.eval")
    assert texts_of(found) == {
        "w1/0": (
            "U confounds X and Y, and so nothing else is needed.\nANSWER: {U}",
            "M carries the effect.\nANSWER: {M}",
            "Adjusting for both is fine.\nANSWER: {P, U}",
        ),
        "w2/0": ("B is the chain's middle.\nANSWER: {B}", "ANSWER: set()", "I would use B.\nANSWER: B"),
        "w3/0": ("ANSWER: X -> G -> X", "ANSWER: G -> X -> H -> G"),
    }
    assert found.models == ("mockllm/model",)
    assert [str(entry) for entry in found.rejected] == [
        "inspect.eval, samples/w3_epoch_3.json: the model gave no reply: \"RuntimeError('the endpoint went away')\""
    ]
    marks = [(mark.problem, mark.index, dict(mark.scores), mark.gold) for mark in found.marks]
    assert marks[2] == ("w1", 2, {"match": "C", "pattern": "I"}, "{U}")
    assert found.marks[2].answers["pattern"] == "{P, U}"


def test_its_json_says_the_same():
    """Of the samples that both files hold."""
    packed, _ = read("inspect", data_of("inspect.eval"), "inspect.eval")
    plain, why = read("inspect", data_of("inspect.json"), "inspect.json")
    by_unit = {entry.once: entry for entry in packed}
    assert [entry.once for entry in plain] == [("w1", "1"), ("w2", "1"), ("w3", "1")]
    for entry in plain:
        twin = by_unit[entry.once]
        assert (entry.texts, entry.said, entry.prompt, entry.model) == (twin.texts, twin.said, twin.prompt, twin.model)
    assert [line.partition(": ")[2][:23] for line in why] == ["the model gave no reply"]


ROWS = [
    ("no object", 7, "the sample is 7, not an object"),
    ("no output", sample(output=None), "the model gave no reply"),
    ("no choices", sample(output={"choices": []}), "the model gave no reply"),
    ("no choices, and why", sample(output={"choices": [], "error": "refused"}), "the model gave no reply: 'refused'"),
    ("a choice that is none", sample(output={"choices": [None]}), "a choice is missing, not an object"),
    ("no message", sample(output={"choices": [{}]}), "the message of a choice is missing, not an object"),
    ("content of a strange kind", sample(**content(7)), "the content of a reply is 7, not a text or a list of parts"),
]


@pytest.mark.parametrize("damaged, why", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_damaged_sample_costs_itself_only(damaged, why):
    found, said = read("inspect", log(damaged, sample()), "log.json")
    assert [entry.texts for entry in found] == [("ANSWER: {U}",)]
    assert said == [f"log.json, sample 1: {why}"]


@pytest.mark.parametrize("samples", [{}, "x", None, []])
def test_a_log_without_samples(samples):
    data = json.dumps({"eval": {"task": "t"}, "samples": samples}).encode()
    assert read("inspect", data, "log.json") == ([], ["log.json, the whole file: the log holds no samples"])


def test_contents_of_parts():
    """Reasoning stands in front of the text in a think block, unless the text has slots of its own."""
    parts = [{"type": "reasoning", "reasoning": "U does."}, {"type": "text", "text": "ANSWER: {U}"}, {"type": "image"}]
    slot = 'STEP 6 [answer]: {"answer": ["U"]}'
    slots = [{"type": "reasoning", "reasoning": "no"}, {"type": "text", "text": slot}]
    hidden = [{"type": "reasoning", "reasoning": "gAAAA", "redacted": True}, {"type": "text", "text": "ANSWER: {U}"}]
    found, why = read("inspect", log(*[sample(**content(value)) for value in (parts, slots, hidden, None)]), "log.json")
    assert why == []
    texts = [entry.texts[0] for entry in found]
    assert texts == ["<think>\nU does.\n</think>\nANSWER: {U}", slot, "ANSWER: {U}", ""]


def test_attachments():
    """Long texts stand apart, and a name stands for them."""
    damaged = sample(attachments={"a1": "the whole question", "a2": "ANSWER: {U}"}, input="attachment://a1",
                     **content("attachment://a2"))  # fmt: skip
    ((entry,), why) = read("inspect", log(damaged), "log.json")
    assert (entry.prompt, entry.texts, why) == ("the whole question", ("ANSWER: {U}",), [])


def test_scores_of_every_shape():
    scores = {
        "a": {"value": {"x": 1, "y": "C"}, "answer": "U"},
        "b": {"value": [1, 2]},
        "c": {"value": float("nan")},
        "d": 5,
        "e": {"value": "I", "answer": None},
    }
    ((entry,), _) = read("inspect", log(sample(scores=scores)), "log.json")
    assert entry.said[0].scores == {"a.x": 1, "a.y": "C", "b": "[1, 2]", "c": None, "e": "I"}
    assert entry.said[0].answers == {"a.x": "U", "a.y": "U"}
    ((old,), _) = read("inspect", log(sample(score={"value": "C", "answer": "U"})), "log.json")
    assert (old.said[0].scores, old.said[0].answers) == ({"score": "C"}, {"score": "U"})


def test_the_same_sample_twice():
    found = joined("inspect.eval")
    twice = [sample(), sample(epoch=2), sample()]
    from calverify.exchange import import_logs

    again = import_logs({"log.json": log(*twice)}, found.problems)
    assert texts_of(again) == {"w1/0": ("ANSWER: {U}", "ANSWER: {U}")}
    assert [str(entry) for entry in again.rejected] == ["log.json, sample 3: the same record stood already at sample 1"]


def test_no_log_of_inspect():
    assert read("inspect", lines({"a": 1}), "log.jsonl")[1] == ["log.jsonl, line 1: the log holds no samples"]


def test_what_is_written_holds_what_inspect_needs():
    """The header, a member a sample and epoch, and nothing of the time at which it was written."""
    from calverify.exchange._packed import members, unpack
    from tests.exchange.logs import PROBLEMS

    archive = archive_with(pool_of(PROBLEMS["w1"], ["a", "b"], seed=3), pool_of(PROBLEMS["w1"], ["c"], seed=1))
    data = find_writer("inspect")(archive)
    assert data == find_writer("inspect")(archive)
    inside, why = members(data, "x.eval")
    names = ["samples/1_epoch_1.json", "samples/1_epoch_2.json", "header.json"]
    assert ([member.name for member in inside], why) == (names, "")
    written = json.loads(unpack(data, inside[0]))
    assert [choice["message"]["content"] for choice in written["output"]["choices"]] == ["a", "b"]
    assert written["metadata"] == {"pool_seed": 3}
