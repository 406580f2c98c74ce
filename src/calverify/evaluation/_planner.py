"""What would more samples buy?  The accuracy of the checker at other K, predicted from the pools of a pilot.

Rule 1: a problem has a law of its own.  The law of all candidates thrown together would promise too much, because more
draws help an easy problem only once.
Rule 2: up to the n candidates a problem has (those of all its seeds), nothing is assumed: the mean of the first-index
choice over all ordered subsets of k candidates is unbiased, and has a closed form.
Rule 3: beyond n, the same formula with observed shares is biased: a score that was not seen in n draws would never
come.  So problems lend each other strength: each conditional share P(S = s | S <= s) and each precision w_s varies
from problem to problem as a mixture that is fitted to all of them, and the curve is carried on by the growth that a
problem's own candidates and the mixture lead to expect.
Rule 4: the band holds what resampling clusters gives and what n draws leave open: its ends are those of mixtures that
fit nearly as well and grow as little, or as much, as they can.
Assumed is that draws of one problem are independent and alike, and that shares and precisions vary independently.
The band is meant for up to four times n.  Beyond that, how rare the rarest right answers are decides, and n draws do
not tell.  Where every pool of the pilot is right, the band up to n has no width, as percentile intervals have none.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from calverify.errors import CalverifyError
from calverify.evaluation._bootstrap import PERCENTILES, Interval, cluster_draws
from calverify.evaluation._study import Study
from calverify.evaluation._theory import FirstIndexLaw, first_index_law

__all__ = ["Plan", "PlanPoint", "expected_choice", "plan"]

Drawn = tuple[int | None, bool]  # a candidate's score (None: it does not stand), and whether it is right
KS = (1, 2, 4, 8, 16, 32, 64, 128)
GRID = 33  # shares that a mixture may mix
FIRST_ROUNDS, ROUNDS = 200, 25  # steps of its fit, to all problems and from there to each draw
SLACK = 1.92  # half the 95 % point of a chi-square with one degree of freedom


@dataclass(frozen=True, slots=True)
class PlanPoint:
    """The predicted accuracy at one K; `extrapolated` where some problem has fewer candidates."""

    k: int
    accuracy: Interval
    extrapolated: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """The curve, and the law of all candidates together, whose inversions warn that more draws may hurt."""

    points: tuple[PlanPoint, ...]
    law: FirstIndexLaw


@dataclass(frozen=True, slots=True)
class _Row:
    """One problem of the pilot."""

    cluster: str
    units: int
    drawn: tuple[Drawn, ...]


def plan(study: Study, ks: Sequence[int] = KS, *, draws: int = 1_000, seed: int = 0, key: str = "problem") -> Plan:
    """The checker's accuracy at each k with a 95 % band: clusters are resampled, and all is fitted anew."""
    rows = _rows(study)
    if not rows or any(k < 1 for k in ks):
        raise CalverifyError("a plan needs pools with candidates, and every K at least 1")
    curves = _Curves(rows, ks)
    places = {cluster: place for place, cluster in enumerate(dict.fromkeys(row.cluster for row in rows))}
    owners = [places[row.cluster] for row in rows]
    drawn = cluster_draws(len(places), draws, seed)
    times = curves.np.stack([curves.np.bincount(row, minlength=len(places))[owners] for row in drawn])
    ((whole,),) = curves.resampled(curves.np.ones((1, len(rows))), (0,))
    limits = curves.np.sort(curves.resampled(times, (-1, 1)), axis=0)  # a precision that falls turns them round
    bands = [
        curves.np.percentile(side, limit, axis=0).tolist() for side, limit in zip(limits, PERCENTILES, strict=True)
    ]
    least = min(len(row.drawn) for row in rows)
    points = [
        PlanPoint(k, Interval(float(point), low, high, draws, len(places), len(study.units), key), k > least)
        for k, point, (low, high) in zip(ks, whole, zip(*bands, strict=True), strict=True)
    ]
    return Plan(tuple(points), first_index_law(one for row in rows for one in row.drawn))


def _rows(study: Study) -> list[_Row]:
    """The candidates of each problem, its seeds together."""
    drawn: dict[str, list[Drawn]] = {}
    units = Counter(unit.problem for unit in study.units)
    clusters = {unit.problem: unit.cluster for unit in study.units}
    for unit in study.units:
        scores = [v.score or 0 if stands else None for v, stands in zip(unit.verdicts, unit.stands, strict=True)]
        here = [(score, right is True) for score, right in zip(scores, unit.correct, strict=True)]
        drawn.setdefault(unit.problem, []).extend(here)
    return [_Row(clusters[name], units[name], tuple(some)) for name, some in drawn.items() if some]


def expected_choice(drawn: Sequence[Drawn], k: int) -> Fraction:
    """How often the earliest maximum is right, over all ordered subsets of k of these candidates."""
    if not 1 <= k <= len(drawn):
        raise CalverifyError(f"there are no subsets of {k} among {len(drawn)} candidates")
    counts, good = Counter(score for score, _ in drawn), Counter(score for score, right in drawn if right)
    below, total = counts[None], Fraction(0)
    for score in sorted(score for score in counts if score is not None):
        ways = comb(below + counts[score], k) - comb(below, k)
        total += Fraction(good[score], counts[score]) * ways
        below += counts[score]
    return total / comb(len(drawn), k)


# ---------------------------------------------------------------- beyond the pilot


class _Mixture:
    """A share that varies from problem to problem, as a mixture over GRID fitted anew for each row of `times`.

    `seen` holds (hits, trials) of each problem, and `times[b][p]` how often draw b holds problem p.  Few trials fit
    many mixtures nearly as well: with a `lean` of 1 or -1, the fit is one of the best that still cost no more than
    SLACK of log likelihood on the problems as they are, with as much growth as they allow, or as little.
    """

    def __init__(self, np: Any, seen: Sequence[tuple[int, int]], times: Any, lean: int = 0) -> None:
        kinds = sorted(set(seen))
        self.np, self._place = np, [kinds.index(pair) for pair in seen]
        hits, trials = np.array(kinds).T[:, :, None]
        never, always = not hits.any(), not (trials - hits).any()
        spread = np.sin(np.linspace(0, np.pi / 2, GRID)) ** 2
        self._grid = spread[:1] if never else spread[-1:] if always else spread
        self._fit = self._grid**hits * (1 - self._grid) ** (trials - hits)  # kind by grid
        self._stays = (1 - self._grid) ** (4 * max(n for _, n in kinds))
        weights = np.zeros((len(times), len(kinds)))
        for place, kind in enumerate(self._place):
            weights[:, kind] += times[:, place]
        whole = np.bincount(self._place, minlength=len(kinds))[None, :]
        force = self._force(lean, whole) if lean and not (never or always) else 0.0
        start = self._fitted(whole, lean, force, FIRST_ROUNDS)
        self._mixed = start if len(times) == 1 else self._fitted(weights, lean, force, ROUNDS, start)

    def _fitted(self, weights: Any, lean: int, force: float, rounds: int, start: Any = 1.0) -> Any:
        """The mixture of each row of weights, after some rounds of expectation and maximisation."""
        np = self.np
        mixed = start + np.full((len(weights), len(self._grid)), 0.1 / len(self._grid))
        mixed /= mixed.sum(axis=1, keepdims=True)
        pull = force * (self._stays if lean < 0 else 1 - self._stays)
        shares = weights / weights.sum(axis=1, keepdims=True)
        for _ in range(rounds):
            mixed *= (shares / (mixed @ self._fit.T)) @ self._fit + pull
            mixed /= mixed.sum(axis=1, keepdims=True)
        return mixed

    def _force(self, lean: int, weights: Any) -> float:
        """The strongest pull that costs no more than SLACK."""

        def likelihood(force: float) -> float:
            mixed = self._fitted(weights, lean, force, FIRST_ROUNDS)
            return float((weights * self.np.log(mixed @ self._fit.T)).sum())

        least, most, best = 0.0, 1.0, likelihood(0.0)
        for _ in range(6):
            middle = (least + most) / 2
            least, most = (middle, most) if best - likelihood(middle) <= SLACK else (least, middle)
        return least

    def expected(self, function: Any) -> Any:
        """The expectation of a function of the share in each draw and problem, given what was seen there."""
        whole = self._mixed @ self._fit.T
        return (((self._mixed * function) @ self._fit.T) / whole)[:, self._place]

    def share(self) -> Any:
        return self.expected(self._grid)

    def misses(self, k: int) -> Any:
        """The probability that k more draws all miss."""
        return self.expected((1 - self._grid) ** k)


class _Curves:
    """For each draw of clusters the accuracy at each k: what was seen up to n, and from there the expected growth."""

    def __init__(self, rows: Sequence[_Row], ks: Sequence[int]) -> None:
        import numpy

        self.np: Any = numpy
        self.rows, self.ks = rows, ks
        self.far = sorted({len(row.drawn) for row in rows} | set(ks))
        self._levels = sorted({score for row in rows for score, _ in row.drawn if score is not None}, reverse=True)
        self._known = numpy.array([[self._seen(row, k) for k in ks] for row in rows])

    @staticmethod
    def _seen(row: _Row, k: int) -> float:
        return float(expected_choice(row.drawn, min(k, len(row.drawn))))

    def resampled(self, times: Any, leans: Sequence[int]) -> Any:
        """Lean by draw by k; `times[b][p]` is how often draw b holds problem p."""
        np = self.np
        sizes = np.array([len(row.drawn) for row in self.rows])
        place = {k: i for i, k in enumerate(self.far)}
        weights = times * np.array([row.units for row in self.rows])
        if max(self.ks) <= min(sizes):  # nothing to fit
            curves = weights @ self._known / weights.sum(axis=1, keepdims=True)
            return np.stack([curves for _ in leans])
        fitted = self._expected(times, 0)
        own = np.take_along_axis(fitted, np.array([place[n] for n in sizes])[None, :, None], axis=2)
        found = []
        for lean in leans:
            grown = (self._expected(times, lean) if lean else fitted)[:, :, [place[k] for k in self.ks]]
            growth = (grown - own) * (np.array(self.ks) > sizes[:, None])
            curves = np.einsum("bp,bpk->bk", weights, self._known + growth)
            found.append(np.clip(curves / weights.sum(axis=1, keepdims=True), 0, 1))
        return np.stack(found)

    def _expected(self, times: Any, lean: int) -> Any:
        """The law's accuracy by draw, problem and k of `far`, with every power at its expectation."""
        np = self.np
        at = [Counter(score for score, _ in row.drawn) for row in self.rows]
        good = [Counter(score for score, right in row.drawn if right) for row in self.rows]
        left = [len(row.drawn) for row in self.rows]  # candidates at this level or below
        total = np.zeros((*times.shape, len(self.far)))
        none_yet = np.ones_like(total)  # the probability that k draws all stay below the levels so far
        for level in self._levels:
            counts = [n[level] for n in at]
            share = _Mixture(np, list(zip(counts, left, strict=True)), times, lean)
            right = _Mixture(np, list(zip([n[level] for n in good], counts, strict=True)), times)
            still = none_yet * np.stack([share.misses(k) for k in self.far], axis=2)
            total += right.share()[:, :, None] * (none_yet - still)
            none_yet = still
            left = [n - here for n, here in zip(left, counts, strict=True)]
        return total
