"""Who is picked, counted by hand: nested loops over plain lists, where None is a candidate that does not stand."""

from collections.abc import Sequence
from fractions import Fraction


def plurality(answers: Sequence[object]) -> int | None:
    """The answer that most candidates give; of those, the one heard first; its first candidate."""
    return weighted(answers, [1] * len(answers))


def weighted(answers: Sequence[object], weights: Sequence[int]) -> int | None:
    """The same, where each candidate has so many votes."""
    heard = []
    for answer in answers:
        if answer is not None and answer not in heard:
            heard.append(answer)
    best, most = None, None
    for answer in heard:
        count = 0
        for other, weight in zip(answers, weights, strict=True):
            if other == answer:
                count += weight
        if most is None or count > most:
            best, most = answer, count
    return None if best is None else list(answers).index(best)


def medoid(sets: Sequence[frozenset | None]) -> int | None:
    """The first set whose mean overlap with the other sets is highest; a lone set is its own medoid."""
    best, highest = None, None
    for place, mine in enumerate(sets):
        if mine is None:
            continue
        overlaps = []
        for other_place, other in enumerate(sets):
            if other is None or other_place == place:
                continue
            union = {*mine, *other}
            both = {item for item in union if item in mine and item in other}
            overlaps.append(Fraction(len(both), len(union)) if union else Fraction(1))
        mean = sum(overlaps, Fraction(0)) / len(overlaps) if overlaps else Fraction(0)
        if highest is None or mean > highest:
            best, highest = place, mean
    return best


def highest(numbers: Sequence[float | None]) -> int | None:
    """The first of the highest numbers."""
    best = None
    for place, number in enumerate(numbers):
        if number is not None and (best is None or number > numbers[best]):
            best = place
    return best


def verified(answers: Sequence[object], scores: Sequence[int | None]) -> int | None:
    """The vote among those with the highest score."""
    stood = [score for answer, score in zip(answers, scores, strict=True) if answer is not None]
    kept = [answer if stood and score == max(stood) else None for answer, score in zip(answers, scores, strict=True)]
    return plurality(kept)
