"""What a selector sees: a problem, a pool, and the checker's verdict on every candidate.  Nothing else exists for it.

Rule 1: admissible candidates stand for choice (an answer can be read, and a slot header is there).
Rule 2: with admission "all" the unreadable ones stand too: they score 0, and vote with their raw answer.
Rule 3: what is undetermined never stands: it is neither a pass nor a zero.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from json import dumps

from calverify.errors import CalverifyError
from calverify.names import exact_number
from calverify.pools import SCORE_NAMES, Pool
from calverify.problem import Problem
from calverify.scoring import Verdict, checker_for
from calverify.traces import parse

__all__ = ["ADMISSIONS", "Number", "View", "verdicts_on", "view_of"]

Number = int | Fraction
ADMISSIONS = ("admissible", "all")


@dataclass(frozen=True)
class View:
    """One pool as a selector may see it; `verdicts[i]` is the checker's on candidate i."""

    problem: Problem
    pool: Pool
    verdicts: tuple[Verdict, ...]
    admission: str = ADMISSIONS[0]

    def __post_init__(self) -> None:
        if self.admission not in ADMISSIONS:
            raise CalverifyError(f"admission must be one of {', '.join(ADMISSIONS)}, not {self.admission!r}")
        if self.pool.problem != self.problem.id:
            raise CalverifyError(f"the pool is of problem {self.pool.problem!r}, not of {self.problem.id!r}")
        if len(self.verdicts) != len(self.pool.candidates):
            raise CalverifyError(f"{len(self.verdicts)} verdicts on {len(self.pool.candidates)} candidates")

    def __len__(self) -> int:
        return len(self.verdicts)

    @cached_property
    def readable(self) -> tuple[bool, ...]:
        """Which candidates are admissible."""
        return tuple(verdict.admissible for verdict in self.verdicts)

    @cached_property
    def stands(self) -> tuple[bool, ...]:
        """Which candidates may be picked."""
        if self.admission == "admissible":
            return self.readable
        return tuple(verdict.undetermined is None for verdict in self.verdicts)

    @cached_property
    def answers(self) -> tuple[str | None, ...]:
        """What each candidate that stands votes for: equal texts exactly when the answers are the same answer."""
        return tuple(self._vote(place) if stands else None for place, stands in enumerate(self.stands))

    def _vote(self, place: int) -> str:
        answer = self.verdicts[place].answer
        if answer is not None:
            return dumps(answer, sort_keys=True)
        text = self.pool.candidates[place].text
        return "raw: " + ("\n".join(parse(text).answers) or text.strip())  # no JSON begins so

    @cached_property
    def scores(self) -> tuple[int | None, ...]:
        """The checker's score of each candidate that stands; 0 for one that cannot be read."""
        return tuple(self.counted(lambda place: self.verdicts[place].score or 0))

    def counted(self, count: Callable[[int], int]) -> list[int | None]:
        """A number for the place of each readable candidate, 0 for one that stands unread, None for the others."""
        return [
            None if not stands else count(place) if readable else 0
            for place, (readable, stands) in enumerate(zip(self.readable, self.stands, strict=True))
        ]

    def stored(self, name: str) -> list[Number | None]:
        """The stored score of each candidate that stands, exact as written; None where it is missing or failed."""
        if name not in SCORE_NAMES:
            raise CalverifyError(f"no stored score is called {name!r}; there are {', '.join(sorted(SCORE_NAMES))}")
        return [
            exact_number(candidate.scores.get(name)) if stands else None
            for candidate, stands in zip(self.pool.candidates, self.stands, strict=True)
        ]


def verdicts_on(problem: Problem, texts: Sequence[str]) -> tuple[Verdict, ...]:
    """The verdict on each text, the problem compiled once."""
    checker = checker_for(problem)
    return tuple(checker(text) for text in texts)


def view_of(problem: Problem, pool: Pool, admission: str = ADMISSIONS[0]) -> View:
    """The view of a pool, every candidate judged once."""
    return View(problem, pool, verdicts_on(problem, pool.texts), admission)
