"""Pools: the ordered traces sampled for one problem and seed, as a selector may see them.

Order is part of a pool and never changes.  Records are read by an allow-list, so a field in which a reference answer
could live is refused whatever its name; stored scores have names from a closed list.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calverify.errors import RecordError
from calverify.names import brief, exact_number
from calverify.records import json_line, read_fields

__all__ = ["SCORE_NAMES", "Candidate", "Pool"]

SCORE_NAMES = frozenset({"confidence", "judge", "prm", "reward"})
SCORES = dict.fromkeys(SCORE_NAMES, int | float | None)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sampled trace: its place in the pool, its text, and numbers that models gave it.

    A rating that was asked for and failed is None; it is not a 0.
    """

    index: int
    text: str
    scores: Mapping[str, float | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.scores:
            read_fields("scores", self.scores, SCORES)
            for name, score in self.scores.items():
                if score is not None and exact_number(score) is None:
                    raise RecordError(f"candidate {self.index}: {name!r} must be a finite number, not {brief(score)}")

    def to_json(self) -> dict[str, Any]:
        record: dict[str, Any] = {"index": self.index, "text": self.text}
        return {**record, "scores": dict(sorted(self.scores.items()))} if self.scores else record

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Candidate":
        read = read_fields("candidate", record, {"index": int, "text": str, "scores": dict}, needed=("index", "text"))
        return cls(read["index"], read["text"], read.get("scores", {}))


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

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(candidate.text for candidate in self.candidates)

    @property
    def digest(self) -> str:
        """The sha256 of the pool's record: equal for equal problem, seed, texts, scores and order."""
        from hashlib import sha256  # loads a library of its own, which checking never needs

        return sha256(json_line(self.to_json())).hexdigest()

    def prefix(self, k: int) -> "Pool":
        """The first `k` candidates; a pool that has fewer is refused, never padded."""
        if not 0 <= k <= len(self.candidates):
            raise RecordError(
                f"the pool of {self.problem!r}, seed {self.seed}, has {len(self.candidates)} candidates, not {k}"
            )
        return Pool(self.problem, self.seed, self.candidates[:k])

    def to_json(self) -> dict[str, Any]:
        candidates = [candidate.to_json() for candidate in self.candidates]
        return {"problem": self.problem, "seed": self.seed, "candidates": candidates}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Pool":
        kinds = {"problem": str, "seed": int, "candidates": list}
        read = read_fields("pool", record, kinds, needed=("problem", "candidates"))
        return cls(read["problem"], read.get("seed", 0), tuple(map(Candidate.from_json, read["candidates"])))
