"""What is asked of a source of candidates, what comes back, and what a source is.

Rule 1: what is sampled for a candidate depends on its request, its pool's seed and its index, never on what was
sampled before it; so a run that resumes asks only for what is missing.
Rule 2: trouble that may pass is `Passing`, and is asked again.  What no second try mends is a `CalverifyError` whose
sentence says what to do, and stops the run; where it is this one request that cannot be answered, it is `Refused`, and
a run that has had answers goes on without.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from calverify.archives import Manifest
from calverify.errors import CalverifyError
from calverify.names import brief
from calverify.problem import Problem
from calverify.records import read_fields
from calverify.tasks import prompt

__all__ = [
    "DECODINGS",
    "MOST_CANDIDATES",
    "Completion",
    "Parameters",
    "Passing",
    "Refused",
    "Reply",
    "Request",
    "Source",
    "ask",
]

MOST_CANDIDATES = 1 << 16  # of one pool
MOST_SEEDS = 1 << 15  # so that every seed that is sent fits 31 bits
DECODINGS = {  # what each holds a text to
    "free": "free text: nothing holds the model to the six slots",
    "schema": "one JSON object of six slots is forced",
    "slots": "a grammar forces six slots, with any JSON in them",
    "names": "a grammar forces six slots in their shapes, and the problem's names",
    "pinned": "a grammar pins slots 1 to 3 but for the object that is chosen, and repeats it in slots 4 to 6",
}
OURS = ("model", "messages", "n", "stream")  # fields of a body that nobody else sets
OPTIONS = ("temperature", "top_p", "max_tokens", "stop", "seed")  # fields that may be taken out, but not set twice


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """How to sample.  What is None is not sent, and the source's own default holds.

    `decoding` says what the text is held to: nothing ("free"), one JSON object of the six slots ("schema"), or a
    grammar of six slots ("slots"), with the nodes' names ("names"), with the first three slots written ("pinned").
    `extra_body` goes into the body of each request as it is; a None in it takes that field out.
    """

    temperature: float = 0.8
    top_p: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    system: str | None = None
    decoding: str = "free"
    extra_body: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 0 <= self.temperature <= 10:
            raise CalverifyError(f"the temperature must lie between 0 and 10, not {brief(self.temperature)}")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise CalverifyError(f"top_p must lie above 0 and be at most 1, not {brief(self.top_p)}")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise CalverifyError(f"max_tokens must be at least 1, not {brief(self.max_tokens)}")
        if self.decoding not in DECODINGS:
            raise CalverifyError(f"the decoding is one of {', '.join(DECODINGS)}, not {brief(self.decoding)}")
        if not all(isinstance(text, str) for text in self.stop):
            raise CalverifyError(f"stop holds texts, not {brief(list(self.stop))}")
        for name, value in self.extra_body.items():
            if name in OURS or (name in OPTIONS and value is not None):
                raise CalverifyError(f"extra_body may not set {name!r}: a run sets that field itself")

    def to_json(self) -> dict[str, Any]:
        record = {name: getattr(self, name) for name in ("temperature", "top_p", "max_tokens", "system", "decoding")}
        kept = {name: value for name, value in record.items() if value is not None}
        return {**kept, "stop": list(self.stop), "extra_body": dict(self.extra_body)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Parameters":
        kinds = {
            "temperature": int | float, "top_p": int | float, "max_tokens": int, "stop": list, "system": str,
            "decoding": str, "extra_body": dict,
        }  # fmt: skip
        read = read_fields("parameters", record, kinds)
        return cls(**{**read, "stop": tuple(read.get("stop", ()))})


@dataclass(frozen=True, slots=True)
class Request:
    """Ask for the candidates from `index` on of the pool of one problem and seed.

    `messages` are (role, text) pairs.
    """

    problem: Problem
    seed: int
    index: int
    messages: tuple[tuple[str, str], ...]
    parameters: Parameters

    def __post_init__(self) -> None:
        if not 0 <= self.seed < MOST_SEEDS:
            raise CalverifyError(f"the seed of a pool must lie between 0 and {MOST_SEEDS - 1:,}, not {self.seed}")
        if not 0 <= self.index < MOST_CANDIDATES:
            raise CalverifyError(f"a pool holds at most {MOST_CANDIDATES:,} candidates; there is no place {self.index}")

    @property
    def sampling_seed(self) -> int:
        """The seed that is sent: no two places of two pools share one.

        The next place has the next number, as vLLM counts the choices of one call, so that there a place is
        the same text whether it came with others or alone.
        """
        return self.seed * MOST_CANDIDATES + self.index


def ask(problem: Problem, seed: int, index: int, parameters: Parameters) -> Request:
    """The request for a problem, in the words of its task."""
    system = (("system", parameters.system),) if parameters.system else ()
    return Request(problem, seed, index, (*system, ("user", prompt(problem))), parameters)


@dataclass(frozen=True, slots=True)
class Completion:
    """One text that a model wrote: what it said, and what it thought where the source keeps that apart."""

    text: str
    reasoning: str = ""
    finish: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What one call gave: its completions in order, and the tokens of them all; None where the source does not say.

    `asked` is how many choices the call asked for, where that is not how many were wanted.
    """

    completions: tuple[Completion, ...]
    tokens_in: int | None = None
    tokens_out: int | None = None
    fingerprint: str | None = None
    asked: int | None = None


class Passing(Exception):
    """Trouble that may pass: ask again, after `wait_s` where the source named a time.

    `overloaded` says that the source would have fewer requests at once, `reached` whether it was there at all.
    """

    def __init__(
        self, why: str, *, wait_s: float | None = None, overloaded: bool = False, reached: bool = True
    ) -> None:
        super().__init__(why)
        self.wait_s = wait_s
        self.overloaded = overloaded
        self.reached = reached


class Refused(CalverifyError):
    """This request cannot be answered, as where a problem does not fit; another may be."""


class Source(Protocol):
    """Where completions come from: an endpoint, or a model in this process."""

    @property
    def name(self) -> str:
        """What tables call the policy."""
        ...

    def manifest(self) -> Manifest:
        """Model, adapter, quantisation, and in `sampling` what else this source knows of itself."""
        ...

    def settings(self) -> dict[str, Any]:
        """What makes this source again, under `kind` its name, and no secret; a run keeps it in order to resume."""
        ...

    async def complete(self, request: Request, want: int) -> Reply:
        """At least one and up to `want` completions, for the places from the request's index on.

        Raises `Passing`, `Refused`, or another `CalverifyError`, which stops the run.
        """
        ...

    async def close(self) -> None:
        """Let go of connections; the source may be used again."""
        ...
