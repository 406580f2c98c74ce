"""`calverify sample`: K traces a problem and seed from an endpoint, kept through any stop, then frozen."""

import os
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from calverify.archives import read_bytes, read_problems
from calverify.cli._endpoint import Meter, asking_options, endpoint_from, endpoint_options, money, prices_option
from calverify.cli._output import INCOMPLETE, OK, emit, json_option, paint, say, say_error
from calverify.errors import CalverifyError, RecordError
from calverify.records import read_strict_json

if TYPE_CHECKING:
    from calverify.sampling import Progress, RunFolder, RunSettings, Source, Tally

__all__ = ["sample_command"]

BESIDE_RESUME = ("resume", "short", "packed", "json")  # the only options that go with --resume
MOST_SHOWN = 5  # pools that are short
REPEATED = Fraction(1, 2)  # the share of repeats that is worth a warning
CHARACTERS_A_TOKEN = 4  # roughly, for a guess before anything is counted

Command = Callable[..., Any]
OPTIONS = (
    click.option("--out", metavar="DIR", help="The new folder of the run; what is whole is frozen into DIR/frozen."),
    click.option("--resume", metavar="DIR", help="Go on with the run in this folder; nothing else is needed."),
    click.option("-k", "--num-samples", type=click.IntRange(1), default=8, show_default=True, help="Traces a pool."),
    click.option("--seeds", type=click.IntRange(1), default=1, show_default=True, help="Pools a problem."),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The first of these seeds."),
    click.option("-n", "--limit", type=click.IntRange(1), help="Only so many problems, the first."),
    click.option(
        "--decoding", metavar="NAME", default="free", show_default=True,
        help="What a text is held to: free, schema (one JSON object), or a grammar: slots, names, pinned.",
    ),
    click.option("--grammar-field", metavar="NAME", help="How the server takes a grammar: structured_outputs (vLLM), "
                 "guided_grammar (older vLLM), grammar (llama.cpp)."),
    click.option("--extra-body", metavar="JSON", help="More fields of each request; a null takes one out."),
    click.option("--one-by-one", is_flag=True, help="Never ask for several choices in one request."),
    click.option(
        "--reasoning", type=click.Choice(["apart", "joined"]), default="apart", show_default=True,
        help="Where a server keeps reasoning apart: leave it out of the trace, or put it in front.",
    ),
    click.option("--label", metavar="TEXT", help="What tables call the policy; by default the model."),
    prices_option,
    click.option("--short", is_flag=True, help="Freeze pools that are short too; the manifest names them."),
    click.option("--packed", is_flag=True, help="Freeze .jsonl.gz files."),
    click.option("--dry-run", is_flag=True, help="Say what would be asked, and stop."),
)  # fmt: skip


def _options(command: Command) -> Command:
    command = endpoint_options(asking_options(0.8, None)(command))
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@click.command("sample", short_help="Sample K traces a problem from a model behind an endpoint.")
@click.argument("problems", required=False)
@_options
@json_option
@click.pass_context
def sample_command(ctx: click.Context, /, problems: str | None, json: bool, **asked: Any) -> int:
    """Sample traces from any OpenAI-compatible endpoint, and freeze the pools once they are whole.

    PROBLEMS holds problem records, one JSON object a line.  The key is read from OPENAI_API_KEY.  Whatever stops a run,
    what came is kept, and --resume goes on; pools that stay short are never filled up with anything.

    \b
    Example:
      calverify sample problem.json --out run -m my-model -k 4 --seeds 2
    """
    if asked["resume"]:
        return _resume(ctx, problems, asked, json)
    if problems is None or not asked["out"]:
        raise click.UsageError("Name the problems and a new folder: calverify sample PROBLEMS --out DIR.")
    from calverify.sampling import start_run

    known = list(read_problems(read_bytes(Path(problems)), problems).values())[: asked["limit"]]
    source, settings = endpoint_from(asked), _settings(asked, ctx.obj)
    if asked["dry_run"]:
        from calverify.sampling import RunFolder

        run = RunFolder(Path(asked["out"]), {problem.id: problem for problem in known}, source.settings(), settings)
        _announce(run, run.tally()[0], err=json)
        return OK
    run = start_run(asked["out"], known, source, settings)
    try:
        return _Job(run, source, asked, json).sample()
    except CalverifyError:
        run.forget_unbegun()
        raise


def _settings(asked: Mapping[str, Any], command: str | None) -> "RunSettings":
    from calverify.sampling import Parameters, RunSettings

    parameters = Parameters(
        **{name: asked[name] for name in ("temperature", "top_p", "max_tokens", "stop", "system", "decoding")},
        extra_body=_extra_body(asked["extra_body"]),
    )
    return RunSettings(
        k=asked["num_samples"],
        seeds=tuple(range(asked["seed"], asked["seed"] + asked["seeds"])),
        parameters=parameters,
        concurrency=asked["max_concurrency"],
        tries=asked["tries"],
        prices=asked["prices"],
        reasoning=asked["reasoning"],
        command=command,
    )


def _extra_body(text: str | None) -> dict[str, Any]:
    try:
        record = read_strict_json(text or "{}")
    except RecordError as error:
        raise click.BadParameter(f"--extra-body is {error}") from None
    if not isinstance(record, dict):
        raise click.BadParameter(f"--extra-body must be a JSON object, not {text}")
    return record


def _resume(ctx: click.Context, problems: str | None, asked: Mapping[str, Any], json: bool) -> int:
    from calverify.sampling import open_run, source_of

    beside = [name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    beside = [name for name in beside if name not in BESIDE_RESUME]
    if problems is not None or beside:
        extra = "PROBLEMS" if problems is not None else f"--{beside[0].replace('_', '-')}"
        raise click.UsageError(f"A run is resumed as it was begun: --resume DIR takes no {extra}.")
    run = open_run(asked["resume"])
    return _Job(run, source_of(run.source, os.environ), asked, json).sample()


# ---------------------------------------------------------------- the job


class _Job:
    """A run and whoever is told about it."""

    def __init__(self, run: "RunFolder", source: "Source", asked: Mapping[str, Any], json: bool) -> None:
        self.run = run
        self.source = source
        self.short = asked["short"]
        self.packed = asked["packed"]
        self.json = json

    def sample(self) -> int:
        """Sample what is missing, freeze what is whole, and say what came of it."""
        before, _ = self.run.tally()
        if not self.json:
            _announce(self.run, before)
        began, stopped = time.monotonic(), ""
        meter = Meter("candidates")
        try:
            if before.done < before.total:
                self.run.sample(self.source, progress=_shown_by(meter))
        except KeyboardInterrupt:
            stopped = "interrupted"
        except CalverifyError as error:
            if not self.run.tally()[0].done:
                raise
            stopped = str(error)
        finally:
            meter.end()
        tally, _ = self.run.tally()
        if not tally.done and not stopped:
            raise CalverifyError(next(iter(tally.failed.values())))
        whole = tally.done == tally.total
        frozen = self._freeze(tally) if whole or self.short else None
        if self.json:
            emit(self._record(tally, frozen, stopped))
        else:
            self._tell(tally, tally.done - before.done, time.monotonic() - began)
            self._end(tally, frozen, stopped)
        return OK if whole else INCOMPLETE

    def _freeze(self, tally: "Tally") -> Path:
        from calverify.sampling import FROZEN, freeze_run

        part = "" if tally.done == tally.total else f"-{tally.done}-of-{tally.total}"
        folder = self.run.folder / f"{FROZEN}{part}"
        if not folder.exists():
            freeze_run(self.run, self.source, folder, packed=self.packed)
        return folder

    def _record(self, tally: "Tally", frozen: Path | None, stopped: str) -> dict[str, Any]:
        cost = tally.cost(self.run.settings.prices)
        short = [{"problem": unit[0], "seed": unit[1], "missing": missing} for unit, missing in tally.short]
        return {
            "run": str(self.run.folder),
            "frozen": None if frozen is None else str(frozen),
            "candidates": tally.done,
            "wanted": tally.total,
            "short": short,
            "failed": sorted(set(tally.failed.values())),
            "stopped": stopped or None,
            "tokens_in": tally.tokens_in,
            "tokens_out": tally.tokens_out,
            "uncounted": tally.uncounted,
            "cost": None if cost is None else float(cost),
            "repeats": tally.repeats,
            "choices": tally.path,
            "resume": None if tally.done == tally.total else f"calverify sample --resume {self.run.folder}",
        }

    def _tell(self, tally: "Tally", more: int, seconds: float) -> None:
        rate = f", {more:,} of them in {seconds:,.1f} s" if more else ""
        say(f"sampled     {tally.done:,} of {tally.total:,} candidates{rate}")
        cost = tally.cost(self.run.settings.prices)
        spent = "" if cost is None else f"; they cost {money(cost)}"
        unknown = f" ({tally.uncounted:,} replies did not tell)" if tally.uncounted else ""
        say(f"tokens      {tally.tokens_in:,} read, {tally.tokens_out:,} written{spent}{unknown}")
        say(f"choices     {tally.path}")
        if tally.repeated >= REPEATED:
            share = f"{float(tally.repeated):.0%}"
            say(
                paint("warning", fg="yellow", bold=True),
                f"     {share} of the candidates behind the first of a pool repeat another of it: does something "
                "between here and the model keep answers, or is the temperature too low?",
            )

    def _end(self, tally: "Tally", frozen: Path | None, stopped: str) -> None:
        whole = tally.done == tally.total
        if stopped:
            say_error(stopped)
        for place, (unit, missing) in enumerate(tally.short):
            if place == MOST_SHOWN:
                say("short       ...")
                break
            why = next((said for (where, _), said in tally.failed.items() if where == unit), "not asked for yet")
            say(f"short       {unit[0]}, seed {unit[1]}: {tally.k - len(missing)} of {tally.k}; {why}")
        if frozen is not None:
            say(
                f"frozen      {frozen}"
                if whole
                else f"frozen      {frozen}, with the short pools named in its manifest"
            )
        if not whole:
            say(f"go on with  calverify sample --resume {self.run.folder}")


def _shown_by(meter: Meter) -> "Callable[[Progress], None]":
    def show(progress: "Progress") -> None:
        failed = f"{progress.failed:,} requests given up" if progress.failed else ""
        slowed = f"{progress.limit} at once" if progress.trouble else ""
        meter(progress.done, progress.total, failed, slowed, progress.trouble)

    return show


def _announce(run: "RunFolder", tally: "Tally", *, err: bool = False) -> None:
    """What will be asked, of whom, and what it can cost."""
    settings, source = run.settings, run.source
    missing = tally.total - tally.done
    say(f"asking      {source.get('base_url', source['kind'])} for {source.get('model', 'its model')}", err=err)
    already = f"; {tally.done:,} are there already" if tally.done else ""
    pools = f"{_many(len(run.problems), 'problem')}, {_many(len(settings.seeds), 'seed')}, {settings.k:,} each"
    say(f"candidates  {missing:,}: {pools}{already}", err=err)
    say(f"decoding    {settings.parameters.decoding}, temperature {settings.parameters.temperature:g}", err=err)
    read, limit = _read_about(run, tally), settings.parameters.max_tokens
    written = "no limit is set for a text (--max-tokens)" if limit is None else f"at most {missing * limit:,} written"
    say(f"tokens      about {read:,} read at most; {written}", err=err)
    if settings.prices is not None:
        price_in, price_out = (price / 1_000_000 for price in settings.prices)
        most = "" if limit is None else f", at most {money(missing * limit * price_out)} for what is written"
        say(f"cost        about {money(read * price_in)} at most for what is read{most}", err=err)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"


def _read_about(run: "RunFolder", tally: "Tally") -> int:
    """Roughly the tokens of the prompts, were each candidate asked for by itself."""
    from calverify.tasks import prompt

    sizes = {name: len(prompt(problem)) // CHARACTERS_A_TOKEN for name, problem in run.problems.items()}
    return sum(len(missing) * sizes[unit[0]] for unit, missing in tally.short)
