"""One representative of all the spellings of an expression.

What counts as one spelling: factors and terms in any order and grouping, the names of bound copies, merged and split
sums, factors before a sum or in its body, factors 1, quotients of quotients, factors that stand above and below, whole
numbers worked out, like terms added up.  No law of probability is used: P(Y | X) P(X) is not P(X, Y), and
`sum_{X} P(X)` is not 1.

Rule 1: the value is kept wherever the expression has one, that is where nothing in it divides by zero or conditions on
        what never happens.  Elsewhere the representative may have a value: P(Y) / P(Y) is 1, even where P(Y) is 0.
Rule 2: bound variables take the least copies that are neither free anywhere in the expression nor bound around them.
Rule 3: a sum over several variables is nested where that lets a part of its body mention fewer variables.
Rule 4: what divides by a number that is zero is `1 / 0`, whatever else it is.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple

from calverify.docalculus._expression import (
    ONE,
    Expression,
    Number,
    Plus,
    Product,
    Quotient,
    Sum,
    Variable,
    free_variables,
    parts,
    probability,
)
from calverify.docalculus._normal import Addition, Atom, Event, Slot, Summation, Term, is_bound, normal
from calverify.docalculus._read import MAX_LEVELS

__all__ = ["UNDEFINED", "canonical"]

UNDEFINED: Final = Quotient(ONE, Number(0))
MOST_NESTED: Final = 12  # variables of one sum


def canonical(expression: Expression) -> Expression:
    """The representative: `P(Z) * sum_{X'} (P(X') 1) / P(Z)` is `sum_{X} P(X)`."""
    term = normal(expression)
    free = frozenset(_free(term))
    nested = _Spelled(free, nest=True).term(term, ())
    return nested if _levels(nested) <= MAX_LEVELS else _Spelled(free, nest=False).term(term, ())


def _free(term: Term) -> Iterable[Variable]:
    for atom in (*term.above, *term.below):
        match atom:
            case Event():
                yield from (_variable(slot) for slot in (*atom.of, *atom.do, *atom.given) if not is_bound(slot))
            case Summation(_, _, body):
                yield from _free(body)
            case Addition(_, terms):
                for each in terms:
                    yield from _free(each)


def _variable(slot: Slot) -> Variable:
    return Variable(slot.name, slot.first, None if slot.second < 0 else slot.second)


def _levels(expression: Expression) -> int:
    return 1 + max(map(_levels, parts(expression)), default=0)


Scopes = tuple[tuple[Variable, ...], ...]  # what the sums around bind, the innermost last


class _Spelled:
    """Writes a normal form as an expression."""

    def __init__(self, free: frozenset[Variable], *, nest: bool) -> None:
        self.free = free
        self.nest = nest

    def term(self, term: Term, scopes: Scopes) -> Expression:
        if not term.bottom:
            return UNDEFINED
        only = term.above[0] if len(term.above) == 1 else None
        if isinstance(only, Addition):
            inside = [each._replace(top=each.top * term.top) for each in only.terms]
            above: Expression = self.plus(inside, scopes)
            term = term._replace(top=1)
        else:
            above = _product(Number(abs(term.top)), self.atoms(term.above, scopes))
        below = _product(Number(term.bottom), self.atoms(term.below, scopes))
        whole = above if below == ONE else Quotient(above, below)
        return Plus(((-1, whole),)) if term.top < 0 else whole

    def plus(self, terms: Iterable[Term], scopes: Scopes) -> Plus:
        signed = ((-1 if each.top < 0 else 1, each._replace(top=abs(each.top))) for each in terms)
        return Plus(tuple((sign, self.term(each, scopes)) for sign, each in signed))

    def atoms(self, atoms: Iterable[Atom], scopes: Scopes) -> list[Expression]:
        return [self.atom(atom, scopes) for atom in atoms]

    def atom(self, atom: Atom, scopes: Scopes) -> Expression:
        match atom:
            case Event(_, _, of, do, given):
                return probability(*([_named(slot, scopes) for slot in some] for some in (of, do, given)))
            case Summation(_, over, body):
                return self.sum(over, body, scopes)
            case Addition(_, terms):
                return self.plus(terms, scopes)

    def sum(self, over: Sequence[str], body: Term, scopes: Scopes) -> Expression:
        taken = self.free.union(*scopes)
        copies = {name: _copies(name) for name in over}
        bound = [next(each for each in copies[name] if each not in taken) for name in over]
        inside = (*scopes, tuple(bound))
        factors = [_Factor.of(each, True) for each in self.atoms(body.above, inside)]
        factors += [_Factor.of(each, False) for each in self.atoms(body.below, inside)]
        return _nested(bound, factors) if self.nest and len(bound) <= MOST_NESTED else _sum(bound, factors)


def _copies(name: str) -> Iterator[Variable]:
    return (Variable(name, copy) for copy in count())


def _named(slot: Slot, scopes: Scopes) -> Variable:
    return scopes[-1 - slot.first][slot.second] if is_bound(slot) else _variable(slot)


def _product(number: Number, factors: Iterable[Expression]) -> Expression:
    """The product without a factor 1."""
    kept = [each for each in (number, *factors) if each != ONE]
    return Product(tuple(kept)) if len(kept) > 1 else kept[0] if kept else ONE


class _Factor(NamedTuple):
    """A factor of a sum's body, whether it multiplies or divides, and its free variables."""

    expression: Expression
    above: bool
    mentions: frozenset[Variable]

    @classmethod
    def of(cls, expression: Expression, above: bool) -> "_Factor":
        return cls(expression, above, free_variables(expression))


def _sum(over: Iterable[Variable], factors: Sequence[_Factor]) -> Sum:
    """The factors summed; a sum that is the whole body is merged."""
    above = _product(ONE, (each.expression for each in factors if each.above))
    below = _product(ONE, (each.expression for each in factors if not each.above))
    body = above if below == ONE else Quotient(above, below)
    if isinstance(body, Sum):
        over, body = (*over, *body.over), body.body
    return Sum(tuple(sorted(over, key=lambda variable: variable[:2])), body)


def _nested(over: Sequence[Variable], factors: Sequence[_Factor]) -> Sum:
    """The sum with the variables summed innermost whose factors mention the fewest variables."""
    over, factors = list(over), list(factors)
    while len(over) > 1:
        scopes = {own: _mentioned(each for each in factors if own in each.mentions) for own in over}
        inner = min(over, key=lambda own: len(scopes[own]))
        if len(scopes[inner]) >= len(_mentioned(factors)):
            break
        inside = [each for each in factors if inner in each.mentions]
        factors = [each for each in factors if inner not in each.mentions]
        factors.append(_Factor(_sum([inner], inside), True, scopes[inner] - {inner}))
        over.remove(inner)
    return _sum(over, factors)


def _mentioned(factors: Iterable[_Factor]) -> frozenset[Variable]:
    return frozenset[Variable]().union(*(each.mentions for each in factors))
