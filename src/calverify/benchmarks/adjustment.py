"""Six-node graphs as Wang et al. (2024) draw them: find a set to adjust for, graded by the strict criterion.

Rule 1: the graphs are drawn as in the data set: six tiers of one node, three to six rounds; in each round every node
starts a chain, a fork or a collider with probability 1/10 each, along edges from an earlier tier to a later one.
Rule 2: a problem is kept when a non-causal path joins treatment and outcome.  A valid set always exists: the causes of
the treatment are one.
Rule 3: the grade is the strict backdoor predicate.  The released grader accepts sets with descendants of the treatment
and refuses valid ones.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from random import Random
from types import MappingProxyType

from calverify.benchmarks._item import Corpus, Item, generated
from calverify.graphs import Graph
from calverify.keys import Key
from calverify.problem import Problem, Query

__all__ = ["corpus", "drawn_edges", "joined_non_causally"]

TIERS = 6
ROUNDS = (3, 4, 5, 6)
PER_ROUNDS = 50
TREATMENT, OUTCOME = 1, 4  # the second tier and the last but one
ROLE_CHANCE = 0.1
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Edges = frozenset[tuple[int, int]]


@generated("adjustment", "sets to adjust for in about 170 six-node graphs, as Wang et al. (2024) draw them; generated")
def corpus(rng: Random) -> Corpus:
    """The confounded ones among 200 graphs."""
    items: list[Item] = []
    dropped: Counter[tuple[str, str]] = Counter()
    for rounds in ROUNDS:
        for _ in range(PER_ROUNDS):
            edges = drawn_edges(rng, rounds)
            names = _names(rng)
            if joined_non_causally(edges, TREATMENT, OUTCOME):
                items.append(_item(len(items), edges, names, rounds))
            else:
                dropped[f"{rounds} rounds", "no non-causal path joins treatment and outcome"] += 1
    return Corpus(tuple(items), MappingProxyType(dict(dropped)))


def drawn_edges(rng: Random, rounds: int) -> Edges:
    """The edges that so many rounds draw; a role that a tier cannot have draws none."""
    edges: set[tuple[int, int]] = set()
    for _ in range(rounds):
        for tier in range(TIERS):
            role = rng.random() / ROLE_CHANCE
            if role < 1:
                edges |= _chain(rng, tier)
            elif role < 2 and tier < TIERS - 1:  # a fork, whose two ends may coincide
                edges |= {(tier, rng.randrange(tier + 1, TIERS)) for _ in range(2)}
            elif 2 <= role < 3 and tier > 0:  # a collider
                edges |= {(rng.randrange(tier), tier) for _ in range(2)}
    return frozenset(edges)


def _chain(rng: Random, tier: int) -> set[tuple[int, int]]:
    """Through the node; from it at the first tier, to it at the last."""
    if tier in (0, TIERS - 1):
        low, high = sorted(rng.sample([other for other in range(TIERS) if other != tier], 2))
        return {(0, low), (low, high)} if tier == 0 else {(low, high), (high, tier)}
    return {(rng.randrange(tier), tier), (tier, rng.randrange(tier + 1, TIERS))}


def joined_non_causally(edges: Iterable[tuple[int, int]], one: int, other: int) -> bool:
    """Does a path that is not directed from the one to the other join them?"""
    arrows = set(edges)
    near: dict[int, set[int]] = {}
    for tail, head in arrows:
        near.setdefault(tail, set()).add(head)
        near.setdefault(head, set()).add(tail)
    paths: list[tuple[int, ...]] = [(one,)]
    while paths:
        path = paths.pop()
        if path[-1] == other:
            if any((head, tail) in arrows for tail, head in pairwise(path)):
                return True
            continue
        paths += [(*path, node) for node in sorted(near.get(path[-1], ())) if node not in path]
    return False


def _names(rng: Random) -> list[str]:
    """Six different words of five letters that mean nothing."""
    found: list[str] = []
    while len(found) < TIERS:
        name = "".join(rng.choices(LETTERS, k=5))
        found += [name] if name not in found else []
    return found


def _item(number: int, edges: Edges, names: list[str], rounds: int) -> Item:
    ident = f"adjustment-{number:03}"
    graph = Graph(sorted(names), sorted((names[tail], names[head]) for tail, head in edges))
    problem = Problem(ident, Query("backdoor", (names[TREATMENT], names[OUTCOME])), graph)
    return Item(problem, Key(ident, strata={"slice": f"{rounds} rounds"}))
