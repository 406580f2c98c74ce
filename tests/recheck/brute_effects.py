"""Is a record about a numeric effect a true proof?  Decided by listing every world of the model, in fractions."""

from fractions import Fraction
from itertools import product
from typing import Any

import calverify as cv
from tests.oracles import criteria, worlds
from tests.oracles.paths import Paths

ARMS = ("1", "0")


def number(value: Any) -> Fraction:
    assert type(value) in (int, float, str)
    return Fraction(str(value))


def number_or_none(value: Any) -> Fraction | None:
    return None if value is None else number(value)


def world_of(problem: cv.Problem) -> worlds.World:
    entries = problem.scm.to_json()["variables"]
    states = {name: tuple(entry.get("states", ("0", "1"))) for name, entry in entries.items()}
    world: worlds.World = {}
    for name, entry in entries.items():
        table = {}
        for row in product(*(states[parent] for parent in entry["parents"])):
            leaf = entry["p"]
            for parent, state in zip(entry["parents"], row, strict=True):
                leaf = leaf[states[parent].index(state)]
            chances = [1 - number(leaf), number(leaf)] if "states" not in entry else list(map(number, leaf))
            table[row] = dict(zip(states[name], chances, strict=True))
        world[name] = (tuple(entry["parents"]), states[name], table)
    return world


def claim_of(answer: Any) -> tuple[frozenset[str], Fraction, str]:
    assert set(answer) == {"set", "effect", "answer"}
    assert answer["answer"] in ("yes", "no")
    assert type(answer["set"]) is list
    names = frozenset(answer["set"])
    assert len(names) == len(answer["set"])
    return names, number(answer["effect"]), answer["answer"]


def event_of(problem: cv.Problem) -> tuple[str, ...]:
    """The state of the outcome that is asked about."""
    stated = dict(problem.query.formula)
    assert set(stated) <= {problem.query.targets[1]}
    assert set(stated.values()) <= {"0", "1"}
    return tuple(stated.values()) or ("1",)


def limits(problem: cv.Problem) -> tuple[Fraction, Fraction]:
    threshold, tolerance = problem.query.threshold, problem.query.tolerance
    return Fraction(0) if threshold is None else threshold, Fraction(1, 50) if tolerance is None else tolerance


def separates(problem: cv.Problem, names: frozenset[str]) -> bool:
    x, y = problem.query.targets
    cut = Paths(criteria.without_edges_out_of(problem.graph, x))
    return bool(names & {x, y}) or cut.separated({x}, {y}, names)


def is_right(problem: cv.Problem, answer: Any) -> bool:
    """Of a word: does the effect bear it out?  Of a claim: the deployed test."""
    (x, y), world, (threshold, tolerance) = problem.query.targets, world_of(problem), limits(problem)
    if type(answer) is str:
        assert answer in ("yes", "no")
        return answer == ("yes" if worlds.effect(world, x, y, ARMS, event_of(problem)) > threshold else "no")
    names, effect, word = claim_of(answer)
    if not names <= set(problem.graph.nodes) or not separates(problem, names):
        return False
    value, _ = worlds.adjusted(world, x, y, sorted(names - {x, y}), ARMS, event_of(problem))
    return value is not None and abs(effect - value) <= tolerance and word == ("yes" if effect > threshold else "no")


def shows(problem: cv.Problem, answer: Any, w: Any, valid: bool) -> bool:
    (x, y), world, (threshold, tolerance) = problem.query.targets, world_of(problem), limits(problem)
    if type(answer) is str:
        effect = worlds.effect(world, x, y, ARMS, event_of(problem))
        return w["kind"] == "effect" and (number(w["effect"]), number(w["threshold"])) == (effect, threshold)
    names, _, _ = claim_of(answer)
    cut = criteria.without_edges_out_of(problem.graph, x)
    match w["kind"]:
        case "unknown":
            foreign = frozenset(w["names"])
            fine = type(w["names"]) is list and len(foreign) == len(w["names"])
            return fine and not valid and bool(foreign) and foreign <= names - set(problem.graph.nodes)
        case "active_path":
            fine = not names & {x, y} and frozenset(w["given"]) == names and len(w["given"]) == len(names)
            return fine and not valid and criteria.is_active_path(cut, w["path"], w["opened"], x, y, names)
    assert w["kind"] in ("strata", "certificate")
    value, rows = worlds.adjusted(world, x, y, sorted(names - {x, y}), ARMS, event_of(problem))
    fine = type(w["adjustment"]) is list and sorted(names) == sorted(w["adjustment"]) and separates(problem, names)
    fine = fine and are_strata(w["strata"], sorted(names - {x, y}), rows) and number_or_none(w["psi"]) == value
    if w["kind"] == "certificate":
        p, below = w["separated"], Paths(problem.graph).strictly_below(x)
        proved = p["kind"] == "separated" and set(p) == {"kind", "from", "to", "given", "states"}
        proved = proved and (p["from"], p["to"], sorted(p["given"])) == (x, y, sorted(names))
        proved = proved and all(is_state(state, problem.graph.nodes, x) for state in p["states"])
        states = [tuple(state) for state in p["states"]]
        proved = proved and len(set(states)) == len(states) and criteria.is_separation_proof(cut, states, x, y, names)
        fine = fine and proved and valid and not names & {x, y, *below} and abs(value - threshold) > tolerance
    return fine


def is_state(state: Any, nodes: Any, x: str) -> bool:
    node, mark = state
    return node in nodes and (mark in ("head", "tail") or (node, mark) == (x, "start"))


def are_strata(listed: Any, names: list[str], rows: list[Any]) -> bool:
    assert all(set(part) == {"given", "mass", "treated", "control"} for part in listed)
    shown = {
        tuple(part["given"][name] for name in names): tuple(
            number_or_none(part[field]) for field in ("mass", "treated", "control")
        )
        for part in listed
        if set(part["given"]) == set(names)
    }
    return type(listed) is list and len(shown) == len(listed) and shown == {row[0]: tuple(row[1:]) for row in rows}
