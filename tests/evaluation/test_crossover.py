"""Extract, then solve: the merged graph, the answer on it, and the way that is taken."""

from fractions import Fraction

import pytest

import calverify as cv
from calverify.evaluation import consensus, crossings, edge_agreement, route, solve_consensus
from calverify.keys import Key
from calverify.pools import Candidate, Pool
from calverify.selectors import view_of
from calverify.tasks import faultless_trace, find_task
from tests.evaluation.studies import GRAPH, QUERY, by_hand

TALE = cv.Problem("p", QUERY, None, "A tale.", legend=GRAPH.nodes, graph_class="dag")
HALF = Fraction(1, 2)


def graphs(*texts: str) -> list[cv.Graph]:
    return [cv.Graph.parse(text) for text in texts]


def trace(graph: str | cv.Graph, answer: str) -> str:
    """A trace by the book on a graph of its own."""
    drawn = graph if isinstance(graph, cv.Graph) else cv.Graph.parse(graph)
    return faultless_trace(find_task("backdoor").case(drawn, QUERY), frozenset(answer))


def view(*texts: str, problem: cv.Problem = TALE):
    return view_of(problem, Pool("p", 0, tuple(Candidate(i, text) for i, text in enumerate(texts))))


MERGED = [
    ("all alike", ["A -> B", "A -> B"], "A -> B"),
    ("two of three", ["A -> B, C", "A -> B, C", "C -> B, A"], "A -> B, C"),
    ("half is not enough", ["A -> B", "A, B"], "A, B"),
    ("directions are votes for different edges", ["A -> B", "B -> A", "A <-> B"], "A, B"),
    ("a bow keeps both its edges", ["A -> B, A <-> B", "A -> B, B <-> A", "A, B"], "A -> B, A <-> B"),
    ("a node that few know goes", ["A -> B", "A -> B", "A -> B -> C"], "A -> B"),
    ("a majority may close a cycle", ["A -> B -> C", "B -> C -> A", "C -> A -> B"], "A -> B -> C -> A"),
    ("undirected edges", ["A -- B -- C", "A -- B, C", "B -- A, C"], "A -- B, C"),
]


@pytest.mark.parametrize("stated, merged", [row[1:] for row in MERGED], ids=[row[0] for row in MERGED])
def test_edges_of_the_majority(stated, merged):
    assert consensus(graphs(*stated)) == cv.Graph.parse(merged)
    assert consensus(graphs(*stated)[::-1]) == cv.Graph.parse(merged)


def test_nothing_to_merge():
    with pytest.raises(cv.CalverifyError, match="no graph to merge"):
        consensus([])


AGREEMENT = [
    ([], None),
    (["A -> B"], None),
    (["A -> B", "A -> B"], 1),
    (["A -> B", "B -> A"], 0),
    (["A, B", "B, A"], 1),
    (["A -> B -> C", "A -> B, C"], Fraction(1, 2)),
    (["A -> B", "A -> B", "B -> A"], Fraction(1, 3)),
]


@pytest.mark.parametrize("stated, agreement", AGREEMENT)
def test_agreement_is_the_mean_over_pairs(stated, agreement):
    assert edge_agreement(graphs(*stated)) == agreement


def test_the_solver_may_give_what_nobody_gave():
    """Three traces that misread one edge each, none with a valid answer: the merged graph is the source."""
    damaged = [cv.Graph(GRAPH.nodes, [e for e in GRAPH.directed if e != gone]) for gone in GRAPH.directed[:3]]
    seen = view(*(trace(graph, "M") for graph in damaged))
    solved = solve_consensus(seen)
    assert solved.graph == GRAPH
    assert solved.answer == ["U"]
    taken = route(seen, HALF)
    assert (taken.way, taken.answer, taken.index) == ("solve", ["U"], None)
    assert "edge agreement" in taken.why


ONE = "U -> X, U -> Y, X -> M -> Y, A, B, C"
OTHER = "X -> U, Y -> U, M -> X, A -> B, C, Y"


def test_where_readings_diverge_each_candidate_is_verified():
    seen = view(trace(ONE, "U"), trace("M -> X, Y, U, A -> Y, B, C", "M"))
    taken = route(seen, HALF)
    assert (taken.way, taken.answer, taken.index) == ("verify", ["U"], 0)
    assert route(seen, Fraction(0)).way == "solve"


ABSTAIN = [
    ("nobody states a graph", ["prose"], "no candidate can be read"),
    ("nobody's answer holds on its own graph", [trace(ONE, "M")], "the best candidate has 3 of 6 bits"),
]


@pytest.mark.parametrize("texts, why", [row[1:] for row in ABSTAIN], ids=[row[0] for row in ABSTAIN])
def test_abstaining_says_why(texts, why):
    taken = route(view(*texts), HALF)
    assert (taken.way, taken.answer, taken.index) == ("abstain", None, None)
    assert taken.why.endswith(why)


NOT_SOLVED = [
    ("no graph", ["prose"], "no candidate states a graph"),
    ("of another class", [trace("U -> X -> Y", "U")] * 2, None),
    ("a cycle", [trace("X -> Y -> M", ""), trace("Y -> M -> X", ""), trace("M -> X -> Y", "")], "directed cycle"),
    ("no valid set", [trace("Y -> X", "")] * 3, "the merged graph has no answer"),
]


@pytest.mark.parametrize("texts, why", [row[1:] for row in NOT_SOLVED], ids=[row[0] for row in NOT_SOLVED])
def test_the_solver_says_why_not(texts, why):
    solved = solve_consensus(view(*texts))
    assert (solved.answer is None) == (why is not None)
    assert why is None or why in solved.why


def test_a_graph_that_does_not_serve_leads_to_verification():
    seen = view(*[trace("Y -> X, U -> X", "U")] * 2, trace(ONE, "U"))
    taken = route(seen, Fraction(1, 10))
    assert (taken.way, taken.index) == ("verify", 2)
    assert "the merged graph has no answer" in taken.why


def test_in_supplied_mode_the_graph_is_the_problems():
    problem = cv.Problem("p", QUERY, GRAPH)
    seen = view(trace(GRAPH, "M"), trace(GRAPH, "M"), problem=problem)
    assert solve_consensus(seen).graph == GRAPH
    assert route(seen).answer == ["U"]


def test_both_ways_are_graded_on_the_source_graph():
    """The solver's answer is on nobody's list, and a graph that all misread alike deceives it."""
    misread = "U -> X, U, X -> M -> Y, A -> Y, B -> Y, C -> Y"
    damaged = [cv.Graph(GRAPH.nodes, [e for e in GRAPH.directed if e != gone]) for gone in GRAPH.directed[:3]]
    pools = [[trace(graph, "M") for graph in damaged], [trace(misread, "")] * 2 + [trace(GRAPH, "U")], ["prose"]]
    keys = {"p": Key("p", graph=GRAPH)}
    first, second = crossings(by_hand(TALE, pools, keys["p"]), keys)
    assert (first.exact, first.solver, first.verified, first.covered, first.way, first.routed) == (
        True, True, False, False, "solve", True)  # fmt: skip
    assert (second.exact, second.solver, second.verified, second.covered, second.way, second.routed) == (
        False, False, False, True, "solve", False)  # fmt: skip
