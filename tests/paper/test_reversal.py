"""Fragmentation: M valid answers share the mass ρ, one invalid answer has the rest.

Plurality turns to the invalid answer exactly when M > ρ/(1−ρ); the checker returns a valid answer wherever one is.
"""

from fractions import Fraction
from itertools import combinations
from math import lcm

import pytest

import calverify as cv
from tests.sheets import sheet_of
from tests.views import view_of_verdicts

SPARE = "ABCD"
GRAPH = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, " + ", ".join(f"{name} -> Y" for name in SPARE))
PROBLEM = cv.Problem("r", cv.Query("backdoor", ("X", "Y")), GRAPH)
VALID = [frozenset({"U", *chosen}) for size in range(5) for chosen in combinations(SPARE, size)]  # 16 of them
INVALID = frozenset({"M"})
VERDICTS = {names: cv.verify(PROBLEM, sheet_of(PROBLEM, names).text()) for names in (*VALID, INVALID)}

RHOS = [
    Fraction(*parts) for parts in ((1, 10), (1, 4), (1, 3), (1, 2), (3, 5), (2, 3), (3, 4), (4, 5), (9, 10), (15, 16))
]
PAIRS = [(rho, m) for rho in RHOS for m in (1, 2, 3, 4, 5, 8, 15, 16)]


def pool(rho: Fraction, m: int, invalid_first: bool) -> list[frozenset[str]]:
    """A pool with exactly these proportions: each valid answer ρ/M of it, the invalid one 1−ρ."""
    each, rest = rho / m, 1 - rho
    size = lcm(each.denominator, rest.denominator)
    valid = [names for names in VALID[:m] for _ in range(int(each * size))]
    invalid = [INVALID] * int(rest * size)
    assert len(valid) + len(invalid) == size
    return invalid + valid if invalid_first else valid + invalid


def test_the_valid_answers_are_valid_and_distinct():
    assert len(set(VALID)) == 16
    assert [VERDICTS[names].score for names in VALID] == [6] * 16
    assert VERDICTS[INVALID].score == 3


@pytest.mark.parametrize("rho, m", PAIRS)
def test_plurality_turns_when_there_are_more_valid_answers_than_that(rho, m):
    turned = m > rho / (1 - rho)
    for invalid_first in (False, True):
        names = pool(rho, m, invalid_first)
        verdicts = [VERDICTS[each] for each in names]
        picked = names[cv.earliest_max(cv.plurality(view_of_verdicts(PROBLEM, verdicts)))]
        tie = m == rho / (1 - rho)  # at equality the earliest first occurrence decides
        assert (picked == INVALID) is (turned or (tie and invalid_first))


@pytest.mark.parametrize("rho, m", PAIRS)
def test_the_checker_returns_a_valid_answer_wherever_there_is_one(rho, m):
    for invalid_first in (False, True):
        names = pool(rho, m, invalid_first)
        index = cv.earliest_max([VERDICTS[each].score for each in names])
        assert index == next(i for i, each in enumerate(names) if each in VALID)


def test_the_papers_own_numbers():
    """ρ = 0.6 over M = 4 answers: 0.15 each against 0.4, and 4 > 0.6/0.4."""
    rho, m = Fraction("0.6"), 4
    assert rho / m == Fraction("0.15")
    assert m > rho / (1 - rho) == Fraction(3, 2)
    names = pool(rho, m, invalid_first=False)
    assert [names.count(each) for each in (*VALID[:4], INVALID)] == [3, 3, 3, 3, 8]
    choice = cv.select(PROBLEM, [sheet_of(PROBLEM, each).text() for each in names])
    assert cv.choose(view_of_verdicts(PROBLEM, choice.verdicts), "plurality").answer == ["M"]
    assert choice.index == 0
    assert frozenset(choice.answer) in VALID


def test_one_valid_answer_wins_the_vote_by_its_mass():
    """With a single valid answer nothing is fragmented: the vote is right exactly when ρ > 1/2."""
    for rho in RHOS:
        names = pool(rho, 1, invalid_first=True)
        view = view_of_verdicts(PROBLEM, [VERDICTS[each] for each in names])
        picked = names[cv.choose(view, "plurality").index]
        assert (picked != INVALID) is (rho > Fraction(1, 2))
