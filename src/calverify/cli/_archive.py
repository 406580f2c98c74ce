"""The commands about frozen pools: freeze, seal, reveal, and what select does with an archive."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from calverify.archives import Manifest, Step, freeze, read_archive, read_bytes, read_log, read_pools, read_problems
from calverify.archives import select_blind as choose_blind
from calverify.cli._output import OK, emit, json_option, paint, say
from calverify.pools import SCORE_NAMES
from calverify.selectors import SELECTORS

__all__ = ["freeze_command", "keys_option", "reveal_command", "say_log", "seal_command", "select_from_archive"]

keys_option = click.option(
    "--keys", metavar="FILE", required=True, help="The keys: JSON Lines, a key record a problem."
)


def _sampling(pairs: Sequence[str]) -> dict[str, Any]:
    """NAME=VALUE as a sampling parameter; a number where it is one."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"--sampling {pair!r} is not of the form NAME=VALUE, such as temperature=0.8.")
        for kind in (int, float, str):
            try:
                found[name.strip()] = kind(value.strip())
                break
            except ValueError:
                continue
    return found


@click.command("freeze", short_help="Freeze pools into a folder with hashes.")
@click.argument("folder")
@click.option(
    "--problems", metavar="FILE", required=True, help="Problem records, one JSON object a line (or .jsonl.gz)."
)
@click.option(
    "--pools", metavar="FILE", multiple=True, required=True, help="Pool records, the same way; may be repeated."
)
@click.option("--policy", metavar="NAME", required=True, help="What tables call the policy that wrote the traces.")
@click.option("--model", metavar="NAME", help="The model.")
@click.option("--adapter", metavar="NAME", help="The adapter on it.")
@click.option("--quantisation", metavar="NAME", help="How it was quantised: nf4.")
@click.option("--prompt-version", metavar="NAME", help="The version of the prompt; by default that of this calverify.")
@click.option("--sampling", metavar="NAME=VALUE", multiple=True, help="A sampling parameter: temperature=0.8.")
@click.option("--command", metavar="TEXT", help="How the pools were made, in your words.")
@click.option("--packed", is_flag=True, help="Write .jsonl.gz files.")
@json_option
def freeze_command(folder: str, json: bool, **asked: Any) -> int:
    """Freeze problems and pools into a new folder: sorted JSON Lines, and a manifest with the sha256 of every file.

    \b
    Example:
      calverify freeze new --problems problem.json --pools pool.json --policy demo
    """
    problems = read_problems(read_bytes(Path(asked["problems"])), asked["problems"])
    pools = [pool for file in asked["pools"] for pool in read_pools(read_bytes(Path(file)), file, problems)]
    said = {name: asked[name] for name in ("model", "adapter", "quantisation", "prompt_version", "command")}
    given = {name: value for name, value in said.items() if value is not None}
    manifest = Manifest(asked["policy"], sampling=_sampling(asked["sampling"]), **given)
    written = freeze(folder, problems.values(), pools, manifest, packed=asked["packed"])
    if json:
        emit(written.to_json())
        return OK
    candidates = sum(map(len, pools))
    say(f"froze {len(problems):,} problems, {len(pools):,} pools, {candidates:,} candidates into {folder}")
    for name, frozen in written.files.items():
        say(f"  {frozen.sha256}  {name}")
    return OK


@click.command("seal", short_help="Commit the keys before anything is chosen.")
@click.argument("folder")
@keys_option
@json_option
def seal_command(folder: str, keys: str, json: bool) -> int:
    """Commit the keys of a frozen folder by their hash, before anything is chosen from it.

    The commitment that is printed stands for keys, problems, pools and manifest: note it down where others see it.

    \b
    Example:
      calverify seal frozen --keys keys.jsonl
    """
    from calverify.evaluation import seal  # a room that only graded work needs

    step = seal(folder, keys)
    if json:
        emit(step.to_json())
        return OK
    say(f"sealed {folder}")
    say("commitment  ", paint(step.sha256, bold=True))
    say(f"next        calverify select --archive {folder}")
    return OK


@click.command("reveal", short_help="Open the keys, if nothing has changed.")
@click.argument("folder")
@keys_option
@click.option(
    "--commitment",
    metavar="SHA256",
    multiple=True,
    help="A commitment that was noted down; may be given for each step.",
)
@json_option
def reveal_command(folder: str, keys: str, commitment: tuple[str, ...], json: bool) -> int:
    """Open the keys of a sealed folder, if no byte of keys, pools, choices or log has changed since; or say which did.

    That the log was not written anew as a whole, only the commitments show that seal and select printed.

    \b
    Example:
      calverify reveal chosen --keys keys.jsonl
    """
    from calverify.evaluation import reveal

    reveal(folder, keys, commitment)
    steps = read_log(folder)
    if json:
        emit([step.to_json() for step in steps])
        return OK
    say_log(steps)
    say("revealed: nothing has changed since it was sealed and chosen")
    say(f"next    calverify grade {folder} --keys {keys}, or calverify report")
    return OK


def say_log(steps: Iterable[Step]) -> None:
    """The chain, a line a step: what was done, its hash, and with what."""
    for step in steps:
        say(f"{step.step:<8}", paint(step.sha256, bold=True), f"  {_about(step)}".rstrip())


def _about(step: Step) -> str:
    if step.step == "select":
        return f"{', '.join(step.selectors)} ({step.admission})"
    return f"keys {step.keys}" if step.step == "seal" else ""


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, and nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    with click.progressbar(length=total, file=sys.stderr, label="choosing") as bar:
        yield bar.update


def select_from_archive(folder: str, asked: dict[str, Any], json: bool) -> int:
    """`calverify select --archive`: choose from every pool in a process that cannot open the keys."""
    archive = read_archive(folder)
    rated = {name for pool in archive.pools for candidate in pool.candidates for name in candidate.scores}
    left_out = [] if asked["selector"] else sorted(SCORE_NAMES - rated)
    names = list(asked["selector"]) or [name for name in SELECTORS if name not in left_out]
    if asked["plugin"] and not asked["selector"]:
        raise click.UsageError("--plugin puts selectors on the shelf; name those that shall choose with --selector.")
    total = len(archive.pools) * len(names)
    with _progress(total) as advance:
        choices = choose_blind(
            folder, names, admission=asked["admission"], plugins=asked["plugin"], progress=lambda made: advance(1)
        )
    commitment = read_log(folder)[-1].sha256
    picked = {name: sum(c.selector == name and c.index is not None for c in choices) for name in names}
    if json:
        counts = {"pools": len(archive.pools), "picked": picked, "left_out": left_out}
        emit({**counts, "choices": f"{folder}/choices.jsonl", "commitment": commitment})
        return OK
    width = max(map(len, names))
    for name in names:
        say(f"{name:<{width}}  picked from {picked[name]:,} of {len(archive.pools):,} pools")
    if left_out:
        say(f"left out: {', '.join(left_out)} (no candidate has such a score)")
    say(f"wrote {folder}/choices.jsonl")
    say("commitment  ", paint(commitment, bold=True))
    say(f"next        calverify reveal {folder} --keys FILE")
    return OK
