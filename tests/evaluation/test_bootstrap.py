"""Clustered intervals, against a slow one on the same draws and against the truth; paired tests; the design effect."""

from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calverify as cv
from calverify.evaluation import (
    Interval,
    Resampling,
    _bootstrap,
    accuracy,
    cluster_draws,
    design_effect,
    mcnemar,
    paired_gain,
    paired_gains,
    ratio,
)
from tests.oracles import resampling


def drawn_units(rng: Random, clusters: int) -> tuple[list[bool], list[bool], list[str]]:
    """Two selectors on clusters of one to five units, in mixed order."""
    names = [f"p{i}" for i in range(clusters) for _ in range(rng.randint(1, 5))]
    rng.shuffle(names)
    return [rng.random() < 0.7 for _ in names], [rng.random() < 0.5 for _ in names], names


@pytest.mark.parametrize("seed", range(8))
def test_equals_the_slow_one_on_the_same_draws(seed):
    a, b, clusters = drawn_units(Random(seed), 7 + seed)
    draws = cluster_draws(len(set(clusters)), 200, seed).tolist()
    ones = [1] * len(a)
    found = paired_gain(a, b, clusters, draws=200, seed=seed)
    assert (found.low, found.high) == pytest.approx(
        resampling.interval([x - y for x, y in zip(a, b, strict=True)], ones, clusters, draws), abs=1e-12
    )
    assert found.point == pytest.approx((sum(a) - sum(b)) / len(a))
    share = accuracy(a, clusters, draws=200, seed=seed)
    assert (share.low, share.high) == pytest.approx(resampling.interval(a, ones, clusters, draws), abs=1e-12)
    assert (share.draws, share.clusters, share.units, share.key) == (200, len(set(clusters)), len(a), "problem")


def test_a_draw_in_which_nothing_counts_is_left_out():
    top, bottom, clusters = [1, 0, 0], [1, 1, 0], ["p", "q", "r"]
    draws = cluster_draws(3, 300, 5).tolist()
    assert any(set(draw) == {2} for draw in draws)
    (found,) = ratio([(top, bottom)], clusters, Resampling(300, 5))
    assert (found.low, found.high) == pytest.approx(resampling.interval(top, bottom, clusters, draws), abs=1e-12)
    assert found.point == 0.5


def test_several_selectors_share_their_draws():
    """Each interval is the one that it would be alone, and a gain over oneself has no width."""
    a, b, clusters = drawn_units(Random(1), 20)
    together = paired_gains(a, [b, a], clusters, Resampling(500, 3))
    assert together[0] == paired_gain(a, b, clusters, draws=500, seed=3)
    assert (together[1].low, together[1].point, together[1].high) == (0, 0, 0)


def test_the_matrix_may_be_made_in_pieces(monkeypatch):
    a, b, clusters = drawn_units(Random(2), 30)
    whole = paired_gain(a, b, clusters, draws=997)
    monkeypatch.setattr(_bootstrap, "CELLS_AT_ONCE", 31 * 30 + 7)
    assert paired_gain(a, b, clusters, draws=997) == whole


def test_the_order_of_units_within_clusters_does_not_matter():
    a, b, clusters = drawn_units(Random(3), 15)
    firsts = {name: place for place, name in reversed(list(enumerate(clusters)))}
    order = sorted(range(len(a)), key=lambda i: (firsts[clusters[i]], i))
    again = paired_gain([a[i] for i in order], [b[i] for i in order], [clusters[i] for i in order], draws=300)
    assert again == paired_gain(a, b, clusters, draws=300)


def test_a_seed_gives_one_interval_and_another_seed_another():
    a, b, clusters = drawn_units(Random(4), 40)
    assert paired_gain(a, b, clusters, draws=300, seed=1) == paired_gain(a, b, clusters, draws=300, seed=1)
    assert paired_gain(a, b, clusters, draws=300, seed=1) != paired_gain(a, b, clusters, draws=300, seed=2)


def covered(studies: int) -> float:
    """How often the interval holds the truth: 126 clusters of 3 to 12 units whose own chances vary widely."""
    hits = 0
    for seed in range(studies):
        rng = Random(f"coverage {seed}")
        a, b, clusters = [], [], []
        for place in range(126):
            base = rng.random() * 0.6
            for _ in range(rng.choice((3, 6, 9, 12))):
                a.append(rng.random() < base + 0.2)
                b.append(rng.random() < base)
                clusters.append(place)
        found = paired_gain(a, b, clusters, draws=1_000, seed=seed)
        hits += found.low <= 0.2 <= found.high
    return hits / studies


def test_covers_the_truth_most_of_the_time():
    assert 0.87 <= covered(100) <= 1


@pytest.mark.property
def test_covers_the_truth_at_the_nominal_rate():
    assert 0.93 <= covered(1_000) <= 0.97


REFUSED = [
    (lambda: paired_gain([True], [True, False], ["p"]), "1 units on one side and 2 on the other"),
    (lambda: paired_gain([True], [True], ["p", "q"]), "1 values do not belong to 2 units"),
    (lambda: accuracy([], []), "there is no unit"),
    (lambda: accuracy([True], ["p"], draws=0), "at least one draw, not 0"),
    (lambda: ratio([([1], [0])], ["p"], Resampling()), "there is no unit"),
    (lambda: mcnemar([True], []), "1 units on one side and 0 on the other"),
    (lambda: design_effect([1], []), "1 values do not belong to 0 units"),
    (lambda: design_effect([0.5], ["p"]), "must be exact"),
]


@pytest.mark.parametrize("ask, why", REFUSED)
def test_what_cannot_be_compared_is_refused(ask, why):
    with pytest.raises(cv.CalverifyError) as refused:
        ask()
    assert why in str(refused.value)


def test_an_interval_is_a_record():
    found = accuracy([True, False], ["p", "q"], draws=10)
    assert Interval.from_json(found.to_json()) == found
    with pytest.raises(cv.LeakError):
        Interval.from_json({**found.to_json(), "gold": 1})


# ---------------------------------------------------------------- McNemar


@pytest.mark.parametrize("a_alone, b_alone", list(product(range(5), repeat=2)))
def test_mcnemar_counts_every_split_of_the_discordant_units(a_alone, b_alone):
    """Two-sided: twice the splits at least as uneven on the smaller side, 1 at most."""
    a = [True] * a_alone + [False] * b_alone + [True, False]
    b = [False] * a_alone + [True] * b_alone + [True, False]
    n, fewer = a_alone + b_alone, min(a_alone, b_alone)
    splits = [sum(coins) for coins in product((0, 1), repeat=n)]
    expected = min(Fraction(1), 2 * Fraction(sum(heads <= fewer for heads in splits), len(splits)))
    found = mcnemar(a, b)
    assert (found.only_a, found.only_b, found.both, found.neither, found.p) == (a_alone, b_alone, 1, 1, expected)
    assert mcnemar(b, a).p == expected


def test_mcnemar_on_the_papers_repairs_and_losses():
    found = mcnemar([True] * 197 + [False] * 54, [False] * 197 + [True] * 54)
    assert found.p == 2 * Fraction(sum(comb(251, k) for k in range(55)), 2**251)
    assert found.to_json()["p"] < 1e-18


# ---------------------------------------------------------------- the design effect


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_units_of_their_own_have_no_design_effect(values):
    expected = None if len(set(values)) == 1 else 1
    assert design_effect([int(value) for value in values], range(len(values))) == expected


@given(st.lists(st.booleans(), min_size=2, max_size=12), st.integers(1, 5))
def test_copies_of_a_unit_count_once(values, copies):
    """m units that always agree are worth one: the effect is m."""
    repeated = [int(value) for value in values for _ in range(copies)]
    clusters = [place for place in range(len(values)) for _ in range(copies)]
    assert design_effect(repeated, clusters) == (None if len(set(values)) == 1 else copies)


def test_clusters_that_balance_have_an_effect_of_nothing():
    assert design_effect([1, 0, 1, 0], ["p", "p", "q", "q"]) == 0
    assert design_effect([], []) is None
