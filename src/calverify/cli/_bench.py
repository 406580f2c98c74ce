"""`calverify bench`: benchmarks as problems and keys, in two files that are never one."""

from collections import Counter
from pathlib import Path
from random import Random

import click

from calverify.archives import write_atomically
from calverify.benchmarks import BENCHMARKS, Corpus
from calverify.cli._output import OK, emit, json_option, say
from calverify.keys import write_keys
from calverify.records import write_lines

__all__ = ["bench_commands"]


@click.group("bench", short_help="Build benchmarks: problems, and keys apart from them.")
def bench_commands() -> None:
    """Build benchmarks: problems that selectors may see, and keys that they may not.

    \b
    Example:
      calverify bench build identification --out identification
    """


@bench_commands.command("ls", short_help="Which benchmarks there are.")
@json_option
def ls_command(json: bool) -> int:
    """Which benchmarks there are.

    \b
    Example:
      calverify bench ls
    """
    if json:
        emit({name: entry.what for name, entry in BENCHMARKS.items()})
    else:
        for name, entry in BENCHMARKS.items():
            say(f"{name:<16} {entry.what}")
    return OK


@bench_commands.command("build", short_help="Write problems.jsonl and keys.jsonl.")
@click.argument("name", type=click.Choice(list(BENCHMARKS)))
@click.option("--out", metavar="DIR", required=True, help="The folder to write problems.jsonl and keys.jsonl into.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same bytes.")
@json_option
def build_command(name: str, out: str, seed: int, json: bool) -> int:
    """Write the problems and, apart from them, the keys of a benchmark.

    \b
    Example:
      calverify bench build identification --out identification
    """
    built = BENCHMARKS[name].build(Random(f"{name} {seed}"))
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(
        folder / "problems.jsonl", write_lines([item.problem.to_json() for item in built.items], "problems.jsonl")
    )
    write_keys(folder / "keys.jsonl", (item.key for item in built.items))
    slices = Counter(item.key.strata.get("slice", "all") for item in built.items)
    if json:
        dropped = [[*why, count] for why, count in built.dropped.items()]
        emit({"items": len(built.items), "slices": dict(slices), "dropped": dropped, "folder": out})
    else:
        _tell(built, slices, folder)
    return OK


def _tell(built: Corpus, slices: Counter[str], folder: Path) -> None:
    for name, count in slices.items():
        say(f"{count:>5}  {name}")
    for (name, why), count in built.dropped.items():
        say(f"{count:>5}  {name}: dropped, {why}")
    say(f"{len(built.items):>5}  items in {folder / 'problems.jsonl'}, their keys in {folder / 'keys.jsonl'}")
