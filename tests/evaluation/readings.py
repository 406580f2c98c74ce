"""Pools on graphs that are told in texts: each trace states what a reader made of the text, with some edges misread."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random

import calverify as cv
from calverify.archives import Archive, Manifest
from calverify.benchmarks import BENCHMARKS, Item
from calverify.pools import Candidate, Pool
from calverify.scoring import case_of
from calverify.tasks import faultless_trace

SPOILT = "STEP 1 [graph_extract]: {\nANSWER: []"


@lru_cache(maxsize=1)
def told() -> tuple[Item, ...]:
    """One item in six of the construction suite."""
    return BENCHMARKS["construction"].build(Random("construction 0")).items[::6]


def misread(graph: cv.Graph, rng: Random) -> cv.Graph:
    """With an edge left out or added, or as it is."""
    edges = list(graph.directed)
    kind = rng.choice(("right", "less", "more"))
    if kind == "less":
        edges.remove(rng.choice(edges))
    if kind == "more":
        order = cv.graphs.topological_order(graph)
        first, second = sorted(rng.sample(range(len(order)), 2))
        edges = [*dict.fromkeys([*edges, (order[first], order[second])])]
    return cv.Graph(graph.nodes, edges)


def traces(item: Item, k: int, rng: Random) -> Iterator[str]:
    """Faultless on what was read, one in six without a graph; the answer is valid there, or the empty set."""
    for _ in range(k):
        if rng.random() < 1 / 6:
            yield SPOILT
            continue
        read = misread(item.key.graph, rng)
        case = case_of(read, item.problem.query)
        valid = cv.solve(read, item.problem.query)
        answer = rng.choice([*valid, frozenset()])
        yield faultless_trace(case, answer)


def frozen_readings(items: Sequence[Item], k: int = 5, seed: int = 0) -> Archive:
    rng = Random(seed)
    pools = [
        Pool(item.problem.id, 0, tuple(Candidate(i, text) for i, text in enumerate(traces(item, k, rng))))
        for item in items
    ]
    return Archive({item.problem.id: item.problem for item in items}, tuple(pools), Manifest("readers"))
