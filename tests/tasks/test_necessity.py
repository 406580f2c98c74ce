"""necessity: among monotone models, against counted unit types; refused where the treatment does prevent."""

import pytest

import calverify as cv
from calverify.effects import SCM
from tests.numeric_tasks import agrees, ordered, random_model
from tests.oracles import worlds


@pytest.mark.parametrize("seed", range(30))
def test_against_unit_types(seed):
    """Units as monotone as the tables allow: where nobody's outcome is prevented, the number is their share."""
    rng, world, scm = random_model(seed, most=4)
    x, y = ordered(rng, scm)
    sums = worlds.counterfactual(world, x, y, together=True)
    query = cv.Query("necessity", (x, y), threshold="1/3")
    prevented = prevents(world, x, y)
    if not sums["both"]:
        return
    if prevented:
        return  # the tables may or may not show it
    agrees(query, scm, sums["needed"] / sums["both"])


def prevents(world, x, y):
    """Is there a unit with the outcome under control and without it under treatment?"""
    order = worlds.causal_order(world)
    for unit, mass in worlds.responses(world, True):
        if mass:
            one, zero = (
                worlds.outcome_of(world, unit, order, lambda p, c, arm=arm: arm if p == x else None) for arm in "10"
            )
            if one[y] == "0" and zero[y] == "1":
                return True
    return False


def test_some_of_those_models_are_monotone():
    found = 0
    for seed in range(30):
        rng, world, scm = random_model(seed, most=4)
        x, y = ordered(rng, scm)
        found += not prevents(world, x, y)
    assert found >= 10


def test_a_treatment_that_prevents_is_refused():
    scm = SCM.from_json({"variables": {"X": {"p": 0.5}, "Y": {"parents": ["X"], "p": [0.9, 0.2]}}})
    with pytest.raises(cv.QueryError, match="never to prevent"):
        cv.verify(cv.Problem("p", cv.Query("necessity", ("X", "Y")), scm=scm), "ANSWER: yes")
