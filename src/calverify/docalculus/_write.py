"""Expressions as text and as LaTeX, which `read_expression` reads back to equal values.

Rule 1: brackets stand where reading needs them, and around sums and quotients inside larger ones, where eyes do.
Rule 2: a name that is no plain word is written in double quotes, a double quote inside them twice; in LaTeX a name of
        more than one letter stands in `\\text{...}`.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from calverify.docalculus._expression import Expression, Number, Plus, Probability, Product, Quotient, Sum, Variable
from calverify.docalculus._names import PLAIN

__all__ = ["to_latex", "to_text"]

LETTER = re.compile("[A-Za-z]")
INDEXED = re.compile("([A-Za-z])_([0-9]++)")
SPECIAL = re.compile(r"[\\~^{}$&#%_]")
COMMANDS = {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}


class _Style(NamedTuple):
    """What the two ways of writing do not share."""

    name: Callable[[str], str]
    bar: str
    do: str
    times: str  # between factors
    dot: str  # before a number
    sum: str
    brackets: str  # around {}
    quotient: str | None  # None: with a slash between


def to_text(expression: Expression) -> str:
    """sum_{Z} P(Y | X, Z) P(Z)"""
    return _written(expression, TEXT)


def to_latex(expression: Expression) -> str:
    r"""\\sum_{Z} P(Y \\mid X, Z)\\, P(Z)"""
    return _written(expression, LATEX)


def _quoted(name: str) -> str:
    return name if PLAIN.fullmatch(name) else '"' + name.replace('"', '""') + '"'


def _latex_name(name: str) -> str:
    if LETTER.fullmatch(name):
        return name
    indexed = INDEXED.fullmatch(name)
    if indexed:
        return f"{indexed[1]}_{{{indexed[2]}}}"
    return "\\text{" + SPECIAL.sub(lambda found: COMMANDS.get(found[0], "\\" + found[0]), name) + "}"


TEXT = _Style(_quoted, " | ", "do(%s)", " ", " * ", "sum_{%s} ", "(%s)", None)
LATEX = _Style(
    _latex_name,
    " \\mid ",
    "\\operatorname{do}(%s)",
    "\\, ",
    " \\cdot ",
    "\\sum_{%s} ",
    "\\left( %s \\right)",
    "\\frac{%s}{%s}",
)


def _written(expression: Expression, style: _Style) -> str:
    match expression:
        case Number(value):
            return str(value)
        case Probability(of, do, given):
            behind = [style.do % _variables(do, style)] if do else []
            behind += [_variable(each, style) for each in given]
            bar = style.bar if behind else ""
            return f"P({_variables(of, style)}{bar}{', '.join(behind)})"
        case Sum(over, body):
            inside = _written(body, style)
            slash = isinstance(body, Quotient) and style.quotient is None
            return style.sum % _variables(over, style) + _bracketed(inside, slash or _is_plus(body), style)
        case Product(factors):
            return _product(factors, style)
        case Quotient(above, below):
            return _quotient(above, below, style)
        case Plus(terms):
            return _plus(terms, style)
    raise TypeError(f"{expression!r} is no expression")


def _variables(variables: Sequence[Variable], style: _Style) -> str:
    return ", ".join(_variable(each, style) for each in variables)


def _variable(variable: Variable, style: _Style) -> str:
    value = "" if variable.value is None else f"={variable.value}"
    return f"{style.name(variable.name)}{chr(39) * variable.copy}{value}"


def _is_plus(expression: Expression) -> bool:
    """Is a sign written first?"""
    return isinstance(expression, Plus) or (isinstance(expression, Number) and expression.value < 0)


def _bracketed(text: str, needed: bool, style: _Style) -> str:
    return style.brackets % text if needed else text


def _product(factors: Sequence[Expression], style: _Style) -> str:
    if not factors:
        return "1"
    text = ""
    for at, factor in enumerate(factors):
        last = at == len(factors) - 1
        open_ended = isinstance(factor, Sum) and not last
        slash = isinstance(factor, Quotient) and style.quotient is None
        needed = _is_plus(factor) or isinstance(factor, Product) or open_ended or slash
        between = style.dot if isinstance(factor, Number) and not needed else style.times
        text += (between if at else "") + _bracketed(_written(factor, style), needed, style)
    return text


def _quotient(above: Expression, below: Expression, style: _Style) -> str:
    top, bottom = _written(above, style), _written(below, style)
    if style.quotient:
        return style.quotient % (top, bottom)
    plain = Product if not _ends_in_sum(above) else ()
    top = _bracketed(top, not isinstance(above, (Probability, Number, plain)) or _is_plus(above), style)
    bottom = _bracketed(bottom, not isinstance(below, Probability | Number) or _is_plus(below), style)
    return f"{top} / {bottom}"


def _ends_in_sum(expression: Expression) -> bool:
    return isinstance(expression, Product) and bool(expression.factors) and isinstance(expression.factors[-1], Sum)


def _plus(terms: Sequence[tuple[int, Expression]], style: _Style) -> str:
    text = ""
    for at, (sign, term) in enumerate(terms):
        mark = "-" if sign < 0 else "+"
        written = _bracketed(_written(term, style), _is_plus(term), style)
        lone = mark if sign < 0 or len(terms) == 1 else ""
        text += f" {mark} {written}" if at else f"{lone}{written}"
    return text or "0"
