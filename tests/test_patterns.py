"""No pattern may lose its place on any Python we support.

Before Python 3.11.5 a possessive group, `(?:...)*+`, goes on from the wrong character when a round of it gets half-way
and fails (CPython issue 106052).  A last alternative that never matches, `(?:...|(?!))*+`, puts the place back and
changes nothing else.  What is looked for here is a possessive group without it whose round can get half-way and fail.
"""

import importlib
import pkgutil
import re
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import calverify

ONE_CHARACTER = {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN, op.CATEGORY}
REPEATS = {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}
INSTALLED_ELSEWHERE = {"calverify.__main__"}  # running it is the command


def patterns() -> dict[str, re.Pattern[Any]]:
    """Every compiled pattern of the package, by module and name."""
    found = {}
    for module in pkgutil.walk_packages(calverify.__path__, "calverify."):
        if module.name not in INSTALLED_ELSEWHERE:
            names = vars(importlib.import_module(module.name)).items()
            found.update({f"{module.name}.{name}": value for name, value in names if isinstance(value, re.Pattern)})
    return found


def flat(parts: Any) -> list[Any]:
    """The parts of a sequence, groups that only group taken apart."""
    return [inner for code, rest in parts for inner in (flat(rest[3]) if code is op.SUBPATTERN else [(code, rest)])]


def one_character(parts: Any) -> bool:
    inside = flat(parts)
    return len(inside) == 1 and inside[0][0] in ONE_CHARACTER


def may_lose_its_place(parts: Any) -> bool:
    """Can a round of this body move on, note where it is, and then fail?"""
    inside = flat(parts)
    if len(inside) == 1 and inside[0][0] is op.BRANCH:
        *some, last = inside[0][1][1]
        return not never(last) and any(may_lose_its_place(each) for each in (*some, last))
    moved = noted = False
    for code, rest in inside:
        can_fail = code not in REPEATS or rest[0] > 0
        notes = code not in ONE_CHARACTER and code is not op.AT
        if (noted or (moved and notes)) and can_fail:
            return True
        if code in REPEATS and not one_character(rest[2]) and may_lose_its_place(rest[2]):
            return True
        stays = code is op.POSSESSIVE_REPEAT and one_character(rest[2]) and not moved
        noted = noted or (notes and not stays)
        moved = moved or code is not op.AT
    return False


def never(parts: Any) -> bool:
    """Is it (?!), which newer Pythons read as a failure and older ones as nothing that may not follow?"""
    ((code, rest),) = flat(parts) if len(parts) == 1 else [(None, ())]
    return code is op.FAILURE or (code is op.ASSERT_NOT and len(rest[1]) == 0)


def bodies(parts: Any) -> list[Any]:
    """The bodies of the possessive and atomic groups of a pattern, inner ones too."""
    found = []
    for code, rest in parts:
        inside = (
            [rest[3]] if code is op.SUBPATTERN
            else rest[1] if code is op.BRANCH
            else [rest[2]] if code in REPEATS
            else [rest[1]] if code in (op.ASSERT, op.ASSERT_NOT)
            else [rest] if code is op.ATOMIC_GROUP
            else []
        )  # fmt: skip
        if code is op.ATOMIC_GROUP or (code is op.POSSESSIVE_REPEAT and not one_character(rest[2])):
            found.append(inside[0])
        for each in inside:
            found += bodies(each)
    return found


FOUND = patterns()


def test_there_are_patterns():
    assert len(FOUND) > 60


@pytest.mark.parametrize("name", FOUND)
def test_no_possessive_group_loses_its_place(name):
    pattern = FOUND[name]
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    lost = [body for body in bodies(parser.parse(text, pattern.flags)) if may_lose_its_place(body)]
    assert not lost, "end this possessive group with |(?!)"


LOSES = [
    "(?:ab?c)++",
    r"(?:[^*]++|\*(?!/))*+",
    r"(?:b|\d+[.)])*+",
    r"(?:e[+-]?+\d++)?+",
    '(?:"[^"]*+")*+',
    "(?:.(?!D))*+",
]
KEEPS = [*(f"{text.rpartition(')')[0]}|(?!)){text.rpartition(')')[2]}" for text in LOSES)]
KEEPS += ["(?:ab|cd)*+", r"(?:\d++[.)])*+", '(?:[^"]|"")++', r"(?:\.\d{0,60}+)?+", "[abc]*+", "(?:ab?c)+"]


@pytest.mark.parametrize("text", LOSES)
def test_what_loses_its_place_is_found(text):
    assert any(map(may_lose_its_place, bodies(parser.parse(text))))


@pytest.mark.parametrize("text", KEEPS)
def test_what_keeps_its_place_is_let_be(text):
    assert not any(map(may_lose_its_place, bodies(parser.parse(text))))


ROUNDS = [
    ("(?:ab?c|(?!))++", "aca", 2),
    (r"(?:[^*]++|\*(?!/)|(?!))*+\*/", "abc*/", 5),
    (r"(?:b|\d+[.)]|(?!))*+x", "b1x", None),
    (r"(?:e[+-]?+\d++|(?!))?+x", "e+x", None),
    (r'\[(?:"[^"]*+"|(?!))*+\]', '["]', None),
    ("(?:.(?!D)|(?!))*+", "ABCDE", 2),
]


@pytest.mark.parametrize("text, subject, end", ROUNDS)
def test_the_last_alternative_puts_the_place_back(text, subject, end):
    """On this Python, whichever it is."""
    found = re.match(text, subject)
    assert (found.end() if found else None) == end
