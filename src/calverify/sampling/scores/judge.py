"""A language model as a judge of validity: 0 to 10, asked with what the checker has, and without any reference.

The judge may reason; its rating stands alone on the last line, once.  Anything else is a failed rating, and so is a
line that the trace holds too, because a judge that repeats what it reads has not rated.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from calverify.errors import CalverifyError, Fault, RecordError
from calverify.names import brief, exact_number, number_json
from calverify.records import read_strict_json
from calverify.sampling._request import Completion, Parameters, Request, Source
from calverify.sampling.scores._rating import Ask, Rating, Unit, own_words, recorded
from calverify.sampling.scores._shown import shown
from calverify.traces import MAX_TEXT

__all__ = ["JUDGE_PROMPT", "MOST", "Judge", "parse_rating"]

JUDGE_PROMPT = "judge 1"
MOST = 10
QUESTION = (
    "How valid is the trace? Check each step and the final answer against the graph and the question; several "
    "different answers may be right.\n"
    f"Rate it from 0 (the answer and the steps are invalid) to {MOST} (the answer and every step are valid).\n"
    'You may reason first. The last line of your reply must hold the rating and nothing else, as {"score": N}.'
)
ALONE = re.compile(r"(?:(?:score|rating)[ \t]*+[:=]?+[ \t]*+|(?!))?+(\d{1,3}+(?:\.\d{1,6}+|(?!))?+)", re.IGNORECASE)
MARKS = " \t\r*_`"  # emphasis around a line


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """`Judge(source=Endpoint(model="m", ...))`; a trace of over `longest` characters is not shown to it."""

    source: Source
    parameters: Parameters = field(default_factory=lambda: Parameters(temperature=0.0, max_tokens=1024))
    longest: int = MAX_TEXT

    def __post_init__(self) -> None:
        if self.longest < 1:
            raise CalverifyError(f"a judge must be shown at least one character, not {self.longest}")
        if self.parameters.decoding != "free":
            raise CalverifyError(
                f"a judge writes freely; {self.parameters.decoding!r} is how traces are held to a form"
            )

    @property
    def score(self) -> str:
        return "judge"

    def made(self) -> dict[str, Any]:
        asked = {name: getattr(self.parameters, name) for name in ("temperature", "top_p", "max_tokens")}
        stop = list(self.parameters.stop)
        return recorded(self.source, JUDGE_PROMPT, {**asked, "stop": stop, "max_length": self.longest})

    async def rate(self, unit: Unit, ask: Ask) -> Rating:
        trace = unit.candidate.text
        if len(trace) > self.longest:
            return Rating.of(Fault("judge", f"the trace has {len(trace):,} characters; the limit is {self.longest:,}"))
        words = shown(unit.problem, trace, QUESTION)
        system = (("system", self.parameters.system),) if self.parameters.system else ()
        messages = (*system, ("user", words))
        reply = await ask(Request(unit.problem, unit.seed, unit.candidate.index, messages, self.parameters), 1)
        said = reply.completions[0]
        tokens = (reply.tokens_in or 0, reply.tokens_out or 0)
        return Rating.of(parse_rating(said, trace), said.text, tokens=tokens)


def parse_rating(said: Completion, trace: str = "") -> int | float | Fault:
    """The one rating in a judge's words about a trace; total, and read from nothing but these words."""
    if said.finish == "length":
        return Fault("judge", "the judge was cut off")
    lines = [line.strip(MARKS) for line in own_words(said).split("\n")]
    lines = [line for line in lines if line and line != "json"]
    ratings = [(place, rating) for place, line in enumerate(lines) if (rating := _rating_on(line)) is not None]
    if len(ratings) != 1:
        return Fault("judge", f"{len(ratings)} lines hold a rating" if ratings else "no line holds a rating alone")
    ((place, rating),) = ratings
    if place != len(lines) - 1:
        return Fault("judge", f"more text behind the rating: {brief(lines[place + 1])}")
    if isinstance(rating, Fault):
        return rating
    if _repeats(lines[place], trace):
        return Fault("judge", f"the trace holds the same line: {brief(lines[place])}")
    return rating


def _rating_on(line: str) -> int | float | Fault | None:
    """The rating that a line is; a fault where it is one that cannot be, None where it is none."""
    if line.startswith("{"):
        try:
            record = read_strict_json(line)
        except RecordError:
            return None
        if "score" not in record:
            return None
        value = record["score"]
        number = None if isinstance(value, str) else exact_number(value)
    else:
        alone = ALONE.fullmatch(line)
        if alone is None:
            return None
        value = alone[1]
        number = exact_number(value)
    if number is None or not 0 <= number <= MOST:
        return Fault("judge", f"a rating is a number from 0 to {MOST}, not {brief(value)}")
    stored = number_json(number)
    assert not isinstance(stored, str), value
    return stored


def _repeats(line: str, trace: str) -> bool:
    """Does the trace hold this rating?  A bare number only counts where it is a whole line of the trace."""
    if ALONE.fullmatch(line) and line[0].isdigit():
        return any(line == other.strip(MARKS) for other in trace.split("\n"))
    return _squeezed(line) in _squeezed(trace)


def _squeezed(text: str) -> str:
    return "".join(text.casefold().split())
