"""How sure the policy itself is: shown its own trace, it is asked whether the answer is right, yes or no, n times.

The score is the share of yes among n readable replies, an exact number.  A reply that cannot be read is asked again,
n times in all at most; a candidate that has fewer than n readable ones by then has no score.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from calverify.errors import CalverifyError, Fault
from calverify.names import brief, number_json
from calverify.sampling._request import Completion, Parameters, Request, Source
from calverify.sampling.scores._rating import Ask, Rating, Unit, own_words, recorded
from calverify.sampling.scores._shown import shown
from calverify.traces import MAX_TEXT

__all__ = ["CONFIDENCE_PROMPT", "Confidence", "parse_vote"]

CONFIDENCE_PROMPT = "confidence 1"
MOST_SAMPLES = 1_000
QUESTION = (
    "You wrote this trace. Is its final answer right? Several different answers may be.\n"
    "Reply with one word, yes or no, and nothing else."
)
FIRST_WORD = re.compile(r"[ \t*_`\"']*+(yes|no)[*_`\"']*+(?:[.,;:!\n]|\s*+\Z)", re.IGNORECASE)
WORD = re.compile(r"[A-Za-z]++")


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """`Confidence(source=Endpoint(model="the policy", ...), samples=8)`."""

    source: Source
    parameters: Parameters = field(default_factory=lambda: Parameters(max_tokens=16))
    samples: int = 8
    longest: int = MAX_TEXT

    def __post_init__(self) -> None:
        if not 1 <= self.samples <= MOST_SAMPLES:
            raise CalverifyError(f"ask 1 to {MOST_SAMPLES:,} times, not {self.samples}")
        if isinstance(number_json(Fraction(1, self.samples)), str):
            raise CalverifyError(
                f"a share of {self.samples} has no exact decimal spelling; ask 1, 2, 4, 5, 8, 10, 16 or 20 times"
            )
        if self.samples > 1 and not self.parameters.temperature:
            raise CalverifyError("at temperature 0 every reply is the same: ask once, or raise the temperature")

    @property
    def score(self) -> str:
        return "confidence"

    def made(self) -> dict[str, Any]:
        asked = {name: getattr(self.parameters, name) for name in ("temperature", "top_p", "max_tokens")}
        stop = list(self.parameters.stop)
        settings = {**asked, "stop": stop, "samples": self.samples, "max_length": self.longest}
        return recorded(self.source, CONFIDENCE_PROMPT, settings)

    async def rate(self, unit: Unit, ask: Ask) -> Rating:
        trace = unit.candidate.text
        if len(trace) > self.longest:
            why = f"the trace has {len(trace):,} characters; the limit is {self.longest:,}"
            return Rating.of(Fault("confidence", why))
        system = (("system", self.parameters.system),) if self.parameters.system else ()
        messages = (*system, ("user", shown(unit.problem, trace, QUESTION)))
        votes: list[bool] = []
        said: list[str] = []
        tokens_in = tokens_out = 0
        # The seeds are those of places 0, 1, 2, ... for every candidate; the trace in the words tells them apart.
        while len(votes) < self.samples and len(said) < 2 * self.samples:
            want = min(self.samples - len(votes), 2 * self.samples - len(said))
            reply = await ask(Request(unit.problem, unit.seed, len(said), messages, self.parameters), want)
            tokens_in, tokens_out = tokens_in + (reply.tokens_in or 0), tokens_out + (reply.tokens_out or 0)
            for completion in reply.completions:
                said.append(completion.text)
                vote = parse_vote(completion)
                if not isinstance(vote, Fault):
                    votes.append(vote)
        return Rating.of(self._share(votes, said), "\n".join(said), tokens=(tokens_in, tokens_out))

    def _share(self, votes: list[bool], said: list[str]) -> int | float | Fault:
        if len(votes) < self.samples:
            unread = next((text for text in said if isinstance(parse_vote(Completion(text)), Fault)), "")
            why = f"{len(votes)} of {len(said)} replies say yes or no, {self.samples} are needed; one said"
            return Fault("confidence", f"{why} {brief(unread)}")
        share = number_json(Fraction(sum(votes), self.samples))
        assert not isinstance(share, str), self.samples
        return share


def parse_vote(said: Completion) -> bool | Fault:
    """Yes or no, the first word of the policy's words, with the other word nowhere behind it."""
    words = own_words(said)
    first = FIRST_WORD.match(words)
    if first is None:
        return Fault("confidence", f"neither yes nor no: {brief(words)}")
    spoken = {word[0].lower() for word in WORD.finditer(words)}
    return Fault("confidence", "both yes and no") if {"yes", "no"} <= spoken else first[1].lower() == "yes"
