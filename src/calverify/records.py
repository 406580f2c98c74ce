"""JSON records read by an allow-list: what is not listed is refused, what is missing or of another kind is named."""

from collections.abc import Collection, Mapping
from types import UnionType
from typing import Any

from calverify.errors import LeakError, RecordError
from calverify.names import brief

__all__ = ["read_fields", "read_list"]

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
