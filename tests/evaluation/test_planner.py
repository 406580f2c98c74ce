"""The planner: exact up to the pilot's own candidates, and within its band beyond."""

from fractions import Fraction
from random import Random

import pytest

import calverify as cv
from calverify.evaluation import expected_choice, plan, weighted_law
from calverify.keys import Key
from calverify.sampling import SimulatedPolicy
from calverify.tasks import faultless_trace, find_task
from tests.evaluation.studies import GRAPH, QUERY, by_hand, problems, study
from tests.oracles import first_index
from tests.sheets import read_sheet

PROBLEM = cv.Problem("p", QUERY, GRAPH)
UNEVEN = (Fraction(1, 2), Fraction(1, 10), Fraction(9, 10))
ERRORS = (Fraction(3, 4), Fraction(1, 4))


@pytest.mark.parametrize("seed", range(20))
def test_the_mean_over_subsets_is_exact(seed):
    rng = Random(seed)
    drawn = [(rng.choice((None, 0, 3, 5, 6)), rng.random() < 0.5) for _ in range(rng.randint(1, 5))]
    for k in range(1, len(drawn) + 1):
        assert expected_choice(drawn, k) == first_index.chosen(drawn, k)
    for k in (0, len(drawn) + 1):
        with pytest.raises(cv.CalverifyError, match=f"no subsets of {k}"):
            expected_choice(drawn, k)


def truth(policy: SimulatedPolicy, count: int, ks: tuple[int, ...]) -> list[float]:
    """The accuracy that the checker has on these problems: each problem's own law, averaged."""
    checker = cv.Checker(PROBLEM)
    curves = {}
    for problem in problems(count).values():
        if policy.chance(problem) not in curves:
            rows = [(checker(one.text), one) for one in policy.kinds(problem)]
            law = weighted_law((v.score if v.admissible else None, one.right, one.mass) for v, one in rows)
            curves[policy.chance(problem)] = [law.accuracy(k) for k in ks]
    each = [curves[policy.chance(problem)] for problem in problems(count).values()]
    return [float(sum(column) / count) for column in zip(*each, strict=True)]


def test_within_the_pilot_nothing_is_assumed():
    """At k the point is the mean over problems of the exact mean over their subsets, seeds together."""
    found = study(SimulatedPolicy(right=UNEVEN), 12, 4, seeds=2, selectors=["calver"])
    points = plan(found, (1, 3, 8), draws=20).points
    drawn: dict[str, list] = {}
    for unit in found.units:
        scores = [v.score if v.admissible else None for v in unit.verdicts]
        drawn.setdefault(unit.problem, []).extend(zip(scores, unit.correct, strict=True))
    for point in points:
        expected = sum(expected_choice(some, point.k) for some in drawn.values()) / len(drawn)
        assert point.accuracy.point == pytest.approx(float(expected))
        assert not point.extrapolated
        assert (point.accuracy.clusters, point.accuracy.units, point.accuracy.draws) == (12, 24, 20)
    assert plan(found, (8, 9), draws=5).points[1].extrapolated


def test_a_problem_counts_as_often_as_it_has_pools():
    """Accuracy is a share of units: a problem with three seeds weighs three times one with a single seed."""
    policy = SimulatedPolicy(right=(Fraction(0), Fraction(1)), malformed=Fraction(0))
    whole = study(policy, 2, 2, seeds=3)
    (easy,) = (name for name, problem in whole.problems.items() if policy.chance(problem) == 1)
    found = whole.only(unit for unit in whole.units if unit.problem == easy or unit.seed == 0)
    assert found.right("calver") == tuple(unit.problem == easy for unit in found.units)
    assert [point.accuracy.point for point in plan(found, (1, 2), draws=5).points] == [0.75, 0.75]


def test_one_law_for_all_would_promise_too_much():
    """Half of the problems are hopeless: the pooled law tends to 1, the plan does not go beyond what is open."""
    policy = SimulatedPolicy(right=(Fraction(0), Fraction(1, 2)), malformed=Fraction(0))
    found = plan(study(policy, 60, 8, seeds=3, selectors=["calver"]), (32,), draws=50)
    expected = truth(policy, 60, (32,))[0]
    assert float(found.law.accuracy(32)) > 0.99
    assert 0.3 < expected < 0.7
    assert found.points[0].accuracy.point == pytest.approx(expected, abs=0.05)


def test_an_inversion_is_told():
    """A misreading by the book scores 6 and is wrong; a torn trace that reads the text well scores 5 and is right."""
    tale = cv.Problem("p", QUERY, None, "A tale.", legend=GRAPH.nodes, graph_class="dag")
    misread = cv.Graph.parse("M -> X, M -> Y, U, A, B, C")
    trap, good = (
        faultless_trace(find_task("backdoor").case(graph, QUERY), frozenset(name))
        for graph, name in ((misread, "M"), (GRAPH, "U"))
    )
    torn = read_sheet(good).but(derivation=[]).text()
    law = plan(by_hand(tale, [[torn, trap], [trap, torn]], Key("p", graph=GRAPH)), (1,), draws=5).law
    assert (law.scores, law.precisions) == ((5, 6), (1, 0))
    assert [(found.lower, found.higher) for found in law.inversions] == [(5, 6)]


def held(pilots: int, seeds: int, right: tuple[Fraction, ...]) -> int:
    """In how many pilots of 100 problems and 8 candidates a pool the band at K = 32 holds the truth."""
    hits = 0
    for seed in range(pilots):
        policy = SimulatedPolicy(seed=seed, right=right, wrong=ERRORS)
        found = plan(study(policy, 100, 8, seeds=seeds, selectors=["calver"]), (32,), draws=100).points[0]
        assert found.extrapolated is (seeds * 8 < 32)
        hits += found.accuracy.low <= truth(policy, 100, (32,))[0] <= found.accuracy.high
    return hits


def test_predicts_32_from_8():
    assert held(2, 1, UNEVEN) == 2


MIXES = [
    ("uneven", UNEVEN),
    ("rare", (Fraction(1, 20), Fraction(1, 50), Fraction(1, 5))),
    ("some hopeless", (Fraction(0), Fraction(1, 3))),
    ("a wide range", (Fraction(1, 100), Fraction(1, 30), Fraction(1, 10), Fraction(1, 4))),
]


@pytest.mark.property
@pytest.mark.parametrize("seeds", [1, 3])
@pytest.mark.parametrize("right", [row[1] for row in MIXES], ids=[row[0] for row in MIXES])
def test_the_band_at_32_holds_the_truth(right, seeds):
    assert held(10, seeds, right) >= 9


@pytest.mark.parametrize("ks, pools", [((0,), [["x"]]), ((1,), [])])
def test_a_plan_of_nothing_is_refused(ks, pools):
    with pytest.raises(cv.CalverifyError, match="a plan needs"):
        plan(by_hand(PROBLEM, pools), ks, draws=5)
