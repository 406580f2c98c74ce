"""Effects by truncated factorisation: models with a latent behind every bidirected edge, enumerated.  Slow, obvious.

A model gives every node a table over its parents and latents; do(X) replaces the tables of X.  Masses are whole
numbers over one denominator, so everything is exact.  Reads a graph's nodes and edges and nothing else of the library.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random

from tests.oracles.expressions import Joint, Model

UNIT = 10  # every chance is so many tenths


def causal_order(graph) -> list[str]:
    order: list[str] = []
    while len(order) < len(graph.nodes):
        order += [
            name
            for name in graph.nodes
            if name not in order and all(tail in order for tail, head in graph.directed if head == name)
        ]
    return order


def random_model(graph, seed: object, latent_states: int = 2) -> Model:
    """Binary nodes with positive tables, one latent of so many states a bidirected edge."""
    rng = Random(f"effects {seed}")
    order = causal_order(graph)
    arcs = list(graph.bidirected)
    weights = [[rng.randint(1, UNIT - 1) for _ in range(latent_states)] for _ in arcs]
    tables = {}
    for name in order:
        parents = [tail for tail, head in graph.directed if head == name]
        mine = [at for at, arc in enumerate(arcs) if name in arc]
        rows = product(*([(0, 1)] * len(parents) + [range(latent_states)] * len(mine)))
        tables[name] = (parents, mine, {row: rng.randint(1, UNIT - 1) for row in rows})
    known: dict[tuple, Joint] = {}

    def under(do: Mapping[str, int]) -> Joint:
        key = tuple(sorted(do.items()))
        if key not in known:
            known[key] = _joint(graph.nodes, order, weights, tables, do)
        return known[key]

    return Model(tuple(graph.nodes), under)


def _joint(nodes: Sequence[str], order, weights, tables, do: Mapping[str, int]) -> Joint:
    """Sum over the latents of the product of the latents' chances and of every table that do() leaves in place."""
    masses: dict[tuple[int, ...], int] = {}

    def visit(at: int, seen: dict[str, int], latents: Sequence[int], mass: int) -> None:
        if at == len(order):
            row = tuple(seen[name] for name in nodes)
            masses[row] = masses.get(row, 0) + mass
            return
        name = order[at]
        if name in do:
            visit(at + 1, {**seen, name: do[name]}, latents, mass)
            return
        parents, mine, table = tables[name]
        tenths = table[(*(seen[parent] for parent in parents), *(latents[arc] for arc in mine))]
        for value, share in ((0, UNIT - tenths), (1, tenths)):
            visit(at + 1, {**seen, name: value}, latents, mass * share)

    for latents in product(*(range(len(row)) for row in weights)):
        mass = 1
        for row, state in zip(weights, latents, strict=True):
            mass *= row[state]
        visit(0, {}, latents, mass)
    total = sum(masses.values())
    return {row: Fraction(mass, total) for row, mass in masses.items()}
