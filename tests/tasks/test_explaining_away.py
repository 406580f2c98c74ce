"""explaining_away: what a cause adds to what the common effect says, against enumeration."""

import pytest

import calverify as cv
from tests.numeric_tasks import agrees, random_model, seen


@pytest.mark.parametrize("seed", range(12))
def test_against_enumeration(seed):
    rng, world, scm = random_model(seed)
    x, y, c = rng.sample(sorted(world), 3)
    state = rng.choice("01")
    truth = seen(world, {y: state}, {x: "1", c: "1"}) - seen(world, {y: state}, {c: "1"})
    agrees(cv.Query("explaining_away", (x, y), given=(c,), formula=((y, state),)), scm, truth)


def test_the_common_effect_must_be_named():
    _, world, scm = random_model("none")
    query = cv.Query("explaining_away", tuple(sorted(world))[:2])
    with pytest.raises(cv.QueryError, match="must name the common effect"):
        cv.verify(cv.Problem("p", query, scm=scm), "ANSWER: yes")
