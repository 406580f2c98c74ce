"""`calverify bench`: benchmarks as problems and keys, in two files that are never one."""

import os
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import click

from calverify.archives import check_unwritten, make_folder, write_new
from calverify.benchmarks import BENCHMARKS, Benchmark, Corpus, fetch, find_benchmark, wanted
from calverify.cli._data import VARIABLE, data_option, folder_of
from calverify.cli._output import OK, emit, json_option, paint, say
from calverify.cli._tell import tell_command
from calverify.errors import CalverifyError
from calverify.records import write_lines

__all__ = ["bench_commands"]


@click.group("bench", short_help="Build benchmarks: problems, and keys apart from them.")
def bench_commands() -> None:
    """Build benchmarks: problems that selectors may see, and keys that they may not.

    \b
    Example:
      calverify bench build identification --out identification
    """


@bench_commands.command("ls", short_help="Which benchmarks there are, and where their data is had.")
@json_option
def ls_command(json: bool) -> int:
    """Which benchmarks there are: what they ask, how large they are, under which licence, and where their data is had.

    \b
    Example:
      calverify bench ls
    """
    if json:
        emit({name: _listed(entry) for name, entry in BENCHMARKS.items()})
        return OK
    for name, entry in BENCHMARKS.items():
        say(paint(f"{name:<16} ", bold=True), entry.what)
        origin = entry.origin
        if origin is not None:
            say(" " * 17, f"{origin.size}; licence: {origin.licence}")
            say(" " * 17, f"{origin.home}, into DIR/{origin.folder}" + (" (bench fetch)" if origin.files else ""))
        for part, subset in entry.subsets.items():
            say(" " * 17, f"{name}:{part}  {subset.what}")
    return OK


def _listed(entry: Benchmark) -> dict[str, Any]:
    origin = entry.origin
    had = {"folder": origin.folder, "size": origin.size, "licence": origin.licence, "home": origin.home,
           "fetch": bool(origin.files)} if origin is not None else None  # fmt: skip
    parts = {f"{entry.name}:{part}": subset.what for part, subset in entry.subsets.items()}
    return {"what": entry.what, "data": had, "parts": parts}


@bench_commands.command("build", short_help="Write problems.jsonl and keys.jsonl.")
@click.argument("name", metavar="NAME[:PART]")
@click.option("--out", metavar="DIR", required=True, help="The folder to write problems.jsonl and keys.jsonl into.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same bytes.")
@data_option
@json_option
def build_command(name: str, out: str, seed: int, data: str | None, json: bool) -> int:
    """Write the problems and, apart from them, the keys of a benchmark or of a part of it, such as clear:core.

    \b
    Example:
      calverify bench build identification --out identification
    """
    entry, part = find_benchmark(name)
    built = entry.build(Random(f"{entry.name} {seed}"), folder_of(data), part)
    folder = Path(out)
    records = {"problems.jsonl": [item.problem.to_json() for item in built.items],
               "keys.jsonl": [item.key.to_json() for item in built.items]}  # fmt: skip
    files = {folder / name: write_lines(lines, name) for name, lines in records.items()}
    for path, bytes_ in files.items():  # before the first is written: another benchmark may lie there
        check_unwritten(path, bytes_)
    make_folder(folder)
    for path, bytes_ in files.items():
        write_new(path, bytes_)
    slices = Counter(item.key.strata.get("slice", "all") for item in built.items)
    if json:
        dropped = [[*why, count] for why, count in built.dropped.items()]
        emit({"items": len(built.items), "slices": dict(slices), "dropped": dropped, "folder": out})
    else:
        _tell(built, slices, folder)
    return OK


@bench_commands.command("fetch", short_help="Get the published data of a benchmark by https.")
@click.argument("name", metavar="NAME")
@data_option
@click.option("--plan", is_flag=True, help="Say what would be fetched from where; nothing is.")
@json_option
def fetch_command(name: str, data: str | None, plan: bool, json: bool) -> int:
    """Get the published files of a benchmark and put them into the folder of data, each checked by its sha256.

    A file that is there already is left alone.

    \b
    Example:
      calverify bench fetch clear --data data --plan
    """
    entry = find_benchmark(name)[0]
    root = data or os.environ.get(VARIABLE)
    if not root:
        raise CalverifyError(f"say where the data shall lie: --data DIR, or {VARIABLE}")
    if plan:
        files = [(path, not there, remote.url) for remote, gives, there in wanted(entry, Path(root)) for path in gives]
        rows = [{"path": path, "fetch": lacks, "url": url, "fetched": False} for path, lacks, url in files]
    else:
        rows = []
        for path, fetched in fetch(entry, Path(root)):
            rows.append({"path": path, "fetched": fetched})
            if not json:
                say(f"{'fetched' if fetched else 'is there':<9} {path}")
    if json:
        emit(rows)
    elif plan:
        for row in rows:
            say(f"{'fetch' if row['fetch'] else 'is there':<9} {row['path']}  from {row['url']}")
    return OK


def _tell(built: Corpus, slices: Counter[str], folder: Path) -> None:
    for name, count in slices.items():
        say(f"{count:>5}  {name}")
    for (name, why), count in built.dropped.items():
        say(f"{count:>5}  {name}: dropped, {why}")
    say(f"{len(built.items):>5}  items in {folder / 'problems.jsonl'}, their keys in {folder / 'keys.jsonl'}")


bench_commands.add_command(tell_command)
