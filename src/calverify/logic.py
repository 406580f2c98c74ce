"""Formulas about knights and knaves: their text, their truth tables and their puzzles.

A knight always tells the truth, a knave always lies.  An `Atom` says which of the two one person is, a `Compound` joins
formulas, and a puzzle is a sequence of (speaker, formula) constraints: the speaker is a knight iff the formula is true.

The grammar is closed.  Keywords may be in any case; the connectives bind in this order, tightest first:

    statement   Zoey is a knight · Zoey is not a knave · "Mary Ann" is a knight · knight(Zoey) · knave(Mary Ann) · ( … )
    not         not  !  ~  ¬
    and         and  &  &&  ∧                          two parts or more
    or          or  |  ||  ∨                           two parts or more
    implies     implies  ->  =>  →  ⇒                  groups to the right: a -> b -> c is a -> (b -> c)
                if … then …                            the part after `then` reaches as far as the one after `->`
    iff         iff  if and only if  <->  <=>  ↔  ⇔    groups to the right

Rule 1: a formula that exists is legal: at most MAX_DEPTH connectives deep, at most MAX_TEXT characters when printed.
Rule 2: what `str` prints, `read` reads back to an equal formula.
Rule 3: names bind exactly, after trimming and Unicode NFC.  One that is no plain word is written `knight(…)` or in
        double quotes; a double quote inside the quotes is written twice.
Rule 4: the readers are linear, without recursion below MAX_DEPTH, and refuse their input by `FormulaError` only.
Rule 5: a truth table has at most MAX_NAMES names; beyond them the question is undetermined, a `BudgetError`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_
from typing import Final, Literal, NamedTuple, cast

from calverify.errors import BudgetError, FormulaError
from calverify.names import MAX_NAME, NameFault, brief, clean_name

__all__ = [
    "MAX_DEPTH", "MAX_NAMES", "MAX_TEXT", "Atom", "Compound", "Connective", "Constraint", "Formula",
    "Violation", "canonical_name", "consistent", "equivalent", "evaluate", "from_tree", "names_of", "read", "solutions",
    "table", "violations",
]  # fmt: skip

MAX_DEPTH: Final = 64
MAX_NAMES: Final = 20
MAX_TEXT: Final = 10_000  # characters

Connective = Literal["not", "and", "or", "implies", "iff"]


class _Rule(NamedTuple):
    binds: int  # higher is tighter
    parts: range  # how many are legal
    printed: tuple[str, str]  # what stands before the parts, and between them
    spellings: tuple[str, ...]  # a symbol stands before its own prefix
    bits: Callable[[Sequence[int], int], int]  # columns of the parts, all-true column -> column


_ONE, _TWO, _MANY = range(1, 2), range(2, 3), range(2, MAX_TEXT)
# fmt: off
_RULES: Final[Mapping[str, _Rule]] = {
    "not":     _Rule(5, _ONE, ("not ", ""), ("not", "!", "~", "¬"), lambda p, t: t ^ p[0]),
    "and":     _Rule(4, _MANY, ("", " and "), ("and", "&&", "&", "∧"), lambda p, _: reduce(and_, p)),
    "or":      _Rule(3, _MANY, ("", " or "), ("or", "||", "|", "∨"), lambda p, _: reduce(or_, p)),
    "implies": _Rule(2, _TWO, ("if ", " then "), ("implies", "->", "=>", "→", "⇒"), lambda p, t: (t ^ p[0]) | p[1]),
    "iff":     _Rule(1, _TWO, ("", " if and only if "), ("if and only if", "iff", "<->", "<=>", "↔", "⇔"),
                     lambda p, t: t ^ p[0] ^ p[1]),
}
# fmt: on
_BINDS: Final[Mapping[str, int]] = {name: rule.binds for name, rule in _RULES.items()} | {"bracket": 0, "if": 0}
_CLOSES: Final = {"close": "bracket", "then": "if", "end": ""}
_CLOSED_BY: Final = {"bracket": "')'", "if": "'then'", "": "the end"}
_TREE_WORDS: Final[Mapping[str, Connective]] = {"not": "not", "and": "and", "or": "or", "->": "implies", "<=>": "iff"}

# The tokens.  Every quantifier is possessive, so that no input makes a pattern backtrack.

_CHARACTER = r"""(?:[^\s()"!~&|<>=¬∧∨→⇒↔⇔,.;:-]|-(?!>)|(?!))"""  # of a plain word


def _words(phrase: str) -> str:
    return r"\s++".join(f"(?ai:{word})" for word in phrase.split()) + f"(?!{_CHARACTER})"


def _spelled(connective: str) -> str:
    ways = (_words(way) if way[0].isalpha() else re.escape(way) for way in _RULES[connective].spellings)
    return f"(?P<{connective}>{'|'.join(ways)})"


_PLAIN = f"(?!{'|'.join(map(_words, ('not', 'and', 'or', 'implies', 'iff', 'if', 'then')))}){_CHARACTER}++"
_QUOTED = '(?:[^"]|"")*+'
_ATOM = (
    rf'(?P<called>(?ai:knight|knave))\s*+\(\s*+(?:"(?P<call_quoted>{_QUOTED})"\s*+|(?P<call_plain>[^")][^)]*+))\)|'
    rf'(?:"(?P<quoted>{_QUOTED})"|(?P<plain>{_PLAIN}))\s++{_words("is")}\s++(?P<denied>{_words("not")}\s++|(?!))?+'
    rf"{_words('a')}\s++(?P<role>{_words('knight')}|{_words('knave')})"
)
_PLAIN_NAME = re.compile(_PLAIN)
_STATEMENT = re.compile(rf"(?:(?P<bracket>\()|{_spelled('not')}|(?P<if>{_words('if')})|(?P<atom>{_ATOM}))\s*+")
_LINK = re.compile(
    rf"(?:(?P<close>\))|(?P<then>{_words('then')})|(?P<end>\Z)|"
    rf"{_spelled('iff')}|{_spelled('implies')}|{_spelled('and')}|{_spelled('or')}|(?P<other>))\s*+"
)


def _require(value: object, kinds: type | tuple[type, ...], what: str) -> None:
    if not isinstance(value, kinds):
        raise FormulaError(f"expected {what}, not {brief(value)}")


def canonical_name(name: object) -> str:
    """`name` trimmed and in NFC: `" Zoe\\u0308 "` -> `"Zo\\u00eb"`; refused when empty, overlong or not UTF-8."""
    try:
        return clean_name(name)
    except NameFault as fault:
        raise FormulaError(f"expected a name (UTF-8 text of 1 to {MAX_NAME} characters), not {brief(name)}") from fault


@dataclass(frozen=True, slots=True)
class Atom:
    """`name` is a knight, or is a knave: `str(Atom("Zoey", knight=False))` -> `"Zoey is a knave"`."""

    name: str
    knight: bool

    def __post_init__(self) -> None:
        _require(self.knight, bool, "True (a knight) or False (a knave)")
        object.__setattr__(self, "name", canonical_name(self.name))

    def __str__(self) -> str:
        name = self.name if _PLAIN_NAME.fullmatch(self.name) else '"' + self.name.replace('"', '""') + '"'
        return f"{name} is a {'knight' if self.knight else 'knave'}"


@dataclass(frozen=True, slots=True)
class Compound:
    """`parts` under one connective: `str(Compound("not", (Atom("Zoey", True),)))` -> `"Zoey is not a knight"`."""

    connective: Connective
    parts: "tuple[Formula, ...]"
    depth: int = field(init=False, repr=False, compare=False)
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rule = _RULES.get(self.connective)
        if rule is None:
            raise FormulaError(f"expected one of {', '.join(_RULES)}, not {brief(self.connective)}")
        _require(self.parts, tuple, "a tuple of formulas")
        for part in self.parts:
            _require(part, (Atom, Compound), "a formula")
        if len(self.parts) not in rule.parts:
            least = f"{rule.parts[0]} or more" if rule.parts is _MANY else rule.parts[0]
            raise FormulaError(f"expected {least} under {self.connective!r}, not {len(self.parts)} formulas")
        depth = 1 + max(part.depth if isinstance(part, Compound) else 0 for part in self.parts)
        if depth > MAX_DEPTH:
            raise FormulaError(f"expected connectives at most {MAX_DEPTH} deep")
        text = _printed(rule, self.parts)
        if len(text) > MAX_TEXT:
            raise FormulaError(f"expected a formula that prints to at most {MAX_TEXT} characters, not {len(text)}")
        object.__setattr__(self, "depth", depth)
        object.__setattr__(self, "text", text)

    def __str__(self) -> str:
        return self.text


Formula = Atom | Compound
Constraint = tuple[str, Formula]  # speaker, statement


def _printed(rule: _Rule, parts: tuple[Formula, ...]) -> str:
    if rule is _RULES["not"] and isinstance(parts[0], Atom):
        return " is not a ".join(str(parts[0]).rsplit(" is a ", 1))
    joined = (isinstance(part, Compound) and part.connective != "not" for part in parts)
    before, between = rule.printed
    return before + between.join(f"({part})" if open_ else str(part) for part, open_ in zip(parts, joined, strict=True))


def _roster(names: Iterable[object]) -> tuple[str, ...]:
    roster = tuple(map(canonical_name, names))
    if len(set(roster)) < len(roster):
        raise FormulaError(f"expected every name once, not {brief(roster)}")
    return roster


def names_of(formula: Formula) -> tuple[str, ...]:
    """The names in `formula`, each once, as they come: `B is a knight or (A is a knave and ...)` -> `("B", "A")`."""
    if isinstance(formula, Atom):
        return (formula.name,)
    return tuple(dict.fromkeys(name for part in formula.parts for name in names_of(part)))


# The readers.


def read(text: str, names: Iterable[str]) -> Formula:
    """The formula that `text` writes about `names`: `"!knight(A) & knave(B)"` -> A is not a knight and B is a knave.

    Any other text is refused with its place: `expected a statement at character 18: 'or'`.
    """
    if len(text) > MAX_TEXT:
        raise FormulaError(f"expected a formula of at most {MAX_TEXT} characters, not {len(text)}: {brief(text)}")
    roster = _roster(names)
    waiting: list[tuple[str, int]] = []  # connectives that lack their last part, with their part counts; open brackets
    whole: list[Formula] = []
    kind, at = "", len(text) - len(text.lstrip())
    try:
        while kind != "end":
            token = (_LINK if kind in ("atom", "close") else _STATEMENT).match(text, at)
            if token is None:
                raise FormulaError("expected a statement")
            kind = str(token.lastgroup)
            if kind == "atom":
                whole.append(_atom(token, roster))
            elif kind in ("bracket", "if", "not"):
                waiting.append((kind, 1))
            else:
                _link(kind, waiting, whole)
            at = token.end()
    except FormulaError as error:
        raise FormulaError(f"{error} at character {at + 1}: {text[at : at + 24]!r}") from None
    return whole[0]


def _atom(token: re.Match[str], roster: tuple[str, ...]) -> Formula:
    quoted = token["quoted"] if token["call_quoted"] is None else token["call_quoted"]
    plain = token["plain"] or token["call_plain"]
    name = canonical_name(plain if quoted is None else quoted.replace('""', '"'))
    if name not in roster:
        raise FormulaError(f"unknown name {brief(name)} (the names are {brief(roster)})")
    atom = Atom(name, knight=(token["called"] or token["role"]).lower() == "knight")
    return Compound("not", (atom,)) if token["denied"] else atom


def _link(kind: str, waiting: list[tuple[str, int]], whole: list[Formula]) -> None:
    """Build what binds tighter than `kind`; then a connective waits for its next part, a closer meets its opener."""
    while waiting and _BINDS[waiting[-1][0]] > _BINDS.get(kind, 0):
        connective, count = waiting.pop()
        whole[-count:] = [Compound(cast(Connective, connective), tuple(whole[-count:]))]
    if kind in _RULES:
        grows = waiting and waiting[-1][0] == kind and _RULES[kind].parts is _MANY
        waiting.append((kind, waiting.pop()[1] + 1 if grows else 2))
        return
    opener = waiting.pop()[0] if waiting else ""
    if opener != _CLOSES.get(kind):
        raise FormulaError(f"expected a connective or {_CLOSED_BY[opener]}")
    if kind == "then":
        waiting.append(("implies", 2))


def from_tree(tree: object, names: Iterable[str]) -> Formula:
    """The formula of a mem-kk record: `["or", ["telling-truth", 0], ["lying", 1]]` -> A is a knight or B is a knave."""
    return _grown(tree, _roster(names), MAX_DEPTH)


def _grown(tree: object, roster: tuple[str, ...], depth_left: int) -> Formula:
    if depth_left < 0:
        raise FormulaError(f"expected connectives at most {MAX_DEPTH} deep")
    match tree:
        case ["telling-truth" | "lying" as leaf, index]:
            if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(roster):
                raise FormulaError(f"expected an index into the {len(roster)} names, not {brief(index)}")
            return Atom(roster[index], knight=leaf == "telling-truth")
        case [str(word), *parts] if word in _TREE_WORDS:
            return Compound(_TREE_WORDS[word], tuple(_grown(part, roster, depth_left - 1) for part in parts))
        case _:
            raise FormulaError(f"expected [leaf, index] or [connective, part, ...], not {brief(tree)}")


# Truth.  A column holds one bit per row; evaluation is a table of one row.


def _bits(formula: Formula, columns: Mapping[str, int], true: int) -> int:
    if isinstance(formula, Compound):
        return _RULES[formula.connective].bits([_bits(part, columns, true) for part in formula.parts], true)
    if formula.name not in columns:
        raise FormulaError(f"expected a value for every name, but {brief(formula.name)} has none")
    return columns[formula.name] if formula.knight else true ^ columns[formula.name]


def _values(assignment: Mapping[str, bool]) -> dict[str, int]:
    for name, knight in assignment.items():
        _require(knight, bool, f"True or False for {brief(name)}")
    return dict(zip(_roster(assignment), map(int, assignment.values()), strict=True))


def _columns(names: Iterable[str]) -> tuple[dict[str, int], int]:
    """The column of each name and the all-true column: `("A", "B")` -> `({"A": 0b1100, "B": 0b1010}, 0b1111)`."""
    roster = _roster(names)
    if len(roster) > MAX_NAMES:
        raise BudgetError(f"a truth table takes at most {MAX_NAMES} names, not {len(roster)}")
    rows, columns = 1 << len(roster), {}
    for position, name in enumerate(roster, start=1):
        width = rows >> position
        column = ((1 << width) - 1) << width
        while (width := 2 * width) < rows:
            column |= column << width
        columns[name] = column
    return columns, (1 << rows) - 1


def evaluate(formula: Formula, assignment: Mapping[str, bool]) -> bool:
    """Is `formula` true when `assignment[name]` says who is a knight?  A name without a value is a `FormulaError`."""
    return bool(_bits(formula, _values(assignment), 1))


def table(formula: Formula, names: Iterable[str]) -> int:
    """The truth table of `formula`, as bits: bit r is its value in row r of `names`.

    Row r reads r in binary, first name first, 1 = knight: over (A, B), `A is a knight` -> `0b1100` (rows 2 and 3).
    """
    return _bits(formula, *_columns(names))


def equivalent(one: Formula, other: Formula) -> bool:
    """Have both formulas the same value under every assignment to the names of either?"""
    names = dict.fromkeys(names_of(one) + names_of(other))
    return table(one, names) == table(other, names)


def solutions(constraints: Iterable[Constraint], names: Iterable[str]) -> Iterator[dict[str, bool]]:
    """The assignments that satisfy every constraint, one at a time, in lexicographic order.

    Lexicographic: knave before knight, the first name first.  Over (A, B): no constraint -> knave knave, knave knight,
    knight knave, knight knight; `[("A", <B is a knave>)]` -> `{"A": False, "B": True}`, `{"A": True, "B": False}`.
    """
    columns, true = _columns(names)
    found = true
    for speaker, formula in constraints:
        found &= true ^ _bits(Atom(speaker, knight=True), columns, true) ^ _bits(formula, columns, true)
    return (
        {name: digit == "1" for name, digit in zip(columns, f"{row:0{len(columns)}b}", strict=bool(columns))}
        for row, holds in enumerate(reversed(f"{found:b}"))
        if holds == "1"
    )


class Violation(NamedTuple):
    """A constraint that fails: what the speaker says is true, but the speaker is no knight, or the reverse."""

    speaker: str
    formula: Formula
    says: bool
    is_knight: bool


def violations(constraints: Iterable[Constraint], assignment: Mapping[str, bool]) -> list[Violation]:
    """The constraints that `assignment` breaks, in order: knave A says `A is a knave` -> says True, is_knight False."""
    values = _values(assignment)
    said = (
        Violation(speaker, formula, bool(_bits(formula, values, 1)), bool(_bits(Atom(speaker, knight=True), values, 1)))
        for speaker, formula in constraints
    )
    return [each for each in said if each.says != each.is_knight]


def consistent(constraints: Iterable[Constraint], assignment: Mapping[str, bool]) -> bool:
    """Is every speaker a knight iff the statement is true?  Linear in the constraints, for any number of names."""
    return not violations(constraints, assignment)
