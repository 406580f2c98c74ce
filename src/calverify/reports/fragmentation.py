"""Pool by pool: where checking repairs the vote and where it loses, and whether it can help at all."""

from collections.abc import Sequence
from fractions import Fraction

from calverify.evaluation import STRATA, Study, Unit, contrasts, decompose, meter
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Number, Plot, Points, Series, Share, Table
from calverify.reports._units import (
    CALVER,
    VOTE,
    by_policy,
    empty,
    gain_of,
    interval_note,
    lacking,
    plural,
    units_of,
    whole_or_empty,
)

__all__ = ["fragmentation", "strata_rows"]

NAME, TITLE = "fragmentation", "Repairs and losses against the vote, by what leads the vote"
COLUMNS = ("policy", "stratum", "units", "vote", CALVER, "gain", "repairs", "losses")


@report("fragmentation")
def fragmentation(studies: Sequence[Study], options: Options) -> Parts:
    """Repairs and losses of calver against the vote where an invalid answer leads and elsewhere, and the meter."""
    if why := lacking(studies, VOTE, CALVER):
        return [empty(NAME, TITLE, why)]
    rows: list[tuple[Cell, ...]] = []
    bars: list[tuple[str, int, int]] = []
    for policy, these in by_policy(studies):
        covered = [unit for unit in units_of(these) if unit.covered]
        if not covered:
            continue
        contrasted = [row for study in these for row in contrasts(study, VOTE, CALVER)]
        rows += strata_rows(policy, covered, contrasted, options)
        total = decompose(contrasted)[-1]
        bars.append((policy, total.repairs, total.losses))
    covered = [unit for unit in units_of(studies) if unit.covered]
    left = len(units_of(studies)) - len(covered)
    notes = [
        interval_note(covered, options.how),
        f"Left out: {plural(left, 'unit')} without a right candidate, where no selector can be right.",
        "Repairs: calver is right and the vote is not; losses: the other way.  The gain is repairs minus losses.",
    ]
    table = Table(NAME, TITLE, COLUMNS, tuple(rows), tuple(notes))
    why = "no unit holds a right candidate that may be picked, so there is no headroom to divide."
    parts: Parts = [whole_or_empty(table, why), _meters(studies, options)]
    if bars:
        parts.append(_plot(bars))
    return parts


def strata_rows(
    policy: str, covered: Sequence[Unit], contrasted: Sequence[tuple[str, bool, bool]], options: Options
) -> list[tuple[Cell, ...]]:
    """A row for each stratum and one for all; unit and (stratum, vote right, calver right) belong together."""
    rows: list[tuple[Cell, ...]] = []
    for stratum, name in zip(decompose(contrasted), (*STRATA, None), strict=True):
        inside = [unit for unit, row in zip(covered, contrasted, strict=True) if name is None or row[0] == name]
        gain = gain_of(inside, CALVER, VOTE, options.how)
        rows.append(
            (
                policy,
                stratum.name,
                stratum.units,
                Share.of(stratum.base_right, stratum.units),
                Share.of(stratum.other_right, stratum.units),
                None if gain is None else Points(stratum.gain, gain.interval),
                stratum.repairs,
                stratum.losses,
            )
        )
    return rows


def _meters(studies: Sequence[Study], options: Options) -> Table:
    """The pools by what leads the vote, the headroom, and how well the score tells right from wrong."""
    how = options.how
    rows: list[tuple[Cell, ...]] = []
    notes = [interval_note(units_of(studies), how)]
    for study in studies:
        if not study.units:
            continue
        said = meter(study, draws=how.draws, seed=how.seed)
        many = len(set(study.clusters)) > 1
        told = None if said.told is None else Number(said.told.point, said.told if many else None)
        spare = Fraction(sum(unit.covered for unit in study.units) - sum(study.right(VOTE)), len(study.units))
        headroom = Points(spare, said.headroom if many else None)
        regimes = said.regimes.values()
        rows.append(
            (study.policy, len(study.units), *regimes, said.fragmented, said.most_valid_answers, headroom, told)
        )
        notes.append(f"{study.policy}: {said.sentence}.")
    notes += [
        "Invalid leads: an invalid answer has more votes than any valid one; fragmented: and fewer than all together.",
        "Score tells: how often a right candidate has a higher score than a wrong one of its pool, ties half.",
    ]
    columns = (
        "policy", "units", "invalid leads", "tied", "valid leads", "none valid", "fragmented", "most valid answers",
        "headroom over the vote", "score tells",
    )  # fmt: skip
    return Table(f"{NAME}-meter", "Can checking help?  The fragmentation meter", columns, tuple(rows), tuple(notes))


def _plot(bars: Sequence[tuple[str, int, int]]) -> Plot:
    labels = tuple(policy for policy, _, _ in bars)
    series = (
        Series("repairs", tuple(float(repairs) for _, repairs, _ in bars)),
        Series("losses", tuple(float(losses) for _, _, losses in bars)),
    )
    caption = "Units in which calver is right and the vote is not (repairs), and the other way (losses)."
    return Plot(
        NAME, "Repairs and losses against the vote", "bars", labels, series, "policy", "units", "number", caption
    )
