"""Proofs of separation: an active path that can be followed, or a set of walk states that cannot be left."""

from itertools import pairwise
from random import Random

import pytest

from calverify.errors import GraphError
from calverify.graphs import Graph, Path, active_path, opened_colliders, separated, walk_states
from tests.oracles.paths import Paths
from tests.strategies import random_admg

PATHS = [
    ("A -> B", "A", "B", "", "A -> B"),
    ("A <-> B", "A", "B", "", "A <-> B"),
    ("A -> B -> C", "A", "C", "", "A -> B -> C"),
    ("A -> B -> C", "A", "C", "B", None),
    ("A -> B <- C", "A", "C", "", None),
    ("A -> B <- C", "A", "C", "B", "A -> B <- C"),
    ("A -> B <- C, B -> D", "A", "C", "D", "A -> B <- C"),
    ("A -> B <-> C", "A", "C", "B", "A -> B <-> C"),
    ("A -> B -> C, A -> C", "A", "C", "", "A -> C"),
    ("A -> B -> C, D -> C", "A D", "C", "", "D -> C"),
    ("A -> B, C", "A", "C", "", None),
    ("A -> B", "A", "B", "A", None),
    ("A -> B", "A", "B", "B", None),
    ("A, B", "A", "A", "", "A"),
    ("A, B", "A", "A", "A", None),
    ("A -> B", "", "B", "", None),
]


@pytest.mark.parametrize("graph, xs, ys, given, path", PATHS)
def test_active_path(graph, xs, ys, given, path):
    found = active_path(Graph.parse(graph), xs.split(), ys.split(), given.split())
    assert found == (None if path is None else Path.parse(path))


OPENED = [
    ("A -> B <- C", "A -> B <- C", "B", {"B": ("B",)}),
    ("A -> B <- C, B -> D -> E", "A -> B <- C", "E", {"B": ("B", "D", "E")}),
    ("A -> B <- C, B -> D -> E", "A -> B <- C", "D E", {"B": ("B", "D")}),
    ("A -> B <-> C <- D, B -> C", "A -> B <-> C <- D", "C", {"B": ("B", "C"), "C": ("C",)}),
    ("A -> B -> C", "A -> B -> C", "", {}),
]


@pytest.mark.parametrize("graph, path, given, opened", OPENED)
def test_opened_colliders(graph, path, given, opened):
    assert opened_colliders(Graph.parse(graph), Path.parse(path), given.split()) == opened


def test_a_bare_string_is_one_name_not_its_letters():
    graph = Graph.parse("A -> AB <- C, B")
    assert opened_colliders(graph, Path.parse("A -> AB <- C"), "AB") == {"AB": ("AB",)}


STATES = [
    ("U -> X, U -> Y", "X", "", "X:start U:tail Y:head"),
    ("U -> X, U -> Y", "X", "U", "X:start U:tail"),
    ("X -> C <- Y", "X", "", "X:start C:head"),
    ("X -> C <- Y", "X", "C", "X:start C:head Y:tail"),
    ("X <-> C <-> Y", "X", "C", "X:start C:head Y:head"),
    ("X -> Y", "X", "X", ""),
    ("X -> Y, W", "X W", "X", "W:start"),
]


@pytest.mark.parametrize("graph, xs, given, states", STATES)
def test_walk_states(graph, xs, given, states):
    found = walk_states(Graph.parse(graph), xs.split(), given.split())
    assert sorted(":".join(state) for state in found) == sorted(states.split())


@pytest.mark.parametrize("proof", [active_path, walk_states])
def test_a_cycle_is_refused_naming_it(proof):
    """As `separated` refuses it: there is no verdict to prove."""
    sides = ({"A"}, {"D"}) if proof is active_path else ({"A"},)
    with pytest.raises(GraphError, match="directed cycle B -> C -> B"):
        proof(Graph.parse("A -> B -> C -> B, D"), *sides)


@pytest.mark.parametrize("xs, ys, given", [("Q", "B", ""), ("A", "Q", ""), ("A", "B", "Q")])
def test_unknown_names_are_refused(xs, ys, given):
    graph = Graph.parse("A -> B")
    with pytest.raises(GraphError, match="'Q' is not a node"):
        active_path(graph, xs.split(), ys.split(), given.split())
    if ys == "B":
        with pytest.raises(GraphError, match="'Q' is not a node"):
            walk_states(graph, xs.split(), given.split())


# ---------------------------------------------------------------- against our own reading of the move rule


def moves(slow: Paths, state: tuple[str, str], given: frozenset[str]) -> set[tuple[str, str]]:
    """Every state one open step away: the rule at the top of `_walks.py`, on names and edges."""
    node, mark = state
    found = set()
    for arrow, other in slow.edges_at[node]:
        collider = mark == "head" and arrow in ("<-", "<->")
        is_open = mark == "start" or (bool(slow.below[node] & given) if collider else node not in given)
        if is_open:
            found.add((other, "tail" if arrow == "<-" else "head"))
    return found


def test_walk_states_are_closed_complete_and_leave_the_target_out():
    """A walk that comes back to where one starts gains nothing: from a start every step is open already."""
    rng = Random(71)
    apart = 0
    for _ in range(1_500):
        n = rng.randint(2, 8)
        graph = random_admg(rng, n, rng.choice([0.15, 0.3]), rng.choice([0.0, 0.1, 0.2]))
        slow = Paths(graph)
        given = frozenset(rng.sample(graph.nodes, rng.randint(0, n // 2)))
        xs = frozenset(rng.sample(graph.nodes, rng.randint(1, 2)))
        ys = frozenset(rng.sample(graph.nodes, 1))
        found = walk_states(graph, xs, given)
        states, starts = set(found), {(x, "start") for x in xs - given}
        assert len(states) == len(found)
        assert {state for state in states if state[1] == "start"} == starts
        reached, todo = set(starts), list(starts)
        while todo:
            state = todo.pop()
            for after in moves(slow, state, given):
                assert state not in states or after in states or after[0] in xs
                if after not in reached:
                    reached.add(after)
                    todo.append(after)
        assert states == {state for state in reached if state[1] == "start" or state[0] not in xs - given}
        joined = any(node in ys - given for node, _ in states)
        assert joined != separated(graph, xs, ys, given)
        apart += not joined
    assert apart > 300


def test_active_path_is_a_shortest_open_path_of_the_graph_with_its_colliders_opened():
    rng = Random(73)
    joined = 0
    for _ in range(1_500):
        n = rng.randint(2, 6)
        graph = random_admg(rng, n, rng.choice([0.2, 0.35]), rng.choice([0.0, 0.15]))
        slow = Paths(graph)
        given = frozenset(rng.sample(graph.nodes, rng.randint(0, n - 1)))
        xs = frozenset(rng.sample(graph.nodes, rng.randint(1, 2)))
        ys = frozenset(rng.sample(graph.nodes, rng.randint(1, 2)))
        found = active_path(graph, xs, ys, given)
        every = [path for x in xs - given for y in ys - given for path in slow.open_paths(x, y, given)]
        if found is None:
            assert not every
            continue
        joined += 1
        assert (found.nodes, found.arrows) in every
        assert len(found.nodes) == min(len(nodes) for nodes, _ in every)
        opened = opened_colliders(graph, found, given)
        assert set(opened) == set(found.colliders())
        for collider, chain in opened.items():
            assert chain[0] == collider
            assert chain[-1] in given
            assert set(pairwise(chain)) <= set(graph.directed)
    assert joined > 300
