"""Are two terms the same but for names of bound variables, the order of factors and the three rules?

Rule 1: factors are paired when they are of the same free variables and of bound variables of the same nodes; the pairs
say which bound variable is which.
Rule 2: a pair of probabilities is joined by a way through the rules; anything else must be equal, part by part.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from calverify.docalculus._align import Aligner
from calverify.docalculus._moves import variables_of
from calverify.docalculus._operations import Inside, Operation, Rearrange, Rewrite
from calverify.docalculus._rules import Leaf, Rules
from calverify.docalculus._separate import each_bit
from calverify.docalculus._terms import Atom, Block, Odd, Term

__all__ = ["matched", "signature"]

Names = Mapping[int, int]  # bit of a bound variable -> the bit that takes its place


def signature(term: Term, rules: Rules, bound: int = 0) -> tuple[Any, ...]:
    """What two terms that match have in common."""
    bound |= term.over
    over = sorted(map(rules.nodes, each_bit(term.over)))
    rows = (sorted(_shape(atom, rules, bound) for atom in atoms) for atoms in (term.above, term.below))
    return (term.number, tuple(over), *map(tuple, rows))


def _shape(atom: Atom, rules: Rules, bound: int) -> tuple[Any, ...]:
    if isinstance(atom, Leaf):
        return 0, atom.of & ~bound, tuple(sorted(map(rules.nodes, each_bit(atom.of & bound))))
    if isinstance(atom, Odd):
        return 1, tuple(len(some) for some in atom.lists), rules.nodes(variables_of(atom))
    return 2, len(atom.terms), tuple(signature(term, rules, bound) for term in atom.terms)


def matched(one: Term, other: Term, aligner: Aligner) -> list[Operation] | None:
    """Operations that turn one term into the other, or None."""
    if signature(one, aligner.rules) != signature(other, aligner.rules):
        return None
    scope = one.over, other.over
    for above, some in _pairings(one.above, other.above, {}, scope, aligner):
        for below, more in _pairings(one.below, other.below, some, scope, aligner):
            names = _completed(more, scope, aligner.rules)
            new = Term(one.number, other.over, _renamed_all(above, names), _renamed_all(below, names))
            found = _rewritten(new, other, aligner)
            if found is not None:
                return [Rearrange(new), *found] if new != one else found
    return None


def _pairings(
    left: tuple[Atom, ...], wanted: tuple[Atom, ...], names: Names, scope: tuple[int, int], aligner: Aligner
) -> Iterator[tuple[tuple[Atom, ...], Names]]:
    """The factors in the order of those wanted, with what that says about names."""
    if not wanted:
        yield (), names
        return
    for at, atom in enumerate(left):
        if atom in left[:at]:
            continue  # its equal was tried
        aligner.rules.budget.spend(1 + len(left) // 4)
        more = _fits(atom, wanted[0], names, scope, aligner.rules)
        if more is not None:
            for rest, full in _pairings((*left[:at], *left[at + 1 :]), wanted[1:], more, scope, aligner):
                yield (atom, *rest), full


def _fits(atom: Atom, wanted: Atom, names: Names, scope: tuple[int, int], rules: Rules) -> Names | None:
    """The names, and those that one pair of factors adds; None when they cannot be a pair."""
    if isinstance(atom, Leaf) and isinstance(wanted, Leaf):
        here, there = atom.of & scope[0], wanted.of & scope[1]
        if atom.of & ~here != wanted.of & ~there or rules.nodes(here) != rules.nodes(there):
            return None
        return _with(names, zip(_by_node(here, rules), _by_node(there, rules), strict=True))
    if isinstance(atom, Odd) and isinstance(wanted, Odd):
        rows = [list(zip(left, right, strict=False)) for left, right in zip(atom.lists, wanted.lists, strict=True)]
        pairs = [pair for row in rows for pair in row]
        free = all(one == other for one, other in pairs if not (one & scope[0] and other & scope[1]))
        return _with(names, (pair for pair in pairs if pair[0] & scope[0])) if free else None
    return names if isinstance(atom, Block) and isinstance(wanted, Block) else None


def _by_node(mask: int, rules: Rules) -> list[int]:
    return sorted(each_bit(mask), key=rules.nodes)


def _with(names: Names, pairs: Iterable[tuple[int, int]]) -> Names | None:
    """More names, unless one variable would have two, or two would have one."""
    found = dict(names)
    for one, other in pairs:
        if found.setdefault(one, other) != other:
            return None
    return found if len(set(found.values())) == len(found) else None


def _completed(names: Names, scope: tuple[int, int], rules: Rules) -> Names:
    """Names for every bound variable; where nothing pairs them, those of one node go in order."""
    found = dict(names)
    left = (bit for bit in _by_node(scope[0], rules) if bit not in names)
    right = (bit for bit in _by_node(scope[1], rules) if bit not in names.values())
    return found | dict(zip(left, right, strict=True))


def _renamed_all(atoms: tuple[Atom, ...], names: Names) -> tuple[Atom, ...]:
    return tuple(_renamed(atom, names) for atom in atoms)


def _renamed(atom: Atom, names: Names) -> Atom:
    """The factor under other names; what its own sums bind keeps its names."""
    if isinstance(atom, Leaf):
        return Leaf(*(sum(names.get(bit, bit) for bit in each_bit(mask)) for mask in atom))
    if isinstance(atom, Odd):
        return Odd(tuple(tuple(names.get(bit, bit) for bit in some) for some in atom.lists))
    return Block(
        tuple(
            term._replace(above=_renamed_all(term.above, names), below=_renamed_all(term.below, names))
            for term in atom.terms
        )
    )


def _rewritten(one: Term, other: Term, aligner: Aligner) -> list[Operation] | None:
    """Operations on the factors, each of which stands where its like stands in the other term."""
    found: list[Operation] = []
    for under, pairs in (
        (False, zip(one.above, other.above, strict=True)),
        (True, zip(one.below, other.below, strict=True)),
    ):
        for at, (left, right) in enumerate(pairs):
            if isinstance(left, Leaf) and isinstance(right, Leaf):
                way = aligner.way(left, right)
                if way is None:
                    return None
                found += [Rewrite(under, at, leaf) for leaf in way[1:]]
            elif isinstance(left, Block) and isinstance(right, Block):
                inside = _inside(left, right, aligner)
                if inside is None:
                    return None
                found += [Inside(under, at, number, operation) for number, operation in inside]
            elif left != right:
                return None
    return found


def _inside(one: Block, other: Block, aligner: Aligner) -> list[tuple[int, Operation]] | None:
    found: list[tuple[int, Operation]] = []
    if len(one.terms) != len(other.terms):
        return None
    for number, (left, right) in enumerate(zip(one.terms, other.terms, strict=True)):
        operations = matched(left, right, aligner)
        if operations is None:
            return None
        found += [(number, operation) for operation in operations]
    return found
