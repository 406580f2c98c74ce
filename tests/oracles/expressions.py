"""What an expression is worth, by the definition: sums over the whole joint distribution, in fractions.  Slow, obvious.

A `Model` is the observed joint distribution and, for every intervention, the joint distribution under it.  A value is
None where the expression is undefined: it divides by zero or conditions on what never happens.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

from calverify.docalculus._expression import (
    Expression,
    Number,
    Plus,
    Probability,
    Product,
    Quotient,
    Sum,
    Variable,
    free_variables,
)

BINARY = (0, 1)
Joint = Mapping[tuple[int, ...], Fraction]  # a value for each of the model's names, in their order -> probability


@dataclass(frozen=True)
class Model:
    """`under({"X": 0})` is the joint distribution when X is set to 0; `under({})` is the observed one."""

    names: tuple[str, ...]
    under: Callable[[Mapping[str, int]], Joint]
    domain: Mapping[str, Sequence[int]] | None = None  # binary where it says nothing

    def values(self, name: str) -> Sequence[int]:
        return (self.domain or {}).get(name, BINARY)


def evaluate(expression: Expression, at: Mapping[Variable, int], model: Model) -> Fraction | None:
    """The value where each free variable has its value in `at`, or None where there is none."""
    match expression:
        case Number(value):
            return Fraction(value)
        case Probability(of, do, given):
            return _chance(_events(of, at), _events(do, at), _events(given, at), model)
        case Sum(over, body):
            rows = product(*(model.values(variable.name) for variable in over))
            terms = [evaluate(body, {**at, **dict(zip(over, row, strict=True))}, model) for row in rows]
            return None if None in terms else sum(terms, Fraction(0))
        case Product(factors):
            numbers = [evaluate(factor, at, model) for factor in factors]
            return None if None in numbers else prod(numbers, start=Fraction(1))
        case Quotient(above, below):
            one, other = evaluate(above, at, model), evaluate(below, at, model)
            return None if one is None or not other else one / other
        case Plus(terms):
            numbers = [(sign, evaluate(term, at, model)) for sign, term in terms]
            if any(number is None for _, number in numbers):
                return None
            return sum((sign * number for sign, number in numbers), Fraction(0))
    raise TypeError(f"{expression!r} is no expression")


def table(expression: Expression, model: Model, over: Sequence[Variable] | None = None) -> dict:
    """The value at every assignment to the free variables, or to `over` where they are named."""
    free = sorted(free_variables(expression)) if over is None else over
    rows = product(*(model.values(variable.name) for variable in free))
    return {row: evaluate(expression, dict(zip(free, row, strict=True)), model) for row in rows}


def same_where_defined(one: Expression, other: Expression, model: Model) -> bool:
    """Do both have one value at every assignment where both have any?"""
    free = sorted(free_variables(one) | free_variables(other))
    left, right = table(one, model, free), table(other, model, free)
    return all(left[row] == right[row] for row in left if None not in (left[row], right[row]))


def _events(variables: Sequence[Variable], at: Mapping[Variable, int]) -> list[tuple[str, int]]:
    return [(one.name, at[one] if one.value is None else one.value) for one in variables]


def _chance(of, do, given, model: Model) -> Fraction | None:
    if len(dict(do)) < len(set(do)):
        return None  # one node set to two values
    joint = model.under(dict(do))
    condition = _mass(joint, given, model)
    return _mass(joint, [*of, *given], model) / condition if condition else None


def _mass(joint: Joint, events, model: Model) -> Fraction:
    at = {name: position for position, name in enumerate(model.names)}
    return sum((mass for row, mass in joint.items() if all(row[at[n]] == v for n, v in events)), Fraction(0))


# ---------------------------------------------------------------- models


def random_model(
    seed: int, names: Sequence[str], domain: Mapping[str, Sequence[int]] | None = None, zeros=0.0
) -> Model:
    """A joint distribution drawn for every intervention on its own: what holds in all such models is arithmetic alone.

    A share `zeros` of the rows has no probability.
    """
    known: dict[tuple, Joint] = {}

    def under(do: Mapping[str, int]) -> Joint:
        key = tuple(sorted(do.items()))
        if key not in known:
            known[key] = _random_joint(Random(f"{seed} {key}"), do)
        return known[key]

    def _random_joint(rng: Random, do: Mapping[str, int]) -> Joint:
        domains = [[do[name]] if name in do else model.values(name) for name in names]
        weights = {row: 0 if rng.random() < zeros else rng.randint(1, 9) for row in product(*domains)}
        total = sum(weights.values())
        if not total:
            weights[next(iter(weights))] = total = 1
        return {row: Fraction(weight, total) for row, weight in weights.items()}

    model = Model(tuple(names), under, domain)
    return model
