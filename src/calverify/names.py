"""Names and numbers as they are written: when two spellings are one name, and what a number says exactly.

Names bind exactly after trimming and Unicode NFC, so a look-alike letter or a zero-width character is another name.
NFC takes quadratic time over a run of combining marks, so a name has a length.
"""

import re
import reprlib
from collections.abc import Collection, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import TypeVar
from unicodedata import normalize

__all__ = [
    "MAX_NAME",
    "NameFault",
    "article",
    "brief",
    "clean_name",
    "exact_number",
    "first_repeat",
    "listing",
    "number_json",
    "those_there_are",
]

DECIMAL = re.compile(r"[+-]?+(?:\d{1,40}+(?:\.\d{0,60}+)?+|\.\d{1,60}+)(?:[eE][+-]?+\d{1,2}+|/\d{1,40}+|(?!))?+")

Item = TypeVar("Item", bound=Hashable)

MAX_NAME = 200  # characters, after NFC
MAX_BRIEF = 200
MAX_KEPT = 2 * MAX_NAME  # a longer spelling, most of it blanks, is not worth its memory


class NameFault(ValueError):
    """Why a value is not a name; callers say where it stood."""


class _Brief(reprlib.Repr):
    """The start of any value: 60 characters of a string, a few items of a list, three levels down."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 60
        self.maxlevel = 3

    def repr_int(self, x: int, level: int) -> str:
        return repr(x) if x.bit_length() < 200 else "<huge int>"


_SHORTEN = _Brief()


def brief(value: object) -> str:
    """At most MAX_BRIEF characters that show the value, whatever its size or depth."""
    shown = _SHORTEN.repr(value)
    return shown if len(shown) <= MAX_BRIEF else f"{shown[: MAX_BRIEF - 3]}..."


def those_there_are(name: str, known: Collection[str]) -> str:
    """What to say of a name that is not known: "did you mean 'cycle'? There are cycle, path"."""
    from difflib import get_close_matches  # for whoever mistyped a name

    near = get_close_matches(name[:MAX_NAME], known, n=1)
    meant = f"did you mean {near[0]!r}? There" if near else "there"
    return f"{meant} are {', '.join(known)}"


def clean_name(name: object) -> str:
    """The name after trimming and NFC; refused unless it is UTF-8 text of 1 to MAX_NAME characters."""
    if type(name) is str:
        return _clean(name) if len(name) <= MAX_KEPT else _clean.__wrapped__(name)
    if not isinstance(name, str):
        raise NameFault(f"a name must be a string, not {brief(name)}")
    return clean_name(str(name))


@lru_cache(maxsize=4096)  # the same few names come in every trace of a problem
def _clean(name: str) -> str:
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


def exact_number(value: object) -> Fraction | None:
    """The number as it is written, or None: 0.02 is 1/50, "1/3" is one third, True and "1e999" are none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Fraction(value) if value.bit_length() < 1024 else None
    if isinstance(value, float):
        return Fraction(str(value)) if isfinite(value) else None
    text = value.strip() if isinstance(value, str) else ""
    if not text.isascii() or not DECIMAL.fullmatch(text):
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):  # 1.5/2 and 1/0
        return None


def number_json(value: Fraction) -> int | float | str:
    """The JSON number that reads back to exactly this value, or "p/q" where there is none."""
    if value.denominator == 1:
        return int(value)
    try:
        near = float(value)
    except OverflowError:
        return str(value)
    return near if Fraction(str(near)) == value else str(value)


def first_repeat(items: Iterable[Item]) -> Item | None:
    """The first item that stood before, or None: X, Y, X, Y -> X."""
    seen: set[Item] = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None


def article(noun: str) -> str:
    """The noun with its article: "an edge", "a path"."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def listing(names: Sequence[str], separator: str = ", ") -> str:
    """The names in a row, as a sentence shows them; a long row is cut: "A, B, ... (40 in all)"."""
    if len(names) <= 30:
        return separator.join(names)
    return separator.join([*names[:10], f"... ({len(names):,} in all)"])
