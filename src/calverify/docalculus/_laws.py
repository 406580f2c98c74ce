"""What the ID algorithm passes along: products of conditionals that are multiplied out late, and simplified on the way.

Rule 1: an *atom* is P(of | given) in the observed distribution; any other factor is a sum of a product over a product.
Rule 2: a factor sums to one over what it `owns`.  So a sum over a node that nothing else mentions is dropped, and what
a sum's nodes do not touch is taken out of it.
Rule 3: a node that only atoms mention is summed out when they make one atom: P(M|X) P(Y|M) = P(M,Y|X) where M keeps X
and Y apart, and the sum over M is P(Y|X).
Rule 4: work is counted in parts of expressions, an atom of many names as several: past `MAX_PARTS` the question stays
undetermined.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from calverify.docalculus._districts import Districts, bits_of
from calverify.docalculus._expression import ONE, Expression, Product, Quotient, Sum, Variable, probability
from calverify.errors import BudgetError

__all__ = ["MAX_LEVELS", "MAX_PARTS", "Factor", "Law", "expression", "observed", "pruned", "ratio", "summed"]

MAX_PARTS = 20_000
MAX_LEVELS = 48  # of expressions within expressions, so that what walks them may recurse


class Factor(NamedTuple):
    """An atom P(of | given); where `of` is empty, the product of `above` over that of `below`, summed over `over`."""

    of: int
    given: int
    over: int
    above: tuple["Factor", ...]
    below: tuple["Factor", ...]
    free: int  # the nodes that it is a function of
    owns: int  # the nodes that it sums to one over
    parts: int
    levels: int


def atom(of: int, given: int) -> Factor:
    parts = 1 + (of | given).bit_count() // 4
    return Factor(of, given, 0, (), (), of | given, of, parts, 1)


def _compound(over: int, above: Iterable[Factor], below: Iterable[Factor] = (), owns: int = 0) -> Factor:
    above, below = tuple(above), tuple(below)
    parts = 3 + sum(factor.parts for factor in (*above, *below))
    levels = 3 + max((factor.levels for factor in (*above, *below)), default=0)
    if parts > MAX_PARTS or levels > MAX_LEVELS:
        raise BudgetError(
            f"the estimand grows past {MAX_PARTS:,} parts or {MAX_LEVELS} levels; ask about a smaller graph"
        )
    free = reduce(or_, (factor.free for factor in (*above, *below)), 0)
    return Factor(0, 0, over, above, below, free & ~over, owns, parts, levels)


# ---------------------------------------------------------------- atoms


def pruned(districts: Districts, of: int, given: int) -> Factor:
    """P(of | given) without the conditions that make no difference; which is one set, whatever goes first."""
    for bit in bits_of(given):
        if districts.separated(of, bit, given & ~bit):
            given &= ~bit
    return atom(of, given)


def joint(districts: Districts, one: Factor, other: Factor, widen: bool = True) -> Factor | None:
    """The atom that equals P(A|B) P(C|D), namely P(A,C|E), or None; unless `widen`, only where E is B."""
    if one.of & other.of or other.of & one.given:
        return None
    given = (one.given | other.given) & ~one.of
    new, more = given & ~one.given, (one.of | given) & ~other.given
    if new and not (widen and districts.separated(one.of, new, one.given)):
        return None
    if more and not districts.separated(other.of, more, other.given):
        return None
    return atom(one.of | other.of, given)


def _in_one(districts: Districts, atoms: Iterable[Factor]) -> Factor | None:
    """The one atom that equals the product, if joining them in their order gives one."""
    first, *rest = sorted(atoms, key=lambda factor: factor.of)
    found: Factor | None = first
    for each in rest:
        found = found and (joint(districts, found, each) or joint(districts, each, found))
    return found


# ---------------------------------------------------------------- sums and quotients


def summed(districts: Districts, over: int, factors: Iterable[Factor]) -> list[Factor]:
    """The product summed over some nodes, as factors: one a group of factors that share summed nodes."""
    left, over = _eliminated(districts, over, list(factors))
    done = [factor for factor in left if not factor.free & over]
    left = [factor for factor in left if factor.free & over]
    while left:
        group, reached = [left.pop(0)], 0
        while reached != (grown := over & reduce(or_, (factor.free for factor in group))):
            reached = grown
            group += [factor for factor in left if factor.free & reached]
            left = [factor for factor in left if not factor.free & reached]
        done.append(_compound(reached, group))
    return done


def _eliminated(districts: Districts, over: int, factors: list[Factor]) -> tuple[list[Factor], int]:
    """The factors once every node that can go has been summed out, and the nodes that cannot."""
    again = True
    while again:
        again = False
        for bit in sorted(bits_of(over), reverse=True):
            fewer = _without(districts, bit, factors)
            if fewer is not None:
                factors, over, again = fewer, over & ~bit, True
    return factors, over


def _without(districts: Districts, bit: int, factors: Sequence[Factor]) -> list[Factor] | None:
    """The factors summed over one node without writing a sum, or None."""
    touched = [factor for factor in factors if factor.free & bit]
    rest = [factor for factor in factors if not factor.free & bit]
    if len(touched) == 1 and touched[0].owns == bit:
        return rest
    if not all(factor.of for factor in touched):
        return None
    one = _in_one(districts, touched)
    if one is None or not one.of & bit:
        return None
    return [*rest, pruned(districts, one.of & ~bit, one.given)] if one.of != bit else rest


def ratio(districts: Districts, above: Iterable[Factor], below: Iterable[Factor], owns: int = 0) -> Factor:
    """The quotient of two products: what stands in both goes, and P(A,B|C) over P(B|C) is P(A|B,C)."""
    above, below = list(above), list(below)
    for factor in [*below]:
        if factor in above:
            above.remove(factor)
            below.remove(factor)
        elif factor.of and (shorter := _divided(districts, above, factor)):
            above = shorter
            below.remove(factor)
    if len(above) == 1 and not below:
        return above[0]._replace(owns=owns or above[0].owns)
    return _compound(0, above, below, owns)


def _divided(districts: Districts, factors: Sequence[Factor], by: Factor) -> list[Factor] | None:
    """The product divided by an atom without writing a quotient: in one of its atoms, or inside one of its sums."""
    for at, factor in enumerate(factors):
        new = None
        if factor.of & by.of == by.of != factor.of and pruned(districts, by.of, factor.given) == by:
            new = pruned(districts, factor.of & ~by.of, factor.given | by.of)
        elif factor.over and not factor.below and not by.free & factor.over:
            inside = _divided(districts, merged(districts, factor.above), by)
            new = _compound(factor.over, inside) if inside else None
        if new:
            return [*factors[:at], new, *factors[at + 1 :]]
    return None


def merged(districts: Districts, factors: Iterable[Factor]) -> list[Factor]:
    """The product with as few atoms as the chain rule makes of it, the last node first: P(W) P(X|W) is P(W,X)."""
    factors = list(factors)
    atoms = sorted((factor for factor in factors if factor.of), key=lambda factor: factor.of)
    done: list[Factor] = []
    for each in atoms:
        for at, one in enumerate(done):
            if (both := joint(districts, one, each, widen=False)) is not None:
                done[at] = both
                break
        else:
            done.append(each)
    done.sort(key=lambda factor: -factor.of)
    return [*done, *(factor for factor in factors if not factor.of)]


# ---------------------------------------------------------------- laws


class Law(NamedTuple):
    """A distribution over `kept`: the product of a factor for each node, with the other nodes summed out.

    Each factor is its node's distribution given earlier ones.  Nodes that have no factor may occur at values that
    somebody else fixes.
    """

    districts: Districts
    factors: dict[int, Factor]
    kept: int

    def marginal(self, keep: int) -> "Law":
        return self._replace(kept=self.kept & keep)

    def factor(self, bit: int) -> Factor:
        """The node's distribution given the earlier ones that are kept."""
        if not any(node < bit and not node & self.kept for node in self.factors):
            return self.factors[bit]
        so_far = [factor for node, factor in self.factors.items() if node <= bit]
        hidden = sum(node for node in self.factors if node < bit and not node & self.kept)
        above = summed(self.districts, hidden, so_far)
        below = summed(self.districts, hidden | bit, so_far)
        return ratio(self.districts, above, below, owns=bit)

    def restricted(self, keep: int) -> "Law":
        """The product of some nodes' factors: the law under an intervention on the others."""
        return Law(self.districts, {bit: self.factor(bit) for bit in bits_of(keep)}, keep)


def observed(districts: Districts, nodes: int) -> Law:
    """The observed distribution of an ancestral set of nodes."""
    atoms = {bit: atom(bit, districts.pillow(bit, nodes)) for bit in bits_of(nodes)}
    return Law(districts, atoms, nodes)


# ---------------------------------------------------------------- as an expression


def expression(districts: Districts, factor: Factor) -> Expression:
    """The factor with names: what a sum binds is a copy (X') where the node is also free, or bound further out."""
    return _written(districts, factor, {}, factor.free)


def _written(districts: Districts, factor: Factor, copies: dict[int, int], seen: int) -> Expression:
    def named(mask: int) -> tuple[Variable, ...]:
        return tuple(sorted(Variable(districts.name(bit), copies.get(bit, 0)) for bit in bits_of(mask)))

    if factor.of:
        return probability(named(factor.of), (), named(factor.given))
    copies = copies | {bit: copies.get(bit, 0) + 1 if bit & seen else 0 for bit in bits_of(factor.over)}
    seen |= factor.over
    above, below = (
        [_written(districts, each, copies, seen) for each in merged(districts, _flat(factors))]
        for factors in (factor.above, factor.below)
    )
    body = Quotient(_product(above), _product(below)) if below else _product(above)
    return Sum(named(factor.over), body) if factor.over else body


def _flat(factors: Iterable[Factor]) -> list[Factor]:
    """The factors, with those that are only products of others taken apart."""
    found: list[Factor] = []
    for factor in factors:
        found += [factor] if factor.of or factor.over or factor.below else _flat(factor.above)
    return found


def _product(factors: Sequence[Expression]) -> Expression:
    return factors[0] if len(factors) == 1 else Product(tuple(factors)) if factors else ONE
