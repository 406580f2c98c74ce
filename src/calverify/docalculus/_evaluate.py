"""The values of expressions on a model, by the definition of an intervention: truncated factorisation.

Rule 1: P(of | do, given) is mass(of, given) / mass(given), where the masses multiply the tables of all nodes outside
`do` and of all latents, and sum what is not asked.  No separation is looked for: this judges the engines that do.
Rule 2: X and its copy X' in one probability are two events about one node, so P(X, X') is 0 where they differ; an
intervention that sets one node to two values, a condition without mass and a division by zero have no value.
Rule 3: an expression is a function of its free variables; a sum is over its variables' values, whatever is outside.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm, prod

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
    names_of,
    parts,
)
from calverify.docalculus._models import Axis, Model, Scalar, Shape
from calverify.docalculus._tables import Arithmetic, Steps, Table
from calverify.errors import BudgetError, ExpressionError
from calverify.names import listing

__all__ = ["MAX_STEPS", "Evaluation", "evaluate", "probabilities_of", "values_named"]

MAX_STEPS = 2_000_000
MOST_JOINT = 1 << 12  # entries of a joint distribution that is worked out once for all its marginals
MOST_LEVELS = 100  # of expressions within expressions: what walks them recurses
MOST_PARTS = 1 << 17  # of an expression, where what stands twice counts twice

Key = tuple[frozenset[str], frozenset[str]]  # set by intervention, asked


def probabilities_of(expressions: Iterable[Expression]) -> list[Probability]:
    """Every probability inside, once; expressions nested too deep to be walked are refused."""
    found: dict[Probability, None] = {}
    level, count, depth = list(expressions), 0, 0
    while level:
        count, depth = count + len(level), depth + 1
        if count > MOST_PARTS or depth > MOST_LEVELS:
            raise BudgetError(f"an expression has over {MOST_PARTS:,} parts, or over {MOST_LEVELS} levels of them")
        found |= {one: None for one in level if isinstance(one, Probability)}
        level = [part for one in level for part in parts(one)]
    return list(found)


def values_named(expressions: Iterable[Expression]) -> dict[str, int]:
    """How many values a node must have for the values that are stated: X=2 takes three."""
    sizes: dict[str, int] = {}
    for asked in probabilities_of(expressions):
        for variable in asked.variables:
            if variable.value is not None:
                if variable.value < 0:
                    raise ExpressionError(f"{variable.name}={variable.value}: values are whole numbers from 0")
                sizes[variable.name] = max(sizes.get(variable.name, 0), variable.value + 1)
    return sizes


class Evaluation:
    """Some expressions, ready to be evaluated on models of one shape."""

    def __init__(self, shape: Shape, expressions: Sequence[Expression], steps: Steps) -> None:
        probabilities = probabilities_of(expressions)
        unknown = sorted({name for one in expressions for name in names_of(one)} - set(shape.parents))
        if unknown:
            raise ExpressionError(f"{listing(unknown)} {'is' if len(unknown) == 1 else 'are'} not in the graph")
        self.shape, self.expressions = shape, tuple(expressions)
        self._ids: dict[Axis | Variable, int] = {}
        self.arithmetic = Arithmetic([], steps)
        self.scopes = {axis: tuple(map(self._table_axis, shape.scope(axis))) for axis in shape.sizes}
        self._asked: dict[frozenset[str], set[str]] = {}
        for one in probabilities:
            names = self._asked.setdefault(frozenset(variable.name for variable in one.do), set())
            names.update(variable.name for variable in one.of + one.given)
        self._plans: dict[Key, tuple[list[Axis], list[int]]] = {}

    def tables(self, model: Model) -> list[Table]:
        """One an expression, over its free variables."""
        reading = _Reading(self, model)
        return [reading.table(expression) for expression in self.expressions]

    def axis(self, variable: Variable | Axis) -> int:
        """The axis of a variable; a plain variable's is its node's."""
        if variable not in self._ids:
            self._ids[variable] = len(self._ids)
            size = self.shape.sizes[variable.name if isinstance(variable, Variable) else variable]
            self.arithmetic.sizes.append(size)
        return self._ids[variable]

    def _table_axis(self, axis: Axis) -> int:
        return self.axis(Variable(axis) if isinstance(axis, str) else axis)

    def axes(self, names: Iterable[str]) -> list[int]:
        return [self.axis(Variable(name)) for name in sorted(names)]

    def joint(self, key: Key) -> Key:
        """What to work out to get these masses as a marginal: all that is asked under the intervention, if small."""
        do = key[0]
        names = self._asked[do]
        small = prod(self.shape.sizes[name] for name in names | do) <= MOST_JOINT
        return (do, frozenset(names)) if small else key

    def plan(self, key: Key) -> tuple[list[Axis], list[int]]:
        """The tables that matter, and the axes to sum out, in order."""
        if key not in self._plans:
            do, asked = key
            nodes = self._above(asked - do, do)
            arcs = dict.fromkeys(arc for node in nodes for arc in self.shape.arcs[node])
            tables: list[Axis] = [*nodes, *arcs]
            keep = set(self.axes(do | asked))
            over = [axis for each in tables if (axis := self.scopes[each][-1]) not in keep]
            self._plans[key] = tables, self.arithmetic.order([self.scopes[each] for each in tables], over)
        return self._plans[key]

    def _above(self, names: Iterable[str], do: frozenset[str]) -> list[str]:
        """The names and all above them that no intervention cuts off."""
        found = dict.fromkeys(sorted(names))
        queue = list(found)
        for name in queue:  # grows while we walk it
            new = [parent for parent in self.shape.parents[name] if parent not in found and parent not in do]
            found |= dict.fromkeys(new)
            queue += new
        return queue


class _Reading:
    """One model, with what is already worked out on it."""

    def __init__(self, evaluation: Evaluation, model: Model) -> None:
        self.evaluation, self.arithmetic = evaluation, evaluation.arithmetic.modulo(model.prime)
        self.model = model
        self._known: dict[Axis, Table] = {}
        self._masses: dict[Key, dict[frozenset[str], Table]] = {}
        self._probabilities: dict[Probability, Table] = {}

    def table(self, expression: Expression) -> Table:
        """The expression's values over its free variables."""
        arithmetic = self.arithmetic
        match expression:
            case Probability():
                if expression not in self._probabilities:
                    self._probabilities[expression] = self._probability(expression)
                return self._probabilities[expression]
            case Number(value):
                return arithmetic.constant(value)
            case Sum(over, body):
                tables = [self.table(factor) for factor in (body.factors if isinstance(body, Product) else (body,))]
                axes = [self.evaluation.axis(variable) for variable in over]
                order = arithmetic.order([table.axes for table in tables], axes)
                return arithmetic.eliminate(tables, order)
            case Product(factors):
                return arithmetic.product([self.table(factor) for factor in factors])
            case Quotient(above, below):
                return arithmetic.quotient(self.table(above), self.table(below))
            case Plus(terms):
                return arithmetic.plus([(sign, self.table(term)) for sign, term in terms])
        raise TypeError(f"{type(expression).__name__} is no expression")

    def _probability(self, asked: Probability) -> Table:
        seats: dict[str, Variable] = {}  # the first variable of a node stands for it, the others must equal it
        more: list[list[Table]] = []
        for group in (asked.do, asked.given, asked.of):
            more.append([])
            for variable in group:
                first = seats.setdefault(variable.name, variable)
                if variable != first:
                    more[-1].append(self._equal(first, variable))
        twice, given, of = more
        do = frozenset(variable.name for variable in asked.do)
        conditions = frozenset(variable.name for variable in asked.given)
        key = (do, conditions | {variable.name for variable in asked.of})
        above = self.arithmetic.product([self._seated(self._mass(key, key[1]), seats), *of, *given])
        if asked.given or self.arithmetic.prime is None:  # residues are distributions, whole numbers need their total
            below = self.arithmetic.product([self._seated(self._mass(key, conditions), seats), *given])
            above = self.arithmetic.quotient(above, below)
        for same in twice:
            above = self.arithmetic.product([above, same._replace(holes=[not value for value in same.values])])
        return above

    def _equal(self, one: Variable, other: Variable) -> Table:
        """1 where two variables of one node have the same value."""
        axes = tuple(self.evaluation.axis(each) for each in (one, other) if each.value is None)
        constants = [each.value for each in (one, other) if each.value is not None]
        return self.arithmetic.table(axes, lambda *row: len({*row, *constants}) == 1)

    def _seated(self, mass: Table, seats: Mapping[str, Variable]) -> Table:
        pins: dict[int, tuple[int | None, int]] = {}
        for name, variable in seats.items():
            if variable.value is not None:
                pins[self.evaluation.axis(Variable(name))] = (None, variable.value)
            elif variable.copy:
                pins[self.evaluation.axis(Variable(name))] = (self.evaluation.axis(variable), 0)
        return self.arithmetic.pinned(mass, pins)

    def _mass(self, key: Key, names: frozenset[str]) -> Table:
        """The mass of these names' values under the intervention, out of what is worked out for all in the key."""
        key = self.evaluation.joint(key)
        do, everything = key
        if key not in self._masses:
            tables, order = self.evaluation.plan(key)
            whole = self.arithmetic.eliminate([self._given(axis) for axis in tables], order)
            self._masses[key] = {everything: whole}
        known = self._masses[key]
        if names not in known:
            whole = known[everything]
            keep = set(self.evaluation.axes(names | do))
            for axis in [axis for axis in whole.axes if axis not in keep]:
                whole = self.arithmetic.sum_out([whole], axis)
            known[names] = whole
        return known[names]

    def _given(self, axis: Axis) -> Table:
        """The model's own table; in exact arithmetic times a number that makes it whole, which saves fractions."""
        if axis not in self._known:
            values = self.model.tables[axis]
            if self.arithmetic.prime is None:
                scale = lcm(*(value.denominator for value in values))
                values = [value.numerator * (scale // value.denominator) for value in values]
            self._known[axis] = Table(self.evaluation.scopes[axis], values)
        return self._known[axis]


def evaluate(
    expression: Expression, model: Model, over: Sequence[Variable] | None = None, steps: int = MAX_STEPS
) -> dict[tuple[int, ...], Scalar | None]:
    """The value at each assignment to the free variables, which are sorted, or to `over`; None where there is none."""
    free = sorted(free_variables(expression)) if over is None else list(over)
    evaluation = Evaluation(model.shape, [expression], Steps(steps))
    table = evaluation.tables(model)[0]
    axes = tuple(map(evaluation.axis, free))
    whole = evaluation.arithmetic.product([table], axes)
    rows = product(*(range(model.shape.sizes[variable.name]) for variable in free))
    holes = whole.holes or [False] * len(whole.values)
    number: Callable[[Scalar], Scalar] = Fraction if model.prime is None else int
    return {row: None if hole else number(value) for row, value, hole in zip(rows, whole.values, holes, strict=True)}
