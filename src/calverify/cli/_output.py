"""How commands speak: prose for people, one JSON value for machines, and the exit code that scripts read."""

import json
from collections.abc import Mapping
from typing import Any

import click

from calverify.errors import CalverifyError
from calverify.scoring import Verdict
from calverify.traces import SLOTS

__all__ = ["FAILED", "INCOMPLETE", "OK", "USAGE", "emit", "error_record", "json_option", "mark", "say", "show_verdict"]

OK, FAILED, USAGE, GATE, INCOMPLETE = range(5)

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON value on standard output.")


def emit(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, sort_keys=True))


def say(text: str = "", **style: Any) -> None:
    click.echo(click.style(text, **style) if style else text)


def mark(good: bool | None) -> str:
    """A coloured word for valid, invalid or undetermined."""
    word, colour = {True: ("valid", "green"), False: ("invalid", "red"), None: ("undetermined", "yellow")}[good]
    return click.style(word, fg=colour, bold=True)


def error_record(error: Exception, hint: str = "") -> dict[str, Any]:
    kind = type(error).__name__ if isinstance(error, CalverifyError) else "UsageError"
    message = error.format_message() if isinstance(error, click.ClickException) else str(error)
    return {"error": {"kind": kind, "message": message, "hint": hint}}


def show_verdict(verdict: Verdict) -> None:
    """The score, the six bits, why each that is 0 failed, and what shows it."""
    if verdict.undetermined:
        say(f"score  {mark(None)}: {verdict.undetermined}")
        return
    say(f"score  {verdict.score} of 6")
    for slot in SLOTS:
        bit = verdict.bits[slot]
        why = "; ".join(fault.why for fault in verdict.faults if fault.slot == slot)
        tick = click.style("1", fg="green") if bit else click.style("0", fg="red", bold=True)
        say(f"  {tick}  {slot:<11}{why if not bit else ''}".rstrip() or f"  {tick}  {slot}")
    say(f"answer {json.dumps(verdict.answer, ensure_ascii=False) if verdict.answer is not None else 'none'}")
    if verdict.answer is not None:
        say(f"why    {verdict.why}")


def show_witness(witness: Mapping[str, Any] | None) -> None:
    """The witness, field by field, as a person reads it."""
    for name, value in (witness or {}).items():
        if name == "path" and value and isinstance(value[0], list):
            value = " ".join([value[0][0], *[f"{arrow} {right}" for _, arrow, right in value]])
        elif name in ("path", "walk", "cycle") and isinstance(value, list):
            value = " -> ".join(value)
        elif name == "states":
            value = ", ".join(f"{node} (by {how})" if how != "start" else f"{node} (start)" for node, how in value)
        elif not isinstance(value, str):
            value = json.dumps(value, ensure_ascii=False)
        say(f"  {name:<9}{value}")
