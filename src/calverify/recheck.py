"""Proofs checked a second time, by code that shares nothing with the code that wrote them.

A proof is {"problem", "answer", "valid", "why", "witness"} in plain JSON; `recheck` says why a record is none.

Rule 1: the standard library only and nothing of calverify, so that this file can be read, and used, by itself.
Rule 2: a proof passes when its witness alone shows that the answer is valid, or that it is not.
Rule 3: what is unknown, extra, missing or listed twice is refused.  The sentence `why` proves nothing and is not read.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, permutations
from typing import Any

__all__ = ["recheck"]

SHAPES = {  # what an answer is, and the tasks that ask for one; another task goes here and among the kinds of witness
    "set": "backdoor d_separation adjustment frontdoor blocked_path",
    "name": "instrument",
    "word": "mediator direct_mediator intervention",
    "path": "path directed_path backdoor_path",
    "cycle": "cycle",
    "order": "topological_order",
    "roles": "knights",
    "listed edge": "edge",
    "listed name": "node parent child ancestor descendant",
    "listed set": "c_component markov_blanket maximal_root_set optimal_adjustment chain fork v_structure",
}
TRIPLES = {"chain": ("<-", "->"), "fork": ("->", "->"), "v_structure": ("<-", "<-")}  # seen from the middle
WHOLE = "cycle node c_component maximal_root_set edge chain fork v_structure"  # asked of a whole graph, cyclic or not
CYCLIC = f"{WHOLE} {SHAPES['path']} {SHAPES['listed name']} direct_mediator intervention"
COUNTS = {"listed name": (1,), "markov_blanket": (1,), "word": (3,), "intervention": (2, 3), "roles": (*range(99),)}
COUNTS |= dict.fromkeys(("order", *WHOLE.split()), (0,))
KINDS = {  # of witnesses, with their fields
    "unknown": "names", "endpoint": "role name", "descendant": "path", "separated": "from to given states",
    "active_path": "given path opened", "blocked_path": "at role given path", "directed_walk": "walk cut",
    "instrument": "relevant excluded", "front_door": "set treatment outcome into out_of", "no_edge": "edge",
    "unreachable": "from to reached cut", "repeated": "name", "cycle": "cycle", "topological_order": "order",
    "late_parent": "edge", "names": "missing unknown", "ends": "path", "not_directed": "path", "path": "path",
    "people": "missing unknown", "assignment": "values said", "member": "object all", "set": "is extra missing",
}  # fmt: skip
BETWEEN = {"not": "not ", "and": " and ", "or": " or ", "implies": " then ", "iff": " if and only if "}
WORD = re.compile(r'"((?:[^"]|"")++)"|([^\s"]++)')
Set = frozenset[str]


class Refused(Exception):
    """Why a record proves nothing."""


def need(fact: object, why: str = "the witness does not show the verdict") -> None:
    if not fact:
        raise Refused(why)


def row(value: Any, size: int | None = None) -> tuple[str, ...]:
    named = type(value) is list and all(type(item) is str and item and item == item.strip() for item in value)
    need(named and size in (None, len(value)), f"no list of {size or ''} names: {value!r:.60}")
    return tuple(value)


def several(value: Any, read: Callable[[Any], Any] | None = None) -> frozenset[Any]:
    found = frozenset(map(read, value) if read else row(value))
    need(type(value) is list and len(found) == len(value), f"no list, or listed twice: {value!r:.60}")
    return found


def fields(record: Any, wanted: str) -> list[Any]:
    need(type(record) is dict and set(record) == set(wanted.split()), f"the fields must be {wanted}")
    return [record[name] for name in wanted.split()]


def chain(text: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and arrows: "F -> P <- T" -> (("F", "P", "T"), ("->", "<-"))."""
    words = [quoted.replace('""', '"') or plain for quoted, plain in WORD.findall(text)]
    need(len(words) % 2 and set(words[1::2]) <= {"->", "<-", "<->"}, f"no path: {text!r:.60}")
    return tuple(words[::2]), tuple(words[1::2])


def steps(path: Any) -> list[tuple[str, ...]]:
    return list(zip(path[0], path[1], path[0][1:], strict=False))


class Graph:
    """`arrows` a -> b and `arcs` a <-> b (with a < b); `at` has the (arrow, end) at each node."""

    def __init__(self, nodes: Iterable[str], arrows: Iterable[Any], arcs: Iterable[Any] = ()) -> None:
        self.nodes, self.arrows, self.arcs = map(frozenset, (nodes, arrows, arcs))
        self.at: dict[str, list[tuple[str, str]]] = {node: [] for node in self.nodes}
        for edges, there, back in ((self.arrows, "->", "<-"), (self.arcs, "<->", "<->")):
            for a, b in edges:
                self.at[a].append((there, b))
                self.at[b].append((back, a))

    def reach(self, arrow: str, start: Iterable[str], stop: Iterable[str] = ()) -> Set:
        """`start` and all that "->" (or "<-", or "<->") leads to without entering `stop`."""
        found, queue = set(start), list(start)
        for node in queue:  # grows while we walk it
            queue += (new := {b for mark, b in self.at[node] if mark == arrow} - found - set(stop))
            found |= new
        return frozenset(found)

    def cut(self, tail: str, heads: Iterable[str]) -> "Graph":
        """The graph without the arrows from `tail` to `heads`."""
        return Graph(self.nodes, ((a, b) for a, b in self.arrows if a != tail or b not in heads), self.arcs)

    def has(self, nodes: Sequence[str], arrows: Sequence[str] = ()) -> bool:
        """Is each step of the chain (by default of arrows forward) an edge?"""
        taken = zip(nodes, arrows or ["->"] * len(nodes), nodes[1:], strict=False)
        return len(nodes) > 0 and set(nodes) <= self.nodes and all((arrow, b) in self.at[a] for a, arrow, b in taken)

    def triples(self, marks: tuple[str, str]) -> frozenset[Set]:
        """The three nodes of each pair of arrows with these marks at one node, whose ends no arrow joins."""
        pairs = [(node, *pair) for node in self.nodes for pair in permutations(self.at[node], 2)]
        ends = [(a, node, b) for node, (mark, a), (other, b) in pairs if (mark, other) == marks and a != b]
        return frozenset(frozenset(three) for three in ends if not {three[::2], three[::-2]} & self.arrows)

    def sorts(self, order: Sequence[str]) -> bool:
        """Does every node stand in the order once, parents first?"""
        return sorted(order) == sorted(self.nodes) and all(order.index(a) < order.index(b) for a, b in self.arrows)

    def moves(self, state: tuple[str, ...], z: Set, opened: Set) -> Iterator[tuple[str, str]]:
        """Where an active walk may go: past a collider that is opened, past anything else that is not given."""
        for arrow, other in self.at[state[0]]:
            collider = state[1] == "head" and arrow != "->"
            if state[1] == "start" or (state[0] in opened if collider else state[0] not in z):
                yield other, "tail" if arrow == "<-" else "head"

    def separated(self, w: Any, x: str, y: str, z: Set) -> bool:
        """Which of the two does a witness show: x and y separated by z, or joined by an active path?"""
        need(not z & {x, y} and x != y and {x, y} <= self.nodes, "not two nodes that are not given")
        if w["kind"] != "separated":
            return self._joined(w, x, y, z)
        _, start, stop, given, listed = fields(w, "kind from to given states")
        states, opened = several(listed, lambda state: row(state, 2)), self.reach("<-", z & self.nodes)
        need((start, stop, several(given)) == (x, y, z) and (x, "start") in states, "another separation is shown")
        for state in states:
            marked = state[1] in ("head", "tail") or state == (x, "start")
            need(marked and state[0] in self.nodes - {y}, f"no state of a walk: {state}")
            left = {after for after in self.moves(state, z, opened) if after[0] != x} - states
            need(not left, f"the walk goes on from {state} to {left}, which is not listed")
        return True

    def _joined(self, w: Any, x: str, y: str, z: Set) -> bool:
        """The path runs from x to y, edge by edge, and a directed path into z leaves each of its colliders."""
        kind, given, path, opened = fields(w, "kind given path opened")
        taken = [row(step, 3) for step in path]
        nodes, arrows = (x, *(step[2] for step in taken)), tuple(step[1] for step in taken)
        need(kind == "active_path" and several(given) == z and taken == steps((nodes, arrows)), "no path")
        need(len(set(nodes)) == len(nodes) and nodes[-1] == y and self.has(nodes, arrows), "no path from end to end")
        colliders = {c for a, c, b in zip(arrows, nodes[1:], arrows[1:], strict=False) if a != "<-" and b != "->"}
        need(set(opened) == colliders and not (set(nodes) - colliders) & z, "the path is blocked")
        for collider, below in opened.items():
            need(self.has(row(below)) and below[0] == collider and below[-1] in z, f"{collider} is not opened")
        return False


def read_graph(record: Any) -> tuple[Graph, str]:
    """The graph of a record, and its class."""
    whole = {"bidirected": [], "undirected": [], "class": None, **record}
    nodes, *lists, declared = fields(whole, "nodes directed bidirected undirected class")
    known = left = several(nodes)
    arrows, arcs, lines = (several(part, lambda edge: row(edge, 2)) for part in lists)
    need(all(a != b and {a, b} <= known for a, b in arrows | arcs), "an edge joins two of the nodes")
    graph = Graph(known, arrows, several([sorted(arc) for arc in arcs], tuple))
    while free := {b for b in left if not any(mark == "<-" and a in left for mark, a in graph.at[b])}:
        left -= free
    wider = () if left or arcs else ("admg", "directed")
    kind = "directed" if left else "admg" if arcs else "dag"
    need(not lines and not (left and arcs) and declared in (None, kind, *wider), "no graph of its class")
    return graph, kind


class Question:
    """A problem, read; what its task does not admit is refused."""

    def __init__(self, problem: Any) -> None:
        ident, text, query, graph = fields({"text": "", "graph": None, **problem}, "id text query graph")
        need(row([ident]) and type(text) is str, "the problem has no id")
        need(query.get("form", "find_one") == "find_one", "no proof of a question in this form can be rechecked yet")
        whole = {"path": None, "given": [], "formula": [], **query, "form": 0}
        self.task, t, path, given, formula, _ = fields(whole, "task targets path given formula form")
        found = [shape for shape, tasks in SHAPES.items() if str(self.task) in tasks.split()]
        need(found, f"no proof of the task {self.task!r:.60} can be rechecked yet")
        self.shape, self.targets, self.given = found[0], row(t), several(given)
        self.graph, kind = (Graph(row(t), ()), "dag") if self.shape == "roles" else read_graph(graph)
        need(kind != "directed" or self.task in CYCLIC.split(), f"{self.task} is not asked on a graph with a cycle")
        t = self.targets[-2:] if self.task == "intervention" else self.targets
        need({*self.targets, *given} <= self.graph.nodes and len(set(t)) == len(t), "wrong targets")
        need(len(self.targets) in COUNTS.get(self.task, COUNTS.get(self.shape, (2,))), "the wrong number of targets")
        self.way = self.graph.reach("->", t[:1]) & self.graph.reach("<-", t[1:]) - {*t[:1]}  # of the causal paths
        illegal = {t[0], *self.graph.reach("->", {t[1], *self.way})} if self.task == "instrument" else self.given
        fits = not self.given & illegal and (path is None or self.task == "blocked_path") and type(formula) is list
        need(fits and (graph is None or self.shape != "roles"), "the problem has a field that its task does not admit")
        self.path = chain(path) if self.task == "blocked_path" else ((), ())
        once = len(set(self.path[0])) == len(self.path[0]) and self.graph.has(*self.path)
        need(path is None or (once and {self.path[0][0], self.path[0][-1]} == {*t}), "the path is not one of the graph")
        self.said = [row(pair, 2) for pair in formula]
        need({speaker for speaker, _ in self.said} <= {*self.targets}, "a speaker is not among the people")
        need(self.task != "optimal_adjustment" or (self.way and not self.graph.arcs), "no optimal set is defined")

    def sides(self, z: Any) -> list[Any]:
        """The separations that make or break a set or an instrument: (shall it be?, graph, from, to, given)."""
        g, (x, y) = self.graph, self.targets
        if self.task == "instrument":
            return [(False, g, z, x, self.given), (True, g.cut(x, self.way), z, y, self.given)]
        if self.task == "frontdoor":
            into: list[Any] = [(True, g.cut(x, g.nodes), x, member, frozenset()) for member in sorted(z)]
            return into + [(True, g.cut(member, g.nodes), member, y, frozenset({x})) for member in sorted(z)]
        heads = {"backdoor": g.nodes, "adjustment": self.way, "d_separation": ()}[self.task]
        return [(True, g.cut(x, heads), x, y, z)]

    def admits(self, z: Set) -> bool:
        """Are the names known and allowed, and do they meet every directed path where they have to?"""
        x, y, reach = *self.targets, self.graph.reach
        below = {"backdoor": {x}, "adjustment": self.way}.get(self.task, ())
        met = self.task != "frontdoor" or y not in reach("->", {x}, z)
        return met and z <= self.graph.nodes - {x, y} - self.given - reach("->", below)

    def blockers(self, z: Set) -> list[list[str]]:
        """Where a set blocks the named path, and as what."""
        inner = zip(self.path[1], self.path[0][1:], self.path[1][1:], strict=False)
        found = [(node, "collider" if a != "<-" and b != "->" else "noncollider") for a, node, b in inner]
        blocks = {"collider": self.graph.nodes - self.graph.reach("<-", z), "noncollider": z}
        return [[node, role] for node, role in found if node in blocks[role]]

    def truth(self) -> Any:
        """Every valid answer of a task whose answers can simply be listed."""
        g, t, reach = self.graph, self.targets, self.graph.reach
        near = {mark: {b for arrow, b in g.at[t[0]] if arrow == mark} for mark in ("->", "<-", "<->") if t}
        districts = [reach("<->", near["->"] | near["<->"], t)] if t else []
        into = [a for a, b in g.arrows if b in self.way]
        lists: dict[str, Callable[[], Any]] = {
            "node": lambda: g.nodes,
            "edge": lambda: {(edge, ("->",)) for edge in g.arrows} | {(edge, ("<->",)) for edge in g.arcs},
            "parent": lambda: near["<-"],
            "child": lambda: near["->"],
            "ancestor": lambda: reach("<-", t) - {*t},
            "descendant": lambda: reach("->", t) - {*t},
            "c_component": lambda: {reach("<->", {node}) for node in g.nodes},
            "maximal_root_set": lambda: {g.nodes - {a for a, _ in g.arrows}},
            "markov_blanket": lambda: {(d | {a for a, b in g.arrows if b in {*d, *t}}) - {*t} for d in districts},
            "optimal_adjustment": lambda: {frozenset(into) - reach("->", self.way) - {t[0]}},
        }
        return lists[self.task]() if self.task in lists else g.triples(TRIPLES[self.task])

    def value(self, v: Any) -> Any:
        """An answer in plain JSON as a value that can be compared."""
        if self.shape in ("path", "cycle", "order"):
            return chain(v) if self.shape == "path" else row(v)
        if self.shape == "listed edge":
            (a, b), (mark,) = chain(v)
            need(mark == "->" or (mark == "<->" and a < b), f"no edge as it is listed: {v!r:.60}")
            return (a, b), (mark,)
        if self.shape.endswith("set"):
            return several(v)
        if self.shape == "roles":
            return {name: {"knight": True, "knave": False}[role] for name, role in v.items()}
        need(type(v) is str and (v in ("yes", "no") or self.shape != "word"), f"no answer: {v!r:.60}")
        return v

    def shows(self, answer: Any, w: Any) -> bool:
        """The verdict on the answer that the witness proves."""
        v = self.value(answer)
        onward = " onward" * (self.task == "adjustment" and w["kind"] == "descendant")
        fields(w, f"kind {KINDS.get(str(w['kind']), '')}{onward}")
        if (self.shape, w["kind"]) in (("order", "names"), ("roles", "people")):
            missing, unknown = self.graph.nodes - {*v}, {*v} - self.graph.nodes
            need(missing | unknown and [several(w["missing"]), several(w["unknown"])] == [missing, unknown])
            return False
        if self.shape.endswith(("set", "name", "edge")):
            return self._about_set(v, v if self.shape.endswith("set") else {v}, w)
        return {"word": self._about_walk, "roles": self._about_roles}.get(self.shape, self._about_chain)(v, w)

    def _about_set(self, v: Any, z: Any, w: Any) -> bool:
        g, t, kind = self.graph, self.targets, w["kind"]
        if kind == "unknown" and self.shape != "listed edge":
            need(several(w["names"]) and several(w["names"]) <= z - g.nodes)
        elif self.shape.startswith("listed"):
            truth, member = self.truth(), kind == "member"
            split = [] if member else [(several(w["is"]), several(w["extra"]), several(w["missing"]))]
            whole = member and self.value(w["object"]) == v and several(w["all"], self.value) == truth
            need(whole or (kind == "set" and split == [(right, z - right, right - z) for right in truth]))
            return v in truth
        elif kind == "endpoint":
            role = {"treatment": t[:1], "outcome": t[1:], "end": t, "condition": self.given}[w["role"]]
            need(w["name"] in z and w["name"] in role)
        elif kind == "descendant":
            path, on = row(w["path"]), row(w.get("onward", []))
            causal = on and g.has(on) and on[0] in path[1:] and on[-1] == t[1]
            need((causal if self.task == "adjustment" else self.task == "backdoor") and g.has(path))
            need(path[0] == t[0] and path[-1] in z and len(path) > 1)
        elif kind == "directed_walk" and self.task == "frontdoor":
            walk = row(w["walk"])
            need(w["cut"] is None and g.has(walk) and not z & {*walk} and (walk[0], walk[-1]) == t)
        elif self.task == "blocked_path":
            need([row(step) for step in w["path"]] == steps(self.path) and several(w["given"]) == z, "another path")
            if kind == "active_path":
                return g.separated(w, self.path[0][0], self.path[0][-1], z)
            need(kind == "blocked_path" and self.admits(z) and [w["at"], w["role"]] in self.blockers(z))
            return True
        elif kind in ("instrument", "front_door"):
            shown = [w["relevant"], w["excluded"]] if kind == "instrument" else w["into"] + w["out_of"]
            about = kind == "instrument" or (several(w["set"]), w["treatment"], w["outcome"]) == (z, *t)
            need(about and self.task == kind.replace("_", "") and self.admits(z))
            asked = zip(shown, self.sides(v), strict=True)
            need(all(graph.separated(one, *side) is good for one, (good, graph, *side) in asked))
            return True
        else:
            ends = [w["from"], w["to"]] if kind == "separated" else [w["path"][0][0], w["path"][-1][2]]
            ((good, graph, *side),) = [side for side in self.sides(v) if list(side[2:4]) == ends]
            valid = graph.separated(w, *side) is good
            need(not valid or (self.admits(z) and len(self.sides(v)) == 1))
            return valid
        return False

    def _about_walk(self, v: str, w: Any) -> bool:
        """Through all stops, or a leg between two of them that cannot be walked."""
        t, g, kind, direct = self.targets, self.graph, w["kind"], self.task == "direct_mediator"
        cut = t[0] if self.task == "intervention" else None
        t, g = t[-2:] if cut else t, Graph(g.nodes, (edge for edge in g.arrows if edge[1] != cut))
        need(w.get("cut") == cut, "another question is answered")
        if kind == "directed_walk":
            walk = row(w["walk"])
            passes = (walk[0], walk[-1]) == (t[0], t[-1]) and {*t[1:-1]} <= {*walk[1:-1]}
            need(g.has(walk) and passes and (walk == t or not direct))
            return v == "yes"
        leg, reached = row(w.get("edge") or [w["from"], w["to"]]), several(w.get("reached", []))
        closed = leg[0] in reached and leg[1] not in reached and g.reach("->", reached) == reached
        need(leg in list(pairwise(t)) and (direct and leg not in g.arrows if kind == "no_edge" else closed))
        return v == "no"

    def _about_chain(self, v: Any, w: Any) -> bool:
        """A path, a cycle or an order, step by step; or the place where it is none."""
        t, walk = self.targets, v[0] if self.shape == "path" else v
        g = self.graph.cut(t[0], self.graph.nodes) if self.task == "backdoor_path" else self.graph
        need(self.shape != "cycle" or (len(v) > 1 and v[0] == v[-1]), "a cycle ends where it starts")
        inner, edge = walk[self.shape == "cycle" :], row(w.get("edge", []))
        ends, forward = (walk[0], walk[-1]) == t, self.task != "directed_path" or {*v[1]} == {"->"}
        once, whole = len(set(inner)) == len(inner), [row(step) for step in w["path"]] if w["kind"] == "path" else []
        checks: dict[str, Callable[[], bool]] = {
            f"repeated {self.shape}": lambda: self.shape != "order" and inner.count(w["name"]) > 1,
            "no_edge path": lambda: edge in steps(v) and not g.has(edge[::2], edge[1:2]),
            "no_edge cycle": lambda: edge in list(pairwise(walk)) and edge not in g.arrows,
            "topological_order cycle": lambda: g.sorts(row(w["order"])),
            "ends path": lambda: chain(w["path"]) == v and not (ends and len(walk) > 1),
            "not_directed path": lambda: chain(w["path"]) == v and not forward,
            "late_parent order": lambda: edge in g.arrows and v.index(edge[0]) > v.index(edge[1]),
            "topological_order order": lambda: row(w["order"]) == v and g.sorts(v),
            "cycle cycle": lambda: row(w["cycle"]) == v and once and g.has(v),
            "path path": lambda: whole == steps(v) != [] and once and ends and forward and g.has(*v),
        }
        sort = f"{w['kind']} {self.shape}"
        need(checks[sort]())
        return sort in ("topological_order order", "cycle cycle", "path path")

    def _about_roles(self, v: Any, w: Any) -> bool:
        """Every formula with its value: as a tree, which prints as the problem spells it."""
        need(w["kind"] == "assignment" and {*v} == {*self.targets} and w["values"] == v, "another assignment is shown")
        need({type(value) for value in w["values"].values()} == {bool}, "a role is true or false")
        verdicts = []
        for (speaker, text), (who, role, shown, says, tree) in zip(self.said, w["said"], strict=True):
            words, value = said(tree, v, text)
            need((who, shown, words) == (speaker, text, text) and role is v[speaker] and says is value)
            verdicts.append(role is says)
        return all(verdicts)


def said(tree: Any, roles: Any, text: str) -> tuple[str, bool]:
    """What a formula prints as in `text`, and its value."""
    head, *parts = tree
    need(len(parts) == 1 + (head in ("implies", "iff")) or (head in ("and", "or") and len(parts) > 1), "no formula")
    if head in ("knight", "knave"):
        quoted = '"' + parts[0].replace('"', '""') + '"'
        need(quoted in text or not {*parts[0]} & {*' ()"'}, f"{parts[0]!r:.60} stands without quotes")
        return f"{quoted if quoted in text else parts[0]} is a {head}", roles[parts[0]] is (head == "knight")
    inner = [(said(part, roles, text), part[0]) for part in parts]
    values = [value for (_, value), _ in inner]
    words = [f"({spelled})" if of in ("and", "or", "implies", "iff") else spelled for (spelled, _), of in inner]
    if head == "not":
        denied = parts[0][0] in ("knight", "knave")
        return " is not a ".join(words[0].rsplit(" is a ", 1)) if denied else f"not {words[0]}", not values[0]
    holds = {"and": all(values), "or": any(values), "implies": not values[0] or values[-1]}
    return "if " * (head == "implies") + BETWEEN[head].join(words), holds.get(head, len(set(values)) == 1)


def recheck(record: Any) -> str | None:
    """Why the record proves nothing; None when its witness proves its verdict."""
    try:
        problem, answer, valid, _, witness = fields(record, "problem answer valid why witness")
        need(Question(problem).shows(answer, witness) is valid, "the witness shows the opposite verdict")
    except Refused as why:
        return str(why)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        return f"the record is damaged: {error!r:.200}"
    return None
