"""A grammar (GBNF, as llama.cpp and vLLM read it) that holds a text to the six slots of a problem's trace.

Rule 1: "slots" forces the six slots with any JSON in them; "names" holds each slot to its shape, and every name to one
of the problem's; "pinned" writes all but what is chosen: see `_pinned`.
Rule 2: nothing in a grammar depends on which object is right.
Rule 3: a faultless trace is accepted by all three, as far as "pinned" lets its object be chosen.
"""

from functools import lru_cache
from typing import Any

from calverify.errors import CalverifyError
from calverify.problem import Problem
from calverify.sampling._gbnf import ANY_JSON, TERMS, either, literal, separated
from calverify.sampling._held import Held, as_json, header
from calverify.sampling._objects import GRAPH, LIST_OF_NAMES, Objects
from calverify.sampling._pinned import pinned
from calverify.tasks import Task, task_of

__all__ = ["HELD", "grammar_of", "held"]

HELD = ("slots", "names", "pinned")
PAIR = 'pair ::= "[" name "," name "]"\n'


def grammar_of(problem: Problem, decoding: str) -> str:
    """The grammar of a whole text."""
    return held(problem, decoding).grammar


@lru_cache(maxsize=64)
def held(problem: Problem, decoding: str) -> Held:
    """What the texts of this problem are held to; where nothing can be pinned, names are."""
    if decoding not in HELD:
        raise CalverifyError(f"a grammar holds a text to one of {', '.join(HELD)}, not {decoding!r}")
    if decoding == "slots":
        return _joined(["object", "object", "object", "array", "object", "object"], "line", ANY_JSON)
    return (pinned(problem) if decoding == "pinned" else None) or _in_shape(problem)


def _in_shape(problem: Problem) -> Held:
    """Six slots in the shapes of the problem's task."""
    task = task_of(problem.query)
    formal = task.formal.supplied(problem)
    known = tuple(sorted(problem.legend if formal is None else task.formal.names(formal)))
    objects = Objects(task, known)
    answer = objects.json(task.answer)
    slots = [
        _first(task, formal, known),
        f'"{{\\"task\\":" word ",\\"targets\\":" {LIST_OF_NAMES} "}}"',
        f'"{{\\"method\\":" word {_stated(task, objects)} "}}"',
        _steps(objects),
        f'"{{\\"result\\":" {_result(task, answer)} "}}"',
        f'"{{\\"answer\\":" {answer} "}}"',
    ]
    line = objects.line()
    return _joined(slots, line, f"{PAIR}{objects.rules}{TERMS}")


def _joined(slots: list[str], line: str, rules: str) -> Held:
    """The slots behind their headers, and the answer's line."""
    parts = [slots[0]] + [f"{literal(chr(10) + header(place))} {slot}" for place, slot in enumerate(slots[1:], 1)]
    ending = literal("\n</think>\nANSWER: ")
    return Held(f"<think>\n{header(0)}", f"{' '.join(parts)} {ending} {line}", rules)


# ---------------------------------------------------------------- slots


def _first(task: Task, formal: Any, known: tuple[str, ...]) -> str:
    """The first slot: a graph over the names, or whatever the shown object is made of."""
    shown = None if formal is None else task.formal.show(formal)
    if shown is None or "edges" in shown:
        return GRAPH
    return _like(shown, known)


def _like(shown: Any, known: tuple[str, ...]) -> str:
    """Any value of the shape of a shown one: its keys, lists of what its lists hold, names for names."""
    if isinstance(shown, dict):
        parts = [f"{literal(as_json(key) + ':')} {_like(value, known)}" for key, value in shown.items()]
        return '"{" ' + ' "," '.join(parts) + ' "}"'
    if isinstance(shown, list):
        kinds = list(dict.fromkeys(_like(item, known) for item in shown))
        return f'"[" {separated(either(kinds), ",", least=0)} "]"' if kinds else '"[]"'
    if isinstance(shown, str):
        return "name" if shown in known else "quoted"
    return literal(as_json(shown))


def _stated(task: Task, objects: Objects) -> str:
    """The object of the strategy slot behind a comma; a witness may be left out, because a "no" has none."""
    if not task.states:
        return ""
    pattern = f"{literal(f',{as_json(task.states[0])}:')} {objects.json(task.witness or task.answer)}"
    return f"( {pattern} )?" if task.family == "decision" else pattern


def _steps(objects: Objects) -> str:
    """The derivation: one step to three, each about an object or about names."""
    about = either([objects.json(objects.task.witness or objects.task.answer), LIST_OF_NAMES, "name"])
    step = f'"{{\\"rule\\":" word ",\\"to\\":" {about} "}}"'
    return f'"[" {step} ( "," {step} ){{0,2}} "]"'


def _result(task: Task, answer: str) -> str:
    """What the compute slot holds: a number where the task has one, else the answer's object."""
    return '( decimal | "\\"" fraction "\\"" )' if task.family == "numeric" else answer
