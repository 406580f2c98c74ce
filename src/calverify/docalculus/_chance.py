"""The chance that one random model hides a difference between two expressions (Schwartz and Zippel).

Cleared of divisors, the difference at an assignment is a polynomial in the free entries of the model's tables.  One of
degree d that is not zero everywhere is zero at a random point with at most d times the chance of one residue.  That is
9/2^64: words of 64 bits are reduced modulo a prime, so a few residues come from nine words and the others from eight.
A polynomial may be zero modulo the prime only, when that divides every coefficient; the prime is one of over 2^50 of 60
bits, and a coefficient of b bits has at most b/60 of them as divisors.
"""

from collections.abc import Collection
from fractions import Fraction
from math import prod
from typing import NamedTuple

from calverify.docalculus._expression import Expression, Number, Plus, Probability, Product, Quotient, Sum, Variable
from calverify.docalculus._models import Shape

__all__ = ["chance_of_missing", "degrees", "lengths"]

WORDS = 1 << 64
MOST_OF_A_RESIDUE = 9
PRIMES, PRIME_BITS = 1 << 50, 60


class Degrees(NamedTuple):
    """At most: of an expression's numerator, and of the product of all that is divided by.  Or lengths, in bits."""

    above: int
    below: int


def chance_of_missing(one: Expression, other: Expression, free: Collection[Variable], shape: Shape) -> Fraction:
    """A bound on it, for two that differ at some assignment in some model of the shape; 1 when the degrees are huge.

    It is a chance among the models on which no divisor is zero at any assignment, since the others do not count.
    """
    left, right = degrees(one, shape), degrees(other, shape)
    long, longer = lengths(one, shape), lengths(other, shape)
    rows = prod(shape.sizes[variable.name] for variable in free)
    hidden = MOST_OF_A_RESIDUE * max(1, left.above + right.below, right.above + left.below)
    unlucky = MOST_OF_A_RESIDUE * rows * (left.below + right.below)
    bits = max(long.above + longer.below, longer.above + long.below) + 1
    divided = Fraction(bits // PRIME_BITS + 1, PRIMES)
    return min(Fraction(1), Fraction(hidden, WORDS - unlucky) + divided) if hidden + unlucky < WORDS else Fraction(1)


def degrees(expression: Expression, shape: Shape) -> Degrees:
    """The degrees at one assignment; a mass is a sum of products of one entry a table."""
    return _measured(expression, shape, Degrees(len(shape.sizes), 0))


def lengths(expression: Expression, shape: Shape) -> Degrees:
    """The bits of the coefficients, added up without their signs.

    A mass adds up as many products as there are assignments; the entry that makes a distribution whole is 1 minus the
    others, so an entry adds up to no more than there are of them.
    """
    return _measured(expression, shape, Degrees(2 * sum(size.bit_length() for size in shape.sizes.values()), 1))


def _measured(expression: Expression, shape: Shape, unit: Degrees) -> Degrees:
    """A mass measures `unit.above`; numbers, and the adding up of terms, measure `unit.below` times their bits."""
    mass, bits = unit
    match expression:
        case Number(value):
            return Degrees(bits * value.bit_length(), 0)
        case Probability(_, _, given):
            return Degrees(mass, mass if given else 0)
        case Sum(over, body):
            terms = prod(shape.sizes[variable.name] for variable in over)
            above, below = _measured(body, shape, unit)
            return Degrees(above + (terms - 1) * below + bits * terms.bit_length(), terms * below)
        case Product(factors):
            each = [_measured(factor, shape, unit) for factor in factors]
            return Degrees(sum(one.above for one in each), sum(one.below for one in each))
        case Quotient(numerator, divisor):
            one, other = _measured(numerator, shape, unit), _measured(divisor, shape, unit)
            return Degrees(one.above + 2 * other.below, one.below + other.above + other.below)
        case Plus(terms):
            each = [_measured(term, shape, unit) for _, term in terms]
            below = sum(one.below for one in each)
            most = max((one.above + below - one.below for one in each), default=0)
            return Degrees(most + bits * len(each).bit_length(), below)
    raise TypeError(f"{expression!r} is no expression")
