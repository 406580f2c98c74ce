"""Causal models with explicit latents, by brute force: every row of every variable, in whole numbers.  Slow, obvious.

A model of a graph has one latent a bidirected edge and a table a node; setting a node replaces its table.  It reads a
graph's nodes and edges and nothing else of the library but the expressions that `evaluate` understands.
"""

from itertools import product
from random import Random

from tests.oracles.expressions import BINARY, Joint, Model

WHOLE = 99_991  # the sum of a row of a table; no entry is 0


def do_model(graph, seed: object, states: int = 2) -> Model:
    """Binary nodes and latents of so many states.

    The rows of a joint distribution are whole weights; `evaluate` divides by the sum of them all.
    """
    rng = Random(f"{seed}")
    nodes = tuple(sorted(graph.nodes))
    arcs = tuple(graph.bidirected)
    above = {node: [tail for tail, head in graph.directed if head == node] for node in nodes}
    beside = {node: [at for at, arc in enumerate(arcs) if node in arc] for node in nodes}
    weights = [[rng.randint(1, 999) for _ in range(states)] for _ in arcs]
    chance = {
        node: {
            row: rng.randint(1, WHOLE - 1)
            for row in product(*[BINARY] * len(above[node]), *[range(states)] * len(beside[node]))
        }
        for node in nodes
    }
    known: dict[tuple, Joint] = {}

    def mass(values, hidden, do) -> int:
        found = 1
        for at, state in enumerate(hidden):
            found *= weights[at][state]
        for node in nodes:
            if node in do:
                found *= values[node] == do[node]
            else:
                row = (*(values[parent] for parent in above[node]), *(hidden[at] for at in beside[node]))
                found *= chance[node][row] if values[node] else WHOLE - chance[node][row]
        return found

    def joint(do) -> Joint:
        found = {}
        for row in product(BINARY, repeat=len(nodes)):
            values = dict(zip(nodes, row, strict=True))
            if all(values[node] == value for node, value in do.items()):
                found[row] = sum(mass(values, hidden, do) for hidden in product(range(states), repeat=len(arcs)))
        return found

    def under(do) -> Joint:
        key = tuple(sorted(do.items()))
        if key not in known:
            known[key] = joint(dict(do))
        return known[key]

    return Model(nodes, under)
