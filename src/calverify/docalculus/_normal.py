"""The normal form behind `canonical`: expressions that differ in spelling only have one normal form.

A `Term` is a fraction of whole numbers times a product of atoms over a product of atoms.  An atom is a probability, a
sum over variables, or several terms added up.

Rule 1: what stands above and below is cancelled, like terms are added up, and whole numbers are worked out.
Rule 2: numbers and factors that do not mention what a sum binds stand before it; sums that are factors of its body
        join it; a sum whose factors fall into groups without a bound variable in common is a product of sums.
Rule 3: a bound variable has no name of its own: it is the node, how many sums stand between, and its place in the sum.
Rule 4: the copies of one node that a sum binds are placed by what they stand in; ties are broken by trying every order.
        Beyond MOST_ORDERS orders, MOST_COPIES copies or MOST_PLACES places, and where sums in divisors bind copies of
        one node too, they may stay as they were written, and two spellings may differ.
Rule 5: what divides by a number that is zero has no value anywhere: all such expressions are one, UNDEFINED.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain, count, permutations, product
from math import factorial, gcd, lcm, prod
from typing import Final, NamedTuple

from calverify.docalculus._expression import Expression, Number, Plus, Probability, Product, Quotient, Sum, Variable
from calverify.errors import ExpressionError

__all__ = ["Addition", "Atom", "Event", "Slot", "Summation", "Term", "is_bound", "normal"]

MOST_ORDERS: Final = 24
MOST_COPIES: Final = 12  # of all nodes that a sum binds more than one copy of
MOST_PLACES: Final = 2_000  # variables in the body of such a sum
MOST_BITS: Final = 1000  # of a whole number that is worked out

FREE, BOUND, FRESH = 0, 1, 2


class Slot(NamedTuple):
    """A variable: FREE with its copy and value (-1: none), BOUND with sums between and its place, or FRESH: open."""

    name: str
    kind: int
    first: int
    second: int


class Event(NamedTuple):
    """A probability; those with the longest condition sort first."""

    rank: int
    shorter: int
    of: tuple[Slot, ...]
    do: tuple[Slot, ...]
    given: tuple[Slot, ...]


class Summation(NamedTuple):
    rank: int
    over: tuple[str, ...]  # nodes, sorted
    body: "Term"


class Addition(NamedTuple):
    """Two terms or more, without a common whole number, the first one positive."""

    rank: int
    terms: "tuple[Term, ...]"


Atom = Event | Summation | Addition


class Term(NamedTuple):
    top: int
    bottom: int  # positive; 0 in UNDEFINED
    above: tuple[Atom, ...] = ()
    below: tuple[Atom, ...] = ()


ZERO, ONE, UNDEFINED = Term(0, 1), Term(1, 1), Term(1, 0)

Change = Callable[[Slot, int], Slot]  # what becomes of a variable below so many sums
Scope = Mapping[Variable, Slot]


def normal(expression: Expression) -> Term:
    """The normal form of an expression."""
    return _Maker().term(expression, {})


def is_bound(slot: Slot) -> bool:
    return slot.kind == BOUND


# ---------------------------------------------------------------- arithmetic


def _bounded(number: int) -> int:
    if number.bit_length() > MOST_BITS:
        raise ExpressionError(f"a whole number in the expression has over {MOST_BITS:,} bits when it is worked out")
    return number


def _times(terms: Iterable[Term]) -> Term:
    top, bottom = 1, 1
    above: list[Atom] = []
    below: list[Atom] = []
    for term in terms:
        top, bottom = _bounded(top * term.top), _bounded(bottom * term.bottom)
        above += term.above
        below += term.below
    if not bottom:
        return UNDEFINED
    if not top:
        return ZERO
    if above and below:
        more, less = Counter(above), Counter(below)
        above, below = list((more - less).elements()), list((less - more).elements())
    common = gcd(top, bottom)
    return Term(top // common, bottom // common, tuple(sorted(above)), tuple(sorted(below)))


def _inverse(term: Term) -> Term:
    if not term.top or not term.bottom:
        return UNDEFINED
    sign = -1 if term.top < 0 else 1
    return Term(sign * term.bottom, sign * term.top, term.below, term.above)


def _added(terms: Iterable[Term]) -> Term:
    """The terms added up: terms with the same atoms become one."""
    found: dict[tuple[tuple[Atom, ...], tuple[Atom, ...]], Fraction] = {}
    for term in terms:
        if not term.bottom:
            return UNDEFINED
        alone = term.above[0] if len(term.above) == 1 and not term.below else None
        inner = alone.terms if isinstance(alone, Addition) else (ONE._replace(above=term.above, below=term.below),)
        for each in inner:
            key, times = (each.above, each.below), Fraction(term.top * each.top, term.bottom * each.bottom)
            found[key] = found.get(key, Fraction(0)) + times
            _bounded(max(abs(found[key].numerator), found[key].denominator))
    kept = sorted((key, times) for key, times in found.items() if times)
    if not kept:
        return ZERO
    if len(kept) == 1:
        (above, below), times = kept[0]
        return _times([Term(times.numerator, times.denominator, above, below)])
    bottom = reduce(lambda so_far, one: _bounded(lcm(so_far, one[1].denominator)), kept, 1)
    top = gcd(*(times.numerator * (bottom // times.denominator) for _, times in kept))
    share = Fraction(top if kept[0][1] > 0 else -top, bottom)
    scaled = [(key, times / share) for key, times in kept]
    inside = tuple(Term(int(times), 1, above, below) for (above, below), times in scaled)
    return _times([Term(share.numerator, share.denominator, (Addition(2, inside),))])


# ---------------------------------------------------------------- variables


def _changed(term: Term, change: Change, level: int = 0) -> Term:
    """The term with its variables changed, in order again."""
    pieces = [Term(term.top, term.bottom)]
    pieces += [_changed_atom(atom, change, level) for atom in term.above]
    pieces += [_inverse(_changed_atom(atom, change, level)) for atom in term.below]
    return _times(pieces)


def _changed_atom(atom: Atom, change: Change, level: int) -> Term:
    match atom:
        case Event():
            of, do, given = (tuple(sorted(change(slot, level) for slot in some)) for some in atom[2:])
            return Term(1, 1, (Event(0, atom.shorter, of, do, given),))
        case Summation(_, over, body):
            inside = _changed(body, change, level + 1)
            whole = Summation(1, over, Term(1, 1, inside.above, inside.below))
            return Term(inside.top, inside.bottom, (whole,))
        case Addition(_, terms):
            return _added(_changed(each, change, level) for each in terms)


def _slots(atom: Atom) -> Iterator[Slot]:
    """Every variable in the atom; bound ones as they stand where they stand."""
    match atom:
        case Event(_, _, of, do, given):
            yield from of
            yield from do
            yield from given
        case Summation(_, _, body):
            yield from _slots_of(body)
        case Addition(_, terms):
            for term in terms:
                yield from _slots_of(term)


def _slots_of(term: Term) -> Iterator[Slot]:
    for atom in (*term.above, *term.below):
        yield from _slots(atom)


# ---------------------------------------------------------------- sums


class _Maker:
    """Makes normal forms, and tells the bound variables of all sums apart while it does."""

    def __init__(self) -> None:
        self.numbers = count()

    def fresh(self, name: str) -> Slot:
        return Slot(name, FRESH, next(self.numbers), 0)

    def term(self, expression: Expression, scope: Scope) -> Term:
        match expression:
            case Number(value):
                return _times([Term(value, 1)])
            case Probability(of, do, given):
                lists = (tuple(sorted(_slot(each, scope) for each in some)) for some in (of, do, given))
                return Term(1, 1, (Event(0, -len(do) - len(given), *lists),))
            case Product(factors):
                return _times([self.term(factor, scope) for factor in factors])
            case Quotient(above, below):
                return _times([self.term(above, scope), _inverse(self.term(below, scope))])
            case Plus(terms):
                return _added([_times([Term(sign, 1), self.term(each, scope)]) for sign, each in terms])
            case Sum(over, body):
                slots = [self.fresh(variable.name) for variable in over]
                return self.summed(slots, self.term(body, {**scope, **dict(zip(over, slots, strict=True))}))
        raise TypeError(f"{expression!r} is no expression")

    def summed(self, over: Sequence[Slot], term: Term) -> Term:
        """The term summed over the variables: a product of sums, and of what does not mention them."""
        if not term.top or not term.bottom:
            return term
        bound = set(over)
        above: list[Atom] = []
        below: list[Atom] = list(term.below)
        for atom in term.above:
            if isinstance(atom, Summation) and not bound.isdisjoint(_slots(atom)):
                opened, body = self.opened(atom)
                over = [*over, *opened]
                above += body.above
                below += body.below
            else:
                above.append(atom)
        pieces = [Term(term.top, term.bottom)]
        for group, some_above, some_below in _groups(over, above, below):
            body = Term(1, 1, tuple(some_above), tuple(some_below))
            pieces.append(_closed(group, body) if group else body)
        return _times(pieces)

    def opened(self, atom: Summation) -> tuple[list[Slot], Term]:
        """The sum's variables and its body, which mentions them."""
        slots = [self.fresh(name) for name in atom.over]

        def change(slot: Slot, level: int) -> Slot:
            return slots[slot.second] if slot.kind == BOUND and slot.first == level else slot

        return slots, _changed(atom.body, change)


def _slot(variable: Variable, scope: Scope) -> Slot:
    if variable.value is not None:
        return Slot(variable.name, FREE, 0, variable.value)
    return scope.get(variable) or Slot(variable.name, FREE, variable.copy, -1)


Group = tuple[list[Slot], list[Atom], list[Atom]]  # bound variables, factors above, factors below


def _groups(over: Sequence[Slot], above: Sequence[Atom], below: Sequence[Atom]) -> list[Group]:
    """Bound variables that factors link, with these factors; the group without variables comes first."""
    leader = {slot: slot for slot in over}

    def lead(slot: Slot) -> Slot:
        while leader[slot] != slot:
            leader[slot] = leader[leader[slot]]
            slot = leader[slot]
        return slot

    mentions = [[[slot for slot in _slots(atom) if slot in leader] for atom in atoms] for atoms in (above, below)]
    for first, *others in filter(None, chain(*mentions)):
        for slot in others:
            leader[lead(slot)] = lead(first)
    groups: dict[Slot | None, Group] = {None: ([], [], [])}
    for slot in over:
        groups.setdefault(lead(slot), ([], [], []))[0].append(slot)
    for side, atoms in enumerate((above, below)):
        for atom, mentioned in zip(atoms, mentions[side], strict=True):
            group = groups[lead(mentioned[0]) if mentioned else None]
            (group[2] if side else group[1]).append(atom)
    return list(groups.values())


def _closed(over: Sequence[Slot], body: Term) -> Term:
    """The sum over variables that hang together, with the places of its variables settled."""

    def placed(order: Sequence[Slot]) -> Term:
        places = {slot: place for place, slot in enumerate(order)}

        def change(slot: Slot, level: int) -> Slot:
            return Slot(slot.name, BOUND, level, places[slot]) if slot in places else slot

        return _changed(body, change)

    best = min((placed(order) for order in _orders(over, body)), key=lambda term: (term.above, term.below, term.top))
    names = tuple(sorted(slot.name for slot in over))
    return Term(best.top, best.bottom, (Summation(1, names, Term(1, 1, best.above, best.below)),))


def _orders(over: Sequence[Slot], body: Term) -> Iterator[tuple[Slot, ...]]:
    """The orders to try: by node, then by what a copy stands in; tied copies in every order."""
    by_name: dict[str, list[Slot]] = {}
    for slot in sorted(over):
        by_name.setdefault(slot.name, []).append(slot)
    copies = sum(len(slots) for slots in by_name.values() if len(slots) > 1)
    too_long = bool(copies) and sum(1 for _ in _slots_of(body)) > MOST_PLACES
    ties: list[list[Slot]] = []
    for slots in by_name.values():
        settled = len(slots) == 1 or copies > MOST_COPIES or too_long
        ties += [[slot] for slot in slots] if settled else _told_apart(slots, set(over), body)
    if prod(factorial(len(tied)) for tied in ties) > MOST_ORDERS:
        ties = [[slot] for tied in ties for slot in tied]
    for order in product(*(permutations(tied) for tied in ties)):
        yield tuple(slot for tied in order for slot in tied)


def _told_apart(slots: Sequence[Slot], over: set[Slot], body: Term) -> list[list[Slot]]:
    """The copies in order of the factors they stand in, when all other bound variables look alike."""
    looks: dict[Slot, tuple[Term, Term]] = {}
    for own in slots:

        def change(slot: Slot, level: int, own: Slot = own) -> Slot:
            return Slot(slot.name, BOUND, level, 0 if slot == own else 1) if slot in over else slot

        def look(atoms: Iterable[Atom], own: Slot = own) -> list[Atom]:
            changed = (_changed_atom(each, change, 0) for each in atoms if own in set(_slots(each)))
            return sorted(atom for term in changed for atom in term.above)

        looks[own] = (Term(1, 1, tuple(look(body.above))), Term(1, 1, tuple(look(body.below))))
    found: dict[tuple[Term, Term], list[Slot]] = {}
    for own in sorted(slots, key=lambda own: looks[own]):
        found.setdefault(looks[own], []).append(own)
    return list(found.values())
