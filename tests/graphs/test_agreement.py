"""Separation against two judges that share no code with it: networkx, and the oracle that walks every path.

Each test runs small by default and large under `property`; both are seeded.
"""

from collections.abc import Iterator
from random import Random

import networkx as nx
import pytest

from calverify.graphs import Graph, Separation, active_path, separated
from tests.oracles.paths import Paths
from tests.strategies import Question, random_admg, random_dag, random_question

QUESTIONS_A_GRAPH = 40


def canonical(graph: Graph) -> nx.DiGraph:
    """The dag with a latent parent for each bidirected edge: m-separation there is d-separation here."""
    dag = nx.DiGraph(graph.directed)
    dag.add_nodes_from(graph.nodes)
    for i, (left, right) in enumerate(graph.bidirected):
        dag.add_edges_from([(("latent", i), left), (("latent", i), right)])
    return dag


def some_questions(rng: Random, count: int, q: float) -> Iterator[Question]:
    """`count` questions, 40 a graph, mostly on 2 to 8 nodes, then up to 20, and one graph in 25 on 76 nodes."""
    for i in range(count // QUESTIONS_A_GRAPH):
        if i % 25 == 24:
            graph = random_admg(rng, 76, 0.04, q / 10)
        elif i % 5 == 4:
            graph = random_admg(rng, rng.randint(9, 20), 0.2, q / 3)
        else:
            graph = random_admg(rng, rng.randint(2, 8), rng.choice([0.15, 0.3, 0.45]), q)
        for _ in range(QUESTIONS_A_GRAPH):
            most_a_side = rng.randint(1, max(1, min(3, len(graph.nodes) // 3)))
            yield random_question(rng, graph, len(graph.nodes) // 3 + 1, most_a_side)


@pytest.mark.parametrize("count", [4_000, pytest.param(150_000, marks=pytest.mark.property)])
def test_dags_agree_with_networkx(count):
    apart = last = 0
    dag = None
    for graph, xs, ys, given in some_questions(Random(101), count, 0.0):
        if graph is not last:
            dag, last = canonical(graph), graph
        found = separated(graph, xs, ys, given)
        assert found == nx.is_d_separator(dag, set(xs), set(ys), set(given)), (str(graph), xs, ys, given)
        apart += found
    assert 0.2 < apart / count < 0.8


@pytest.mark.parametrize("count", [2_000, pytest.param(50_000, marks=pytest.mark.property)])
def test_admgs_agree_with_networkx_on_the_canonical_dag(count):
    apart = last = 0
    dag = None
    for graph, xs, ys, given in some_questions(Random(103), count, 0.2):
        if graph is not last:
            dag, last = canonical(graph), graph
        found = separated(graph, xs, ys, given)
        assert found == nx.is_d_separator(dag, set(xs), set(ys), set(given)), (str(graph), xs, ys, given)
        apart += found
    assert 0.1 < apart / count < 0.8


@pytest.mark.parametrize("count", [1_500, pytest.param(50_000, marks=pytest.mark.property)])
def test_admgs_agree_with_walking_every_path(count):
    """Two to eight nodes; here the three sets may overlap, and the bound question is asked as well."""
    rng = Random(107)
    apart = asked = 0
    while asked < count:
        n = rng.randint(2, 8)
        graph = random_admg(rng, n, rng.choice([0.15, 0.25, 0.4]), rng.choice([0.05, 0.1, 0.25]))
        slow = Paths(graph)
        xs = frozenset(rng.sample(graph.nodes, rng.choice([1, 1, 1, 2])))
        ys = frozenset(rng.sample(graph.nodes, rng.choice([1, 1, 1, 2])))
        bound = Separation(graph, xs, ys)
        for _ in range(20):
            given = frozenset(rng.sample(graph.nodes, rng.randint(0, min(n, 5))))
            found = separated(graph, xs, ys, given)
            assert found == slow.separated(xs, ys, given) == bound.admits(given), (str(graph), xs, ys, given)
            apart += found
            asked += 1
    assert 0.2 < apart / asked < 0.8


@pytest.mark.parametrize("count", [20, pytest.param(400, marks=pytest.mark.property)])
def test_active_paths_agree_with_separation_on_large_graphs(count):
    """The walk on (node, mark) and the mask routine share no step."""
    rng = Random(109)
    for _ in range(count):
        graph = random_admg(rng, 76, 0.04, 0.004)
        for _ in range(20):
            _, xs, ys, given = random_question(rng, graph, 10, 2)
            path = active_path(graph, xs, ys, given)
            assert (path is None) == separated(graph, xs, ys, given)
            if path:
                assert len(set(path.nodes)) == len(path.nodes)
                assert path.first_foreign_step(graph) is None
                assert Paths(graph).is_open((path.nodes, path.arrows), given)


def test_both_readings_of_the_oracle_agree():
    """The path oracle has the definition twice, once spelled out and once boiled down for speed."""
    rng = Random(113)
    for _ in range(200):
        graph = random_admg(rng, rng.randint(2, 6), 0.35, 0.2)
        slow = Paths(graph)
        x, y = rng.sample(graph.nodes, 2)
        for _ in range(10):
            given = frozenset(rng.sample(graph.nodes, rng.randint(0, len(graph.nodes)))) - {x, y}
            assert slow.separated({x}, {y}, given) == (not slow.open_paths(x, y, given))


def test_the_builders_shuffle():
    """A builder that lists parents first would hide a routine that leans on it."""
    rng = Random(127)
    graphs = [random_dag(rng, 5, 0.5) for _ in range(50)]
    assert any(graph.nodes.index(a) > graph.nodes.index(b) for graph in graphs for a, b in graph.directed)
