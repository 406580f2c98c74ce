"""Knights and knaves: every formula with its value, and as a tree."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from .question import LISTED, Ask, Family, Question
from .records import need, row, several

__all__ = ["FAMILIES"]

TOKEN = re.compile(r'"(?:[^"]|"")++"|[()]|[^\s()"]++|"')
ROLES = {"knight": True, "knave": False}
KEYWORDS = {"not", "and", "or", "if", "then", "implies", "iff", ")", '"'}
Roles = tuple[tuple[str, bool], ...]


class Formula:
    """A formula as calverify prints it, read word by word: "Ann is not a knave and (if ... then ...)"."""

    def __init__(self, text: str, people: tuple[str, ...]) -> None:
        self.words, self.people = TOKEN.findall(text)[::-1], people

    def whole(self) -> list[Any]:
        tree = self.formula()
        need(not self.words, "a formula goes on after its end")
        return tree

    def take(self, *wanted: str) -> str:
        need(self.words and (not wanted or self.words[-1] in wanted), "a formula is not spelled as calverify prints it")
        return str(self.words.pop())

    def formula(self) -> list[Any]:
        if self.words[-1:] == ["if"]:
            self.take()
            one = self.part()
            self.take("then")
            return ["implies", one, self.part()]
        parts = [self.part()]
        link = self.words[-1] if self.words else ""
        if link == "if":
            for one_of in ("if", "and", "only", "if"):
                self.take(one_of)
            return ["iff", *parts, self.part()]
        while link in ("and", "or") and self.words[-1:] == [link]:
            self.take()
            parts.append(self.part())
        return [link, *parts] if len(parts) > 1 else parts[0]

    def part(self) -> list[Any]:
        name = self.take()
        if name == "(":
            inside = self.formula()
            self.take(")")
            return inside
        if name == "not":
            return ["not", self.part()]
        need(name not in KEYWORDS, "a formula is not spelled as calverify prints it")
        self.take("is")
        denied = self.take("not", "a") == "not"
        if denied:
            self.take("a")
        atom = [self.take(*ROLES), name[1:-1].replace('""', '"') if name.startswith('"') else name]
        need(atom[1] in self.people, f"{atom[1]!r:.60} is not among the people")
        return ["not", atom] if denied else atom


def statements(q: Question) -> list[tuple[str, str, Any]]:
    """Who says what, as text and as a tree."""
    said = [row(pair, 2) for pair in q.said]
    need(said, "nobody says anything")
    need({speaker for speaker, _ in said} <= {*q.targets}, "a speaker is not among the people")
    return [(speaker, text, Formula(text, q.targets).whole()) for speaker, text in said]


def value_of(tree: Any, roles: dict[str, bool]) -> bool:
    head, *parts = tree
    if head in ROLES:
        return roles[parts[0]] is ROLES[head]
    values = [value_of(part, roles) for part in parts]
    if head in ("not", "implies"):
        return not values[0] or (head == "implies" and values[1])
    return {"and": all(values), "or": any(values), "iff": len(set(values)) == 1}[head]


def holds(q: Question, value: Roles) -> bool:
    roles = dict(value)
    everyone = roles.keys() == {*q.targets}
    return everyone and all(roles[who] is value_of(tree, roles) for who, _, tree in statements(q))


def shows(q: Question, value: Roles, w: Any) -> bool:
    roles, said = dict(value), statements(q)
    if w["kind"] == "people":
        missing, unknown = {*q.targets} - {*roles}, {*roles} - {*q.targets}
        need(missing | unknown and [several(w["missing"]), several(w["unknown"])] == [missing, unknown])
        return False
    need({*roles} == {*q.targets} and w["values"] == roles, "another assignment is shown")
    need({type(role) for role in w["values"].values()} == {bool}, "a role is true or false")
    for (speaker, text, tree), (who, role, shown, says, told) in zip(said, w["said"], strict=True):
        need((who, shown, told) == (speaker, text, tree) and role is roles[speaker] and says is value_of(tree, roles))
    return holds(q, value)


def legal(q: Question) -> None:
    statements(q)


def read_roles(q: Question, answer: Any) -> Roles:
    return tuple(sorted((name, ROLES[role]) for name, role in answer.items()))


def assignments(q: Question) -> Iterator[Roles]:
    people = sorted(q.targets)
    return (tuple(zip(people, values, strict=True)) for values in product((False, True), repeat=len(people)))


FAMILIES = (
    Family(
        tasks={"knights": Ask(range(100), "", "formula")},
        kinds={"assignment": "values said", "people": "missing unknown"},
        value=read_roles,
        shows=shows,
        holds=holds,
        tried=assignments,
        forms=LISTED,
        legal=legal,
    ),
)
