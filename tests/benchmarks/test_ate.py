"""The generated questions about numbers of models: every number again by enumeration, strata, balance, bytes."""

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS
from calverify.benchmarks.ate import EDGES, KINDS, stratum_of
from calverify.tasks import faultless_trace
from tests.benchmarks.digests import digest
from tests.oracles import criteria, worlds
from tests.recheck.brute_effects import world_of


@pytest.fixture(scope="module")
def corpus():
    return BENCHMARKS["ate"].build(Random("ate 0"))


def test_the_same_seed_gives_the_same_bytes(corpus):
    assert digest(corpus) == "78545ffb52953d43"


@pytest.mark.property
def test_another_seed_gives_other_questions(corpus):
    other = BENCHMARKS["ate"].build(Random("ate 1"))
    assert len(other.items) == 500
    assert not {str(item.problem.scm.to_json()) for item in corpus.items} & {
        str(item.problem.scm.to_json()) for item in other.items
    }


def test_500_questions_five_kinds_four_strata_both_words(corpus):
    strata = Counter((item.key.strata["slice"], item.key.strata["margin"]) for item in corpus.items)
    margins = ("[0, 0.02)", "[0.02, 0.05)", "[0.05, 0.15)", "[0.15, 1]")
    assert strata == {(kind, margin): 25 for kind in KINDS for margin in margins}
    words = Counter((item.key.strata["slice"], item.key.published) for item in corpus.items)
    assert words == {(kind, word): 50 for kind in KINDS for word in ("yes", "no")}
    assert set(KINDS) == {"ate", "ett", "marginal", "conditional", "necessity"}


def chance(joint, **event):
    return sum((mass for at, mass in joint if all(at[name] == state for name, state in event.items())), Fraction(0))


def among_treated(world, x, y, arm):
    """P(Y_arm = 1 | X = 1), from the causes of X."""
    joint, causes = list(worlds.worlds(world)), world[x][0]
    total = Fraction(0)
    for states in product("01", repeat=len(causes)):
        given = dict(zip(causes, states, strict=True))
        share = chance(joint, **given, **{x: "1"}) / chance(joint, **{x: "1"})
        total += share * chance(joint, **given, **{x: arm, y: "1"}) / chance(joint, **given, **{x: arm})
    return total


def number_of(item):
    world, query, kind = world_of(item.problem), item.problem.query, item.key.strata["slice"]
    if kind in ("marginal", "conditional"):
        joint, (y,) = list(worlds.worlds(world)), query.targets
        given = dict(query.formula)
        assert set(given) == set(query.given)
        assert bool(given) == (kind == "conditional")
        return chance(joint, **given, **{y: "1"}) / chance(joint, **given)
    x, y = query.targets
    if kind == "ate":
        return worlds.effect(world, x, y, ("1", "0"), ("1",))
    fact, without = among_treated(world, x, y, "1"), among_treated(world, x, y, "0")
    return fact - without if kind == "ett" else (fact - without) / fact


def test_every_number_again(corpus):
    for item in corpus.items:
        number, threshold = number_of(item), item.problem.query.threshold
        margin = abs(number - threshold)
        low, high = item.key.strata["margin"].strip("[])").split(", ")
        assert Fraction(low) <= margin < Fraction(high)
        assert margin > 0
        assert item.key.published == ("yes" if number > threshold else "no")


@pytest.mark.parametrize("edge, stratum", [(0, 0), ("1/50", 1), ("1/20", 2), ("3/20", 3), (1, 3), ("0.0199", 0)])
def test_a_stratum_holds_its_lower_edge(edge, stratum):
    assert stratum_of(Fraction(edge)) == stratum
    assert len(EDGES) == 5


def test_effects_are_confounded_and_can_be_adjusted_for(corpus):
    for item in corpus.items:
        if item.key.strata["slice"] in ("ate", "ett", "necessity"):
            x, y = item.problem.query.targets
            graph = item.problem.graph
            valid = criteria.backdoor(graph, x, y)
            assert criteria.reaches(graph, x, y)
            assert not valid(frozenset())
            assert valid(frozenset(graph.parents({x})))


def test_a_faultless_trace_scores_six(corpus):
    for item in corpus.items[::7]:
        case = cv.find_task(item.problem.query.task).case(item.problem.scm, item.problem.query)
        assert cv.verify(item.problem, faultless_trace(case, item.key.published)).score == 6


def test_no_problem_shows_its_kind_or_its_margin(corpus):
    for item in corpus.items:
        assert not set(item.key.strata.values()) & set(map(str, _leaves(item.problem.to_json()))) - {
            "ate",
            "ett",
            "necessity",
        }
        assert item.problem.text == ""


def _leaves(value):
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in _leaves(part)]
    return [leaf for part in value for leaf in _leaves(part)] if isinstance(value, list) else [value]
