"""Expressions over a graph's variables: probabilities, products, quotients, sums over variables, sums of terms.

Rule 1: an expression is a value: frozen, comparable, hashable.  A probability keeps its three lists sorted, each
variable once; products and sums of terms keep the order they were written in (`canonical` sorts them).
Rule 2: scope is lexical.  `sum_{X} P(Y|M,X) P(X)` binds X inside, whatever X is outside; a variable that no sum binds
is free, and an expression is a function of its free variables.
Rule 3: a `Variable` may be a copy of a node (X' is copy 1), which ranges over the same values, and may carry a value
(Y=1), which is then no free variable but a constant.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

__all__ = [
    "ONE",
    "Expression",
    "Number",
    "Plus",
    "Probability",
    "Product",
    "Quotient",
    "Sum",
    "Variable",
    "free_variables",
    "has_do",
    "names_of",
    "parts",
    "probability",
    "rename",
    "size",
]


class Variable(NamedTuple):
    """A node's variable: X, its copy X' (copy 1), or X at a value (X=0)."""

    name: str
    copy: int = 0
    value: int | None = None

    @property
    def plain(self) -> "Variable":
        """The variable without its value: what a sum binds."""
        return self if self.value is None else Variable(self.name, self.copy)


class Expression:
    """What can be read, written, proved and evaluated; one of the six classes below."""

    __slots__ = ("__dict__",)


@dataclass(frozen=True, eq=True)
class Number(Expression):
    """A whole number."""

    value: int


@dataclass(frozen=True, eq=True)
class Probability(Expression):
    """P(of | do(do), given); build it with `probability`, which sorts."""

    of: tuple[Variable, ...]
    do: tuple[Variable, ...] = ()
    given: tuple[Variable, ...] = ()

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        return self.of + self.do + self.given


@dataclass(frozen=True, eq=True)
class Sum(Expression):
    """The body, summed over every value of the variables."""

    over: tuple[Variable, ...]
    body: Expression


@dataclass(frozen=True, eq=True)
class Product(Expression):
    factors: tuple[Expression, ...]


@dataclass(frozen=True, eq=True)
class Quotient(Expression):
    above: Expression
    below: Expression


@dataclass(frozen=True, eq=True)
class Plus(Expression):
    """Terms added up, each with its sign (1 or -1)."""

    terms: tuple[tuple[int, Expression], ...]


ONE = Number(1)


def _order(variable: Variable) -> tuple[str, int, int]:
    return variable.name, variable.copy, -1 if variable.value is None else variable.value


def probability(of: Iterable[Variable], do: Iterable[Variable] = (), given: Iterable[Variable] = ()) -> Probability:
    """The probability with its lists sorted."""
    return Probability(tuple(sorted(of, key=_order)), tuple(sorted(do, key=_order)), tuple(sorted(given, key=_order)))


def parts(expression: Expression) -> tuple[Expression, ...]:
    """The expressions one level down."""
    match expression:
        case Sum(_, body):
            return (body,)
        case Product(factors):
            return factors
        case Quotient(above, below):
            return (above, below)
        case Plus(terms):
            return tuple(term for _, term in terms)
    return ()


def _all_parts(expression: Expression) -> Iterator[Expression]:
    queue = [expression]
    for one in queue:  # grows while we walk it
        yield one
        queue += parts(one)


def size(expression: Expression) -> int:
    """The number of probabilities, numbers and operations."""
    return sum(1 for _ in _all_parts(expression))


def has_do(expression: Expression) -> bool:
    """Does any probability intervene?"""
    return any(isinstance(one, Probability) and one.do for one in _all_parts(expression))


def names_of(expression: Expression) -> frozenset[str]:
    """The nodes that the expression mentions."""
    found: set[str] = set()
    for one in _all_parts(expression):
        if isinstance(one, Probability):
            found.update(variable.name for variable in one.variables)
        elif isinstance(one, Sum):
            found.update(variable.name for variable in one.over)
    return frozenset(found)


def free_variables(expression: Expression) -> frozenset[Variable]:
    """The variables whose values the expression is a function of; a constant (Y=1) is none."""
    match expression:
        case Probability():
            return frozenset(variable for variable in expression.variables if variable.value is None)
        case Sum(over, body):
            return free_variables(body) - frozenset(over)
    return frozenset().union(*map(free_variables, parts(expression)))


def rename(expression: Expression, new: dict[Variable, Variable]) -> Expression:
    """The expression with free variables (without values) replaced; a sum that binds one protects it.

    The caller sees to it that no new variable falls under a sum that binds it.
    """
    match expression:
        case Probability(of, do, given):
            return probability(*(tuple(new.get(one, one) for one in some) for some in (of, do, given)))
        case Sum(over, body):
            inner = {old: put for old, put in new.items() if old not in over}
            return Sum(over, rename(body, inner)) if inner else expression
        case Product(factors):
            return Product(tuple(rename(factor, new) for factor in factors))
        case Quotient(above, below):
            return Quotient(rename(above, new), rename(below, new))
        case Plus(terms):
            return Plus(tuple((sign, rename(term, new)) for sign, term in terms))
    return expression
