"""Where a term may go next: each move is a few operations that make it smaller, or split a factor.

Rule 1: what loses nothing is done at once, as the only move: a sum over what one factor is of, a factor of the
denominator that divides one above it, a denominator that has lost its sum.
Rule 2: else all joins of two factors are moves, those that end a sum first; then sums that end when a variable is
dropped elsewhere; then what happens inside the denominator's sums; then splits.
"""

from collections.abc import Iterator
from typing import NamedTuple

from calverify.docalculus._align import Aligner, Want, Way
from calverify.docalculus._operations import Divide, Inside, Join, Operation, Rearrange, Reduce, Rewrite, Split
from calverify.docalculus._rules import Leaf
from calverify.docalculus._separate import each_bit
from calverify.docalculus._terms import Atom, Block, Odd, Term

__all__ = ["Move", "moves", "variables_of"]

MOST_SPLITS = 2


class Move(NamedTuple):
    operations: tuple[Operation, ...]
    after: Term
    splits: int = 0


def moves(term: Term, aligner: Aligner, splits: int = 0) -> Iterator[Move]:
    """Every next step that the search considers, the best first."""
    sure = next(_sure(term, aligner), None)
    if sure is not None:
        yield sure
        return
    yield from _joins(term, aligner)
    yield from _drops(term, aligner)
    yield from _inside(term, aligner)
    if splits < MOST_SPLITS:
        yield from _splits(term)


def variables_of(atom: Atom) -> int:
    """Every variable that a factor mentions, bound inside it or not."""
    if isinstance(atom, Leaf):
        return atom.of | atom.do | atom.given
    found = 0
    if isinstance(atom, Odd):
        for bit in (bit for some in atom.lists for bit in some):
            found |= bit
        return found
    for term in atom.terms:
        found |= term.over | _mentioned(term.above + term.below)
    return found


def _mentioned(atoms: tuple[Atom, ...]) -> int:
    found = 0
    for atom in atoms:
        found |= variables_of(atom)
    return found


def _made(term: Term, operations: list[Operation], splits: int = 0) -> Move:
    after = term
    for operation in operations:
        after = operation.after(after)
    return Move(tuple(operations), after, splits)


def _rewrites(way: Way, under: bool, at: int) -> list[Operation]:
    return [Rewrite(under, at, leaf) for leaf in way[1:]]


# ---------------------------------------------------------------- what loses nothing


def _sure(term: Term, aligner: Aligner) -> Iterator[Move]:
    for at, atom in enumerate(term.below):
        if isinstance(atom, Block) and len(atom.terms) == 1 and not atom.terms[0].over:
            opened = _opened(term, at, atom.terms[0])
            if opened is not None:
                yield Move((Rearrange(opened),), opened)
    for at, atom in enumerate(term.above):
        alone = _alone(term, at) if isinstance(atom, Leaf) else 0
        if alone:
            yield _made(term, [Reduce(at, alone)])
    for by, below in enumerate(term.below):
        for at, above in enumerate(term.above):
            if isinstance(above, Leaf) and isinstance(below, Leaf) and not below.of & ~above.of:
                want = Want(absent=above.of & ~below.of, ignored=below.of)
                ways = aligner.aligned(above, below, want)
                if ways is not None:
                    steps = _rewrites(ways[0], False, at) + _rewrites(ways[1], True, by)
                    yield _made(term, [*steps, Divide(at, by)])


def _opened(term: Term, at: int, inner: Term) -> Term | None:
    """The term with a factor of the denominator multiplied out."""
    if not inner.number:
        return None
    below = (*term.below[:at], *inner.above, *term.below[at + 1 :])
    return Term(term.number / inner.number, term.over, term.above + inner.below, below)


def _alone(term: Term, at: int) -> int:
    """The summed variables that one factor is of and that occur nowhere else."""
    atom = term.above[at]
    some = atom.of & term.over if isinstance(atom, Leaf) else 0
    return some and some & ~_mentioned(term.above[:at] + term.above[at + 1 :] + term.below)


# ---------------------------------------------------------------- what may


def _joins(term: Term, aligner: Aligner) -> Iterator[Move]:
    pairs = [(one, other) for one in range(len(term.above)) for other in range(len(term.above)) if one != other]
    aligner.rules.budget.spend(len(pairs))
    for one, other in sorted(pairs, key=lambda pair: _join_order(term, *pair)):
        first, second = term.above[one], term.above[other]
        if isinstance(first, Leaf) and isinstance(second, Leaf) and not first.of & second.of:
            ways = aligner.aligned(first, second, Want(given=second.of, absent=first.of))
            if ways is not None:
                rest = tuple(atom for at, atom in enumerate(term.above) if at not in (one, other))
                left = second.of & term.over & ~_mentioned(rest + term.below)
                steps = _rewrites(ways[0], False, one) + _rewrites(ways[1], False, other)
                yield _made(term, [*steps, Join(one, other, left if left == second.of else 0)])


def _join_order(term: Term, one: int, other: int) -> tuple[int, int, int]:
    """First the pairs where the second is of what the first is given, and least of what others mention."""
    first, second = term.above[one], term.above[other]
    if not isinstance(first, Leaf) or not isinstance(second, Leaf):
        return 9, one, other
    rest = tuple(atom for at, atom in enumerate(term.above) if at not in (one, other))
    linked = bool(second.of & (first.do | first.given))
    return (0 if linked and not second.of & _mentioned(rest + term.below) else 1 if linked else 2), one, other


def _drops(term: Term, aligner: Aligner) -> Iterator[Move]:
    """sum_{z} f P(z | c) = f, when every other factor can do without z."""
    for bit in each_bit(term.over):
        owners = [at for at, atom in enumerate(term.above) if isinstance(atom, Leaf) and atom.of & bit]
        steps = _without(term, bit, owners[0], aligner) if len(owners) == 1 else None
        if steps:
            yield _made(term, [*steps, Reduce(owners[0], bit)])


def _without(term: Term, bit: int, owner: int, aligner: Aligner) -> list[Operation] | None:
    steps: list[Operation] = []
    for under, atoms in ((False, term.above), (True, term.below)):
        for at, atom in enumerate(atoms):
            if (under or at != owner) and variables_of(atom) & bit:
                if not isinstance(atom, Leaf) or atom.of & bit:
                    return None
                way = aligner.way(atom, Leaf(atom.of, atom.do & ~bit, atom.given & ~bit))
                if way is None:
                    return None
                steps += _rewrites(way, under, at)
    return steps


def _inside(term: Term, aligner: Aligner) -> Iterator[Move]:
    for under, atoms in ((False, term.above), (True, term.below)):
        for at, atom in enumerate(atoms):
            if isinstance(atom, Block):
                for number, inner in enumerate(atom.terms):
                    for move in moves(inner, aligner, MOST_SPLITS):
                        yield _made(term, [Inside(under, at, number, one) for one in move.operations])


def _splits(term: Term) -> Iterator[Move]:
    for under, atoms in ((False, term.above), (True, term.below)):
        for at, atom in enumerate(atoms):
            if isinstance(atom, Leaf):
                for part in _parts(atom, term):
                    yield _made(term, [Split(under, at, part)], 1)


def _parts(leaf: Leaf, term: Term) -> Iterator[int]:
    """Each outcome alone, all but each, and what factors of the denominator are given of it."""
    if leaf.of & (leaf.of - 1):
        found = dict.fromkeys(each_bit(leaf.of))
        found |= dict.fromkeys(leaf.of & ~bit for bit in each_bit(leaf.of))
        found |= dict.fromkeys(leaf.of & below.given for below in term.below if isinstance(below, Leaf))
        yield from (part for part in found if part and part != leaf.of)
