"""The miniature: its counts, and that each problem can be got wrong, by definitions written the slow way."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS
from calverify.benchmarks.miniature import BUILDERS, LEAST_EFFECT, MOST, PER_TASK
from calverify.scoring import checker_for
from calverify.tasks import faultless_trace
from tests.benchmarks.digests import digest
from tests.oracles import criteria, worlds
from tests.oracles.paths import subsets
from tests.recheck.brute_effects import world_of


@pytest.fixture(scope="module")
def corpus():
    return BENCHMARKS["miniature"].build(Random("miniature 0"))


def asked(corpus, task: str) -> list:
    return [item for item in corpus.items if item.problem.query.task == task]


def test_the_same_seed_gives_the_same_bytes_and_another_gives_others(corpus):
    assert digest(corpus) == "7db5295d3b37afb1"
    assert digest(BENCHMARKS["miniature"].build(Random("miniature 1"))) != digest(corpus)


def test_the_tasks_take_turns(corpus):
    tasks = [item.problem.query.task for item in corpus.items]
    assert len(tasks) == 120
    assert tasks == list(BUILDERS) * PER_TASK
    assert all(item.key.strata["slice"] == task for item, task in zip(corpus.items, tasks, strict=True))


def sets_of(item) -> list[tuple[frozenset, bool]]:
    """Every set without the targets, and whether it is right."""
    graph, query = item.problem.graph, item.problem.query
    if query.task == "blocked_path":
        path = cv.Path.parse(query.path)
        holds, ends = (
            criteria.blocked_path(graph, path.nodes, query.path.split(" ")[1::2]),
            {path.nodes[0], path.nodes[-1]},
        )
    else:
        holds, ends = getattr(criteria, query.task)(graph, *query.targets), set(query.targets)
    return [(names, holds(names)) for names in subsets([node for node in graph.nodes if node not in ends])]


@pytest.mark.parametrize("task", ["d_separation", "backdoor"])
def test_the_empty_set_is_wrong_several_are_right_and_as_many_are_not(corpus, task):
    for item in asked(corpus, task):
        judged = dict(sets_of(item))
        right = sum(judged.values())
        assert not judged[frozenset()]
        assert 2 < right <= len(judged) - right
        assert judged[frozenset(item.key.published)]


def test_a_path_is_open_until_it_is_blocked(corpus):
    for item in asked(corpus, "blocked_path"):
        judged = dict(sets_of(item))
        assert not judged[frozenset()]
        assert judged[frozenset(item.key.published)]
        assert len(cv.Path.parse(item.problem.query.path).nodes) in (4, 5)


def test_two_cycles_to_four_and_an_edge_on_none(corpus):
    for item in asked(corpus, "cycle"):
        cycles = criteria.cycles(item.problem.graph)
        used = {step for cycle in cycles for step in zip(cycle, (*cycle[1:], cycle[0]), strict=True)}
        assert 2 <= len(cycles) <= 4
        assert set(item.problem.graph.directed) > used
        assert criteria.closes(item.problem.graph, item.key.published[:-1])


@pytest.mark.parametrize("task", ["mediator", "intervention", "ate"])
def test_either_word_is_right_as_often_up_to_one(corpus, task):
    words = Counter(item.key.published for item in asked(corpus, task))
    assert abs(words["yes"] - words["no"]) == 1


def test_words_are_the_truth(corpus):
    for task in ("mediator", "intervention"):
        for item in asked(corpus, task):
            truth = getattr(criteria, task)(item.problem.graph, *item.problem.query.targets)
            assert (item.key.published == "yes") == truth
    for item in asked(corpus, "ate"):
        x, y = item.problem.query.targets
        effect = worlds.effect(world_of(item.problem), x, y, ("1", "0"), ("1",))
        assert abs(effect) >= LEAST_EFFECT > Fraction(0)
        assert (item.key.published == "yes") == (effect > 0)


def test_a_puzzle_has_one_solution_or_two(corpus):
    for item in asked(corpus, "knights"):
        found = [dict(solution) for solution in cv.solve(None, item.problem.query)]
        assert len(found) in (1, 2)
        assert {name: role == "knight" for name, role in item.key.published.items()} in found


def test_no_two_are_one_under_a_renaming(corpus):
    """Of each task's graphs, by trying every renaming of those of one size; the problem's own names apart."""
    for task in ("mediator", "intervention"):
        spelled = [spelling(item) for item in asked(corpus, task) if len(item.problem.graph.nodes) <= 6]
        assert len(spelled) > 2
        assert len(set(spelled)) == len(spelled)


def spelling(item) -> tuple:
    graph, targets = item.problem.graph, item.problem.query.targets
    others = [node for node in graph.nodes if node not in targets]
    found = []
    for order in permutations(others):
        place = {node: at for at, node in enumerate((*targets, *order))}
        found.append(tuple(sorted((place[a], place[b]) for a, b in graph.directed)))
    return len(graph.nodes), min(found)


def test_they_are_small_and_do_not_show_their_key(corpus):
    for item in corpus.items:
        if item.problem.graph is not None:
            assert len(item.problem.graph.nodes) <= MOST
        assert item.problem.text == ""
        assert not {"published", "answer"} & set(item.problem.to_json())


def test_a_faultless_trace_scores_six(corpus):
    for item in corpus.items[::5]:
        case = checker_for(item.problem).case
        assert cv.verify(item.problem, faultless_trace(case, case.task.cheapest(case))).score == 6


def test_problems_differ(corpus):
    records = [str(item.problem.to_json()["query"]) + str(item.problem.to_json()["graph"]) for item in corpus.items]
    assert all(one != other for one, other in combinations(records, 2))
