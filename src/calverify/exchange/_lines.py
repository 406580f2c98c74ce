"""The records of a file of JSON that others wrote: one a line, or one list; damage costs one record, not the file.

`NaN` and `Infinity`, which some tools write, are read as null: they can only stand in a score.
"""

import json
import zlib
from collections.abc import Iterator
from typing import Any

from calverify.exchange._logged import Rejected
from calverify.names import first_repeat

__all__ = ["MOST_BYTES", "decode", "records_in"]

MOST_BYTES = 1 << 31  # of a file, unpacked
GZIP = b"\x1f\x8b"
MARK = b"\xef\xbb\xbf"  # some editors begin a file with it


def records_in(data: bytes, file: str) -> Iterator[tuple[str, Any] | Rejected]:
    """Each record with its place in the file ("line 3", "item 2"), or why it is none."""
    unpacked, damage = _unpacked(data)
    if unpacked.startswith(MARK):
        unpacked = unpacked[len(MARK) :]
    if file.removesuffix(".gz").endswith(".json") or unpacked.lstrip()[:1] == b"[":
        yield from _whole(unpacked, file, torn=bool(damage))
    else:
        yield from _each_line(unpacked, file, torn=bool(damage))
    if damage:
        yield Rejected(file, "", damage)


def _whole(data: bytes, file: str, *, torn: bool) -> Iterator[tuple[str, Any] | Rejected]:
    """The items of one value; where the file is no one value but its first line is, it holds a record a line."""
    value = decode(data)
    first = data.lstrip().partition(b"\n")
    if isinstance(value, str):
        if first[1] and not isinstance(decode(first[0]), str):
            yield from _each_line(data, file, torn=torn)
        else:
            yield Rejected(file, "", value)
    elif isinstance(value[0], list):
        for number, item in enumerate(value[0], start=1):
            yield f"item {number}", item
    else:
        yield "the whole file", value[0]


def _each_line(data: bytes, file: str, *, torn: bool) -> Iterator[tuple[str, Any] | Rejected]:
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        value = decode(line)
        if not isinstance(value, str):
            yield f"line {number}", value[0]
            continue
        last = number == len(lines)  # a whole file ends with a line feed, behind which nothing stands
        yield Rejected(file, f"line {number}", f"the file ends in the middle of it; {value}" if last or torn else value)


def decode(data: bytes) -> tuple[Any] | str:
    """The JSON value of these bytes, alone in a tuple, or why they hold none."""
    try:
        text = data.decode("utf-8")
        return (json.loads(text, object_pairs_hook=_each_key_once, parse_constant=lambda name: None),)
    except UnicodeDecodeError as error:
        return f"not UTF-8 at byte {error.start}"
    except RecursionError:
        return "not JSON that can be read: nested too deep"
    except ValueError as error:
        return f"not JSON: {error}"


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"the key {first_repeat(key for key, _ in pairs)!r} stands twice in one object")
    return found


def _unpacked(data: bytes) -> tuple[bytes, str]:
    """The bytes of a file, packed with gzip or not, as far as they can be had, and what is wrong with the rest."""
    if not data.startswith(GZIP):
        return data, ""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(data, MOST_BYTES)
    except zlib.error as error:
        return b"", f"not a gzip file: {error}"
    if unpacker.unconsumed_tail:
        return unpacked, f"over {MOST_BYTES:,} bytes when it is unpacked; the rest was not read"
    return unpacked, "" if unpacker.eof else "the gzip file ends in the middle"
