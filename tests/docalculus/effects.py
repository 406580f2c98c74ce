"""Random questions about effects, and what a model says of an expression that is said to be one."""

from itertools import product
from random import Random
from typing import NamedTuple

from calverify.docalculus._expression import Expression, Variable, free_variables, probability
from calverify.graphs import Graph
from tests.oracles.expressions import Model, evaluate
from tests.strategies import random_admg

Names = frozenset[str]


class Asked(NamedTuple):
    """P(outcomes | do(treatments), given) in a graph."""

    graph: Graph
    outcomes: Names
    treatments: Names
    given: Names = frozenset()

    @property
    def target(self) -> Expression:
        return probability(*(map(Variable, names) for names in (self.outcomes, self.treatments, self.given)))

    def __str__(self) -> str:
        return f"{self.graph}: P({sorted(self.outcomes)} | do({sorted(self.treatments)}), {sorted(self.given)})"


def random_effect(seed: int, least: int = 3, most: int = 7, most_given: int = 2) -> Asked:
    """An ADMG of so many nodes with about six bidirected edges at most, and mostly a treatment above the outcome."""
    rng = Random(f"effect {seed}")
    n = rng.randint(least, most)
    graph = random_admg(rng, n, rng.uniform(0.2, 0.8), min(12 / (n * (n - 1)), rng.uniform(0.05, 0.5)))
    sizes = [rng.choice((1, 1, 1, 2)), rng.choice((1, 1, 1, 2)), rng.choice((0, 0, 0, 1, 2))]
    sizes[2] = min(sizes[2], most_given, n - 2)
    sizes[0] = min(sizes[0], n - 1 - sizes[2])
    sizes[1] = min(sizes[1], n - sizes[0] - sizes[2])
    for _ in range(8):
        rest = rng.sample(graph.nodes, sum(sizes))
        outcomes, treatments, given = (frozenset(rest.pop() for _ in range(size)) for size in sizes)
        if treatments <= graph.ancestors(outcomes):
            break
    return Asked(graph, outcomes, treatments, given)


def equals(expression: Expression, asked: Asked, model: Model) -> bool:
    """Has the expression the effect's value, wherever its variables stand?"""
    free = sorted(free_variables(expression) | free_variables(asked.target))
    for row in product(*(model.values(variable.name) for variable in free)):
        at = dict(zip(free, row, strict=True))
        if evaluate(expression, at, model) != evaluate(asked.target, at, model):
            return False
    return True
