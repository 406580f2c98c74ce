"""Expressions as people and models type them, in plain text, LaTeX or Unicode.

    expression   -term + term - term              a sign may stand first
    term         factor factor * factor / factor  from left to right; nothing, * × · ⋅ \\cdot \\times; / ÷ \\div
    factor       P(...)  7  ( expression )  [ ... ]  { ... }  \\frac{ expression }{ expression }  sum_{Z, W} term
    the whole    may stand between dollar signs, and behind a left side with do: P(Y | do(X)) = ...

Rule 1: the body of a sum is the rest of its term: it ends at + or -, or where its brackets end.  What is divided by
        there is divided by for every value, which is the same wherever it does not depend on them.
Rule 2: scope is lexical.  A sum may bind a variable that is bound or free outside, and hides it.
Rule 3: reading is linear, without recursion, and refuses what is no expression by `ExpressionError` with its place.
        An expression that is read has at most MAX_LEVELS levels and MAX_PARTS parts, so what walks it may recurse.
Rule 4: what `to_text` and `to_latex` write is read back to an equal value.

Probabilities are read in `_probabilities`, names and variables in `_names`.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from calverify.docalculus._cursor import AFTER_COMMAND, Cursor
from calverify.docalculus._expression import Expression, Number, Plus, Probability, Product, Quotient, Sum, Variable
from calverify.docalculus._names import CLOSERS, Naming
from calverify.docalculus._probabilities import HEAD, read_bound, read_probability
from calverify.errors import ExpressionError

__all__ = ["MAX_LEVELS", "MAX_PARTS", "MAX_TEXT", "read_expression"]

MAX_TEXT: Final = 200_000  # characters
MAX_LEVELS: Final = 48  # of expressions within expressions
MAX_PARTS: Final = 20_000  # probabilities, numbers and operations
MAX_OPEN: Final = 2 * MAX_LEVELS  # brackets and sums that are open at once

FACTOR = re.compile(
    rf"(?P<frac>\\[dt]?+frac{AFTER_COMMAND})|(?P<open>[(\[{{]|\\\{{)|(?P<number>[0-9]++)|"
    rf"(?P<sum>(?:\\sum|\\Sigma){AFTER_COMMAND}|(?:(?i:sum)|Σ|∑)(?![^\W_]))|(?P<head>{HEAD})"
)
LINK = re.compile(
    rf"(?P<times>[*×·⋅∗]|\\(?:cdot|times|ast){AFTER_COMMAND})|(?P<over>[/÷]|\\div{AFTER_COMMAND})|"
    r"(?P<plus>\+)|(?P<minus>[−–-])|(?P<close>[)\]}]|\\\})|(?P<equals>=)|(?P<end>\Z)"
)
SIGN = re.compile(r"(?P<plus>\+)|[−–-]")
BRACE = re.compile(r"\{")
MOST_DIGITS = 18

Value = tuple[Expression, int]  # with its levels


@dataclass(slots=True)
class _Open:
    """A bracket, a part of a fraction, a sum, or the whole: what has been read of it."""

    closer: str = ""  # "" for the whole and for a sum
    at: int = 0
    over: tuple[Variable, ...] | None = None  # what a sum binds
    above: Value | None = None  # the numerator, when this is the denominator of a \frac
    fraction: bool = False
    sign: int = 0  # before the term that is being read; 0 where none stands before the first
    terms: list[tuple[int, Value]] = field(default_factory=list)
    factors: list[Value] = field(default_factory=list)
    divides: int | None = None  # where the factor stands that the others are divided by


class _Reader:
    def __init__(self, text: str, names: Collection[str] | None) -> None:
        self.cursor = Cursor(text)
        self.naming = Naming(names)
        self.parts = 0
        self.open = [_Open()]
        self.effect: Expression | None = None  # the left side

    def read(self) -> Expression:
        self._sign()
        while True:
            self._operand()
            while (link := self._link()) == "close":
                pass
            if link == "end":
                return self._whole()[0]

    # -------------------------------------------------------- what a factor begins with

    def _operand(self) -> None:
        """Read up to the end of the next probability or number, opening what stands before it."""
        while True:
            at = self.cursor.at
            found = self.cursor.take(FACTOR)
            if found is None:
                raise self.cursor.error("expected a probability, a sum, a number or a bracket")
            match found.lastgroup:
                case "head":
                    return self._add((read_probability(self.cursor, self.naming), 1), at)
                case "number":
                    if len(found[0]) > MOST_DIGITS:
                        raise self.cursor.error(f"a whole number has at most {MOST_DIGITS} digits", at)
                    return self._add((Number(int(found[0])), 1), at)
                case "sum":
                    self._push(_Open(at=at, over=read_bound(self.cursor, self.naming)))
                case "frac":
                    self.cursor.expect(BRACE, "'{'")
                    self._push(_Open("}", at, fraction=True))
                    self._sign()
                case _:
                    self._push(_Open(CLOSERS[found[0]], at))
                    self._sign()

    def _push(self, opened: _Open) -> None:
        if len(self.open) >= MAX_OPEN:
            raise self.cursor.error(f"over {MAX_OPEN} brackets and sums within each other", opened.at)
        self.open.append(opened)

    def _sign(self) -> None:
        """The sign before the first term of the innermost bracket."""
        found = self.cursor.take(SIGN)
        if found:
            self.open[-1].sign = 1 if found["plus"] else -1

    # -------------------------------------------------------- what stands behind a factor

    def _link(self) -> str:
        """Take the operator or bracket: "operand" must follow it, or it makes a factor ("close"), or the text ends."""
        at = self.cursor.at
        found = self.cursor.take(LINK)
        kind = found.lastgroup if found else None
        if found is None:
            token = FACTOR.match(self.cursor.text, at, self.cursor.stop)
            if token is None or token.lastgroup == "number":
                raise self.cursor.error(f"expected an operator or {self._awaited()}")
            return "operand"
        if kind in ("times", "over"):
            self.open[-1].divides = self.cursor.at if kind == "over" else None
            return "operand"
        self._end_term(at)
        frame = self.open[-1]
        if kind in ("plus", "minus"):
            frame.sign = 1 if kind == "plus" else -1
            return "operand"
        if kind == "equals":
            return self._right_side(at)
        if frame.closer != (found[0] if kind == "close" else ""):
            raise self.cursor.error(f"expected an operator or {self._awaited()}", at)
        return self._close(at) if kind == "close" else "end"

    def _awaited(self) -> str:
        closer = next((frame.closer for frame in reversed(self.open) if frame.over is None), "")
        return repr(closer) if closer else "the end"

    def _right_side(self, at: int) -> str:
        """The left side is left behind, when it is an effect."""
        left = self._whole()[0] if len(self.open) == 1 else None
        if self.effect or not isinstance(left, Probability) or not left.do:
            raise self.cursor.error(
                f"expected an operator or {self._awaited()} (only P(... | do(...)) = may precede)", at
            )
        self.effect, self.open, self.parts = left, [_Open()], 0
        self._sign()
        return "operand"

    def _close(self, at: int) -> str:
        """The innermost bracket is complete: it is a factor, or the numerator of a fraction."""
        frame = self.open.pop()
        value = self._sum_of_terms(frame, at)
        if frame.fraction and frame.above is None:
            self.cursor.expect(BRACE, "'{'")
            self._push(_Open("}", self.cursor.at, above=value, fraction=True))
            self._sign()
            return "operand"
        if frame.above is not None:
            value = self._quotient(frame.above, value, frame.at)
        self._factor(value, frame.at)
        return "close"

    # -------------------------------------------------------- putting together

    def _add(self, value: Value, at: int) -> None:
        self._count(at)
        self._factor(value, at)

    def _factor(self, value: Value, at: int) -> None:
        frame = self.open[-1]
        if frame.divides is None:
            frame.factors.append(value)
            return
        frame.factors = [self._quotient(self._product(frame.factors, at), value, frame.divides)]
        frame.divides = None

    def _end_term(self, at: int) -> None:
        """The factors read so far are a term; sums that were open end with it."""
        while (frame := self.open[-1]).over is not None:
            self.open.pop()
            body, levels = self._product(frame.factors, at)
            self._factor(self._built(Sum(frame.over, body), levels, frame.at), frame.at)
        frame.terms.append((frame.sign, self._product(frame.factors, at)))
        frame.factors = []

    def _product(self, factors: list[Value], at: int) -> Value:
        if len(factors) == 1:
            return factors[0]
        return self._built(Product(tuple(one for one, _ in factors)), max(levels for _, levels in factors), at)

    def _quotient(self, above: Value, below: Value, at: int) -> Value:
        if below[0] == Number(0):
            raise self.cursor.error("division by zero", at)
        return self._built(Quotient(above[0], below[0]), max(above[1], below[1]), at)

    def _sum_of_terms(self, frame: _Open, at: int) -> Value:
        if len(frame.terms) == 1 and frame.terms[0][0] == 0:
            return frame.terms[0][1]
        terms = tuple((sign or 1, one) for sign, (one, _) in frame.terms)
        return self._built(Plus(terms), max(levels for _, (_, levels) in frame.terms), at)

    def _whole(self) -> Value:
        return self._sum_of_terms(self.open[0], self.cursor.at)

    def _built(self, expression: Expression, levels: int, at: int) -> Value:
        self._count(at)
        if levels >= MAX_LEVELS:
            raise self.cursor.error(f"over {MAX_LEVELS} levels of expressions within each other", at)
        return expression, levels + 1

    def _count(self, at: int) -> None:
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise self.cursor.error(f"over {MAX_PARTS:,} probabilities, numbers and operations", at)


def read_expression(text: str, names: Collection[str] | None = None) -> Expression:
    """The expression that the text writes; `names` are the nodes it may be about, and decide how names are split.

    `sum_{z} P(y | x, z) P(z)` with the names X, Y, Z is `sum_{Z} P(Y | X, Z) P(Z)`.
    """
    if len(text) > MAX_TEXT:
        raise ExpressionError(f"expected an expression of at most {MAX_TEXT:,} characters, not {len(text):,}")
    return _Reader(text, names).read()
