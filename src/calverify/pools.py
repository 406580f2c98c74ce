"""Pools: the ordered traces sampled for one problem and seed, as a selector may see them.

Order is part of a pool and never changes.  Records are read by an allow-list, so a field in which a reference answer
could live is refused whatever its name; stored scores have names from a closed list.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calverify.errors import LeakError, RecordError
from calverify.names import brief

__all__ = ["SCORE_NAMES", "Candidate", "Pool"]

SCORE_NAMES = frozenset({"confidence", "judge", "prm", "reward"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sampled trace: its place in the pool, its text, and numbers that models gave it."""

    index: int
    text: str
    scores: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        record: dict[str, Any] = {"index": self.index, "text": self.text}
        return {**record, "scores": dict(sorted(self.scores.items()))} if self.scores else record

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Candidate":
        _only("candidate", record, {"index", "text", "scores"}, needed=("index", "text"))
        index, text, scores = record["index"], record["text"], record.get("scores", {})
        if type(index) is not int or not isinstance(text, str):
            raise RecordError(
                f"a candidate has a whole number as index and a string as text, not {brief(dict(record))}"
            )
        _only("scores", scores, SCORE_NAMES)
        return cls(index, text, dict(scores))


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of one problem and seed, numbered from 0 in the order they were sampled."""

    problem: str
    seed: int
    candidates: tuple[Candidate, ...]

    def __post_init__(self) -> None:
        for place, candidate in enumerate(self.candidates):
            if candidate.index != place:
                raise RecordError(
                    f"pool of {self.problem!r}: candidate {candidate.index} stands at place {place}; the order of a "
                    "pool is fixed"
                )

    def to_json(self) -> dict[str, Any]:
        candidates = [candidate.to_json() for candidate in self.candidates]
        return {"problem": self.problem, "seed": self.seed, "candidates": candidates}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Pool":
        _only("pool", record, {"problem", "seed", "candidates"}, needed=("problem", "candidates"))
        if not isinstance(record["candidates"], list | tuple):
            raise RecordError(f"a pool needs a list of candidates, not {brief(record['candidates'])}")
        candidates = tuple(Candidate.from_json(candidate) for candidate in record["candidates"])
        return cls(str(record["problem"]), int(record.get("seed", 0)), candidates)


def _only(noun: str, record: object, allowed: set[str] | frozenset[str], needed: tuple[str, ...] = ()) -> None:
    if not isinstance(record, Mapping):
        raise RecordError(f"a {noun} record must be an object, not {brief(record)}")
    extra = sorted(map(str, record.keys() - allowed))
    if extra:
        raise LeakError(f"{noun} record carries {', '.join(map(repr, extra))}; allowed: {', '.join(sorted(allowed))}")
    for name in needed:
        if name not in record:
            raise RecordError(f"a {noun} record needs a field {name!r}")
