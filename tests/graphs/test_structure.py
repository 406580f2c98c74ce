"""What is read off a whole graph: orders, districts, blankets, skeletons, and how two graphs compare."""

from fractions import Fraction
from itertools import combinations, islice, pairwise, product
from random import Random

import pytest

from calverify.errors import GraphError
from calverify.graphs import (
    Graph,
    c_components,
    edge_f1,
    markov_blanket,
    query_signature,
    skeleton,
    topological_order,
    topological_orders,
    v_structure_apart,
    v_structures,
    violates_order,
)
from tests.oracles import cuts, layouts
from tests.oracles.paths import Paths, subsets
from tests.strategies import random_admg, random_dag, random_directed

# ---------------------------------------------------------------- orders

ORDERS = [
    ("", [""]),
    ("A", ["A"]),
    ("A, B", ["A B", "B A"]),
    ("B -> A", ["B A"]),
    ("A -> B, C", ["A B C", "A C B", "C A B"]),
    ("A <-> B", ["A B", "B A"]),
    ("A -> B -> A", []),
    ("A -> B -> A, C", []),
]


@pytest.mark.parametrize("graph, orders", ORDERS)
def test_topological_orders_in_the_order_of_the_graph(graph, orders):
    graph, expected = Graph.parse(graph), [tuple(order.split()) for order in orders]
    assert list(topological_orders(graph)) == expected
    first = topological_order(graph)
    assert (first in expected) if expected else (first is None)


@pytest.mark.parametrize("count", [80, pytest.param(1_500, marks=pytest.mark.property)])
def test_orders_agree_with_trying_every_permutation(count):
    rng = Random(47)
    for _ in range(count):
        n = rng.randint(1, 6)
        graph = random_admg(rng, n, 0.3, 0.1) if rng.random() < 0.7 else random_directed(rng, n, 0.15)
        found = list(topological_orders(graph))
        expected = layouts.orders(graph)
        assert len(found) == len(expected)
        assert set(found) == expected
        first = topological_order(graph)
        assert (first in expected) if expected else (first is None)
        order = rng.sample(graph.nodes, n)
        assert (violates_order(graph, order) is None) == (tuple(order) in expected)


def test_one_order_of_a_long_chain_comes_at_once():
    """Listed children first, so that an order by trial would look far."""
    names = [f"V{i}" for i in range(1_500)]
    assert topological_order(Graph(names[::-1], list(pairwise(names)))) == tuple(names)


def test_orders_are_lazy():
    graph = Graph([f"V{i}" for i in range(200)])
    assert len(set(islice(topological_orders(graph), 50))) == 50


@pytest.mark.parametrize(
    "order, edge", [("A B C", None), ("B A C", ("A", "B")), ("A C B", ("B", "C")), ("C B A", ("A", "B"))]
)
def test_violates_order_names_the_first_edge(order, edge):
    assert violates_order(Graph.parse("A -> B -> C"), order.split()) == edge


# ---------------------------------------------------------------- districts and blankets

DISTRICTS = [
    ("", []),
    ("A, B -> C", ["A", "B", "C"]),
    ("A <-> B <-> C, D", ["A B C", "D"]),
    ("A -> B <-> C, D <-> E -> A", ["A", "B C", "D E"]),
    ("A -> B, A <-> B", ["A B"]),
]


@pytest.mark.parametrize("graph, districts", DISTRICTS)
def test_c_components(graph, districts):
    assert sorted(map(sorted, c_components(Graph.parse(graph)))) == [names.split() for names in districts]


def test_c_components_agree_with_union_find():
    rng = Random(53)
    for _ in range(300):
        graph = random_admg(rng, rng.randint(1, 9), 0.2, 0.15)
        found = c_components(graph)
        assert len(found) == len(set(found))
        assert set(found) == layouts.districts(graph)


BLANKETS = [
    ("A, B", "A", ""),
    ("P -> X -> C <- S, Q -> S", "X", "P C S"),
    ("A -> B -> C", "B", "A C"),
    ("A -> B -> C", "A", "B"),
    ("A <-> B", "A", "B"),
    ("A <-> B <-> C <-> D", "A", "B C D"),
    ("A <-> B <- P, B -> Q", "A", "B P"),
    ("A -> B <-> C <- P", "A", "B C P"),
    ("A <- B <-> C", "A", "B"),
    ("A -> B, A <-> B, Q -> B", "A", "B Q"),
]


@pytest.mark.parametrize("graph, node, blanket", BLANKETS)
def test_markov_blanket(graph, node, blanket):
    assert markov_blanket(Graph.parse(graph), node) == set(blanket.split())


def test_markov_blanket_refuses_an_unknown_name():
    with pytest.raises(GraphError, match="'Q' is not a node"):
        markov_blanket(Graph.parse("A -> B"), "Q")


@pytest.mark.parametrize("count", [60, pytest.param(1_500, marks=pytest.mark.property)])
def test_markov_blanket_is_the_smallest_set_that_separates_from_all_the_rest(count):
    rng = Random(59)
    for _ in range(count):
        graph = random_admg(rng, rng.randint(1, 6), rng.choice([0.2, 0.4]), rng.choice([0.0, 0.1, 0.3]))
        slow = Paths(graph)
        for node in graph.nodes:
            assert markov_blanket(graph, node) == cuts.blanket(slow, node)


# ---------------------------------------------------------------- skeleton and v-structures

SHAPES = [
    ("A, B", "", ""),
    ("A -> B", "AB", ""),
    ("A -> B <- C", "AB BC", "AC>B"),
    ("A -> B <- C, A -> C", "AB BC AC", ""),
    ("A -> B <-> C", "AB BC", "AC>B"),
    ("A <-> B <-> C", "AB BC", "AC>B"),
    ("A <-> B <-> C, A <-> C", "AB BC AC", ""),
    ("A <- B <-> C", "AB BC", ""),
    ("A -> B, A <-> B", "AB", ""),
    ("A -> B, A <-> B, C -> B", "AB BC", "AC>B"),
    ("A -> D, B -> D, C -> D, A -> B", "AD BD CD AB", "AC>D BC>D"),
]


@pytest.mark.parametrize("graph, edges, colliders", SHAPES)
def test_skeleton_and_v_structures(graph, edges, colliders):
    graph = Graph.parse(graph)
    assert skeleton(graph) == {frozenset(pair) for pair in edges.split()}
    assert v_structures(graph) == {(frozenset(row[:2]), row[3]) for row in colliders.split()}


def all_dags(nodes: str) -> list[Graph]:
    """Every dag on the nodes: each pair apart or joined one way or the other, cyclic ones left out."""
    pairs = list(combinations(nodes, 2))
    ways = product(*[((), (pair,), (pair[::-1],)) for pair in pairs])
    built = (Graph(nodes, [edge for way in choice for edge in way]) for choice in ways)
    return [graph for graph in built if graph.acyclic]


def test_markov_equivalent_exactly_when_skeleton_and_v_structures_agree():
    """Verma and Pearl's theorem on all 543 dags with four nodes: both partitions are the same 185 classes."""
    graphs = all_dags("ABCD")
    by_shape = {(skeleton(graph), v_structures(graph)) for graph in graphs}
    by_both = {(skeleton(graph), v_structures(graph), Paths(graph).independences()) for graph in graphs}
    by_meaning = {Paths(graph).independences() for graph in graphs}
    assert (len(graphs), len(by_shape), len(by_both), len(by_meaning)) == (543, 185, 185, 185)


def first_apart(one: Graph, other: Graph):
    """By listing every v-structure of both."""
    mine, theirs = v_structures(one), v_structures(other)
    left_right_middle = min(((*sorted(ends), middle) for ends, middle in mine ^ theirs), default=None)
    if left_right_middle is None:
        return None
    left, right, middle = left_right_middle
    return left, middle, right, (frozenset((left, right)), middle) in mine


def test_where_v_structures_differ_first():
    """The same as by listing them, whatever the order of the nodes."""
    rng = Random(5)
    found = []
    for _ in range(1_500):
        one = random_admg(rng, 5, 0.5, 0.2)
        edges = [edge if rng.random() < 0.8 else edge[::-1] for edge in one.directed]
        try:
            other = Graph(rng.sample(one.nodes, len(one.nodes)), edges, one.bidirected)
        except GraphError:  # a cycle beside a bidirected edge
            continue
        assert v_structure_apart(one, other) == first_apart(one, other)
        found.append(first_apart(one, other))
    kinds = {None if row is None else row[3] for row in found}
    assert kinds == {None, True, False}


def test_v_structures_of_a_star_are_compared_without_a_list():
    """A star of 3,000 leaves has 4,498,500 of them."""
    leaves = [f"L{number:04}" for number in range(3_000)]
    towards, away = (Graph(["C", *leaves], edges) for edges in ([(x, "C") for x in leaves], [("C", x) for x in leaves]))
    assert v_structure_apart(towards, towards) is None
    assert v_structure_apart(away, towards) == ("L0000", "C", "L0001", False)


# ---------------------------------------------------------------- signature

SIGNATURES = [
    ("U -> X, U -> Y, X -> M -> Y", "U", "", False),
    ("U -> X, U -> Y, X -> M -> Y", "", "", True),
    ("U -> X, U -> Y, X -> M -> Y", "U M", "M", False),
    ("U -> X, U -> Y, X -> M -> Y", "X", "X", False),
    ("U -> X, U -> Y, X -> M -> Y", "Y", "Y", False),
    ("U -> X, U -> Y, X -> M -> Y", "M", "M", True),
    ("Y -> X", "", "", True),
    ("X <-> Y", "", "", True),
    ("X -> Y", "", "", False),
]


@pytest.mark.parametrize("graph, given, forbidden, joined", SIGNATURES)
def test_query_signature(graph, given, forbidden, joined):
    assert query_signature(Graph.parse(graph), "X", "Y", given.split()) == (set(forbidden.split()), joined)


def test_signature_refuses_unknown_names():
    graph = Graph.parse("X -> Y")
    for treatment, outcome, given in (("Q", "Y", []), ("X", "Q", []), ("X", "Y", ["Q"])):
        with pytest.raises(GraphError, match="'Q' is not a node"):
            query_signature(graph, treatment, outcome, given)


def test_a_bare_string_is_one_name_not_its_letters():
    graph = Graph.parse("X -> XY, XU -> X, XU -> Y, X -> Y, U")
    assert query_signature(graph, "X", "Y", "XU") == query_signature(graph, "X", "Y", ["XU"])


@pytest.mark.parametrize("count", [60, pytest.param(1_500, marks=pytest.mark.property)])
def test_a_clean_signature_is_a_strict_backdoor_set(count):
    """Against the definition: no treatment, outcome or descendant, and every path into the treatment blocked."""
    rng = Random(61)
    for _ in range(count):
        graph = random_admg(rng, rng.randint(2, 6), rng.choice([0.25, 0.45]), rng.choice([0.0, 0.15]))
        slow = Paths(graph)
        x, y = rng.sample(graph.nodes, 2)
        for given in subsets(graph.nodes):
            clean = query_signature(graph, x, y, given) == (frozenset(), False)
            assert clean == slow.is_backdoor_set(x, y, given)


# ---------------------------------------------------------------- edge F1

F1 = [
    ("A, B", "A, B", Fraction(1)),
    ("A -> B", "A -> B", Fraction(1)),
    ("A -> B", "B -> A", Fraction(0)),
    ("A -> B", "A <-> B", Fraction(0)),
    ("A <-> B", "B <-> A", Fraction(1)),
    ("A -> B", "A, B", Fraction(0)),
    ("A -> B, C", "A -> B -> C", Fraction(2, 3)),
    ("A -> B, A <-> B", "A -> B", Fraction(2, 3)),
    ("A -> B -> C, A -> C", "A -> B -> C, C -> A", Fraction(2, 3)),
]


@pytest.mark.parametrize("left, right, f1", F1)
def test_edge_f1_is_exact_and_symmetric(left, right, f1):
    one, two = Graph.parse(left), Graph.parse(right)
    assert edge_f1(one, two) == edge_f1(two, one) == f1
    assert isinstance(edge_f1(one, two), Fraction)


@pytest.mark.parametrize("n", [0, 1, 10, 200])
def test_proposition_edge_f1_is_not_necessary(n):
    """The paper's first construction: n irrelevant pairs turned round, F1 = 1/(n + 1), the signature unmoved."""
    nodes = ["X", "Y", *(f"{side}{i}" for i in range(n) for side in "AB")]
    truth = Graph(nodes, [("X", "Y"), *((f"A{i}", f"B{i}") for i in range(n))])
    read = Graph(nodes, [("X", "Y"), *((f"B{i}", f"A{i}") for i in range(n))])
    assert edge_f1(read, truth) == Fraction(1, n + 1)
    assert query_signature(read, "X", "Y", ()) == query_signature(truth, "X", "Y", ()) == (frozenset(), False)


@pytest.mark.parametrize("n", [0, 1, 10, 200])
def test_proposition_edge_f1_is_not_sufficient(n):
    """The paper's second construction: one confounding edge lost, F1 = 2(n + 2)/(2n + 5), the verdict flipped."""
    nodes = ["W", "X", "Y", *(f"{side}{i}" for i in range(n) for side in "AB")]
    shared = [("W", "X"), ("X", "Y"), *((f"A{i}", f"B{i}") for i in range(n))]
    truth, read = Graph(nodes, [*shared, ("W", "Y")]), Graph(nodes, shared)
    assert edge_f1(read, truth) == Fraction(2 * (n + 2), 2 * n + 5)
    assert query_signature(truth, "X", "Y", ()) == (frozenset(), True)
    assert query_signature(read, "X", "Y", ()) == (frozenset(), False)


def test_edge_f1_agrees_with_precision_and_recall():
    rng = Random(67)
    for _ in range(200):
        n = rng.randint(2, 6)
        one, two = random_dag(rng, n, 0.5), random_dag(rng, n, 0.5)
        left, right = set(one.directed), set(two.directed)
        shared = len(left & right)
        if shared:
            precision, recall = Fraction(shared, len(left)), Fraction(shared, len(right))
            assert edge_f1(one, two) == 2 * precision * recall / (precision + recall)
        else:
            assert edge_f1(one, two) == (0 if left or right else 1)
