"""The only plugin mechanism: a shelf of entries by name."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from calverify.errors import CalverifyError

__all__ = ["Shelf"]

Entry = TypeVar("Entry")


class Shelf(Mapping[str, Entry]):
    """Entries by name, in the order they were put up; a name is taken once."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._entries: dict[str, Entry] = {}

    def put(self, name: str, entry: Entry) -> None:
        if name in self._entries:
            raise CalverifyError(f"{self._noun} {name!r} is registered twice")
        self._entries[name] = entry

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
