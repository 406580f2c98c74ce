"""What a witness marks in a drawing of the graph, and the same in words.

A witness is data of many kinds with few sorts of field; each sort is drawn in one way, wherever it stands.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

__all__ = ["Step", "marks_of", "said", "witness_lines"]

Step = tuple[str, str, str]

CHAINS = ("path", "walk", "cycle", "onward")  # names, each an arrow on from the one before; a path may state its arrows
NODES = ("at", "name", "node", "names", "reached", "roots")
GIVEN = ("given", "set", "adjustment")
LONGEST = 600  # characters of one field
MOST_PARTS = 40  # witnesses inside a witness


def _parts(witness: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The witness, and the witnesses inside it, from the outside in."""
    waiting, met = [witness], 0
    while waiting and met < MOST_PARTS:
        part = waiting.pop(0)
        met += 1
        yield part
        for value in part.values():
            inner = value if isinstance(value, list) else [value]
            waiting += [one for one in inner if isinstance(one, Mapping) and "kind" in one]


def marks_of(witness: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """{"steps": edges to draw strongly, "nodes": names to ring, "given": names to square}; None where nothing is."""
    if witness is None:
        return None
    steps: dict[Step, None] = {}
    nodes: dict[str, None] = {}
    given: dict[str, None] = {}
    for part in _parts(witness):
        steps |= dict.fromkeys(_steps(part))
        given |= dict.fromkeys(_names(part.get(field) for field in GIVEN))
        if part is witness:
            nodes |= dict.fromkeys(_names(part.get(field) for field in NODES))
            nodes |= dict.fromkeys(_names([_reached(part.get("states"))]))
            nodes |= dict.fromkeys(_names([part.get("edge")] if part.get("kind") == "no_edge" else []))
    marks = {"steps": [list(step) for step in steps], "nodes": list(nodes), "given": list(given)}
    return {name: value for name, value in marks.items() if value} or None


def _steps(part: Mapping[str, Any]) -> Iterator[Step]:
    for field in CHAINS:
        yield from _chain(part.get(field))
    opened = part.get("opened")
    for chain in opened.values() if isinstance(opened, Mapping) else ():
        yield from _chain(chain)
    edge = part.get("edge")
    if isinstance(edge, list) and len(edge) == 2 and part.get("kind") != "no_edge":
        yield from _chain(edge)
    triple = part.get("triple")
    if isinstance(triple, list) and len(triple) == 3:
        yield from ((triple[0], "->", triple[1]), (triple[2], "->", triple[1]))


def _chain(value: Any) -> Iterator[Step]:
    """A -> B -> C of its names, or the steps as they are stated."""
    if not isinstance(value, list):
        return
    if all(isinstance(item, str) for item in value):
        yield from ((one, "->", other) for one, other in pairwise(value))
    elif all(isinstance(item, list) and len(item) == 3 and all(isinstance(p, str) for p in item) for item in value):
        yield from ((item[0], item[1], item[2]) for item in value)


def _names(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str))


def _reached(states: Any) -> list[Any]:
    return [state[0] for state in states if isinstance(state, list) and state] if isinstance(states, list) else []


# ---------------------------------------------------------------- in words


def witness_lines(witness: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """(field, text) from the top; a field that belongs to an inner witness stands behind the name of that witness."""
    if witness is None:
        return []
    found: list[tuple[str, str]] = []
    waiting: list[tuple[str, Mapping[str, Any]]] = [("", witness)]
    while waiting and len(found) < 4 * MOST_PARTS:
        before, part = waiting.pop(0)
        inside: list[tuple[str, Mapping[str, Any]]] = []
        for name, value in part.items():
            inner = value if isinstance(value, list) else [value]
            if inner and all(isinstance(one, Mapping) and "kind" in one for one in inner):
                inside += [(f"{before}{name}: ", one) for one in inner]
            else:
                found.append((f"{before}{name}", _field(name, value)))
        waiting = inside + waiting
    return found


def _field(name: str, value: Any) -> str:
    """One field as a person reads it, cut where it is long."""
    said = _plain(name, value)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}… ({len(said):,} characters)"


def _plain(name: str, value: Any) -> str:
    if name in CHAINS and (steps := list(_chain(value))):
        return " ".join([steps[0][0], *(f"{arrow} {head}" for _, arrow, head in steps)])
    if name == "states" and isinstance(value, list):
        return ", ".join(_state(state) for state in value)
    if name == "opened" and isinstance(value, Mapping):
        return (
            "; ".join(
                f"{at} by {' -> '.join(map(str, chain))}" if len(chain) > 1 else f"{at}, which is given"
                for at, chain in value.items()
            )
            or "no collider"
        )
    return said(value)


def said(value: Any) -> str:
    """Any JSON as a person reads it: [{"given": {"A": 0}, "mass": 0.4}, ...] as "given (A 0), mass 0.4; ..."."""
    match value:
        case None:
            return "none"
        case list() | dict() if not value:
            return "none"
        case str():
            return value
        case dict():
            return ", ".join(f"{name} {_inside(inner)}" for name, inner in value.items())
        case list() if all(isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) for item in value):
            return "; ".join(f"{item[0]}: {_inside(item[1])}" for item in value)
        case list():
            plain = all(not isinstance(item, list | dict) for item in value)
            return (", " if plain else "; ").join(map(said, value))
        case _:
            return json.dumps(value)


def _inside(value: Any) -> str:
    return f"({said(value)})" if isinstance(value, list | dict) else said(value)


def _state(state: Any) -> str:
    if not isinstance(state, list) or len(state) != 2:
        return json.dumps(state)
    node, how = state
    return f"{node} (start)" if how == "start" else f"{node} (by {how})"
