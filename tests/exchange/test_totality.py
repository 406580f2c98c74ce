"""Readers are total: whatever a file holds, each record is read or listed with a reason, and nothing raises."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calverify.errors import CalverifyError
from calverify.exchange import READERS, Logged, Rejected, import_logs, is_right
from tests.exchange.logs import FILES, PROBLEMS, data_of, lines, records_of

STRANGE = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just([]), st.just({}),
    st.just([None]), st.just({"a": [1]}), st.just(10**30), st.just("attachment://x"), st.just([[[]]]), st.just("{"),
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
WHOLE = [*FILES]


def first_of(name: str) -> Any:
    return json.loads(data_of(name)) if name.endswith(".json") else records_of(name)[0]


def places_in(value: Any, path: tuple = ()) -> list[tuple]:
    """Every place of a record, each reached by keys and numbers."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in places_in(part, (*path, key)))]


def changed(value: Any, path: tuple, new: Any) -> Any:
    """A copy with something else at the place; `DROP` takes it away."""
    if not path:
        return new
    if isinstance(value, dict):
        copy = {key: changed(part, path[1:], new) if key == path[0] else part for key, part in value.items()}
        return {key: part for key, part in copy.items() if part is not DROP}
    parts = [changed(part, path[1:], new) if place == path[0] else part for place, part in enumerate(value)]
    return [part for part in parts if part is not DROP]


DROP = object()
RECORDS = {name: first_of(name) for name in FILES if name != "inspect.eval"}
PLACES = {name: places_in(record) for name, record in RECORDS.items()}


def read_all(format: str, data: bytes, file: str) -> list[Logged | Rejected]:
    entries = list(READERS[format].read(data, file))
    assert all(isinstance(entry, Logged | Rejected) for entry in entries)
    for entry in entries:
        if isinstance(entry, Logged):
            assert all(isinstance(text, str) for text in entry.texts)
            assert len(entry.said) in (0, 1, len(entry.texts))
            assert isinstance(entry.turn, int)
            assert isinstance(entry.prompt, str)
            for said in (*entry.said, entry.whole):
                assert all(is_right(value) in (True, False, None) for value in said.scores.values())
                assert all(isinstance(text, str) for text in said.answers.values())
        else:
            assert entry.why
    return entries


@settings(max_examples=400)
@given(st.data(), st.sampled_from(list(RECORDS)), STRANGE | st.just(DROP))
def test_any_field_of_another_kind(data, name, new):
    """Of a real record: the reader yields for it, and the record before it and behind it are as they were."""
    place = data.draw(st.sampled_from(PLACES[name][1:]))
    damaged = changed(RECORDS[name], place, new)
    if name.endswith(".json"):
        assert read_all(FILES[name], json.dumps(damaged).encode(), name)
        return
    good = {**RECORDS[name], "doc_id": 77, "_ng_rollout_index": 77} if isinstance(RECORDS[name], dict) else None
    entries = read_all(FILES[name], lines(damaged, good), name)
    assert len(entries) == 2


@settings(max_examples=200)
@given(st.sampled_from(list(READERS)), st.lists(JSON, max_size=3))
@example("openai-batch", [{"response": {"body": {"choices": [{"index": "a", "text": ""}, {"index": 1, "text": ""}]}}}])
@example("lm-eval", [{"resps": [["a"]]}])
def test_any_json(format, records):
    """A record a line: as many entries as records."""
    assert len(read_all(format, lines({}, *records), "x.jsonl")) == len(records) + 1


@settings(max_examples=200)
@given(st.sampled_from(list(READERS)), st.binary(max_size=60), st.sampled_from(["x.jsonl", "x.json", "x.gz"]))
def test_any_bytes(format, data, file):
    try:
        read_all(format, data, file)
    except CalverifyError:
        zipped = data.startswith(b"PK\x03\x04")
        assert zipped


@settings(max_examples=150)
@given(st.sampled_from(WHOLE), st.integers(0, 10**6), st.integers(0, 255))
def test_any_changed_byte(name, place, byte):
    """Costs at most the record that it stands in (and, of a .json, the file)."""
    data = bytearray(data_of(name))
    whole = len(read_all(FILES[name], bytes(data), name))
    data[place % len(data)] = byte
    try:
        entries = read_all(FILES[name], bytes(data), name)
    except CalverifyError:
        assert name == "inspect.eval"
        return
    if name.endswith(".jsonl"):
        assert len(entries) in (whole - 1, whole, whole + 1, whole + 2), [str(entry) for entry in entries]


@settings(max_examples=100)
@given(st.sampled_from(WHOLE), st.integers(0, 10**6))
def test_any_cut(name, place):
    """The records before the cut are read, as they were."""
    data = data_of(name)
    cut = data[: place % len(data)]
    whole = [entry for entry in read_all(FILES[name], data, name) if isinstance(entry, Logged)]
    try:
        entries = read_all(FILES[name], cut, name)
    except CalverifyError:
        assert name == "inspect.eval"
        return
    found = [entry for entry in entries if isinstance(entry, Logged)]
    known = {entry.place: entry for entry in whole}
    if FILES[name] != "lm-eval":  # a document of several filters may have lost some of them
        assert all(known[entry.place] == entry for entry in found)
    assert all(known[entry.place].texts == entry.texts for entry in found)


@pytest.mark.parametrize("format", READERS)
def test_deep_nesting(format):
    deep = b'{"a":' + b"[" * 100_000
    entries = read_all(format, deep + b"\n" + b"[" * 100_000 + b"]" * 100_000 + b"\n", "x.jsonl")
    assert [entry.why for entry in entries if isinstance(entry, Rejected)]


@settings(max_examples=100)
@given(st.lists(STRANGE | st.sampled_from(["w1", "w2"]), max_size=4), st.sampled_from(["auto", "id", "text"]))
def test_any_id(ids, match):
    """Each record is a candidate, or it is listed."""
    from calverify.exchange import Join

    rows = [{"id": name, "completions": ["a"]} for name in ids] + [
        {"id": "w1", "prompt": PROBLEMS["w1"].text, "completions": ["b"]}
    ]
    found = import_logs({"x.jsonl": lines(*rows)}, PROBLEMS, format="plain", join=Join(match=match))
    assert sum(map(len, found.pools)) + len(found.rejected) == len(rows)
