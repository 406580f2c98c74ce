"""The meter: masses, regimes, repairs and losses, and the sentence that says whether checking can help."""

from fractions import Fraction

import pytest

import calverify as cv
from calverify.evaluation import STRATA, contrasts, decompose, mass_of, meter
from calverify.sampling import SimulatedPolicy
from tests.evaluation.studies import GRAPH, QUERY, by_hand, study
from tests.sheets import ABSENT, sheet_of

PROBLEM = cv.Problem("p", QUERY, GRAPH)
TEXTS = {names: sheet_of(PROBLEM, frozenset(names)).text() for names in ("U", "UA", "UB", "M", "X", "")}
UNREAD = "no answer at all"

POOLS = [
    ("fragmented", ["M", "M", "U", "UA", "UB"], "fails", True, (2, 5), (1, 5), 3),
    ("outvoted outright", ["M", "M", "M", "U", "UA"], "fails", False, (3, 5), (1, 5), 2),
    ("two wrong ones lead", ["M", "M", "X", "X", "U"], "fails", False, (2, 5), (1, 5), 1),
    ("a valid one leads", ["U", "U", "M"], "holds", False, (1, 3), (2, 3), 1),
    ("side by side", ["M", "U"], "tied", False, (1, 2), (1, 2), 1),
    ("nothing valid", ["M", "X"], "none", False, (1, 2), (0, 1), 0),
    ("the unreadable do not vote", ["M", UNREAD, UNREAD], "none", False, (1, 1), (0, 1), 0),
    ("nobody votes", [UNREAD], "none", False, (0, 1), (0, 1), 0),
]


@pytest.mark.parametrize(
    "names, regime, fragmented, invalid, valid, answers", [row[1:] for row in POOLS], ids=[row[0] for row in POOLS]
)
def test_masses(names, regime, fragmented, invalid, valid, answers):
    found = by_hand(PROBLEM, [[TEXTS.get(name, name) for name in names]])
    (unit,) = found.units
    mass = mass_of(found.view(unit), unit)
    assert (mass.regime, mass.fragmented, mass.valid_answers) == (regime, fragmented, answers)
    assert (mass.strongest_invalid, mass.strongest_valid) == (Fraction(*invalid), Fraction(*valid))
    if regime == "fails":
        assert not unit.right("plurality")
    if regime == "holds":
        assert unit.right("plurality")


def test_strata_are_a_partition_of_the_pools_with_headroom():
    found = study(SimulatedPolicy(right=(Fraction(1, 2), Fraction(1, 10))), 40, 8)
    rows = contrasts(found)
    assert len(rows) == sum(unit.covered for unit in found.units)
    first, second, whole = decompose(rows)
    assert first.base_right == 0
    assert (first.name, second.name) == STRATA
    for field in ("units", "base_right", "other_right", "repairs", "losses"):
        assert getattr(first, field) + getattr(second, field) == getattr(whole, field)
    assert whole.gain == Fraction(whole.other_right - whole.base_right, whole.units)
    assert whole.repairs - whole.losses == whole.other_right - whole.base_right > 0


def test_an_empty_stratum_gains_nothing():
    assert [part.gain for part in decompose([(STRATA[1], True, False)])] == [0, -1, -1]
    with pytest.raises(cv.CalverifyError, match="no stratum is called 'elsewhere'"):
        decompose([("elsewhere", True, True)])


def test_checking_can_help():
    said = meter(study(SimulatedPolicy(right=(Fraction(1, 2),), spread=8), 30, 8), draws=500)
    assert said.gain_expected
    assert said.sentence.startswith("checking can help: up to ")
    assert said.most_valid_answers > 1
    assert sum(said.regimes.values()) == 30
    assert said.regimes["fails"] >= said.fragmented > 0


NO_GAIN = [
    ("nobody is right", [["M", "X"], ["M"]], "no pool holds a right answer"),
    ("one valid answer that wins every vote", [["U", "U", "M"], ["U"]], "plurality is right wherever any candidate is"),
]


@pytest.mark.parametrize("pools, why", [row[1:] for row in NO_GAIN], ids=[row[0] for row in NO_GAIN])
def test_no_gain_is_said(pools, why):
    said = meter(by_hand(PROBLEM, [[TEXTS[name] for name in pool] for pool in pools]), draws=100)
    assert (said.gain_expected, said.sentence) == (False, f"no gain expected: {why}")


def test_one_valid_answer_a_problem_that_the_policy_mostly_finds():
    """Nothing is split, and what is right is the mode: voting has lost nothing to recover."""
    said = meter(study(SimulatedPolicy(right=(Fraction(49, 50),), spread=1, malformed=Fraction(0)), 30, 8), draws=500)
    assert not said.gain_expected
    assert said.most_valid_answers == 1


def test_one_valid_answer_that_is_outvoted_can_still_be_found():
    said = meter(study(SimulatedPolicy(right=(Fraction(1, 3),), spread=1), 30, 8), draws=500)
    assert said.gain_expected
    assert "nothing is fragmented: no pool holds two valid answers" in said.sentence
    assert said.fragmented == 0


def test_a_score_that_tells_nothing_promises_nothing():
    """A right answer in a trace that leaves half of its slots out earns the three bits of a wrong one by the book."""
    sheet = sheet_of(PROBLEM, frozenset("U"))
    right = sheet.but(strategy=ABSENT, result=ABSENT, answer=ABSENT).text()
    found = by_hand(PROBLEM, [[TEXTS["M"], TEXTS["M"], right]] * 9)
    assert {verdict.score for unit in found.units for verdict in unit.verdicts} == {3}
    assert all(unit.covered for unit in found.units)
    said = meter(found, draws=100)
    assert said.told is not None
    assert said.told.point == 0.5
    assert said.sentence.endswith("the checker's score does not tell right candidates from wrong ones")


def test_a_study_of_nothing_is_refused():
    with pytest.raises(cv.CalverifyError, match="without pools"):
        meter(by_hand(PROBLEM, []))
