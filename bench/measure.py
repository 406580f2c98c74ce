"""Agreement first, then time.

Rule 1: before anything is timed, every engine answers the whole workload, and all answers must be equal.
Rule 2: engines take turns, so that a slow minute of the machine hits all of them.  A turn is a few passes, because the
first one finds the caches of the processor full of the engine before it.
Rule 3: the clock is the processor time of this process: other programs do not count, and the garbage collector, left
on as users have it, does.  What an engine prepares is made afresh before each pass, outside the clock, and answers are
let go one by one, because a heap that grows with the workload would be measured, and not the engines.
"""

import gc
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

__all__ = ["OURS", "Contest", "Disagreement", "Engine", "Figure", "Row", "run"]

OURS = "calverify"
PASSES_A_TURN = 3


class Disagreement(Exception):
    """Two engines answered one question differently, so their times are not worth comparing."""


@dataclass(frozen=True, slots=True)
class Engine:
    """`prepare` makes what `run` is timed on, and `run` answers the workload question by question."""

    name: str
    prepare: Callable[[], Any]
    run: Callable[[Any], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Contest:
    """Engines on one workload of `ops` operations; the first is ours.

    `says` turns an answer of ours into what the others answer; `comparable` is False where answers are not answers
    (a built graph).
    """

    section: str
    name: str
    ops: int
    engines: Sequence[Engine]
    says: Callable[[Any], Any] | None = None
    comparable: bool = True


@dataclass(frozen=True, slots=True)
class Figure:
    """Microseconds an operation: the best pass and the median pass."""

    best: float
    median: float


@dataclass(frozen=True, slots=True)
class Row:
    """What one contest found, by engine."""

    section: str
    name: str
    ops: int
    figures: dict[str, Figure]

    @property
    def key(self) -> str:
        return f"{self.section} / {self.name}"

    def ratio(self, peer: str) -> float:
        """How many times as long the peer takes."""
        return self.figures[peer].best / self.figures[OURS].best


def run(contest: Contest, turns: int) -> Row:
    """The row of a contest; `Disagreement` where the engines do not say the same."""
    _agree(contest)
    taken: dict[str, list[float]] = {engine.name: [] for engine in contest.engines}
    for _ in range(turns):
        for engine in contest.engines:
            gc.collect()
            for _ in range(PASSES_A_TURN):
                work = engine.prepare()
                start = process_time()
                deque(engine.run(work), maxlen=0)
                taken[engine.name].append((process_time() - start) * 1e6 / contest.ops)
    return Row(contest.section, contest.name, contest.ops, {n: Figure(min(t), median(t)) for n, t in taken.items()})


def _agree(contest: Contest) -> None:
    ours, *others = contest.engines
    first = list(ours.run(ours.prepare()))
    if contest.says is not None:
        first = [contest.says(answer) for answer in first]
    for engine in others:
        answers = list(engine.run(engine.prepare()))
        if len(answers) != len(first):
            raise Disagreement(f"{contest.section} / {contest.name}: {engine.name} gave {len(answers)} answers")
        for place, (mine, theirs) in enumerate(zip(first, answers, strict=True)):
            if contest.comparable and mine != theirs:
                raise Disagreement(
                    f"{contest.section} / {contest.name}, question {place}: {ours.name} says {mine!r} and "
                    f"{engine.name} says {theirs!r}"
                )
