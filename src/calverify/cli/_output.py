"""How commands speak: prose for people, one JSON value for machines, and the exit code that scripts read.

Rule 1: what a model wrote cannot drive a terminal.  `say`, `say_over` and `emit` are the only ways out, and escape
every character that is not printable: control characters, escape sequences, invisible and direction-changing marks.
Rule 2: `say` writes one line, so no name with a line break in it can fake a second one.
"""

import json
import sys
from shutil import get_terminal_size
from typing import Any
from unicodedata import category

import click

from calverify.errors import CalverifyError, Fault
from calverify.problem import Problem
from calverify.scoring import Verdict
from calverify.tasks import task_of
from calverify.traces import SLOTS

__all__ = [
    "FAILED",
    "GATE",
    "INCOMPLETE",
    "OK",
    "USAGE",
    "Ink",
    "emit",
    "error_record",
    "json_option",
    "mark",
    "paint",
    "say",
    "say_error",
    "say_over",
    "show_verdict",
    "spelled",
]

OK, FAILED, USAGE, GATE, INCOMPLETE = range(5)

json_option = click.option("--json", is_flag=True, help="One JSON value on standard output.")


class Ink(str):
    """Text of our own that is already coloured; any other text is data, and is escaped before it is shown."""

    __slots__ = ()


def paint(text: str, **style: Any) -> Ink:
    return Ink(click.style(_visible(text), **style))


def say(*parts: str, err: bool = False) -> None:
    """One line of these parts, one after another."""
    click.echo("".join(part if isinstance(part, Ink) else _visible(part) for part in parts), err=err)


def say_over(line: str) -> None:
    """A line on standard error in the place of the last one that was said so, cut where the terminal ends."""
    click.echo(f"\r{_visible(line)[: get_terminal_size().columns - 1]}\x1b[K", err=True, nl=False)


def say_error(why: str, hint: str = "") -> None:
    say(paint("error:", fg="red", bold=True), " ", why, err=True)
    if hint:
        say(paint("help:", fg="cyan"), "  ", hint, err=True)


def emit(value: Any) -> None:
    """One JSON value on a line, with its keys in order."""
    plain = (sys.stdout.encoding or "").lower().startswith("utf")
    click.echo(_visible(json.dumps(value, ensure_ascii=not plain, sort_keys=True)))


def _visible(text: str) -> str:
    """The text with JSON's escapes in the place of what a terminal would obey or hide."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or category(char) == "Zs" else json.dumps(char)[1:-1] for char in text)


def mark(good: bool | None) -> Ink:
    """A coloured word for valid, invalid or undetermined."""
    word, colour = {True: ("valid", "green"), False: ("invalid", "red"), None: ("undetermined", "yellow")}[good]
    return paint(word, fg=colour, bold=True)


def error_record(error: Exception, hint: str) -> dict[str, Any]:
    kind = type(error).__name__ if isinstance(error, CalverifyError) else "UsageError"
    message = error.format_message() if isinstance(error, click.ClickException) else str(error)
    return {"error": {"kind": kind, "message": message, "hint": hint}}


def spelled(problem: Problem, answer: Any) -> str:
    """An answer in plain JSON as an ANSWER line would spell it: ["P", "U"] -> {P, U}."""
    if answer is None:
        return "no answer"
    kind = task_of(problem.query).answer
    names = frozenset[str]() if problem.graph is None else problem.graph.node_set
    value = kind.read(answer, names, "answer")  # a node may be called "none"
    return json.dumps(answer) if isinstance(value, Fault) else kind.spell(value)


def show_verdict(problem: Problem, verdict: Verdict) -> None:
    """The score, the six bits, why each that is 0 failed, and what the answer is worth."""
    if verdict.undetermined:
        say("score  ", mark(None), f": {verdict.undetermined}")
        return
    say(f"score  {verdict.score} of 6")
    for slot in SLOTS:
        bit = verdict.bits[slot]
        why = "; ".join(fault.why for fault in verdict.faults if fault.slot == slot) if not bit else ""
        tick = paint("1", fg="green") if bit else paint("0", fg="red", bold=True)
        say("  ", tick, f"  {slot:<11}{why}".rstrip())
    if verdict.answer is None:
        say("answer could not be read")
    else:
        say(f"answer {spelled(problem, verdict.answer)}")
        say(f"why    {verdict.why}")
