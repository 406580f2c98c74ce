"""Numeric tasks on random models: the trace that says a set, a number and a word, and what each bit should be."""

from collections.abc import Callable
from fractions import Fraction
from random import Random

import calverify as cv
from calverify.effects import SCM
from calverify.names import number_json
from calverify.tasks import faultless_trace, find_task
from tests.oracles import worlds
from tests.sheets import Sheet, bits

Truth = Callable[[worlds.World], Fraction]


def seen(world: worlds.World, event: dict[str, str], given: dict[str, str] | None = None) -> Fraction | None:
    """P(event | given) by enumeration; None where the condition never occurs."""
    given = given or {}
    below = worlds.chance(world, lambda at: all(at[name] == state for name, state in given.items()))
    both = worlds.chance(world, lambda at: all(at[name] == state for name, state in {**event, **given}.items()))
    return both / below if below else None


def random_model(seed: object, fewest: int = 3, most: int = 5) -> tuple[Random, worlds.World, SCM]:
    rng = Random(f"{seed}")
    world = worlds.random_world(rng, rng.randint(fewest, most), rng.choice((0.4, 0.7)), 2)
    return rng, world, SCM.from_json(worlds.as_record(world))


def ordered(rng: Random, scm: SCM) -> tuple[str, str]:
    """A treatment and an outcome that is no cause of it: then the treatment's causes are a set to adjust for."""
    x, y = rng.sample(sorted(scm.graph.nodes), 2)
    return (y, x) if y in scm.graph.ancestors({x}) else (x, y)


def written(problem: cv.Problem, names: list[str] | None, number: object, word: str) -> str:
    """A trace that is faultless but for what it says."""
    graph, task = problem.graph, find_task(problem.query.task)
    return Sheet(
        graph={"nodes": list(graph.nodes), "edges": [list(edge) for edge in graph.directed]},
        query={"task": task.name, "targets": list(problem.query.targets)},
        strategy={"method": task.rule, **({} if names is None else {task.states[0]: names})},
        derivation=[{"rule": task.rule, "to": list(problem.query.targets) if names is None else names}],
        result={"result": number},
        answer={"answer": word},
        line=word,
    ).text()


def agrees(query: cv.Query, scm: SCM, truth: Fraction) -> None:
    """The task finds this number, and scores a trace by it."""
    task = find_task(query.task)
    case = task.case(scm, query)
    problem = cv.Problem("p", query, scm=scm)
    word = "yes" if truth > (query.threshold or 0) else "no"
    assert case.state.truth() == truth
    assert list(task.solve(case)) == [word]
    assert cv.verify(problem, faultless_trace(case, word)).score == 6
    usual = sorted(case.state.usual_set)
    off = number_json(truth + Fraction(1, 10))
    follows = "yes" if truth + Fraction(1, 10) > (query.threshold or 0) else "no"
    assert bits(cv.verify(problem, written(problem, usual, off, follows))) == "111101"
    assert cv.verify(problem, written(problem, usual, number_json(truth), word)).score == 6
    other = "no" if word == "yes" else "yes"
    assert bits(cv.verify(problem, written(problem, usual, number_json(truth), other))) == "111110"
    assert bits(cv.verify(problem, written(problem, ["Q"], number_json(truth), word))) == "110101"
