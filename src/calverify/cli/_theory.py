"""`calverify theory`: what voting and checking are worth, from numbers or from the pools of a pilot."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from calverify.cli._output import OK, emit, json_option, paint, say
from calverify.cli._simulate import shares, whole_numbers
from calverify.errors import BudgetError, CalverifyError

if TYPE_CHECKING:
    from calverify.evaluation import FirstIndexLaw, Interval, Meter, Plan

__all__ = ["theory_command"]

KS = "1,2,4,8,16,32,64,128"


@click.command("theory", short_help="What voting and checking are worth as K grows.")
@click.option("--valid", metavar="MASSES", callback=shares, help="The share of each valid answer: 0.15,0.15.")
@click.option("--invalid", metavar="MASSES", callback=shares, help="The share of each invalid answer: 0.4.")
@click.option("--archive", metavar="DIR", help="Or a frozen folder, the pilot: its law, its meter and a plan.")
@click.option("--keys", metavar="FILE", help="The keys of that folder.")
@click.option("--k", metavar="NUMBERS", default=KS, show_default=True, callback=whole_numbers, help="The K to tell of.")
@click.option(
    "--miss", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True,
    help="How far from certain plurality may stay, for the K that it needs.",
)  # fmt: skip
@click.option("--draws", type=click.IntRange(1), default=1_000, show_default=True, help="Bootstrap draws of the plan.")
@json_option
def theory_command(json: bool, **asked: Any) -> int:
    """Tell what plurality and a separating checker are worth as K grows, from the masses of the answers, or predict the
    checker's curve from the pools of a pilot.

    \b
    Example:
      calverify theory --valid 0.15,0.15,0.15,0.15 --invalid 0.4
    """
    if not asked["k"]:
        raise click.UsageError("Name at least one --k.")
    if asked["archive"]:
        if asked["valid"] or asked["invalid"]:
            raise click.UsageError("Give masses or an --archive, not both.")
        if not asked["keys"]:
            raise click.UsageError("An --archive is told of with its --keys.")
        return _from_pilot(asked, json)
    if asked["keys"]:
        raise click.UsageError("--keys belong to an --archive.")
    if not asked["valid"] and not asked["invalid"]:
        raise click.UsageError("Give the masses of the answers (--valid, --invalid), or an --archive with its --keys.")
    return _from_masses(asked["valid"], asked["invalid"], asked, json)


# ---------------------------------------------------------------- from numbers


def _from_masses(valid: tuple[Fraction, ...], invalid: tuple[Fraction, ...], asked: dict[str, Any], json: bool) -> int:
    from calverify.evaluation import fragmentation  # a room that only graded work needs

    right = {f"valid {i}": mass for i, mass in enumerate(valid)}
    masses = {**right, **{f"invalid {i}": mass for i, mass in enumerate(invalid)}}
    found = fragmentation(masses, right)
    rho = sum(valid, Fraction(0))
    rows = [
        {
            "k": k,
            "bound": found.bound(k),
            "plurality": _plurality(masses, right, k),
            "checked": float(1 - (1 - rho) ** k),
        }
        for k in asked["k"]
    ]
    needed = found.samples_needed(asked["miss"])
    if json:
        emit({"regime": found.regime, "margin": float(found.margin), "rivals": found.rivals, "rows": rows,
              "samples_needed": needed, "miss": asked["miss"]})  # fmt: skip
        return OK
    say(_regime(found.regime, found.margin))
    side = {"fails": "at most", "succeeds": "at least", "open": "bound"}[found.regime]
    say(paint(f"{'K':>6}  {side:>9}  {'plurality':>9}  {'checked':>9}", bold=True))
    for row in rows:
        exact = "too large" if row["plurality"] is None else _percent(row["plurality"])
        bound = "none" if found.regime == "open" else _percent(row["bound"])
        say(f"{row['k']:>6}  {bound:>9}  {exact:>9}  {_percent(row['checked']):>9}")
    if needed is not None:
        limit = f"at most {asked['miss']:g}" if found.regime == "fails" else f"at least {1 - asked['miss']:g}"
        say(f"plurality is valid with probability {limit} from K = {needed:,} on")
    return OK


def _plurality(masses: dict[str, Fraction], valid: dict[str, Fraction], k: int) -> float | None:
    from calverify.evaluation import plurality_accuracy

    try:
        return float(plurality_accuracy(masses, valid.keys(), k))
    except BudgetError:
        return None


def _regime(regime: str, margin: Fraction) -> str:
    lead = f"by {float(margin):g}"
    return {
        "fails": f"an invalid answer leads every valid one {lead}: plurality goes wrong as K grows",
        "succeeds": f"a valid answer leads every invalid one {lead}: plurality goes right as K grows",
        "open": "the strongest valid and invalid answers weigh the same: plurality has no direction",
    }[regime]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


# ---------------------------------------------------------------- from a pilot


def _from_pilot(asked: dict[str, Any], json: bool) -> int:
    from calverify.evaluation import meter, plan, read_study

    study = read_study(asked["archive"], asked["keys"])
    if missing := {"plurality", "calver"} - set(study.selectors):
        raise CalverifyError(f"{asked['archive']} holds no choices of {' and '.join(sorted(missing))}")
    said, planned = meter(study, draws=asked["draws"]), plan(study, asked["k"], draws=asked["draws"])
    if json:
        emit({"policy": study.policy, "meter": _meter_json(said), "law": _law_json(planned.law),
              "plan": [_point_json(planned, place) for place in range(len(planned.points))]})  # fmt: skip
        return OK
    say(f"{study.policy}: {len(study.units):,} pools of {study.size} candidates or more")
    say(said.sentence)
    say(paint(f"{'score':>6}  {'share':>8}  {'right':>8}", bold=True))
    law = planned.law
    for score, share, right in zip(law.scores, law.shares, law.precisions, strict=True):
        say(f"{'none' if score is None else score:>6}  {_percent(float(share)):>8}  {_percent(float(right)):>8}")
    for found in law.inversions:
        say(
            f"warning: score {found.higher} is right less often than {found.lower}: more candidates may hurt there",
            err=True,
        )
    say(paint(f"{'K':>6}  {'checked':>8}  95 % band", bold=True))
    for point in planned.points:
        band = f"[{_percent(point.accuracy.low)}, {_percent(point.accuracy.high)}]"
        say(
            f"{point.k:>6}  {_percent(point.accuracy.point):>8}  {band}{'  extrapolated' if point.extrapolated else ''}"
        )
    return OK


def _meter_json(said: "Meter") -> dict[str, Any]:
    told: Interval | None = said.told
    return {
        "regimes": said.regimes,
        "fragmented": said.fragmented,
        "headroom": said.headroom.to_json(),
        "told": None if told is None else told.to_json(),
        "gain_expected": said.gain_expected,
        "sentence": said.sentence,
    }


def _law_json(law: "FirstIndexLaw") -> dict[str, Any]:
    rows = zip(law.scores, law.shares, law.precisions, strict=True)
    listed = [{"score": score, "share": float(share), "right": float(right)} for score, share, right in rows]
    return {"scores": listed, "inversions": [[found.lower, found.higher] for found in law.inversions]}


def _point_json(planned: "Plan", place: int) -> dict[str, Any]:
    point = planned.points[place]
    return {"k": point.k, "accuracy": point.accuracy.to_json(), "extrapolated": point.extrapolated}
