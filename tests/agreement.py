"""The library against the oracles, on one problem: every object judged, solved, mended and proved."""

import itertools
import json
from random import Random
from typing import Any

import calverify as cv
from calverify.scoring import case_of
from tests.known import Known
from tests.oracles import criteria, identification
from tests.oracles.paths import subsets

Names = frozenset[str]


def all_sets_agree(known: Known) -> int:
    """Every subset of the nodes, and sets with a name that the graph does not know; says how many."""
    problem = known.problem
    case = case_of(problem.graph, problem.query)
    tried = list(subsets(problem.graph.nodes))
    for names in tried:
        assert case.holds(names) == known.holds(names), (problem, sorted(names))
    for names in tried[:3]:
        assert not case.holds(names | {"nowhere"}), (problem, sorted(names))
    return len(tried)


def sets_are_solved(known: Known) -> None:
    """`solve` gives each inclusion-minimal set once, smallest first; `cheapest` one of the smallest."""
    problem = known.problem
    wanted = criteria.minimal(known.right)
    found = cv.solve(problem.graph, problem.query)
    assert len(found) == len(set(found)), problem
    assert set(found) == wanted, problem
    assert [len(names) for names in found] == sorted(len(names) for names in found)
    cheapest = cv.find_task(problem.query.task).cheapest(case_of(problem.graph, problem.query))
    if not wanted:
        assert cheapest is None, problem
    else:
        assert cheapest in wanted, problem
        assert len(cheapest) == min(map(len, wanted)), problem


def set_is_mended(known: Known, names: Names) -> None:
    """`nearest_valid` is valid, and no valid set needs fewer names added or removed."""
    problem = known.problem
    near = cv.nearest_valid(problem.graph, problem.query, names)
    if not known.right:
        assert near is None, problem
        return
    assert near == sorted(near)
    assert known.holds(frozenset(near)), (problem, names, near)
    assert len(names ^ set(near)) == min(len(names ^ right) for right in known.right), (problem, names, near)


def set_is_proved(known: Known, names: Names) -> cv.Check:
    """`check` agrees with the oracle, and its witness convinces test code that shares nothing with it."""
    problem = known.problem
    graph, query = problem.graph, problem.query
    said = cv.check(graph, query, names)
    assert said.valid == known.holds(names), (problem, sorted(names), said)
    assert said.answer == sorted(names)
    assert said.why
    proves(said.witness, graph, query, names, said.valid)
    return said


def proves(witness: Any, graph: Any, query: cv.Query, names: Names, valid: bool) -> None:
    """Every kind of witness that a task about sets may carry."""
    kind = witness["kind"]
    path = None if query.path is None else cv.Path.parse(query.path)
    x, y = query.targets if path is None else (path.nodes[0], path.nodes[-1])
    judged = JUDGED_IN.get(query.task, lambda graph, x, y: graph)(graph, x, y)
    match kind:
        case "unknown":
            assert not valid
            assert set(witness["names"]) == names - set(graph.nodes) != set()
        case "endpoint":
            assert not valid
            assert witness["name"] in names & {x, y}
        case "descendant":
            assert not valid
            assert query.task in ("backdoor", "adjustment")
            assert witness["path"][-1] in names
            if query.task == "adjustment":
                assert witness["path"][-1] in identification.on_or_below_a_causal_path(graph, x, y)
            assert criteria.is_directed_path(graph, witness["path"], x, witness["path"][-1])
        case "active_path" if query.task == "frontdoor":
            assert not valid
            assert spoils_a_front_door(graph, witness, x, y) in names
        case "directed_walk":
            assert not valid
            assert criteria.is_directed_path(graph, witness["walk"], x, y)
            assert not names & set(witness["walk"])
        case "front_door":
            assert valid
            assert (witness["set"], witness["treatment"], witness["outcome"]) == (sorted(names), x, y)
        case "active_path":
            assert not valid
            assert witness["given"] == sorted(names)
            assert criteria.is_active_path(judged, witness["path"], witness["opened"], x, y, names)
        case "separated":
            assert valid
            assert (witness["from"], witness["to"], witness["given"]) == (x, y, sorted(names))
            assert criteria.is_separation_proof(judged, witness["states"], x, y, names)
        case "blocked_path":
            assert valid
            assert [tuple(step) for step in witness["path"]] == list(path.steps())
            assert blocks(graph, path, witness["at"], witness["role"], names)
        case _:
            raise AssertionError(f"a witness of no known kind: {witness}")


JUDGED_IN = {
    "backdoor": lambda graph, x, y: criteria.without_edges_out_of(graph, x),
    "adjustment": identification.without_causal_starts,
}


def spoils_a_front_door(graph: Any, witness: Any, x: str, y: str) -> str | None:
    """The member of which the witness shows an open backdoor path, from X or to Y; None when it shows neither."""
    steps, given = witness["path"], witness["given"]
    start, stop = steps[0][0], steps[-1][2]
    cut = criteria.without_edges_out_of(graph, start)
    if not criteria.is_active_path(cut, steps, witness["opened"], start, stop, given):
        return None
    if start == x and given == []:
        return stop
    return start if stop == y and given == [x] else None


def blocks(graph: Any, path: cv.Path, node: str, role: str, names: Names) -> bool:
    """Does this interior node close the path, in the role it is said to have?"""
    place = path.nodes.index(node)
    if not 0 < place < len(path.nodes) - 1:
        return False
    collider = path.arrows[place - 1] in ("->", "<->") and path.arrows[place] in ("<-", "<->")
    if role == "collider":
        below = {node, *(other for other in graph.nodes if criteria.reaches(graph, node, other))}
        return collider and not below & names
    return role == "noncollider" and not collider and node in names


def decision_agrees(known: Known) -> None:
    """The right word, with a witness for whichever word it is."""
    problem = known.problem
    graph, query = problem.graph, problem.query
    (right,), (wrong,) = known.right, known.wrong
    assert cv.solve(graph, query) == [right], problem
    assert cv.nearest_valid(graph, query, wrong) == right
    for word in (right, wrong):
        said = cv.check(graph, query, word)
        assert said.valid == (word == right), (problem, said)
        assert said.answer == word
        decision_is_proved(said.witness, graph, query, right)


def decision_is_proved(witness: Any, graph: Any, query: cv.Query, right: str) -> None:
    stops = query.targets
    if query.task == "intervention":
        cut, stops = stops[0], stops[-2:]
        graph = criteria.without_edges_into(graph, cut)
        assert witness["cut"] == cut
    match witness["kind"]:
        case "directed_walk":
            assert right == "yes"
            assert criteria.shows_a_yes(graph, witness["walk"], stops)
            assert query.task != "direct_mediator" or tuple(witness["walk"]) == stops
        case "unreachable":
            assert right == "no"
            assert (witness["from"], witness["to"]) in list(itertools.pairwise(stops))
            reached = set(witness["reached"])
            assert witness["from"] in reached
            assert witness["to"] not in reached
            assert all(head in reached for tail, head in graph.directed if tail in reached)
        case "no_edge":
            assert right == "no"
            assert query.task == "direct_mediator"
            assert tuple(witness["edge"]) in list(itertools.pairwise(stops))
            assert tuple(witness["edge"]) not in graph.directed
        case _:
            raise AssertionError(f"a witness of no known kind: {witness}")


def object_agrees(known: Known) -> None:
    """Each answer judged as the oracle does, with a sentence; solved exactly where the answers can be listed."""
    problem = known.problem
    case = case_of(problem.graph, problem.query)
    task = case.task
    for value in [*known.right, *known.wrong]:
        right = value in known.right
        said = cv.check(problem.graph, problem.query, task.answer.show(value))
        assert said.valid == right == known.holds(value), (problem, value, said)
        assert said.why
        assert said.answer == task.answer.show(value)
        json.dumps(said.to_json())
    cheapest = task.cheapest(case)
    assert cheapest in known.right if known.right else cheapest is None, problem
    found = cv.solve(problem.graph, problem.query)
    assert len(found) == len(set(found)), problem
    assert set(found) == set(known.right), problem
    near = cv.nearest_valid(problem.graph, problem.query, task.answer.show(known.wrong[0]))
    assert near is None if not known.right else cv.check(problem.graph, problem.query, near).valid


def some(rng: Random, answers: Any, most: int) -> list[Any]:
    """A few of the answers, in an order of chance."""
    return rng.sample(list(answers), min(most, len(answers)))


__all__ = [
    "all_sets_agree",
    "decision_agrees",
    "decision_is_proved",
    "object_agrees",
    "proves",
    "set_is_mended",
    "set_is_proved",
    "sets_are_solved",
    "some",
]
