"""The set medoid: the candidate whose set overlaps most with the sets of the pool, on average.

The overlap of two sets is their Jaccard index, the share of their union that both hold; two empty sets overlap wholly.
An answer that is no set (a path, an ordering, a word) is a set of one: itself.  The mean is over the pool with the
candidate in it; leaving it out would add the same constant for all and move no choice.
"""

from collections import Counter
from fractions import Fraction
from typing import Any

from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View
from calverify.tasks import task_of

__all__ = ["medoid"]


@selector("medoid")
def medoid(view: View) -> list[Number | None]:
    """The mean Jaccard index of each candidate's set and every set of the pool: {U}, {U, P}, {M} -> 1/2, 1/2, 1/3."""
    counts = Counter(answer for answer in view.answers if answer is not None)
    sets = {answer: _members(view, view.answers.index(answer), answer) for answer in counts}
    means = {
        answer: sum((jaccard(mine, sets[other]) * count for other, count in counts.items()), Fraction(0))
        / counts.total()
        for answer, mine in sets.items()
    }
    return [None if answer is None else means[answer] for answer in view.answers]


def jaccard(one: frozenset[Any], other: frozenset[Any]) -> Fraction:
    """The share of the union that both hold."""
    union = len(one | other)
    return Fraction(len(one & other), union) if union else Fraction(1)


def _members(view: View, place: int, answer: str) -> frozenset[Any]:
    """The set that an answer is, or the set of one that it makes."""
    shown, graph = view.verdicts[place].answer, view.problem.graph
    if shown is not None:
        value = task_of(view.problem.query).answer.read(
            shown, frozenset() if graph is None else graph.node_set, "answer"
        )
        if isinstance(value, frozenset):
            return value
    return frozenset({answer})
