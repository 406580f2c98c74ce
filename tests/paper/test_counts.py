"""Numbers of the paper that its printed counts determine, by the functions that make our tables."""

from fractions import Fraction
from random import Random

import calverify as cv
from calverify.evaluation import STRATA, decompose, first_index_law, mcnemar, paired_gain

FAILS, OTHERWISE = STRATA
# 226 pools in which an invalid answer leads: voting 0, checking 68.6 %.  350 others: voting 82.0 %, checking 78.6 %.
# With 197 repairs and 54 losses in all, 155 repairs fall on the first stratum and 42 on the second.
ROWS = [
    *[(FAILS, False, True)] * 155,
    *[(FAILS, False, False)] * 71,
    *[(OTHERWISE, False, True)] * 42,
    *[(OTHERWISE, True, False)] * 54,
    *[(OTHERWISE, True, True)] * 233,
    *[(OTHERWISE, False, False)] * 21,
]


def percent(part: int | Fraction, whole: int = 1) -> str:
    return f"{100 * float(Fraction(part) / whole):.1f}"


def test_the_decomposition_of_the_gain():
    first, second, whole = decompose(ROWS)
    table = [
        (part.units, percent(part.base_right, part.units), percent(part.other_right, part.units), percent(part.gain))
        for part in (first, second, whole)
    ]
    assert table == [
        (226, "0.0", "68.6", "68.6"), (350, "82.0", "78.6", "-3.4"), (576, "49.8", "74.7", "24.8"),
    ]  # fmt: skip
    assert (whole.repairs, whole.losses) == (197, 54)
    assert round(whole.repairs / whole.losses, 1) == 3.6
    assert percent(first.units, whole.units) == "39.2"


def test_the_gain_of_the_same_pairs_as_an_interval():
    base, other = [row[1] for row in ROWS], [row[2] for row in ROWS]
    found = paired_gain(other, base, range(576), draws=1_000)
    assert percent(Fraction(found.point).limit_denominator(576)) == "24.8"
    assert 0.19 < found.low < found.point < found.high < 0.31
    assert mcnemar(other, base).only_a == 197


def test_tie_rules_are_in_order():
    """Resolving ties to the worst candidate, to the first, to the best: accuracies come in that order on any pools."""
    for seed in range(200):
        rng = Random(f"ties {seed}")
        pools = [[(rng.randint(0, 6), rng.random() < 0.5) for _ in range(8)] for _ in range(10)]
        worst = first = best = 0
        for pool in pools:
            top = max(score for score, _ in pool)
            tied = [right for score, right in pool if score == top]
            picked = pool[cv.earliest_max([score for score, _ in pool])][1]
            assert picked is tied[0]
            worst, first, best = worst + min(tied), first + picked, best + max(tied)
        assert worst <= first <= best


def test_increments_of_the_exact_law_sum_to_its_curve():
    """Exactly, in fractions, from K = 1 to the paper's K = 32 and beyond."""
    for seed in range(10):
        rng = Random(f"increments {seed}")
        law = first_index_law((rng.randint(0, 6), rng.random() < 0.5) for _ in range(40))
        total = law.accuracy(1)
        assert total == sum((w * p for w, p in zip(law.precisions, law.shares, strict=True)), Fraction(0))
        for k in range(1, 40):
            total += law.increment(k)
            assert total == law.accuracy(k + 1) == law.telescoped(k + 1)
