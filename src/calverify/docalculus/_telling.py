"""How the operations of a search become the steps of a derivation.

Rule 1: a step changes one part in place.  Where an operation takes factors that do not stand together, a rearrangement
first puts them together, in the place of the first.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from calverify.docalculus._derivation import RULES, Step
from calverify.docalculus._expression import ONE, Expression, Plus, Product, Quotient, Sum
from calverify.docalculus._operations import (
    Divide,
    Inside,
    Join,
    Operation,
    Rearrange,
    Reduce,
    Rewrite,
    Split,
    block_at,
    leaf_at,
)
from calverify.docalculus._rules import Condition, Leaf, Rules
from calverify.docalculus._terms import (
    Place,
    Term,
    composed,
    place,
    place_of_term,
    written,
    written_atom,
    written_term,
)

__all__ = ["Teller"]


class _Part(NamedTuple):
    """A step inside a term, before it is set into the whole."""

    rule: str
    place: Place
    before: Expression
    after: Expression
    condition: Condition | None = None


class Teller:
    """Writes steps about the terms of one search."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def told(
        self, terms: Sequence[Term], operations: Iterable[tuple[int, Operation]]
    ) -> tuple[tuple[Term, ...], list[Step]]:
        """The terms after operations, each on the term of a number, and the steps."""
        steps = []
        whole = written(terms, self.rules)
        for number, operation in operations:
            term = terms[number]
            path = place_of_term(terms, number)
            for part in self._parts(term, operation):
                at = path + part.place
                whole = _replaced(whole, at, part.after)
                steps.append(Step(part.rule, at, part.before, part.after, whole, part.condition))
            terms = (*terms[:number], operation.after(term), *terms[number + 1 :])
        return tuple(terms), steps

    def _parts(self, term: Term, operation: Operation) -> Iterator[_Part]:
        tellers: dict[type, Callable[..., Iterator[_Part]]] = {
            Rewrite: self._rewrite,
            Join: self._join,
            Reduce: self._reduce,
            Divide: self._divide,
            Split: self._split,
            Inside: self._inside,
            Rearrange: self._rearrange,
        }
        return tellers[type(operation)](term, operation)

    def _rearrange(self, term: Term, operation: Rearrange) -> Iterator[_Part]:
        before, after = written_term(term, self.rules), written_term(operation.term, self.rules)
        yield _Part(RULES["arithmetic"], (), before, after)

    def _rewrite(self, term: Term, operation: Rewrite) -> Iterator[_Part]:
        leaf = leaf_at(term, operation.under, operation.at)
        rule, condition = self.rules.step(leaf, operation.leaf)
        above, below = self._factors(term)
        at = place(term, above, below, operation.under, operation.at)
        yield _Part(RULES[rule], at, self._written(leaf), self._written(operation.leaf), condition)

    def _join(self, term: Term, operation: Join) -> Iterator[_Part]:
        above, below = self._factors(term)
        first, last = sorted((operation.one, operation.other))
        group = _sum(self.rules, operation.over, Product((above[first], above[last])))
        rest = [*above[:first], group, *above[first + 1 : last], *above[last + 1 :]]
        rule = "conditioning" if operation.over else "chain"
        outer = term._replace(over=term.over & ~operation.over)
        yield from self._grouped(term, outer, (rest, below, first), rule, operation.leaf(term))

    def _reduce(self, term: Term, operation: Reduce) -> Iterator[_Part]:
        above, below = self._factors(term)
        group = _sum(self.rules, operation.over, above[operation.at])
        rest = [*above[: operation.at], group, *above[operation.at + 1 :]]
        outer = term._replace(over=term.over & ~operation.over)
        yield from self._grouped(term, outer, (rest, below, operation.at), "marginal", operation.leaf(term))
        yield from self._without_one(operation.after(term), outer, rest, below, operation.at)

    def _divide(self, term: Term, operation: Divide) -> Iterator[_Part]:
        above, below = self._factors(term)
        at, by = operation.at, operation.by
        rest = [*above[:at], Quotient(above[at], below[by]), *above[at + 1 :]]
        left = [*below[:by], *below[by + 1 :]]
        rule = "quotient" if operation.leaf(term) else "cancel"
        yield from self._grouped(term, term, (rest, left, at), rule, operation.leaf(term))
        yield from self._without_one(operation.after(term), term, rest, left, at)

    def _grouped(
        self,
        term: Term,
        outer: Term,
        layout: tuple[list[Expression], list[Expression], int],
        rule: str,
        leaf: Leaf | None,
    ) -> Iterator[_Part]:
        """The rearrangement that puts the group at one place, and the step that makes it a probability (or one)."""
        above, below, at = layout
        before, after = written_term(term, self.rules), composed(outer, self.rules, above, below)
        if before != after:
            yield _Part(RULES["arithmetic"], (), before, after)
        where = place(outer, above, below, False, at)
        yield _Part(RULES[rule], where, above[at], ONE if leaf is None else self._written(leaf))

    def _without_one(
        self, after: Term, outer: Term, above: list[Expression], below: list[Expression], at: int
    ) -> Iterator[_Part]:
        """The factor 1 that a step left is left out."""
        now = composed(outer, self.rules, [*above[:at], ONE, *above[at + 1 :]], below)
        then = written_term(after, self.rules)
        if len(after.above) < len(above) and now != then:
            yield _Part(RULES["arithmetic"], (), now, then)

    def _split(self, term: Term, operation: Split) -> Iterator[_Part]:
        above, below = self._factors(term)
        under, at = operation.under, operation.at
        pair = Product(tuple(map(self._written, operation.leaves(term))))
        row = below if under else above
        where = place(term, above, below, under, at)
        yield _Part(RULES["chain"], where, row[at], pair)
        row[at] = pair
        before, after = composed(term, self.rules, above, below), written_term(operation.after(term), self.rules)
        if before != after:
            yield _Part(RULES["arithmetic"], (), before, after)

    def _inside(self, term: Term, operation: Inside) -> Iterator[_Part]:
        terms = block_at(term, operation.under, operation.at).terms
        above, below = self._factors(term)
        path = place(term, above, below, operation.under, operation.at) + place_of_term(terms, operation.number)
        for part in self._parts(terms[operation.number], operation.operation):
            yield part._replace(place=path + part.place)

    def _factors(self, term: Term) -> tuple[list[Expression], list[Expression]]:
        above, below = ([written_atom(atom, self.rules) for atom in atoms] for atoms in (term.above, term.below))
        return above, below

    def _written(self, leaf: Leaf) -> Expression:
        return written_atom(leaf, self.rules)


def _sum(rules: Rules, over: int, body: Expression) -> Expression:
    return Sum(tuple(sorted(rules.named(over), key=lambda variable: variable[:2])), body) if over else body


def _replaced(whole: Expression, path: Place, part: Expression) -> Expression:
    """The expression with the part at a place replaced."""
    if not path:
        return part
    at, rest = path[0], path[1:]
    match whole:
        case Sum(over, body):
            return Sum(over, _replaced(body, rest, part))
        case Product(factors):
            return Product((*factors[:at], _replaced(factors[at], rest, part), *factors[at + 1 :]))
        case Quotient(above, below):
            return (
                Quotient(above, _replaced(below, rest, part)) if at else Quotient(_replaced(above, rest, part), below)
            )
        case Plus(terms):
            sign, term = terms[at]
            return Plus((*terms[:at], (sign, _replaced(term, rest, part)), *terms[at + 1 :]))
    raise TypeError(f"{whole!r} has no parts")
