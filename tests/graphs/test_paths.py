"""Paths: reading and writing, colliders, foreign steps, blocking, directed routes, and simple cycles."""

from itertools import islice
from random import Random

import pytest

from calverify.errors import GraphError
from calverify.graphs import Graph, Path, directed_path, path_is_blocked, shortest_cycle, simple_cycles, simple_paths
from tests.oracles import layouts
from tests.oracles.paths import Paths, subsets
from tests.strategies import random_admg, random_directed

# ---------------------------------------------------------------- the value

READ = [
    ("F -> P <- T <-> J", "F P T J", "-> <- <->", "P"),
    ("F->P<-T", "F P T", "-> <-", "P"),
    ("A <-> B <-> C", "A B C", "<-> <->", "B"),
    ("A -> B <-> C <- D", "A B C D", "-> <-> <-", "B C"),
    ("A <- B -> C", "A B C", "<- ->", ""),
    ("A -> B -> C", "A B C", "-> ->", ""),
    ("A <- B <-> C", "A B C", "<- <->", ""),
    ("A <-> B -> C", "A B C", "<-> ->", ""),
    ("A → B ↔ C", "A B C", "-> <->", "B"),
    ("A", "A", "", ""),
    ("A <-> B", "A B", "<->", ""),
]


@pytest.mark.parametrize("text, nodes, arrows, colliders", READ)
def test_read(text, nodes, arrows, colliders):
    path = Path.parse(text)
    assert path == Path(tuple(nodes.split()), tuple(arrows.split()))
    assert path.colliders() == tuple(colliders.split())
    assert Path.parse(str(path)) == path


def test_written_with_quotes_where_needed():
    assert str(Path(("two words", "B", "x-"), ("<-", "<->"))) == '"two words" <- B <-> "x-"'
    assert str(Path(("A",), ())) == "A"


def test_names_are_cleaned_when_read():
    assert Path.parse('" A " -> e\u0301').nodes == ("A", "\u00e9")


@pytest.mark.parametrize("name", ["--", "->", "<->", ",", ";", "a\nb"])
def test_a_quoted_name_may_look_like_a_mark(name):
    path = Path(("A", name, "B"), ("->", "<-"))
    assert Path.parse(str(path)) == path


REFUSED = [
    ("", "the path is empty"),
    ("  ", "the path is empty"),
    ("->", "expected a name before '->' at character 1"),
    ("A ->", "does not end with a name"),
    ("A B", "expected an arrow before 'B' at character 3"),
    ("A -> -> B", "expected a name before '->' at character 6"),
    ("A -> B, C", "unexpected ',' at character 7"),
    ("A -> B\n", "unexpected 'line break' at character 7"),
    ("A -- B", "the path 'A -- B' has the undirected edge -- at character 3"),
    ('A -> ""', "unexpected '\"' at character 6"),
    ('" " -> A', "a name is empty"),
]


@pytest.mark.parametrize("text, why", REFUSED)
def test_refused_naming_the_place(text, why):
    with pytest.raises(GraphError) as refused:
        Path.parse(text)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    "nodes, arrows", [((), ()), (("A",), ("->",)), (("A", "B"), ()), (("A", "B"), ("--",)), (("A", "B"), ("→",))]
)
def test_a_path_has_a_mark_between_each_two_nodes(nodes, arrows):
    with pytest.raises(GraphError, match="a path needs one of -> <- <-> between each two nodes"):
        Path(nodes, arrows)


def test_steps_and_reversal():
    path = Path.parse("F -> P <- T <-> J")
    assert list(path.steps()) == [("F", "->", "P"), ("P", "<-", "T"), ("T", "<->", "J")]
    assert path.reversed() == Path.parse("J <-> T -> P <- F")
    assert path.reversed().reversed() == path


FOREIGN = [
    ("A -> B, B <-> C", "A -> B <-> C", None),
    ("A -> B, B <-> C", "C <-> B <- A", None),
    ("A -> B, A <-> B", "A <-> B", None),
    ("A -> B, A <-> B", "B <-> A", None),
    ("A -> B, B <-> C", "A", None),
    ("A -> B, B <-> C", "A <- B <-> C", "A <- B"),
    ("A -> B, B <-> C", "A <-> B", "A <-> B"),
    ("A -> B, B <-> C", "A -> B -> C", "B -> C"),
    ("A -> B, B <-> C", "A -> B <- C", "B <- C"),
    ("A -> B, B <-> C", "A -> Q", "A -> Q"),
    ("A -> B, B <-> C", "A -> C -> B", "A -> C"),
]


@pytest.mark.parametrize("graph, path, step", FOREIGN)
def test_first_foreign_step(graph, path, step):
    assert Path.parse(path).first_foreign_step(Graph.parse(graph)) == step


# ---------------------------------------------------------------- blocking

BLOCKED = [
    ("chain", "A -> B -> C", "A -> B -> C", "", None),
    ("chain, given", "A -> B -> C", "A -> B -> C", "B", ("B", "noncollider")),
    ("fork", "A <- B -> C", "A <- B -> C", "", None),
    ("fork, given", "A <- B -> C", "A <- B -> C", "B", ("B", "noncollider")),
    ("collider", "A -> B <- C", "A -> B <- C", "", ("B", "collider")),
    ("collider, given", "A -> B <- C", "A -> B <- C", "B", None),
    ("collider opened below", "A -> B <- C, B -> D -> E", "A -> B <- C", "E", None),
    ("collider through arcs", "A <-> B <-> C", "A <-> B <-> C", "", ("B", "collider")),
    ("collider through an arc and an arrow", "A -> B <-> C", "A -> B <-> C", "B", None),
    ("tail and arc", "A <- B <-> C", "A <- B <-> C", "", None),
    ("tail and arc, given", "A <- B <-> C", "A <- B <-> C", "B", ("B", "noncollider")),
    ("endpoints given do not count", "A -> B -> C", "A -> B -> C", "A C", None),
    ("single edge", "A -> B", "A -> B", "A B", None),
    ("first of two", "A -> B -> C <- D", "A -> B -> C <- D", "B", ("B", "noncollider")),
    ("second of two", "A -> B -> C <- D", "A -> B -> C <- D", "", ("C", "collider")),
    ("only the named path counts", "A -> B -> C, A -> C", "A -> B -> C", "B", ("B", "noncollider")),
    ("a given node off the path", "A -> B -> C, D", "A -> B -> C", "D", None),
]


@pytest.mark.parametrize("graph, path, given, why", [row[1:] for row in BLOCKED], ids=[row[0] for row in BLOCKED])
def test_path_is_blocked(graph, path, given, why):
    assert path_is_blocked(Graph.parse(graph), Path.parse(path), given.split()) == why


def test_unknown_given_is_refused():
    with pytest.raises(GraphError, match="'Q' is not a node"):
        path_is_blocked(Graph.parse("A -> B"), Path.parse("A -> B"), {"Q"})


def test_blocking_agrees_with_the_definition_on_every_path_and_every_set():
    rng = Random(17)
    for _ in range(40):
        graph = random_admg(rng, rng.randint(3, 5), 0.4, 0.25)
        slow = Paths(graph)
        x, y = rng.sample(graph.nodes, 2)
        for nodes, arrows in slow.between(x, y):
            for given in subsets(graph.nodes):
                blocker = path_is_blocked(graph, Path(nodes, arrows), given)
                assert (blocker is None) == slow.is_open((nodes, arrows), given)
                assert blocker is None or (blocker[1] == "noncollider") == (blocker[0] in given)


# ---------------------------------------------------------------- directed routes

ROUTES = [
    ("A -> B -> C", "A", "C", None, "A B C"),
    ("A -> B -> C, A -> C", "A", "C", None, "A C"),
    ("A -> B -> C", "C", "A", None, None),
    ("A <-> B", "A", "B", None, None),
    ("A -> B", "A", "A", None, "A"),
    ("A -> B -> C, D -> C", "A D", "C", None, "D C"),
    ("A -> B -> C", "A", "B C", None, "A B"),
    ("A -> B -> D, A -> C -> D", "A", "D", "C", "A C D"),
    ("A -> B -> D", "A", "D", "", None),
    ("A -> D", "A", "D", "", "A D"),
    ("A -> B -> C -> A, C -> D", "B", "D", None, "B C D"),
    ("A -> B", "", "B", None, None),
    ("A -> B", "A", "", None, None),
]


@pytest.mark.parametrize("graph, sources, targets, through, found", ROUTES)
def test_directed_path(graph, sources, targets, through, found):
    inside = None if through is None else through.split()
    expected = None if found is None else tuple(found.split())
    assert directed_path(Graph.parse(graph), sources.split(), targets.split(), inside) == expected


def test_directed_path_refuses_unknown_names():
    graph = Graph.parse("A -> B")
    for sources, targets, through in (("Q", "B", None), ("A", "Q", None), ("A", "B", ["Q"])):
        with pytest.raises(GraphError, match="'Q' is not a node"):
            directed_path(graph, [sources], [targets], through)


def test_directed_path_is_a_shortest_one():
    """Against every typed path whose arrows all point forward, with and without a limit on the interior."""
    rng = Random(23)
    for _ in range(300):
        n = rng.randint(2, 6)
        graph = random_directed(rng, n, 0.3) if rng.random() < 0.5 else random_admg(rng, n, 0.4, 0.1)
        slow = Paths(graph)
        source, target = rng.sample(graph.nodes, 2)
        through = frozenset(rng.sample(graph.nodes, rng.randint(0, n)))
        for inside in (None, through):
            routes = [
                nodes
                for nodes, arrows in slow.between(source, target)
                if set(arrows) == {"->"} and (inside is None or set(nodes[1:-1]) <= inside)
            ]
            found = directed_path(graph, {source}, {target}, inside)
            assert (found in routes) if routes else (found is None)
            assert found is None or len(found) == min(map(len, routes))


# ---------------------------------------------------------------- simple paths

PATHS = [
    ("A -> B", "A", "B", ["A -> B"]),
    ("A -> B, A <-> B", "A", "B", ["A -> B", "A <-> B"]),
    ("A -> B -> A", "A", "B", ["A -> B", "A <- B"]),
    ("A -> B, C", "A", "C", []),
    ("A -> B <- C, A <-> C", "A", "C", ["A -> B <- C", "A <-> C"]),
    ("A -> B -> C, A -> C, B <-> C", "A", "C", ["A -> B -> C", "A -> B <-> C", "A -> C"]),
    ("A -> B -> C", "C", "A", ["C <- B <- A"]),
]


@pytest.mark.parametrize("graph, source, target, paths", PATHS)
def test_simple_paths(graph, source, target, paths):
    assert sorted(map(str, simple_paths(Graph.parse(graph), source, target))) == sorted(paths)


def test_simple_paths_are_all_there_once():
    rng = Random(29)
    for _ in range(300):
        n = rng.randint(2, 6)
        graph = random_directed(rng, n, 0.25) if rng.random() < 0.4 else random_admg(rng, n, 0.4, 0.25)
        source, target = rng.sample(graph.nodes, 2)
        found = [(path.nodes, path.arrows) for path in simple_paths(graph, source, target)]
        assert len(set(found)) == len(found)
        assert set(found) == set(Paths(graph).between(source, target))


def test_no_path_from_a_node_to_itself_visits_a_node_twice():
    for path in simple_paths(Graph.parse("A -> B -> C, A -> C"), "A", "A"):
        assert len(set(path.nodes)) == len(path.nodes)


def test_simple_paths_are_lazy():
    """A complete graph on 40 nodes has more paths than anyone can list; the first ones come at once."""
    names = [f"V{i}" for i in range(40)]
    graph = Graph(names, [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]])
    found = list(islice(simple_paths(graph, "V0", "V39"), 100))
    assert len(set(found)) == 100


def test_simple_paths_do_not_wander_where_the_target_is_out_of_reach():
    """A clique that hangs on the source by one node has no path to the target, and is not searched for one."""
    clique = [f"K{i}" for i in range(30)]
    edges = [(a, b) for i, a in enumerate(clique) for b in clique[i + 1 :]]
    graph = Graph(["X", "Y", *clique], [("X", "Y"), ("X", "K0"), *edges])
    assert list(map(str, simple_paths(graph, "X", "Y"))) == ["X -> Y"]


def test_simple_paths_refuse_unknown_names():
    with pytest.raises(GraphError, match="'Q' is not a node"):
        next(simple_paths(Graph.parse("A -> B"), "A", "Q"))


# ---------------------------------------------------------------- cycles

CYCLES = [
    ("A -> B -> C", []),
    ("A -> B -> A", ["A B"]),
    ("A -> B -> C -> A", ["A B C"]),
    ("A -> B -> C -> A, C -> B", ["A B C", "B C"]),
    ("A -> B -> A, C -> D -> C", ["A B", "C D"]),
    ("A <-> B <-> C", []),
    ("C -> A -> B -> C", ["C A B"]),
]


@pytest.mark.parametrize("graph, cycles", CYCLES)
def test_simple_cycles(graph, cycles):
    assert [" ".join(cycle) for cycle in simple_cycles(Graph.parse(graph))] == cycles


def test_shortest_cycle_of_the_rows():
    for text, cycles in CYCLES:
        found = shortest_cycle(Graph.parse(text))
        sizes = [len(cycle.split()) for cycle in cycles]
        assert (found and len(found)) == (min(sizes) if sizes else None)


def test_simple_cycles_are_lazy():
    names = [f"V{i}" for i in range(40)]
    graph = Graph(names, [(a, b) for a in names for b in names if a != b])
    assert len(set(islice(simple_cycles(graph), 100))) == 100


@pytest.mark.parametrize("count", [150, pytest.param(3_000, marks=pytest.mark.property)])
def test_cycles_agree_with_trying_every_permutation(count):
    rng = Random(31)
    for _ in range(count):
        graph = random_directed(rng, rng.randint(1, 6), rng.choice([0.15, 0.3, 0.5]))
        found = list(simple_cycles(graph))
        expected = layouts.cycles(graph)
        assert len(found) == len(expected)
        assert set(found) == expected
        least = shortest_cycle(graph)
        assert (least is None) == (not expected)
        if least:
            assert len(least) == min(map(len, expected))
            assert {least[i:] + least[:i] for i in range(len(least))} & expected


def test_a_bare_string_is_one_name_not_its_letters():
    graph = Graph.parse("A -> AB -> C, B")
    assert path_is_blocked(graph, Path.parse("A -> AB -> C"), "AB") == ("AB", "noncollider")
