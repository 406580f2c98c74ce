"""Random triples of problem and answer: every task whose proofs are rechecked, every class of graph, every form."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import islice, pairwise
from random import Random
from typing import Any

import calverify as cv
from calverify.effects import SCM, psi
from calverify.errors import Fault
from calverify.recheck import TASKS
from calverify.scoring import case_of, checker_for, proof, proof_of
from calverify.tasks import FORMS, Case, form_of
from tests.oracles import worlds
from tests.problems import ADMITS, random_graph, random_path, random_puzzle, written

NUMBERS = (
    "correlation", "counterfactual", "equivalence_claim", "ett", "explaining_away", "natural_direct",
    "natural_indirect", "necessity", "probability",
)  # fmt: skip
ELSEWHERE = ("identifiable", "identification", *NUMBERS)  # about expressions, tables, a class: tests of their own
ROWS = [(task, kind) for task in TASKS for kind in ADMITS.get(task, ("model",)) if task not in ELSEWHERE]
TARGETS = {"mediator": 3, "direct_mediator": 3, "cycle": 0, "topological_order": 0, "node": 0, "c_component": 0,
           "maximal_root_set": 0, "parent": 1, "child": 1, "ancestor": 1, "descendant": 1, "c_tree": 0, "c_forest": 0,
           "is_c_component": 0, "markov_equivalent": 0,
           "markov_blanket": 1, "edge": 0, "chain": 0, "fork": 0, "v_structure": 0}  # fmt: skip
TRIPLES = ("chain", "fork", "v_structure")
BEST = ("minimal", "minimum", "maximal", "shortest", "longest")
Record = dict[str, Any]


def takes(task: str, form: str) -> bool:
    try:
        form_of(cv.find_task(task), form)
    except cv.QueryError:
        return False
    return True


FORM_ROWS = [(task, kind, form) for task, kind in ROWS for form in FORMS if takes(task, form)]


def random_proof(rng: Random, task: str, kind: str, form: str = "find_one") -> Record:
    """The proof of what `check` says of a random triple, as it would be read from a file."""
    made = random_effect_proof(rng) if task == "ate" else proof(*random_triple(rng, task, kind, form))
    return json.loads(json.dumps(made))


def random_triple(rng: Random, task: str, kind: str, form: str = "find_one") -> tuple[cv.Problem, Any]:
    """A problem of this task on a graph of this class, and an answer in plain JSON: a valid one half of the time."""
    most = 4 if task == "markov_equivalent" else 7 if form == "find_one" else 5
    while True:
        problem = (
            random_puzzle(rng).problem if task == "knights" else _problem(rng, task, _graph(rng, task, kind, most))
        )
        try:
            case = case_of(problem.graph, problem.query)
        except (cv.QueryError, cv.GraphError):  # no path to name, no effect to estimate, a condition that may not be
            continue
        if form == "find_one":
            return problem, _answer(rng, case)
        found = _in_form(rng, problem, case, form)
        if found is not None:
            return found


def _graph(rng: Random, task: str, kind: str, most: int) -> cv.Graph:
    graph = random_graph(rng, kind, most, 3)
    if kind == "admg" and TARGETS.get(task) == 0 and rng.random() < 0.5:  # a chance of one C-component
        line = rng.sample(graph.nodes, len(graph.nodes))
        kept = dict(rng.sample(graph.directed, len(graph.directed))).items()
        return cv.Graph(graph.nodes, kept, list(pairwise(line)))
    return graph


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


# ---------------------------------------------------------------- one object


def _answer(rng: Random, case: Case) -> Any:
    found = list(islice(case.task.solve(case), 12))
    if found and rng.random() < 0.5:
        return case.task.answer.show(rng.choice(found))
    return _guess(rng, case, [*sorted(case.names), *(["Q"] * rng.choice((0, 0, 1)))])


def _guess(rng: Random, case: Case, names: list[str]) -> Any:
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
        "edge": lambda: f" {rng.choice(('->', '->', '<->', '--'))} ".join(shuffled[:2]),
        "yes/no": lambda: rng.choice(("yes", "no")),
        "ordering": lambda: shuffled if rng.random() < 0.8 else shuffled[:-1],
        "assignment": lambda: {
            name: rng.choice(("knight", "knave")) for name in (shuffled if rng.random() < 0.8 else shuffled[1:])
        },
        "graph": lambda: _turned(rng, case.formal),
    }
    return guesses[kind]()


def _turned(rng: Random, graph: cv.Graph) -> Record:
    """The graph with some arrows turned; at times with an arrow less, a node more or an arc."""
    edges = [list(edge[:: rng.choice((1, 1, -1))]) for edge in graph.directed]
    damage = rng.random()
    return {
        "nodes": [*graph.nodes, *(["Q"] if damage < 0.1 else [])],
        "edges": edges[1:] if 0.1 < damage < 0.25 else edges,
        "bidirected": [list(graph.nodes[:2])] if 0.25 < damage < 0.35 else [],
    }


# ---------------------------------------------------------------- other forms


def _in_form(rng: Random, problem: cv.Problem, case: Case, form: str) -> tuple[cv.Problem, Any] | None:
    """The problem asked in a form, with an answer; None where an object that is to be named has no text."""
    values = [case.task.answer.read(_answer(rng, case), case.names, "draw") for _ in range(3)]
    if any(isinstance(value, Fault) for value in values):
        return None
    texts = tuple(_text(rng, case, value) for value in values)
    parts = {"yes_no": {"claim": texts[0]}, "choice": {"options": texts}, "choice_not": {"options": texts}}
    asked = replace(problem, query=replace(problem.query, form=form, **parts.get(form, {})))
    if form in ("yes_no", "existence"):
        return asked, rng.choice(("yes", "no"))
    if form in ("choice", "choice_not"):
        return asked, rng.choice("ABCD")
    inner = case_of(asked.graph, asked.query)
    if form in BEST:
        best = list(islice(inner.task.solve(inner), 12))
        return asked, inner.task.answer.show(rng.choice(best) if best and rng.random() < 0.4 else values[0])
    (truth,) = inner.task.solve(inner)
    if form == "how_many":
        return asked, max(0, truth + rng.choice((0, 0, 1, -1)))
    said = truth ^ {values[0]} if rng.random() < 0.5 else truth
    return asked, inner.task.answer.show(frozenset(said))


def _text(rng: Random, case: Case, value: Any) -> str:
    """The object as a claim or an option names it; at times a cycle with an arrow that points back."""
    text = case.task.answer.spell(value)
    return text.replace("->", "<-", 1) if case.task.name == "cycle" and rng.random() < 0.2 else text


# ---------------------------------------------------------------- numeric effects


def random_model(rng: Random) -> SCM:
    """Two to five variables, at times one of three states or with a certainty."""
    world = worlds.random_world(rng, rng.randint(2, 5), rng.choice((0.4, 0.7)), 2, zeros=rng.choice((0.0, 0.0, 0.15)))
    return SCM.from_json(worlds.as_record(world))


def random_effect_proof(rng: Random) -> Record:
    """Of a bare word, or of a claim: any set, a number near or off what the set gives, mostly the word that follows."""
    scm = random_model(rng)
    x, y = rng.sample(scm.graph.nodes, 2)
    limits = {"threshold": rng.choice((None, None, Fraction(1, 10))), "tolerance": rng.choice((None, Fraction(1, 100)))}
    event = rng.choice(("1", "1", "0")) if scm[y].binary else "1"
    said = rng.choice(((), ((y, "1"),))) if event == "1" else ((y, "0"),)
    problem = cv.Problem("p", cv.Query("ate", (x, y), formula=said, **limits), scm=scm)
    if rng.random() < 0.25:
        return proof(problem, rng.choice(("yes", "no")))
    names = sorted(name for name in [*scm.graph.nodes, "Q"] if rng.random() < (0.3 if name != "Q" else 0.04))
    value = psi(scm, x, y, [name for name in names if name != "Q"], event=event).value or Fraction(0)
    reported = round(value, 6) + Fraction(rng.randint(-15, 15), 1000)
    word = "yes" if (reported > (limits["threshold"] or 0)) is (rng.random() < 0.9) else "no"
    nodes, edges = json.dumps(list(scm.graph.nodes)), json.dumps([list(edge) for edge in scm.graph.directed])
    slots = (
        f'{{"nodes":{nodes},"edges":{edges}}}', json.dumps({"task": "ate", "targets": [x, y]}),
        json.dumps({"method": "adjustment", "set": names}), json.dumps([{"rule": "adjustment", "to": names}]),
        json.dumps({"result": str(reported)}), json.dumps({"answer": word}),
    )  # fmt: skip
    heads = ("graph_extract", "query_id", "strategy", "identification_proof", "compute", "answer")
    steps = [f"STEP {n} [{head}]: {slot}" for n, (head, slot) in enumerate(zip(heads, slots, strict=True), start=1)]
    return proof_of(problem, checker_for(problem)("\n".join([*steps, f"ANSWER: {word}"])))
