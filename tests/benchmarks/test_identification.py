"""The generated corpus: its counts, its gate, and that it is the same everywhere."""

from collections import Counter
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS
from calverify.benchmarks.identification import COUNTS, SLICES, Idea, gate
from calverify.docalculus import Effect, decide, opinions, read_expression
from tests.benchmarks.digests import digest
from tests.oracles.do_models import do_model
from tests.oracles.expressions import same_where_defined
from tests.sheets import sheet_of


@pytest.fixture(scope="module")
def corpus():
    return BENCHMARKS["identification"].build(Random("identification 0"))


def test_there_are_240_items_in_three_slices(corpus):
    assert len(corpus.items) == 240
    assert Counter(item.key.strata["slice"] for item in corpus.items) == COUNTS
    assert dict(COUNTS) == {"mediator_trap": 79, "unconfounded": 84, "confounded": 77}
    assert len({item.problem.id for item in corpus.items}) == 240


def test_what_fails_the_gate_is_counted(corpus):
    assert all(count > 0 for count in corpus.dropped.values())
    assert {slice for slice, _ in corpus.dropped} <= set(COUNTS)


def test_the_same_seed_gives_the_same_items_and_another_gives_others(corpus):
    assert digest(corpus) == "d2e432e7bad4c4cd"
    again, other = (BENCHMARKS["identification"].build(Random(f"identification {seed}")) for seed in (0, 1))
    assert again == corpus
    assert [item.problem.graph for item in other.items] != [item.problem.graph for item in corpus.items]


def test_no_problem_shows_the_key(corpus):
    for item in corpus.items:
        record = str(item.problem.to_json())
        assert item.key.published not in record
        assert item.key.strata["slice"] not in record


def test_the_engines_agree_on_every_intended_estimand(corpus):
    views = Counter()
    for item in corpus.items:
        graph, (treatment, outcome) = item.problem.graph, item.problem.query.targets
        effect = Effect(graph, frozenset({treatment}), frozenset({outcome}))
        views[tuple(opinions(effect, read_expression(item.key.published, graph.nodes)).values())] += 1
    assert views == {(True, True, True): 240}


def test_ideas_against_brute_force():
    """What the gate lets through has a right intended estimand and a wrong distractor, in enumerated models."""
    rng = Random("ideas")
    for _ in range(40):
        idea = SLICES[rng.choice(list(SLICES))](rng)
        effect = Effect(idea.graph, frozenset({idea.treatment}), frozenset({idea.outcome}))
        models = [do_model(idea.graph, seed) for seed in range(2)]
        right = [
            all(same_where_defined(read_expression(text, idea.graph.nodes), effect.target, model) for model in models)
            for text in (idea.intended, idea.distractor)
        ]
        assert (gate(idea) is None) is (right == [True, False])


GRAPH = cv.Graph.parse("Z -> X, Z -> Y, X -> Y")
GATED = [
    ("passes", "sum_{Z} P(Y|X,Z) P(Z)", "P(Y|X)", None),
    ("wrong intention", "P(Y|X)", "P(Y)", "the intended estimand is not derivable"),
    ("no trap", "sum_{Z} P(Y|X,Z) P(Z)", "sum_{Z} P(Z) P(Y|Z,X)", "the distractor is derivable"),
]


@pytest.mark.parametrize("intended, distractor, why", [row[1:] for row in GATED], ids=[row[0] for row in GATED])
def test_the_gate(intended, distractor, why):
    assert gate(Idea("confounded", GRAPH, "X", "Y", intended, distractor)) == why


def test_a_perfect_answer_scores_six_and_is_provable(corpus):
    item = corpus.items[100]
    case = cv.find_task("identification").answer.read(item.key.published, item.problem.graph.node_set, "answer")
    texts = ["no idea", sheet_of(item.problem, case).text()]
    assert cv.verify(item.problem, texts[1]).score == 6
    assert cv.select(item.problem, texts).index == 1
    assert decide(
        Effect(item.problem.graph, *(frozenset({name}) for name in item.problem.query.targets)), case
    ).accepted
