"""`calverify simulate`: pools of a policy that is no model, frozen like any other."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from calverify.archives import check_unwritten, freeze, read_bytes, read_problems, write_new
from calverify.cli._output import OK, emit, json_option, say
from calverify.keys import Key
from calverify.names import exact_number
from calverify.records import write_lines

__all__ = ["shares", "simulate_command", "whole_numbers"]


def shares(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[Fraction, ...]:
    """Fractions with commas between them: "3/5,0.1"."""
    found = tuple(exact_number(part) for part in (value or "").split(",") if part.strip())
    if any(share is None or not 0 <= share <= 1 for share in found):
        raise click.BadParameter(f"{value!r} must hold fractions between 0 and 1, such as 3/5 or 0.1,0.9")
    return tuple(share for share in found if share is not None)


def whole_numbers(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Numbers from 1 on with commas between them: "1,2,4"."""
    parts = [part.strip() for part in (value or "").split(",") if part.strip()]
    if not all(part.isascii() and part.isdigit() and len(part) < 7 and int(part) > 0 for part in parts):
        raise click.BadParameter(f"{value!r} must hold whole numbers from 1 on, such as 1,2,4,8")
    return tuple(map(int, parts))


Command = Callable[..., Any]
OPTIONS = (
    click.option("--out", metavar="DIR", required=True, help="The new folder to freeze the pools into."),
    click.option("-k", "--k", type=click.IntRange(1), default=8, show_default=True, help="Candidates a pool."),
    click.option("--seeds", type=click.IntRange(1), default=1, show_default=True, help="Pools a problem."),
    click.option("--seed", type=int, default=0, show_default=True, help="The seed of the policy itself."),
    click.option("--label", metavar="TEXT", default="", help="What tables call it, behind the word simulated."),
    click.option(
        "--right", metavar="SHARES", default="3/5", show_default=True, callback=shares,
        help="How often an answer is right; of several, each problem has one by lot.",
    ),
    click.option(
        "--spread", type=click.IntRange(1), default=4, show_default=True, help="Right answers that share this mass."
    ),
    click.option(
        "--wrong", metavar="SHARES", default="1", show_default=True, callback=shares,
        help="The proportions of the most familiar errors.",
    ),
    click.option(
        "--malformed", metavar="SHARE", default="1/10", show_default=True, callback=shares,
        help="The share of traces that are damaged.",
    ),
    click.option("--keys", metavar="FILE", help="Write keys here that grade on the problems' own graphs."),
)  # fmt: skip


def _options(command: Command) -> Command:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@click.command("simulate", short_help="Draw pools from a policy that is no model.")
@click.argument("problems")
@_options
@json_option
def simulate_command(problems: str, out: str, json: bool, **asked: Any) -> int:
    """Draw pools from a distribution whose truth is known, and freeze them; the manifest says that they are simulated.

    PROBLEMS holds problem records that supply their graphs, one JSON object a line.

    \b
    Example:
      calverify simulate problem.json --out simulated --k 8 --seeds 3
    """
    from calverify.sampling import SimulatedPolicy  # a room that only sampling needs

    if len(asked["malformed"]) != 1:
        raise click.BadParameter("--malformed takes one share.")
    policy = SimulatedPolicy(
        label=asked["label"],
        seed=asked["seed"],
        right=asked["right"],
        spread=asked["spread"],
        wrong=asked["wrong"],
        malformed=asked["malformed"][0],
    )
    known = read_problems(read_bytes(Path(problems)), problems)
    pools = [pool for problem in known.values() for pool in policy.pools(problem, asked["k"], range(asked["seeds"]))]
    keys = write_lines([Key(name).to_json() for name in known], "keys")
    if asked["keys"]:
        check_unwritten(Path(asked["keys"]), keys)
    manifest = freeze(out, known.values(), pools, policy.manifest(asked["k"]))
    if asked["keys"]:
        write_new(Path(asked["keys"]), keys)
    if json:
        emit(manifest.to_json())
        return OK
    say(f"froze {len(pools):,} simulated pools of {asked['k']} candidates into {out}")
    if asked["keys"]:
        say(f"wrote {asked['keys']}")
    return OK
