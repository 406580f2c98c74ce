"""Every step of every derivation, on random questions: an instance of its rule, and true in a model in fractions."""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calverify.docalculus._derivation import RULES
from calverify.docalculus._expression import Expression, Variable, free_variables, probability
from calverify.docalculus._identify import Estimand, identify
from calverify.docalculus._prove import Derivation, prove
from calverify.graphs import Graph
from tests.docalculus.derivations import check_derivation
from tests.docalculus.expressions import expressions
from tests.docalculus.pairs import after_steps, random_pair
from tests.oracles.do_models import do_model
from tests.oracles.expressions import Model, evaluate
from tests.strategies import admgs, random_admg

NAMES = ("A", "B", "C", "D")


def equal_in(model: Model, one: Expression, other: Expression, rng: Random) -> bool:
    """At up to eight points where both have a value."""
    free = sorted(free_variables(one) | free_variables(other))
    for _ in range(min(8, 2 ** len(free))):
        at = {variable: rng.randint(0, 1) for variable in free}
        values = evaluate(one, at, model), evaluate(other, at, model)
        if None not in values and values[0] != values[1]:
            return False
    return True


def is_sound(graph: Graph, found: Derivation, rng: Random) -> None:
    check_derivation(graph, json.loads(json.dumps(found.to_json())))
    model = do_model(graph, rng.random())
    for step in found.steps:
        assert equal_in(model, step.before, step.after, rng), (str(graph), str(step))
    assert equal_in(model, found.start, found.goal, rng), (str(graph), str(found))


@pytest.mark.parametrize("count", [150, pytest.param(5_000, marks=pytest.mark.property)])
def test_every_step_holds_in_a_random_model(count):
    rng = Random(47)
    seen: Counter[str] = Counter()
    for _ in range(count):
        graph, start, goal = random_pair(rng)
        found = prove(graph, start, goal)
        if isinstance(found, Derivation):
            is_sound(graph, found, rng)
            seen["derived"] += 1
            seen["long"] += len(found.steps) > 2
            seen.update({step.rule for step in found.steps})
        elif not equal_in(do_model(graph, rng.random(), 3), start, goal, rng):
            seen["refuted"] += 1
    assert seen["derived"] > count / 5
    assert seen["long"] > count / 12
    assert seen["refuted"] > count / 10
    rare = {RULES["cancel"], RULES["bayes"]}
    assert all(seen[rule] for rule in RULES.values() if rule not in rare or count > 1_000), seen


@settings(max_examples=60)
@given(admgs(max_nodes=4, min_nodes=4), expressions(NAMES, leaves=5), st.integers(0, 9_999))
def test_any_expression_is_answered(graph, start, seed):
    """Copies, values, nodes twice, sums in divisors: an answer always, and a right one."""
    rng = Random(seed)
    goal = after_steps(rng, graph, start)
    found = prove(graph, start, goal)
    if isinstance(found, Derivation):
        is_sound(graph, found, rng)
    assert isinstance(prove(graph, start, start), Derivation)


@pytest.mark.parametrize("count", [60, pytest.param(1_500, marks=pytest.mark.property)])
def test_what_the_id_algorithm_finds_is_derived(count):
    """Nearly always: the search is not complete, but this is what it is for."""
    rng = Random(53)
    asked = derived = 0
    while asked < count:
        graph = random_admg(rng, rng.randint(3, 6), rng.choice([0.3, 0.5]), rng.choice([0, 0.15, 0.3]))
        names = rng.sample(graph.nodes, 3)
        y, x, w = names[:1], names[1 : 2 + rng.randint(0, 1)], names[2:] if rng.random() < 0.3 else []
        w = [name for name in w if name not in x]
        found = identify(graph, y, x, w)
        if isinstance(found, Estimand) and set(x) & graph.ancestors(y):
            asked += 1
            target = probability(map(Variable, y), map(Variable, x), map(Variable, w))
            proof = prove(graph, target, found.expression)
            if isinstance(proof, Derivation):
                derived += 1
                check_derivation(graph, proof.to_json())
    assert derived >= 0.98 * count
