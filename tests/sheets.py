"""Traces as sheets of six slots and an ANSWER line, so that a test can say which part it changes.

sheet_of(problem).but(result=["M"]).text()
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import calverify as cv
from calverify.scoring import case_of
from calverify.tasks import faultless_trace

SLOTS = ("graph", "query", "strategy", "derivation", "result", "answer")
STEPS = ("graph_extract", "query_id", "strategy", "identification_proof", "compute", "answer")
STEP = re.compile(r"STEP (\d) \[\w+\]: (.*)")
ARROWS = {"->", "<-", "<->", "--"}
ABSENT = object()  # a slot, or the ANSWER line, that is left out


@dataclass(frozen=True)
class Raw:
    """Text in place of a slot's JSON."""

    text: str


@dataclass(frozen=True)
class Copies:
    """One slot said several times, each with a body of its own."""

    bodies: tuple[Any, ...]


@dataclass(frozen=True)
class Sheet:
    """The body of each slot, and what the ANSWER line says: text as it is, anything else as JSON."""

    graph: Any
    query: Any
    strategy: Any
    derivation: Any
    result: Any
    answer: Any
    line: Any

    def but(self, **parts: Any) -> "Sheet":
        return replace(self, **parts)

    def swapped(self, answer: Any) -> "Sheet":
        """The same trace with another final answer: in the slot and on the ANSWER line."""
        return self.but(answer={"answer": answer}, line=answer)

    def text(self) -> str:
        lines = ["<think>"]
        for i, (slot, step) in enumerate(zip(SLOTS, STEPS, strict=True), start=1):
            body = getattr(self, slot)
            for copy in body.bodies if isinstance(body, Copies) else [body]:
                if copy is not ABSENT:
                    lines.append(f"STEP {i} [{step}]: {copy.text if isinstance(copy, Raw) else json.dumps(copy)}")
        lines.append("</think>")
        for line in self.line.bodies if isinstance(self.line, Copies) else [self.line]:
            if line is not ABSENT:
                lines.append(f"ANSWER: {line if isinstance(line, str) else json.dumps(line)}")
        return "\n".join(lines)

    def renamed(self, names: Mapping[str, str]) -> "Sheet":
        """Every name under its new one, wherever a slot or the line holds a name (or is keyed by one)."""
        graph = {key: _renamed(value, names) for key, value in self.graph.items()}
        query = {**self.query, "targets": _renamed(self.query["targets"], names)}
        if "path" in query:
            query["path"] = " ".join(names.get(word, word) for word in query["path"].split())
        strategy = {key: value if key == "method" else _renamed(value, names) for key, value in self.strategy.items()}
        steps = [{**step, "to": _renamed(step["to"], names)} for step in self.derivation]
        result, answer = ({key: _renamed(body[key], names) for key in body} for body in (self.result, self.answer))
        return Sheet(graph, query, strategy, steps, result, answer, _renamed(self.line, names))


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value) or _renamed_chain(value, names)
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(item, names) for key, item in value.items()}
    return value


def _renamed_chain(text: str, names: Mapping[str, str]) -> str:
    """ "A -> B <-> C" with every name quoted under its new one; any other text is left alone."""
    words = text.split(" ")
    if len(words) < 2 or not set(words[1::2]) <= ARROWS:
        return text
    new = [names.get(word, word).replace('"', '""') for word in words[::2]]
    return " ".join([f'"{new[0]}"', *(part for pair in zip(words[1::2], new[1:], strict=True)
                                      for part in (pair[0], f'"{pair[1]}"'))])  # fmt: skip


def read_sheet(text: str) -> Sheet:
    """The sheet of a trace by the book."""
    bodies = {int(number): json.loads(body) for number, body in STEP.findall(text)}
    (line,) = re.findall(r"(?m)^ANSWER: (.*)$", text)
    return Sheet(*(bodies[i] for i in range(1, 7)), line)


def sheet_of(problem: cv.Problem, answer: Any = None) -> Sheet:
    """A trace that earns every bit, for the cheapest answer or for the canonical answer named; None if there is none.

    The ANSWER line is JSON, because JSON says any name.
    """
    case = case_of(problem.graph, problem.query)
    value = case.task.cheapest(case) if answer is None else answer
    if value is None:
        return None
    sheet = read_sheet(faultless_trace(case, value))
    return sheet.but(line=sheet.answer["answer"])


def show(answer: Any) -> Any:
    """An answer as a slot holds it: sets as sorted lists, tuples as lists."""
    if isinstance(answer, set | frozenset):
        return sorted(answer)
    return list(answer) if isinstance(answer, tuple) else answer


def bits(verdict: cv.Verdict) -> str:
    """The six bits in a row: "110100"."""
    return "".join(str(verdict.bits[slot]) for slot in SLOTS)
