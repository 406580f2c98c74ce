"""`calverify rescue`: what a log marked wrong and is valid, and the reverse."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from calverify.cli._exchange import imported_from, join_options, tell_left_out
from calverify.cli._inputs import Option
from calverify.cli._output import FAILED, INCOMPLETE, OK, Ink, emit, json_option, paint, say
from calverify.errors import CalverifyError
from calverify.exchange import Imported
from calverify.names import exact_number

if TYPE_CHECKING:
    from calverify.evaluation import Finding, MarkCount, Rescue

__all__ = ["rescue_command"]


def _number(ctx: click.Context, param: click.Parameter, value: str | None) -> Fraction | None:
    number = exact_number(value)
    if value and number is None:
        raise click.BadParameter(f"{value!r} is not a number")
    return number


@click.command("rescue", short_help="Valid answers that a log marked wrong, and the reverse.")
@click.argument("files", nargs=-1, required=True, metavar="LOG...")
@join_options
@click.option("--keys", metavar="FILE", help="Keys, where only they hold the graph to judge on.")
@click.option(
    "--mark", metavar="NAME", multiple=True, type=Option(), help="Which grader of the log to look at; by default all."
)
@click.option(
    "--right-at", metavar="NUMBER", callback=_number,
    help="From which number on a mark says right; by default 1 says right and 0 wrong.",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(0), default=5, show_default=True, help="How many findings to show of each."
)
@json_option
def rescue_command(files: tuple[str, ...], json: bool, **asked: Any) -> int:
    """Judge again, by predicate and without a new token, what a log marked right or wrong by comparing texts.

    An answer is read from the six slots of a reply, else from its ANSWER line, else as the log extracted it.  Exit
    code 0: the log is right everywhere, 1: somewhere it is not, 4: it is, but not everything could be judged.

    \b
    Example:
      calverify rescue samples.jsonl --problems problem.json
    """
    from calverify.evaluation import rescue  # a room that only graded work needs
    from calverify.keys import read_keys

    found = imported_from(files, asked)
    for name in asked["mark"]:
        if name not in found.mark_names:
            raise CalverifyError(f"no grader of the log is called {name!r}; {_graders(found)}")
    keys = read_keys(asked["keys"]) if asked["keys"] else {}
    judged = rescue(found, keys, marks=asked["mark"], right_at=asked["right_at"])
    if not judged.findings:
        raise CalverifyError(
            f"the log marks no answer right or wrong: {_graders(found)}; --right-at NUMBER says which marks say right"
        )
    if json:
        emit(_record(found, judged))
    else:
        _tell(found, judged, files, asked["limit"])
    whole = not found.rejected and all(finding.valid is not None for finding in judged.findings)
    return FAILED if judged.rescued or judged.overturned else OK if whole else INCOMPLETE


def _graders(found: Imported) -> str:
    return f"it has {', '.join(found.mark_names)}" if found.mark_names else "it has no scores"


def _record(found: Imported, judged: "Rescue") -> dict[str, Any]:
    unjudged = [finding for finding in judged.findings if finding.valid is None]
    parts = {"rescued": judged.rescued, "overturned": judged.overturned, "unjudged": unjudged}
    return {
        "formats": list(found.formats),
        "problems": len(found.problems),
        "answers": sum(map(len, found.pools)),
        "ways": dict(judged.ways),
        "marks": [count.to_json() for count in judged.marks()],
        **{name: [finding.to_json() for finding in findings] for name, findings in parts.items()},
        "left_out": [entry.to_json() for entry in found.rejected],
        "missing": list(found.missing),
    }


def _tell(found: Imported, judged: "Rescue", files: Sequence[str], limit: int) -> None:
    answers = sum(map(len, found.pools))
    say(f"{', '.join(files)} ({', '.join(found.formats)}): {answers:,} answers to {len(found.problems):,} problems")
    say("read from  ", ", ".join(f"{way} {count:,}" for way, count in judged.ways.items() if count) or "nothing")
    say()
    _table(judged.marks())
    for title, findings in (
        ("Marked wrong, and valid", judged.rescued),
        ("Marked right, and not valid", judged.overturned),
        ("Not judged", [finding for finding in judged.findings if finding.valid is None]),
    ):
        if findings:
            say()
            _examples(title, findings, limit)
    if found.rejected:
        say()
        tell_left_out(found.rejected)


COLUMNS = ("judged", "marked right", "is valid", "wrong, yet valid", "right, yet not", "not judged")


def _table(counts: "Sequence[MarkCount]") -> None:
    width = max(len("grader"), *(len(count.mark) for count in counts))
    say(paint("  ".join([f"{'grader':<{width}}", *COLUMNS]), bold=True))
    for count in counts:
        numbers = [
            f"{count.judged:,}",
            _share(count.right, count.judged),
            _share(count.valid, count.judged),
            _alarming(count.rescued),
            _alarming(count.overturned),
            f"{count.unread + count.undetermined:,}",
        ]
        cells = [
            " " * max(0, len(head) - len(click.unstyle(cell))) for head, cell in zip(COLUMNS, numbers, strict=True)
        ]
        parts = [part for pad, cell in zip(cells, numbers, strict=True) for part in ("  ", pad, cell)]
        say(f"{count.mark:<{width}}", *parts)


def _share(count: int, whole: int) -> str:
    return f"{100 * count / whole:.1f} %" if whole else "-"


def _alarming(count: int) -> str:
    return paint(f"{count:,}", fg="red", bold=True) if count else "0"


def _examples(title: str, findings: "Sequence[Finding]", limit: int) -> None:
    """One line for each answer to a problem, the most frequent first, with why, the log's key and where it stands."""
    groups: dict[tuple[str, str | None], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.problem, finding.answer), []).append(finding)
    ranked = sorted(groups.values(), key=lambda group: -_often(group))
    say(paint(f"{title}: {sum(map(_often, ranked)):,}", bold=True))
    for group in ranked[:limit]:
        _example(group)
    if len(ranked) > limit:
        say(f"  ... and {len(ranked) - limit:,} more answers; --limit {len(ranked)} shows them all, and so does --json")


def _often(group: "Sequence[Finding]") -> int:
    """How many replies (or, where the log judged a record as a whole, records) gave the answer."""
    return len({(finding.seed, finding.index) for finding in group})


def _example(group: "Sequence[Finding]") -> None:
    first = group[0]
    times = f"  ({_often(group):,} times)" if _often(group) > 1 else ""
    say("  ", _name(first.problem), f"  {first.answer or 'no answer'}{times}")
    say("      ", first.why)
    graders = ", ".join(dict.fromkeys(finding.mark for finding in group))
    key = f"; the log's key is {first.gold}" if first.gold else ""
    how = f", {first.way}" if first.way else ""
    say("      ", paint(f"by {graders}{key}; {first.place}{how}", dim=True))


def _name(text: str) -> Ink:
    return paint(text, bold=True)
