"""`calverify train`: examples to learn from, and adapters trained on them."""

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from shutil import rmtree
from statistics import fmean
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from calverify.archives import read_bytes, read_problems, write_new
from calverify.cli._output import INCOMPLETE, OK, emit, json_option, say, say_error, say_over

if TYPE_CHECKING:
    from calverify.training import Asked, Estimate, Step, Training

__all__ = ["train_commands"]

BESIDE_RESUME = ("resume", "dry_run", "json")  # the only options that go with --resume
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
    write_new(Path(out), data)
    by_task, digest = Counter(example.task for example in found), sha256(data).hexdigest()
    if json:
        emit({"file": out, "examples": len(found), "tasks": dict(by_task), "sha256": digest, "apart": len(apart)})
        return OK
    for task, number in by_task.items():
        say(f"{number:>5}  {task}")
    say(f"{len(found):>5}  examples in {out}, sha256 {digest}")
    say(f"{'':>5}  none on a graph of the {len(apart):,} problems that are kept to judge on")
    return OK


# ---------------------------------------------------------------- sft


@train_commands.command("sft", short_help="Train a LoRA on examples; resumed after any stop.")
@click.argument("examples", required=False, metavar="[EXAMPLES]")
@click.option("--out", metavar="DIR", help="The new folder of the training.")
@click.option("--resume", metavar="DIR", help="Go on with the training in this folder; nothing else is needed.")
@click.option("--model", metavar="PATH", help="A .gguf file or a folder of weights; by default the embedded model.")
@click.option(
    "--recipe", metavar="NAME", default="miniature", show_default=True, help="miniature (two cores) or paper."
)
@click.option("--steps", type=click.IntRange(1), help="Other than the recipe's.")
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the order and the first adapter."
)
@click.option("--threads", type=click.IntRange(1), help="By default all cores.")
@click.option("--every", type=click.IntRange(1), default=25, show_default=True, help="Steps between two checkpoints.")
@click.option("--dry-run", is_flag=True, help="Say how long it takes and how much memory it needs, and stop.")
@json_option
@click.pass_context
def sft_command(ctx: click.Context, /, examples: str | None, json: bool, **asked: Any) -> int:
    """Train an adapter on examples as `train data` writes them, on the CPU, and write it as peft and as GGUF.

    A checkpoint is kept every few steps; whatever stops a training, --resume goes on from the last one.

    \b
    Example:
      calverify train sft examples.jsonl --out sft --model weights --dry-run
    """
    named = [name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    beside = [name for name in named if name not in BESIDE_RESUME]
    if beside if asked["resume"] else not (examples and asked["out"]):
        raise click.UsageError("Name examples and a new folder (EXAMPLES --out DIR), or only a folder to --resume.")
    from calverify.training import Training, read_examples, start_sft

    if asked["resume"]:
        training = Training(Path(asked["resume"]))
    else:
        assert examples is not None
        known = read_examples(read_bytes(Path(examples)), examples)
        training = start_sft(Path(asked["out"]), _asked(asked, ctx.obj), known)
        if asked["dry_run"]:  # nothing was begun, so that the same command may be given without it
            rmtree(asked["out"])
    return _run_sft(training, dry=asked["dry_run"], json=json)


def _asked(asked: Mapping[str, Any], command: str | None) -> "Asked":
    from calverify.cli._model import DEFAULT, pulled
    from calverify.training import Asked, recipe_named

    recipe = recipe_named(asked["recipe"])
    recipe = replace(recipe, steps=asked["steps"]) if asked["steps"] else recipe
    model = Path(asked["model"]) if asked["model"] else pulled(DEFAULT, tell=False)
    threads = asked["threads"] or os.cpu_count() or 1
    return Asked(
        model=model, recipe=recipe, seed=asked["seed"], threads=threads, every=asked["every"], command=command
    )  # fmt: skip


def _run_sft(training: "Training", *, dry: bool, json: bool) -> int:
    """Say what it will take, make the steps, say what came of it."""
    guess, folder, steps = training.estimate(), training.folder.path, training.asked.recipe.steps
    if json and dry:
        emit(guess.to_json())
    if not json:
        _announce(training, guess)
    if dry:
        return OK
    took: list[float] = []

    def told(step: "Step") -> None:
        took.append(step.seconds)
        left = fmean(took) * (steps - step.step)
        if not json:
            say_over(f"step {step.step:,} of {steps:,}  loss {step.loss:.3f}  {_time(left)} left")

    try:
        manifest = training.run(told)
    except KeyboardInterrupt:
        say("", err=True)
        say_error("interrupted", f"go on with calverify train sft --resume {folder}")
        return INCOMPLETE
    if json:
        emit({"folder": str(folder), **manifest})
        return OK
    say("", err=True)
    loss = manifest["loss"]
    say(f"trained  {manifest['steps']:,} steps in {_time(manifest['seconds'])}, {manifest['peak_bytes'] / 1e9:.1f} GB")
    say(f"loss     {loss['first']:.3f} at first, {loss['last']:.3f} over the last steps ({folder / 'losses.svg'})")
    say(f"adapter  {folder / 'adapter.gguf'}, and for peft {folder / 'adapter'}")
    return OK


def _announce(training: "Training", guess: "Estimate") -> None:
    asked = training.asked
    recipe = asked.recipe
    say(f"model    {asked.model}")
    say(
        f"recipe   {recipe.name}: LoRA of rank {recipe.rank}, alpha {recipe.alpha}; {recipe.steps:,} steps of "
        f"{recipe.batch}, rate {recipe.rate:g}"
    )
    said = f"{guess.tokens:,.0f} tokens each, {guess.learned:,.0f} of them to be learned"
    say(f"data     {len(training.examples):,} examples of {said}")
    if training.done:
        say(f"done     {training.done:,} steps are there already")
    say(
        f"needs    about {_time(guess.seconds)} and {guess.bytes / 1e9:.1f} GB of memory with {asked.threads} threads, "
        "if nothing else runs"
    )


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
