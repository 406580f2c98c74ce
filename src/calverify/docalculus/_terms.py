"""Expressions as sums of terms, the form in which `prove` rewrites them; and back.

A term is number * sum_{over} product(above) / product(below).

Rule 1: arranging uses nothing but arithmetic that holds for arbitrary functions: products and quotients are flattened,
products of sums of terms are multiplied out, sums are moved outwards, and what they bind is renamed where it must be.
Rule 2: every sum of one side binds variables of its own, and none is called like a free variable of either side or like
what is `taken`; so a term can be written down from its bits, and nothing is captured.
Rule 3: factors keep the order in which they were written.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from calverify.docalculus._expression import (
    Expression,
    Number,
    Plus,
    Probability,
    Product,
    Quotient,
    Sum,
    Variable,
    probability,
)
from calverify.docalculus._rules import Leaf, Rules
from calverify.errors import BudgetError

__all__ = [
    "Atom",
    "Block",
    "Odd",
    "Place",
    "Reader",
    "Term",
    "Unfit",
    "composed",
    "place",
    "place_of_term",
    "written",
    "written_atom",
    "written_term",
]

MAX_TERMS = 64  # after multiplying out
MAX_FACTORS = 32  # in one term


class Odd(NamedTuple):
    """A probability that mentions a node twice, as lists of bits; no rule applies to it."""

    lists: tuple[tuple[int, ...], ...]


class Block(NamedTuple):
    """A sum of terms that is one factor."""

    terms: tuple["Term", ...]


Atom = Leaf | Odd | Block


class Term(NamedTuple):
    number: Fraction
    over: int
    above: tuple[Atom, ...]
    below: tuple[Atom, ...] = ()

    def replaced(self, below: bool, at: int, *atoms: Atom) -> "Term":
        """The term with one factor replaced by others."""
        factors = self.below if below else self.above
        new = (*factors[:at], *atoms, *factors[at + 1 :])
        return self._replace(below=new) if below else self._replace(above=new)


class Unfit(BudgetError):
    """An expression that no term can hold; the message says why."""


# ---------------------------------------------------------------- reading


class Reader:
    """Turns the expressions of one side into terms; both sides share the bits of their free variables."""

    def __init__(self, rules: Rules, free: dict[Variable, int], taken: Iterable[Variable] = ()) -> None:
        self.rules = rules
        self.free = free
        self.taken = {*free, *taken}

    def terms(self, expression: Expression) -> tuple[Term, ...]:
        found = self._read(expression, self.free)
        if any(len(term.above) + len(term.below) > MAX_FACTORS for term in found):
            raise Unfit(f"a product of over {MAX_FACTORS} factors")
        return found

    def _read(self, expression: Expression, bits: dict[Variable, int]) -> tuple[Term, ...]:
        match expression:
            case Number(value):
                return (Term(Fraction(value), 0, ()),)
            case Probability():
                return (Term(Fraction(1), 0, (self._atom(expression, bits),)),)
            case Sum(over, body):
                return self._summed(over, body, bits)
            case Product(factors):
                return _multiplied([self._read(factor, bits) for factor in factors])
            case Quotient(above, below):
                return _divided(self._read(above, bits), self._read(below, bits))
            case Plus(terms):
                return tuple(
                    term._replace(number=term.number * sign) for sign, one in terms for term in self._read(one, bits)
                )
        raise TypeError(f"{expression!r} is no expression")

    def _atom(self, one: Probability, bits: dict[Variable, int]) -> Atom:
        lists = tuple(tuple(bits[variable] for variable in some) for some in (one.of, one.do, one.given))
        leaf = self.rules.leaf(*map(sum, lists)) if all(len(set(some)) == len(some) for some in lists) else None
        return Odd(lists) if leaf is None else leaf

    def _summed(self, over: Sequence[Variable], body: Expression, bits: dict[Variable, int]) -> tuple[Term, ...]:
        if len(set(over)) < len(over) or any(variable.value is not None for variable in over):
            raise Unfit("a sum over a variable twice, or over a value")
        bound = {variable: self._bind(variable) for variable in over}
        mask = sum(bound.values())
        return tuple(term._replace(over=term.over | mask) for term in self._read(body, bits | bound))

    def _bind(self, variable: Variable) -> int:
        """A bit for a bound variable, under the first name of its node that is not taken."""
        new, copy = variable, 0
        while new in self.taken:
            copy += 1
            new = Variable(variable.name, copy)
        self.taken.add(new)
        return self.rules.add(new)


def _multiplied(polys: Iterable[tuple[Term, ...]]) -> tuple[Term, ...]:
    found: tuple[Term, ...] = (Term(Fraction(1), 0, ()),)
    for poly in polys:
        if len(found) * len(poly) > MAX_TERMS:
            raise Unfit(f"over {MAX_TERMS} terms when multiplied out")
        found = tuple(
            Term(one.number * other.number, one.over | other.over, one.above + other.above, one.below + other.below)
            for one, other in product(found, poly)
        )
    return found


def _divided(above: tuple[Term, ...], below: tuple[Term, ...]) -> tuple[Term, ...]:
    if len(below) != 1 or below[0].over:
        return tuple(term._replace(below=(*term.below, Block(below))) for term in above)
    (by,) = below
    if not by.number:
        raise Unfit("a division by zero")
    return tuple(
        Term(term.number / by.number, term.over, term.above + by.below, term.below + by.above) for term in above
    )


# ---------------------------------------------------------------- writing

Place = tuple[int, ...]  # the indices that lead from an expression to a part of it, as `parts` numbers them


def written(terms: Sequence[Term], rules: Rules) -> Expression:
    """The expression of a sum of terms."""
    if len(terms) == 1 and terms[0].number >= 0:
        return written_term(terms[0], rules)
    return Plus(tuple((-1 if term.number < 0 else 1, written_term(term, rules)) for term in terms))


def place_of_term(terms: Sequence[Term], at: int) -> Place:
    return () if len(terms) == 1 and terms[0].number >= 0 else (at,)


def written_term(term: Term, rules: Rules) -> Expression:
    """The expression of a term, without its sign."""
    above, below = ([written_atom(atom, rules) for atom in atoms] for atoms in (term.above, term.below))
    return composed(term, rules, above, below)


def written_atom(atom: Atom, rules: Rules) -> Expression:
    match atom:
        case Leaf(of, do, given):
            return probability(rules.named(of), rules.named(do), rules.named(given))
        case Odd(lists):
            return probability(*([rules.named(bit)[0] for bit in some] for some in lists))
        case Block(terms):
            return written(terms, rules)
    raise TypeError(f"{atom!r} is no factor")


def composed(term: Term, rules: Rules, above: Sequence[Expression], below: Sequence[Expression]) -> Expression:
    """The term's number and sum around these factors."""
    above, below = [*_numerator(term, above), *above], [*_denominator(term), *below]
    body = above[0] if len(above) == 1 else Product(tuple(above))
    if below:
        body = Quotient(body, below[0] if len(below) == 1 else Product(tuple(below)))
    over = tuple(sorted(rules.named(term.over), key=lambda variable: variable[:2]))
    return Sum(over, body) if over else body


def place(term: Term, above: Sequence[Expression], below: Sequence[Expression], under: bool, at: int) -> Place:
    """Where `composed` puts one of the factors."""
    numbers = _denominator(term) if under else _numerator(term, above)
    row = [*numbers, *(below if under else above)]
    path: Place = (0,) if term.over else ()
    if below or _denominator(term):
        path += (int(under),)
    return (*path, len(numbers) + at) if len(row) > 1 else path


def _numerator(term: Term, above: Sequence[Expression]) -> list[Expression]:
    value = abs(term.number.numerator)
    return [Number(value)] if value != 1 or not above else []


def _denominator(term: Term) -> list[Expression]:
    return [Number(term.number.denominator)] if term.number.denominator != 1 else []
