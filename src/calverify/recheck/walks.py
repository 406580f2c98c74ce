"""Directed walks that decide a question; paths, cycles and orders that answer one."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from .graphs import Graph
from .question import ANY, LISTED, Ask, Family, Question
from .records import Chain, chain, json_text, need, row, several, steps, word

__all__ = ["FAMILIES"]


def shows_walk(q: Question, value: str, w: Any) -> bool:
    """Through all stops, or a leg between two of them that cannot be walked."""
    t, g, kind, direct = q.targets, q.graph, w["kind"], q.task == "direct_mediator"
    cut = t[0] if q.task == "intervention" else None
    t, g = t[-2:] if cut else t, Graph(g.nodes, (edge for edge in g.arrows if edge[1] != cut))
    need(w.get("cut") == cut, "another question is answered")
    if kind == "directed_walk":
        walk = row(w["walk"])
        passes = (walk[0], walk[-1]) == (t[0], t[-1]) and {*t[1:-1]} <= {*walk[1:-1]}
        need(g.has(walk) and passes and (walk == t or not direct))
        return value == "yes"
    leg, reached = row(w.get("edge") or [w["from"], w["to"]]), several(w.get("reached", []))
    closed = leg[0] in reached and leg[1] not in reached and g.reach("->", reached) == reached
    need(leg in list(pairwise(t)) and (direct and leg not in g.arrows if kind == "no_edge" else closed))
    return value == "no"


# ---------------------------------------------------------------- paths


def judged(q: Question) -> Graph:
    """Where a path is to be found: a backdoor path never leaves its first node by an arrow out of it."""
    return q.graph.cut(q.targets[0], q.graph.nodes) if q.task == "backdoor_path" else q.graph


def holds_path(q: Question, value: Chain) -> bool:
    names, marks = value
    once, ends = len(set(names)) == len(names) > 1, (names[0], names[-1]) == q.targets
    forward = q.task != "directed_path" or {*marks} == {"->"}
    return once and ends and forward and judged(q).has(names, marks)


def shows_path(q: Question, value: Chain, w: Any) -> bool:
    """A path step by step, or the place where it is none."""
    names, edge, kind = value[0], row(w.get("edge", [])), w["kind"]
    ends = (names[0], names[-1]) == q.targets and len(names) > 1
    checks: dict[str, Callable[[], bool]] = {
        "repeated": lambda: names.count(w["name"]) > 1,
        "no_edge": lambda: edge in steps(value) and not judged(q).has(edge[::2], edge[1:2]),
        "ends": lambda: chain(w["path"]) == value and not ends,
        "not_directed": lambda: chain(w["path"]) == value and q.task == "directed_path" and {*value[1]} != {"->"},
        "path": lambda: [row(step) for step in w["path"]] == steps(value) != [] and holds_path(q, value),
    }
    need(checks[kind]())
    return bool(kind == "path")


# ---------------------------------------------------------------- cycles


def read_cycle(q: Question, answer: Any) -> tuple[str, ...]:
    value = row(answer)
    need(len(value) > 1 and value[0] == value[-1], "a cycle ends where it starts")
    simple = len(set(value[1:])) == len(value[1:])
    need(value[0] == min(value) or not simple, "a cycle is listed from its least name on")
    return value


def holds_cycle(q: Question, value: tuple[str, ...]) -> bool:
    return len(set(value[1:])) == len(value[1:]) and q.graph.has(value)


def shows_cycle(q: Question, value: tuple[str, ...], w: Any) -> bool:
    edge, kind = row(w.get("edge", [])), w["kind"]
    checks: dict[str, Callable[[], bool]] = {
        "repeated": lambda: value[1:].count(w["name"]) > 1,
        "no_edge": lambda: edge in list(pairwise(value)) and edge not in q.graph.arrows,
        "topological_order": lambda: q.graph.sorts(row(w["order"])),
        "cycle": lambda: row(w["cycle"]) == value and holds_cycle(q, value),
    }
    need(checks[kind]())
    return bool(kind == "cycle")


def cycles(q: Question) -> Iterator[tuple[str, ...]]:
    """Every directed walk that visits no node twice and none before its first in the alphabet, closed."""
    for start in sorted(q.graph.nodes) if q.kind == "directed" else ():
        later = [node for node in q.graph.nodes if node >= start]
        arrows = [edge for edge in q.graph.arrows if {*edge} <= {*later}]
        yield from ((*names, start) for names, _ in Graph(later, arrows).simple(start, frozenset({"->"})))


# ---------------------------------------------------------------- orders


def read_order(q: Question, answer: Any) -> tuple[str, ...]:
    value = row(answer)
    need(len(set(value)) == len(value), "a name stands twice in the ordering")
    return value


def shows_order(q: Question, value: tuple[str, ...], w: Any) -> bool:
    kind = w["kind"]
    if kind == "names":
        missing, unknown = q.graph.nodes - {*value}, {*value} - q.graph.nodes
        need(missing | unknown and [several(w["missing"]), several(w["unknown"])] == [missing, unknown])
    elif kind == "late_parent":
        edge = row(w["edge"])
        need(edge in q.graph.arrows and value.index(edge[0]) > value.index(edge[1]))
    else:
        need(row(w["order"]) == value and q.graph.sorts(value))
    return bool(kind == "topological_order")


def orders(q: Question) -> Iterator[tuple[str, ...]]:
    """Every beginning of an order in which parents stand first."""
    above = {node: q.graph.near("<-", node) for node in sorted(q.graph.nodes)}
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        begun = waiting.pop()
        yield begun
        waiting += [(*begun, node) for node in above if node not in begun and above[node] <= {*begun}]


WRONG = {"no_edge": "edge", "repeated": "name"}
FAMILIES = (
    Family(
        tasks={"mediator": Ask((3,)), "direct_mediator": Ask((3,), ANY), "intervention": Ask((2, 3), ANY)},
        kinds={"directed_walk": "walk cut", "unreachable": "from to reached cut", "no_edge": "edge"},
        value=lambda q, answer: word(answer),
        shows=shows_walk,
    ),
    Family(
        tasks={"path": Ask(graphs=ANY), "directed_path": Ask(graphs=ANY), "backdoor_path": Ask(graphs=ANY)},
        kinds={**WRONG, "ends": "path", "not_directed": "path", "path": "path"},
        value=lambda q, answer: chain(answer),
        shows=shows_path,
        holds=holds_path,
        tried=lambda q: judged(q).simple(q.targets[0]),
        forms=f"{LISTED} shortest longest",
        claimed=lambda q, text: json_text(text) if text.startswith("[") else text,
    ),
    Family(
        tasks={"cycle": Ask((0,), ANY)},
        kinds={**WRONG, "cycle": "cycle", "topological_order": "order"},
        value=read_cycle,
        shows=shows_cycle,
        holds=holds_cycle,
        tried=cycles,
        forms=f"{LISTED} shortest longest",
        nameless=lambda q, text: "<-" in text and text not in q.graph.nodes and text[:1] not in ("[", "{"),
    ),
    Family(
        tasks={"topological_order": Ask((0,))},
        kinds={"topological_order": "order", "late_parent": "edge", "names": "missing unknown"},
        value=read_order,
        shows=shows_order,
        holds=lambda q, value: q.graph.sorts(value),
        tried=orders,
        forms=LISTED,
    ),
)
