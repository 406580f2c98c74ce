"""`calverify import` and `calverify export`: logs of other tools as pools, and pools as such logs."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from calverify.archives import Archive, Manifest, freeze, read_archive, read_bytes, read_problems, write_atomically
from calverify.benchmarks import clear
from calverify.cli._inputs import Option
from calverify.cli._output import INCOMPLETE, OK, emit, json_option, say
from calverify.errors import CalverifyError
from calverify.exchange import AUTO, MATCHES, READERS, WRITERS, Imported, Join, Rejected, find_writer, import_logs
from calverify.problem import Problem
from calverify.records import write_lines
from calverify.traces import parse

__all__ = ["export_command", "import_command", "imported_from", "join_options", "tell_left_out"]

Command = Callable[..., Any]

BESIDE = "problems.jsonl"
CARRIED = (clear.problem_of,)  # data sets whose published records are read out of a log
MOST_SHOWN = 10
JOIN = (
    click.option(
        "--problems", metavar="FILE", help=f"The problems; by default {BESIDE} beside the log, or what it carries."
    ),
    click.option(
        "--format", type=click.Choice([AUTO, *READERS]), default=AUTO, show_default=True, help="What wrote the log."
    ),
    click.option(
        "--match", type=click.Choice(MATCHES), default=MATCHES[0], show_default=True,
        help="Find the problem of a record by the id that it holds, by the text that was asked, or by either.",
    ),
    click.option("--id-field", metavar="NAME", help="Where that id stands: doc.uid."),
    click.option("--cut", metavar="MARK", help='What parts an id from the number of a sample: "#" in w1#3.'),
)  # fmt: skip


def join_options(command: Command) -> Command:
    """The options that say how a log is read, and which record belongs to which problem."""
    for option in reversed(JOIN):
        command = option(command)
    return command


def imported_from(files: Sequence[str], asked: Mapping[str, Any], **more: Any) -> Imported:
    """What these logs hold, joined with their problems as the options say."""
    problems = _problems(files, asked["problems"])
    rule = Join(match=asked["match"], field=asked["id_field"], cut=asked["cut"], carried=CARRIED, **more)
    logs = {file: read_bytes(Path(file)) for file in dict.fromkeys(files)}
    if sys.stderr.isatty():
        say(f"reading {', '.join(logs)} ({sum(map(len, logs.values())) / 1e6:,.1f} MB)", err=True)
    return import_logs(logs, problems, format=asked["format"], join=rule)


def _problems(files: Sequence[str], named: str | None) -> Mapping[str, Problem] | None:
    beside = Path(files[0]).with_name(BESIDE)
    if named is None and not beside.is_file():
        return None
    file = named or str(beside)
    return read_problems(read_bytes(Path(file)), file)


def tell_left_out(rejected: Sequence[Rejected]) -> None:
    """Each record that became no candidate, with the reason, as far as a screen holds them."""
    if rejected:
        say(f"left out {len(rejected):,} {'record' if len(rejected) == 1 else 'records'}:")
        for entry in rejected[:MOST_SHOWN]:
            say(f"  {entry}")
        if len(rejected) > MOST_SHOWN:
            say(f"  ... and {len(rejected) - MOST_SHOWN:,} more, which --json lists")


# ---------------------------------------------------------------- import


@click.command("import", short_help="Logs of other tools as frozen pools.")
@click.argument("files", nargs=-1, required=True, metavar="LOG...")
@join_options
@click.option("--apart", is_flag=True, help="Make each record a pool of its own.")
@click.option(
    "--rating", metavar="MARK=SCORE", multiple=True, type=Option(),
    help="Keep a mark that a model gave without the key as a stored score: scores=prm.",
)  # fmt: skip
@click.option("--out", metavar="PATH", required=True, help="The new folder to freeze into, or a new .jsonl for pools.")
@click.option("--policy", metavar="NAME", help="What tables call the policy; by default the model that the log names.")
@click.option("--packed", is_flag=True, help="Write .jsonl.gz files.")
@click.option("--marks", metavar="FILE", help="Write what the log says of the answers here; the pools never hold it.")
@json_option
def import_command(files: tuple[str, ...], json: bool, **asked: Any) -> int:
    """Make pools of logs that other tools wrote: Inspect, lm-eval, verifiers, NeMo Gym, OpenAI batches and others.

    Keys and scores in a log are left out of the pools.  Exit code 4: some records were left out, and are listed.

    \b
    Example:
      calverify import samples.jsonl --problems problem.json --out imported
    """
    for path in (asked["out"], asked["marks"]):
        _refuse_present(path)
    ratings = dict(_pair(said) for said in asked["rating"])
    found = imported_from(files, asked, apart=asked["apart"], ratings=ratings)
    _write(found, files, asked)
    if asked["marks"]:
        write_atomically(Path(asked["marks"]), write_lines([mark.to_json() for mark in found.marks], asked["marks"]))
    if json:
        emit({**_counts(found), "out": asked["out"], "left_out": [entry.to_json() for entry in found.rejected]})
    else:
        _tell(found, files, asked)
    return INCOMPLETE if found.rejected else OK


def _refuse_present(path: str | None) -> None:
    if path is not None and Path(path).is_file():
        raise CalverifyError(f"{path} is there already, and nothing is written over it: name a new one")


def _pair(said: str) -> tuple[str, str]:
    mark, equals, score = said.partition("=")
    if not equals:
        raise click.UsageError(f"--rating {said!r} is not of the form MARK=SCORE, such as scores=prm.")
    return mark.strip(), score.strip()


def _write(found: Imported, files: Sequence[str], asked: Mapping[str, Any]) -> None:
    out = asked["out"]
    if out.endswith((".jsonl", ".jsonl.gz")):
        write_atomically(Path(out), write_lines([pool.to_json() for pool in found.pools], out))
        return
    if len(found.models) > 1 and not asked["policy"]:
        raise CalverifyError(
            f"the log holds answers of {', '.join(found.models)}: name the --policy that they make together, or import "
            "one at a time"
        )
    model = found.models[0] if len(found.models) == 1 else None
    names = ", ".join(Path(file).name for file in files)
    manifest = Manifest(
        asked["policy"] or model or "imported", model=model, command=f"imported from {names} ({_formats(found)})"
    )
    freeze(out, found.problems.values(), found.pools, manifest, packed=asked["packed"])


def _formats(found: Imported) -> str:
    return ", ".join(found.formats)


def _counts(found: Imported) -> dict[str, Any]:
    return {
        "formats": list(found.formats),
        "models": list(found.models),
        "problems": len(found.problems),
        "pools": len(found.pools),
        "candidates": sum(map(len, found.pools)),
        "marks": list(found.mark_names),
        "missing": list(found.missing),
    }


def _tell(found: Imported, files: Sequence[str], asked: Mapping[str, Any]) -> None:
    sizes = sorted({len(pool) for pool in found.pools})
    each = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    say(f"read     {', '.join(files)} ({_formats(found)})")
    say(f"wrote    {len(found.pools):,} pools of {each}, on {len(found.problems):,} problems, into {asked['out']}")
    if found.mark_names:
        there = f"in {asked['marks']}" if asked["marks"] else "left out; --marks FILE writes them"
        say(f"marks    {', '.join(found.mark_names)}: {there}")
    if found.missing:
        said = ", ".join(found.missing[:MOST_SHOWN]) + (", ..." if len(found.missing) > MOST_SHOWN else "")
        say(f"missing  no record belongs to {len(found.missing):,} problems: {said}")
    if not asked["out"].endswith((".jsonl", ".jsonl.gz")):
        slots = any(parse(text).headers for pool in found.pools for text in pool.texts)
        say(f"next     calverify select --archive {asked['out']}{'' if slots else ' --admission all'}")
        if not slots:
            say("         (no reply has one of the six slots, and only with them a trace is admitted by default)")
    tell_left_out(found.rejected)


# ---------------------------------------------------------------- export


@click.command("export", short_help="Frozen pools as the log of another tool.")
@click.argument("folder")
@click.option("--format", type=click.Choice(list(WRITERS)), required=True, help="Which tool's log to write.")
@click.option("--out", metavar="FILE", required=True, help="The new file.")
@json_option
def export_command(folder: str, format: str, out: str, json: bool) -> int:
    """Write the pools of a frozen folder as a log that another tool reads, and say what such a log cannot hold.

    \b
    Example:
      calverify export frozen --format plain --out pools.jsonl
    """
    _refuse_present(out)
    archive = read_archive(folder)
    data = find_writer(format)(archive)
    lost = _lost(archive, format, data)
    write_atomically(Path(out), data)
    counts = {"pools": len(archive.pools), "candidates": sum(map(len, archive.pools)), "lost": lost, "out": out}
    if json:
        emit(counts)
        return OK
    say(f"wrote {counts['pools']:,} pools, {counts['candidates']:,} candidates to {out} ({format})")
    say(f"not in it: {', '.join(lost)}")
    return OK


def _lost(archive: Archive, format: str, data: bytes) -> list[str]:
    """What the log does not hold, told by reading it back; texts, order and seeds are there, or it is not written."""
    lost = ["graphs and queries"]
    if not archive.pools:
        return lost
    rated = sorted({name for pool in archive.pools for candidate in pool.candidates for name in candidate.scores})
    back = import_logs({"log": data}, archive.problems, format=format, join=Join(match="id"))
    order = sorted(archive.pools, key=lambda pool: (list(archive.problems).index(pool.problem), pool.seed))
    said = [(pool.problem, pool.seed, pool.texts) for pool in back.pools]
    if said != [(pool.problem, pool.seed, pool.texts) for pool in order]:
        raise CalverifyError(f"{format} cannot hold these pools: what is written does not read back as they are")
    marks = {"scores": "prm", "agg_scores": "prm"} if format == "search-and-learn" else {}
    held = {marks.get(name, name) for name in back.mark_names}
    return [*lost, *(f"stored scores {name}" for name in rated if name not in held)]
