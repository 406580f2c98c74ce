"""Which node a written name means, and variables as they are written: X, "two words", X', X=0, X=x, Y_{X=1}.

Rule 1: a name in double quotes or in `\\text{...}` is that name.  Else the longest known name that stands there wins.
Rule 2: a lower-case word that is no node, such as x, is the one node whose lower-case spelling it is; x=x says no more
        than x, and x=x' is the copy X'.
Rule 3: a subscript that is no part of a known name intervenes: Y_{X=1} and Y_x stand under do(X=1) and do(X).
Rule 4: without known names, a word of letters, digits and underscores is a name as it stands.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from calverify.docalculus._cursor import AFTER_COMMAND, BLANKS, Cursor
from calverify.docalculus._expression import Variable
from calverify.errors import ExpressionError
from calverify.names import NameFault, brief, clean_name, listing

__all__ = ["CLOSERS", "OPEN", "PLAIN", "STYLED", "Naming", "Written", "bare_variable", "closing", "variables"]

_STYLE = (
    r"\\(?:text|textrm|textit|textbf|texttt|mathrm|mathit|mathbf|mathsf|mathbb|mathcal|boldsymbol|bm|operatorname|mbox)"
)
STYLED = rf"{_STYLE}\s*+\{{\s*+(?:%s)\s*+\}}"  # a word in a style of its own
_LETTER = r"""[^\s_!-/:-@\[-^`{-~×÷·⋅∗∑∣−–∈’′″‴“”]"""
_WORD = rf"(?:{_LETTER}|\\?+_(?!\{{)|(?!))++"
PLAIN = re.compile(rf"(?:_*+{_LETTER}++|(?!))++")  # a name that is written as it stands
WORD = re.compile(_WORD)
PHRASE = re.compile(rf"{_WORD}(?:[ .&:/+-]++{_WORD}|(?!))++")  # a name of several words that is read without quotes
QUOTED = re.compile('"((?:[^"]|"")*+)"')
TEXT = re.compile(
    _STYLE + r"\s*+\{((?:[^{}\\]|\\(?:textbackslash|textasciitilde|textasciicircum)\{\}|\\[^A-Za-z]|(?!))*+)\}"
)
ESCAPED = re.compile(r"\\(textbackslash|textasciitilde|textasciicircum)\{\}|\\(.)", re.DOTALL)
COMMANDS = {"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^"}
INDEX = re.compile(r"_\{\s*+([0-9]++)\s*+\}")
PART = re.compile(rf"_\{{\s*+({_WORD})\s*+\}}")
SUBSCRIPT = re.compile(r"_\{")
_PRIME = r"(?:['’′″‴]|\\prime(?![A-Za-z]))"
PRIMES = re.compile(
    rf"(?:['’′″‴]|\^\s*+{_PRIME}|\^\s*+\{{\s*+(?:{_PRIME}\s*+|(?!))++\}}|\\prime{AFTER_COMMAND}|(?!))++"
)
EQUALS = re.compile("=")
WHOLE = re.compile(r"[0-9]{1,9}+(?![\w.])")
COMMA = re.compile(",")
DO = re.compile(rf"(?:{STYLED % '[dD]o'}|\\do{AFTER_COMMAND}|(?i:do)){BLANKS}(?=[(\[{{])")
OPEN = re.compile(r"[(\[{]|\\\{")
CLOSERS = {"(": ")", "[": "]", "{": "}", "\\{": "\\}"}
ROUND = re.compile(r"\)")
SQUARE = re.compile(r"\]")
CURLY = re.compile(r"\}")
SET = re.compile(r"\\\}")
CLOSING = dict(zip(CLOSERS, (ROUND, SQUARE, CURLY, SET), strict=True))


class Written(NamedTuple):
    """A variable, the interventions in its subscript, whether it stands inside do, and where it stands."""

    variable: Variable
    under: tuple[Variable, ...]
    at: int
    is_done: bool = False


class Naming:
    """The known names, or none, when every name is good."""

    def __init__(self, names: Collection[str] | None) -> None:
        self.known = None if names is None else frozenset(names)
        self._folded: dict[str, list[str]] = {}
        self._phrases: dict[str, list[str]] = {}  # first word -> names that go on behind it
        for name in sorted(self.known or (), key=lambda name: (-len(name), name)):
            self._folded.setdefault(name.lower(), []).append(name)
            first = WORD.match(name)
            if first and PHRASE.fullmatch(name):
                self._phrases.setdefault(first[0], []).append(name)

    def node(self, word: str) -> str | None:
        """The node that a word means, or None."""
        if self.known is None or word in self.known:
            return word
        same = self._folded.get(word, ())
        return same[0] if len(same) == 1 else None

    def phrase(self, word: str, text: str, at: int, stop: int) -> str | None:
        """The longest known name of several words that stands at `at`, where `word` stands."""
        for name in self._phrases.get(word, ()):
            end = at + len(name)
            if end <= stop and text.startswith(name, at) and not WORD.match(text, end, stop):
                return name
        return None

    def split(self, word: str) -> tuple[str, str] | None:
        """The name and the name in its subscript that a word is, such as Y_x; the longest name first."""
        cut = word.rfind("_") if self.known else -1
        while cut > 0:
            name, under = self.node(word[:cut]), self.node(word[cut + 1 :])
            if name and under:
                return name, under
            cut = word.rfind("_", 0, cut)
        return None

    def unknown(self, word: str, at: int, cursor: Cursor) -> ExpressionError:
        names = listing(sorted(self.known or ()))
        return cursor.error(f"unknown name {brief(word)} (the names are {names})" if names else "no name is known", at)


def closing(opener: str) -> re.Pattern[str]:
    return CLOSING[opener]


def variables(cursor: Cursor, naming: Naming, *, may_do: bool = False, worlds: bool = False) -> list[Written]:
    """Variables with commas between them; `may_do` allows do(...), and `worlds` subscripts that intervene."""
    found: list[Written] = []
    while True:
        at = cursor.at
        if cursor.take(DO):
            if not may_do:
                raise cursor.error("do(...) stands behind the bar of a probability, and only there", at)
            opener = cursor.expect(OPEN, "'('")[0]
            found += [each._replace(is_done=True) for each in variables(cursor, naming)]
            cursor.expect(closing(opener), f"',' or {CLOSERS[opener]!r}")
        else:
            found.append(_variable(cursor, naming, worlds))
            if found[-1].under and not worlds:
                raise cursor.error("a subscript that intervenes may stand on the variables of a probability only", at)
        if not cursor.take(COMMA):
            return found


def bare_variable(cursor: Cursor, naming: Naming) -> Written:
    """The subscript of a sum without brackets; in `sum_zP(...)` it stops before the P."""
    at = cursor.at
    word = WORD.match(cursor.text, at, cursor.stop)
    if word and naming.known and naming.node(word[0]) is None:
        for tail in ("Pr", "P", "p"):
            name = naming.node(word[0].removesuffix(tail)) if word[0].endswith(tail) else None
            if name:
                cursor.at = word.end() - len(tail)
                return Written(Variable(name), (), at)
    name, under = _name(cursor, naming)
    if under:
        raise naming.unknown(cursor.text[at : cursor.at].strip(), at, cursor)
    return Written(Variable(name, _primes(cursor)), (), at)


def _variable(cursor: Cursor, naming: Naming, worlds: bool) -> Written:
    at = cursor.at
    name, under = _name(cursor, naming)
    if worlds and cursor.take(SUBSCRIPT):
        inside = variables(cursor, naming, may_do=True)
        under += tuple(each.variable for each in inside)
        cursor.expect(closing("{"), "',' or '}'")
    copy = _primes(cursor)
    if cursor.take(EQUALS):
        value, copy = _value(cursor, name, copy)
        return Written(Variable(name, copy, value), under, at)
    return Written(Variable(name, copy), under, at)


def _name(cursor: Cursor, naming: Naming) -> tuple[str, tuple[Variable, ...]]:
    """The node that is named here, and what its subscript sets."""
    at = cursor.at
    exact = cursor.take(QUOTED)
    styled = None if exact else cursor.take(TEXT)
    if exact or styled:
        said = exact[1].replace('""', '"') if exact else ESCAPED.sub(_unescaped, styled[1] if styled else "")
        name = naming.node(_clean(said, at, cursor))
        if name is None:
            raise naming.unknown(said, at, cursor)
        return name, ()
    word = WORD.match(cursor.text, at, cursor.stop)
    if word is None:
        raise cursor.error("expected a variable")
    phrase = naming.phrase(word[0], cursor.text, at, cursor.stop)
    if phrase:
        cursor.move(at + len(phrase))
        return phrase, ()
    cursor.take(WORD)
    return _subscripted(_clean(word[0].replace("\\_", "_"), at, cursor), at, cursor, naming)


def _subscripted(word: str, at: int, cursor: Cursor, naming: Naming) -> tuple[str, tuple[Variable, ...]]:
    """The word together with an index or a part of its name in braces after it; or the word and what it sets."""
    for pattern, joints in ((INDEX, ("_", "")), (PART, ("_",))):
        found = pattern.match(cursor.text, cursor.at, cursor.stop)
        for joint in joints if found else ():
            whole = naming.node(word + joint + (found[1] if found else ""))
            if whole and (naming.known or pattern is INDEX):
                cursor.take(pattern)
                return whole, ()
    name = naming.node(word)
    if name is not None:
        return name, ()
    split = naming.split(word)
    if split is None:
        raise naming.unknown(word, at, cursor)
    return split[0], (Variable(split[1]),)


def _clean(said: str, at: int, cursor: Cursor) -> str:
    try:
        return clean_name(said)
    except NameFault as fault:
        raise cursor.error(str(fault), at) from None


def _unescaped(found: re.Match[str]) -> str:
    return COMMANDS[found[1]] if found[1] else found[2]


def _primes(cursor: Cursor) -> int:
    found = cursor.take(PRIMES)
    if found is None:
        return 0
    marks = found[0]
    singles = sum(marks.count(mark) for mark in ("'", "’", "′", "\\prime"))
    return singles + 2 * marks.count("″") + 3 * marks.count("‴")


def _value(cursor: Cursor, name: str, copy: int) -> tuple[int | None, int]:
    """The whole number, or None for the lower-case spelling of the name, whose primes say which copy is meant."""
    at = cursor.at
    number = cursor.take(WHOLE)
    if number:
        return int(number[0]), copy
    word = WORD.match(cursor.text, at, cursor.stop)
    if word is None or word[0].replace("\\_", "_") != name.lower():
        raise cursor.error(f"expected a whole number or {brief(name.lower())}")
    cursor.take(WORD)
    return None, _primes(cursor) or copy
