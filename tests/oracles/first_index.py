"""What selectors do on every possible pool of a small distribution, one by one.  Imports nothing of the engine."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from math import prod

Drawn = tuple[int | None, bool]


def first_best(pool: Sequence[Drawn]) -> bool:
    """Is the earliest candidate with the highest score right?  Nothing stands, nothing is right."""
    standing = [(score, right) for score, right in pool if score is not None]
    if not standing:
        return False
    best = max(score for score, _ in standing)
    return next(right for score, right in standing if score == best)


def checked(kinds: Sequence[tuple[Drawn, Fraction]], k: int) -> Fraction:
    """The probability that the earliest maximum of k independent draws is right."""
    pools = product(kinds, repeat=k)
    return sum(
        (prod(mass for _, mass in pool) for pool in pools if first_best([kind for kind, _ in pool])), Fraction(0)
    )


def chosen(drawn: Sequence[Drawn], k: int) -> Fraction:
    """The share of ordered subsets of k of these candidates whose earliest maximum is right."""
    pools = list(permutations(drawn, k))
    return Fraction(sum(map(first_best, pools)), len(pools))


def voted(masses: Sequence[tuple[str | None, Fraction]], valid: frozenset[str], k: int) -> Fraction:
    """The probability that the most frequent answer of k draws is valid, the one that came first winning ties."""
    total = Fraction(0)
    for pool in product(masses, repeat=k):
        votes = [answer for answer, _ in pool if answer is not None]
        if votes and Counter(votes).most_common(1)[0][0] in valid:  # ties in order of first occurrence
            total += prod((mass for _, mass in pool), start=Fraction(1))
    return total
