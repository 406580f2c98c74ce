"""Writes docs/benchmark-audit.md from the benchmarks' data: `make audit`.

Nothing on that page is typed by hand; a test compares it with the data where the data is.
"""

import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from json import dumps
from pathlib import Path
from random import Random
from typing import Any

from calverify.benchmarks import BENCHMARKS, DataFolder, Finding, Tally, findings_of, tallies

PAGE = Path(__file__).parent / "benchmark-audit.md"
NOTE = "<!-- Written by `make audit` from the data. Edit docs/audit.py, not this page. -->"
INTRO = """# Benchmark audit

Which published keys are wrong, by recomputing each one.
The figures are those of the development half of each data set.
`calverify audit keys NAME --data DIR` prints the same of any part, with witnesses.
A key is wrong when the criterion that its data set states gives something else.
Those that cannot be recomputed are *open*."""
ABOUT = {
    "clear": "Lists of all valid sets and of all paths are recomputed whole; one published object of many is judged.",
    "bnlearn": "No key is published; recomputed is how many problems the paper has of each network.",
    "cg2llm": "No label is published: these were derived from the networks by what the repository's code says.\n"
    "All are right by single edges.\n"
    "Read by directed paths, as the paper reads mediation, some of mediators would be the other word.",
    "cladder": "Words and numbers, from the tables of each model.\n"
    "The data set's generator multiplies the marginals of parents as if they were independent, which they are not in "
    "seven of its ten structures; an effect of the structure arrowhead is wrong for the same reason.\n"
    "Open are questions which of two methods is right, where both are.",
    "corr2cause": "A claim is entailed when it holds in every member of the equivalence class that the premise fixes.\n"
    "The slices named three classes tell neutral from contradiction too.",
    "memkk": "Formulas, uniqueness, solution and its wording, from the text of the quiz alone.",
}
MOST_OF_A_SLICE = 7
LONGEST = 160


def audited(data: DataFolder) -> dict[str, list[Finding]]:
    """The findings of every benchmark that is read from data."""
    return {name: findings(name, data) for name, entry in BENCHMARKS.items() if entry.reader is not None}


def findings(name: str, data: DataFolder) -> list[Finding]:
    """Of one benchmark; none where its data is not in the folder."""
    origin = BENCHMARKS[name].origin
    if origin is None or not (data.root / origin.folder).is_dir():
        return []
    return list(findings_of(BENCHMARKS[name], Random(f"{name} 0"), data))


def page(found: Mapping[str, Sequence[Finding]]) -> str:
    kept = {name: each for name, each in found.items() if each}
    rows = [(f"[{name}](#{name})", *counts(total(each))) for name, each in kept.items()]
    head = ("benchmark", "keys", "agree", "wrong", "open")
    return "\n\n".join([NOTE, INTRO, table(head, *rows), *[section(name, each) for name, each in kept.items()]]) + "\n"


def section(name: str, found: Sequence[Finding]) -> str:
    """One benchmark: its slices, and the keys that are wrong."""
    parts = [f"## {name}"]
    if name in ABOUT:
        parts.append(ABOUT[name])
    counted = tallies(found)
    parts.append(
        table(("slice", "keys", "agree", "wrong", "open"), *[(tally.slice, *counts(tally)) for tally in counted])
    )
    told = sorted((finding for finding in found if finding.why), key=lambda finding: finding.agrees is not False)
    shown = some(told)
    if told:
        rows = [(each.problem, short(each.published), short(each.recomputed), short(each.why)) for each in shown]
        parts.append(table(("key", "published", "recomputed", "why"), *rows))
    if len(told) > len(shown):
        parts.append(f"And {len(told) - len(shown):,} more, which `calverify audit keys {name}` prints.")
    return "\n\n".join(parts)


def some(told: Sequence[Finding]) -> list[Finding]:
    """The first few of each slice."""
    taken: Counter[str] = Counter()
    shown = []
    for finding in told:
        taken[finding.slice] += 1
        if taken[finding.slice] <= MOST_OF_A_SLICE:
            shown.append(finding)
    return shown


def total(found: Sequence[Finding]) -> Tally:
    whole = Tally("all")
    for finding in found:
        whole.add(finding)
    return whole


def counts(tally: Tally) -> tuple[str, ...]:
    return tuple(f"{count:,}" for count in (tally.keys, tally.agree, tally.disagree, tally.open))


def short(value: Any) -> str:
    text = value if isinstance(value, str) else dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def table(*rows: tuple[str, ...]) -> str:
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


if __name__ == "__main__":
    if not os.environ.get("CALVERIFY_DATA"):
        sys.exit("CALVERIFY_DATA names no folder of data, so there is nothing to audit")
    PAGE.write_text(page(audited(DataFolder(os.environ["CALVERIFY_DATA"]))), encoding="utf-8")
