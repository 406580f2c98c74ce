"""Strict JSON at a position of a longer text.

Rule 1: a repeated key, NaN, Infinity, a number that is not finite, an integer of over 300 digits, or nesting over 64
levels is refused.  `json.loads` accepts the first three and lets the input control the depth of its recursion.
Rule 2: depth is bounded before the scanner runs, so its recursion is bounded too.
Rule 3: `scan` and `is_plain` are the fast way to the same value; `read_json` is the careful one, three times slower,
and the only one that says what is wrong.
"""

import re
from collections.abc import Callable
from json import JSONDecodeError, JSONDecoder
from math import isfinite
from typing import Any, NoReturn

from calverify.names import brief, first_repeat

__all__ = ["MAX_DEPTH", "JsonFault", "crowded", "is_plain", "read_json", "scan", "too_deep"]

MAX_DEPTH = 64
MAX_DIGITS = 300
# A list without brackets inside; strings with brackets or escapes never match, so what matches is one level deep.
FLAT = re.compile(r'\[[^][{}"]*+(?:"[^][{}"\\]*+"[^][{}"]*+|(?!))*+\]')
TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?+|[\[{]|[\]}]', re.DOTALL)


class JsonFault(ValueError):
    """Why a text is not the strict JSON we read; the message is the reason."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise JsonFault(f"the key {brief(first_repeat(key for key, _ in pairs))} occurs twice")
    return found


def _constant(name: str) -> NoReturn:
    raise JsonFault(f"{name} is not a number")


def _float(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise JsonFault("a number is too large")
    return value


def _int(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise JsonFault(f"an integer has over {MAX_DIGITS} digits")
    return int(digits)


def _scanner(**hooks: Any) -> Callable[[str, int], tuple[Any, int]]:
    """The C scanner of the standard library: a value and where it ends."""
    decoder: Any = JSONDecoder(parse_constant=_constant, parse_float=_float, parse_int=_int, **hooks)
    scan: Callable[[str, int], tuple[Any, int]] = decoder.scan_once
    return scan


scan = _scanner()
_scan_keys = _scanner(object_pairs_hook=_object)


def crowded(text: str) -> bool:
    """Are there brackets enough for a value in `text` to be nested too deep, innermost lists counted once?"""
    opened = text.count("[") + text.count("{")
    return opened > MAX_DEPTH and opened - len(FLAT.findall(text)) >= MAX_DEPTH


def too_deep(text: str, start: int) -> bool:
    """Do the brackets of the value at `start`, strings apart, nest deeper than allowed?"""
    depth = 0
    for token in TOKEN.finditer(text, start):
        mark = token[0]
        if mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif mark in "]}":
            depth -= 1
            if depth <= 0:
                break  # the scanner stops where the first value ends
    return False


def is_plain(value: Any, colons: int) -> bool:
    """Can this list or object, which `scan` read from a text with so many colons, surely not repeat a key?

    Every key has its colon, so as many keys as colons leave none for a second copy.  Keys below the top two levels and
    colons in strings make the answer False, which only means: read it again with care.
    """
    if type(value) is dict:
        return len(value) == colons
    if type(value) is list:
        return sum([len(item) for item in value if type(item) is dict]) == colons
    return False


def read_json(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at `start`, and where it ends; the caller has made sure that it is not too deep."""
    try:
        return _scan_keys(text, start)
    except StopIteration as end:
        raise JsonFault(_where("expected a JSON value", text, end.value)) from None
    except JSONDecodeError as error:
        raise JsonFault(_where(error.msg[:1].lower() + error.msg[1:], text, error.pos)) from None


def _where(why: str, text: str, at: int) -> str:
    rest = text[at : at + 20].split("\n", 1)[0]
    return f"not JSON: {why} at {rest!r}" if rest else f"not JSON: {why} at the end of the line"
