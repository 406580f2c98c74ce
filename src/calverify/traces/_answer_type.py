"""What every type of answer shares: a canonical value, how it is read, shown and spelled.

Rule 1: two answers are the same answer exactly when their canonical values are equal (a cycle in any rotation, a set in
any order), so the canonical value is what votes are counted on.
Rule 2: reading decides what was said, not whether it is right: a name that no graph knows is read like any other.
Rule 3: "set()", "{}", "[]", "empty set", "none" and "∅" are the empty set, which is an answer; nothing at all is not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from json import dumps
from typing import Any

from calverify.errors import Fault
from calverify.names import NameFault, brief, clean_name
from calverify.traces._json import JsonFault, crowded, read_json, too_deep

__all__ = [
    "BRACKETS",
    "EMPTY_SET",
    "AnswerType",
    "Names",
    "Unreadable",
    "json_value",
    "read_name",
    "read_names",
    "read_piece",
    "short",
    "unwrap",
]

Names = frozenset[str]

EMPTY_SET = frozenset({"set()", "{}", "[]", "()", "empty set", "the empty set", "empty", "none", "∅", "frozenset()"})
BRACKETS = {"{": "}", "[": "]", "(": ")"}


class Unreadable(Exception):
    """Why a value is not an answer of the type asked for; never leaves this module."""


@dataclass(frozen=True, slots=True)
class AnswerType:
    """How one type of answer is read, shown as JSON, and spelled on an ANSWER line."""

    name: str
    _read: Callable[[Any, Names], Any]
    show: Callable[[Any], Any]
    _plain: Callable[[Any], str]
    _exact: Callable[[Any], Any] | None = None

    def read(self, value: Any, names: Names, slot: str) -> Any:
        """The canonical value, or a `Fault` in `slot`; `names` tells a node called "none" from the empty set."""
        try:
            return self._read(value, names)
        except Unreadable as why:
            return Fault(slot, str(why))

    def spell(self, value: Any, names: Names = frozenset()) -> str:
        """The text of an ANSWER line that reads back to the value: in plain words, or in JSON for awkward names."""
        plain = self._plain(value)
        same = self.read(plain, names, "answer") == value and len(plain.splitlines()) == 1
        return plain if same else dumps((self._exact or self.show)(value))


def read_name(item: object) -> str:
    try:
        return clean_name(item)
    except NameFault as fault:
        raise Unreadable(str(fault)) from None


def unwrap(text: str) -> str:
    """The text without emphasis and without the full stop that ends a sentence, whichever stands outside."""
    text = text.strip().strip("*`$ \t")
    return text[:-1].rstrip("*`$ \t") if text.endswith(".") else text


def json_value(text: str) -> Any | None:
    """The list or object that the whole text is in strict JSON, or None."""
    if not text.startswith(("[", "{")) or (crowded(text) and too_deep(text, 0)):
        return None
    try:
        value, stop = read_json(text + "\n", 0)
    except JsonFault:
        return None
    return value if stop == len(text) else None


def read_names(value: Any, names: Names) -> list[str]:
    """The names of a list, in order, from a JSON list or from text: "{U, P}", "['U', 'P']", "U, P" -> U, P."""
    if type(value) is list:
        return [read_name(item) for item in value]
    if type(value) is dict and not value:
        return []
    if type(value) is not str:
        raise Unreadable(f"{brief(value)} is not a list of names")
    if (whole := value.strip()) in names:
        return [whole]
    text = unwrap(value)
    if text in names:
        return [text]
    word = text.strip("'\"").lower()
    if word in EMPTY_SET or "".join(word.split()) in EMPTY_SET:
        return []
    if not text:
        raise Unreadable("the answer is empty")
    listed = json_value(text)
    if type(listed) is list:
        return [read_name(item) for item in listed]
    if text[0] in BRACKETS and text.endswith(BRACKETS[text[0]]):
        text = text[1:-1]
        if not text.strip():
            return []
    return [read_piece(piece, names) for piece in text.split(",")]


def read_piece(piece: str, names: Names) -> str:
    """One name of a list written as text; quotes around it are taken off, other punctuation is not a name."""
    name = read_name(piece)
    if name not in names:
        name = read_name(name.strip("*` \t"))
    if name not in names and len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        name = read_name(name[1:-1])
    if name not in names and any(mark in name for mark in "[]{}\"'"):
        raise Unreadable(f"{brief(name)} is not a name")
    return name


def short(error: Exception) -> str:
    """The reason, cut where it quotes at length."""
    why = str(error)
    return why if len(why) <= 300 else f"{why[:200]} ... {why[-60:]}"
