"""Is a candidate the target in every model of the graph?  Tried on random models, in exact arithmetic modulo a prime.

Rule 1: both are functions of their free variables, compared at every assignment to all of these.  A candidate that
mentions more than the target (the napkin's) must be right at each value of what it mentions.
Rule 2: where the target has a value in almost every model, so must the candidate: else an `ExpressionError` says where
it has none.  Where the target has none, nothing is compared.
Rule 3: a difference is one at a random point of two rational functions, so it is real; agreement is not proof, but two
different functions agree at a random point with a small chance, which `Agreement` bounds (Schwartz and Zippel).
Rule 4: whoever knows the random models, or the primes, could write numbers that fit them; they depend on what is asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from math import prod
from typing import Any

from calverify.docalculus._chance import chance_of_missing
from calverify.docalculus._evaluate import MAX_STEPS, Evaluation, values_named
from calverify.docalculus._expression import (
    Expression,
    Variable,
    free_variables,
    names_of,
    probability,
    rename,
)
from calverify.docalculus._models import MOST_STATES, Model, Shape, fractions, prime_of, residues, shape_of, words
from calverify.docalculus._tables import Steps, Table
from calverify.docalculus._write import to_text
from calverify.errors import BudgetError, ExpressionError
from calverify.graphs import Graph
from calverify.names import listing

__all__ = ["Agreement", "CounterModel", "refute"]

MORE_DRAWS = 3  # for models on which a divisor happens to be zero
LEAST_BITS = 40  # an agreement that is no surer than 2^-40 says nothing
MOST_BITS = 1 << 13  # of a value that is shown
MOST_THREES = 1 << 9  # entries over the nodes that get a third value
SEARCH: tuple[tuple[int, Sequence[int]], ...] = (  # most values of a latent, weights in a distribution
    (2, (1, 4)),
    (2, range(1, 6)),
    (3, range(1, 10)),
    (MOST_STATES, range(1, 1 << 20)),
    (MOST_STATES, range(1, 1 << 50)),
)
TRIES = 3  # a line of SEARCH
NO_VALUE = "it divides by zero, or conditions on what cannot happen"


@dataclass(frozen=True)
class Agreement:
    """No random model tells the candidate from the target.

    A candidate that differs in some model of these sizes passes with at most this `chance`, over the random models.
    Nodes have two values, or as many as the expressions state; the nodes of `three` also agreed with three.
    `enough`: latents have as many values as can matter.  Where bidirected edges form a cycle or tables are large, their
    values are cut at MOST_STATES, and a difference that only larger latents make would be missed.
    """

    models: int
    chance: Fraction
    enough: bool
    three: tuple[str, ...]

    @property
    def bits(self) -> int:
        """The largest k with chance <= 2^-k."""
        return (self.chance.denominator // self.chance.numerator).bit_length() - 1

    def to_json(self) -> dict[str, Any]:
        return {
            "models": self.models,
            "bits": self.bits,
            "enough_latents": self.enough,
            "three_values": list(self.three),
        }

    def __str__(self) -> str:
        latents = "as many values as can matter" if self.enough else f"at most {MOST_STATES} values"
        return (
            f"equal on {self.models} random models; a formula that differs on models of this size (nodes of two values "
            f"where no more are named, latents of {latents}) passes with a chance of at most 2^-{self.bits}"
        )


@dataclass(frozen=True)
class CounterModel:
    """A model of the graph, positive everywhere, in which the candidate is not the target, and both their values."""

    model: Model
    at: Mapping[str, int]  # the free variables' values
    candidate: Expression
    target: Expression
    candidate_value: Fraction
    target_value: Fraction

    def to_json(self) -> dict[str, Any]:
        return {
            "candidate": to_text(self.candidate),
            "target": to_text(self.target),
            "at": dict(self.at),
            "candidate_value": str(self.candidate_value),
            "target_value": str(self.target_value),
            "model": self.model.to_json(),
        }

    def __str__(self) -> str:
        """The two values, then the model's tables."""
        where = listing([f"{name}={value}" for name, value in self.at.items()])
        one, other = map(_shown, (self.candidate_value, self.target_value))
        values = f"{to_text(self.candidate)} is {one}, and {to_text(self.target)} is {other}"
        return f"{f'At {where}, ' if where else ''}{values}, in this model:\n{self.model}"


def refute(
    graph: Graph,
    candidate: Expression,
    target: Expression,
    *,
    models: int = 2,
    seed: int = 0,
    steps: int = MAX_STEPS,
) -> Agreement | CounterModel:
    """What so many random models say; raises `ExpressionError` for a candidate or a target that has no value.

    Over `steps` (about one an entry of a table) the question stays undetermined, a `BudgetError`.
    """
    named = values_named((candidate, target))
    about = sorted(names_of(candidate) | names_of(target))
    unknown = [name for name in about if name not in graph.node_set]
    if unknown:
        raise ExpressionError(f"{listing(unknown)} {'is' if len(unknown) == 1 else 'are'} not in the graph")
    start = _fingerprint(graph, candidate, target, seed)
    free = tuple(sorted(free_variables(candidate) | free_variables(target)))
    pair = _Pair(candidate, target, free, start, Steps(steps))
    shape = shape_of(graph, named, about)
    chance = chance_of_missing(candidate, target, pair.free, shape) ** models
    if chance.numerator << LEAST_BITS > chance.denominator:
        raise BudgetError("the expressions are of too high a degree for random models to tell them apart")
    if pair.differ(shape, models):
        return _counter_model(pair, graph, shape, about)
    three = _with_three(shape, named, about)
    if three:
        try:
            wide = shape_of(graph, {**named, **dict.fromkeys(three, 3)}, about, most=2)
        except BudgetError:  # tables that are as large as they may be with two values
            return Agreement(models, chance, shape.enough, ())
        if pair.differ(wide, 1):
            return _counter_model(pair, graph, wide, about)
    return Agreement(models, chance, shape.enough, three)


def _fingerprint(graph: Graph, candidate: Expression, target: Expression, seed: int) -> int:
    asked = repr((graph.nodes, graph.directed, graph.bidirected, candidate, target, seed))
    return int.from_bytes(blake2b(asked.encode(), digest_size=8).digest())


def _with_three(shape: Shape, named: Mapping[str, int], about: Sequence[str]) -> tuple[str, ...]:
    """Nodes that get three values in one model, for what is true of two values only, such as sum_{Z} 1 = 2."""
    cells = prod(shape.sizes[name] for name in about)
    found = []
    for name in about:
        if name not in named and cells * 3 <= MOST_THREES * 2:
            cells = cells * 3 // 2
            found.append(name)
    return tuple(found)


@dataclass(frozen=True)
class _Pair:
    """What is compared, with the steps that are left for it."""

    candidate: Expression
    target: Expression
    free: tuple[Variable, ...]
    start: int
    steps: Steps

    def differ(self, shape: Shape, models: int) -> bool:
        """Does a random model of this shape tell the two apart?"""
        evaluation = Evaluation(shape, (self.candidate, self.target), self.steps)
        seen: list[frozenset[tuple[str, int]]] = []
        for seed in words(self.start, models + MORE_DRAWS):
            one, other = self.sheets(evaluation, residues(shape, seed, prime_of(seed)))
            if _last_difference(one, other) is not None:
                return True
            seen.append(frozenset({*_holes("candidate", one), *_holes("target", other)}))
            always = frozenset.intersection(*seen)
            if seen.count(always) >= models:
                self._require_values(always, shape)
                return False
        raise BudgetError(f"divisors happen to be zero on too many of {len(seen)} random models")

    def sheets(self, evaluation: Evaluation, model: Model) -> list[Table]:
        """Both over all free variables."""
        self.steps.spend(4 * sum(map(len, model.tables.values())))  # for drawing it
        axes = tuple(map(evaluation.axis, self.free))
        return [evaluation.arithmetic.product([table], axes) for table in evaluation.tables(model)]

    def at(self, place: int, shape: Shape) -> dict[Variable, int]:
        """The assignment that an entry is for."""
        values = []
        for variable in reversed(self.free):
            place, value = divmod(place, shape.sizes[variable.name])
            values.append(value)
        return dict(zip(self.free, reversed(values), strict=True))

    def _require_values(self, holes: frozenset[tuple[str, int]], shape: Shape) -> None:
        """A target with a value somewhere, and a candidate with a value wherever the target has one."""
        rows = prod(shape.sizes[variable.name] for variable in self.free)
        places = [place for place in range(rows) if ("target", place) not in holes]
        if not places:
            raise ExpressionError(f"{to_text(self.target)} has no value: {NO_VALUE}")
        for place in places:
            if ("candidate", place) in holes:
                where = _listed(self.at(place, shape))
                raise ExpressionError(f"the expression has no value{f' at {where}' if where else ''}: {NO_VALUE}")


def _holes(which: str, table: Table) -> list[tuple[str, int]]:
    return [(which, place) for place, hole in enumerate(table.holes or ()) if hole]


def _last_difference(one: Table, other: Table) -> int | None:
    """The last entry at which both have values, and not the same; the last, for readers like 1 better than 0."""
    if one.values == other.values:
        return None
    for place in reversed(range(len(one.values))):
        if one.values[place] != other.values[place] and not any(t.holes and t.holes[place] for t in (one, other)):
            return place
    return None


def _named(variable: Variable) -> str:
    return to_text(probability([variable]))[2:-1]  # out of "P(X')"


def _shown(value: Fraction) -> str:
    return f"{value} (about {float(value):.4g})" if value.denominator > 100 and abs(value) < 10**9 else str(value)


def _listed(at: Mapping[Variable, int]) -> str:
    return listing([f"{_named(variable)}={value}" for variable, value in at.items()])


def _counter_model(pair: _Pair, graph: Graph, refuting: Shape, about: Sequence[str]) -> CounterModel:
    """A model in small fractions, of the first line of SEARCH that has some; the one that tells the two best apart.

    Models are compared in residues, which is quick, and in fractions only where the residues differ.
    """
    values = {name: refuting.sizes[name] for name in refuting.parents}
    for line, (states, weights) in enumerate(SEARCH, start=1):
        shape = shape_of(graph, values, about, most=states)
        evaluation = Evaluation(shape, (pair.candidate, pair.target), pair.steps)
        found = []
        for seed in words(pair.start + line, TRIES):
            model = fractions(shape, seed, weights)
            place = _last_difference(*pair.sheets(evaluation, model.modulo(prime_of(seed))))
            if place is not None:
                found.append(_worked_out(pair, model, pair.at(place, shape)))
        if found:
            return max(found, key=lambda one: abs(one.candidate_value - one.target_value))
    raise BudgetError("random residues tell the expressions apart, and no model in fractions was found that does")


def _worked_out(pair: _Pair, model: Model, at: Mapping[Variable, int]) -> CounterModel:
    constants = {variable: variable._replace(value=value) for variable, value in at.items()}
    both = [rename(expression, constants) for expression in (pair.candidate, pair.target)]
    tables = Evaluation(model.shape, both, pair.steps).tables(model)
    one, other = (Fraction(table.values[0]) for table in tables)
    if any(part.bit_length() > MOST_BITS for value in (one, other) for part in value.as_integer_ratio()):
        raise BudgetError(
            f"the expressions differ, and their values are fractions of numbers of over {MOST_BITS:,} bits"
        )
    named = {_named(variable): value for variable, value in at.items()}
    return CounterModel(model, named, pair.candidate, pair.target, one, other)
