"""Random problems of every task on every class of graph it admits, with what the oracles know about each.

`ROWS` names the pairs of task and class; `known(rng, task, kind)` draws one problem of a pair.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import calverify as cv
from tests.oracles import criteria
from tests.oracles.paths import Paths, subsets
from tests.oracles.truth_tables import Tree, satisfies
from tests.strategies import random_admg, random_dag, random_directed

ACYCLIC = ("dag", "admg")
ANY = ("dag", "admg", "directed")
ADMITS = {
    "backdoor": ACYCLIC,
    "d_separation": ACYCLIC,
    "blocked_path": ACYCLIC,
    "mediator": ACYCLIC,
    "direct_mediator": ANY,
    "intervention": ANY,
    "cycle": ANY,
    "knights": ("puzzle",),
}
ROWS = [(task, kind) for task, kinds in ADMITS.items() for kind in kinds]
SETS = ("backdoor", "d_separation", "blocked_path")
DECISIONS = ("mediator", "direct_mediator", "intervention")
SOLVABLE = [row for row in ROWS if row[0] != "cycle" or row[1] == "directed"]  # an acyclic graph has no cycle to find
PEOPLE = ("Ann", "Bob", "Cat", "Dan", "Eve")


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
        else:
            graph = random_directed(rng, n, rng.uniform(0.15, 0.45))
        if graph.kind == kind:
            return graph


def known(rng: Random, task: str, kind: str, most: int = 6) -> Known:
    """A problem of this task on a graph of this class; drawn again where it would have no answer of either sort."""
    while True:
        drawn = random_puzzle(rng) if task == "knights" else BUILDERS[task](rng, random_graph(rng, kind, most))
        if drawn is not None and drawn.wrong and (drawn.right or (task, kind) not in SOLVABLE):
            return drawn


def _sets(graph: cv.Graph, query: cv.Query, holds: Callable[[frozenset[str]], bool]) -> Known:
    right = criteria.members(holds, graph.nodes)
    wrong = [names for names in subsets(graph.nodes) if names not in right]
    return Known(cv.Problem("p", query, graph), holds, sorted(right, key=sorted), wrong)


def _backdoor(rng: Random, graph: cv.Graph) -> Known:
    x, y = rng.sample(graph.nodes, 2)
    return _sets(graph, cv.Query("backdoor", (x, y)), criteria.backdoor(graph, x, y))


def _d_separation(rng: Random, graph: cv.Graph) -> Known:
    x, y = rng.sample(graph.nodes, 2)
    return _sets(graph, cv.Query("d_separation", (x, y)), criteria.d_separation(graph, x, y))


def random_path(rng: Random, graph: cv.Graph) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """One simple path of the graph, long ones as likely as short ones."""
    x, y = rng.sample(graph.nodes, 2)
    found = Paths(graph).between(x, y)
    if not found:
        return None
    length = rng.choice(sorted({len(nodes) for nodes, _ in found}))
    return rng.choice([path for path in found if len(path[0]) == length])


def written(nodes: Sequence[str], arrows: Sequence[str]) -> str:
    return " ".join([nodes[0], *(word for step in zip(arrows, nodes[1:], strict=True) for word in step)])


def _blocked_path(rng: Random, graph: cv.Graph) -> Known | None:
    path = random_path(rng, graph)
    if path is None:
        return None
    query = cv.Query("blocked_path", path=written(*path))
    return _sets(graph, query, criteria.blocked_path(graph, *path))


def _decision(graph: cv.Graph, query: cv.Query, truth: bool) -> Known:
    right, wrong = ("yes", "no") if truth else ("no", "yes")
    return Known(cv.Problem("p", query, graph), lambda word: word == right, [right], [wrong])


def _mediator(rng: Random, graph: cv.Graph) -> Known:
    targets = tuple(rng.sample(graph.nodes, 3))
    longer = [
        chain for x in graph.nodes for y in graph.nodes for chain in criteria.chains(graph, x, y) if len(chain) > 2
    ]
    if longer and rng.random() < 0.5:  # a chance of a "yes"
        chain = rng.choice(longer)
        targets = (chain[0], rng.choice(chain[1:-1]), chain[-1])
    return _decision(graph, cv.Query("mediator", targets), criteria.mediator(graph, *targets))


def _direct_mediator(rng: Random, graph: cv.Graph) -> Known:
    targets = tuple(rng.sample(graph.nodes, 3))
    if graph.directed and rng.random() < 0.7:  # a chance of a "yes"
        first, middle = rng.choice(graph.directed)
        last = [head for tail, head in graph.directed if tail == middle and head != first]
        targets = (first, middle, rng.choice(last)) if last else targets
    return _decision(graph, cv.Query("direct_mediator", targets), criteria.direct_mediator(graph, *targets))


def _intervention(rng: Random, graph: cv.Graph) -> Known:
    targets = tuple(rng.sample(graph.nodes, rng.choice((2, 3))))
    return _decision(graph, cv.Query("intervention", targets), criteria.intervention(graph, *targets))


def _from_its_least(walk: tuple[str, ...]) -> tuple[str, ...]:
    """How a cycle is counted: the first node not repeated and, where no node stands twice, the least name first."""
    walk = walk[:-1] if len(walk) > 1 and walk[0] == walk[-1] else walk
    least = walk.index(min(walk)) if len(set(walk)) == len(walk) else 0
    return walk[least:] + walk[:least]


def _cycle(rng: Random, graph: cv.Graph) -> Known:
    walks = {_from_its_least(tuple(rng.choices(graph.nodes, k=rng.randint(1, 4)))) for _ in range(8)}

    def holds(walk: Sequence[str]) -> bool:
        return criteria.closes(graph, walk)

    wrong = sorted(walk for walk in walks if not holds(walk))
    return Known(cv.Problem("p", cv.Query("cycle"), graph), holds, sorted(criteria.cycles(graph)), wrong)


# ---------------------------------------------------------------- puzzles


def random_tree(rng: Random, people: int, depth: int = 2) -> Tree:
    word = (
        rng.choice(("telling-truth", "lying", "and", "or", "->", "<=>", "not"))
        if depth
        else rng.choice(("telling-truth", "lying"))
    )
    if word in ("telling-truth", "lying"):
        return word, rng.randrange(people)
    parts = 1 if word == "not" else 2
    return word, *(random_tree(rng, people, depth - 1) for _ in range(parts))


def said(tree: Tree, people: Sequence[str]) -> str:
    """The formula in words: "(Ann is a knight and Bob is a knave)"."""
    word, *parts = tree
    if word in ("telling-truth", "lying"):
        name = people[parts[0]].replace('"', '""')
        return f'"{name}" is a {"knight" if word == "telling-truth" else "knave"}'
    if word == "not":
        return f"not ({said(parts[0], people)})"
    between = {"and": "and", "or": "or", "->": "->", "<=>": "if and only if"}[word]
    return f"({said(parts[0], people)}) {between} ({said(parts[1], people)})"


def puzzle(people: Sequence[str], statements: Sequence[tuple[int, Tree]]) -> Known:
    """What the speakers say, and every assignment sorted into consistent and not."""
    spoken = tuple((people[speaker], said(tree, people)) for speaker, tree in statements)
    query = cv.Query("knights", tuple(people), formula=spoken)
    sorts: dict[bool, list[Any]] = {True: [], False: []}
    for row in product((False, True), repeat=len(people)):
        assignment = tuple(sorted(zip(people, row, strict=True)))
        sorts[satisfies(row, statements)].append(assignment)

    def holds(assignment: Any) -> bool:
        values = dict(assignment)
        return values.keys() == set(people) and satisfies([values[name] for name in people], statements)

    return Known(cv.Problem("p", query), holds, sorts[True], sorts[False], tuple(statements))


def random_puzzle(rng: Random) -> Known:
    people = PEOPLE[: rng.randint(2, 5)]
    statements = [(speaker, random_tree(rng, len(people))) for speaker in range(len(people))]
    return puzzle(people, statements)


BUILDERS: dict[str, Callable[[Random, cv.Graph], Known | None]] = {
    "backdoor": _backdoor,
    "d_separation": _d_separation,
    "blocked_path": _blocked_path,
    "mediator": _mediator,
    "direct_mediator": _direct_mediator,
    "intervention": _intervention,
    "cycle": _cycle,
}
