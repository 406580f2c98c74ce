"""The theory, against every pool of small distributions listed one by one."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calverify as cv
from calverify.evaluation import (
    SharpFamily,
    first_index_law,
    fragmentation,
    plurality_accuracy,
    samples_needed,
    signatures_agree,
    stable_bits,
    weighted_law,
)
from tests.oracles import first_index
from tests.strategies import random_dag

MANY = pytest.mark.parametrize("count", [25, pytest.param(400, marks=pytest.mark.property)])


def masses_of(rng: Random, most: int = 4) -> tuple[dict[str, Fraction], frozenset[str]]:
    """Up to `most` answers, each valid or not, and usually something left for no answer at all."""
    weights = [rng.randint(0, 4) for _ in range(rng.randint(1, most))]
    whole = max(1, sum(weights) + rng.choice((0, 1, 3)))
    masses = {f"a{i}": Fraction(weight, whole) for i, weight in enumerate(weights)}
    return masses, frozenset(answer for answer in masses if rng.random() < 0.5)


# ---------------------------------------------------------------- plurality


@MANY
def test_plurality_is_exact(count):
    for seed in range(count):
        rng = Random(seed)
        masses, valid = masses_of(rng)
        k = rng.randint(1, 5)
        listed = [*masses.items(), (None, 1 - sum(masses.values()))]
        assert plurality_accuracy(masses, valid, k) == first_index.voted(listed, valid, k), (masses, valid, k)


def test_plurality_that_is_too_large_is_undetermined():
    masses = {f"a{i}": Fraction(1, 50) for i in range(50)}
    with pytest.raises(cv.BudgetError, match="too large to sum exactly"):
        plurality_accuracy(masses, {"a0"}, 100)


@pytest.mark.parametrize(
    "masses, why",
    [({"a": Fraction(3, 2)}, "between 0 and 1"), ({"a": 0.5}, "between 0 and 1"), ({"a": Fraction(-1, 2)}, "between"),
     ({"a": Fraction(2, 3), "b": Fraction(1, 2)}, "add up to 7/6")],
)  # fmt: skip
def test_impossible_masses_are_refused(masses, why):
    for ask in (lambda: plurality_accuracy(masses, {"a"}, 2), lambda: fragmentation(masses, {"a"})):
        with pytest.raises(cv.CalverifyError) as refused:
            ask()
        assert why in str(refused.value)


# ---------------------------------------------------------------- fragmentation


@MANY
def test_plurality_keeps_within_its_bound(count):
    regimes = set()
    for seed in range(count):
        rng = Random(f"bound {seed}")
        masses, valid = masses_of(rng, most=5)
        found = fragmentation(masses, valid)
        regimes.add(found.regime)
        right = [masses[a] for a in valid if masses[a]]
        wrong = [mass for a, mass in masses.items() if a not in valid and mass]
        for k in (1, 3, 8, 25):
            exact = float(plurality_accuracy(masses, valid, k))
            if found.regime == "fails":
                assert (found.margin, found.rivals) == (max(wrong) - max(right, default=0), len(right))
                assert exact <= found.bound(k) + 1e-12
            elif found.regime == "succeeds":
                assert (found.margin, found.rivals) == (
                    max(right) - max(wrong, default=0),
                    len(wrong) or sum(masses.values()) < 1,
                )
                assert exact >= found.bound(k) - 1e-12
            else:
                assert max(right, default=0) == max(wrong, default=0)
                assert found.samples_needed(0.1) is None
    assert regimes == {"fails", "succeeds", "open"}


def test_the_bound_is_the_papers():
    """|V+| exp(-K Δ² / 2) with two valid answers of 0.2 under one invalid answer of 0.5."""
    found = fragmentation({"v": Fraction(1, 5), "u": Fraction(1, 5), "w": Fraction(1, 2)}, {"v", "u", "never"})
    assert (found.regime, found.margin, found.rivals) == ("fails", Fraction(3, 10), 2)
    assert found.bound(100) == pytest.approx(2 * 2.718281828459045 ** (-100 * 0.09 / 2))
    assert found.bound(1) == 1


@given(st.fractions(Fraction(1, 20), 1), st.integers(0, 9), st.floats(0.001, 0.999))
def test_samples_needed_is_the_first_k_that_is_enough(margin, rivals, miss):
    k = samples_needed(margin, rivals, miss)
    bound = lambda k: rivals * 2.718281828459045 ** (-k * float(margin) ** 2 / 2)  # noqa: E731
    assert bound(k) <= miss * (1 + 1e-9)
    assert k == 1 or bound(k - 1) > miss * (1 - 1e-9)


@pytest.mark.parametrize(
    "margin, miss", [(Fraction(0), 0.1), (Fraction(2), 0.1), (Fraction(1, 2), 0), (Fraction(1, 2), 1)]
)
def test_samples_for_nothing_are_refused(margin, miss):
    with pytest.raises(cv.CalverifyError, match="between 0 and 1"):
        samples_needed(margin, 1, miss)


# ---------------------------------------------------------------- the sharp family


@pytest.mark.parametrize("rho, m", list(product([Fraction(n, 10) for n in (1, 3, 5, 6, 8, 9)], (1, 2, 3, 5, 9))))
def test_the_mode_turns_where_the_paper_says(rho, m):
    family = SharpFamily(rho, m)
    invalid = family.masses["invalid"]
    assert family.flips == (m > rho / (1 - rho)) == all(family.masses[v] < invalid for v in family.valid)
    assert (fragmentation(family.masses, family.valid).regime == "fails") == family.flips
    assert family.verified(8) == 1 - (1 - rho) ** 8
    assert family.plurality(1) == family.verified(1) == rho


def test_voting_falls_where_checking_rises():
    """ρ = 0.6 over four answers: plurality goes down to the invalid mode although more than half is right."""
    family = SharpFamily(Fraction(3, 5), 4)
    curve = [family.plurality(k) for k in (2, 4, 8, 16, 32)]
    assert curve == sorted(curve, reverse=True)
    assert curve[0] == Fraction(3, 5)
    assert curve[-1] < Fraction(1, 10) < Fraction(9, 10) < family.verified(4)


@pytest.mark.parametrize("rho, m", [(Fraction(0), 1), (Fraction(1), 1), (Fraction(1, 2), 0)])
def test_no_such_family(rho, m):
    with pytest.raises(cv.CalverifyError):
        SharpFamily(rho, m)


# ---------------------------------------------------------------- the first-index law


def kinds_of(rng: Random) -> list[tuple[tuple[int | None, bool], Fraction]]:
    """Up to five kinds of candidate with their masses, which add up to 1."""
    weights = [rng.randint(1, 4) for _ in range(rng.randint(1, 5))]
    return [((rng.choice((None, 0, 2, 3, 6)), rng.random() < 0.5), Fraction(w, sum(weights))) for w in weights]


@MANY
def test_the_law_is_exact(count):
    """The closed form, its telescoped form and its increments equal the sum over all pools."""
    for seed in range(count):
        kinds = kinds_of(Random(f"law {seed}"))
        law = weighted_law((score, right, mass) for (score, right), mass in kinds)
        for k in (1, 2, 4):
            assert law.accuracy(k) == law.telescoped(k) == first_index.checked(kinds, k), kinds
        assert law.accuracy(5) == law.accuracy(1) + sum(law.increment(k) for k in range(1, 5))
        assert abs(law.limit - law.accuracy(2_000)) < Fraction(1, 1_000)
        if not law.inversions:
            assert all(law.increment(k) >= 0 for k in range(1, 20))


def test_candidates_with_one_weight_each():
    law = first_index_law([(6, True), (6, False), (3, False), (None, True)])
    assert (law.scores, law.shares) == ((None, 3, 6), (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)))
    assert law.precisions == (0, 0, Fraction(1, 2))
    assert law == first_index_law([(None, True), (6, False), (6, True), (3, False)] * 3)
    with pytest.raises(cv.CalverifyError, match="at least one candidate"):
        first_index_law([])


def test_a_local_inversion_is_flagged_and_costs():
    """Score 5 is always right and 6 never: every draw more makes the choice worse."""
    law = first_index_law([(5, True), (5, True), (6, False), (0, False)])
    (found,) = law.inversions
    assert (found.lower, found.higher, found.precision_lower, found.precision_higher) == (5, 6, 1, 0)
    assert law.increment(10) < 0
    assert law.limit == 0


# ---------------------------------------------------------------- stability and locality


@given(st.lists(st.integers(0, 6), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_so_many_bits_may_be_wrong(scores, rng):
    """However the scores move by at most that many bits, the choice stays."""
    bits = stable_bits(scores)
    best = max(scores)
    assert (bits is None) == (len(scores) > 1 and scores.count(best) > 1)
    if bits is not None and len(scores) > 1:
        moved = [score + rng.randint(-bits, bits) for score in scores]
        assert cv.earliest_max(moved) == scores.index(best)

        def lead(wrong: int) -> int:
            """Of the source's choice over the others, when all bits that may be wrong are against it."""
            rest = [score + wrong for score in scores if score != best]
            return best - wrong - max(rest)

        assert lead(bits) > 0 >= lead(bits + 1)


def test_nothing_to_choose_is_not_stable():
    assert stable_bits([]) is None
    assert stable_bits([3]) == 6


def test_equal_signatures_carry_the_verdict_over():
    agreed = differ = 0
    for seed in range(300):
        rng = Random(f"signature {seed}")
        graph, source = random_dag(rng, 5, 0.4), random_dag(rng, 5, 0.4)
        x, y, *others = rng.sample(graph.nodes, 4)
        query = cv.Query("backdoor", (x, y))
        if signatures_agree(graph, source, x, y, others):
            agreed += 1
            assert cv.check(graph, query, others).valid == cv.check(source, query, others).valid
        else:
            differ += 1
    assert min(agreed, differ) > 50


def test_edge_f1_says_nothing_about_the_signature():
    """The two constructions of the paper's proposition."""
    pairs = [(f"A{i}", f"B{i}") for i in range(9)]
    graph = cv.Graph.parse("X -> Y, " + ", ".join(f"{a} -> {b}" for a, b in pairs))
    turned = cv.Graph.parse("X -> Y, " + ", ".join(f"{b} -> {a}" for a, b in pairs))
    assert signatures_agree(turned, graph, "X", "Y", [])
    source = cv.Graph.parse("W -> X, W -> Y, X -> Y, " + ", ".join(f"{a} -> {b}" for a, b in pairs))
    cut = cv.Graph.parse("W -> X, Y, X -> Y, " + ", ".join(f"{a} -> {b}" for a, b in pairs))
    assert not signatures_agree(cut, source, "X", "Y", [])


def test_an_unknown_name_is_a_disagreement():
    graph = cv.Graph.parse("X -> Y")
    assert not signatures_agree(graph, cv.Graph.parse("X -> Y, Z"), "X", "Y", ["Z"])
