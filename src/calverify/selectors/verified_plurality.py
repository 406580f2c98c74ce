"""Voting among those that the checker likes best: the vote is taken only among traces with the highest score."""

from collections import Counter

from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View

__all__ = ["verified_plurality"]


@selector("verified_plurality")
def verified_plurality(view: View) -> list[Number | None]:
    """How often an answer occurs among the traces with the highest score; the others stand aside."""
    best = max((score for score in view.scores if score is not None), default=None)
    finalists = [
        answer if best is not None and score == best else None
        for answer, score in zip(view.answers, view.scores, strict=True)
    ]
    counts = Counter(answer for answer in finalists if answer is not None)
    return [None if answer is None else counts[answer] for answer in finalists]
