"""correlation: the difference that is seen, against enumeration."""

import pytest

import calverify as cv
from tests.numeric_tasks import agrees, random_model, seen


@pytest.mark.parametrize("seed", range(12))
def test_against_enumeration(seed):
    rng, world, scm = random_model(seed)
    x, y, c = rng.sample(sorted(world), 3)
    state, held = rng.choice("01"), rng.choice("01")
    for given in ({}, {c: held}):
        truth = seen(world, {y: state}, {x: "1", **given}) - seen(world, {y: state}, {x: "0", **given})
        query = cv.Query("correlation", (x, y), given=tuple(given), formula=((y, state), *given.items()))
        agrees(query, scm, truth)


def test_the_question():
    asked = cv.find_task("association").question(cv.Query("correlation", ("X", "Y"), formula=(("Y", "0"),)))
    assert "P(Y=0 | X=1) - P(Y=0 | X=0)" in asked
