"""Bytes to records: a record a line, one list or one value, packed or not; damage costs one record, not the file."""

import gzip
import json

import pytest

from calverify.exchange import Rejected, _lines
from calverify.exchange._lines import decode, records_in

TORN = "the file ends in the middle of it"
TWO = b'{"a": 1}\n{"a": 2}\n'


def found(data: bytes, file: str = "log.jsonl") -> list:
    """Values, and what is said of what is none."""
    return [str(entry) if isinstance(entry, Rejected) else entry for entry in records_in(data, file)]


ROWS = [
    ("lines", TWO, "x.jsonl", [("line 1", {"a": 1}), ("line 2", {"a": 2})]),
    ("no last line feed", TWO[:-1], "x.jsonl", [("line 1", {"a": 1}), ("line 2", {"a": 2})]),
    ("empty lines", b'\n{"a": 1}\n\n', "x.jsonl", [("line 2", {"a": 1})]),
    ("carriage returns", b'{"a": 1}\r\n', "x.jsonl", [("line 1", {"a": 1})]),
    ("a byte order mark", b'\xef\xbb\xbf{"a": 1}\n', "x.jsonl", [("line 1", {"a": 1})]),
    ("one list", b'[{"a": 1},\n {"a": 2}]', "x.jsonl", [("item 1", {"a": 1}), ("item 2", {"a": 2})]),
    ("one value", b'{"a":\n 1}', "x.json", [("the whole file", {"a": 1})]),
    ("lines in a .json", TWO, "x.json", [("line 1", {"a": 1}), ("line 2", {"a": 2})]),
    ("lists a line", b"[1]\n[2]\n", "x.jsonl", [("line 1", [1]), ("line 2", [2])]),
    ("packed", gzip.compress(TWO), "x.jsonl.gz", [("line 1", {"a": 1}), ("line 2", {"a": 2})]),
    ("a packed value", gzip.compress(b'{"a":\n 1}'), "x.json.gz", [("the whole file", {"a": 1})]),
    ("nothing", b"", "x.jsonl", []),
    ("NaN", b'{"a": NaN, "b": -Infinity}\n', "x.jsonl", [("line 1", {"a": None, "b": None})]),
    ("a torn line", b'{"a": 1}\n{"a', "x.jsonl",
     [("line 1", {"a": 1}), f"x.jsonl, line 2: {TORN}; not JSON: Unterminated string starting at: line 1 column 2 "
      "(char 1)"]),
    ("a torn value", b'{"a":\n 1', "x.json", ["x.json: not JSON: Expecting ',' delimiter: line 2 column 3 (char 8)"]),
]  # fmt: skip


@pytest.mark.parametrize("data, file, records", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_records(data, file, records):
    assert found(data, file) == records


def test_a_torn_pack_gives_what_it_holds():
    """What was packed whole is read; the last line and the file are told of."""
    whole = b"".join(json.dumps({"a": number, "text": "x" * 50}).encode() + b"\n" for number in range(2000))
    packed = gzip.compress(whole)
    records = found(packed[: len(packed) // 2], "x.jsonl.gz")
    read = [record for record in records if not isinstance(record, str)]
    assert [value["a"] for _, value in read] == list(range(len(read)))
    assert len(read) > 100
    assert records[-1] == "x.jsonl.gz: the gzip file ends in the middle"
    assert all("the file ends in the middle of it" in said for said in records[len(read) : -1])


def test_no_pack():
    (said,) = found(b"\x1f\x8bnothing", "x.gz")
    assert said.startswith("x.gz: not a gzip file: ")


def test_a_pack_that_is_too_large(monkeypatch):
    """Unpacking stops at the limit, whatever the file would become; what came before is there."""
    monkeypatch.setattr(_lines, "MOST_BYTES", 20)
    records = found(gzip.compress(TWO * 100_000), "x.jsonl.gz")
    assert records[:2] == [("line 1", {"a": 1}), ("line 2", {"a": 2})]
    assert records[-1] == "x.jsonl.gz: over 20 bytes when it is unpacked; the rest was not read"
    assert len(records) <= 4


@pytest.mark.parametrize("data, why", [
    (b"\xff", "not UTF-8 at byte 0"),
    (b"[" * 100_000, "nested too deep"),
    (b'{"a": 1, "a": 2}', "the key 'a' stands twice in one object"),
    (b"1" * 10_000, "not JSON: Exceeds the limit"),
    (b"{} {}", "not JSON: Extra data"),
])  # fmt: skip
def test_no_value(data, why):
    assert why in decode(data)
