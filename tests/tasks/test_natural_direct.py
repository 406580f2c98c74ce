"""natural_direct: against counted unit types; the stated mediators catch every indirect path."""

import pytest

import calverify as cv
from calverify.names import number_json
from tests.numeric_tasks import agrees, random_model, written
from tests.oracles import criteria
from tests.oracles.paths import subsets
from tests.oracles.worlds import counterfactual
from tests.sheets import bits


@pytest.mark.parametrize("seed", range(10))
def test_against_unit_types(seed):
    rng, world, scm = random_model(seed, most=4)
    x, y = rng.sample(sorted(world), 2)
    truth = counterfactual(world, x, y, together=False)["direct"]
    agrees(cv.Query("natural_direct", (x, y)), scm, truth)
    agrees(cv.Query("natural_direct", (x, y), formula=((y, "0"),)), scm, -truth)


@pytest.mark.parametrize("seed", range(10))
def test_which_sets_are_mediators(seed):
    """Every directed path but the edge itself meets the set, and each member lies on one: by listing the paths."""
    rng, world, scm = random_model(seed, most=5)
    x, y = rng.sample(sorted(world), 2)
    problem = cv.Problem("p", cv.Query("natural_direct", (x, y)), scm=scm)
    truth = cv.find_task("natural_direct").case(scm, problem.query).state.truth()
    word = "yes" if truth > 0 else "no"
    paths = [set(path[1:-1]) for path in criteria.chains(scm.graph, x, y) if len(path) > 2]
    for names in subsets(scm.graph.nodes):
        right = all(path & names for path in paths) and all(any(name in path for path in paths) for name in names)
        found = cv.verify(problem, written(problem, sorted(names), number_json(truth), word))
        assert bits(found) == ("111111" if right else "110101"), (names, found.why)
