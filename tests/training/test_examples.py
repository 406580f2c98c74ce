"""Examples: six of six by the checker, short objects by the slow definitions, and no graph that is judged on."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, islice, permutations
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS, miniature
from calverify.errors import CalverifyError, RecordError
from calverify.training import Example, examples, read_examples, write_examples
from tests.oracles import criteria

COUNT = 80
SUITE = [item.problem for item in BENCHMARKS["miniature"].build(Random("miniature 0")).items]


def drawn(seed: str, tasks=tuple(miniature.BUILDERS), besides=SUITE, count: int = COUNT) -> list[cv.Problem]:
    return list(islice(miniature.more_problems(Random(seed), tasks, besides), count))


@pytest.fixture(scope="module")
def problems() -> list[cv.Problem]:
    return drawn("a")


@pytest.fixture(scope="module")
def found(problems) -> list[Example]:
    return list(examples(problems, Random(0)))


def test_every_example_earns_every_bit(problems, found):
    assert Counter(example.task for example in found) == dict.fromkeys(miniature.BUILDERS, COUNT // 8)
    for problem, example in zip(problems, found, strict=True):
        verdict = cv.verify(cv.Problem.from_json(problem.to_json()), example.completion)
        assert verdict.score == 6
        assert example.prompt == cv.prompt(problem)
        assert example.problem == problem.id


def sizes_of_valid_sets(problem: cv.Problem) -> list[int]:
    """The slow way: every set of nodes, by the definition."""
    graph, query = problem.graph, problem.query
    if query.task == "blocked_path":
        path = cv.Path.parse(query.path)
        holds = criteria.blocked_path(graph, path.nodes, query.path.split(" ")[1::2])
    else:
        holds = getattr(criteria, query.task)(graph, *query.targets)
    subsets = [set(names) for size in range(len(graph.nodes) + 1) for names in combinations(graph.nodes, size)]
    return [len(names) for names in subsets if holds(frozenset(names))]


@pytest.mark.parametrize("task", ["d_separation", "backdoor", "blocked_path"])
def test_a_set_is_at_most_one_larger_than_the_smallest_and_not_always_the_same(problems, found, task):
    over = Counter()
    for problem, example in zip(problems, found, strict=True):
        if example.task == task:
            answer = cv.verify(problem, example.completion).answer
            over[len(answer) - min(sizes_of_valid_sets(problem))] += 1
    assert set(over) == {0, 1}


def test_a_cycle_is_at_most_one_longer_than_the_shortest(problems, found):
    for problem, example in zip(problems, found, strict=True):
        if example.task == "cycle":
            shortest = min(map(len, criteria.cycles(problem.graph)))
            assert len(cv.verify(problem, example.completion).answer) - 1 <= shortest + 1


def isomorphic(one: cv.Graph, other: cv.Graph) -> bool:
    """The slow way: every renaming."""
    if len(one.nodes) != len(other.nodes) or len(one.directed) != len(other.directed):
        return False
    edges = set(other.directed)
    return any(
        {(name[tail], name[head]) for tail, head in one.directed} == edges
        for name in (dict(zip(one.nodes, order, strict=True)) for order in permutations(other.nodes))
    )


def test_no_graph_is_one_of_those_that_are_judged_on():
    """Five nodes have 302 graphs up to renaming, so a draw that did not look would meet one."""
    small = [problem for problem in SUITE if problem.graph is not None and len(problem.graph.nodes) == 5]
    judged = [problem.graph for problem in small]
    for seed, besides in (("a", SUITE), ("a", [])):
        graphs = [
            problem.graph for problem in drawn(seed, ("ate", "mediator"), besides, 60) if len(problem.graph.nodes) == 5
        ]
        assert len(graphs) > 10
        met = any(isomorphic(graph, other) for graph in graphs for other in judged)
        assert met is (not besides)


def test_a_puzzle_that_is_judged_on_is_not_drawn():
    first = drawn("b", ("knights",), [], 1)[0]
    renamed = {who: f"{who}son" for who in first.query.targets}
    said = [(renamed[who], _renamed(text, renamed)) for who, text in first.query.formula]
    other = cv.Problem("other", cv.Query("knights", tuple(renamed.values()), formula=tuple(said)))
    again = drawn("b", ("knights",), [other], 1)[0]
    assert again.query != first.query


def _renamed(text: str, names: dict[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(f"{old} ", f"{new} ")
    return text


def test_the_same_seed_gives_the_same_bytes_and_another_gives_others(problems, found):
    again = write_examples(examples(drawn("a"), Random(0)), "examples.jsonl")
    assert again == write_examples(found, "examples.jsonl")
    assert write_examples(examples(drawn("a"), Random(1)), "examples.jsonl") != again
    assert read_examples(again, "examples.jsonl") == found


def test_no_problem_is_drawn_twice(problems):
    assert len({str(replace(problem, id="same").to_json()) for problem in problems}) == COUNT


GRAPH = cv.Graph.parse("X -> Y, U -> V")


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (cv.Problem("t", cv.Query("backdoor", ("X", "Y")), text="X causes Y."), "'t' supplies no graph"),
        (cv.Problem("n", cv.Query("d_separation", ("X", "Y")), GRAPH), "'n': nothing is valid"),
    ],
)
def test_what_gives_no_example_is_refused(problem, why):
    with pytest.raises(CalverifyError, match=why):
        list(examples([problem], Random(0)))


def test_an_unknown_task_is_refused():
    with pytest.raises(CalverifyError, match=r"drawn for the tasks d_separation, .*, not for 'edge'"):
        drawn("a", ("edge",))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "holds no examples"),
        (b'{"problem":"p"}\n', "line 1"),
        (b'{"problem":"p","task":"t","prompt":"p","completion":"c","gold":1}\n', "gold"),
    ],
)
def test_damaged_examples_are_refused(data, why):
    with pytest.raises((CalverifyError, RecordError), match=why):
        read_examples(data, "examples.jsonl")
