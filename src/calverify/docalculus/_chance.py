"""The chance that one random model hides a difference between two expressions (Schwartz and Zippel).

Cleared of divisors, the difference at an assignment is a polynomial in the free entries of the model's tables.  One of
degree d that is not zero everywhere is zero at a random point with at most d times the chance of one residue.  That is
9/2^64: words of 64 bits are reduced modulo PRIME, so a few residues come from nine words and the others from eight.
"""

from collections.abc import Collection
from fractions import Fraction
from math import prod
from typing import NamedTuple

from calverify.docalculus._expression import Expression, Plus, Probability, Product, Quotient, Sum, Variable
from calverify.docalculus._models import Shape

__all__ = ["chance_of_missing", "degrees"]

WORDS = 1 << 64
MOST_OF_A_RESIDUE = 9


class Degrees(NamedTuple):
    """At most: of an expression's numerator, and of the product of all that is divided by."""

    above: int
    below: int


def chance_of_missing(one: Expression, other: Expression, free: Collection[Variable], shape: Shape) -> Fraction:
    """A bound on it, for two that differ at some assignment in some model of the shape; 1 when the degrees are huge.

    It is a chance among the models on which no divisor is zero at any assignment, since the others do not count.
    """
    left, right = degrees(one, shape), degrees(other, shape)
    rows = prod(shape.sizes[variable.name] for variable in free)
    hidden = MOST_OF_A_RESIDUE * max(1, left.above + right.below, right.above + left.below)
    unlucky = MOST_OF_A_RESIDUE * rows * (left.below + right.below)
    return Fraction(hidden, WORDS - unlucky) if hidden + unlucky < WORDS else Fraction(1)


def degrees(expression: Expression, shape: Shape) -> Degrees:
    """The degrees at one assignment; a mass is a sum of products of one entry a table."""
    match expression:
        case Probability(_, _, given):
            return Degrees(len(shape.sizes), len(shape.sizes) if given else 0)
        case Sum(over, body):
            terms = prod(shape.sizes[variable.name] for variable in over)
            above, below = degrees(body, shape)
            return Degrees(above + (terms - 1) * below, terms * below)
        case Product(factors):
            each = [degrees(factor, shape) for factor in factors]
            return Degrees(sum(one.above for one in each), sum(one.below for one in each))
        case Quotient(numerator, divisor):
            one, other = degrees(numerator, shape), degrees(divisor, shape)
            return Degrees(one.above + 2 * other.below, one.below + other.above + other.below)
        case Plus(terms):
            each = [degrees(term, shape) for _, term in terms]
            below = sum(one.below for one in each)
            return Degrees(max((one.above + below - one.below for one in each), default=0), below)
    return Degrees(0, 0)
