"""A simple directed cycle; any rotation, with or without the first node repeated."""

from random import Random

import pytest

import calverify as cv
from calverify.scoring import case_of
from calverify.tasks import faultless_trace
from tests.oracles import criteria
from tests.problems import known
from tests.sheets import bits, read_sheet, sheet_of

CASES = pytest.mark.parametrize("count", [80, pytest.param(3_000, marks=pytest.mark.property)])
QUERY = cv.Query("cycle")
LOOPS = "A -> B -> C -> A, B -> A, C -> D -> C, E -> A"

JUDGED = [
    ("a triangle", ["A", "B", "C"], True, "A -> B -> C -> A is a directed cycle"),
    ("its first node repeated", ["A", "B", "C", "A"], True, "A -> B -> C -> A is a directed cycle"),
    ("rotated", ["C", "A", "B"], True, "A -> B -> C -> A is a directed cycle"),
    ("rotated and repeated", ["B", "C", "A", "B"], True, "A -> B -> C -> A is a directed cycle"),
    ("in words", "B -> C -> A -> B", True, "A -> B -> C -> A is a directed cycle"),
    ("in words, closed up", "B->C->A->B", True, "A -> B -> C -> A is a directed cycle"),
    ("in words, with Unicode arrows", "B → C → A → B", True, "A -> B -> C -> A is a directed cycle"),
    ("a list in words", "A, B, C", True, "A -> B -> C -> A is a directed cycle"),
    ("a list in brackets", "[A, B, C, A]", True, "A -> B -> C -> A is a directed cycle"),
    ("a two-cycle", ["A", "B"], True, "A -> B -> A is a directed cycle"),
    ("a two-cycle, closed", ["D", "C", "D"], True, "C -> D -> C is a directed cycle"),
    ("a closed walk, twice round", ["A", "B", "A", "B", "A"], False, "visits A twice"),
    ("a closed walk of two cycles", ["A", "B", "C", "D", "C"], False, "visits C twice"),
    ("back to front", ["C", "B", "A"], False, "A -> C is not an edge"),
    ("an open chain", ["E", "A", "B"], False, "B -> E is not an edge"),
    ("one node", ["A"], False, "A -> A is not an edge"),
    ("one node, repeated", ["A", "A"], False, "A -> A is not an edge"),
    ("a name that is no node", ["A", "W"], False, "A -> W is not an edge"),
    ("no node", [], False, "the sequence is empty"),
    ("the empty set", "set()", False, "the sequence is empty"),
    ("an arrow that points back", "A <- C <- B <- A", False, "does not point forward"),
    ("no list", {"A": "B"}, False, "is not a list of names"),
]


@pytest.mark.parametrize("cycle, valid, why", [row[1:] for row in JUDGED], ids=[row[0] for row in JUDGED])
def test_a_sequence_is_judged(cycle, valid, why):
    said = cv.check(cv.Graph.parse(LOOPS), QUERY, cycle)
    assert said.valid is valid
    assert why in said.why


def test_a_graph_without_a_cycle_says_so_with_an_order():
    graph = cv.Graph.parse("B -> A, C -> B")
    said = cv.check(graph, QUERY, ["A", "B"])
    assert said.valid is False
    assert said.witness["kind"] == "topological_order"
    assert criteria.is_topological_order(graph, said.witness["order"])
    assert cv.solve(graph, QUERY) == []
    assert cv.nearest_valid(graph, QUERY, ["A", "B"]) is None


def test_a_query_with_targets_is_refused():
    with pytest.raises(cv.QueryError, match="takes no targets"):
        cv.check(cv.Graph.parse(LOOPS), cv.Query("cycle", ("A",)), ["A", "B"])


def rotations(cycle):
    return [cycle[i:] + cycle[:i] for i in range(len(cycle))]


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg", "directed"])
def test_sequences_agree_with_the_oracle(kind, count):
    for seed in range(count):
        rng = Random(f"{kind} {seed}")
        drawn = known(rng, "cycle", kind)
        graph, case = drawn.problem.graph, case_of(drawn.problem.graph, QUERY)
        assert cv.solve(graph, QUERY) == sorted(drawn.right, key=lambda cycle: (len(cycle), repr([*cycle, cycle[0]])))
        for cycle in [*drawn.right, *drawn.wrong, *(rng.sample(graph.nodes, k) for k in (2, 2, 3, 3, 4))]:
            for turned in rotations(list(cycle)):
                if len(turned) > 1 and turned[0] == turned[-1]:
                    continue  # read as closed: the sequence without its end, which is another one
                valid = criteria.closes(graph, turned)
                for written in (turned, [*turned, turned[0]], " -> ".join(turned)):
                    said = cv.check(graph, QUERY, written)
                    assert said.valid == valid, (graph, written)
                    assert_is_proof(said.witness, graph, turned, valid)
        cheapest = case.task.cheapest(case)
        shortest = min(map(len, drawn.right), default=0)
        assert cheapest is None if not drawn.right else len(cheapest) == shortest
        assert cheapest is None or criteria.closes(graph, cheapest)


def assert_is_proof(witness, graph, cycle, valid):
    match witness["kind"]:
        case "cycle":
            assert valid
            assert witness["cycle"][:-1] in rotations(list(cycle))
            assert witness["cycle"][0] == witness["cycle"][-1]
        case "topological_order":
            assert not valid
            assert criteria.is_topological_order(graph, witness["order"])
        case "repeated":
            assert not valid
            assert list(cycle).count(witness["name"]) > 1
        case "no_edge":
            assert not valid
            assert tuple(witness["edge"]) not in graph.directed
            assert tuple(witness["edge"]) in list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        case _:
            raise AssertionError(f"a witness of no known kind: {witness}")


@CASES
def test_the_nearest_valid_cycle_is_a_cycle(count):
    for seed in range(count):
        rng = Random(seed)
        drawn = known(rng, "cycle", "directed")
        near = cv.nearest_valid(drawn.problem.graph, QUERY, rng.choice(drawn.wrong))
        assert near[0] == near[-1]
        assert criteria.closes(drawn.problem.graph, near[:-1])


def test_every_way_to_write_one_cycle_is_one_answer():
    problem = cv.Problem("p", QUERY, cv.Graph.parse(LOOPS))
    ways = [
        ["A", "B", "C"],
        ["B", "C", "A"],
        ["C", "A", "B", "C"],
        "A -> B -> C -> A",
        "[C, A, B]",
        '["B", "C", "A", "B"]',
    ]
    sheet = sheet_of(problem, ("A", "B", "C"))
    for result in ways:
        for line in ways:
            verdict = cv.verify(problem, sheet.but(result={"result": result}, line=line).text())
            assert verdict.score == 6, (result, line, verdict.faults)
            assert verdict.answer == ["A", "B", "C", "A"]


@pytest.mark.parametrize(
    "names", [("A", "X -> Y"), ("A->", "B"), ("A", "B, C"), ("none", "{}"), ("[A", "B]"), ("←", "b")]
)
def test_any_name_can_stand_in_a_cycle(names):
    """On the ANSWER line, too: what `faultless_trace` writes there reads back, in JSON where plain words would not."""
    graph = cv.Graph(names, [names, names[::-1]])
    problem, cycle = cv.Problem("p", QUERY, graph), (min(names), max(names))
    text = faultless_trace(case_of(graph, QUERY), cycle)
    assert bits(cv.verify(problem, text)) == "111111"
    verdict = cv.verify(problem, read_sheet(text).but(line=[*cycle, cycle[0]]).text())
    assert bits(verdict) == "111111", verdict.faults


def test_a_set_is_no_sequence():
    """A Python set has no order of its own: which cycle it would name depends on the run."""
    graph = cv.Graph.parse("A -> B -> C -> A")
    try:
        said = cv.check(graph, QUERY, {"A", "B", "C"})
    except cv.CalverifyError:
        return
    assert said.valid is False
    assert said.witness["kind"] == "unreadable"
