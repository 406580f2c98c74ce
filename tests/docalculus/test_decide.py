"""The engines together, and each alone: none accepts what is wrong, and where two disagree nothing is accepted."""

from random import Random

import pytest

from calverify.docalculus import (
    EXAMPLES,
    NOT_IDENTIFIABLE,
    Agreement,
    Disagreement,
    Effect,
    Estimand,
    _decide,
    decide,
    opinions,
    read_expression,
)
from calverify.docalculus._expression import has_do, parts
from calverify.errors import BudgetError, ExpressionError
from calverify.graphs import Graph
from tests.docalculus.pairs import random_pair
from tests.oracles.do_models import do_model
from tests.oracles.expressions import same_where_defined

FORK = Graph.parse("U -> X, U -> Y, X -> Y")
EFFECT = Effect(FORK, frozenset({"X"}), frozenset({"Y"}))
CASES = pytest.mark.parametrize("count", [60, pytest.param(5_000, marks=pytest.mark.property)])


def drawn(rng: Random):
    """A graph, an effect in it and an expression without do: often right, often nearly right."""
    while True:
        graph, start, goal = random_pair(rng)
        if (
            has_do(goal)
            or not getattr(start, "do", ())
            or any(one.value is not None or one.copy for one in start.variables)
        ):
            continue
        lists = (start.do, start.of, start.given)
        return Effect(graph, *(frozenset(one.name for one in some) for some in lists)), goal


def is_right(effect, expression) -> bool:
    """By brute force on two models with explicit latents."""
    return all(
        same_where_defined(expression, effect.target, do_model(effect.graph, seed, 2 + seed)) for seed in range(2)
    )


@CASES
def test_every_engine_alone_is_sound_and_none_contradicts_another(count):
    rng = Random("opinions")
    said = {"prove": 0, "identify": 0, "refute": 0, "right": 0, "disagreements": 0, "without a value": 0}
    for _ in range(count):
        effect, expression = drawn(rng)
        try:
            views = opinions(effect, expression)
        except ExpressionError:
            said["without a value"] += 1
            continue
        right = is_right(effect, _decide.generalised(expression, effect))
        said["right"] += right
        for engine, view in views.items():
            if view is not None:
                said[engine] += view is right
                assert view is right, (engine, effect.graph, str(effect), expression)
        said["disagreements"] += len({view for view in views.values() if view is not None}) > 1
        assert decide(effect, expression).accepted is right
    print(said)
    assert said["disagreements"] == 0
    assert said["right"] > count / 10
    assert said["prove"] > said["right"] * 0.9


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_engines_agree_on_every_named_example(example):
    effect = Effect(example.graph, *map(frozenset, (example.treatments, example.outcomes, example.given)))
    if example.estimand is None:
        assert decide(effect, NOT_IDENTIFIABLE).accepted
        return
    views = opinions(effect, read_expression(example.estimand, example.graph.nodes))
    assert views == {"prove": True, "identify": True, "refute": True}
    assert not decide(effect, NOT_IDENTIFIABLE).accepted


WRONG = [  # what the published prover accepts, and the like
    ("the outcome at a value, given the treatment", "P(Y=1 | X)"),
    ("the outcome at a value", "P(Y=1)"),
    ("the outcome", "P(Y)"),
    ("what is seen", "P(Y | X)"),
    ("a stratum", "P(Y | X, U)"),
    ("two values of one variable", "P(Y=1 | X=0) + P(Y=0 | X=1)"),
]


@pytest.mark.parametrize("text", [row[1] for row in WRONG], ids=[row[0] for row in WRONG])
def test_what_is_wrong_is_refused_with_a_model(text):
    decision = decide(EFFECT, read_expression(text, FORK.nodes))
    assert not decision.accepted
    assert decision.witness["kind"] == "counter_model"
    assert decision.witness["candidate_value"] != decision.witness["target_value"]


def test_given_the_confounder_seeing_is_doing():
    effect = Effect(FORK, frozenset({"X"}), frozenset({"Y"}), frozenset({"U"}))
    assert decide(effect, read_expression("P(Y | X, U)", FORK.nodes)).accepted


class TestDisagreements:
    """Each is made by an engine that is broken on purpose; none is ever a pass."""

    right = read_expression("sum_{U} P(Y | X, U) P(U)", FORK.nodes)
    wrong = read_expression("P(Y | X)", FORK.nodes)

    def test_a_blind_refuter_and_a_hedge(self, monkeypatch):
        effect = Effect(Graph.parse("X -> Y, X <-> Y"), frozenset({"X"}), frozenset({"Y"}))
        monkeypatch.setattr(_decide, "refute", lambda *asked, **more: AGREED)
        with pytest.raises(Disagreement, match=r"engines disagree .*X <-> Y.*candidate P\(Y \| X\)"):
            decide(effect, self.wrong)

    def test_a_refuter_that_refutes_what_is_identified(self, monkeypatch):
        counter = _decide.refute(FORK, self.wrong, EFFECT.target)
        monkeypatch.setattr(_decide, "refute", lambda *asked, **more: counter)
        with pytest.raises(Disagreement, match="identify derives it, and a model refutes it"):
            decide(Effect(FORK, frozenset({"X"}), frozenset({"Y"})), self.right)

    def test_an_identifier_that_is_wrong(self, monkeypatch):
        monkeypatch.setattr(_decide, "identify", lambda *asked: Estimand(self.wrong, ()))
        with pytest.raises(Disagreement, match=r"identify gives P\(Y \| X\)"):
            decide(Effect(FORK, frozenset({"X"}), frozenset({"Y"})), self.right)

    def test_it_leaves_the_question_undetermined(self):
        assert issubclass(Disagreement, BudgetError)


AGREED = _decide.refute(FORK, TestDisagreements.right, EFFECT.target)


def test_agreement_is_told_with_its_chance_of_error():
    assert isinstance(AGREED, Agreement)
    witness = decide(EFFECT, TestDisagreements.right).witness
    assert witness["agreement"]["bits"] >= 40


def test_a_value_that_stands_everywhere_is_read_as_any_value():
    for text in ("sum_{U} P(Y=1 | X=0, U) P(U)", "sum_{U} P(Y=0 | X, U) P(U)"):
        assert decide(EFFECT, read_expression(text, FORK.nodes)).accepted
    mixed = "sum_{U} P(Y=1 | X=0, U) P(U) + sum_{U} P(Y=1 | X=1, U) P(U)"
    assert not decide(EFFECT, read_expression(mixed, FORK.nodes)).accepted


def test_expressions_have_no_do_and_only_names_of_the_graph():
    for text, kind in (("P(Y | do(X))", "interventional"), ("P(Y | Q)", "unknown")):
        assert decide(EFFECT, read_expression(text)).witness["kind"] == kind


def test_what_is_drawn_is_of_many_kinds():
    rng = Random("kinds")
    goals = [drawn(rng)[1] for _ in range(200)]
    kinds = {type(part).__name__ for goal in goals for part in (goal, *parts(goal))}
    assert {"Probability", "Product", "Sum", "Quotient"} <= kinds
