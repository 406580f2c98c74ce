"""A random problem together with what the oracles know about it, and the random graphs it is made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import calverify as cv
from tests.oracles import criteria
from tests.oracles.paths import subsets
from tests.oracles.truth_tables import Tree
from tests.strategies import random_admg, random_dag, random_directed, random_undirected


@dataclass(frozen=True)
class Known:
    """A problem, what makes an answer right, and answers of both sorts in the form that the checker reads them into."""

    problem: cv.Problem
    holds: Callable[[Any], bool]
    right: Sequence[Any]
    wrong: Sequence[Any]
    statements: tuple[tuple[int, Tree], ...] = ()

    @property
    def task(self) -> str:
        return self.problem.query.task


def random_graph(rng: Random, kind: str, most: int = 6, least: int = 4) -> cv.Graph:
    """A graph of exactly this class."""
    while True:
        n = rng.randint(least, most)
        if kind == "dag":
            graph = random_dag(rng, n, rng.uniform(0.2, 0.7))
        elif kind == "admg":
            graph = random_admg(rng, n, rng.uniform(0.2, 0.6), rng.uniform(0.1, 0.5))
        elif kind == "undirected":
            graph = random_undirected(rng, n, rng.uniform(0.3, 0.7))
        else:
            graph = random_directed(rng, n, rng.uniform(0.15, 0.45))
        if graph.kind == kind:
            return graph


def known_sets(graph: cv.Graph, query: cv.Query, holds: Callable[[frozenset[str]], bool]) -> Known:
    """Every set of nodes, sorted into right and wrong."""
    right = criteria.members(holds, graph.nodes)
    wrong = [names for names in subsets(graph.nodes) if names not in right]
    return Known(cv.Problem("p", query, graph), holds, sorted(right, key=sorted), wrong)


def known_word(graph: cv.Graph, query: cv.Query, truth: bool) -> Known:
    right, wrong = ("yes", "no") if truth else ("no", "yes")
    return Known(cv.Problem("p", query, graph), lambda word: word == right, [right], [wrong])


def known_members(graph: cv.Graph, query: cv.Query, right: Sequence[Any], others: Sequence[Any]) -> Known:
    """The right answers listed outright; of the others, those that are not right after all are wrong."""
    return Known(cv.Problem("p", query, graph), lambda one: one in right, right, [o for o in others if o not in right])
