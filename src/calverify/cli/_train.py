"""`calverify train`: examples to learn from, and adapters trained on them."""

from collections import Counter
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random

import click

from calverify.archives import read_bytes, read_problems, write_atomically
from calverify.cli._output import OK, emit, json_option, say

__all__ = ["train_commands"]

SUITE, SUITE_SEED = "miniature", 0  # what is judged on by default, and so never trained on


@click.group("train", short_help="Train a policy with the checker: examples, adapters.")
def train_commands() -> None:
    """Train a policy to write six-slot traces, on canonical traces that the checker gives six of six.

    \b
    Example:
      calverify train data --out examples.jsonl --count 40
    """


def _tasks(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (value or "").split(",") if part.strip())


@train_commands.command("data", short_help="Write canonical six-slot traces of generated problems.")
@click.option("--out", metavar="FILE", required=True, help="The file of examples to write, JSON Lines.")
@click.option("--count", type=click.IntRange(1), default=1000, show_default=True, help="How many examples.")
@click.option(
    "--tasks", metavar="NAMES", callback=_tasks, help="Their tasks, in turn; by default all of the miniature."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same bytes.")
@click.option("--besides", metavar="FILE", multiple=True, help="Problems that will be judged on: none on their graphs.")
@json_option
def data_command(out: str, count: int, tasks: tuple[str, ...], seed: int, besides: tuple[str, ...], json: bool) -> int:
    """Write prompts with traces that earn every bit, of small generated problems.

    No example is on a graph of the suite `miniature` as `bench build` writes it, nor of the problems in --besides,
    graphs being compared up to renaming.  An answer is a valid object of at most one more than the smallest size.

    \b
    Example:
      calverify train data --out examples.jsonl --count 40
    """
    from calverify.benchmarks import BENCHMARKS, miniature  # rooms that only training data needs
    from calverify.training import examples, write_examples

    suite = BENCHMARKS[SUITE].build(Random(f"{SUITE} {SUITE_SEED}"))
    apart = [item.problem for item in suite.items]
    for file in besides:
        apart += read_problems(read_bytes(Path(file)), file).values()
    rng = Random(f"train data {seed}")
    problems = islice(miniature.more_problems(rng, tasks or tuple(miniature.BUILDERS), apart), count)
    found = list(examples(problems, rng))
    data = write_examples(found, out)
    write_atomically(Path(out), data)
    by_task, digest = Counter(example.task for example in found), sha256(data).hexdigest()
    if json:
        emit({"file": out, "examples": len(found), "tasks": dict(by_task), "sha256": digest, "apart": len(apart)})
        return OK
    for task, number in by_task.items():
        say(f"{number:>5}  {task}")
    say(f"{len(found):>5}  examples in {out}, sha256 {digest}")
    say(f"{'':>5}  none on a graph of the {len(apart):,} problems that are kept to judge on")
    return OK
