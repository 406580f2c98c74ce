"""What is rated, what a rating is, and what gives one.

Rule 1: a rating that failed has no score and says why; it is never a 0.
Rule 2: a rating is read from what the rater's model wrote, never from the trace that it was shown.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from calverify.errors import CalverifyError, Fault
from calverify.pools import Candidate
from calverify.problem import Problem
from calverify.sampling._request import Completion, Reply, Request, Source

__all__ = ["MOST_SAID", "Ask", "Rater", "Rating", "Unit", "own_words", "recorded"]

MOST_SAID = 2_000  # characters of a model's words that are kept beside its rating
OPENED, CLOSED = "<think>", "</think>"

Ask = Callable[[Request, int], Awaitable[Reply]]
Score = int | float


@dataclass(frozen=True, slots=True)
class Unit:
    """One candidate of the pool of a problem and seed."""

    problem: Problem
    seed: int
    candidate: Candidate

    @property
    def key(self) -> tuple[str, int, int]:
        return self.problem.id, self.seed, self.candidate.index


@dataclass(frozen=True, slots=True)
class Rating:
    """A score, or None and why there is none; the end of what was said, and the tokens that it took."""

    score: Score | None
    why: str = ""
    said: str = ""
    tokens_in: int = 0
    tokens_out: int = 0

    def __post_init__(self) -> None:
        if (self.score is None) != bool(self.why):
            raise CalverifyError("a rating has a score, or says why it has none")

    @classmethod
    def of(cls, read: Score | Fault, said: str = "", *, tokens: tuple[int, int] = (0, 0)) -> "Rating":
        """The rating of what was read from a model's words."""
        score, why = (None, read.why) if isinstance(read, Fault) else (read, "")
        return cls(score, why, said[-MOST_SAID:], *tokens)


class Rater(Protocol):
    """What gives each candidate a number: a judge, the policy itself, a reward model."""

    @property
    def score(self) -> str:
        """The name under which its numbers are stored."""
        ...

    @property
    def source(self) -> Source | None:
        """Whom it asks; None where it asks nobody."""
        ...

    def made(self) -> dict[str, Any]:
        """Model, prompt version and settings, as the manifest records them."""
        ...

    async def rate(self, unit: Unit, ask: Ask) -> Rating:
        """The rating of one candidate; `ask` asks the source until it answers."""
        ...


def own_words(completion: Completion) -> str:
    """What a model said behind its thoughts, where the source leaves them in the text; "" where it still thinks."""
    said = completion.text.rpartition(CLOSED)[2]
    return "" if OPENED in said else said.strip()


def recorded(source: Source, prompt_version: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the manifest keeps of a source that was asked for ratings."""
    manifest = source.manifest()
    kept = {name: getattr(manifest, name) for name in ("adapter", "quantisation") if getattr(manifest, name)}
    asked = {name: value for name, value in settings.items() if value not in (None, (), [])}
    return {
        "model": manifest.model or manifest.policy,
        **kept,
        "prompt_version": prompt_version,
        "settings": {**manifest.sampling, **asked},
    }
