"""The K curve: what selectors make of the first 1, 2, 4, ... candidates of the same frozen pools."""

from collections.abc import Sequence

from calverify.evaluation import COVERAGE, Study
from calverify.reports._shelf import HEADLINE, Options, Parts, report
from calverify.reports._table import Cell, Plot, Series, Share, Table
from calverify.reports._units import CALVER, VOTE, accuracies, counted_notes, empty, gain_of, interval_note, lacking

__all__ = ["k_curve"]

NAME, TITLE = "k-curve", "Accuracy as K grows, on prefixes of the same pools"
LINES = (VOTE, "medoid", CALVER)


@report("k-curve", draws=HEADLINE)
def k_curve(studies: Sequence[Study], options: Options) -> Parts:
    """Vote, medoid, calver and coverage on prefixes of the pools, with bands."""
    if why := lacking(studies, VOTE, CALVER):
        return [empty(NAME, TITLE, why)]
    rows: list[tuple[Cell, ...]] = []
    notes: list[str] = []
    plots = []
    for place, study in enumerate(studies):
        names = [name for name in LINES if name in study.selectors]
        sizes = _sizes(study.size)
        if not sizes:
            notes.append(f"{study.policy}: a pool is empty, so there is no prefix of it.")
            continue
        curves: dict[str, list[Share]] = {name: [] for name in [*names, COVERAGE]}
        for k in sizes:
            cut = study.chosen_by(names).prefix(k)
            for name, share in zip(curves, accuracies(cut.units, list(curves), options.how), strict=True):
                curves[name].append(share)
            cells = [curves[name][-1] if name in curves else None for name in (*LINES, COVERAGE)]
            rows.append((study.policy, k, *cells, gain_of(cut.units, CALVER, VOTE, options.how)))
        notes += [f"{study.policy}: {interval_note(study.units, options.how)}"]
        notes += [f"{study.policy}, all candidates: {said}" for said in counted_notes(study.units, names)]
        plots.append(_plot(f"{NAME}-{place + 1}" if len(studies) > 1 else NAME, study, sizes, curves))
    columns = ("policy", "K", *LINES, COVERAGE, f"gain over {VOTE}")
    notes.append("Every point is a prefix of one pool, in the order in which its candidates were sampled.")
    return [Table(NAME, TITLE, columns, tuple(rows), tuple(notes)), *plots]


def _sizes(most: int) -> list[int]:
    """1, 2, 4, ... and the whole pool: 12 -> 1, 2, 4, 8, 12."""
    powers = [1 << exponent for exponent in range(most.bit_length())]
    return sorted({*powers, most} - {0})


def _plot(name: str, study: Study, sizes: Sequence[int], curves: dict[str, list[Share]]) -> Plot:
    series = []
    for line, shares in curves.items():
        band = tuple((share.interval.low, share.interval.high) for share in shares if share.interval is not None)
        series.append(Series(line, tuple(float(share.value) for share in shares), band))
    caption = f"{study.policy}, {len(study.units):,} units; bands are 95 % intervals clustered by problem."
    return Plot(name, f"{TITLE}: {study.policy}", "curve", tuple(map(float, sizes)), tuple(series), "K", "accuracy",
                "share", caption)  # fmt: skip
