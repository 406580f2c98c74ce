"""Random problems of every task on every class of graph it admits, with what the oracles know about each.

`ROWS` names the pairs of task and class; `known(rng, task, kind)` draws one problem of a pair.
"""

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

import calverify as cv
from tests.known import Known, known_sets, known_word, random_graph
from tests.object_problems import OBJECTS
from tests.oracles import criteria
from tests.oracles.paths import Paths
from tests.oracles.truth_tables import Tree, satisfies

ACYCLIC = ("dag", "admg")
ANY = ("dag", "admg", "directed")
EVERY = (*ANY, "undirected")
ADMITS = {
    "adjustment": ACYCLIC,
    "ancestor": ANY,
    "backdoor": ACYCLIC,
    "backdoor_path": ANY,
    "blocked_path": ACYCLIC,
    "c_component": ANY,
    "c_forest": ACYCLIC,
    "c_tree": ACYCLIC,
    "chain": ANY,
    "child": ANY,
    "cycle": ANY,
    "d_separation": ACYCLIC,
    "descendant": ANY,
    "direct_mediator": ANY,
    "directed_path": ANY,
    "edge": EVERY,
    "fork": ANY,
    "frontdoor": ACYCLIC,
    "identifiable": ACYCLIC,
    "instrument": ACYCLIC,
    "intervention": ANY,
    "is_c_component": ACYCLIC,
    "knights": ("puzzle",),
    "markov_blanket": ACYCLIC,
    "markov_equivalent": ("dag",),
    "maximal_root_set": ANY,
    "mediator": ACYCLIC,
    "node": EVERY,
    "optimal_adjustment": ("dag",),
    "parent": ANY,
    "path": ANY,
    "topological_order": ACYCLIC,
    "v_structure": ANY,
}
# What the suite asks of every task and does not ask of these; a rule that is not listed here holds for all.
ELSEWHERE = {
    "ate": "a number stands in the result and a word in the answer: tests of its own",
    "correlation": "a number, as ate",
    "counterfactual": "asked of tables: tests of its own",
    "equivalence_claim": "the graph slot may state another member of the class: tests of its own",
    "ett": "a number, as ate",
    "explaining_away": "a number, as ate",
    "identification": "names stand inside expressions: tests of its own",
    "natural_direct": "a number, as ate",
    "natural_indirect": "a number, as ate",
    "necessity": "a number, as ate",
    "probability": "a number, as ate",
}
NO_RIGHT_ANSWER = {
    ("cycle", "dag"): "an acyclic graph has no cycle to find",
    ("cycle", "admg"): "an acyclic graph has no cycle to find",
}
NO_WITNESS = {
    "c_forest": "the graph itself speaks for or against it",
    "c_tree": "the graph itself speaks for or against it",
    "counterfactual": "the tables themselves speak for or against it",
    "identifiable": "the graph itself speaks for or against it",
    "is_c_component": "the graph itself speaks for or against it",
}
ROWS = [(task, kind) for task, kinds in ADMITS.items() for kind in kinds]
SETS = ("backdoor", "d_separation", "blocked_path", "adjustment", "frontdoor")
DECISIONS = ("mediator", "direct_mediator", "intervention")  # each yes with a walk
SHOWN_NO = ("equivalence_claim",)  # each no with a graph
NUMERIC = (
    "ate", "correlation", "ett", "explaining_away", "natural_direct", "natural_indirect", "necessity", "probability"
)  # fmt: skip
SOLVABLE = [row for row in ROWS if row not in NO_RIGHT_ANSWER]
MOST_NODES = {"markov_equivalent": 4}  # 6 elsewhere: all orientations are tried
PEOPLE = ("Ann", "Bob", "Cat", "Dan", "Eve")


def known(rng: Random, task: str, kind: str, most: int = 6) -> Known:
    """A problem of this task on a graph of this class; drawn again where it would have no answer of either sort."""
    while True:
        if task == "knights":
            drawn = random_puzzle(rng)
        else:
            drawn = BUILDERS[task](rng, random_graph(rng, kind, MOST_NODES.get(task, most)))
        if drawn is not None and drawn.wrong and (drawn.right or (task, kind) in NO_RIGHT_ANSWER):
            return drawn


def _backdoor(rng: Random, graph: cv.Graph) -> Known:
    x, y = rng.sample(graph.nodes, 2)
    return known_sets(graph, cv.Query("backdoor", (x, y)), criteria.backdoor(graph, x, y))


def _d_separation(rng: Random, graph: cv.Graph) -> Known:
    x, y = rng.sample(graph.nodes, 2)
    return known_sets(graph, cv.Query("d_separation", (x, y)), criteria.d_separation(graph, x, y))


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
    return known_sets(graph, query, criteria.blocked_path(graph, *path))


def _mediator(rng: Random, graph: cv.Graph) -> Known:
    targets = tuple(rng.sample(graph.nodes, 3))
    longer = [
        chain for x in graph.nodes for y in graph.nodes for chain in criteria.chains(graph, x, y) if len(chain) > 2
    ]
    if longer and rng.random() < 0.5:  # a chance of a "yes"
        chain = rng.choice(longer)
        targets = (chain[0], rng.choice(chain[1:-1]), chain[-1])
    return known_word(graph, cv.Query("mediator", targets), criteria.mediator(graph, *targets))


def _direct_mediator(rng: Random, graph: cv.Graph) -> Known:
    targets = tuple(rng.sample(graph.nodes, 3))
    if graph.directed and rng.random() < 0.7:  # a chance of a "yes"
        first, middle = rng.choice(graph.directed)
        last = [head for tail, head in graph.directed if tail == middle and head != first]
        targets = (first, middle, rng.choice(last)) if last else targets
    return known_word(graph, cv.Query("direct_mediator", targets), criteria.direct_mediator(graph, *targets))


def _intervention(rng: Random, graph: cv.Graph) -> Known:
    targets = tuple(rng.sample(graph.nodes, rng.choice((2, 3))))
    return known_word(graph, cv.Query("intervention", targets), criteria.intervention(graph, *targets))


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
    **OBJECTS,
    "backdoor": _backdoor,
    "d_separation": _d_separation,
    "blocked_path": _blocked_path,
    "mediator": _mediator,
    "direct_mediator": _direct_mediator,
    "intervention": _intervention,
    "cycle": _cycle,
}
