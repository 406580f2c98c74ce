"""`calverify report`: the tables and figures of graded pools."""

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calverify.cli._output import OK, emit, json_option, paint, say
from calverify.cli._simulate import shares
from calverify.errors import CalverifyError
from calverify.names import those_there_are

if TYPE_CHECKING:
    from calverify.evaluation import Crossing, Study
    from calverify.reports import Options, Plot, Table

__all__ = ["report_command"]

ALL, PAGE = "all", "page"
FORMATS = ("text", "markdown", "csv", "latex", "json")


@click.command("report", short_help="Tables and figures of graded pools.")
@click.argument("words", nargs=-1, metavar="NAME... DIR...")
@click.option("--keys", metavar="FILE", multiple=True, help="The keys; of several files, one for each DIR in turn.")
@click.option("--format", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print.")
@click.option("--draws", type=click.IntRange(1), help="Bootstrap draws; by default 10,000 or 2,000, as --list says.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the draws, and of damage to graphs.")
@click.option(
    "--rates", metavar="SHARES", callback=shares, default="0.1,0.25,0.5", show_default=True,
    help="The shares of edges that corruption damages.",
)  # fmt: skip
@click.option("--out", metavar="FILE", help="Write here, not to the terminal.")
@click.option("--title", metavar="TEXT", default="Selection report", show_default=True, help="What a page is called.")
@click.option("--list", is_flag=True, help="List the reports there are.")
@json_option
def report_command(words: Sequence[str], json: bool, **asked: Any) -> int:
    """Print reports about frozen folders: first the names of reports, then the folders, one for each policy.

    The name all stands for every report, and page writes one self-contained HTML page with all of them (--out FILE).

    \b
    Example:
      calverify report policies same-pool revealed --keys keys.jsonl --draws 200
    """
    from calverify.reports import REPORTS  # a room that only graded work needs

    if asked["list"]:
        return _list(json)
    names, folders = _sorted_out(words, list(REPORTS))
    if not asked["keys"]:
        raise click.UsageError("A report grades what was chosen: give the keys with --keys FILE.")
    if PAGE in names and not asked["out"]:
        raise click.UsageError("A page is written to a file: add --out report.html.")
    studies, crossings = _read(folders, asked["keys"])
    wanted = [name for name in REPORTS if name in names or ALL in names or names == [PAGE]]
    tables, plots = _made(wanted, studies, _options(asked, crossings))
    if PAGE in names:
        return _write_page(folders, studies, (tables, plots), asked)
    return _print(tables, plots, "json" if json else asked["format"], asked["out"])


def _list(json: bool) -> int:
    from calverify.reports import REPORTS

    if json:
        emit({name: {"summary": entry.summary, "draws": entry.draws} for name, entry in REPORTS.items()})
        return OK
    width = max(map(len, REPORTS))
    for name, entry in REPORTS.items():
        say(paint(f"{name:<{width}}", bold=True), f"  {entry.draws:>6,} draws  {entry.summary}")
    return OK


def _sorted_out(words: Sequence[str], known: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names of reports, which come first, and the folders."""
    count = next((place for place, word in enumerate(words) if word not in (*known, ALL, PAGE)), len(words))
    names, folders = list(dict.fromkeys(words[:count])), list(words[count:])
    for folder in folders:
        if not Path(folder).is_dir():
            there = those_there_are(folder, (*known, ALL, PAGE))
            raise click.UsageError(f"{folder!r} is neither a report nor a folder; {there}.")
    if not names:
        raise click.UsageError("Name a report, or all of them: calverify report all DIR; --list says which there are.")
    if not folders:
        raise click.UsageError("Name the frozen folders to report on, behind the names of the reports.")
    return names, folders


# ---------------------------------------------------------------- studies and tables


def _step(said: str) -> None:
    """What is going on, on a terminal only."""
    if sys.stderr.isatty():
        say(said, err=True)


def _read(folders: Sequence[str], files: Sequence[str]) -> "tuple[list[Study], Callable[[Study], list[Crossing]]]":
    """A study of each folder, each under a name of its own, and what compares architectures on it with its keys."""
    from calverify.evaluation import crossings, read_study
    from calverify.keys import read_keys

    if len(files) not in (1, len(folders)):
        raise click.UsageError(
            f"Give --keys once, or once for each of the {len(folders)} folders, not {len(files)} times."
        )
    if len({Path(folder).resolve() for folder in folders}) < len(folders):
        raise click.UsageError("A folder is named twice.")
    read: list[Study] = []
    for place, (folder, file) in enumerate(zip(folders, [*files] * len(folders), strict=False), 1):
        _step(f"reading and grading {folder} ({place} of {len(folders)})")
        read.append(read_study(folder, file))
    often = Counter(study.policy for study in read)
    studies = [
        replace(study, policy=f"{study.policy} ({folder})") if often[study.policy] > 1 else study
        for study, folder in zip(read, folders, strict=True)
    ]
    keys = {study.policy: file for study, file in zip(studies, [*files] * len(folders), strict=False)}
    return studies, lambda study: crossings(study, read_keys(keys[study.policy]))


def _options(asked: Mapping[str, Any], compare: "Callable[[Study], list[Crossing]]") -> "Options":
    from calverify.reports import Options

    rates: tuple[Fraction, ...] = asked["rates"]
    return Options(
        draws=asked["draws"],
        seed=asked["seed"],
        rates=tuple(sorted({rate for rate in rates if rate})),
        crossings=compare,
    )


def _made(names: Sequence[str], studies: "Sequence[Study]", options: "Options") -> "tuple[list[Table], list[Plot]]":
    from calverify.reports import make_report

    tables: list[Table] = []
    plots: list[Plot] = []
    for place, name in enumerate(names, 1):
        _step(f"making {name} ({place} of {len(names)})")
        more, drawn = make_report(name, studies, options)
        tables += more
        plots += drawn
    return tables, plots


# ---------------------------------------------------------------- ways out


def _write(out: str, text: str) -> None:
    try:
        Path(out).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CalverifyError(f"cannot write {out}: {error.strerror or error}") from None
    say(f"wrote {out}")


def _print(tables: "Sequence[Table]", plots: "Sequence[Plot]", style: str, out: str | None) -> int:
    from calverify.reports import RENDERERS

    if out is None and style == "json":
        emit({"tables": [table.to_json() for table in tables], "plots": [plot.to_json() for plot in plots]})
        return OK
    text = RENDERERS[style](tables, plots)
    if out is not None:
        _write(out, text)
        return OK
    for line in text.rstrip("\n").split("\n"):
        say(line)
    return OK


def _write_page(
    folders: Sequence[str],
    studies: "Sequence[Study]",
    made: "tuple[list[Table], list[Plot]]",
    asked: Mapping[str, Any],
) -> int:
    from calverify.archives import read_log
    from calverify.reports import page

    _step("drawing the page")
    logs = [read_log(folder) for folder in folders]
    _write(asked["out"], page(studies, *made, title=asked["title"], logs=logs))
    return OK
