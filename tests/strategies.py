"""Random graphs for the tests: hypothesis strategies, and seeded builders for the long runs.

Nodes are listed in an order of their own, so that no test leans on parents standing before children.
"""

from itertools import combinations, permutations
from random import Random
from string import ascii_uppercase

from hypothesis import strategies as st

from calverify.graphs import Graph

Question = tuple[Graph, frozenset[str], frozenset[str], frozenset[str]]


def node_names(count: int) -> list[str]:
    """A, B, C, … and, beyond the alphabet, V0, V1, V2, …"""
    return list(ascii_uppercase[:count]) if count <= len(ascii_uppercase) else [f"V{i}" for i in range(count)]


# ---------------------------------------------------------------- hypothesis


@st.composite
def dags(draw: st.DrawFn, max_nodes: int = 6, min_nodes: int = 1) -> Graph:
    """An acyclic graph without bidirected edges."""
    ranks = _ranks(draw, min_nodes, max_nodes)
    return Graph(sorted(ranks), _subset(draw, list(combinations(ranks, 2))))


@st.composite
def admgs(draw: st.DrawFn, max_nodes: int = 6, min_nodes: int = 1) -> Graph:
    """An acyclic graph with bidirected edges; bows included."""
    ranks = _ranks(draw, min_nodes, max_nodes)
    pairs = list(combinations(ranks, 2))
    return Graph(sorted(ranks), _subset(draw, pairs), _subset(draw, pairs))


@st.composite
def directed_graphs(draw: st.DrawFn, max_nodes: int = 6, min_nodes: int = 1) -> Graph:
    """Directed edges at will: usually with a cycle, and two-cycles included."""
    ranks = _ranks(draw, min_nodes, max_nodes)
    return Graph(sorted(ranks), _subset(draw, list(permutations(ranks, 2))))


def graphs(max_nodes: int = 6, bidirected: bool = True, min_nodes: int = 1) -> st.SearchStrategy[Graph]:
    """Any graph that can be built, of every class; without bidirected edges on request."""
    plain = dags(max_nodes, min_nodes) | directed_graphs(max_nodes, min_nodes)
    return plain | admgs(max_nodes, min_nodes) if bidirected else plain


@st.composite
def questions(draw: st.DrawFn, some_graphs: st.SearchStrategy[Graph], most_given: int = 4) -> Question:
    """(graph, xs, ys, given) for `separated`: one or two nodes a side, and all three may overlap."""
    graph = draw(some_graphs)
    one_node = st.sampled_from(graph.nodes)
    side = st.frozensets(one_node, min_size=1, max_size=2)
    return graph, draw(side), draw(side), draw(st.frozensets(one_node, max_size=most_given))


def _ranks(draw: st.DrawFn, least: int, most: int) -> list[str]:
    """The nodes in a drawn causal order."""
    return draw(st.permutations(node_names(draw(st.integers(least, most)))))


def _subset(draw: st.DrawFn, pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []


# ---------------------------------------------------------------- seeded


def random_dag(rng: Random, n: int, p: float) -> Graph:
    """n nodes in a shuffled causal order; each pair is joined with probability p."""
    return random_admg(rng, n, p, 0.0)


def random_admg(rng: Random, n: int, p: float, q: float) -> Graph:
    """As `random_dag`; besides, each pair carries a bidirected edge with probability q."""
    nodes = node_names(n)
    ranks = rng.sample(nodes, n)
    directed = [pair for pair in combinations(ranks, 2) if rng.random() < p]
    bidirected = [pair for pair in combinations(ranks, 2) if rng.random() < q] if q else []
    return Graph(nodes, directed, bidirected)


def random_directed(rng: Random, n: int, p: float) -> Graph:
    """n nodes; each ordered pair is an edge with probability p."""
    nodes = node_names(n)
    return Graph(nodes, [pair for pair in permutations(nodes, 2) if rng.random() < p])


def random_undirected(rng: Random, n: int, p: float) -> Graph:
    """n nodes; each pair is joined by an undirected edge with probability p."""
    nodes = node_names(n)
    return Graph(nodes, undirected=[pair for pair in combinations(nodes, 2) if rng.random() < p])


def random_question(rng: Random, graph: Graph, most_given: int, most_a_side: int = 1) -> Question:
    """(graph, xs, ys, given) with three disjoint sets, as networkx wants them."""
    left, right = rng.randint(1, most_a_side), rng.randint(1, most_a_side)
    given = rng.randint(0, min(most_given, len(graph.nodes) - left - right))
    picked = rng.sample(graph.nodes, left + right + given)
    return graph, frozenset(picked[:left]), frozenset(picked[left : left + right]), frozenset(picked[left + right :])
