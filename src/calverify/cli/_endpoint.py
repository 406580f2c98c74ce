"""The options that name an endpoint and how to ask it, and the line that shows how far a long job is."""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import click

from calverify.cli._inputs import Option
from calverify.cli._output import say, say_over
from calverify.errors import CalverifyError

if TYPE_CHECKING:
    from calverify.sampling import Endpoint

__all__ = ["Meter", "asking_options", "endpoint_from", "endpoint_options", "money", "prices_option"]

Command = TypeVar("Command", bound=Callable[..., Any])
WINDOW_S = 30.0  # the rate that is shown is that of the last half minute

ENDPOINT = (
    click.option(
        "-m", "--model", metavar="NAME", help="The model, as the endpoint calls it."
    ),
    click.option(
        "-b", "--base-url", metavar="URL", help="The endpoint: http://127.0.0.1:8000/v1; by default OPENAI_BASE_URL."
    ),
    click.option(
        "-c", "--max-concurrency", type=click.IntRange(1), default=16, show_default=True, help="Requests at once."
    ),
    click.option(
        "--timeout", type=click.FloatRange(0, min_open=True), default=600.0, show_default=True,
        help="Seconds to wait for one response.",
    ),
    click.option(
        "--tries", type=click.IntRange(1), default=12, show_default=True, help="Tries before a request is given up."
    ),
)  # fmt: skip


def endpoint_options(command: Command) -> Command:
    """Where to ask, and how hard."""
    for option in reversed(ENDPOINT):
        command = option(command)
    return command


def asking_options(temperature: float, max_tokens: int | None) -> Callable[[Command], Command]:
    """How to ask, with these defaults."""
    options = (
        click.option(
            "--temperature", type=click.FloatRange(0), default=temperature, show_default=True, help="The temperature."
        ),
        click.option("--top-p", type=float, help="Sample among the most likely tokens with this mass."),
        click.option(
            "--max-tokens", type=click.IntRange(1), default=max_tokens, show_default=max_tokens is not None,
            help="The most tokens of one text.",
        ),
        click.option("--stop", metavar="TEXT", multiple=True, type=Option(), help="End a text here; may be repeated."),
        click.option("--system", metavar="TEXT", help="The system message."),
    )  # fmt: skip

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _prices(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[Fraction, Fraction] | None:
    """Two numbers from 0 on: "0.15,0.60"."""
    if value is None:
        return None
    from calverify.sampling import prices_of

    try:
        return prices_of(value.split(","))
    except CalverifyError as error:
        raise click.BadParameter(f"{error}") from None


prices_option = click.option(
    "--prices", metavar="IN,OUT", callback=_prices, help="What a million tokens cost, read and written: 0.15,0.60."
)


def money(amount: Fraction) -> str:
    """As a number with enough digits to tell it from nothing: "1.25", "0.00042"."""
    number = float(amount)
    return f"{number:,.2f}" if number >= 1 or not number else f"{number:.2g}"


def endpoint_from(asked: Mapping[str, Any], model: str | None = None) -> "Endpoint":
    """The endpoint that the options name, else the environment; `model` where they name none."""
    from calverify.sampling import OPENAI, Endpoint

    named = asked["base_url"] or os.environ.get("OPENAI_BASE_URL")
    if not named and (old := os.environ.get("OPENAI_API_BASE")):
        say("warning: OPENAI_API_BASE is the old name of OPENAI_BASE_URL; it is used for now", err=True)
        named = old
    model = asked["model"] or model
    if not model:
        raise click.UsageError("Name the model: --model NAME.")
    record = {
        "model": model,
        "base_url": named or OPENAI,
        "total_s": asked["timeout"],
        "label": asked.get("label") or "",
        "one_by_one": bool(asked.get("one_by_one")),
    }
    if asked.get("grammar_field"):
        record["grammar_field"] = asked["grammar_field"]
    return Endpoint.from_settings(record, os.environ)


# ---------------------------------------------------------------- how far it is


class Meter:
    """One line on a terminal, written over and over: how many are there, how fast, how long it will take."""

    def __init__(self, noun: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.noun = noun
        self.clock = clock
        self.shown = sys.stderr.isatty()
        self._seen: deque[tuple[float, int]] = deque()

    def __call__(self, done: int, total: int, *words: str) -> None:
        if not self.shown:
            return
        now = self.clock()
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[1][0] > WINDOW_S:
            self._seen.popleft()
        parts = [
            f"{done:,} of {total:,} {self.noun}, {100 * done // total if total else 100} %",
            *self._pace(done, total),
        ]
        line = "  ".join([*parts, *filter(None, words)])
        say_over(line)

    def _pace(self, done: int, total: int) -> list[str]:
        (since, before), (now, _) = self._seen[0], self._seen[-1]
        if done <= before or now <= since:
            return []
        rate = (done - before) / (now - since)
        minutes, seconds = divmod(round((total - done) / rate), 60)
        hours, minutes = divmod(minutes, 60)
        left = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
        return [f"{rate:,.1f} a second", f"{left} left"]

    def end(self) -> None:
        """Leave the line as it is, and go on below it."""
        if self.shown and self._seen:
            say(err=True)
