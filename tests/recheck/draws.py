"""Random triples of problem and answer: every task whose proofs are rechecked, every class of graph it admits."""

import json
from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

import calverify as cv
from calverify.scoring import case_of, proof
from tests.problems import ACYCLIC, ANY, random_graph, random_path, random_puzzle, written

ADMITS = {
    "backdoor": ACYCLIC, "d_separation": ACYCLIC, "blocked_path": ACYCLIC, "adjustment": ACYCLIC, "frontdoor": ACYCLIC,
    "instrument": ACYCLIC, "mediator": ACYCLIC, "direct_mediator": ANY, "intervention": ANY, "cycle": ANY,
    "topological_order": ACYCLIC, "path": ANY, "directed_path": ANY, "backdoor_path": ANY, "knights": ("puzzle",),
    "node": ANY, "parent": ANY, "child": ANY, "ancestor": ANY, "descendant": ANY, "c_component": ANY,
    "markov_blanket": ACYCLIC, "maximal_root_set": ANY, "optimal_adjustment": ("dag",),
    "edge": ANY, "chain": ANY, "fork": ANY, "v_structure": ANY,
}  # fmt: skip
ROWS = [(task, kind) for task, kinds in ADMITS.items() for kind in kinds]
TARGETS = {"mediator": 3, "direct_mediator": 3, "cycle": 0, "topological_order": 0, "node": 0, "c_component": 0,
           "maximal_root_set": 0, "parent": 1, "child": 1, "ancestor": 1, "descendant": 1,
           "markov_blanket": 1, "edge": 0, "chain": 0, "fork": 0, "v_structure": 0}  # fmt: skip
TRIPLES = ("chain", "fork", "v_structure")
Record = dict[str, Any]


def random_triple(rng: Random, task: str, kind: str) -> tuple[cv.Problem, Any]:
    """A problem of this task on a graph of this class, and an answer in plain JSON: a valid one half of the time."""
    while True:
        problem = (
            random_puzzle(rng).problem if task == "knights" else _problem(rng, task, random_graph(rng, kind, 7, 3))
        )
        try:
            case = case_of(problem.graph, problem.query)
        except (cv.QueryError, cv.GraphError):  # no path to name, no effect to estimate, a condition that may not be
            continue
        found = list(islice(case.task.solve(case), 12))
        if found and rng.random() < 0.5:
            return problem, case.task.answer.show(rng.choice(found))
        names = [*sorted(case.names), *(["Q"] * rng.choice((0, 0, 1)))]
        return problem, _guess(rng, case, names)


def _problem(rng: Random, task: str, graph: cv.Graph) -> cv.Problem:
    count = TARGETS.get(task, rng.choice((2, 3)) if task == "intervention" else 2)
    targets, path, given = tuple(rng.sample(graph.nodes, min(count, len(graph.nodes)))), None, ()
    if task == "blocked_path":
        named = random_path(rng, graph)
        targets, path = (), written(*named) if named else "A"
    if task == "instrument":
        given = tuple(rng.sample(graph.nodes, rng.choice((0, 0, 1))))
    try:
        return cv.Problem("p", cv.Query(task, targets, path=path, given=given), graph)
    except cv.QueryError:
        return _problem(rng, task, graph)


def _guess(rng: Random, case: Any, names: list[str]) -> Any:
    """Any answer of the task's type."""
    shuffled = rng.sample(names, len(names))
    some = sorted(rng.sample(names, rng.randint(0, len(names))))
    kind = case.task.answer.name
    if kind == "set":
        return some if case.task.name not in TRIPLES else sorted(rng.sample(names, min(3, len(names))))
    if kind == "path":
        walk = rng.choices(names, k=rng.randint(1, 4))
        if case.query.targets and rng.random() < 0.8:
            walk = [case.query.targets[0], *walk[: rng.randint(0, 2)], case.query.targets[1]]
        return written(walk, rng.choices(("->", "<-", "<->"), (5, 4, 2), k=len(walk) - 1))
    if kind == "cycle":
        walk = rng.choices(names, k=rng.randint(1, 4))
        return [*walk, walk[0]]
    guesses: dict[str, Callable[[], Any]] = {
        "name": lambda: rng.choice([*names[-1:], rng.choice(names)]),
        "edge": lambda: f" {rng.choice(('->', '->', '<->'))} ".join(shuffled[:2]),
        "yes/no": lambda: rng.choice(("yes", "no")),
        "ordering": lambda: shuffled if rng.random() < 0.8 else shuffled[:-1],
        "assignment": lambda: {
            name: rng.choice(("knight", "knave")) for name in (shuffled if rng.random() < 0.8 else shuffled[1:])
        },
    }
    return guesses[kind]()


def random_proof(rng: Random, task: str, kind: str) -> Record:
    """The proof of what `check` says of such a triple, as it would be read from a file."""
    return json.loads(json.dumps(proof(*random_triple(rng, task, kind))))
