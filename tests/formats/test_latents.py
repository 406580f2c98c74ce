"""The latent projection keeps every separation between seen nodes."""

import random
from itertools import combinations

import pytest

from calverify import errors
from calverify.formats import latent_projection
from calverify.graphs import Graph, separated

CASES = [
    ("nothing hidden", "X -> Y, X <-> Z", "", "X -> Y, X <-> Z"),
    ("common cause", "U -> X, U -> Y", "U", "X <-> Y"),
    ("three children", "U -> X, U -> Y, U -> Z", "U", "X <-> Y, X <-> Z, Y <-> Z"),
    ("mediator", "X -> U -> Y", "U", "X -> Y"),
    ("mediator that forks", "X -> U, U -> Y, U -> Z", "U", "X -> Y, X -> Z, Y <-> Z"),
    ("chain of hidden", "U -> V, U -> X, V -> Y", "U V", "X <-> Y"),
    ("hidden effect", "X -> U <- Y", "U", "X, Y"),
    ("one child", "U -> X, Y", "U", "X, Y"),
    ("bidirected into hidden", "X <-> U, U -> Y", "U", "X <-> Y"),
    ("bidirected between hidden", "U <-> V, U -> X, V -> Y", "U V", "X <-> Y"),
    ("no loop on itself", "X <-> U, U -> X", "U", "X"),
    ("bow", "U -> X, U -> Y, X -> Y", "U", "X -> Y, X <-> Y"),
    ("edge twice", "X -> U -> Y, X -> Y", "U", "X -> Y"),
    ("everything", "U -> V", "U V", ""),
]


@pytest.mark.parametrize(("graph", "hidden", "projected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_projection(graph, hidden, projected):
    assert latent_projection(Graph.parse(graph), hidden.split()) == Graph.parse(projected)


def test_an_unknown_node_is_refused():
    with pytest.raises(errors.GraphError, match="cannot hide 'Q', which is not among the nodes"):
        latent_projection(Graph.parse("a -> b"), ["Q"])


def test_a_cycle_is_refused():
    with pytest.raises(errors.GraphError, match="without a directed cycle"):
        latent_projection(Graph.parse("a -> b -> a"), ["a"])


@pytest.mark.parametrize("text", ["fork", "chain"])
def test_the_projection_is_bounded(text):
    many = [f"n{i}" for i in range(500)]
    below = [("U", name) for name in many]
    above = [] if text == "fork" else [(f"p{i}", "U") for i in range(500)]
    graph = Graph(["U", *many, *(a for a, _ in above)], above + below)
    with pytest.raises(errors.BudgetError, match="over 100,000"):
        latent_projection(graph, ["U"])


def random_admg(rng: random.Random, size: int) -> Graph:
    names = [f"n{i}" for i in range(size)]
    rng.shuffle(names)
    pairs = list(combinations(names, 2))
    directed = [pair for pair in pairs if rng.random() < 0.35]
    bidirected = [pair for pair in pairs if rng.random() < 0.15]
    return Graph(sorted(names), directed, bidirected)


def separations(graph: Graph, names: list[str]) -> list[bool]:
    """Every question about two of `names` given a subset of the others."""
    found = []
    for x, y in combinations(names, 2):
        rest = [name for name in names if name not in (x, y)]
        for size in range(len(rest) + 1):
            found += [separated(graph, {x}, {y}, given=set(z)) for z in combinations(rest, size)]
    return found


@pytest.mark.parametrize("seed", range(150))
def test_separations_between_seen_nodes_are_kept(seed):
    rng = random.Random(seed)
    graph = random_admg(rng, rng.randint(3, 8))
    hidden = {name for name in graph.nodes if rng.random() < 0.4}
    seen = [name for name in graph.nodes if name not in hidden]
    assert separations(latent_projection(graph, hidden), seen) == separations(graph, seen)


def hide_one(graph: Graph, gone: str) -> Graph:
    """The textbook step for one hidden node: every pair of edges that meet in it as a non-collider is bridged."""
    into = [a for a, b in graph.directed if b == gone]
    out = [b for a, b in graph.directed if a == gone]
    arcs = [a if b == gone else b for a, b in graph.bidirected if gone in (a, b)]
    directed = {edge for edge in graph.directed if gone not in edge} | {(a, b) for a in into for b in out}
    joined = {frozenset(arc) for arc in graph.bidirected if gone not in arc}
    joined |= {frozenset(pair) for pair in combinations(out, 2)} | {frozenset((a, b)) for a in arcs for b in out}
    pairs = [tuple(sorted(pair)) for pair in joined if len(pair) == 2]
    return Graph([node for node in graph.nodes if node != gone], sorted(directed), sorted(pairs))


@pytest.mark.parametrize("seed", range(150))
def test_hiding_all_at_once_is_hiding_one_by_one(seed):
    rng = random.Random(seed)
    graph = random_admg(rng, rng.randint(3, 10))
    hidden = [name for name in graph.nodes if rng.random() < 0.5]
    rng.shuffle(hidden)
    stepwise = graph
    for name in hidden:
        stepwise = hide_one(stepwise, name)
    assert latent_projection(graph, hidden) == stepwise
