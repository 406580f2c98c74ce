"""Is a proposed estimand the effect?  Items of the generated corpus, each with its intended estimand and distractor.

Ours is the whole decision, each candidate read from text and each effect new: random models modulo a prime, and the ID
algorithm.  The peer is the obvious brute force of our tests: two models with explicit latents, every row enumerated in
exact arithmetic; it decides the same on this corpus, but has no bound on its error and no reason to give.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

from bench.measure import OURS, Contest, Engine
from calverify.benchmarks.identification import COUNTS, SLICES, Idea, gate
from calverify.docalculus import Effect, decide, read_expression
from tests.oracles.do_models import do_model
from tests.oracles.expressions import same_where_defined

__all__ = ["identification_contests"]

Asked = tuple[Idea, str]


def identification_contests(share: float) -> Iterator[Contest]:
    rng = Random("bench")
    asked: list[Asked] = []
    for name, count in COUNTS.items():
        ideas = iter(lambda name=name: SLICES[name](rng), None)
        passed = (idea for idea in ideas if gate(idea) is None)
        for _ in range(max(2, int(count * share / 4))):
            idea = next(passed)
            asked += [(idea, idea.intended), (idea, idea.distractor)]
    engines = [
        Engine(OURS, partial(list, asked), _ours),
        Engine("brute force", partial(list, asked), _brute_force),
    ]
    yield Contest("identification", "a candidate of the corpus", len(asked), engines)


def _effect(idea: Idea) -> Effect:
    return Effect(idea.graph, frozenset({idea.treatment}), frozenset({idea.outcome}))


def _ours(work: Sequence[Asked]) -> Iterator[bool]:
    for idea, text in work:
        yield decide(_effect(idea), read_expression(text, idea.graph.nodes)).accepted


def _brute_force(work: Sequence[Asked]) -> Iterator[bool]:
    for idea, text in work:
        expression, target = read_expression(text, idea.graph.nodes), _effect(idea).target
        yield all(same_where_defined(expression, target, do_model(idea.graph, seed)) for seed in range(2))
