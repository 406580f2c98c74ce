"""Questions that other libraries answer wrongly, hang on, or answer when they should refuse.

Each row names who fails it; "reported" means that we have it from an issue and did not reproduce it.
"""

import pytest

from calverify.errors import GraphError
from calverify.graphs import Graph, Separation, active_path, path_is_blocked, query_signature, separated, simple_paths
from tests.oracles.paths import Paths

SEPARATION = [
    ("1 y0: collider opened through an arc", "A -> B <-> C", "A", "C", "B", False),
    ("1 y0: collider through an arc, not given", "A -> B <-> C", "A", "C", "", True),
    ("2 y0: two arcs meet", "C <-> A <-> B", "B", "C", "A", False),
    ("2 y0: two arcs meet, not given", "C <-> A <-> B", "B", "C", "", True),
    ("3 causaleffect, y0 sigma: bow arc beside an arc", "A -> C, A <-> B, A <-> C", "B", "C", "", False),
    ("3 y0 sigma: bow arc below a parent", "B -> A -> C, A <-> C", "B", "C", "", False),
    ("3 y0 sigma: bow arc below a parent, given", "B -> A -> C, A <-> C", "B", "C", "A", False),
    ("4 causy: one of two colliders opened", "A -> C <- E, B -> D <- E", "A", "B", "C", True),
    ("4 causy: both of two colliders opened", "A -> C <- E, B -> D <- E", "A", "B", "C D", False),
    ("5 y0 sigma: opened two steps below", "C -> E, A -> E -> D -> B", "A", "C", "B", False),
    ("6 causal-learn hangs: opened collider in a triangle", "F -> C, F -> A, C -> A, B", "C", "B", "A", True),
    ("6 causal-learn hangs: opened collider under an arc", "B -> A, D -> A, D <-> A, C", "B", "C", "A", True),
    ("7 dowhy, pgmpy: a mediator does separate", "M -> Y, X", "X", "Y", "M", True),
    ("8 causalgraphicalmodels: outcome above treatment", "Y -> X", "X", "Y", "", False),
    ("12 pywhy-graphs#47 (reported): arc off the route", "A -> B -> D, B <-> C", "A", "C", "", True),
    ("12 pywhy-graphs#47 (reported): the same, given", "A -> B -> D, B <-> C", "A", "C", "B", False),
    ("12 pywhy-graphs#47 (reported): the same, below given", "A -> B -> D, B <-> C", "A", "C", "D", False),
    ("12 pywhy-graphs#44 (reported): arcs only", "A <-> B <-> C", "A", "C", "", True),
    ("12 pywhy-graphs#44 (reported): arcs only, given", "A <-> B <-> C", "A", "C", "B", False),
    ("12 pywhy-graphs#44 (reported): one arc only", "A <-> B", "A", "B", "", False),
    ("14 y0: nodes called P and Q", "P -> Q -> R", "P", "R", "Q", True),
    ("14 y0: nodes called P and Q, open", "P -> Q -> R", "P", "R", "", False),
    ("14 dowhy: names that share characters", "V1 -> V2, V, 1, 2", "V1", "V2", "V 1 2", False),
    ("14 dowhy: names that share characters, apart", "V -> 1, V1 -> V11", "V1", "1", "", True),
    ("14 dowhy: a name that holds another", "X -> XX -> XXX", "X", "XXX", "XX", True),
]


@pytest.mark.parametrize(
    "graph, x, y, given, apart", [row[1:] for row in SEPARATION], ids=[row[0] for row in SEPARATION]
)
def test_separation(graph, x, y, given, apart):
    graph, given = Graph.parse(graph), frozenset(given.split())
    assert separated(graph, {x}, {y}, given) is apart
    assert separated(graph, {y}, {x}, given) is apart
    assert Separation(graph, {x}, {y}).admits(given) is apart
    assert (active_path(graph, {x}, {y}, given) is None) is apart
    assert all(path_is_blocked(graph, path, given) for path in simple_paths(graph, x, y)) is apart
    assert Paths(graph).separated({x}, {y}, given) is apart


def strict_backdoor(graph: Graph, x: str, y: str) -> Separation:
    """Pearl's criterion as the paper states it: nothing of X, Y and De(X), and separation without arrows out of X."""
    return Separation(graph, {x}, {y}, cut={x}, forbidden={x, y} | graph.strict_descendants({x}))


M_BIAS = "A -> X, A -> M <- B -> Y, X -> Y"
STRICT = [
    ("7 dowhy, pgmpy, dagitty by name: mediator", "X -> M -> Y", "M", False),
    ("7 dowhy, pgmpy, dagitty by name: nothing to adjust for", "X -> M -> Y", "", True),
    ("7 dowhy, pgmpy: child of the treatment", "X -> Y, X -> B", "B", False),
    ("7 dowhy, pgmpy: descendant far below", "X -> B -> C -> D, X -> Y", "D", False),
    ("7 pgmpy: the outcome in its own set", "A -> C", "C", False, "A", "C"),
    ("8 causalgraphicalmodels: outcome above treatment", "Y -> X", "", False),
    ("8 causalgraphicalmodels: effect of C on A", "A -> C", "", False, "C", "A"),
    ("9 adjustment-valid, not strict", "X -> B, Y", "B", False),
    ("9 the empty set is both", "X -> B, Y", "", True),
    ("10 caugi#277 (reported): m-bias in an admg, empty", "X <-> C <-> Y, C -> X, C -> Y, X -> Y", "", False),
    ("10 caugi#277 (reported): m-bias in an admg, C", "X <-> C <-> Y, C -> X, C -> Y, X -> Y", "C", False),
    ("11 pathmc#480 (reported): m-bias with a direct edge, A M", M_BIAS, "A M", True),
    ("11 pathmc#480 (reported): m-bias with a direct edge, B M", M_BIAS, "B M", True),
    ("11 pathmc#480 (reported): m-bias with a direct edge, A", M_BIAS, "A", True),
    ("11 pathmc#480 (reported): m-bias with a direct edge, none", M_BIAS, "", True),
    ("11 pathmc#480 (reported): m-bias with a direct edge, M", M_BIAS, "M", False),
    ("13 eight to eleven engines: treatment in its own set", "U -> X, U -> Y, X -> Y", "X", False),
    ("13 eight to eleven engines: treatment beside a good set", "U -> X, U -> Y, X -> Y", "U X", False),
    ("13 pgmpy: outcome in its own set", "U -> X, U -> Y, X -> Y", "U Y", False),
    ("13 pyAgrum, causaleffect: unknown name", "U -> X, U -> Y, X -> Y", "U Q", False),
]


@pytest.mark.parametrize("row", [row[1:] for row in STRICT], ids=[row[0] for row in STRICT])
def test_strict_backdoor(row):
    text, names, valid, x, y = (*row, "X", "Y")[:5]
    graph, given = Graph.parse(text), frozenset(names.split())
    assert strict_backdoor(graph, x, y).admits(given) is valid
    if given <= graph.node_set:
        assert (query_signature(graph, x, y, given) == (frozenset(), False)) is valid
        assert Paths(graph).is_backdoor_set(x, y, given) is valid


def test_9_the_set_is_refused_for_being_a_descendant_and_for_nothing_else():
    graph = Graph.parse("X -> B, Y")
    assert query_signature(graph, "X", "Y", {"B"}) == ({"B"}, False)


def test_10_no_set_at_all_is_valid():
    graph = Graph.parse("X <-> C <-> Y, C -> X, C -> Y, X -> Y, W")
    question = strict_backdoor(graph, "X", "Y")
    assert not any(question.admits(frozenset(names)) for names in ("", "C", "W", "CW"))


# ---------------------------------------------------------------- 13: what is refused, and by whom

CHAIN = "A -> B -> C"


def test_13_an_end_in_the_set_separates_trivially_and_the_bound_question_can_forbid_it():
    """networkx raises, others answer what they like; ours answers, and says so."""
    graph = Graph.parse(CHAIN)
    for given in ("A", "C", "AC"):
        assert separated(graph, {"A"}, {"C"}, set(given))
        assert not Separation(graph, {"A"}, {"C"}, forbidden={"A", "C"}).admits(frozenset(given))


def test_13_a_node_is_never_apart_from_itself_unless_it_is_given():
    """causaleffect says separated."""
    graph = Graph.parse(CHAIN)
    assert not separated(graph, {"A"}, {"A"})
    assert not separated(graph, {"A"}, {"A"}, {"B"})
    assert separated(graph, {"A"}, {"A"}, {"A"})


@pytest.mark.parametrize("x, y, given", [("Q", "C", "B"), ("A", "Q", "B"), ("A", "C", "Q"), ("A", "C", "BQ")])
def test_13_an_unknown_node_is_refused_by_name(x, y, given):
    """pyAgrum by ids answers, causaleffect ignores it in the set."""
    with pytest.raises(GraphError, match=r"'Q' is not a node of the graph \(nodes: A, B, C\)"):
        separated(Graph.parse(CHAIN), {x}, {y}, set(given))


def test_13_a_repeat_in_the_set_is_the_same_set():
    """ananke raises; a set that must be free of repeats is checked where it is read."""
    assert separated(Graph.parse(CHAIN), ["A"], ["C"], ["B", "B"])


@pytest.mark.parametrize("text, cycle", [("A -> B -> A, C", "A -> B -> A"), ("A -> B -> C -> A", "A -> B -> C -> A")])
def test_13_a_cycle_is_a_class_of_its_own_and_has_no_separation(text, cycle):
    """pgmpy, y0, causal-learn, causaleffect, pydagitty and causy answer; ananke hangs on the first row."""
    graph = Graph.parse(text)
    assert graph.kind == "directed"
    with pytest.raises(GraphError, match=f"directed cycle {cycle}"):
        separated(graph, {"A"}, {"C"})
    with pytest.raises(GraphError, match=f"declared dag, but it has the directed cycle {cycle}"):
        Graph.parse(text, "dag")


def test_13_a_self_loop_is_refused_when_the_graph_is_built():
    """pgmpy, y0, causal-learn and causaleffect answer."""
    with pytest.raises(GraphError, match="edge B -> B is a self-loop"):
        Graph("AB", [("A", "B"), ("B", "B")])
