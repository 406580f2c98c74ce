"""Reading what a record says: names, paths, words and numbers.  Whatever is not spelled as it should be is refused."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, TypeVar
from unicodedata import is_normalized

__all__ = [
    "Chain",
    "Refused",
    "Set",
    "bounded",
    "chain",
    "fields",
    "json_text",
    "named",
    "need",
    "number",
    "row",
    "several",
    "steps",
    "word",
]

Set = frozenset[str]
Chain = tuple[tuple[str, ...], tuple[str, ...]]  # names, and the arrows between them
Item = TypeVar("Item")

MOST_TRIED = 50_000  # objects that are tried one by one where a form asks about all of them
MARKS = {"->", "<-", "<->", "--"}
WORD = re.compile(r'"((?:[^"]|"")++)"|([^\s"]++)|"')
QUOTED_ONLY = set(",;<>→←↔⟶⟵⟷")  # a name with one of these stands in quotes, unless it is an arrow
EDGING = "*`$ \t."  # around a text, these are no part of it
NUMBER = re.compile(
    r"-?+[0-9]{1,400}+(?:\.[0-9]{1,400}+|(?!))?+(?:[eE][+-]?+[0-9]{1,3}+|(?!))?+|-?+[0-9]{1,4000}+/[0-9]{1,4000}+"
)


class Refused(Exception):
    """Why a record proves nothing."""


def need(fact: object, why: str = "the witness does not show the verdict") -> None:
    if not fact:
        raise Refused(why)


def fields(record: Any, wanted: str) -> list[Any]:
    """The values of exactly these fields."""
    need(type(record) is dict and set(record) == set(wanted.split()), f"the fields must be {wanted}")
    return [record[name] for name in wanted.split()]


def named(value: Any) -> str:
    clean = type(value) is str and value and value == value.strip() and is_normalized("NFC", value)
    need(clean, f"no name: {value!r:.60}")
    return str(value)


def row(value: Any, size: int | None = None) -> tuple[str, ...]:
    """Names in order."""
    need(type(value) is list and size in (None, len(value)), f"no list of {size or ''} names: {value!r:.60}")
    return tuple(map(named, value))


def several(value: Any, read: Callable[[Any], Any] = named) -> frozenset[Any]:
    """Names, or what `read` makes of the items, in any order and each once."""
    need(type(value) is list, f"no list: {value!r:.60}")
    found = frozenset(map(read, value))
    need(len(found) == len(value), f"listed twice: {value!r:.60}")
    return found


def chain(text: Any) -> Chain:
    """Names and arrows: "F -> P <- T" -> (("F", "P", "T"), ("->", "<-")); or the same as a list, part by part."""
    words = text if type(text) is list else _words(text)
    need(len(words) % 2 and set(words[1::2]) <= MARKS, f"no path: {text!r:.60}")
    return row(words[::2]), tuple(words[1::2])


def _words(text: Any) -> list[str]:
    need(type(text) is str and text == text.strip(EDGING), f"no path: {text!r:.60}")
    found = []
    for place, (quoted, plain) in enumerate(WORD.findall(text)):
        bare = plain and not (set(plain) & QUOTED_ONLY or "--" in plain or plain.endswith("-"))
        need(plain in MARKS if place % 2 else quoted or bare, f"no name or no arrow: {quoted or plain!r:.60}")
        found.append(quoted.replace('""', '"') or plain)
    return found


def steps(path: Chain) -> list[tuple[str, str, str]]:
    """(("F", "P", "T"), ("->", "<-")) -> ("F", "->", "P"), ("P", "<-", "T")."""
    return list(zip(path[0], path[1], path[0][1:], strict=False))


def number(value: Any) -> Fraction:
    """The number as it is written: 0.02 is 1/50, and "1/3" is one third."""
    text = value if type(value) is str else repr(value) if type(value) in (int, float) else ""
    need(NUMBER.fullmatch(text), f"no number: {value!r:.60}")
    return Fraction(text)


def word(value: Any) -> str:
    need(value in ("yes", "no"), f"neither yes nor no: {value!r:.60}")
    return str(value)


def json_text(text: str) -> Any:
    """What a text in JSON says; a key that stands twice in an object is refused."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), f"a key stands twice: {text!r:.60}")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=once)


def bounded(values: Iterable[Item]) -> Iterator[Item]:
    """The values one by one; refused where there are too many to try."""
    for count, value in enumerate(values):
        need(count < MOST_TRIED, f"too large to recheck: over {MOST_TRIED:,} candidates would have to be tried")
        yield value
