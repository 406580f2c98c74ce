"""Extract, then solve, against checking each candidate: which architecture wins, and does the gate know it?"""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from statistics import median

from calverify.evaluation import Crossing, Resampling, Study, paired_gain
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Number, Plot, Points, Series, Share, Table
from calverify.reports._units import CALVER, empty, lacking, plural

__all__ = ["crossover"]

NAME, TITLE = "crossover", "Extract-then-solve against candidate-wise checking"
LEVEL = "level"
COLUMNS = (
    "policy", LEVEL, "units", "exact graph", "solver", CALVER, "coverage", "calver minus solver", "median agreement",
    "sent to the solver", "abstained", "routed", "undetermined",
)  # fmt: skip
UNKEYED = (
    "needs the keys, because a solver's answer is one that no candidate need have given: give Options(crossings=...)."
)
SUPPLIED = (
    "needs problems that supply no graph, and candidates that state one: where every candidate reads the same supplied "
    "graph there is nothing to merge."
)


@report("crossover")
def crossover(studies: Sequence[Study], options: Options) -> Parts:
    """The merged graph solved, candidates checked, and coverage, by level of the text; and what the gate does."""
    if options.crossings is None:
        return [empty(NAME, TITLE, UNKEYED)]
    if why := lacking(studies, CALVER):
        return [empty(NAME, TITLE, why)]
    rows: list[tuple[Cell, ...]] = []
    bars: list[tuple[str, Sequence[Crossing]]] = []
    silent = 0
    for study in studies:
        constructed = study.only(unit for unit in study.units if study.problems[unit.problem].graph is None)
        found = list(options.crossings(constructed)) if constructed.units else []
        silent += len(constructed.units) - len(found)
        for level, part in _levels(constructed, found).items():
            rows.append((study.policy, level, *_row(part, options.how)))
            bars.append((f"{study.policy}, {level}" if len(studies) > 1 else level, part))
    if not rows:
        return [empty(NAME, TITLE, SUPPLIED)]
    how = options.how
    notes = (
        f"Intervals: 95 % percentiles of {how.draws:,} paired bootstrap draws (seed {how.seed}) that resample clusters "
        f"(key: {how.key}) and keep all their units; a row of a single cluster has none.",
        f"Left out: {plural(silent, 'unit')} in which no candidate states a graph.",
        "Exact graph: the merged graph is the source graph.  Agreement is the mean share of common edges over pairs of "
        "candidates; the gate sends a unit to the solver from one half on.  Abstaining is not right.",
    )
    return [Table(NAME, TITLE, COLUMNS, tuple(rows), notes), _plot(bars)]


def _levels(study: Study, found: Sequence[Crossing]) -> dict[str, list[Crossing]]:
    """The crossings by the stratum `level` of their unit; "all" where the keys name none."""
    levels = {(unit.problem, unit.seed): unit.strata.get(LEVEL, "all") for unit in study.units}
    parts: dict[str, list[Crossing]] = defaultdict(list)
    for crossing in found:
        parts[levels[crossing.problem, crossing.seed]].append(crossing)
    return dict(sorted(parts.items()))


def _row(part: Sequence[Crossing], how: Resampling) -> tuple[Cell, ...]:
    n = len(part)
    solver, verified = [one.solver is True for one in part], [one.verified is True for one in part]
    clusters = [one.cluster for one in part]
    interval = None
    if len(set(clusters)) > 1:
        interval = paired_gain(verified, solver, clusters, draws=how.draws, seed=how.seed)
    agreements = [one.agreement for one in part if one.agreement is not None]
    return (
        n,
        Share.of(sum(one.exact for one in part), n),
        Share.of(sum(solver), n),
        Share.of(sum(verified), n),
        Share.of(sum(one.covered for one in part), n),
        Points(Fraction(sum(verified) - sum(solver), n), interval),
        Number(median(agreements)) if agreements else None,
        Share.of(sum(one.way == "solve" for one in part), n),
        Share.of(sum(one.way == "abstain" for one in part), n),
        Share.of(sum(one.routed is True for one in part), n),
        sum(None in (one.solver, one.verified, one.routed) for one in part),
    )


def _plot(bars: Sequence[tuple[str, Sequence[Crossing]]]) -> Plot:
    def shares(what: str) -> tuple[float, ...]:
        return tuple(sum(getattr(one, what) is True for one in part) / len(part) for _, part in bars)

    series = (
        Series("solver", shares("solver")),
        Series(CALVER, shares("verified")),
        Series("coverage", shares("covered")),
    )
    labels = tuple(label for label, _ in bars)
    caption = "No selector can be above coverage; the solver can, because it derives answers that nobody gave."
    return Plot(NAME, TITLE, "bars", labels, series, LEVEL, "accuracy", "share", caption)
