"""Every function of the room against full enumeration, with zero error, on random models."""

from fractions import Fraction
from random import Random

import pytest

from calverify.effects import (
    SCM,
    ate,
    ett,
    interventional,
    natural_direct,
    natural_indirect,
    necessity,
    necessity_bounds,
    probability,
    psi,
    psi_strata,
)
from calverify.errors import QueryError
from tests.oracles import worlds as oracle


def models(seeds, states):
    """(rng, world, model) of 2 to 6 variables, some with certainties; of 2 to 5 where there are more states."""
    for seed in seeds:
        rng = Random(f"{seed} {states}")
        count = rng.randint(2, 6 if states == 2 else 5)
        zeros = rng.choice((0.0, 0.0, 0.3))
        world = oracle.random_world(rng, count, rng.choice((0.3, 0.5, 0.8)), rng.randint(1, 4), states, zeros)
        yield rng, world, SCM.from_json(oracle.as_record(world))


def agree(rng, world, scm):
    x, y, *rest = rng.sample(sorted(world), len(world))
    _, states, _ = world[x]
    arms = tuple(rng.sample(states, 2))
    event = tuple(sorted(rng.sample(world[y][1], rng.randint(1, len(world[y][1])))))
    agree_on_chances(rng, world, scm)
    assert ate(scm, x, y, arms=arms, event=event) == oracle.effect(world, x, y, arms, event)
    z = rng.sample(rest, rng.randint(0, len(rest)))
    value, rows = oracle.adjusted(world, x, y, sorted(z), arms, event)
    found = psi(scm, x, y, [*z, x, y], arms=arms, event=event)
    assert found.value == value
    assert (found.gap is None) == (value is not None)
    assert found.adjustment == tuple(sorted(z))
    strata = psi_strata(scm, x, y, z, arms=arms, event=event)
    assert [(tuple(s for _, s in each.given), each.mass, each.treated, each.control) for each in strata] == rows
    assert all([name for name, _ in each.given] == sorted(z) for each in strata)
    if value is not None:
        assert sum((each.term for each in strata), Fraction(0)) == value
    else:
        assert gap_is_real(found, world, x)


def gap_is_real(found, world, x):
    """Does the named stratum occur, and never with the missing arm?"""
    at_gap = dict(found.gap.given)
    missing = found.arms[0] if found.gap.treated is None else found.arms[1]
    mass = oracle.chance(world, lambda at: all(at[n] == s for n, s in at_gap.items()))
    joint = oracle.chance(world, lambda at: at[x] == missing and all(at[n] == s for n, s in at_gap.items()))
    return mass == found.gap.mass > 0 == joint and missing in found.why and found.gap.named in found.why


def agree_on_chances(rng, world, scm):
    """P(event | given) and P(event | do, given), with overlaps of all three."""

    def draw(most, whole=True):
        names = rng.sample(sorted(world), rng.randint(0, min(most, len(world))))
        return {n: set(rng.sample(world[n][1], rng.randint(1, len(world[n][1]) if whole else 1))) for n in names}

    def holds(event):
        return lambda at: all(at[name] in states for name, states in event.items())

    event, given = draw(3), draw(2)
    do = {name: min(states) for name, states in draw(2, whole=False).items()}
    for setting in ({}, do):
        below = oracle.chance(world, holds(given), setting)
        both = oracle.chance(world, lambda at: holds(event)(at) and holds(given)(at), setting)
        if below:
            assert interventional(scm, event, setting, given) == both / below
        else:
            with pytest.raises(QueryError, match="probability zero"):
                interventional(scm, event, setting, given)
    assert probability(scm, event) == oracle.chance(world, holds(event))


@pytest.mark.parametrize("states", [2, 4])
def test_agreement(states):
    for case in models(range(100), states):
        agree(*case)


@pytest.mark.property
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("states", [2, 4])
def test_agreement_at_length(states, part):
    for case in models(range(100 + 150 * part, 250 + 150 * part), states):
        agree(*case)


# ---------------------------------------------------------------- counterfactuals


def small_worlds(seeds):
    """Binary worlds of 2 to 4 variables and at most 9 rows, whose unit types can be counted."""
    for seed in seeds:
        rng = Random(f"small {seed}")
        world = oracle.random_world(rng, rng.randint(2, 4), 0.6, rng.randint(1, 3), zeros=rng.choice((0.0, 0.0, 0.2)))
        if sum(len(table) for _, _, table in world.values()) <= 9:
            yield rng, world, SCM.from_json(oracle.as_record(world))


def agree_on_counterfactuals(rng, world, scm):
    x, y = rng.sample(sorted(world), 2)
    for together in (True, False):
        sums = oracle.counterfactual(world, x, y, together)
        assert natural_direct(scm, x, y) == sums["direct"]
        assert natural_indirect(scm, x, y) == sums["indirect"]
        if not sums["treated"]:
            with pytest.raises(QueryError, match="nobody is treated"):
                ett(scm, x, y)
            return
        assert ett(scm, x, y) == sums["ett"] / sums["treated"]
        if not sums["both"]:
            with pytest.raises(QueryError, match="there are none"):
                necessity_bounds(scm, x, y)
            return
        low, high = necessity_bounds(scm, x, y)
        assert (low, high) == tian_and_pearl(world, x, y)
        assert low <= sums["needed"] / sums["both"] <= high


def tian_and_pearl(world, x, y):
    """Their two bounds, term by term, from observations and experiments."""
    both = oracle.chance(world, lambda at: at[x] == at[y] == "1")
    seen = oracle.chance(world, lambda at: at[y] == "1")
    forced = oracle.chance(world, lambda at: at[y] == "1", {x: "0"})
    neither = oracle.chance(world, lambda at: at[x] == at[y] == "0")
    return max(Fraction(0), (seen - forced) / both), min(Fraction(1), (1 - forced - neither) / both)


def test_counterfactuals():
    for case in small_worlds(range(60)):
        agree_on_counterfactuals(*case)


@pytest.mark.property
def test_counterfactuals_at_length():
    for case in small_worlds(range(60, 1_000)):
        agree_on_counterfactuals(*case)


def test_necessity_of_a_treatment_that_never_prevents():
    """One draw decides each unit's answers, and Y's table rises with X: then the response is monotone."""
    checked = 0
    for rng, world, scm in small_worlds(range(400)):
        x, y = rng.sample(sorted(world), 2)
        parents, _, table = world[y]
        if x not in parents or any(x in world[p][0] for p in parents):
            continue
        at = parents.index(x)
        if any(row[at] == "0" and table[row]["1"] > table[(*row[:at], "1", *row[at + 1 :])]["1"] for row in table):
            continue
        sums = oracle.counterfactual(world, x, y, together=True)
        if sums["both"]:
            assert necessity(scm, x, y) == sums["needed"] / sums["both"]
            checked += 1
    assert checked >= 20


def test_necessity_without_confounding_is_the_excess_risk_ratio():
    scm = SCM.from_json({"variables": {"X": {"p": 0.4}, "Y": {"parents": ["X"], "p": [0.2, 0.5]}}})
    assert necessity(scm, "X", "Y") == Fraction(3, 5)
    assert necessity_bounds(scm, "X", "Y") == (Fraction(3, 5), Fraction(1))


def test_necessity_is_refused_where_the_tables_contradict_it():
    scm = SCM.from_json({"variables": {"X": {"p": 0.4}, "Y": {"parents": ["X"], "p": [0.5, 0.2]}}})
    with pytest.raises(QueryError, match="needs X never to prevent Y, and in this model it does: among X=1"):
        necessity(scm, "X", "Y")
    assert necessity_bounds(scm, "X", "Y") == (Fraction(0), Fraction(1))


def test_necessity_is_refused_where_only_the_controls_contradict_it():
    """U sorts units into treated ones whom X helps and controls whom it would harm."""
    table = [[0.9, 0.1], [0.2, 0.8]]
    rows = {"U": {"p": 0.5}, "X": {"parents": ["U"], "p": [0.1, 0.9]}, "Y": {"parents": ["X", "U"], "p": table}}
    scm = SCM.from_json({"variables": rows})
    with pytest.raises(QueryError, match="in this model it does: among X=0"):
        necessity(scm, "X", "Y")
