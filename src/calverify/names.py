"""Names: what a node or a person may be called, and when two spellings are one name.

Names bind exactly after trimming and Unicode NFC, so a look-alike letter or a zero-width character is another name.
NFC takes quadratic time over a run of combining marks, so a name has a length.
"""

import reprlib
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar
from unicodedata import normalize

__all__ = ["MAX_NAME", "NameFault", "brief", "clean_name", "first_repeat", "listing"]

Item = TypeVar("Item", bound=Hashable)

MAX_NAME = 200  # characters, after NFC


class NameFault(ValueError):
    """Why a value is not a name; callers say where it stood."""


class _Brief(reprlib.Repr):
    """At most 60 characters of any value, whatever its size or depth."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 60

    def repr_int(self, x: int, level: int) -> str:
        return repr(x) if x.bit_length() < 200 else f"an integer of {x.bit_length()} bits"


brief = _Brief().repr


def clean_name(name: object) -> str:
    """The name after trimming and NFC; refused unless it is UTF-8 text of 1 to MAX_NAME characters."""
    if not isinstance(name, str):
        raise NameFault(f"a name must be a string, not {brief(name)}")
    clean = name.strip()
    if not clean:
        raise NameFault("a name is empty")
    if len(clean) <= MAX_NAME and not clean.isascii():
        clean = normalize("NFC", clean)
        if any("\ud800" <= character <= "\udfff" for character in clean):
            raise NameFault(f"the name {brief(name)} holds a lone surrogate, which is no character")
    if len(clean) > MAX_NAME:
        raise NameFault(f"the name {brief(name)} has over {MAX_NAME} characters")
    return clean


def first_repeat(items: Iterable[Item]) -> Item | None:
    """The first item that stood before, or None: X, Y, X, Y -> X."""
    seen: set[Item] = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None


def listing(names: Sequence[str], separator: str = ", ") -> str:
    """The names in a row, as a sentence shows them; a long row is cut: "A, B, ... (40 in all)"."""
    if len(names) <= 30:
        return separator.join(names)
    return separator.join([*names[:10], f"... ({len(names):,} in all)"])
