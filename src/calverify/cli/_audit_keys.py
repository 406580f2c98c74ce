"""`calverify audit keys`: which published keys are wrong, and how a reader sees it."""

from collections.abc import Sequence
from json import dumps
from random import Random
from typing import Any

import click

from calverify.benchmarks import BENCHMARKS, DataFolder, Finding, Tally, find_benchmark, findings_of, tallies
from calverify.cli._data import data_option, folder_of
from calverify.cli._output import FAILED, INCOMPLETE, OK, emit, json_option, paint, say
from calverify.cli._witness import show_witness

__all__ = ["keys_command"]

LONGEST = 400  # characters of a key that are shown


@click.command("keys", short_help="Recompute published keys; tell which are wrong, and why.")
@click.argument("names", metavar="NAME...", nargs=-1)
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of what is generated.")
@data_option
@json_option
def keys_command(names: tuple[str, ...], seed: int, data: str | None, json: bool) -> int:
    """Recompute every published key of benchmarks, and print each that is wrong with its witness.

    Without a name, every benchmark is audited whose data lies in the folder.  Exit code 1 when a key is wrong, 4 when
    none is but some could not be recomputed.

    \b
    Example:
      calverify audit keys miniature
    """
    folder = folder_of(data)
    audited = [find_benchmark(name)[0].name for name in names] or _at_hand(folder)
    found = {name: list(findings_of(BENCHMARKS[name], Random(f"{name} {seed}"), folder)) for name in audited}
    every = [finding for findings in found.values() for finding in findings]
    if json:
        emit({name: _record(findings) for name, findings in found.items()})
    else:
        for name, findings in found.items():
            _tell(name, findings)
    if any(finding.agrees is False for finding in every):
        return FAILED
    return INCOMPLETE if any(finding.agrees is None for finding in every) else OK


def _at_hand(folder: DataFolder | None) -> list[str]:
    """The benchmarks that need no data, and those whose data is here."""
    return [
        name
        for name, entry in BENCHMARKS.items()
        if entry.origin is None or (folder is not None and (folder.root / entry.origin.folder).is_dir())
    ]


def _record(findings: Sequence[Finding]) -> dict[str, Any]:
    told = [finding.to_json() for finding in findings if finding.why or not finding.agrees]
    return {"slices": [tally.to_json() for tally in tallies(findings)], "findings": told}


def _tell(name: str, findings: Sequence[Finding]) -> None:
    for finding in findings:
        if finding.agrees and not finding.why:
            continue
        word, colour = {True: ("note", "cyan"), False: ("wrong", "red"), None: ("open", "yellow")}[finding.agrees]
        say(paint(word, fg=colour, bold=True), f"  {finding.problem} ({finding.slice})")
        say(f"  published  {_spelled(finding.published)}")
        if finding.agrees is False:
            say(f"  recomputed {_spelled(finding.recomputed)}")
        say(f"  why        {finding.why}")
        if isinstance(finding.witness, dict):
            show_witness(finding.witness, "  ")
        elif finding.witness is not None:
            say(f"  witness    {_spelled(finding.witness)}")
    counted = tallies(findings)
    total = Tally("all")
    for finding in findings:
        total.add(finding)
    width = max(len(name), 5, *(len(tally.slice) for tally in counted)) if counted else len(name)
    say(paint(f"{name:<{width}}  {'keys':>6} {'agree':>6} {'wrong':>6} {'open':>6}", bold=True))
    for tally in [*counted, total]:
        say(f"{tally.slice:<{width}}  {tally.keys:>6,} {tally.agree:>6,} {tally.disagree:>6,} {tally.open:>6,}")


def _spelled(value: Any) -> str:
    """A text as it stands, anything else as JSON; the start of what is long."""
    text = value if isinstance(value, str) else dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ... ({len(text):,} characters)"
