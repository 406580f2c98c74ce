"""A problem and its traces under other names: one bijection, made in the raw text.

A name is replaced where it stands as whole words, also in JSON's escaped spelling; nothing else of a text is touched.
Names that the contract itself is written in (`nodes`, `yes`, `STEP`, a rule, a number) cannot be told from its words in
raw text, so problems with such names are left out, and counted.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from json import dumps
from random import Random
from typing import Any

from calverify.problem import Problem
from calverify.tasks import TASKS, Task, task_of
from calverify.traces import SLOTS, STEPS

__all__ = ["Renaming", "names_of", "renaming_of"]

TOKEN = re.compile(r"\w++|\W")
WORDS = """
    step answer final think nodes edges bidirected undirected directed constraints class task targets given path method
    rule to result set yes no none empty null true false nan infinity knight knave and or not if then iff implies
    id text query graph legend form claim options formula threshold tolerance scm variables parents states values
    graph_class
"""
PROBABILITY_WORDS = frozenset({"p", "do", "sum", "frac"})  # of expressions, and of probability tables
BETWEEN = frozenset(" -")  # what may stand between the words of a name
KEPT = frozenset({"id", "class", "graph_class", "task", "form"})  # fields whose values are no names


def _contract() -> frozenset[str]:
    """Every word that the trace contract and the tasks are written in, in small letters."""
    named = [*SLOTS, *STEPS, *WORDS.split()]
    for task in TASKS.values():
        named += [*task.aliases, *task.states]
    return frozenset(word.lower() for name in named for word in TOKEN.findall(name))


CONTRACT = _contract()


def names_of(problem: Problem) -> tuple[str, ...]:
    """The names that a bijection may rename, in order: of the graph, else of the legend and the query."""
    if problem.graph is not None:
        return tuple(sorted(problem.graph.nodes))
    speakers = [speaker for speaker, _ in problem.query.formula]
    return tuple(sorted({*problem.legend, *problem.query.target_names, *problem.query.given, *speakers}))


def _clashes(name: str, task: Task) -> bool:
    """May a text mean something else by these words?"""
    words = TOKEN.findall(name)
    if not words[0][0].isalpha() or not all(word in BETWEEN or word[0].isalnum() for word in words):
        return True
    if len(words) > 1:
        return False
    word = name.lower()
    numbers = task.answer.name == "expression" or task.family == "numeric"
    return word in CONTRACT or word in task.rules or (numbers and word in PROBABILITY_WORDS)


class Renaming:
    """Old names to new ones, in texts and in records."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        self._by_first: dict[str, list[tuple[list[str], str]]] = {}
        for old, new in names.items():
            for spelled in dict.fromkeys((old, dumps(old)[1:-1], dumps(old, ensure_ascii=False)[1:-1])):
                words = TOKEN.findall(spelled)
                self._by_first.setdefault(words[0], []).append((words, new))
        for found in self._by_first.values():
            found.sort(key=lambda pair: -len(pair[0]))  # the longest name wins: "A B" before "A"

    def text(self, text: str) -> str:
        """The text with every name replaced, from the left."""
        words, place, made = TOKEN.findall(text), 0, []
        while place < len(words):
            for old, new in self._by_first.get(words[place], ()):
                if words[place : place + len(old)] == old:
                    made.append(new)
                    place += len(old)
                    break
            else:
                made.append(words[place])
                place += 1
        return "".join(made)

    def value(self, value: Any) -> Any:
        """A JSON value with every name replaced, in texts and as keys."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): item if key in KEPT else self.value(item) for key, item in value.items()}
        return value

    def problem(self, problem: Problem) -> Problem:
        return Problem.from_json(self.value(problem.to_json()))


def renaming_of(problem: Problem, texts: Sequence[str], rng: Random) -> Renaming | None:
    """A bijection onto names that occur nowhere, in another order; None where an old name has another meaning."""
    names, task = names_of(problem), task_of(problem.query)
    if not names or any(_clashes(name, task) for name in names):
        return None
    stem = _fresh([dumps(problem.to_json(), ensure_ascii=False), *texts])
    numbers = rng.sample(range(len(names)), len(names))
    return Renaming({name: f"{stem}{number}" for name, number in zip(names, numbers, strict=True)})


def _fresh(texts: Iterable[str]) -> str:
    """A beginning of names that stands in none of these texts."""
    stem, whole = "v", "\n".join(texts)
    while stem in whole:
        stem += "q" if stem.endswith("v") else "v"
    return stem
