"""Separation: textbook rows, the contract at the edges, and the same question bound once and asked of every set."""

from itertools import combinations
from random import Random

import pytest

from calverify.errors import GraphError
from calverify.graphs import Graph, Separation, separated
from tests.oracles.paths import Paths, subsets
from tests.strategies import random_admg

CASES = [
    ("no edge", "A, B", "A", "B", "", True),
    ("edge", "A -> B", "A", "B", "", False),
    ("arc", "A <-> B", "A", "B", "", False),
    ("chain", "A -> B -> C", "A", "C", "", False),
    ("chain, given", "A -> B -> C", "A", "C", "B", True),
    ("fork", "A <- B -> C", "A", "C", "", False),
    ("fork, given", "A <- B -> C", "A", "C", "B", True),
    ("collider", "A -> B <- C", "A", "C", "", True),
    ("collider, given", "A -> B <- C", "A", "C", "B", False),
    ("opened below", "A -> B <- C, B -> D -> E", "A", "C", "E", False),
    ("collider above another's child", "A -> B <- C, B -> D <- E", "A", "E", "D", False),
    ("m-bias", "A -> X, A -> M <- B -> Y", "X", "Y", "", True),
    ("m-bias, given", "A -> X, A -> M <- B -> Y", "X", "Y", "M", False),
    ("m-bias, given and blocked", "A -> X, A -> M <- B -> Y", "X", "Y", "M A", True),
    ("two colliders, one opened", "A -> C <- E -> D <- B", "A", "B", "C", True),
    ("two colliders, both opened", "A -> C <- E -> D <- B", "A", "B", "C D", False),
    ("two colliders, both opened, middle given", "A -> C <- E -> D <- B", "A", "B", "C D E", True),
    ("arcs in a row", "A <-> B <-> C", "A", "C", "", True),
    ("arcs in a row, given", "A <-> B <-> C", "A", "C", "B", False),
    ("arcs in a row, all given", "A <-> B <-> C <-> D", "A", "D", "B C", False),
    ("arcs in a row, a gap", "A <-> B <-> C <-> D", "A", "D", "B", True),
    ("bow above a child, given", "A -> B, A <-> B, B -> C", "A", "C", "B", True),
    ("bow above a collider, given", "A -> B, A <-> B, C -> B", "A", "C", "B", False),
    ("bow above a tail and an arc, given", "A -> B, A <-> B, B <-> C", "A", "C", "B", False),
    ("front door", "X -> M -> Y, X <-> Y", "X", "Y", "M", False),
    ("instrument", "Z -> X -> Y, X <-> Y", "Z", "Y", "", False),
    ("instrument, opened", "Z -> X -> Y, X <-> Y", "Z", "Y", "X", False),
    ("sides of two", "A -> B, C -> D", "A C", "B D", "", False),
    ("sides of two, apart", "A -> C, B -> C", "A", "B", "", True),
    ("one pair joined is enough", "A -> B, C, D", "A C", "B D", "", False),
    ("an empty side", "A -> B", "", "B", "", True),
]
IDS = [row[0] for row in CASES]


@pytest.mark.parametrize("graph, xs, ys, given, apart", [row[1:] for row in CASES], ids=IDS)
def test_separated(graph, xs, ys, given, apart):
    graph, xs, ys, given = Graph.parse(graph), xs.split(), ys.split(), given.split()
    assert separated(graph, xs, ys, given) is apart
    assert separated(graph, ys, xs, given) is apart
    assert Separation(graph, xs, ys).admits(frozenset(given)) is apart
    assert Paths(graph).separated(xs, ys, given) is apart


CONTRACT = [
    ("treatment in its own set", "X -> Y", "X", "Y", "X", True),
    ("outcome in the set", "X -> Y", "X", "Y", "Y", True),
    ("both ends in the set", "X -> Y", "X", "Y", "X Y", True),
    ("an end leaves, the other of its side stays", "X -> Y, W -> Y", "X W", "Y", "X", False),
    ("an end that left still blocks", "X -> W -> Y", "X W", "Y", "W", True),
    ("an end that left still opens a collider", "X -> W <- Y", "X W", "Y", "W", False),
    ("a node is joined to itself", "X, Y", "X", "X", "", False),
    ("a node given is apart from itself", "X, Y", "X", "X", "X", True),
    ("sides that overlap", "X, Y, W", "X W", "Y W", "", False),
    ("sides that overlap in a given node", "X, Y, W", "X W", "Y W", "W", True),
]


@pytest.mark.parametrize("graph, xs, ys, given, apart", [row[1:] for row in CONTRACT], ids=[row[0] for row in CONTRACT])
def test_given_members_leave_both_sides_first(graph, xs, ys, given, apart):
    graph, xs, ys, given = Graph.parse(graph), xs.split(), ys.split(), given.split()
    assert separated(graph, xs, ys, given) is apart
    assert Separation(graph, xs, ys).admits(frozenset(given)) is apart
    assert Paths(graph).separated(xs, ys, given) is apart


def test_any_iterable_will_do_and_repeats_do_not_matter():
    graph = Graph.parse("A -> B -> C")
    assert separated(graph, iter(["A", "A"]), {"C": 1}, (name for name in "BB"))
    assert separated(graph, "A", "C", "B")
    assert not separated(graph, ["A"], ["C"])


@pytest.mark.parametrize("xs, ys, given", [("Q", "B", ""), ("A", "Q", ""), ("A", "B", "Q"), ("A", "B", "B Q")])
def test_an_unknown_name_is_refused(xs, ys, given):
    with pytest.raises(GraphError, match=r"'Q' is not a node of the graph \(nodes: A, B\)"):
        separated(Graph.parse("A -> B"), xs.split(), ys.split(), given.split())


def test_an_error_of_the_callers_own_iterable_comes_through():
    def broken():
        yield "A"
        raise KeyError("A")

    with pytest.raises(KeyError, match="A"):
        separated(Graph.parse("A -> B"), broken(), {"B"})


@pytest.mark.parametrize("question", [separated, Separation])
def test_a_cycle_is_refused_naming_it(question):
    with pytest.raises(GraphError, match="acyclic graphs, and this one has the directed cycle B -> C -> B"):
        question(Graph.parse("A -> B -> C -> B"), {"A"}, {"C"})


def test_a_declared_directed_graph_without_a_cycle_is_a_dag_here():
    assert separated(Graph.parse("A -> B -> C", "directed"), {"A"}, {"C"}, {"B"})


# ---------------------------------------------------------------- bound once


def test_admits_refuses_forbidden_and_unknown_names():
    question = Separation(Graph.parse("A -> B -> C, D"), {"A"}, {"C"}, forbidden={"D"})
    assert question.admits(frozenset({"B"}))
    assert not question.admits(frozenset({"B", "D"}))
    assert not question.admits(frozenset({"B", "Q"}))
    assert not question.admits(frozenset())


def test_admits_answers_the_same_twice():
    question = Separation(Graph.parse("A -> B -> C"), {"A"}, {"C"})
    assert [question.admits(frozenset(z)) for z in ("B", "", "B", "", "AQ", "AQ")] == [True, False] * 2 + [False] * 2


@pytest.mark.parametrize("xs, ys", [("Q", "B"), ("A", "Q")])
def test_sides_must_be_nodes(xs, ys):
    with pytest.raises(GraphError, match="'Q' is not a node"):
        Separation(Graph.parse("A -> B"), {xs}, {ys})


@pytest.mark.parametrize("count", [6, pytest.param(250, marks=pytest.mark.property)])
def test_admits_agrees_with_walking_every_path_for_all_subsets(count):
    """Six nodes, every pair, every one of the 64 sets, ends and forbidden names included."""
    rng = Random(37)
    for _ in range(count):
        graph = random_admg(rng, 6, rng.choice([0.2, 0.35, 0.5]), rng.choice([0.0, 0.1, 0.25]))
        slow = Paths(graph)
        for x, y in combinations(graph.nodes, 2):
            forbidden = frozenset(rng.sample(graph.nodes, rng.randint(0, 2)))
            question = Separation(graph, {x}, {y}, forbidden=forbidden)
            for given in subsets(graph.nodes):
                apart = slow.separated({x}, {y}, given)
                assert separated(graph, {x}, {y}, given) == apart
                assert question.admits(given) == (apart and not given & forbidden)


# ---------------------------------------------------------------- one name is one name

SPLIT = Graph.parse("A -> AB -> C, B")


def test_a_bare_string_is_one_name_not_its_letters():
    assert separated(SPLIT, "A", "C", "AB")
    assert not Separation(SPLIT, "A", "C", forbidden="AB").admits(frozenset({"AB"}))


def test_a_string_of_another_class_is_one_name_too():
    """As numpy.str_ or an enum of strings gives them."""

    class Name(str):
        __slots__ = ()

    graph = Graph.parse("V1 -> W2 -> X3, V, 1, W, 2, X, 3")
    assert not separated(graph, Name("V1"), Name("W2"))
    assert separated(graph, Name("V1"), Name("X3"), Name("W2"))
