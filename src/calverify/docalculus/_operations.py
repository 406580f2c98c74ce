"""What a derivation may do to a term: one class a rule, each with the term that it leaves.

    Rewrite   one factor, by a rule of do-calculus
    Join      P(a | b, c) P(b | c) = P(a, b | c), and sum_{b} of it = P(a | c)
    Reduce    sum_{a} P(a, b | c) = P(b | c)
    Divide    P(a, b | c) / P(b | c) = P(a | b, c), or a factor that stands above and below
    Split     P(a, b | c) = P(a | b, c) P(b | c)
    Rearrange arithmetic that holds for arbitrary functions
    Inside    any of these, in a term of a factor that is a sum of terms

Rule 1: an operation is an equation, so a derivation may read it from either end.
Rule 2: `after` trusts its caller; the search builds an operation only where the equation holds.
"""

from dataclasses import dataclass

from calverify.docalculus._rules import Leaf
from calverify.docalculus._terms import Block, Term

__all__ = ["Divide", "Inside", "Join", "Operation", "Rearrange", "Reduce", "Rewrite", "Split"]


class Operation:
    """One step on a term."""

    __slots__ = ()

    def after(self, term: Term) -> Term:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Rewrite(Operation):
    under: bool  # in the denominator?
    at: int
    leaf: Leaf

    def after(self, term: Term) -> Term:
        return term.replaced(self.under, self.at, self.leaf)


@dataclass(frozen=True, slots=True)
class Join(Operation):
    """The factor `one` is given just what `other` is of, beside all that `other` has; `over` is summed out."""

    one: int
    other: int
    over: int = 0

    def leaf(self, term: Term) -> Leaf:
        one, other = leaf_at(term, False, self.one), leaf_at(term, False, self.other)
        return Leaf((one.of | other.of) & ~self.over, other.do, other.given)

    def after(self, term: Term) -> Term:
        first, last = sorted((self.one, self.other))
        above = term.above
        new = (*above[:first], self.leaf(term), *above[first + 1 : last], *above[last + 1 :])
        return term._replace(over=term.over & ~self.over, above=new)


@dataclass(frozen=True, slots=True)
class Reduce(Operation):
    at: int
    over: int

    def leaf(self, term: Term) -> Leaf | None:
        """What is left of the factor: None when it adds up to one."""
        leaf = leaf_at(term, False, self.at)
        return leaf._replace(of=leaf.of & ~self.over) if leaf.of & ~self.over else None

    def after(self, term: Term) -> Term:
        left = self.leaf(term)
        return term._replace(over=term.over & ~self.over).replaced(False, self.at, *([] if left is None else [left]))


@dataclass(frozen=True, slots=True)
class Divide(Operation):
    """The factor `at` by the factor `by` of the denominator, which is part of it or equal."""

    at: int
    by: int

    def leaf(self, term: Term) -> Leaf | None:
        """The quotient, None for one."""
        above, below = leaf_at(term, False, self.at), leaf_at(term, True, self.by)
        return Leaf(above.of & ~below.of, above.do, above.given | below.of) if above != below else None

    def after(self, term: Term) -> Term:
        left = self.leaf(term)
        return term.replaced(False, self.at, *([] if left is None else [left])).replaced(True, self.by)


@dataclass(frozen=True, slots=True)
class Split(Operation):
    """The factor becomes two: the rest given `part`, and `part`."""

    under: bool
    at: int
    part: int

    def leaves(self, term: Term) -> tuple[Leaf, Leaf]:
        leaf = leaf_at(term, self.under, self.at)
        return Leaf(leaf.of & ~self.part, leaf.do, leaf.given | self.part), leaf._replace(of=self.part)

    def after(self, term: Term) -> Term:
        return term.replaced(self.under, self.at, *self.leaves(term))


@dataclass(frozen=True, slots=True)
class Rearrange(Operation):
    term: Term

    def after(self, term: Term) -> Term:
        return self.term


@dataclass(frozen=True, slots=True)
class Inside(Operation):
    under: bool
    at: int
    number: int  # of the term
    operation: Operation

    def after(self, term: Term) -> Term:
        terms = block_at(term, self.under, self.at).terms
        new = self.operation.after(terms[self.number])
        return term.replaced(self.under, self.at, Block((*terms[: self.number], new, *terms[self.number + 1 :])))


def leaf_at(term: Term, under: bool, at: int) -> Leaf:
    leaf = (term.below if under else term.above)[at]
    if not isinstance(leaf, Leaf):
        raise TypeError(f"{leaf!r} is no probability of the graph")
    return leaf


def block_at(term: Term, under: bool, at: int) -> Block:
    block = (term.below if under else term.above)[at]
    if not isinstance(block, Block):
        raise TypeError(f"{block!r} is no sum of terms")
    return block
