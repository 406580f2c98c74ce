"""What goes wrong with the form of a trace, whatever its answer: one change a row, each of a trace by the book."""

import json
from collections.abc import Callable
from typing import Any

from calverify.tasks import Case
from calverify.traces import STEPS

__all__ = ["DAMAGES"]

GRAPH, QUERY, STRATEGY, DERIVATION, RESULT, ANSWER = range(1, 7)  # places of the slots among the lines of a trace


def _slot_missing(lines: list[str], case: Case) -> list[str]:
    return [line for place, line in enumerate(lines) if place != STRATEGY]


def _slot_twice(lines: list[str], case: Case) -> list[str]:
    return [*lines[: RESULT + 1], *lines[RESULT:]]


def _broken_json(lines: list[str], case: Case) -> list[str]:
    """The derivation is cut in the middle of a string."""
    return [*lines[:DERIVATION], lines[DERIVATION][:-4], *lines[DERIVATION + 1 :]]


def _body(line: str) -> tuple[str, Any]:
    head, _, body = line.partition(": ")
    return head, json.loads(body)


def _with_body(lines: list[str], place: int, head: str, body: Any) -> list[str]:
    return [*lines[:place], f"{head}: {json.dumps(body, ensure_ascii=False)}", *lines[place + 1 :]]


def _wrong_graph(lines: list[str], case: Case) -> list[str]:
    """The last edge (or statement) that the first slot lists is left out."""
    head, stated = _body(lines[GRAPH])
    field = next((name for name in ("constraints", "edges", "bidirected", "undirected") if stated.get(name)), "nodes")
    return _with_body(lines, GRAPH, head, {**stated, field: stated[field][:-1]})


def _wrong_targets(lines: list[str], case: Case) -> list[str]:
    """The last target is another name, or there is one target too many."""
    head, stated = _body(lines[QUERY])
    others = sorted(case.names - set(case.query.target_names)) or ["nowhere"]
    return _with_body(lines, QUERY, head, {**stated, "targets": [*stated["targets"][:-1], others[0]]})


def _no_answer(lines: list[str], case: Case) -> list[str]:
    return lines[:ANSWER]


def _prose_only(lines: list[str], case: Case) -> list[str]:
    return ["The edges leave no doubt about this one.", lines[-1]]


ROWS: dict[str, Callable[[list[str], Case], list[str]]] = {
    f"no {STEPS[2]} slot": _slot_missing,
    f"two {STEPS[4]} slots": _slot_twice,
    "broken JSON": _broken_json,
    "wrong graph": _wrong_graph,
    "wrong targets": _wrong_targets,
    "no answer": _no_answer,
    "prose only": _prose_only,
}


def _damager(change: Callable[[list[str], Case], list[str]]) -> Callable[[str, Case], str]:
    return lambda text, case: "\n".join(change(text.split("\n"), case))


DAMAGES: dict[str, Callable[[str, Case], str]] = {name: _damager(change) for name, change in ROWS.items()}
