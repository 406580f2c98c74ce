"""Is a record a true proof?  Decided by brute force: the verdict by the definition, the witness statement by statement.

Shares no code with `calverify.recheck`; of the library it uses what reads and refuses problems and answers.
Numeric effects are judged in `brute_effects`, questions in other forms than find one in `brute_forms`.
"""

from itertools import pairwise
from typing import Any

import calverify as cv
from calverify.scoring import case_of, checker_for
from tests.oracles import criteria, definitions, relations
from tests.oracles.paths import Paths
from tests.recheck import brute_effects, brute_forms

Record = dict[str, Any]
FIELDS = {
    "unknown": {"names"}, "endpoint": {"role", "name"}, "descendant": {"path"}, "directed_walk": {"walk", "cut"},
    "separated": {"from", "to", "given", "states"}, "active_path": {"given", "path", "opened"},
    "blocked_path": {"at", "role", "given", "path"}, "instrument": {"relevant", "excluded"}, "no_edge": {"edge"},
    "front_door": {"set", "treatment", "outcome", "into", "out_of"}, "unreachable": {"from", "to", "reached", "cut"},
    "repeated": {"name"}, "cycle": {"cycle"}, "topological_order": {"order"}, "late_parent": {"edge"},
    "names": {"missing", "unknown"}, "people": {"missing", "unknown"}, "ends": {"path"}, "not_directed": {"path"},
    "path": {"path"}, "assignment": {"values", "said"}, "member": {"object", "all"}, "set": {"is", "extra", "missing"},
    "districts": {"parts"}, "children": {"node", "children"}, "roots": {"roots"}, "holds": set(),
    "graph": {"class", "nodes"}, "skeleton": {"pair"}, "v_structure": {"triple"}, "same": set(), "equivalent": set(),
    "effect": {"effect", "threshold"}, "strata": {"adjustment", "strata", "psi"},
    "certificate": {"adjustment", "strata", "psi", "separated"},
}  # fmt: skip
SETS = ("backdoor", "d_separation", "adjustment", "frontdoor", "blocked_path")


def is_true_proof(record: Any) -> bool:
    """A legal problem, a legal answer, the right verdict, and a witness that is true of them and about them."""
    try:
        whole = set(record) == {"problem", "answer", "valid", "why", "witness"} and type(record["valid"]) is bool
        return whole and is_valid(record) is record["valid"] and _is_true(record)
    except (cv.CalverifyError, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
        return False  # nothing that can be read as a proof


def open_record(record: Record) -> tuple[cv.Problem, Any]:
    """Problem and answer of a record; refused where the question makes no sense."""
    problem = cv.Problem.from_json(record["problem"])
    if problem.query.task == "ate":
        checker_for(problem)
    else:
        case_of(problem.graph, problem.query)
    return problem, record["answer"]


def distinct(names: Any) -> frozenset[str]:
    assert type(names) is list
    assert all(type(name) is str for name in names)
    assert len(set(names)) == len(names)
    return frozenset(names)


def typed(text: str) -> list[tuple[str, str, str]]:
    """The steps of a path of plain names."""
    words = text.split()
    assert len(words) % 2
    assert set(words[1::2]) <= {"->", "<-", "<->"}
    return [tuple(words[i : i + 3]) for i in range(0, len(words) - 2, 2)]


def is_valid(record: Record) -> bool:
    """The verdict on the answer, by the definition of the task."""
    problem, answer = open_record(record)
    graph, query, t = problem.graph, problem.query, problem.query.targets
    if query.form != "find_one":
        return brute_forms.is_valid(record)
    match query.task:
        case "ate":
            return brute_effects.is_right(problem, answer)
        case "c_forest" | "c_tree" | "is_c_component" as task:
            assert answer in ("yes", "no")
            holds = {"is_c_component": relations.is_c_component, "c_tree": relations.is_c_tree}
            return holds.get(task, relations.is_c_forest)(graph) is (answer == "yes")
        case "markov_equivalent":
            other = graph_of(answer)
            fine = class_of(other) == "dag" and set(other.nodes) == set(graph.nodes)
            return fine and set(other.directed) != set(graph.directed) and relations.equivalent(graph, plain_of(other))
        case "backdoor":
            return criteria.backdoor(graph, *t)(distinct(answer))
        case "d_separation":
            return criteria.d_separation(graph, *t)(distinct(answer))
        case "blocked_path":
            return criteria.blocked_path(graph, query.path.split()[::2], query.path.split()[1::2])(distinct(answer))
        case "adjustment" | "frontdoor" as task:
            return getattr(definitions, task)(graph, *t, distinct(answer))
        case "instrument":
            assert type(answer) is str
            return definitions.instrument(graph, *t, frozenset(query.given), answer)
        case "mediator" | "direct_mediator" | "intervention" as task:
            assert answer in ("yes", "no")
            return getattr(criteria, task)(graph, *t) is (answer == "yes")
        case "cycle":
            assert len(answer) > 1
            assert answer[0] == answer[-1]
            return criteria.closes(graph, answer[:-1])
        case "topological_order":
            return criteria.is_topological_order(graph, answer) if set(answer) == set(graph.nodes) else False
        case "path" | "directed_path" | "backdoor_path" as task:
            return definitions.is_path(graph, task, typed(answer), t)
        case "knights":
            values = {name: {"knight": True, "knave": False}[role] for name, role in answer.items()}
            if set(values) != set(t):
                return False
            return definitions.roles_hold(values, [(speaker, tree(text, t)) for speaker, text in query.formula])
        case "markov_blanket" | "maximal_root_set" | "optimal_adjustment":
            return distinct(answer) == the_set(problem)
        case "chain" | "fork" | "v_structure" as task:
            return distinct(answer) in relations.triples(graph, task)
        case "edge":
            return edge_of(answer) in relations.edges(graph)
        case "c_component":
            return distinct(answer) in definitions.districts(graph)
        case "node":
            assert type(answer) is str
            return answer in graph.nodes
    assert type(answer) is str
    return answer in definitions.relatives(graph, query.task, t[0])


def graph_of(answer: Any) -> Any:
    """The graph of an answer, read by the library."""
    assert {"nodes", "edges"} <= set(answer) <= {"nodes", "edges", "bidirected", "undirected"}
    arcs, lines = answer.get("bidirected", []), answer.get("undirected", [])
    return cv.Graph(answer["nodes"], answer["edges"], arcs, None, lines)


def plain_of(graph: Any) -> criteria.Plain:
    return criteria.Plain(tuple(graph.nodes), tuple(graph.directed), tuple(graph.bidirected))


def class_of(graph: Any) -> str:
    cyclic = any(criteria.reaches(graph, head, tail) for tail, head in graph.directed)
    return "undirected" if graph.undirected else "admg" if graph.bidirected else "directed" if cyclic else "dag"


def edge_of(text: str) -> tuple[str, str, str]:
    """One edge of plain names, as a record lists it."""
    a, mark, b = text.split()
    assert a != b
    assert mark == "->" or (mark in ("<->", "--") and a < b)
    return a, mark, b


def the_set(problem: cv.Problem) -> frozenset[str]:
    graph, t = problem.graph, problem.query.targets
    if problem.query.task == "maximal_root_set":
        return frozenset(graph.nodes) - {a for a, _ in graph.directed}
    by = definitions.blanket if problem.query.task == "markov_blanket" else definitions.optimal
    return by(graph, *t)


def tree(text: str, people: Any) -> Any:
    """The formula of a text as nested lists: what a record's tree must be."""
    from calverify import logic

    def grown(formula: Any) -> Any:
        if isinstance(formula, logic.Atom):
            return ["knight" if formula.knight else "knave", formula.name]
        return [formula.connective, *map(grown, formula.parts)]

    return grown(logic.read(text, people))


def _is_true(record: Record) -> bool:
    problem, answer = open_record(record)
    w = record["witness"]
    if problem.query.form != "find_one":
        return brute_forms.is_true(record)
    wanted = FIELDS[w["kind"]] | (
        {"onward"} if (problem.query.task, w["kind"]) == ("adjustment", "descendant") else set()
    )
    assert set(w) == {"kind", *wanted}
    task = problem.query.task
    if task == "ate":
        return brute_effects.shows(problem, answer, w, record["valid"])
    if task in ("c_forest", "c_tree", "is_c_component"):
        return _about_whole(problem.graph, task, w, (answer == "yes") is record["valid"])
    if task == "markov_equivalent":
        return _about_graph(problem.graph, graph_of(answer), w, record["valid"])
    if task in SETS or task == "instrument":
        return _about_set(problem, distinct(answer) if task in SETS else frozenset({answer}), w, record["valid"])
    if task in ("mediator", "direct_mediator", "intervention"):
        return _about_walk(problem, w, (answer == "yes") is record["valid"])
    if task in ("path", "directed_path", "backdoor_path", "cycle", "topological_order"):
        return _about_chain(problem, answer, w, record["valid"])
    return _about_list(problem, answer, w)


def _about_set(problem: cv.Problem, z: frozenset[str], w: Any, valid: bool) -> bool:
    graph, query, t = problem.graph, problem.query, problem.query.targets
    x, y = t
    match w["kind"]:
        case "unknown":
            return not valid and bool(distinct(w["names"])) and distinct(w["names"]) <= z - set(graph.nodes)
        case "endpoint":
            whose = {"treatment": {x}, "outcome": {y}, "end": {x, y}, "condition": set(query.given)}[w["role"]]
            return not valid and w["name"] in z & whose
        case "descendant":
            path = w["path"]
            fine = criteria.is_directed_path(graph, path, x, path[-1]) and path[-1] in z
            if query.task == "adjustment":
                on = w["onward"]
                fine = (
                    fine and on[0] in path[1:] and on[-1] == y and definitions.walks_on(on, graph.directed, graph.nodes)
                )
            return not valid and fine and query.task in ("backdoor", "adjustment")
        case "directed_walk":
            walk = w["walk"]
            fine = criteria.is_directed_path(graph, walk, x, y) and not z & set(walk)
            return not valid and fine and query.task == "frontdoor" and w["cut"] is None
        case "blocked_path":
            steps = [tuple(step) for step in w["path"]]
            fine = query.task == "blocked_path" and steps == typed(query.path) and distinct(w["given"]) == z
            return fine and valid and blocks(graph, steps, w["at"], w["role"], z)
        case "active_path" if query.task == "blocked_path":
            steps = [tuple(step) for step in w["path"]]
            ends = steps[0][0], steps[-1][2]
            fine = steps == typed(query.path) and distinct(w["given"]) == z
            return fine and not valid and criteria.is_active_path(graph, steps, w["opened"], *ends, z)
        case "instrument":
            (irrelevant, _), (excluded, _) = sides(problem, z)
            return (
                query.task == "instrument"
                and valid
                and shows(w["relevant"], irrelevant, False)
                and shows(w["excluded"], excluded, True)
            )
        case "front_door":
            fine = query.task == "frontdoor" and distinct(w["set"]) == z and (w["treatment"], w["outcome"]) == t
            known = [side for side, _ in sides(problem, z)]
            stated = w["into"] + w["out_of"]
            return fine and valid and len(stated) == len(known) and all(map(shows, stated, known, [True] * len(known)))
    return any(
        shows(w, side, separated) and valid is (separated is good and single)
        for side, good in sides(problem, z)
        for separated in (True, False)
        for single in (query.task not in ("frontdoor", "instrument"),)
        if separated is not good or single
    )


def sides(problem: cv.Problem, z: frozenset[str]) -> list[tuple[tuple[Any, str, str, frozenset[str]], bool]]:
    """(graph, from, to, given) of each separation that the task asks about, and whether it shall hold."""
    graph, task, (x, y) = problem.graph, problem.query.task, problem.query.targets
    out_of = criteria.without_edges_out_of
    if task == "instrument":
        (name,), given = z, frozenset(problem.query.given)
        return [
            ((graph, name, x, given), False),
            ((definitions.without_causal_starts(graph, x, y), name, y, given), True),
        ]
    if task == "frontdoor":
        into = [((out_of(graph, x), x, m, frozenset()), True) for m in sorted(z)]
        return into + [((out_of(graph, m), m, y, frozenset({x})), True) for m in sorted(z)]
    cut = {
        "backdoor": lambda: out_of(graph, x),
        "adjustment": lambda: definitions.without_causal_starts(graph, x, y),
        "d_separation": lambda: graph,
    }[task]()
    return [((cut, x, y, z), True)]


def shows(w: Any, side: tuple[Any, str, str, frozenset[str]], separated: bool) -> bool:
    """Is the witness a true one of this separation, or of this connection?"""
    graph, x, y, z = side
    kind = "separated" if separated else "active_path"
    if w["kind"] != kind or set(w) != {"kind", *FIELDS[kind]} or distinct(w["given"]) != z or {x, y} & z:
        return False
    if not separated:
        return criteria.is_active_path(graph, w["path"], w["opened"], x, y, z)
    states = [tuple(state) for state in w["states"]]
    assert len(set(states)) == len(states)
    legal = all(
        node in graph.nodes and (mark in ("head", "tail") or (node, mark) == (x, "start")) for node, mark in states
    )
    return legal and (w["from"], w["to"]) == (x, y) and criteria.is_separation_proof(graph, states, x, y, z)


def blocks(graph: Any, steps: list[Any], at: str, role: str, z: frozenset[str]) -> bool:
    for (_, before, node), (_, after, _) in pairwise(steps):
        collider = before in ("->", "<->") and after in ("<-", "<->")
        if node == at and role == ("collider" if collider else "noncollider"):
            return not Paths(graph).below[node] & z if collider else node in z
    return False


def _about_walk(problem: cv.Problem, w: Any, yes: bool) -> bool:
    """`yes` is what the record says the truth is."""
    graph, task, t = problem.graph, problem.query.task, problem.query.targets
    cut = t[0] if task == "intervention" else None
    judged, stops = (criteria.without_edges_into(graph, cut), t[-2:]) if cut else (graph, t)
    match w["kind"]:
        case "directed_walk":
            fine = w["cut"] == cut and (task != "direct_mediator" or tuple(w["walk"]) == t)
            return yes and fine and criteria.shows_a_yes(judged, w["walk"], stops)
        case "unreachable":
            reached = distinct(w["reached"])
            fine = reached <= set(graph.nodes) and w["cut"] == cut and (w["from"], w["to"]) in list(pairwise(stops))
            closed = definitions.closed_under(judged.directed, reached)
            return not yes and fine and closed and w["from"] in reached and w["to"] not in reached
    edge = tuple(w["edge"])
    return (
        w["kind"] == "no_edge"
        and not yes
        and task == "direct_mediator"
        and edge in pairwise(t)
        and edge not in graph.directed
    )


def _about_chain(problem: cv.Problem, answer: Any, w: Any, valid: bool) -> bool:
    graph, task, t = problem.graph, problem.query.task, problem.query.targets
    cycle, order = task == "cycle", task == "topological_order"
    steps = [] if cycle or order else typed(answer)
    walk = answer if cycle or order else answer.split()[::2]
    judged = criteria.without_edges_out_of(graph, t[0]) if task == "backdoor_path" else graph
    match w["kind"]:
        case "repeated":
            return not valid and not order and (walk[1:] if cycle else walk).count(w["name"]) > 1
        case "no_edge":
            edge = tuple(w["edge"])
            there = edge in graph.directed if cycle else not order and criteria.is_edge(judged, edge)
            return not valid and not there and edge in (list(pairwise(walk)) if cycle else steps)
        case "late_parent":
            parent, child = w["edge"]
            return not valid and order and (parent, child) in graph.directed and walk.index(parent) > walk.index(child)
        case "names":
            missing, unknown = set(graph.nodes) - set(walk), set(walk) - set(graph.nodes)
            stated = distinct(w["missing"]) == missing and distinct(w["unknown"]) == unknown
            return not valid and order and stated and bool(missing | unknown)
        case "ends" | "not_directed" as kind:
            wrong = (walk[0], walk[-1]) != t or not steps if kind == "ends" else {s[1] for s in steps} != {"->"}
            sort = kind == "ends" or task == "directed_path"
            return not valid and wrong and sort and typed(w["path"]) == steps and w["path"].split() == answer.split()
        case "topological_order":
            fine = criteria.is_topological_order(graph, w["order"])
            return fine and ((not valid and cycle) or (valid and order and w["order"] == walk))
        case "cycle":
            return valid and cycle and w["cycle"] == walk
        case "path":
            return valid and bool(steps) and [tuple(step) for step in w["path"]] == steps
    return False


def _about_list(problem: cv.Problem, answer: Any, w: Any) -> bool:
    """What `is_valid` has settled; here: is all that the witness states so?"""
    graph, query = problem.graph, problem.query
    if query.task == "knights":
        return _about_roles(problem, answer, w)
    if query.task == "edge":
        listed = [edge_of(one) for one in w["all"]]
        fine = len(set(listed)) == len(listed) and set(listed) == relations.edges(graph)
        return w["kind"] == "member" and edge_of(w["object"]) == edge_of(answer) and fine
    kind, members = w["kind"], frozenset(answer) if isinstance(answer, list) else frozenset({answer})
    if kind == "unknown":
        return bool(distinct(w["names"])) and distinct(w["names"]) <= members - set(graph.nodes)
    if query.task in ("markov_blanket", "maximal_root_set", "optimal_adjustment") and kind == "set":
        right = the_set(problem)
        return [distinct(w[field]) for field in ("is", "extra", "missing")] == [right, members - right, right - members]
    if query.task in ("markov_blanket", "maximal_root_set", "optimal_adjustment"):
        listed = [distinct(one) for one in w["all"]]
        return kind == "member" and distinct(w["object"]) == members and listed == [the_set(problem)]
    if query.task in ("c_component", "chain", "fork", "v_structure"):
        listed = [distinct(one) for one in w["all"]]
        by_task = definitions.districts(graph) if query.task == "c_component" else relations.triples(graph, query.task)
        fine = len(set(listed)) == len(listed) and set(listed) == by_task
        return kind == "member" and distinct(w["object"]) == members and fine
    right = set(graph.nodes) if query.task == "node" else definitions.relatives(graph, query.task, query.targets[0])
    return kind == "member" and w["object"] == answer and distinct(w["all"]) == right


def _about_roles(problem: cv.Problem, answer: Any, w: Any) -> bool:
    people = set(problem.query.targets)
    if w["kind"] == "people":
        missing, unknown = people - set(answer), set(answer) - people
        return (distinct(w["missing"]), distinct(w["unknown"])) == (missing, unknown) and bool(missing | unknown)
    values = {name: {"knight": True, "knave": False}[role] for name, role in answer.items()}
    if (
        w["kind"] != "assignment"
        or set(values) != people
        or repr(sorted(w["values"].items())) != repr(sorted(values.items()))
    ):
        return False
    for (speaker, text), said in zip(problem.query.formula, w["said"], strict=True):
        known = tree(text, problem.query.targets)
        if repr(said) != repr([speaker, values[speaker], text, definitions.value(known, values), known]):
            return False
    return True


def _about_whole(graph: Any, task: str, w: Any, yes: bool) -> bool:
    """`yes` is what the record says the truth is."""
    children = {node: {b for a, b in graph.directed if a == node} for node in graph.nodes}
    match w["kind"]:
        case "districts":
            parts = [distinct(part) for part in w["parts"]]
            known = definitions.districts(graph)
            return not yes and len(parts) == len(set(parts)) != 1 and set(parts) == known
        case "children":
            below = children[w["node"]]
            return not yes and task != "is_c_component" and len(below) > 1 and distinct(w["children"]) == below
        case "roots":
            roots = {node for node in graph.nodes if not children[node]}
            return not yes and task == "c_tree" and len(roots) != 1 and distinct(w["roots"]) == roots
    return w["kind"] == "holds" and yes


def _about_graph(graph: Any, other: Any, w: Any, valid: bool) -> bool:
    apart = set(other.nodes) ^ set(graph.nodes)
    match w["kind"]:
        case "graph":
            known = class_of(other)
            return not valid and w["class"] == known and distinct(w["nodes"]) == apart and bool(apart or known != "dag")
        case "skeleton":
            joined = [set(map(frozenset, one.directed)) for one in (graph, other)]
            return not valid and len(w["pair"]) == 2 and frozenset(w["pair"]) in joined[0] ^ joined[1]
        case "v_structure":
            a, middle, b = w["triple"]
            shown = [{(a, middle), (b, middle)} <= set(one.directed) and a < b for one in (graph, other)]
            free = [not {(a, b), (b, a)} & set(one.directed) for one in (graph, other)]
            return not valid and (shown[0] and free[0]) is not (shown[1] and free[1])
        case "same":
            same = set(other.directed) == set(graph.directed) and not apart and class_of(other) == "dag"
            return not valid and same
    return w["kind"] == "equivalent" and valid
