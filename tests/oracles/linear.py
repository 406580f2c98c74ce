"""Linear models in fractions: what a regression coefficient is, and how well it is estimated, in closed form."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from tests.oracles.layouts import orders

Weights = Mapping[tuple[str, str], Fraction]
Table = dict[tuple[str, str], Fraction]


def random_weights(rng, graph) -> Weights:
    """A non-zero weight for every arrow."""
    return {edge: Fraction(rng.choice((-1, 1)) * rng.randint(1, 97), rng.randint(1, 89)) for edge in graph.directed}


def random_noise(rng, graph) -> dict[str, Fraction]:
    return {node: Fraction(rng.randint(1, 97), rng.randint(1, 89)) for node in graph.nodes}


def covariance(graph, weights: Weights, noise: Mapping[str, Fraction]) -> Table:
    """Cov of X_i = sum of weight * parent + noise of variance `noise`, node by node in a causal order."""
    cov: Table = {}
    done: list[str] = []
    for node in min(orders(graph)):
        above = [tail for tail, head in graph.directed if head == node]
        for other in done:
            shared = sum((weights[tail, node] * cov[tail, other] for tail in above), Fraction(0))
            cov[node, other] = cov[other, node] = shared
        cov[node, node] = noise[node] + sum((weights[tail, node] * cov[tail, node] for tail in above), Fraction(0))
        done.append(node)
    return cov


def partial(cov: Table, rows: Sequence[str], given: Sequence[str]) -> Table:
    """The covariance of `rows` given `given`: sweep out one variable after the other."""
    cov = dict(cov)
    names = [*rows, *given]
    for z in given:
        if not cov[z, z]:
            continue
        swept = {(a, b): cov[a, b] - cov[a, z] * cov[z, b] / cov[z, z] for a in names for b in names}
        cov.update(swept)
    return {(a, b): cov[a, b] for a in rows for b in rows}


def coefficient(cov: Table, x: str, y: str, given: Sequence[str]) -> Fraction:
    """The coefficient of X in the regression of Y on X and `given`."""
    left = partial(cov, (x, y), given)
    return left[x, y] / left[x, x]


def variance(cov: Table, x: str, y: str, given: Sequence[str]) -> Fraction:
    """The asymptotic variance of that coefficient: what of Y is left over, by what of X is left over."""
    return partial(cov, (y,), (*given, x))[y, y] / partial(cov, (x,), given)[x, x]


def total_effect(graph, weights: Weights, chains: Sequence[Sequence[str]]) -> Fraction:
    """The sum over directed paths of the products of their weights."""
    total = Fraction(0)
    for chain in chains:
        product = Fraction(1)
        for edge in pairwise(chain):
            product *= weights[edge]
        total += product
    return total
