"""Exact voting: how often a candidate's canonical answer occurs, so the earliest of the most frequent is picked."""

from collections import Counter

from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View

__all__ = ["plurality"]


@selector("plurality")
def plurality(view: View) -> list[Number | None]:
    """The number of candidates with the same answer: {M}, {U}, {M} -> 2, 1, 2."""
    counts = Counter(answer for answer in view.answers if answer is not None)
    return [None if answer is None else counts[answer] for answer in view.answers]
