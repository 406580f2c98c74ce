"""Answers made of names, words and numbers: sets, sequences, cycles, yes or no, counts, letters, who is a knight."""

import re
from fractions import Fraction
from typing import Any

from calverify.names import brief, exact_number, first_repeat, number_json
from calverify.traces._answer_type import (
    EMPTY_SET,
    AnswerType,
    Names,
    Unreadable,
    json_value,
    read_name,
    read_names,
    read_piece,
    unwrap,
)

__all__ = [
    "ASSIGNMENT",
    "COUNT",
    "CYCLE",
    "LETTER",
    "NODE",
    "NODE_SET",
    "NUMBER",
    "ORDERING",
    "WALK",
    "YES_NO",
    "set_of",
]

ARROW = re.compile("->|→|⟶|=>")
NEXT_PERSON = re.compile(r"(?<=knight)[ \t]++and[ \t]++|(?<=knave)[ \t]++and[ \t]++", re.IGNORECASE)
NUMBERING = re.compile(r"\(?+\d++[.)][ \t]++")


def _read_node(value: Any, names: Names) -> str:
    listed = read_names(value, names) if type(value) is str else [read_name(value)]
    if len(listed) != 1:
        raise Unreadable(f"{brief(value)} is not one name")
    return listed[0]


def _read_set(value: Any, names: Names) -> frozenset[str]:
    try:  # known names, each once and spelled by the book, need no closer look
        said: list[Any] = value
        if type(value) is not list:
            inside = value[1:-1] if value[0] == "{" and value[-1] == "}" else value
            said = [value] if value in names else inside.split(", ") if inside else []
        found = frozenset(said)
        if len(found) == len(said) and found <= names:
            return found
    except (TypeError, LookupError, AttributeError):
        pass  # no list and no text, an empty text, or a list of other things than names
    listed = read_names(value, names)
    found = frozenset(listed)
    if len(found) != len(listed):
        raise Unreadable(f"{first_repeat(listed)} is listed twice")
    return found


def _read_walk(value: Any, names: Names) -> tuple[str, ...]:
    """Names in order, from a list or from "A -> B -> C"."""
    if type(value) is str and value.strip() not in names:
        text = unwrap(value)
        if type(stated := json_value(text)) is list:
            return _read_walk(stated, names)
        if "<-" in text or "↔" in text or "←" in text:
            raise Unreadable(f"{brief(text)} has an arrow that does not point forward")
        if ARROW.search(text):
            return tuple(read_piece(piece, names) for piece in ARROW.split(text))
    listed = read_names(value, names)
    if not listed:
        raise Unreadable("the sequence is empty")
    return tuple(listed)


def _read_ordering(value: Any, names: Names) -> tuple[str, ...]:
    order = _read_walk(value, names)
    if len(set(order)) != len(order):
        raise Unreadable("a name stands twice in the ordering")
    return order


def _read_cycle(value: Any, names: Names) -> tuple[str, ...]:
    """The cycle from its least name on, its first node not repeated: B -> A -> B is ("A", "B")."""
    walk = _read_walk(value, names)
    if len(walk) > 1 and walk[0] == walk[-1]:
        walk = walk[:-1]
    if len(set(walk)) != len(walk):
        return walk  # not a simple cycle whatever its rotation
    least = walk.index(min(walk))
    return walk[least:] + walk[:least]


def _closed(cycle: tuple[str, ...]) -> list[str]:
    return [*cycle, cycle[0]]


def _read_yes_no(value: Any, names: Names) -> str:
    if type(value) is bool:
        return "yes" if value else "no"
    word = unwrap(value).strip("\"'").lower() if type(value) is str else ""
    if word in ("yes", "true"):
        return "yes"
    if word in ("no", "false"):
        return "no"
    raise Unreadable(f"{brief(value)} is neither yes nor no")


def _read_number(value: Any, names: Names) -> Fraction:
    """The number as written: 0.1 is one tenth, not the nearest double."""
    number = exact_number(value)
    if number is None and type(value) is str:
        number = exact_number(unwrap(value).strip("\"'"))
    if number is None:
        raise Unreadable(f"{brief(value)} is not a number")
    return number


def _count(value: Any, names: Names) -> int:
    number = _read_number(value, names)
    if number.denominator != 1 or number < 0:
        raise Unreadable(f"{brief(value)} is not a count")
    return int(number)


def _read_letter(value: Any, names: Names) -> str:
    text = unwrap(value).strip("()'\" ") if type(value) is str else ""
    if len(text) != 1 or not text.isascii() or not text.isalpha():
        raise Unreadable(f"{brief(value)} is not the letter of an option")
    return text.upper()


def _read_assignment(value: Any, names: Names) -> tuple[tuple[str, bool], ...]:
    """((name, is a knight), ...) sorted by name, from {"Ann": "knight"} or "Ann is a knight, and Bob is a knave."."""
    if type(value) is str and type(stated := json_value(unwrap(value))) is dict:
        value = stated
    if type(value) is str:
        pairs = [_read_role(piece) for piece in _people(value)]
    elif type(value) is dict:
        pairs = [(read_name(name), role) for name, role in value.items()]
    else:
        raise Unreadable(f"{brief(value)} does not say who is a knight and who is a knave")
    roles = {"knight": True, "knave": False, True: True, False: False}
    found: dict[str, bool] = {}
    for name, role in pairs:
        kind = roles.get(role.strip().lower() if type(role) is str else role) if type(role) in (str, bool) else None
        if kind is None:
            raise Unreadable(f"{brief(role)} is neither knight nor knave")
        if name in found:
            raise Unreadable(f"{name} is named twice")
        found[name] = kind
    if not found:
        raise Unreadable("nobody is named")
    return tuple(sorted(found.items()))


def _people(text: str) -> list[str]:
    """The statements about one person each: "A is a knight, B is a knave, and C is a knight." -> three."""
    parts = unwrap(text).replace(";", ",").replace("\n", ",").split(",")
    return [piece for part in parts for piece in NEXT_PERSON.split(part) if piece.strip()]


def _read_role(piece: str) -> tuple[str, str]:
    """Name and role of "(1) Ann is a knight", "and Ann is a knight" or "Ann: knight"."""
    said = piece.strip().lstrip("-•").lstrip()
    if number := NUMBERING.match(said):
        said = said[number.end() :]
    if said[:4].lower() == "and ":
        said = said[4:].lstrip()
    for words in (said.replace(":", " : ", 1).rsplit(None, 2), said.replace("=", " = ", 1).rsplit(None, 2)):
        if len(words) == 3 and words[1] in (":", "="):
            return _person(words[0]), words[2].strip("*`")
    words = said.rsplit(None, 3)
    if len(words) == 4 and words[1].lower() == "is" and words[2].lower() in ("a", "an"):
        return _person(words[0]), words[3].strip("*`")
    raise Unreadable(f"{brief(said)} does not say who is a knight or a knave")


def _person(text: str) -> str:
    """The name without the emphasis around it."""
    bare = text.strip("*` \t")
    return read_name(bare or text)


def _roles(value: tuple[tuple[str, bool], ...]) -> dict[str, str]:
    return {name: "knight" if is_knight else "knave" for name, is_knight in value}


def set_of(kind: AnswerType) -> AnswerType:
    """The type of "all of them": a set of objects of one type, in any order, each once."""

    def read(value: Any, names: Names) -> frozenset[Any]:
        items = _items(value, names)
        found = frozenset(kind._read(item, names) for item in items)
        if len(found) != len(items):
            raise Unreadable("an object is listed twice")
        return found

    def show(values: frozenset[Any]) -> list[Any]:
        return sorted((kind.show(value) for value in values), key=repr)

    def plain(values: frozenset[Any]) -> str:
        return "[" + ", ".join(sorted(kind._plain(value) for value in values)) + "]"

    return AnswerType(f"list of {kind.name}", read, show, plain)


def _items(value: Any, names: Names) -> list[Any]:
    """The objects of a list, from JSON or from text: "[{A, B}, {C}]" and "A->B, B->C" are two each."""
    if type(value) is list:
        return value
    if type(value) is not str:
        raise Unreadable(f"{brief(value)} is not a list")
    text = unwrap(value)
    stated = json_value(text)
    if type(stated) is list:
        return stated
    if text.lower() in EMPTY_SET:
        return []
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    items, depth, start = [], 0, 0
    for place, mark in enumerate(text):
        depth += (mark in "{([") - (mark in "})]")
        if mark == "," and depth == 0:
            items.append(text[start:place])
            start = place + 1
    items.append(text[start:])
    stripped = [item.strip() for item in items]
    return [item[1:-1] if len(item) > 1 and item[0] == item[-1] and item[0] in "'\"" else item for item in stripped]


NODE = AnswerType("name", _read_node, str, str, lambda name: [name])
LETTER = AnswerType("letter", _read_letter, str, str)
COUNT = AnswerType("count", _count, int, str)
NODE_SET = AnswerType("set", _read_set, sorted, lambda names: "{" + ", ".join(sorted(names)) + "}")
CYCLE = AnswerType("cycle", _read_cycle, _closed, lambda cycle: " -> ".join(_closed(cycle)))
WALK = AnswerType("walk", _read_walk, list, " -> ".join)
ORDERING = AnswerType("ordering", _read_ordering, list, ", ".join)
YES_NO = AnswerType("yes/no", _read_yes_no, str, str)
NUMBER = AnswerType("number", _read_number, number_json, lambda value: str(number_json(value)))
ASSIGNMENT = AnswerType(
    "assignment",
    _read_assignment,
    _roles,
    lambda pairs: ", ".join(f"{name} is a {role}" for name, role in _roles(pairs).items()),
)
