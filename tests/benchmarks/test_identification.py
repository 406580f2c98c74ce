"""The generated corpus: its counts, its gate, and that it is the same everywhere."""

from collections import Counter
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS, identification
from calverify.benchmarks.identification import COUNTS, SLICES, Idea, gate
from calverify.docalculus import Effect, _decide, decide, opinions, read_expression
from tests.benchmarks.digests import digest
from tests.oracles.do_models import do_model
from tests.oracles.expressions import same_where_defined
from tests.sheets import sheet_of

GRAPH = cv.Graph.parse("Z -> X, Z -> Y, X -> Y")


@pytest.fixture(scope="module")
def built():
    """The corpus, and the ideas that passed the gate."""
    kept = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identification, "gate", lambda idea: gate(idea) or kept.append(idea))
        return BENCHMARKS["identification"].build(Random("identification 0")), kept


@pytest.fixture(scope="module")
def corpus(built):
    return built[0]


def test_there_are_240_items_in_three_slices(corpus):
    assert len(corpus.items) == 240
    assert Counter(item.key.strata["slice"] for item in corpus.items) == COUNTS
    assert dict(COUNTS) == {"mediator_trap": 79, "unconfounded": 84, "confounded": 77}
    assert len({item.problem.id for item in corpus.items}) == 240


def test_what_fails_the_gate_is_counted(corpus):
    """And so is, though it is zero, how often the engines contradicted each other."""
    assert {slice for slice, _ in corpus.dropped} == set(COUNTS)
    assert all((count > 0) is (why != "the engines disagree") for (_, why), count in corpus.dropped.items())
    assert sum(why == "the engines disagree" for _, why in corpus.dropped) == 3


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


def test_the_engines_agree_on_both_candidates_of_every_item(built):
    _, kept = built
    views = Counter()
    assert len(kept) == 240
    for idea in kept:
        effect = Effect(idea.graph, frozenset({idea.treatment}), frozenset({idea.outcome}))
        for text in (idea.intended, idea.distractor):
            views[tuple(opinions(effect, read_expression(text, idea.graph.nodes)).values())] += 1
    disagreements = sum(count for view, count in views.items() if {True, False} <= set(view))
    print(f"the engines disagree on {disagreements} of {views.total()} candidates")
    assert disagreements == 0
    assert views == {(True, True, True): 240, (None, False, False): 240}


def test_an_idea_on_which_the_engines_disagree_is_dropped_and_counted(monkeypatch):
    """Made by an engine that is broken on purpose: it refutes everything."""
    effect = Effect(GRAPH, frozenset({"X"}), frozenset({"Y"}))
    counter = _decide.refute(GRAPH, read_expression("P(Y|X)", GRAPH.nodes), effect.target)
    monkeypatch.setattr(_decide, "refute", lambda *asked, **more: counter)
    idea = Idea("confounded", GRAPH, "X", "Y", "sum_{Z} P(Y|X,Z) P(Z)", "P(Y|X)")
    assert gate(idea) == "the engines disagree"


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
