"""A text in, a trace out: bounds, records, and where one slot could harm another.  The corpus has the rest."""

import json
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calverify.errors import Fault, RecordError
from calverify.traces import MAX_TEXT, SLOTS, STEPS, Trace, parse, render_trace
from calverify.traces._json import crowded
from calverify.traces._trace import _by_the_book, _with_care

BODIES = ({"nodes": []}, {"task": "t"}, {"method": "m"}, [{"rule": "r"}], {"result": 1}, {"answer": 1})
WHOLE = render_trace(BODIES, "1")


def test_a_faultless_trace():
    trace = parse(WHOLE)
    assert trace == Trace(BODIES, ("1",), 6)
    assert trace.faults == ()
    assert trace.undetermined is None


def test_an_empty_text():
    assert parse("") == Trace()
    assert [fault.to_json() for fault in Trace().faults] == [{"slot": slot, "why": "missing"} for slot in SLOTS]


# ---------------------------------------------------------------- bounds


def test_the_longest_text_is_read_whole():
    text = WHOLE + "\n" * (MAX_TEXT - len(WHOLE))
    assert len(text) == MAX_TEXT
    assert parse(text) == parse(WHOLE)


def test_a_longer_text_is_undetermined_and_not_wrong():
    trace = parse(WHOLE + "\n" * (MAX_TEXT + 1 - len(WHOLE)))
    assert trace.undetermined == "the text has 1,048,577 characters; the limit is 1,048,576"
    assert (trace.answers, trace.headers) == ((), 0)


def test_the_limit_counts_characters():
    assert parse("𝛼" * MAX_TEXT).undetermined is None


DEEP = "[" * 65 + "]" * 65
OTHERS = [
    ("deep", DEEP, "nested over 64 levels"),
    ("open", "[" * 40, "not JSON: "),
    ("open string", '["', "not JSON: "),
    ("open object", '{"a": ', "not JSON: "),
    ("long number", "9" * 400, "an integer has over 300 digits"),
    ("empty", "", "not JSON: "),
]


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("body, why", [row[1:] for row in OTHERS], ids=[row[0] for row in OTHERS])
def test_one_bad_slot_leaves_the_others_alone(place, body, why):
    lines = WHOLE.split("\n")
    lines[1 + place] = f"STEP {place + 1} [{STEPS[place]}]: {body}"
    trace = parse("\n".join(lines))
    assert [fault.slot for fault in trace.faults] == [SLOTS[place]]
    assert trace.faults[0].why.startswith(why)
    assert [slot for i, slot in enumerate(trace.slots) if i != place] == [b for i, b in enumerate(BODIES) if i != place]
    assert (trace.answers, trace.headers) == (("1",), 6)


def test_a_value_without_brackets_is_not_charged_with_the_depth_of_a_later_slot():
    trace = parse(f'STEP 5 [compute]: "yes"\nSTEP 6 [answer]: {DEEP}')
    assert trace.slots[4] == "yes"
    assert trace.slots[5] == Fault("answer", "nested over 64 levels")


def test_a_slot_may_hold_any_json():
    for value in (0, -1, 1.5, "text", "", True, None, [], {}):
        assert parse(f"STEP 5 [compute]: {json.dumps(value)}").slots[4] == value


def test_a_header_is_counted_once_a_copy_and_unknown_steps_are_not():
    text = "STEP 1 [graph_extract]: {}\n" * 38_000 + "STEP 9 [other]: {}\n"
    trace = parse(text)
    assert trace.headers == 38_000
    assert trace.slots[0] == Fault("graph", "38000 copies")


# ---------------------------------------------------------------- records

TEXTS = [
    WHOLE,
    "",
    "ANSWER: a\nANSWER: b",
    "STEP 5 [compute]: null",
    'STEP 5 [compute]: {"a": [1, 1.5, "\\ud800", {"b": null}]}\nSTEP 6 [answer]: {"a": 1, "a": 1}',
    "STEP 2 [strategy]: {}",
    "x" * (MAX_TEXT + 1),
    WHOLE + WHOLE,
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_record_is_plain_json_and_reads_back(text):
    trace = parse(text)
    record = trace.to_json()
    assert Trace.from_json(record) == trace
    assert Trace.from_json(json.loads(json.dumps(record))) == trace
    assert list(record) == ["slots", "faults", "answers", "headers", "undetermined"]


def test_any_mapping_is_a_record():
    assert Trace.from_json(MappingProxyType(parse(WHOLE).to_json())) == parse(WHOLE)


BAD_RECORDS = [
    ("not an object", None),
    ("a list", []),
    ("empty", {}),
    ("a field is missing", {"slots": {}, "faults": [], "answers": [], "headers": 0}),
    ("a field too many", {**Trace().to_json(), "gold": 1}),
    ("slots are no object", {**Trace().to_json(), "slots": None}),
    ("an unknown slot", {**Trace().to_json(), "slots": {"verdict": {}}}),
    ("faults are no list", {**Trace().to_json(), "faults": 3}),
    ("a fault is no object", {**Trace().to_json(), "faults": ["missing"]}),
    ("a fault without a reason", {**Trace().to_json(), "faults": [{"slot": "graph"}]}),
    ("a fault without a slot", {**Trace().to_json(), "faults": [{"why": "missing"}]}),
    ("a fault in an unknown slot", {**Trace().to_json(), "faults": [{"slot": "verdict", "why": "missing"}]}),
    ("answers are one text", {**Trace().to_json(), "answers": "M"}),
    ("answers are no list", {**Trace().to_json(), "answers": None}),
    ("an answer is no text", {**Trace().to_json(), "answers": [1]}),
    ("headers are no number", {**Trace().to_json(), "headers": "six"}),
    ("undetermined is no text", {**Trace().to_json(), "undetermined": 1}),
]


@pytest.mark.parametrize("record", [row[1] for row in BAD_RECORDS], ids=[row[0] for row in BAD_RECORDS])
def test_a_record_of_the_wrong_shape_is_refused(record):
    with pytest.raises(RecordError):
        Trace.from_json(record)


# ---------------------------------------------------------------- two ways to one trace

PROSE = ["", "So it is.", "Let us see: A.", "- a point", "1. one", "> said", "the ANSWER: 2", "é: ANSWER: 2", "\x0b"]
LINES = [*WHOLE.split("\n"), *PROSE, "<THINK>", "</think> ANSWER: 3", "ANSWER:4", "Answer: 5", "ANSWER: `1`"]
LINES += [
    f"STEP 1 [graph_extract]: {body}" for body in ("", " {}", "{} ", "{}.", '{"a": 1, "a": 1}', '{"a": ":"}', "[[]]")
]
LINES += [
    "Step 2 [query_id]: {}",
    "STEP 3 [strategy]:{}",
    "**STEP 4 [identification_proof]:** []",
    "STEP 3 [compute]: {}",
]


@given(st.lists(st.sampled_from(LINES), max_size=12), st.sampled_from(["\n", "\r\n", "\n\n", "\n \n"]))
def test_a_text_by_the_book_has_the_trace_that_care_finds(lines, end):
    text = f"\n{end.join(lines)}\n"
    assert _by_the_book(text) in (None, _with_care(text, crowded(text)))


BOOKISH = [
    ("whole", WHOLE, True),
    ("without the think block", WHOLE.replace("<think>\n", "").replace("\n</think>", ""), True),
    ("prose between", WHOLE.replace("\nSTEP", "\nWe go on.\nSTEP"), True),
    ("blank lines", WHOLE.replace("\n", "\n\n"), True),
    ("prose alone", "We do not know.", True),
    ("a slot is missing", WHOLE.replace("STEP 4", "We skip 4"), True),
    ("another order", "\n".join(reversed(WHOLE.split("\n"))), False),
    ("a copy", WHOLE + "\n" + WHOLE, False),
    ("other letters", WHOLE.replace("STEP", "Step"), False),
    ("carriage returns", WHOLE.replace("\n", "\r\n"), False),
]


@pytest.mark.parametrize("text, quick", [row[1:] for row in BOOKISH], ids=[row[0] for row in BOOKISH])
def test_which_texts_are_read_the_quick_way(text, quick):
    assert (_by_the_book(f"\n{text}\n") is not None) is quick
    assert parse(text) == _with_care(f"\n{text}\n", False)


def test_a_first_slot_that_was_read_before_is_not_read_again():
    body = json.dumps(BODIES[0], separators=(",", ":"))
    before = {"nodes": []}
    assert parse(WHOLE, {body: before}) == parse(WHOLE)
    assert parse(WHOLE, {body: before}).slots[0] is before
    assert parse(WHOLE.replace(body, f" {body}"), {body: before}).slots[0] is not before
    assert (
        parse(WHOLE.replace(STEPS[0], STEPS[1]).replace("STEP 1", "STEP 2"), {body: before}).slots[0].why == "missing"
    )
