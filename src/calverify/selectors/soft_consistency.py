"""Soft self-consistency: a vote in which a trace has as many votes as bits that the checker verified."""

from collections import Counter

from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View

__all__ = ["soft_consistency"]


@selector("soft_consistency")
def soft_consistency(view: View) -> list[Number | None]:
    """The sum of the scores of all candidates with the same answer: {M} 3, {U} 6, {M} 2 -> 5, 6, 5."""
    votes: Counter[str] = Counter()
    for answer, score in zip(view.answers, view.scores, strict=True):
        if answer is not None and score is not None:
            votes[answer] += score
    return [None if answer is None else votes[answer] for answer in view.answers]
