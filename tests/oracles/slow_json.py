"""Strict JSON one character at a time: slow, obvious, and without a line of the engine or the library it judges.

`read(text, start)` gives the value that begins at `start` and where it ends; `Refused` when there is none.  A number
ends where it stops being one: "01" begins with the value 0, and what follows is the caller's business.
"""

from typing import Any

WORDS = {"true": True, "false": False, "null": None}
SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
BLANKS = " \t\n\r"
DIGITS = "0123456789"
MOST_DIGITS = 300


class Refused(Exception):
    """Not strict JSON."""


def read(text: str, start: int = 0) -> tuple[Any, int]:
    for word, value in WORDS.items():
        if text[start : start + len(word)] == word:
            return value, start + len(word)
    mark = text[start : start + 1]
    if mark == '"':
        return _string(text, start)
    if mark == "[":
        return _list(text, start)
    if mark == "{":
        return _object(text, start)
    return _number(text, start)


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in BLANKS:
        at += 1
    return at


def _expect(text: str, at: int, mark: str) -> int:
    if text[at : at + 1] != mark:
        raise Refused(f"expected {mark} at {at}")
    return at + 1


def _list(text: str, start: int) -> tuple[list[Any], int]:
    items: list[Any] = []
    at = _skip(text, start + 1)
    if text[at : at + 1] == "]":
        return items, at + 1
    while True:
        item, at = read(text, _skip(text, at))
        items.append(item)
        at = _skip(text, at)
        if text[at : at + 1] == "]":
            return items, at + 1
        at = _expect(text, at, ",")


def _object(text: str, start: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    at = _skip(text, start + 1)
    if text[at : at + 1] == "}":
        return found, at + 1
    while True:
        key, at = _string(text, _skip(text, at))
        if key in found:
            raise Refused(f"the key {key!r} twice")
        at = _expect(text, _skip(text, at), ":")
        found[key], at = read(text, _skip(text, at))
        at = _skip(text, at)
        if text[at : at + 1] == "}":
            return found, at + 1
        at = _expect(text, at, ",")


def _string(text: str, start: int) -> tuple[str, int]:
    at = _expect(text, start, '"')
    units: list[int] = []  # UTF-16 units of escapes, code points of everything else
    while True:
        mark = text[at : at + 1]
        if not mark or ord(mark) < 0x20:
            raise Refused(f"a string that breaks off at {at}")
        at += 1
        if mark == '"':
            return _joined(units), at
        if mark != "\\":
            units.append(-ord(mark))  # negative: a raw surrogate never joins an escaped one
            continue
        mark = text[at : at + 1]
        at += 1
        if mark == "u":
            digits = text[at : at + 4]
            if len(digits) != 4 or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
                raise Refused(f"a bad escape at {at}")
            units.append(int(digits, 16))
            at += 4
        elif mark in SHORT:
            units.append(-ord(SHORT[mark]))
        else:
            raise Refused(f"a bad escape at {at}")


def _joined(units: list[int]) -> str:
    """The string of these units: two escapes that form a surrogate pair are one character."""
    characters: list[str] = []
    i = 0
    while i < len(units):
        one = units[i]
        two = units[i + 1] if i + 1 < len(units) else 0
        if 0xD800 <= one <= 0xDBFF and 0xDC00 <= two <= 0xDFFF:
            characters.append(chr(0x10000 + (one - 0xD800) * 0x400 + (two - 0xDC00)))
            i += 2
        else:
            characters.append(chr(abs(one)))
            i += 1
    return "".join(characters)


def _digits(text: str, at: int) -> int:
    """Where the digits that begin at `at` end."""
    while text[at : at + 1] and text[at] in DIGITS:
        at += 1
    return at


def _number(text: str, start: int) -> tuple[int | float, int]:
    first = start + (text[start : start + 1] == "-")
    end = first + 1 if text[first : first + 1] == "0" else _digits(text, first)
    if end == first:
        raise Refused(f"no value at {start}")
    whole = end
    if text[end : end + 1] == "." and _digits(text, end + 1) > end + 1:
        end = _digits(text, end + 1)
    if text[end : end + 1] in ("e", "E"):
        power = end + 1 + (text[end + 1 : end + 2] in ("+", "-"))
        if _digits(text, power) > power:
            end = _digits(text, power)
    if end == whole:
        if whole - first > MOST_DIGITS:
            raise Refused(f"an integer of {whole - first} digits")
        return int(text[start:end]), end
    value = float(text[start:end])
    if value in (float("inf"), float("-inf")):
        raise Refused("a number that is not finite")
    return value, end


def depth(text: str, start: int = 0) -> int:
    """How deep the brackets of the value at `start` nest, strings apart, up to where its last bracket closes."""
    now = most = 0
    inside = escaped = False
    for mark in text[start:]:
        if inside:
            if escaped:
                escaped = False
            elif mark == "\\":
                escaped = True
            elif mark == '"':
                inside = False
        elif mark == '"':
            inside = True
        elif mark in "[{":
            now += 1
            most = max(most, now)
        elif mark in "]}":
            now -= 1
            if now <= 0:
                break
    return most
