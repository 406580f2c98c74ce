"""One rule picks: the earliest candidate with the highest number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from calverify.errors import CalverifyError
from calverify.pools import Candidate, Pool
from calverify.problem import Problem
from calverify.records import read_fields
from calverify.scoring import Verdict
from calverify.selectors._shelf import numbers_of
from calverify.selectors._view import ADMISSIONS, Number, View, view_of

__all__ = ["Choice", "choose", "earliest_max", "select"]


def earliest_max(scores: Sequence[Number | None]) -> int | None:
    """The first index of the highest score; None stands aside, and where nothing else is there nothing is picked.

    Scores are exact: a float would decide ties by its rounding, so it is refused.
    """
    best: int | None = None
    for index, score in enumerate(scores):
        if isinstance(score, float):
            raise CalverifyError(f"score {index} is the float {score!r}; ties are decided on integers or fractions")
        if score is not None and not isinstance(score, int | Fraction):
            raise CalverifyError(f"score {index} is {score!r}; expected an integer, a fraction or None")
        if score is not None and (best is None or score > scores[best]):  # type: ignore[operator]
            best = index
    return best


@dataclass(frozen=True, slots=True)
class Choice:
    """The picked index (None when nothing could be picked), its answer, and the verdict on every candidate."""

    index: int | None
    answer: Any
    verdicts: tuple[Verdict, ...]

    def to_json(self) -> dict[str, Any]:
        return {"index": self.index, "answer": self.answer, "verdicts": [v.to_json() for v in self.verdicts]}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Choice":
        kinds = {"index": int | None, "answer": object, "verdicts": list}
        read = read_fields("choice", record, kinds, needed=kinds)
        return cls(read["index"], read["answer"], tuple(map(Verdict.from_json, read["verdicts"])))


def choose(view: View, name: str = "calver") -> Choice:
    """What the selector of that name picks."""
    index = earliest_max(numbers_of(name, view))
    return Choice(index, None if index is None else view.verdicts[index].answer, view.verdicts)


def select(problem: Problem, texts: Sequence[str], *, admission: str = ADMISSIONS[0]) -> Choice:
    """The earliest text with the highest score.

    Only admissible traces (an answer can be read, and a slot header is there) stand for choice; `admission="all"` lets
    the unreadable ones stand too, with a 0.  Undetermined ones never do.
    """
    if isinstance(texts, str):
        raise CalverifyError("select takes a list of texts, not one string")
    pool = Pool(problem.id, 0, tuple(Candidate(index, text) for index, text in enumerate(texts)))
    return choose(view_of(problem, pool, admission))
