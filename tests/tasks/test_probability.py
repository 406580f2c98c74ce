"""probability: a marginal or a conditional, against enumeration; states by formula; the set is free."""

from fractions import Fraction

import pytest

import calverify as cv
from calverify.names import number_json
from tests.numeric_tasks import agrees, random_model, seen, written


@pytest.mark.parametrize("seed", range(12))
def test_against_enumeration(seed):
    rng, world, scm = random_model(seed)
    y, x, c = rng.sample(sorted(world), 3)
    threshold = Fraction(rng.randint(1, 9), 10)
    agrees(cv.Query("probability", (y,), threshold=threshold), scm, seen(world, {y: "1"}))
    states = {x: rng.choice("01"), c: rng.choice("01"), y: rng.choice("01")}
    truth = seen(world, {y: states[y]}, {x: states[x], c: states[c]})
    query = cv.Query("probability", (y,), given=(x, c), formula=tuple(states.items()), threshold=threshold)
    agrees(query, scm, truth)


def test_the_strategy_may_state_any_set_or_none():
    _, world, scm = random_model("free")
    name, *others = sorted(world)
    problem = cv.Problem("p", cv.Query("probability", (name,)), scm=scm)
    number = number_json(seen(world, {name: "1"}))
    for names in (None, [], others):
        assert cv.verify(problem, written(problem, names, number, "yes")).score == 6


def test_what_cannot_be_asked_is_refused():
    _, world, scm = random_model("refused")
    one, other, *_ = sorted(world)
    rows = [
        (cv.Query("probability", (one, other)), "takes 1 target"),
        (cv.Query("probability", (one,), given=(one,)), "a name stands twice"),
        (cv.Query("probability", (one,), formula=((one, "2"),)), "the state '2'"),
        (cv.Query("probability", (one,), formula=((other, "1"),)), "gives"),
        (cv.Query("probability", (one,), tolerance=-1), "negative"),
    ]
    for query, why in rows:
        with pytest.raises(cv.QueryError, match=why):
            cv.verify(cv.Problem("p", query, scm=scm), "ANSWER: yes")


def test_a_condition_that_never_occurs_is_refused():
    scm = cv.Problem.from_json(
        {"id": "p", "query": {"task": "probability", "targets": ["Y"]},
         "scm": {"variables": {"X": {"p": 0}, "Y": {"parents": ["X"], "p": [0.5, 0.6]}}}}
    ).scm  # fmt: skip
    with pytest.raises(cv.QueryError, match="has probability zero"):
        cv.verify(cv.Problem("p", cv.Query("probability", ("Y",), given=("X",)), scm=scm), "ANSWER: yes")


def test_the_question():
    query = cv.Query("probability", ("Y",), given=("X",), formula=(("X", "0"),), threshold="1/2")
    assert cv.find_task("marginal").question(query).startswith("Is P(Y=1 | X=0) greater than 0.5?")
