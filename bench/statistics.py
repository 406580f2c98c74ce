"""The paired, clustered bootstrap: ours, and one draw after another.

The workload has the paper's size: 10,000 draws over 126 clusters that hold 1,111 units.  Everybody draws the same
clusters from the same seed, so all give the same interval.
"""

from collections.abc import Iterator, Sequence
from random import Random

from bench.measure import OURS, Contest, Engine
from calverify.evaluation import cluster_draws, paired_gain

__all__ = ["statistics_contests"]

CLUSTERS, UNITS, DRAWS = 126, 1_111, 10_000

Work = tuple[list[bool], list[bool], list[int]]


def statistics_contests(share: float) -> Iterator[Contest]:
    draws = max(100, int(DRAWS * share))
    work = _study(Random("statistics"))
    engines = [
        Engine(OURS, lambda: work, lambda study: _ours(study, draws)),
        Engine("numpy, draw by draw", lambda: work, lambda study: _numpy_loop(study, draws)),
        Engine("python, draw by draw", lambda: work, lambda study: _plain_loop(study, draws)),
    ]
    yield Contest("paired bootstrap", "126 clusters, 1,111 units", draws, engines)


def _study(rng: Random) -> Work:
    """Two selectors on units that come in clusters of unequal size, every cluster with one unit at least."""
    clusters = [*range(CLUSTERS), *(rng.randrange(CLUSTERS) for _ in range(UNITS - CLUSTERS))]
    chances = [rng.random() for _ in range(CLUSTERS)]
    better = [rng.random() < chances[place] ** 0.5 for place in clusters]
    return better, [rng.random() < chances[place] for place in clusters], clusters


def _ours(study: Work, draws: int) -> Iterator[tuple[float, float]]:
    a, b, clusters = study
    found = paired_gain(a, b, clusters, draws=draws)
    yield round(found.low, 9), round(found.high, 9)


def _sums(study: Work) -> tuple[list[int], list[int]]:
    """Gain and units of each cluster."""
    gains, units = [0] * CLUSTERS, [0] * CLUSTERS
    for better, worse, place in zip(*study, strict=True):
        gains[place] += better - worse
        units[place] += 1
    return gains, units


def _numpy_loop(study: Work, draws: int) -> Iterator[tuple[float, float]]:
    import numpy

    drawn = cluster_draws(CLUSTERS, draws, 0)
    gains, units = map(numpy.array, _sums(study))
    ratios = [gains[row].sum() / units[row].sum() for row in drawn]
    low, high = numpy.percentile(ratios, [2.5, 97.5])
    yield round(float(low), 9), round(float(high), 9)


def _plain_loop(study: Work, draws: int) -> Iterator[tuple[float, float]]:
    drawn = cluster_draws(CLUSTERS, draws, 0).tolist()
    gains, units = _sums(study)
    ratios = sorted(sum(map(gains.__getitem__, row)) / sum(map(units.__getitem__, row)) for row in drawn)
    yield _between(ratios, 0.025), _between(ratios, 0.975)


def _between(ratios: Sequence[float], share: float) -> float:
    place = share * (len(ratios) - 1)
    low = int(place)
    return round(ratios[low] + (place - low) * (ratios[min(low + 1, len(ratios) - 1)] - ratios[low]), 9)
