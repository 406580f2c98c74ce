"""Exact voting: how often a candidate's canonical answer occurs, so the earliest of the most frequent is picked."""

from collections import Counter
from collections.abc import Sequence
from json import dumps

from calverify.scoring import Verdict
from calverify.selectors._choice import Number

__all__ = ["plurality"]


def plurality(verdicts: Sequence[Verdict]) -> list[Number | None]:
    """The number of admissible candidates with the same answer: {M}, {U}, {M} -> 2, 1, 2."""
    answers = [dumps(v.answer, sort_keys=True) if v.admissible else None for v in verdicts]
    counts = Counter(answer for answer in answers if answer is not None)
    return [None if answer is None else counts[answer] for answer in answers]
