"""A grammar (GBNF, as llama.cpp and vLLM read it) that holds a text to the six slots of a problem's trace.

Rule 1: "slots" forces the six slots with any JSON in them; "names" holds each slot to its shape, and every name to one
of the problem's; "pinned" writes the first two slots and the method of the third, and leaves the object to the model.
Rule 2: nothing in a grammar depends on which object is right.
Rule 3: a faultless trace is accepted by all three, save that "pinned" wants a set that separates not to be empty and to
leave the targets out; so it is for problems where the empty set is wrong.
"""

from dataclasses import dataclass
from functools import lru_cache
from json import dumps
from typing import Any

from calverify.errors import CalverifyError
from calverify.problem import Problem
from calverify.sampling._gbnf import ANY_JSON, TERMS, either, literal, separated
from calverify.sampling._objects import Objects
from calverify.tasks import Task, task_of
from calverify.traces import STEPS

__all__ = ["HELD", "Held", "grammar_of", "held"]

HELD = ("slots", "names", "pinned")
MOST_CHARACTERS = 1 << 20  # of one grammar
LIST_OF_NAMES = f'"[" {separated("name", ",", least=0)} "]"'
LIST_OF_PAIRS = f'"[" {separated("pair", ",", least=0)} "]"'


@dataclass(frozen=True, slots=True)
class Held:
    """A text held to a form: how every such text begins, the pattern of the rest, and the rules it names."""

    opening: str
    rest: str
    rules: str

    @property
    def grammar(self) -> str:
        """Of the whole text."""
        return self._written(f"{literal(self.opening)} {self.rest}")

    @property
    def behind(self) -> str:
        """Of the text behind the opening."""
        return self._written(self.rest)

    def _written(self, root: str) -> str:
        written = f"root ::= {root}\n{self.rules}"
        if len(written) > MOST_CHARACTERS:
            raise CalverifyError(
                f"the grammar of this problem would have {len(written):,} characters; the limit is "
                f"{MOST_CHARACTERS:,}: sample it with another decoding"
            )
        return written


def grammar_of(problem: Problem, decoding: str) -> str:
    """The grammar of a whole text."""
    return held(problem, decoding).grammar


@lru_cache(maxsize=64)
def held(problem: Problem, decoding: str) -> Held:
    """What the texts of this problem are held to."""
    if decoding not in HELD:
        raise CalverifyError(f"a grammar holds a text to one of {', '.join(HELD)}, not {decoding!r}")
    return _any_json() if decoding == "slots" else _in_shape(problem, pinned=decoding == "pinned")


def _any_json() -> Held:
    """Six slots of any JSON: an object each, save the derivation, which is a list."""
    return _joined(0, "", ["object", "object", "object", "array", "object", "object"], "line", ANY_JSON)


def _in_shape(problem: Problem, *, pinned: bool) -> Held:
    """Six slots in the shapes of the problem's task."""
    task = task_of(problem.query)
    formal = task.formal.supplied(problem)
    known = tuple(sorted(problem.legend if formal is None else task.formal.names(formal)))
    objects = Objects(task, problem, known, formal, pinned)
    about = {"task": task.name, "targets": list(problem.query.targets)}
    graph = _graph(task, formal, known)
    query = f'"{{\\"task\\":" word ",\\"targets\\":" {LIST_OF_NAMES} "}}"'
    method, stated = '"{\\"method\\":" word', f'{_stated(task, objects)} "}}"'
    rule = _json_literal(task.rule) if pinned else "word"
    rest = [_steps(rule, objects), *_last_two(task, objects)]
    first, opening = 0, ""
    if pinned:
        graph = graph if formal is None else literal(_json(task.formal.show(formal)))
        query, method = _json_literal(about), literal(f'{{"method":{_json(task.rule)}')
    if pinned and formal is not None:
        first = 2
        opening = f"{_json(task.formal.show(formal))}\n{_header(1)}{_json(about)}\n{_header(2)}"
        opening += f'{{"method":{_json(task.rule)}'
        slots = [stated, *rest]
    else:
        slots = [graph, query, f"{method} {stated}", *rest]
    answer = objects.line()
    return _joined(first, opening, slots, answer, f'pair ::= "[" name "," name "]"\n{objects.rules}{TERMS}')


def _joined(first: int, opening: str, slots: list[str], answer: str, rules: str) -> Held:
    """The slots behind their headers; the opening has begun the one numbered `first`."""
    parts = [slots[0]]
    parts += [f"{literal(chr(10) + _header(place))} {slot}" for place, slot in enumerate(slots[1:], first + 1)]
    rest = f'{" ".join(parts)} "\\x0A</think>\\x0AANSWER: " {answer}'
    return Held(f"<think>\n{_header(0)}{opening}", rest, rules)


def _header(place: int) -> str:
    return f"STEP {place + 1} [{STEPS[place]}]: "


def _json(value: Any) -> str:
    """As `render_trace` writes it."""
    return dumps(value, ensure_ascii=False, separators=(",", ":"))


def _json_literal(value: Any) -> str:
    return literal(_json(value))


# ---------------------------------------------------------------- slots


def _graph(task: Task, formal: Any, known: tuple[str, ...]) -> str:
    """The first slot: a graph over the names, or whatever the shown object is made of."""
    shown = None if formal is None else task.formal.show(formal)
    if shown is None or "edges" in shown:
        more = f'( ",\\"bidirected\\":" {LIST_OF_PAIRS} )? ( ",\\"undirected\\":" {LIST_OF_PAIRS} )?'
        return f'"{{\\"nodes\\":" {LIST_OF_NAMES} ",\\"edges\\":" {LIST_OF_PAIRS} {more} "}}"'
    return _like(shown, known)


def _like(shown: Any, known: tuple[str, ...]) -> str:
    """Any value of the shape of a shown one: its keys, lists of what its lists hold, names for names."""
    if isinstance(shown, dict):
        parts = [f"{literal(_json(key) + ':')} {_like(value, known)}" for key, value in shown.items()]
        return '"{" ' + ' "," '.join(parts) + ' "}"'
    if isinstance(shown, list):
        kinds = list(dict.fromkeys(_like(item, known) for item in shown))
        return f'"[" {separated(either(kinds), ",", least=0)} "]"' if kinds else '"[]"'
    if isinstance(shown, str):
        return "name" if shown in known else "quoted"
    return _json_literal(shown)


def _stated(task: Task, objects: Objects) -> str:
    """The object of the strategy slot behind a comma; a witness may be left out, because a "no" has none."""
    if not task.states:
        return ""
    pattern = f"{literal(f',{_json(task.states[0])}:')} {objects.json(task.witness or task.answer)}"
    return f"( {pattern} )?" if task.family == "decision" else pattern


def _steps(rule: str, objects: Objects) -> str:
    """The derivation: one step to three, each about an object or about names."""
    about = either([objects.json(objects.task.witness or objects.task.answer), LIST_OF_NAMES, "name"])
    step = f'"{{\\"rule\\":" {rule} ",\\"to\\":" {about} "}}"'
    return f'"[" {step} ( "," {step} ){{0,2}} "]"'


def _last_two(task: Task, objects: Objects) -> list[str]:
    """The result, a number where the task has one, and the answer."""
    answer = objects.json(task.answer)
    result = '( decimal | "\\"" fraction "\\"" )' if task.family == "numeric" else answer
    return [f'"{{\\"result\\":" {result} "}}"', f'"{{\\"answer\\":" {answer} "}}"']
