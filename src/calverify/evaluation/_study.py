"""A study: what was chosen from frozen pools, beside what was right.

Rule 1: a unit is one pool, that is one problem and seed; units of one cluster are resampled together.
Rule 2: verdicts and choices are made without the keys; `correct` is filled in from them afterwards.
Rule 3: nothing picked is not right.  A pick whose answer is undetermined is not right either, and counted apart.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from calverify.archives import CHOICES, Archive, Choice, Manifest, read_archive, read_bytes, read_choices
from calverify.errors import CalverifyError, RecordError
from calverify.evaluation._grade import Grader, grader_for
from calverify.evaluation._recovery import Recovery, recovery_of
from calverify.evaluation._seal import check_seal
from calverify.graphs import Graph
from calverify.keys import Key, read_keys
from calverify.pools import SCORE_NAMES, Pool
from calverify.problem import Problem
from calverify.records import json_line, located, read_fields, read_lines
from calverify.scoring import Verdict
from calverify.selectors import ADMISSIONS, SELECTORS, View, earliest_max, numbers_of, view_of

__all__ = [
    "COVERAGE",
    "Outcome",
    "Study",
    "Unit",
    "outcomes_bytes",
    "outcomes_of",
    "read_outcomes",
    "read_study",
    "study_of",
]

COVERAGE = "coverage"  # the oracle: right wherever any candidate that may be picked is right


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one selector's pick from one pool is worth; None where that is undetermined."""

    problem: str
    seed: int
    selector: str
    index: int | None
    correct: bool | None

    def to_json(self) -> dict[str, Any]:
        return {
            "problem": self.problem,
            "seed": self.seed,
            "selector": self.selector,
            "index": self.index,
            "correct": self.correct,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Outcome":
        kinds = {"problem": str, "seed": int, "selector": str, "index": int | None, "correct": bool | None}
        return cls(**read_fields("outcome", record, kinds, needed=kinds))


@dataclass(frozen=True)
class Unit:
    """One pool, judged and graded: verdict i and correct[i] belong to candidate i, and choices name indices.

    `recovered` is filled where traces state graphs of their own and the key holds the source: one a candidate.
    """

    problem: str
    seed: int
    cluster: str
    strata: Mapping[str, str]
    verdicts: tuple[Verdict, ...]
    correct: tuple[bool | None, ...]
    choices: Mapping[str, int | None]
    admission: str = ADMISSIONS[0]
    recovered: tuple[Recovery | None, ...] = ()

    @cached_property
    def stands(self) -> tuple[bool, ...]:
        """Which candidates may be picked."""
        everyone = self.admission != "admissible"
        return tuple(v.admissible or (everyone and v.undetermined is None) for v in self.verdicts)

    @cached_property
    def covered(self) -> bool:
        """Is any candidate right that may be picked?"""
        return any(right is True for right, stands in zip(self.correct, self.stands, strict=True) if stands)

    def index(self, selector: str) -> int | None:
        """What the selector picked; the oracle picks the earliest right candidate."""
        if selector == COVERAGE:
            return next((i for i, stands in enumerate(self.stands) if stands and self.correct[i]), None)
        if selector not in self.choices:
            raise CalverifyError(f"{selector!r} chose nothing in this study; there are {', '.join(self.choices)}")
        return self.choices[selector]

    def outcome(self, selector: str) -> bool | None:
        """Right, wrong, or None where the picked answer is undetermined."""
        index = self.index(selector)
        return False if index is None else self.correct[index]

    def right(self, selector: str) -> bool:
        return self.outcome(selector) is True


@dataclass(frozen=True)
class Study:
    """The units of one policy, with the problems and pools that they are about."""

    policy: str
    manifest: Manifest
    problems: Mapping[str, Problem]
    pools: Mapping[tuple[str, int], Pool]
    units: tuple[Unit, ...]

    @cached_property
    def selectors(self) -> tuple[str, ...]:
        """The selectors that chose, in the order in which they did."""
        return tuple(dict.fromkeys(name for unit in self.units for name in unit.choices))

    @cached_property
    def clusters(self) -> tuple[str, ...]:
        return tuple(unit.cluster for unit in self.units)

    @property
    def size(self) -> int:
        """The candidates of the smallest pool: how far a curve of prefixes can go."""
        return min((len(self.pools[unit.problem, unit.seed]) for unit in self.units), default=0)

    def right(self, selector: str) -> tuple[bool, ...]:
        """Unit by unit; the input of every interval."""
        return tuple(unit.right(selector) for unit in self.units)

    def undetermined(self, selector: str) -> int:
        """The units whose pick is neither right nor wrong."""
        return sum(unit.outcome(selector) is None for unit in self.units)

    def view(self, unit: Unit) -> View:
        """The unit's pool as a selector sees it."""
        return View(self.problems[unit.problem], self.pools[unit.problem, unit.seed], unit.verdicts, unit.admission)

    def prefix(self, k: int) -> "Study":
        """The study of the first k candidates of every pool, in which the same selectors choose again."""
        pools = {unit: pool.prefix(k) for unit, pool in self.pools.items()}
        cut = [
            replace(unit, verdicts=unit.verdicts[:k], correct=unit.correct[:k], recovered=unit.recovered[:k])
            for unit in self.units
        ]
        whole = replace(self, pools=pools, units=tuple(cut))
        return whole.chosen_by(self.selectors)

    def chosen_by(self, selectors: Sequence[str]) -> "Study":
        """The same study with the picks of these selectors."""
        units = [replace(unit, choices=_choices(self.view(unit), selectors)) for unit in self.units]
        return replace(self, units=tuple(units))

    def only(self, units: Iterable[Unit]) -> "Study":
        """The study of some of its units: a stratum, a subset."""
        return replace(self, units=tuple(units))


def _choices(view: View, selectors: Sequence[str]) -> dict[str, int | None]:
    return {name: earliest_max(numbers_of(name, view)) for name in selectors}


def study_of(
    archive: Archive,
    keys: Mapping[str, Key],
    selectors: Sequence[str] | None = None,
    *,
    choices: Iterable[Choice] | None = None,
    admission: str = ADMISSIONS[0],
) -> Study:
    """The archive, judged, chosen from and graded.

    `choices` are taken as they were made (then `selectors` may only leave some of them out); without them the selectors
    choose here: every one on the shelf, those that read a stored score only where some candidate has it.
    """
    made: dict[tuple[str, int], dict[str, int | None]] = {}
    for choice in choices or ():
        made.setdefault((choice.problem, choice.seed), {})[choice.selector] = choice.index
    names = selectors if selectors is not None else _default_selectors(archive)
    units = []
    graders: dict[str, Grader] = {}
    for pool in archive.pools:
        problem = archive.problems[pool.problem]
        if problem.id not in graders:
            graders[problem.id] = grader_for(problem, keys)
        view = view_of(problem, pool, admission)
        picked = _choices(view, names) if choices is None else _made(made, pool, selectors)
        units.append(_unit(view, graders[problem.id], picked))
    pools = {(pool.problem, pool.seed): pool for pool in archive.pools}
    return Study(archive.manifest.policy, archive.manifest, archive.problems, pools, tuple(units))


def read_study(folder: str | Path, keys: str | Path, selectors: Sequence[str] | None = None) -> Study:
    """The study of a frozen folder: with the choices that were made on it, or, where none were, made here.

    A folder that was sealed is graded only after its keys were revealed, and only when nothing has changed since.
    """
    steps = check_seal(folder, keys)
    if steps and steps[0].step == "seal" and steps[-1].step != "reveal":
        raise CalverifyError(f"{folder} is sealed; calverify reveal {folder} --keys FILE comes before grading")
    archive, known = read_archive(folder), read_keys(keys)
    if not (Path(folder) / CHOICES).is_file():
        return study_of(archive, known, selectors)
    admission = next((step.admission for step in reversed(steps) if step.step == "select"), None)
    choices = read_choices(folder, archive)
    return study_of(archive, known, selectors, choices=choices, admission=admission or ADMISSIONS[0])


def _default_selectors(archive: Archive) -> tuple[str, ...]:
    stored = {name for pool in archive.pools for candidate in pool.candidates for name in candidate.scores}
    return tuple(name for name in SELECTORS if name not in SCORE_NAMES or name in stored)


def _made(
    made: Mapping[tuple[str, int], Mapping[str, int | None]], pool: Pool, selectors: Sequence[str] | None
) -> dict[str, int | None]:
    """The choices that were made from this pool, of the selectors asked for."""
    there = made.get((pool.problem, pool.seed), {})
    for name in selectors or ():
        if name not in there:
            raise RecordError(f"{name} made no choice from the pool of {pool.problem!r}, seed {pool.seed}")
    return {name: there[name] for name in (there if selectors is None else selectors)}


def _unit(view: View, grader: Grader, choices: Mapping[str, int | None]) -> Unit:
    problem, key = view.problem, grader.key
    graph = key.graph or problem.graph
    kind = graph.kind if isinstance(graph, Graph) else problem.graph_class or "none"
    strata = {"task": problem.query.task, "form": problem.query.form, "graph": kind, **key.strata}
    correct = tuple(map(grader.verdict, view.verdicts))
    recovered: tuple[Recovery | None, ...] = ()
    if problem.graph is None and key.graph is not None:
        judged = zip(view.verdicts, correct, strict=True)
        recovered = tuple(recovery_of(verdict, problem.query, key.graph, right) for verdict, right in judged)
    unit = Unit(problem.id, view.pool.seed, key.cluster, strata, view.verdicts, correct, choices, view.admission)
    return replace(unit, recovered=recovered)


# ---------------------------------------------------------------- outcomes


def outcomes_of(study: Study) -> list[Outcome]:
    """One for each unit and selector, in the order of the pools."""
    return [
        Outcome(unit.problem, unit.seed, name, unit.choices[name], unit.outcome(name))
        for unit in study.units
        for name in unit.choices
    ]


def outcomes_bytes(outcomes: Iterable[Outcome]) -> bytes:
    return b"".join(json_line(outcome.to_json()) for outcome in outcomes)


def read_outcomes(path: str | Path) -> list[Outcome]:
    """The outcomes of a file of JSON Lines."""
    found = []
    for place, record in read_lines(read_bytes(Path(path)), Path(path).name):
        with located(place):
            found.append(Outcome.from_json(record))
    return found
