"""Published keys, recomputed: one finding a key, and their numbers by slice.

A benchmark with data brings an audit of its own; for any other, its tasks' predicates judge what is published.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from calverify.benchmarks._data import DataFolder
from calverify.benchmarks._item import Benchmark, Finding, Item
from calverify.keys import Key
from calverify.problem import Problem
from calverify.scoring import checker_for, judged

__all__ = ["Tally", "by_predicate", "findings_of", "tallies"]


def findings_of(entry: Benchmark, rng: Random, data: DataFolder | None = None) -> Iterator[Finding]:
    """Every published key of a benchmark, judged."""
    if entry.audit is not None:
        return entry.audit(entry.needs(data), rng)
    return by_predicate(entry.build(rng, data).items)


def by_predicate(items: Iterable[Item]) -> Iterator[Finding]:
    """Is what is published an answer, on the problem's own graph or on the key's?"""
    for problem, key in items:
        if key.published is not None:
            yield _judged(problem, key)


def _judged(problem: Problem, key: Key) -> Finding:
    source = problem if key.graph is None else replace(problem, graph=key.graph, graph_class=None)
    part = key.strata.get("slice", problem.query.task)
    case = checker_for(source).case
    if case is None:
        return Finding(problem.id, part, key.published, None, None, "there is nothing to recompute it from")
    said = judged(case, key.published)
    if said.valid:
        return Finding(problem.id, part, key.published, said.answer, True)
    found = None if said.valid is None else case.task.cheapest(case)
    ours = None if found is None else case.task.answer.show(found)
    return Finding(problem.id, part, key.published, ours, said.valid, said.why, said.witness)


@dataclass(slots=True)
class Tally:
    """How the keys of one slice fared; `open` are those that could not be recomputed."""

    slice: str
    agree: int = 0
    disagree: int = 0
    open: int = 0

    @property
    def keys(self) -> int:
        return self.agree + self.disagree + self.open

    def add(self, finding: Finding) -> None:
        """Count one more."""
        name = {True: "agree", False: "disagree", None: "open"}[finding.agrees]
        setattr(self, name, getattr(self, name) + 1)

    def to_json(self) -> dict[str, Any]:
        return {
            "slice": self.slice,
            "keys": self.keys,
            "agree": self.agree,
            "disagree": self.disagree,
            "open": self.open,
        }


def tallies(findings: Iterable[Finding]) -> list[Tally]:
    """The findings counted by slice, in the order in which the slices come."""
    found: dict[str, Tally] = {}
    for finding in findings:
        found.setdefault(finding.slice, Tally(finding.slice)).add(finding)
    return list(found.values())
