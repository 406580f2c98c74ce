"""Marks: what a log itself said of each candidate.  They may know the answers, so they never enter a pool.

A mark is right where its value is 1, True, "C" or a word for it, wrong where it is 0 or less, False, "I", "N" or a word
for that, and neither elsewhere: a half is partial credit, and 14 is no grade but a length.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from calverify.exchange._logged import Scalar
from calverify.names import exact_number
from calverify.records import read_fields

__all__ = ["Mark", "is_grade", "is_right"]

RIGHT_WORDS = frozenset({"c", "correct", "right", "yes", "true", "pass", "passed"})
WRONG_WORDS = frozenset({"i", "n", "incorrect", "wrong", "no", "false", "fail", "failed"})
MEASURES = frozenset({"calls", "count", "duration", "latency", "length", "num", "steps", "time", "tokens", "turns"})
WORD = re.compile(r"[a-z]++")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a log said of one candidate, or, where `index` is None, of the pool as a whole."""

    problem: str
    seed: int
    index: int | None
    scores: Mapping[str, Scalar] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    gold: str | None = None

    def right(self, name: str, at: Fraction | None = None) -> bool | None:
        """Did the log mark it right, by the score of that name?  None where it did not say, or said neither."""
        return is_right(self.scores.get(name), at)

    def to_json(self) -> dict[str, Any]:
        record: dict[str, Any] = {"problem": self.problem, "seed": self.seed, "index": self.index}
        return {**record, "scores": dict(self.scores), "answers": dict(self.answers), "gold": self.gold}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Mark":
        kinds = {"problem": str, "seed": int, "index": int | None, "scores": dict, "answers": dict, "gold": str | None}
        return cls(**read_fields("mark", record, kinds, needed=("problem", "seed", "index")))


def is_grade(name: str) -> bool:
    """Does a score of this name grade an answer?  One that counts or measures ("num_turns") does not."""
    return MEASURES.isdisjoint(WORD.findall(name.lower()))


def is_right(value: Scalar, at: Fraction | None = None) -> bool | None:
    """Is a mark of this value one that says right?  With `at`, every number from there on is, and every other not."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str) and (word := value.strip().lower()) in RIGHT_WORDS | WRONG_WORDS:
        return word in RIGHT_WORDS
    number = exact_number(value)
    if number is None:
        return None
    if at is not None:
        return number >= at
    return True if number == 1 else False if number <= 0 else None
