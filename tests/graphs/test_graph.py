"""The graph value: what cannot be built, what class it is, what equals what, who is above whom, and surgery."""

import copy
import pickle
from itertools import pairwise
from random import Random

import pytest

from calverify.errors import BudgetError, CalverifyError, GraphError, RecordError
from calverify.graphs import KINDS, Graph
from calverify.graphs._graph import MAX_NODES
from tests.oracles.paths import Paths
from tests.strategies import random_admg, random_directed

# ---------------------------------------------------------------- construction

NOT_A_GRAPH = [
    ("self-loop", "AB", [("A", "A")], [], "edge A -> A is a self-loop"),
    ("bidirected self-loop", "AB", [], [("B", "B")], "edge B <-> B is a self-loop"),
    ("self-loop after trimming", "AB", [("A", " A")], [], "edge A -> A is a self-loop"),
    ("unknown head", "AB", [("A", "Q")], [], "edge A -> Q names 'Q', which is not among the nodes"),
    ("unknown tail", "AB", [("Q", "A")], [], "edge Q -> A names 'Q', which is not among the nodes"),
    ("unknown in an arc", "AB", [], [("A", "Q")], "edge A <-> Q names 'Q', which is not among the nodes"),
    ("a look-alike letter is another name", "AB", [("\u0391", "B")], [], "names '\u0391', which is not among"),
    ("repeated node", "ABA", [], [], "node 'A' is listed twice"),
    ("repeated node after trimming", ["A", " A "], [], [], "node 'A' is listed twice"),
    ("repeated node after NFC", ["\u00e9", "e\u0301"], [], [], "node '\u00e9' is listed twice"),
    ("repeated edge", "ABC", [("A", "B"), ("B", "C"), ("A", "B")], [], "edge A -> B is listed twice"),
    ("repeated arc", "AB", [], [("A", "B"), ("A", "B")], "edge A <-> B is listed twice"),
    ("an arc and its mirror image", "AB", [], [("A", "B"), ("B", "A")], "edge A <-> B is listed twice"),
    ("empty name", ["A", ""], [], [], "a name is empty"),
    ("blank name", ["A", " \t"], [], [], "a name is empty"),
    ("number as a name", ["A", 3], [], [], "a name must be a string, not 3"),
    ("None as a name", [None], [], [], "a name must be a string, not None"),
    ("number in an edge", "AB", [("A", 3)], [], "a name must be a string, not 3"),
    ("name beyond the limit", ["A" * 201], [], [], "over 200 characters"),
    ("edge of three", "ABC", [("A", "B", "C")], [], "an edge must be a pair of names, not ('A', 'B', 'C')"),
    ("edge of one", "AB", [("A",)], [], "an edge must be a pair of names, not ('A',)"),
    ("edge as a string", "AB", ["AB"], [], "an edge must be a pair of names, not 'AB'"),
    ("edge as a number", "AB", [5], [], "an edge must be a pair of names, not 5"),
    ("edge as None", "AB", [None], [], "an edge must be a pair of names, not None"),
    ("edge as an object", "AB", [{"A": 1, "B": 2}], [], "an edge must be a pair of names, not {'A': 1, 'B': 2}"),
    ("arc as a number", "AB", [], [5], "an edge must be a pair of names, not 5"),
    ("cycle and arc", "ABC", [("A", "B"), ("B", "A")], [("A", "C")], "directed cycle (A -> B -> A) cannot have"),
    ("cycle and arc, the arc", "ABC", [("A", "B"), ("B", "A")], [("A", "C")], "bidirected edge (A <-> C)"),
]


@pytest.mark.parametrize(
    "nodes, directed, bidirected, why", [row[1:] for row in NOT_A_GRAPH], ids=[row[0] for row in NOT_A_GRAPH]
)
def test_what_no_graph_can_have_is_refused(nodes, directed, bidirected, why):
    with pytest.raises(GraphError) as refused:
        Graph(nodes, directed, bidirected)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    "given, clean",
    [("A", "A"), ("  A\n", "A"), ("e\u0301", "\u00e9"), ("a b", "a b"), ("\u0410", "\u0410"), ("A\u200bB", "A\u200bB")],
)
def test_names_bind_after_nfc_and_trimming(given, clean):
    graph = Graph([given, "Z"], [(given, "Z")], [("Z", given)])
    assert (graph.nodes, graph.directed, graph.bidirected) == ((clean, "Z"), ((clean, "Z"),), (("Z", clean),))


def test_a_graph_that_is_too_large_is_over_the_budget_and_not_wrong():
    limit = MAX_NODES
    assert len(Graph([f"V{i}" for i in range(limit)]).nodes) == limit
    with pytest.raises(BudgetError, match=f"a graph of {limit + 1:,} nodes is too large; the limit is {limit:,}"):
        Graph([f"V{i}" for i in range(limit + 1)])


def test_a_bow_is_two_edges():
    graph = Graph("AB", [("A", "B")], [("A", "B")])
    assert (graph.directed, graph.bidirected, graph.kind) == ((("A", "B"),), (("A", "B"),), "admg")


def test_order_of_nodes_and_edges_is_kept():
    graph = Graph("CAB", [("B", "A"), ("C", "A")], [("C", "B")])
    assert graph.nodes == ("C", "A", "B")
    assert graph.directed == (("B", "A"), ("C", "A"))
    assert graph.bidirected == (("C", "B"),)


# ---------------------------------------------------------------- class

CLASSES = [
    ("", "dag", True),
    ("A, B", "dag", True),
    ("A -> B", "dag", True),
    ("A <-> B", "admg", True),
    ("A -> B, A <-> B", "admg", True),
    ("A -> B -> A", "directed", False),
    ("A -> B -> C -> A, D", "directed", False),
    ("A -- B", "undirected", True),
    ("A -- B -- C -- A, D", "undirected", True),
]


@pytest.mark.parametrize("text, kind, acyclic", CLASSES)
def test_class_is_inferred(text, kind, acyclic):
    graph = Graph.parse(text)
    assert graph.kind == kind
    assert graph.acyclic is acyclic


DECLARED = [
    ("A -> B", "dag", None),
    ("A -> B", "admg", None),
    ("A -> B", "directed", None),
    ("A <-> B", "admg", None),
    ("A -> B -> A", "directed", None),
    ("A <-> B", "dag", "declared dag, but it has the bidirected edge A <-> B"),
    ("A -> C, A <-> B", "directed", "declared directed, but it has the bidirected edge A <-> B"),
    ("A -> B -> A", "dag", "declared dag, but it has the directed cycle A -> B -> A"),
    ("S -> A -> B -> C -> A, C -> T", "admg", "declared admg, but it has the directed cycle A -> B -> C -> A"),
    ("A -- B", "undirected", None),
    ("A, B", "undirected", None),
    ("A -- B", "dag", "declared dag, but it has the undirected edge A -- B"),
    ("A -> B", "undirected", "declared undirected, but it has a directed or bidirected edge"),
    ("A <-> B", "undirected", "declared undirected, but it has a directed or bidirected edge"),
    ("A -> B", "cpdag", "unknown graph class 'cpdag'; expected one of dag, admg, directed, undirected"),
    ("A -> B", "", "unknown graph class ''; expected one of dag, admg, directed, undirected"),
    ("A -> B", "DAG", "unknown graph class 'DAG'; expected one of dag, admg, directed, undirected"),
]


@pytest.mark.parametrize("text, kind, why", DECLARED)
def test_declared_class_is_checked(text, kind, why):
    if why is None:
        assert Graph.parse(text, kind).kind == kind
    else:
        with pytest.raises(GraphError) as refused:
            Graph.parse(text, kind)
        assert str(refused.value) == why


def test_the_cycle_that_an_error_names_is_one():
    """On every random cyclic graph, the walk in the message follows edges and comes back without a repeat."""
    rng = Random(11)
    seen = 0
    while seen < 300:
        graph = random_directed(rng, rng.randint(2, 7), rng.choice([0.2, 0.4]))
        if graph.acyclic:
            continue
        seen += 1
        with pytest.raises(GraphError) as refused:
            Graph(graph.nodes, graph.directed, kind="dag")
        walk = str(refused.value).rpartition("cycle ")[2].split(" -> ")
        assert walk[0] == walk[-1]
        assert len(set(walk)) == len(walk) - 1
        assert set(pairwise(walk)) <= set(graph.directed)


def test_the_classes():
    assert KINDS == ("dag", "admg", "directed", "undirected")


# ---------------------------------------------------------------- value

EQUAL = [
    ("A -> B, C", "C, A -> B", True),
    ("A -> B, B -> C", "B -> C, A -> B", True),
    ("A <-> B", "B <-> A", True),
    ("A -> B", "B <- A", True),
    ("A -> B", "B -> A", False),
    ("A -> B", "A <-> B", False),
    ("A -> B", "A -> B, A <-> B", False),
    ("A -> B", "A -> B, C", False),
    ("A", "B", False),
]


@pytest.mark.parametrize("left, right, same", EQUAL)
def test_equality_is_nodes_and_typed_edges(left, right, same):
    one, two = Graph.parse(left), Graph.parse(right)
    assert (one == two) is same
    assert (one != two) is not same
    assert not same or hash(one) == hash(two)


def test_equality_does_not_look_at_the_declared_class():
    assert Graph.parse("A -> B", "admg") == Graph.parse("A -> B", "dag")


def test_a_graph_is_not_its_text():
    assert Graph.parse("A -> B") != "A -> B"


def test_immutable():
    graph = Graph.parse("A -> B")
    with pytest.raises(AttributeError, match="immutable"):
        graph.nodes = ("A",)
    with pytest.raises(AttributeError, match="immutable"):
        del graph.nodes
    assert graph.nodes == ("A", "B")


def test_membership_is_of_nodes():
    graph = Graph.parse("A -> B, V1")
    assert "A" in graph
    assert "V" not in graph
    assert 3 not in graph


def test_survives_copy_and_pickle():
    """Workers receive graphs by pickle, before and after the ancestors were closed."""
    graph = Graph.parse("A -> B, B <-> C")
    for closed in (False, True):
        if closed:
            assert graph.masks is graph.masks
        for twin in (copy.copy(graph), copy.deepcopy(graph), pickle.loads(pickle.dumps(graph))):
            assert (twin, twin.kind, twin.ancestors({"B"})) == (graph, "admg", {"A", "B"})


def test_repr_is_the_call_that_reads_it_back():
    graph = Graph.parse('A -> B, C <-> "d e", F')
    assert repr(graph) == "Graph.parse('A -> B, C <-> \"d e\", F')"


# ---------------------------------------------------------------- json


def test_record_of_a_graph():
    assert Graph.parse("U -> X, A <-> B, P").to_json() == {
        "class": "admg",
        "nodes": ["U", "X", "A", "B", "P"],
        "directed": [["U", "X"]],
        "bidirected": [["A", "B"]],
    }


@pytest.mark.parametrize(
    "text, kind", [("A -> B", "admg"), ("A -> B", "directed"), ("A <-> B, A -> B", None), ("", None)]
)
def test_json_round_trip_keeps_order_and_class(text, kind):
    graph = Graph.parse(text, kind)
    twin = Graph.from_json(graph.to_json())
    assert twin == graph
    assert twin.to_json() == graph.to_json()


def test_json_round_trip_of_a_name_that_nfc_makes_longer():
    """What a graph calls its node, a graph may be given: the limit holds for the name after NFC."""
    try:
        graph = Graph(["\ufb2c" * 100])
    except GraphError:
        return
    assert Graph.from_json(graph.to_json()) == graph


@pytest.mark.parametrize("left_out", [("class",), ("bidirected",), ("class", "bidirected")])
def test_class_and_bidirected_may_be_left_out(left_out):
    record = {key: value for key, value in Graph.parse("A -> B").to_json().items() if key not in left_out}
    assert Graph.from_json(record) == Graph.parse("A -> B")
    assert Graph.from_json(record).kind == "dag"


STATED = [
    ("A -> B, C", {"nodes": ["A", "B", "C"], "edges": [["A", "B"]]}),
    ("A -> B, A <-> B", {"nodes": ["A", "B"], "edges": [["A", "B"]], "bidirected": [["A", "B"]]}),
    ("", {"nodes": [], "edges": []}),
]


@pytest.mark.parametrize("text, stated", STATED)
def test_written_as_a_trace_states_it(text, stated):
    assert Graph.parse(text).written == stated


A_B = {"nodes": ["A", "B"], "directed": [["A", "B"]]}
BAD_RECORDS = [
    ("a list", [["A"], []], "a graph record must be an object"),
    ("a string", "A -> B", "a graph record must be an object"),
    ("None", None, "a graph record must be an object"),
    ("an unknown field", A_B | {"gold": []}, "carries 'gold'; its fields are class, nodes, directed, bidirected"),
    ("edges under another name", {"nodes": [], "edges": []}, "carries 'edges'"),
    ("no nodes", {"directed": []}, "needs a list 'nodes', not None"),
    ("no directed", {"nodes": []}, "needs a list 'directed', not None"),
    ("nodes as text", A_B | {"nodes": "AB"}, "needs a list 'nodes', not 'AB'"),
    ("directed as an object", A_B | {"directed": {"A": "B"}}, "needs a list 'directed', not {'A': 'B'}"),
    ("directed as a number", A_B | {"directed": 1}, "needs a list 'directed', not 1"),
    ("bidirected as a number", A_B | {"bidirected": 5}, "'bidirected'"),
    ("bidirected as zero", A_B | {"bidirected": 0}, "'bidirected'"),
    ("bidirected as false", A_B | {"bidirected": False}, "'bidirected'"),
    ("bidirected as text", A_B | {"bidirected": "AB"}, "not 'A"),
    ("edge as a number", A_B | {"directed": [5]}, "an edge must be a pair of names, not 5"),
    ("edge as null", A_B | {"directed": [None]}, "an edge must be a pair of names, not None"),
    ("edge as an object", A_B | {"directed": [{"from": "A", "to": "B"}]}, "an edge must be a pair of names, not {"),
    ("edge of three", A_B | {"directed": [["A", "B", "A"]]}, "an edge must be a pair of names"),
    ("edge of lists", A_B | {"directed": [[["A"], "B"]]}, "a name must be a string, not ['A']"),
    ("node as a list", A_B | {"nodes": ["A", ["B"]]}, "a name must be a string, not ['B']"),
    ("unknown class", A_B | {"class": "mag"}, "unknown graph class 'mag'"),
    ("class as a list", A_B | {"class": ["dag"]}, "unknown graph class ['dag']"),
    ("class that does not fit", A_B | {"directed": [["A", "B"], ["B", "A"]], "class": "dag"}, "cycle A -> B -> A"),
]


@pytest.mark.parametrize("record, why", [row[1:] for row in BAD_RECORDS], ids=[row[0] for row in BAD_RECORDS])
def test_bad_record_is_refused_and_never_crashes(record, why):
    with pytest.raises(CalverifyError) as refused:
        Graph.from_json(record)
    assert why in str(refused.value)


def test_shape_is_a_record_error_and_content_a_graph_error():
    with pytest.raises(RecordError):
        Graph.from_json({"nodes": []})
    with pytest.raises(GraphError):
        Graph.from_json({"nodes": ["A"], "directed": [["A", "A"]]})


# ---------------------------------------------------------------- relations

FAMILY = Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y, X <-> P, Y <-> Q, Q <-> P")
RELATIONS = [
    ("parents", "Y", "U M P"),
    ("parents", "X M", "U X"),
    ("children", "U", "X Y"),
    ("children", "Y", ""),
    ("spouses", "P", "X Q"),
    ("spouses", "U", ""),
    ("ancestors", "M", "M X U"),
    ("ancestors", "U Q", "U Q"),
    ("descendants", "X", "X M Y"),
    ("descendants", "M P", "M P Y"),
    ("strict_ancestors", "M", "X U"),
    ("strict_ancestors", "U", ""),
    ("strict_ancestors", "X M", "U X"),
    ("strict_descendants", "X", "M Y"),
    ("strict_descendants", "X M", "M Y"),
    ("strict_descendants", "Y", ""),
    ("parents", "", ""),
    ("ancestors", "", ""),
]


@pytest.mark.parametrize("relation, names, found", RELATIONS)
def test_relation(relation, names, found):
    assert getattr(FAMILY, relation)(names.split()) == set(found.split())


@pytest.mark.parametrize(
    "relation", ["parents", "children", "spouses", "ancestors", "descendants", "strict_ancestors", "strict_descendants"]
)
def test_relation_refuses_unknown_names_and_takes_a_bare_one(relation):
    with pytest.raises(GraphError, match=r"'V' is not a node of the graph \(nodes: V1, V2\)"):
        getattr(Graph.parse("V1 -> V2"), relation)(["V1", "V"])
    graph = Graph.parse("V1 -> V2, V -> 1, V1 <-> 2")
    assert getattr(graph, relation)("V1") == getattr(graph, relation)(["V1"])


def test_unknown_name_in_an_empty_graph():
    with pytest.raises(GraphError, match=r"'A' is not a node of the graph \(nodes: none\)"):
        Graph([]).ancestors({"A"})


def test_ancestors_and_descendants_agree_with_walking_every_chain():
    rng = Random(3)
    for _ in range(300):
        n = rng.randint(1, 7)
        graph = random_admg(rng, n, 0.3, 0.2) if rng.random() < 0.5 else random_directed(rng, n, 0.2)
        slow = Paths(graph)
        for node in graph.nodes:
            assert graph.descendants({node}) == slow.below[node]
            assert graph.ancestors({node}) == slow.above(node)
            assert graph.strict_descendants({node}) == slow.strictly_below(node)
            assert graph.strict_ancestors({node}) == {a for a in graph.nodes if node in slow.strictly_below(a)}


def test_on_a_cycle_a_node_is_its_own_strict_descendant():
    graph = Graph.parse("A -> B -> A, B -> C")
    assert graph.strict_descendants({"A"}) == {"A", "B", "C"}
    assert graph.strict_ancestors({"C"}) == {"A", "B"}


# ---------------------------------------------------------------- surgery

SURGERY = [
    ("without_edges_into", "X", "U -> Y, X -> M -> Y, P -> Y, Y <-> Q, Q <-> P"),
    ("without_edges_into", "Y", "U -> X, X -> M, X <-> P, Q <-> P, Y"),
    ("without_edges_into", "X Y", "U, X -> M, Q <-> P, Y"),
    ("without_edges_out_of", "X", "U -> X, U -> Y, M -> Y, P -> Y, X <-> P, Y <-> Q, Q <-> P"),
    ("without_edges_out_of", "U X", "M -> Y, P -> Y, X <-> P, Y <-> Q, Q <-> P, U"),
    ("induced", "X M Q", "X -> M, Q"),
    ("induced", "P Q Y", "P -> Y, Y <-> Q, Q <-> P"),
    ("induced", "", ""),
    ("without_edges_into", "", str(FAMILY)),
    ("without_edges_out_of", "", str(FAMILY)),
]


@pytest.mark.parametrize("operation, names, left", SURGERY)
def test_surgery(operation, names, left):
    before = str(FAMILY)
    assert getattr(FAMILY, operation)(names.split()) == Graph.parse(left)
    assert str(FAMILY) == before


@pytest.mark.parametrize("operation", ["without_edges_into", "without_edges_out_of", "induced"])
def test_surgery_refuses_unknown_names(operation):
    with pytest.raises(GraphError, match="'Z' is not a node"):
        getattr(FAMILY, operation)({"Z"})


def test_surgery_keeps_the_order_of_nodes_and_infers_the_class_again():
    assert Graph("CBA", [("B", "C"), ("C", "A"), ("A", "B")]).induced({"A", "C"}).nodes == ("C", "A")
    assert Graph.parse("A -> B -> C -> A").without_edges_into({"B"}).kind == "dag"
    assert Graph.parse("A -> B, A <-> B").without_edges_into({"B"}).kind == "dag"


RENAMED = [
    ("A -> B <-> C", {"A": "B", "B": "A"}, "B -> A <-> C"),
    ("A -> B", {"A": "Z"}, "Z -> B"),
    ("A -> B", {"Q": "Z"}, "A -> B"),
    ("A -> B -> A", {"A": "two words"}, '"two words" -> B -> "two words"'),
]


@pytest.mark.parametrize("before, names, after", RENAMED)
def test_renamed(before, names, after):
    assert Graph.parse(before).renamed(names) == Graph.parse(after)


def test_renaming_keeps_the_declared_class_and_refuses_a_merger():
    assert Graph.parse("A -> B", "admg").renamed({"A": "C"}).kind == "admg"
    with pytest.raises(GraphError, match="node 'B' is listed twice"):
        Graph.parse("A -> B").renamed({"A": "B"})
