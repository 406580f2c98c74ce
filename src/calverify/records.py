"""JSON records read by an allow-list: what is not listed is refused, what is missing or of another kind is named.

JSON Lines hold one record a line, in UTF-8 with sorted keys, each line ended by one line feed.  They are read from
bytes, so that nothing here touches a disk, and whatever is wrong is told with its file and its line.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import UnionType
from typing import Any

from calverify.errors import CalverifyError, LeakError, RecordError
from calverify.names import brief, first_repeat

__all__ = ["json_line", "located", "read_fields", "read_lines", "read_list", "read_strict_json", "write_lines"]

Kind = type | UnionType


def read_fields(noun: str, record: object, kinds: Mapping[str, Kind], needed: Collection[str] = ()) -> dict[str, Any]:
    """The fields of a record, each of its kind; an unknown one is a `LeakError`: an answer could live there."""
    if not isinstance(record, Mapping):
        raise RecordError(f"a {noun} record must be an object, not {brief(record)}")
    extra = sorted(map(str, record.keys() - kinds.keys()))
    if extra:
        raise LeakError(f"{noun} record carries {', '.join(map(repr, extra))}; allowed: {', '.join(sorted(kinds))}")
    for name in needed:
        if name not in record:
            raise RecordError(f"a {noun} record needs a field {name!r}")
    for name, value in record.items():
        kind = kinds[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            wanted = getattr(kind, "__name__", str(kind))
            raise RecordError(f"in a {noun} record, {name!r} must be of type {wanted}, not {brief(value)}")
    return dict(record)


def read_list(noun: str, name: str, value: object) -> list[Any]:
    """The items of a list; a text or an object is none."""
    if not isinstance(value, list | tuple):
        raise RecordError(f"in a {noun} record, {name!r} must be a list, not {brief(value)}")
    return list(value)


@contextmanager
def located(place: str) -> Iterator[None]:
    """What is wrong in the block is told with the place it was read from."""
    try:
        yield
    except CalverifyError as error:
        raise type(error)(f"{place}: {error}") from None


def read_strict_json(text: str) -> Any:
    """The one JSON value of a text; a key that stands twice, NaN and Infinity are no JSON of ours."""
    try:
        return json.loads(text, object_pairs_hook=_each_key_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}") from None


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"the key {first_repeat(key for key, _ in pairs)!r} stands twice in one object")
    return found


def _no_number(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")


def json_line(record: Mapping[str, Any]) -> bytes:
    """The record as one line: keys sorted, UTF-8; a lone surrogate, which UTF-8 has not, as JSON's own escape."""
    text = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def write_lines(records: Iterable[Mapping[str, Any]], file: str) -> bytes:
    """The bytes of a file of JSON Lines, packed where its name ends in .gz; the same records give the same bytes."""
    data = b"".join(map(json_line, records))
    if not file.endswith(".gz"):
        return data
    import gzip  # most runs never pack a file

    return gzip.compress(data, mtime=0)


def read_lines(data: bytes, file: str) -> Iterator[tuple[str, Any]]:
    """Each record with its place ("pools.jsonl, line 3"); damage is refused there, and nothing is skipped."""
    lines = _unpacked(data, file).split(b"\n")
    whole = lines[-1] == b""
    for number, line in enumerate(lines[:-1] if whole else lines, start=1):
        place = f"{file}, line {number}"
        if not line.strip():
            raise RecordError(f"{place}: the line is empty; expected a JSON record")
        try:
            record = read_strict_json(line.decode("utf-8"))
        except (RecordError, UnicodeDecodeError) as error:
            torn = "" if whole or number < len(lines) else "the file ends in the middle of this record; "
            raise RecordError(f"{place}: {torn}expected a JSON record, and this is {_said(error)}") from None
        yield place, record


def _said(error: Exception) -> str:
    return f"not UTF-8 at byte {error.start}" if isinstance(error, UnicodeDecodeError) else str(error)


def _unpacked(data: bytes, file: str) -> bytes:
    if not file.endswith(".gz"):
        return data
    import gzip
    import zlib

    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise RecordError(f"{file}: not a whole gzip file: {error}") from None
