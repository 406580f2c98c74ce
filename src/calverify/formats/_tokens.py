"""Tokens of a text, with their lines, and a cursor that reads them one by one.

A format brings one pattern whose groups name the kinds of its tokens: `blank` is skipped, everything else is handed on.
No token is read twice and the text is walked once, so a reader built on this is linear.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from calverify.errors import GraphError

__all__ = ["Cursor", "Token", "shown"]

LONGEST_SHOWN = 40


class Token(NamedTuple):
    """`kind` is the group of the pattern that matched; the last token of every text has the kind "end"."""

    kind: str
    text: str
    line: int


def shown(text: str) -> str:
    """The text as an error message quotes it: at most 40 characters of it."""
    return repr(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…")


def _scan(text: str, pattern: re.Pattern[str], format: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        found = pattern.match(text, at)
        if found is None:
            wanted = f'a mark of {format} or a name (a name with this character in it goes in "double quotes")'
            if text[at] == '"':
                wanted = "a string that is closed, and without characters that the format does not allow in one"
            raise GraphError(f"{format} line {line}: unexpected {text[at]!r}; expected {wanted}")
        if found.lastgroup != "blank":
            yield Token(found.lastgroup or "", found[0], line)
        line += found[0].count("\n")
        at = found.end()
    yield Token("end", "", line)


class Cursor:
    """A place in a text: `next` is the token that has not been taken yet."""

    next: Token
    format: str

    def __init__(self, text: str, pattern: re.Pattern[str], format: str) -> None:
        self.format = format
        self._rest = _scan(text.removeprefix("\ufeff"), pattern, format)
        self.next = next(self._rest)

    def take(self) -> Token:
        """The next token; taking the end leaves it in place."""
        token = self.next
        self.next = next(self._rest, token)
        return token

    def sees(self, mark: str) -> bool:
        """Is the next token this punctuation mark?"""
        return self.next.kind == "mark" and self.next.text == mark

    def accept(self, mark: str) -> Token | None:
        """The punctuation mark if it is next, taken."""
        return self.take() if self.sees(mark) else None

    def expect(self, mark: str) -> Token:
        return self.take() if self.sees(mark) else self.refuse(repr(mark))

    def refuse(self, expected: str) -> NoReturn:
        """Say that the next token is not what was expected."""
        found = "the text ends" if self.next.kind == "end" else f"unexpected {shown(self.next.text)}"
        raise GraphError(f"{self.format} line {self.next.line}: {found}; expected {expected}")
