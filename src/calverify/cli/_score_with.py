"""`calverify score-with`: what a judge, the policy itself or a reward model says of each trace, stored beside it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calverify.archives import read_archive
from calverify.cli._endpoint import Meter, asking_options, endpoint_from, endpoint_options, money, prices_option
from calverify.cli._output import INCOMPLETE, OK, emit, json_option, say, say_error

if TYPE_CHECKING:
    from calverify.sampling import Parameters, Rater, Scored

__all__ = ["score_with_commands"]

MOST_SHOWN = 5

out_option = click.option("--out", metavar="DIR", required=True, help="The new folder: the same pools, with scores.")
length_option = click.option(
    "--max-length",
    type=click.IntRange(1),
    help="Show no trace that is longer: characters, or tokens of a reward model.",
)


@click.group("score-with", short_help="Store a judge's, the policy's or a reward model's scores.")
def score_with_commands() -> None:
    """Rate every candidate of a frozen folder, and freeze the same pools with their scores into a new one.

    A rating that failed is stored as null, never as 0.  Ratings are kept in DIR.ratings.jsonl from the first one on, so
    the same command goes on after any stop.

    \b
    Example:
      calverify score-with judge frozen --out judged -m my-judge
    """


@score_with_commands.command("judge", short_help="A model rates validity from 0 to 10.")
@click.argument("folder")
@out_option
@endpoint_options
@asking_options(0.0, 1024)
@length_option
@prices_option
@json_option
def judge_command(folder: str, out: str, json: bool, **asked: Any) -> int:
    """Ask a model behind an endpoint how valid each trace is, from 0 to 10.

    It is shown the question and the trace as the checker has them, and no reference answer.

    \b
    Example:
      calverify score-with judge frozen --out judged -m my-judge
    """
    from calverify.sampling import Judge

    judge = Judge(source=endpoint_from(asked), parameters=_parameters(asked), **_longest(asked))
    return _score(judge, folder, out, asked, json)


@score_with_commands.command("confidence", short_help="The policy says whether it is right.")
@click.argument("folder")
@out_option
@endpoint_options
@asking_options(0.8, 16)
@click.option("--samples", type=click.IntRange(1), default=8, show_default=True, help="How often each is asked.")
@length_option
@prices_option
@json_option
def confidence_command(folder: str, out: str, json: bool, **asked: Any) -> int:
    """Show the policy its own traces, and ask whether the answer is right: the score is the share of yes.

    The model is the one that wrote the traces, as the manifest names it, unless --model says otherwise.

    \b
    Example:
      calverify score-with confidence frozen --out sure -m my-model --samples 4
    """
    from calverify.sampling import Confidence

    source = endpoint_from(asked, read_archive(folder).manifest.model)
    rater = Confidence(source=source, parameters=_parameters(asked), samples=asked["samples"], **_longest(asked))
    return _score(rater, folder, out, asked, json)


@score_with_commands.command("reward", short_help="A reward model rates each trace.")
@click.argument("folder")
@out_option
@click.option("-m", "--model", metavar="NAME", required=True, help="A folder, or the name of a model of the hub.")
@click.option("--revision", metavar="COMMIT", help="The commit of a model of the hub, which pins it.")
@click.option(
    "--context",
    metavar="NAME",
    default="trace",
    show_default=True,
    help="What the model reads: trace, or problem (and trace).",
)
@click.option("--device", metavar="NAME", default="cpu", show_default=True, help="Where it runs: cpu, cuda.")
@click.option("--dtype", metavar="NAME", default="float32", show_default=True, help="float32, bfloat16 or float16.")
@length_option
@json_option
def reward_command(folder: str, out: str, json: bool, **asked: Any) -> int:  # fmt: skip
    """Rate each trace with a Hugging Face sequence classifier of one output; needs torch and transformers.

    \b
    Example:
      calverify score-with reward frozen --out rewarded -m ./reward-model
    """
    from calverify.sampling import Reward

    named = {name: asked[name] for name in ("revision", "context", "device", "dtype")}
    rater = Reward.load(asked["model"], longest=asked["max_length"], **named)
    return _score(rater, folder, out, {"max_concurrency": 1}, json)


def _parameters(asked: Mapping[str, Any]) -> "Parameters":
    from calverify.sampling import Parameters

    return Parameters(**{name: asked[name] for name in ("temperature", "top_p", "max_tokens", "stop", "system")})


def _longest(asked: Mapping[str, Any]) -> dict[str, int]:
    return {} if asked["max_length"] is None else {"longest": asked["max_length"]}


# ---------------------------------------------------------------- the job


def _score(rater: "Rater", folder: str, out: str, asked: Mapping[str, Any], json: bool) -> int:
    from calverify.sampling import Retries, score_with

    archive = read_archive(folder)
    total = sum(map(len, archive.pools))
    if not json:
        made = rater.made()
        say(f"asking      {made['model']}, prompt {made['prompt_version']}")
        say(f"ratings     {total:,}: {len(archive.pools):,} pools of {folder}")
    meter = Meter("ratings")
    retries = Retries(tries=asked["tries"]) if "tries" in asked else None
    try:
        scored = score_with(
            rater, folder, out, at_once=asked["max_concurrency"], retries=retries, progress=_shown_by(meter, total)
        )
    except KeyboardInterrupt:
        say_error("interrupted", "the same command goes on where it stopped")
        return INCOMPLETE
    finally:
        meter.end()
    prices = asked.get("prices")
    cost = None if prices is None else (scored.tokens_in * prices[0] + scored.tokens_out * prices[1]) / 1_000_000
    if json:
        emit({**scored.to_json(), "cost": None if cost is None else float(cost)})
    else:
        _tell(scored, out, "" if cost is None else f"; they cost {money(cost)}")
    return INCOMPLETE if scored.missing else OK


def _shown_by(meter: Meter, total: int) -> Callable[[int, int], None]:
    return lambda rated, failed: meter(rated, total, f"{failed:,} failed" if failed else "")


def _tell(scored: "Scored", out: str, cost: str) -> None:
    say(f"rated       {scored.rated:,}; {len(scored.failed):,} failed and are null, never 0")
    say(f"tokens      {scored.tokens_in:,} read, {scored.tokens_out:,} written{cost}")
    _list("failed", scored.failed)
    _list("missing", scored.missing)
    if scored.manifest is None:
        say(f"kept        {scored.ledger}; the same command goes on")
    else:
        say(f"frozen      {Path(out)}, with the score {scored.score!r}")


def _list(word: str, candidates: Any) -> None:
    for one in candidates[:MOST_SHOWN]:
        say(f"{word:<12}{one.problem}, seed {one.seed}, candidate {one.index + 1}: {one.why}")
    if len(candidates) > MOST_SHOWN:
        say(f"{word:<12}... ({len(candidates):,} in all)")
