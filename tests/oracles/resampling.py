"""The clustered bootstrap, draw by draw and unit by unit, in exact fractions.  Imports nothing of the engine."""

from collections.abc import Hashable, Sequence
from fractions import Fraction


def percentile(values: Sequence[Fraction], share: Fraction) -> Fraction:
    """Linear interpolation between the two order statistics around it."""
    ranked = sorted(values)
    place = share * (len(ranked) - 1)
    low = int(place)
    high = min(low + 1, len(ranked) - 1)
    return ranked[low] + (place - low) * (ranked[high] - ranked[low])


def interval(
    top: Sequence[int], bottom: Sequence[int], clusters: Sequence[Hashable], draws: Sequence[Sequence[int]]
) -> tuple[float, float]:
    """The 2.5th and 97.5th percentile of the ratio of sums; a draw lists clusters by the place of their first unit."""
    names = list(dict.fromkeys(clusters))
    ratios = []
    for draw in draws:
        units = [i for place in draw for i, name in enumerate(clusters) if name == names[place]]
        if below := sum(bottom[i] for i in units):
            ratios.append(Fraction(sum(top[i] for i in units), below))
    return float(percentile(ratios, Fraction(25, 1000))), float(percentile(ratios, Fraction(975, 1000)))
