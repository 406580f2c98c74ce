"""Answers that can simply be listed: nodes, edges, relatives, triples, components, and sets of which there is one."""

from collections.abc import Callable
from typing import Any

from .question import ANY, DECIDED, EVERY, LISTED, Ask, Family, Question, plain_name
from .records import Chain, Set, chain, named, need, several

__all__ = ["FAMILIES"]

TRIPLES = {"chain": ("<-", "->"), "fork": ("->", "->"), "v_structure": ("<-", "<-")}  # seen from the middle
RELATIVES = "parent child ancestor descendant"
Read = Callable[[Question, Any], Any]


def truth(q: Question) -> Any:
    """Every valid answer."""
    g, t, reach = q.graph, q.targets, q.graph.reach
    marked = (("->", g.arrows), ("<->", g.arcs), ("--", g.lines))
    lists: dict[str, Callable[[], Any]] = {
        "node": lambda: g.nodes,
        "edge": lambda: {(edge, (mark,)) for mark, edges in marked for edge in edges},
        "parent": lambda: g.near("<-", *t),
        "child": lambda: g.near("->", *t),
        "ancestor": lambda: reach("<-", t) - {*t},
        "descendant": lambda: reach("->", t) - {*t},
        "c_component": lambda: {reach("<->", {node}) for node in g.nodes},
        "markov_blanket": lambda: {blanket(q)},
        "maximal_root_set": lambda: {g.nodes - {a for a, _ in g.arrows}},
        "optimal_adjustment": lambda: {
            frozenset(a for a, b in g.arrows if b in q.way) - reach("->", q.way) - {t[0]},
        },
    }
    return lists[q.task]() if q.task in lists else g.triples(TRIPLES[q.task])


def blanket(q: Question) -> Set:
    """Of t: its children and what arcs join it to, what arcs join to those, and the parents of all of them."""
    (t,) = q.targets
    joined = q.graph.reach("<->", q.graph.near("->", t) | q.graph.near("<->", t), {t})
    return (joined | {a for a, b in q.graph.arrows if b in {*joined, t}}) - {t}


def read_edge(q: Question, answer: Any) -> Chain:
    (a, b), (mark,) = chain(answer)
    need(a != b and (mark == "->" or (mark in ("<->", "--") and a < b)), f"no edge as it is listed: {answer!r:.60}")
    return (a, b), (mark,)


def read_name(q: Question, answer: Any) -> str:
    return named(answer)


def read_set(q: Question, answer: Any) -> Set:
    return several(answer)


def _unknown(q: Question, names: Set, w: Any) -> bool:
    need(several(w["names"]) and several(w["names"]) <= names - q.graph.nodes)
    return False


def shows_set(q: Question, value: Set, w: Any) -> bool:
    """The answer beside the one right set."""
    if w["kind"] == "unknown":
        return _unknown(q, value, w)
    (right,) = truth(q)
    split = [several(w["is"]), several(w["extra"]), several(w["missing"])]
    need(split == [right, value - right, right - value])
    return bool(value == right)


def _members(tasks: dict[str, Ask], read: Read, **more: Any) -> Family:
    """Tasks whose witness is the answer beside the list of all valid ones."""

    def shows(q: Question, value: Any, w: Any) -> bool:
        listed = several(w["all"], lambda one: read(q, one))
        need(read(q, w["object"]) == value and listed == truth(q))
        return bool(value in listed)

    return Family(
        tasks=tasks,
        kinds={"member": "object all"},
        value=read,
        shows=shows,
        holds=lambda q, value: value in truth(q),
        tried=truth,
        forms=LISTED,
        **more,
    )


def _legal(q: Question) -> None:
    need(q.task != "optimal_adjustment" or q.way, "no optimal set is defined")


WHOLE = Ask((0,), ANY)
FAMILIES = (
    _members(
        {"node": Ask((0,), EVERY), **dict.fromkeys(RELATIVES.split(), Ask((1,), ANY))}, read_name, claimed=plain_name
    ),
    _members({"edge": Ask((0,), EVERY)}, read_edge, claimed=lambda q, text: text),
    _members(dict.fromkeys(("c_component", *TRIPLES), WHOLE), read_set),
    Family(
        tasks={"markov_blanket": Ask((1,)), "maximal_root_set": WHOLE, "optimal_adjustment": Ask(graphs="dag")},
        kinds={"unknown": "names", "set": "is extra missing"},
        value=read_set,
        shows=shows_set,
        holds=lambda q, value: value in truth(q),
        tried=truth,
        forms=f"{DECIDED} how_many",
        legal=_legal,
    ),
)
