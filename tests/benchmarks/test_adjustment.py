"""The six-node graphs: their shape, that they are confounded, the strict grade, and the same bytes for a seed."""

from itertools import pairwise, permutations
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS
from calverify.benchmarks.adjustment import drawn_edges, joined_non_causally
from tests.benchmarks.digests import digest
from tests.oracles import criteria
from tests.oracles.paths import subsets


@pytest.fixture(scope="module")
def corpus():
    return BENCHMARKS["adjustment"].build(Random("adjustment 0"))


def test_the_same_seed_gives_the_same_bytes(corpus):
    assert digest(corpus) == "ede8b3f6384c95dd"


def test_about_as_many_as_the_paper_has_and_200_with_the_dropped():
    counts = []
    for seed in range(8):
        built = BENCHMARKS["adjustment"].build(Random(f"adjustment {seed}"))
        counts.append(len(built.items))
        assert len(built.items) + sum(built.dropped.values()) == 200
    assert all(150 <= count <= 190 for count in counts)
    assert 163 <= sum(counts) / 8 <= 177  # the paper's split has 167


def slow_joined(edges, one, other):
    """Every order of the nodes between, tried as a path."""
    others = [node for node in range(6) if node not in (one, other)]
    for size in range(len(others) + 1):
        for between in permutations(others, size):
            path = (one, *between, other)
            steps = list(pairwise(path))
            if all(step in edges or step[::-1] in edges for step in steps) and not all(step in edges for step in steps):
                return True
    return False


@pytest.mark.parametrize("seed", range(60))
def test_edges_go_up_the_tiers_and_paths_are_found(seed):
    rng = Random(seed)
    edges = drawn_edges(rng, rng.choice((3, 4, 5, 6)))
    assert all(0 <= tail < head <= 5 for tail, head in edges)
    for one, other in ((1, 4), (0, 5), (2, 3)):
        assert joined_non_causally(edges, one, other) == slow_joined(edges, one, other)


def test_more_rounds_draw_more_edges():
    means = [sum(len(drawn_edges(Random(seed), rounds)) for seed in range(300)) / 300 for rounds in (3, 4, 5, 6)]
    assert means == sorted(means)
    assert 4 < means[0] < means[-1] < 11


def test_a_problem_has_six_nodes_and_a_valid_set(corpus):
    for item in corpus.items:
        graph, (x, y) = item.problem.graph, item.problem.query.targets
        assert len(graph.nodes) == 6
        valid = criteria.backdoor(graph, x, y)
        assert valid(frozenset(graph.parents({x})))
        assert item.key.published is None


def test_the_grade_is_strict(corpus):
    """Every set of every tenth problem; a descendant of the treatment is never in a valid one."""
    descendants = 0
    for item in corpus.items[::10]:
        graph, (x, y) = item.problem.graph, item.problem.query.targets
        valid = criteria.backdoor(graph, x, y)
        for names in subsets(graph.nodes):
            said = cv.check(graph, item.problem.query, names)
            assert said.valid == (not names & {x, y} and valid(names))
            descendants += said.witness["kind"] == "descendant"
    assert descendants > 0
