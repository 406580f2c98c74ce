"""Sets that separate, adjust or block, and instruments: what is valid or not because of separations."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

from .graphs import Graph
from .question import DECIDED, LISTED, Ask, Family, Question, plain_name
from .records import Set, chain, named, need, row, several, steps

__all__ = ["FAMILIES"]

SEPARATIONS = {"separated": "from to given states", "active_path": "given path opened"}
NAMES = {"unknown": "names", "endpoint": "role name"}


class Side(NamedTuple):
    """One separation that decides: shall it hold, in which graph, between what, given what?"""

    good: bool
    graph: Graph
    x: str
    y: str
    given: Set

    def holds(self) -> bool:
        return self.graph.joins(self.x, self.y, self.given) is not self.good

    def shown(self, w: Any) -> bool:
        """Does a witness show that it is as it shall be, or that it is not?"""
        return self.graph.separated(w, self.x, self.y, self.given) is self.good


def separations(q: Question, z: Set) -> list[Side]:
    """What makes a set (of an instrument: its one name) valid, as far as separations do."""
    g, (x, y) = q.graph, q.targets
    if q.task == "instrument":
        (name,) = z
        return [Side(False, g, name, x, q.given), Side(True, g.cut(x, q.way), name, y, q.given)]
    if q.task == "frontdoor":
        into = [Side(True, g.cut(x, g.nodes), x, member, frozenset()) for member in sorted(z)]
        return into + [Side(True, g.cut(member, g.nodes), member, y, frozenset({x})) for member in sorted(z)]
    heads = {"backdoor": g.nodes, "adjustment": q.way, "d_separation": frozenset[str]()}[q.task]
    return [Side(True, g.cut(x, heads), x, y, z)]


def allowed(q: Question) -> Set:
    """The names that may stand in a valid set."""
    below = {"backdoor": {q.targets[0]}, "adjustment": q.way}.get(q.task, ())
    return q.graph.nodes - {*q.targets} - q.given - q.graph.reach("->", below)


def admits(q: Question, z: Set) -> bool:
    """Are the names known and allowed, and do they meet every directed path where they have to?"""
    met = q.task != "frontdoor" or q.targets[1] not in q.graph.reach("->", q.targets[:1], z)
    return met and z <= allowed(q)


def blockers(q: Question, z: Set) -> list[list[str]]:
    """Where a set blocks the named path, and as what."""
    names, arrows = chain(q.path)
    inner = zip(arrows, names[1:], arrows[1:], strict=False)
    found = [(node, "collider" if a != "<-" and b != "->" else "noncollider") for a, node, b in inner]
    blocks = {"collider": q.graph.nodes - q.graph.reach("<-", z), "noncollider": z}
    return [[node, role] for node, role in found if node in blocks[role]]


def as_set(q: Question, value: Any) -> Set:
    return frozenset({value}) if q.task == "instrument" else frozenset(value)


def holds(q: Question, value: Any) -> bool:
    z = as_set(q, value)
    if not admits(q, z):
        return False
    if q.task == "blocked_path":
        return bool(blockers(q, z))
    return all(side.holds() for side in separations(q, z))


def subsets(q: Question) -> Iterator[Set]:
    """Every set of names that may stand in one, the smallest first."""
    names = sorted(allowed(q))
    return (frozenset(some) for size in range(len(names) + 1) for some in combinations(names, size))


def shows(q: Question, value: Any, w: Any) -> bool:
    """The guards one by one, each with a witness that it is broken; then the separations."""
    kind, t, z = w["kind"], q.targets, as_set(q, value)
    if kind == "unknown":
        need(several(w["names"]) and several(w["names"]) <= z - q.graph.nodes)
    elif kind == "endpoint":
        role = {"treatment": t[:1], "outcome": t[1:], "end": t, "condition": q.given}[w["role"]]
        need(w["name"] in z and w["name"] in role)
    elif kind == "descendant":
        path, on = row(w["path"]), row(w.get("onward", []))
        causal = on and q.graph.has(on) and on[0] in path[1:] and on[-1] == t[1]
        need((causal if q.task == "adjustment" else q.task == "backdoor") and q.graph.has(path))
        need(path[0] == t[0] and path[-1] in z and len(path) > 1)
    elif kind == "directed_walk":
        walk = row(w["walk"])
        need(q.task == "frontdoor" and w["cut"] is None and q.graph.has(walk))
        need(not z & {*walk} and (walk[0], walk[-1]) == t)
    else:
        return _shows_blocked(q, z, w) if q.task == "blocked_path" else _shows_separations(q, z, w)
    return False


def _shows_blocked(q: Question, z: Set, w: Any) -> bool:
    path = chain(q.path)
    need([row(step) for step in w["path"]] == steps(path) and several(w["given"]) == z, "another path")
    if w["kind"] == "active_path":
        return q.graph.separated(w, path[0][0], path[0][-1], z)
    need(w["kind"] == "blocked_path" and admits(q, z) and [w["at"], w["role"]] in blockers(q, z))
    return True


def _shows_separations(q: Question, z: Set, w: Any) -> bool:
    """Every separation of a front door or an instrument, or one that decides."""
    if w["kind"] in ("instrument", "front_door"):
        whole = w["kind"] == "instrument"
        shown = [w["relevant"], w["excluded"]] if whole else w["into"] + w["out_of"]
        about = whole or (several(w["set"]), w["treatment"], w["outcome"]) == (z, *q.targets)
        need(about and q.task == w["kind"].replace("_", "") and admits(q, z))
        need(all(side.shown(one) for one, side in zip(shown, separations(q, z), strict=True)))
        return True
    need(w["kind"] in SEPARATIONS)
    ends = (w["from"], w["to"]) if w["kind"] == "separated" else (w["path"][0][0], w["path"][-1][2])
    (side,) = [side for side in separations(q, z) if (side.x, side.y) == ends]
    valid = side.shown(w)
    need(not valid or (admits(q, z) and len(separations(q, z)) == 1))
    return valid


def _legal_path(q: Question) -> None:
    if q.task == "blocked_path":
        names, arrows = chain(q.path)
        whole = len(set(names)) == len(names) and q.graph.has(names, arrows) and {names[0], names[-1]} == {*q.targets}
        need(whole, "the path is not one of the graph")


def _legal_condition(q: Question) -> None:
    below = q.graph.reach("->", {q.targets[1], *q.way})
    need(not q.given & {q.targets[0], *below}, "the condition holds a name that it must not")


def _sets(tasks: dict[str, Ask], descendant: str) -> Family:
    return Family(
        tasks=tasks,
        kinds={
            **NAMES, **SEPARATIONS, "descendant": descendant, "directed_walk": "walk cut",
            "blocked_path": "at role given path", "front_door": "set treatment outcome into out_of",
        },
        value=lambda q, answer: several(answer),
        shows=shows,
        holds=holds,
        tried=subsets,
        forms=f"{DECIDED} minimal minimum maximal",
        legal=_legal_path,
    )  # fmt: skip


FAMILIES = (
    _sets({"backdoor": Ask(), "d_separation": Ask(), "frontdoor": Ask(), "blocked_path": Ask(takes="path")}, "path"),
    _sets({"adjustment": Ask()}, "path onward"),
    Family(
        tasks={"instrument": Ask(takes="given")},
        kinds={**NAMES, **SEPARATIONS, "instrument": "relevant excluded"},
        value=lambda q, answer: named(answer),
        shows=shows,
        holds=holds,
        tried=lambda q: sorted(q.graph.nodes),
        forms=LISTED,
        claimed=plain_name,
        legal=_legal_condition,
    ),
)
