"""`calverify recheck`: proofs checked a second time, by code that shares nothing with the code that wrote them."""

import json as codec
from typing import Any

import click

from calverify.cli._inputs import read_file
from calverify.cli._output import FAILED, OK, emit, json_option, paint, say
from calverify.errors import RecordError
from calverify.recheck import recheck

__all__ = ["recheck_command"]


@click.command("recheck", short_help="Check proofs again, with code of its own.")
@click.argument("file", default="-")
@json_option
def recheck_command(file: str, json: bool) -> int:
    """Check proofs again: a record, a JSON list of records, or one a line, as check and explain print with --proof.

    What refuses them is one folder of short files, calverify/recheck, which imports nothing else of calverify.

    \b
    Example:
      calverify recheck proof.json
    """
    found = [(record, recheck(record)) for record in _proofs(file)]
    if json:
        emit([{"problem": _name(record), "proved": why is None, "why": why} for record, why in found])
    else:
        for place, (record, why) in enumerate(found, start=1):
            word = paint("proved", fg="green", bold=True) if why is None else paint("refused", fg="red", bold=True)
            said = [part for part in (_name(record), why) if part]
            say(f"{place:>3}  ", word, f"  {': '.join(said)}".rstrip())
        say(f"{sum(why is None for _, why in found)} of {len(found)} proved")
    return OK if all(why is None for _, why in found) else FAILED


def _name(record: Any) -> str:
    """The id of the problem that a record is about, as far as it has one."""
    problem = record.get("problem") if isinstance(record, dict) else None
    return str(problem.get("id", "")) if isinstance(problem, dict) else ""


def _proofs(file: str) -> list[Any]:
    """The records of a file: one, a JSON list of them, or one a line."""
    text, shown = read_file(file), "standard input" if file == "-" else file
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise RecordError(f"{shown}: there is no proof in it")
    try:
        whole = _read(text)
    except (ValueError, RecursionError) as error:
        if len(lines) == 1 or not all(line.lstrip().startswith("{") for _, line in lines):
            raise RecordError(f"{shown} is not JSON: {error}") from None
        return [_read_line(shown, number, line) for number, line in lines]
    return whole if isinstance(whole, list) else [whole]


def _read_line(file: str, number: int, line: str) -> Any:
    try:
        return _read(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{file}, line {number}, is not JSON: {error}") from None


def _read(text: str) -> Any:
    return codec.loads(text, object_pairs_hook=_once, parse_constant=_refuse)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")
