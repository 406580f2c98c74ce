"""Is a record about a question in another form a true proof?  Decided by listing every valid object by brute force."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from string import ascii_uppercase
from typing import Any

import calverify as cv
from calverify.errors import Fault
from calverify.scoring import case_of
from calverify.tasks import find_task
from tests.oracles import criteria, layouts, relations
from tests.oracles.paths import Paths, subsets
from tests.recheck import brute

Record = dict[str, Any]


def plainly(problem: cv.Problem) -> cv.Problem:
    """The same problem, asked to find one."""
    return replace(problem, query=replace(problem.query, form="find_one", claim=None, options=()))


def candidates(problem: cv.Problem) -> Iterator[Any]:
    """Everything that could be a valid object, in plain JSON, each once."""
    graph, task, t = problem.graph, problem.query.task, problem.query.targets
    if task == "knights":
        for roles in product(("knight", "knave"), repeat=len(t)):
            yield dict(zip(t, roles, strict=True))
        return
    match find_task(task).answer.name:
        case "set":
            yield from map(sorted, subsets(graph.nodes))
        case "name":
            yield from graph.nodes
        case "edge":
            yield from (f"{a} {mark} {b}" for a, b in permutations(sorted(graph.nodes), 2) for mark in ("->",))
            yield from (f"{a} {m} {b}" for a, b in permutations(graph.nodes, 2) if a < b for m in ("<->", "--"))
        case "path":
            for nodes, arrows in Paths(graph).between(*t):
                yield " ".join([nodes[0], *(word for step in zip(arrows, nodes[1:], strict=True) for word in step)])
        case "cycle":
            yield from ([*cycle, cycle[0]] for cycle in criteria.cycles(graph))
        case "ordering":
            yield from map(list, layouts.orders(graph))
        case "graph":
            for other in relations.orientations(graph):
                yield {"nodes": sorted(other.nodes), "edges": sorted(map(list, other.directed)), "bidirected": []}


def every(problem: cv.Problem) -> list[Any]:
    plain = plainly(problem).to_json()
    return [one for one in candidates(problem) if brute.is_valid({"problem": plain, "answer": one})]


def in_any_order(value: Any) -> Any:
    """A set, or the parts of a graph: {"nodes", "edges", ...}, with an arc from its lesser name."""
    if isinstance(value, list):
        return frozenset(value)
    arcs = {frozenset(edge) for edge in value.get("bidirected", [])}
    return frozenset(value["nodes"]), frozenset(map(tuple, value["edges"])), frozenset(arcs)


def key(problem: cv.Problem, value: Any) -> Any:
    """Equal for equal objects; refuses what is spelled in any other way than the one that we print."""
    case = case_of(problem.graph, plainly(problem).query)
    read = case.task.answer.read(value, case.names, "answer")
    assert not isinstance(read, Fault)
    shown = case.task.answer.show(read)
    assert shown == value or (case.task.answer.name in ("set", "graph") and in_any_order(shown) == in_any_order(value))
    return read


def is_valid(record: Record) -> bool:
    problem, answer = brute.open_record(record)
    form = problem.query.form
    if form == "yes_no":
        assert answer in ("yes", "no")
        return names_a_valid(problem, problem.query.claim) is (answer == "yes")
    if form in ("choice", "choice_not"):
        assert type(answer) is str
        assert len(answer) == 1
        place = ascii_uppercase.index(answer)
        if place >= len(problem.query.options):
            return False
        return names_a_valid(problem, problem.query.options[place]) is (form == "choice")
    truth = every(problem)
    if form == "existence":
        assert answer in ("yes", "no")
        return bool(truth) is (answer == "yes")
    if form == "how_many":
        assert type(answer) is int
        assert answer >= 0
        return answer == count(problem, truth)
    if form == "find_all":
        said = [key(problem, one) for one in answer]
        assert type(answer) is list
        assert len(set(said)) == len(said)
        return set(said) == {key(problem, one) for one in truth}
    right = {key(problem, one) for one in truth}
    value = key(problem, answer)
    return value in right and not any(beats(form, other, value) for other in right)


def stated(problem: cv.Problem, text: Any) -> Any:
    """The object that a text names, in plain JSON; None where it cannot be read."""
    case = case_of(problem.graph, plainly(problem).query)
    read = case.task.answer.read(text, case.names, "query")
    return None if isinstance(read, Fault) else case.task.answer.show(read)


def names_a_valid(problem: cv.Problem, text: Any) -> bool:
    value = stated(problem, text)
    return value is not None and brute.is_valid({"problem": plainly(problem).to_json(), "answer": value})


def count(problem: cv.Problem, truth: list[Any]) -> int:
    if problem.query.task in ("markov_blanket", "maximal_root_set", "optimal_adjustment"):
        (members,) = truth
        return len(members)
    return len(truth)


def size(value: Any) -> int:
    return len(value.nodes) if isinstance(value, cv.Path) else len(value)


def beats(form: str, other: Any, value: Any) -> bool:
    if form in ("minimal", "maximal"):
        return other < value if form == "minimal" else other > value
    return size(other) > size(value) if form == "longest" else size(other) < size(value)


def is_true(record: Record) -> bool:
    """The verdict is settled; here: is all that the witness states so?"""
    (problem, answer), w, valid = brute.open_record(record), record["witness"], record["valid"]
    form, fields = problem.query.form, set(w) - {"kind"}
    if form == "yes_no":
        return shows_claim(problem, problem.query.claim, w, (answer == "yes") is valid)
    if form in ("choice", "choice_not"):
        place = ascii_uppercase.index(answer)
        if place >= len(problem.query.options):
            return w == {"kind": "unreadable"}
        return shows_claim(problem, problem.query.options[place], w, (form == "choice") is valid)
    match form, w["kind"]:
        case "find_all", "all":
            listed = [key(problem, one) for one in w["objects"]]
            right = {key(problem, one) for one in every(problem)}
            return fields == {"objects"} and valid and len(listed) == len(right) and set(listed) == right
        case "find_all", "extra" | "left_out" as kind:
            extra, said = kind == "extra", {key(problem, one) for one in answer}
            fine = fields == {"object", "witness"} and not valid and (key(problem, w["object"]) in said) is extra
            return fine and shows(problem, w["object"], w["witness"], not extra)
        case "how_many", "count":
            truth = every(problem)
            listed = [key(problem, one) for one in w["objects"]]
            fine = fields == {"count", "objects"} and type(w["count"]) is int and w["count"] == count(problem, truth)
            return fine and len(listed) == len(truth) and set(listed) == {key(problem, one) for one in truth}
        case "existence", "none":
            return not fields and (answer == "no") is valid
        case "existence", "example":
            return fields == {"object", "witness"} and shows(problem, w["object"], w["witness"], True)
        case "minimal" | "minimum" | "maximal" | "shortest" | "longest", "better":
            better = beats(form, key(problem, w["object"]), key(problem, answer))
            return (
                not valid
                and fields == {"object", "witness"}
                and better
                and shows(problem, w["object"], w["witness"], True)
            )
        case "minimal" | "minimum" | "maximal" | "shortest" | "longest", _:
            return shows(problem, answer, w, valid)
    return False


def shows_claim(problem: cv.Problem, text: str, w: Any, valid: bool) -> bool:
    value = stated(problem, text)
    return w == {"kind": "unreadable"} and not valid if value is None else shows(problem, value, w, valid)


def shows(problem: cv.Problem, value: Any, w: Any, valid: bool) -> bool:
    """Is it a true proof of this verdict on one object?"""
    record = {"problem": plainly(problem).to_json(), "answer": value, "valid": valid, "why": "", "witness": w}
    return brute.is_true_proof(record)
