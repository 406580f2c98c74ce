"""What theory says of these pools: bounds, the exact first-index law, the sharp family, and a plan for larger K."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from statistics import fmean, median_high

from calverify.evaluation import (
    Fragmentation,
    Plan,
    SharpFamily,
    Study,
    Unit,
    fragmentation,
    mass_of,
    plan,
    stable_bits,
)
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Plot, Points, Series, Share, Table
from calverify.reports._units import CALVER, VOTE, empty, lacking

__all__ = ["bounds_of", "theory"]

NAME = "theory"
MISS = Fraction(1, 20)
BOUND_KS = (8, 32, 128)
SPREADS = (1, 2, 4, 8)
SHARP_KS = (1, 2, 4, 8, 16, 32)
FURTHEST = 4  # times a pilot's candidates: how far a plan's band is meant to reach
REGIMES = {"fails": "an invalid answer leads", "succeeds": "a valid answer leads", "open": "neither leads"}
MARGINS = {None: "tied", 0: "no bit", 1: "one bit", 2: "two bits", 6: "one candidate"}


@report("theory", draws=1_000)
def theory(studies: Sequence[Study], options: Options) -> Parts:
    """The bounds, the exact law of the earliest maximum, the sharp family, how stable choices are, and a plan."""
    if why := lacking(studies, VOTE, CALVER):
        return [empty(NAME, "What theory says", why)]
    held = [study for study in studies if study.size]
    if not held:
        return [empty(NAME, "What theory says", "needs pools with candidates in every one of them.")]
    how = options.how
    plans = [plan(study, _ks(study), draws=how.draws, seed=how.seed, key=how.key) for study in held]
    sharp = [_sharp_curves(study) for study in held]
    tables = [_bounds(held), _law(held, plans), _plan(held, plans), _sharp(held, sharp), _stable(held)]
    plots = [_plan_plot(place, study, made) for place, (study, made) in enumerate(zip(held, plans, strict=True), 1)]
    plots += [_sharp_plot(place, study, found) for place, (study, found) in enumerate(zip(held, sharp, strict=True), 1)]
    return [*tables, *plots]


# ---------------------------------------------------------------- bounds


def bounds_of(study: Study) -> list[Fragmentation]:
    """The regime of each problem, by the shares of the answers that its candidates gave, all seeds together."""
    answers: dict[str, Counter[object]] = {}
    drawn: Counter[str] = Counter()
    valid: dict[str, set[object]] = {}
    for unit in study.units:
        mine, right = answers.setdefault(unit.problem, Counter()), valid.setdefault(unit.problem, set())
        drawn[unit.problem] += len(unit.correct)
        for answer, ok in zip(study.view(unit).answers, unit.correct, strict=True):
            if answer is not None:
                mine[answer] += 1
                if ok is True:
                    right.add(answer)
    found = []
    for problem, counts in answers.items():
        named = {f"{place}": answer for place, answer in enumerate(counts)}
        masses = {name: Fraction(counts[answer], drawn[problem]) for name, answer in named.items()}
        found.append(fragmentation(masses, {name for name, answer in named.items() if answer in valid[problem]}))
    return found


def _bounds(studies: Sequence[Study]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for study in studies:
        found = bounds_of(study)
        for regime, words in REGIMES.items():
            inside = [each for each in found if each.regime == regime]
            rows.append((study.policy, words, len(inside), *_bound_cells(inside)))
    columns = (
        "policy",
        "regime",
        "problems",
        "median margin",
        *(f"bound at K = {k}" for k in BOUND_KS),
        "median K needed",
    )
    notes = (
        "Where an invalid answer leads every valid one, the bound is the most that plurality can be right; where a "
        "valid one leads, the least.  It follows from the margin and the number of rivals; the mean over problems.",
        f"K needed: from there on the bound is within {float(MISS):g} of its limit; where neither leads it has none.",
        "The shares are those of the candidates that were drawn: a margin of few draws is uncertain, and so its bound.",
    )
    return Table(f"{NAME}-bounds", "Which way the vote goes as K grows, and how fast", columns, tuple(rows), notes)


def _bound_cells(inside: Sequence[Fragmentation]) -> tuple[Cell, ...]:
    if not inside or inside[0].regime == "open":
        return (None,) * (len(BOUND_KS) + 2)
    needed = [each.samples_needed(float(MISS)) or 0 for each in inside]
    bounds = [Share(fmean(each.bound(k) for each in inside)) for k in BOUND_KS]
    return Share(median_high(each.margin for each in inside)), *bounds, median_high(needed)


# ---------------------------------------------------------------- the first-index law, and the plan


def _law(studies: Sequence[Study], plans: Sequence[Plan]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    notes = ["Candidates of all pools together.  A candidate without a score stands aside, and is never picked."]
    for study, made in zip(studies, plans, strict=True):
        law = made.law
        lower = {turn.higher: turn.lower for turn in law.inversions}
        for score, share, right, below in zip(law.scores, law.shares, law.precisions, law.below, strict=True):
            said = "" if score not in lower else "yes"
            shown = "none" if score is None else str(score)
            rows.append((study.policy, shown, Share(share), Share(right), Share(below), said))
        notes += [
            f"{study.policy}: score {high} is right less often than {low}; more candidates may hurt there."
            for high, low in lower.items()
        ]
    columns = ("policy", "score", "share", "right", "at or below", "inversion")
    return Table(f"{NAME}-law", "The exact law of the earliest maximum", columns, tuple(rows), tuple(notes))


def _ks(study: Study) -> tuple[int, ...]:
    """1, 2, 4, ... as far as a plan may reach."""
    most = FURTHEST * study.size
    return tuple(1 << power for power in range(most.bit_length()) if 1 << power <= most)


def _plan(studies: Sequence[Study], plans: Sequence[Plan]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for study, made in zip(studies, plans, strict=True):
        for point in made.points:
            law = made.law
            rows.append(
                (
                    study.policy,
                    point.k,
                    Share.within(point.accuracy),
                    "predicted" if point.extrapolated else "seen",
                    Share(law.accuracy(point.k)),
                    Points(law.increment(point.k)),
                )
            )
    draws = plans[0].points[0].accuracy.draws
    notes = (
        f"Bands: 95 % over {draws:,} draws of clusters, each fitted anew; beyond what was seen they also hold what the "
        "pilot leaves open, and are meant for up to four times its candidates.",
        "In the plan each problem has a law of its own.  One law for all takes every candidate as a draw from one pot, "
        "and so errs where problems differ; its increment is what one more candidate would gain by it.",
    )
    columns = ("policy", "K", "accuracy of calver", "how", "one law for all", "its increment")
    return Table(f"{NAME}-plan", "What more candidates would buy", columns, tuple(rows), notes)


def _numbered(what: str, place: int) -> str:
    return f"{NAME}-{what}-{place}"


def _plan_plot(place: int, study: Study, made: Plan) -> Plot:
    points = made.points
    planned = Series(CALVER, tuple(point.accuracy.point for point in points),
                     tuple((point.accuracy.low, point.accuracy.high) for point in points))  # fmt: skip
    law = Series("one law for all", tuple(float(made.law.accuracy(point.k)) for point in points))
    seen = max((point.k for point in points if not point.extrapolated), default=0)
    caption = f"{study.policy}: seen up to K = {seen}, predicted beyond; the band is of 95 %."
    ks = tuple(float(point.k) for point in points)
    return Plot(_numbered("plan", place), f"What more candidates would buy: {study.policy}", "curve", ks,
                (law, planned), "K", "accuracy", "share", caption)  # fmt: skip


# ---------------------------------------------------------------- the sharp family


def _rho(study: Study) -> Fraction:
    """The mean share of right candidates among those that vote, in hundredths, and neither 0 nor 1."""
    mean = fmean(float(mass_of(study.view(unit), unit).valid_mass) for unit in study.units)
    return Fraction(min(99, max(1, round(100 * mean))), 100)


def _sharp_curves(study: Study) -> list[tuple[SharpFamily, tuple[Fraction, ...]]]:
    families = [SharpFamily(_rho(study), spread) for spread in SPREADS]
    return [(family, tuple(family.plurality(k) for k in SHARP_KS)) for family in families]


def _sharp(studies: Sequence[Study], curves: Sequence[Sequence[tuple[SharpFamily, tuple[Fraction, ...]]]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for study, found in zip(studies, curves, strict=True):
        for family, votes in found:
            by_k = dict(zip(SHARP_KS, votes, strict=True))
            rows.append(
                (
                    study.policy,
                    Share(family.rho),
                    family.spread,
                    "yes" if family.flips else "no",
                    *(Share(part) for k in (8, 32) for part in (by_k[k], family.verified(k))),
                )
            )
    notes = (
        "A model, not a measurement: one mass of right draws, shared evenly by a number of right answers, against one "
        "wrong answer.  The mass is the policy's own, the mean share of right candidates among those that vote.",
        "The vote turns to the wrong answer where the right ones outnumber mass / (1 - mass); checking does not care.",
    )
    columns = ("policy", "right mass", "right answers", "vote turns", "vote at K = 8", "checked at K = 8",
               "vote at K = 32", "checked at K = 32")  # fmt: skip
    return Table(f"{NAME}-sharp", "The same mass over more right answers", columns, tuple(rows), notes)


def _sharp_plot(place: int, study: Study, found: Sequence[tuple[SharpFamily, tuple[Fraction, ...]]]) -> Plot:
    lines = [
        Series(f"vote, {family.spread} right" if family.spread > 1 else "vote, 1 right", tuple(map(float, votes)))
        for family, votes in found
    ]
    checked = Series(CALVER, tuple(float(found[0][0].verified(k)) for k in SHARP_KS))
    caption = f"{study.policy}: {float(found[0][0].rho):.0%} of the draws are right, in every line."
    return Plot(_numbered("sharp", place), f"The same mass over more right answers: {study.policy}", "curve",
                tuple(map(float, SHARP_KS)), (*lines, checked), "K", "accuracy", "share",
                caption)  # fmt: skip


# ---------------------------------------------------------------- stability


def _stable(studies: Sequence[Study]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for study in studies:
        counts = Counter(_bits(study, unit) for unit in study.units)
        stood = sum(counts[name] for name in MARGINS)
        rows.append((study.policy, stood, *(Share.of(counts[name], stood) for name in MARGINS)))
    notes = (
        "How many bits of every trace could be judged wrongly without moving the choice: fewer than half of the margin "
        "between the highest score and the next.  A tie goes to the earliest, so any bit may move it.",
        "Units in which no candidate may be picked are left out.",
    )
    columns = ("policy", "units", *MARGINS.values())
    return Table(f"{NAME}-stability", "How stable the choices are", columns, tuple(rows), notes)


def _bits(study: Study, unit: Unit) -> int | str | None:
    """The lemma's number of bits; "none" where nobody stands."""
    scores = [score for score in study.view(unit).scores if score is not None]
    return stable_bits(scores) if scores else "none"
