"""The data of the pool explorer: a small index that the list is drawn from, and one packed block with all texts.

Rule 1: what is said twice is stored once: texts, sentences, verdicts, witnesses and graphs are places in lists.
Rule 2: every sentence is made here, where the checker is; the page only shows.
Rule 3: the packed block is inflated when the first pool is opened, so a page with thousands of pools opens at once.
"""

import json
import zlib
from base64 import b64encode
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from calverify.errors import Fault, QueryError
from calverify.evaluation import Study, Unit
from calverify.graphs import Graph
from calverify.problem import Problem
from calverify.reports._explorer_witness import marks_of, said, witness_lines
from calverify.reports._svg_graph import draw
from calverify.scoring import Verdict
from calverify.tasks import Task, task_of
from calverify.traces import SLOTS

__all__ = ["CATEGORIES", "category_of", "explorer_data", "packed"]

BASE, OTHER = "plurality", "calver"
CATEGORIES = {
    "repaired": "the vote is wrong, the checker's choice is right",
    "lost": "the vote is right, the checker's choice is wrong",
    "both right": "both choices are right",
    "both wrong": "both choices are wrong, although a right candidate was there",
    "no valid candidate": "no candidate that may be picked is right",
    "undetermined": "one of the choices is neither right nor wrong",
    "not compared": "the vote or the checker made no choice in this study",
}
MARKS = {True: "1", False: "0", None: "?"}


def category_of(unit: Unit) -> str:
    """Which of the outcomes a pool belongs to; every pool belongs to exactly one."""
    if not {BASE, OTHER} <= set(unit.choices):
        return "not compared"
    base, other = unit.outcome(BASE), unit.outcome(OTHER)
    if base is None or other is None:
        return "undetermined"
    if not unit.covered:
        return "no valid candidate"
    return {(False, True): "repaired", (True, False): "lost", (True, True): "both right"}.get(
        (base, other), "both wrong"
    )


def explorer_data(labels: Sequence[str], studies: Sequence[Study]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(index, details): row i of the index is about pool i of the details."""
    store = _Store()
    rows = []
    for place, study in enumerate(studies):
        for unit in study.units:
            problem = store.problem(study.problems[unit.problem])
            store.pool(study, unit, problem)
            strata = [unit.strata.get(name, "") for name in ("task", "graph")]
            outcomes = [_outcome(unit, BASE), _outcome(unit, OTHER), MARKS[unit.covered], category_of(unit)]
            rows.append([place, unit.problem, unit.seed, *strata, *outcomes])
    index = {"policies": list(labels), "slots": list(SLOTS), "base": BASE, "other": OTHER, "categories": CATEGORIES,
             "rows": rows}  # fmt: skip
    return index, store.to_json()


def _outcome(unit: Unit, selector: str) -> str:
    """Is the pick right?  "-" where the selector chose nothing in this study."""
    return MARKS[unit.outcome(selector)] if selector in unit.choices else "-"


def packed(details: Mapping[str, Any]) -> str:
    """The details as JSON, deflated and in base64: no byte of a text is visible to a reader of markup."""
    return b64encode(zlib.compress(json.dumps(details, separators=(",", ":")).encode("ascii"), 6)).decode("ascii")


class _Places(dict[Hashable, int]):
    """Each thing once, by the place at which it was first seen."""

    def __init__(self) -> None:
        super().__init__()
        self.values_in_order: list[Any] = []

    def add(self, key: Hashable, value: Any) -> int:
        self[key] = len(self.values_in_order)
        self.values_in_order.append(value)
        return self[key]


class _Store:
    """Collects the details while the studies are walked through."""

    def __init__(self) -> None:
        self.texts, self.problems, self.graphs, self.verdicts, self.pools = (_Places() for _ in range(5))

    def to_json(self) -> dict[str, Any]:
        names = ("texts", "problems", "graphs", "verdicts", "pools")
        return {name: getattr(self, name).values_in_order for name in names}

    def text(self, said: str) -> int:
        return self.texts[said] if said in self.texts else self.texts.add(said, said)

    def graph(self, graph: Any) -> int:
        """The place of a drawing; -1 where there is no graph (a puzzle, or a trace without a readable one)."""
        if not isinstance(graph, Graph):
            return -1
        key = (graph.nodes, graph.directed, graph.bidirected, graph.undirected)
        if key in self.graphs:
            return self.graphs[key]
        drawn = draw(graph)
        shown = {"class": graph.kind, "words": self.text(str(graph)), "nodes": len(graph.nodes)}
        return self.graphs.add(key, shown if drawn is None else {**shown, **drawn.to_json()})

    def problem(self, problem: Problem) -> int:
        if id(problem) in self.problems:
            return self.problems[id(problem)]
        query = problem.query
        asked = {name: value for name, value in query.to_json().items() if name not in ("task", "targets")}
        record = {
            "text": self.text(problem.text),
            "question": self.text(_question(problem)),
            "targets": list(query.target_names),
            "asked": {name: said(value) for name, value in asked.items()},
            "graph": self.graph(problem.graph),
            "legend": list(problem.legend),
        }
        return self.problems.add(id(problem), record)

    def verdict(self, problem: Problem, at: int, text: str, verdict: Verdict) -> int:
        """The place of what the checker says of a text; the same text for the same problem is said once."""
        words = self.text(text)
        if (at, words) in self.verdicts:
            return self.verdicts[at, words]
        bits = "".join("?" if bit is None else str(bit) for bit in verdict.bits.values())
        faults = [[SLOTS.index(fault.slot), self.text(fault.why)] for fault in verdict.faults if fault.slot in SLOTS]
        witness = verdict.witness
        lines = [[name, self.text(said)] for name, said in witness_lines(witness)]
        graph = -1 if problem.graph is not None else self.graph(verdict.judged_on)
        record = [words, bits, self.text(_spelled(problem, verdict)) if verdict.answer is not None else -1, faults,
                  self.text(verdict.why), lines, marks_of(witness), graph, _members(verdict)]  # fmt: skip
        return self.verdicts.add((at, words), record)

    def pool(self, study: Study, unit: Unit, at: int) -> None:
        problem, pool = study.problems[unit.problem], study.pools[unit.problem, unit.seed]
        verdicts = [
            self.verdict(problem, at, text, verdict) for text, verdict in zip(pool.texts, unit.verdicts, strict=True)
        ]
        record = {
            "problem": at,
            "verdicts": verdicts,
            "correct": "".join(MARKS[right] for right in unit.correct),
            "stands": "".join("01"[stands] for stands in unit.stands),
            "choices": dict(unit.choices),
            "cluster": unit.cluster,
            "strata": dict(unit.strata),
        }
        scores = [dict(sorted(candidate.scores.items())) for candidate in pool.candidates]
        self.pools.add(len(self.pools), {**record, "scores": scores} if any(scores) else record)


def _task(problem: Problem) -> Task | None:
    """The task that is asked; None for one that nobody registered, which no trace can earn a bit for."""
    try:
        return task_of(problem.query)
    except QueryError:
        return None


def _question(problem: Problem) -> str:
    task = _task(problem)
    return "" if task is None else task.question(problem.query)


def _spelled(problem: Problem, verdict: Verdict) -> str:
    """The canonical answer as an ANSWER line would spell it: {P, U}."""
    task, graph = _task(problem), verdict.judged_on
    if task is None:
        return json.dumps(verdict.answer)
    names = graph.node_set if isinstance(graph, Graph) else frozenset[str]()
    value = task.answer.read(verdict.answer, names, "answer")  # a node may be called "none"
    return json.dumps(verdict.answer) if isinstance(value, Fault) else task.answer.spell(value)


def _members(verdict: Verdict) -> list[str]:
    """The names that an answer holds, when it is a list of names."""
    answer = verdict.answer
    return [item for item in answer if isinstance(item, str)] if isinstance(answer, list) else []
