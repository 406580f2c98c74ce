"""What a body says, and what a response says: shapes of vLLM, llama.cpp, OpenAI and hosted servers, and of none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calverify.sampling import Passing
from calverify.sampling._schema import SIX_SLOTS, trace_of
from calverify.sampling._wire import error_of, models_of, reply_of
from calverify.traces import STEPS, parse


def reply(record, want=2, decoding="free"):
    return reply_of(json.dumps(record).encode(), want, decoding)


def choice(index, text, **more):
    return {"index": index, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", **more}


VLLM = {
    "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "qwen",
    "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "a", "refusal": None, "annotations": None,
         "audio": None, "function_call": None, "tool_calls": [], "reasoning": "r", "reasoning_content": "r"},
         "logprobs": None, "finish_reason": "stop", "stop_reason": None, "token_ids": None},
        {"index": 1, "message": {"role": "assistant", "content": None, "reasoning": "too long"},
         "finish_reason": "length"},
    ],
    "service_tier": None, "system_fingerprint": None, "prompt_logprobs": None, "kv_transfer_params": None,
    "usage": {"prompt_tokens": 11, "total_tokens": 20, "completion_tokens": 9, "prompt_tokens_details": None},
}  # fmt: skip
LLAMA_CPP = {
    "choices": [
        {"finish_reason": "stop", "index": 0, "message": {"role": "assistant", "content": "a"}},
        {"finish_reason": "length", "index": 1, "message": {"reasoning_content": "hm", "content": ""}},
    ],
    "created": 1, "model": "tiny", "system_fingerprint": "b1-abc", "object": "chat.completion",
    "usage": {"completion_tokens": 4, "prompt_tokens": 3, "total_tokens": 7}, "id": "chatcmpl-x",
    "timings": {"prompt_n": 3},
}  # fmt: skip


def test_vllm():
    found = reply(VLLM)
    assert [(said.text, said.reasoning, said.finish) for said in found.completions] == [
        ("a", "r", "stop"), ("", "too long", "length")
    ]  # fmt: skip
    assert (found.tokens_in, found.tokens_out, found.fingerprint, found.asked) == (11, 9, None, 2)


def test_llama_cpp():
    found = reply(LLAMA_CPP)
    assert [(said.text, said.reasoning) for said in found.completions] == [("a", ""), ("", "hm")]
    assert (found.tokens_in, found.tokens_out, found.fingerprint) == (3, 4, "b1-abc")


TEXTS = [
    ("a text", {"content": "a"}, ("a", "")),
    (
        "parts",
        {"content": [{"type": "text", "text": "a"}, {"text": "b"}, {"type": "image"}]},
        ("ab", ""),
    ),
    ("halves of a character", {"content": [{"text": "\ud83d"}, {"text": "\ude00"}]}, ("😀", "")),
    ("a refusal", {"content": None, "refusal": "I cannot."}, ("I cannot.", "")),
    ("nothing", {"content": None}, ("", "")),
    ("a tool call", {"content": None, "tool_calls": [{"id": "1"}]}, ("", "")),
    ("both names of reasoning", {"content": "a", "reasoning": "r", "reasoning_content": "q"}, ("a", "q")),
    ("reasoning that is no text", {"content": "a", "reasoning": {"effort": "low"}}, ("a", "")),
    ("a number", {"content": 3}, ("", "")),
]


@pytest.mark.parametrize("message, said", [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_texts(message, said):
    (found,) = reply({"choices": [{"message": message}]}).completions
    assert (found.text, found.reasoning) == said


ORDERS = [
    ("in order", [0, 1, 2], 3, "abc"),
    ("backwards", [2, 1, 0], 3, "cba"),
    ("without numbers", [None, None, None], 3, "abc"),
    ("one without", [0, None, 1], 3, "abc"),
    ("all alike", [0, 0, 0], 3, "abc"),
    ("from 1", [1, 3, 2], 3, "acb"),
    ("1 of 1", [5], 1, "a"),
    ("a second time", [0, 1, 1], 3, "ab"),
    ("one left out", [0, 2, 3], 4, "a"),
    ("more than wanted", [0, 1, 2], 2, "ab"),
    ("true and false", [True, False, 2], 3, "abc"),
]


@pytest.mark.parametrize("numbers, want, text", [row[1:] for row in ORDERS], ids=[row[0] for row in ORDERS])
def test_choices_stand_where_their_numbers_say(numbers, want, text):
    """And none stands where another was asked for: what is left out is asked for again."""
    choices = [choice(number, letter) for number, letter in zip(numbers, "abc", strict=False)]
    assert "".join(said.text for said in reply({"choices": choices}, want).completions) == text


PASSING = [
    ("no JSON", b"<html>", "not whole JSON"),
    ("half", b'{"choices": [{"mes', "not whole JSON"),
    ("nothing", b"", "not whole JSON"),
    ("not UTF-8", b'{"choices": "\xff"}', "not whole JSON"),
    ("too deep", b"[" * 200_000, "not whole JSON"),
    ("a list", b"[1]", "no JSON object"),
    ("no choices", b"{}", "it holds no choices"),
    ("no choice", b'{"choices":[]}', "it holds no choices"),
    ("choices null", b'{"choices":null}', "it holds no choices"),
    ("an error", b'{"error":{"message":"upstream","code":502}}', "upstream"),
    ("no message", b'{"choices":[{"text":"a"}]}', "holds no message"),
    ("a choice that is none", b'{"choices":[3]}', "holds no message"),
    ("an error of a choice", b'{"choices":[{"message":{"content":""},"error":{"message":"broke"}}]}', "broke"),
    ("an aborted choice", b'{"choices":[{"message":{"content":"ha"},"finish_reason":"abort"}]}', "could not finish"),
    ("the first left out", b'{"choices":[{"index":1,"message":{}},{"index":2,"message":{}}]}', "without choice 0"),
]


@pytest.mark.parametrize("data, why", [row[1:] for row in PASSING], ids=[row[0] for row in PASSING])
def test_responses_that_are_asked_for_again(data, why):
    with pytest.raises(Passing, match=why):
        reply_of(data, 3)


USAGES = [
    ({"prompt_tokens": 1, "completion_tokens": 2}, (1, 2)),
    ({"prompt_tokens": 1}, (1, None)),
    ({"prompt_tokens": -1, "completion_tokens": True}, (None, None)),
    ({"prompt_tokens": 1.5, "completion_tokens": "2"}, (None, None)),
    (None, (None, None)),
    ([], (None, None)),
]


@pytest.mark.parametrize("usage, counts", USAGES, ids=str)
def test_tokens_are_counts_or_unknown(usage, counts):
    found = reply({"choices": [choice(0, "a")], "usage": usage})
    assert (found.tokens_in, found.tokens_out) == counts


ERRORS = [
    (b'{"error":{"message":"too  many\\nrequests"}}', "too many requests"),
    (b'{"error":"plain"}', "plain"),
    (b'{"detail":[{"loc":["body","n"]}]}', '[{"loc": ["body", "n"]}]'),
    (b'{"message":"m"}', "m"),
    (b"<h1>502</h1>", "<h1>502</h1>"),
    (b"", "nothing"),
    (b"null", "null"),
    (b"x" * 9000, "x" * 300),
    (b'{"error":{}}', "{}"),
]


@pytest.mark.parametrize("data, said", ERRORS, ids=range(len(ERRORS)))
def test_errors_are_said_in_one_short_line(data, said):
    assert error_of(data) == said


def test_models():
    rows = [{"id": f"m{number}"} for number in range(20)]
    assert models_of(json.dumps({"data": [*rows, 3, {"id": 4}]}).encode()) == [f"m{number}" for number in range(8)]
    assert models_of(b'{"data":null}') == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["choices", "message", "content", "index", "usage", "error", "finish_reason", "text"]), inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@given(JSON, st.integers(1, 5), st.sampled_from(["free", "schema"]))
def test_any_json_is_a_reply_or_asked_for_again(record, want, decoding):
    """Nothing that a server can say is a crash."""
    data = json.dumps(record).encode()
    assert 1 <= len(error_of(data)) <= 300
    try:
        found = reply_of(data, want, decoding)
    except Passing:
        return
    assert 1 <= len(found.completions) <= want


@given(st.binary(max_size=60))
def test_any_bytes_are_a_reply_or_asked_for_again(data):
    assert 1 <= len(error_of(data)) <= 300
    try:
        reply_of(data, 1)
    except Passing:
        return


# ---------------------------------------------------------------- six slots as one JSON object

SLOTS = {
    "graph_extract": {"nodes": ["X", "Y"], "edges": [["X", "Y"]]},
    "query_id": {"task": "backdoor", "targets": ["X", "Y"]},
    "strategy": {"method": "adjustment", "set": []},
    "identification_proof": [{"rule": "backdoor", "to": []}],
    "compute": {"result": []},
    "answer": {"answer": []},
}


def test_object_of_six_slots_is_a_trace():
    assert list(SLOTS) == list(STEPS) == SIX_SLOTS["json_schema"]["schema"]["required"]
    trace = parse(trace_of(json.dumps(SLOTS)))
    assert not trace.faults
    (said,) = reply({"choices": [choice(0, json.dumps(SLOTS))]}, 1, "schema").completions
    assert said.text == trace_of(json.dumps(SLOTS))
    assert said.text.startswith('STEP 1 [graph_extract]: {"nodes": ["X", "Y"]')


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"answer": 1, "answer": 2}', json.dumps({**SLOTS, "gold": 1})])
def test_any_other_object_stays_as_it_is(text):
    """For the checker to judge."""
    assert trace_of(text) == text
