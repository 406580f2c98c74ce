"""The edit margin of a verdict beside brute force over every set of edits."""

from itertools import combinations, permutations
from random import Random

import pytest

import calverify as cv
from calverify.scoring import _margin, case_of, check, edit_margin
from tests.recheck.draws import ROWS, random_triple

W1 = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y")
BACKDOOR = cv.Query("backdoor", ("X", "Y"))


def edges_of(graph):
    return frozenset(("->", *e) for e in graph.directed) | {("<->", *sorted(e)) for e in graph.bidirected}


def legal(nodes, edges, kind):
    try:
        arrows = [e[1:] for e in edges if e[0] == "->"]
        return cv.Graph(nodes, arrows, [e[1:] for e in edges if e[0] == "<->"], kind)
    except cv.GraphError:
        return None


def verdict_on(graph, query, answer):
    """None where the question makes no sense."""
    try:
        case = case_of(graph, query)
    except (cv.GraphError, cv.QueryError):
        return None
    return case.holds(case.task.answer.read(answer, case.names, "answer"))


def one_edit_away(graph):
    """Every legal graph of the class that differs by one edit, by trying every edit."""
    edges = edges_of(graph)
    tried = [edges - {edge} for edge in edges]
    tried += [edges | {("->", a, b)} for a, b in permutations(graph.nodes, 2)]
    tried += [edges | {("<->", *sorted(pair))} for pair in combinations(graph.nodes, 2) if graph.kind == "admg"]
    tried += [
        edges - {edge} | {("->", edge[2], edge[1])}
        for edge in edges
        if edge[0] == "->" and ("->", edge[2], edge[1]) not in edges
    ]
    found = (legal(graph.nodes, one, graph.kind) for one in tried if one != edges)
    return [one for one in found if one is not None]


def slow_margin(graph, query, answer, most):
    """The first ring around the graph in which some graph turns the verdict round."""
    before, ring = verdict_on(graph, query, answer), {graph}
    for count in range(1, most + 1):
        ring = {edited for one in ring for edited in one_edit_away(one)}
        if any(verdict_on(one, query, answer) is (not before) for one in ring):
            return count
    return None


def applied(graph, edits):
    """The graph after the edits, one by one; each must have been possible."""
    edges = set(edges_of(graph))
    for what, edge in edits:
        left, mark, right = edge.split()
        named = (mark, *((left, right) if mark == "->" else sorted((left, right))))
        if what == "add":
            assert named not in edges
            edges.add(named)
            continue
        edges.remove(named)
        if what == "reverse":
            edges.add(("->", right, left))
    return legal(graph.nodes, edges, graph.kind)


GRAPHS = [(task, kind) for task, kind in ROWS if kind in ("dag", "admg", "directed")]  # undirected ones: see below


@pytest.mark.parametrize("row", GRAPHS, ids="-".join)
def test_margin_is_the_least(row):
    """On graphs of three and four nodes, every task and class."""
    rng, done = Random(str(row)), 0
    while done < 4:
        problem, answer = random_triple(rng, *row)
        graph, query = problem.graph, problem.query
        if len(graph.nodes) > 4:
            continue
        done += 1
        margin = edit_margin(graph, query, answer, most=2)
        assert margin.count == slow_margin(graph, query, answer, 2)
        if margin.count is None:
            assert (margin.edits, margin.searched) == ((), 2)
            continue
        edited = applied(graph, margin.edits)
        assert len(margin.edits) == margin.count == margin.searched
        assert verdict_on(edited, query, answer) is not verdict_on(graph, query, answer)


def test_worked_example():
    """One edge stands between {U} and a wrong answer, two between {M} and a right one."""
    assert edit_margin(W1, BACKDOOR, {"U"}).count == 1
    two = edit_margin(W1, BACKDOOR, {"M"})
    assert two.to_json() == {"count": 2, "edits": [["delete", "U -> X"], ["delete", "X -> M"]], "searched": 2}
    assert two.why == "2 edge edits flip the verdict: delete U -> X, delete X -> M"


def test_what_no_edit_can_mend():
    """The treatment itself is in the set, whatever the graph."""
    margin = edit_margin(W1, BACKDOOR, {"X"}, most=2)
    assert (margin.count, margin.why) == (None, "more than 2 edge edits are needed to flip the verdict")
    assert edit_margin(W1, BACKDOOR, "][", most=2).count is None


def test_a_budget_that_ends_is_told(monkeypatch):
    """`searched` says how far every graph was tried."""
    monkeypatch.setattr(_margin, "MOST_GRAPHS", 30)
    margin = edit_margin(W1, BACKDOOR, {"X"})
    assert (margin.count, margin.searched) == (None, 1)


def test_margin_needs_a_graph():
    with pytest.raises(cv.QueryError):
        edit_margin(None, BACKDOOR, {"U"})


def test_a_named_path_survives_its_edits():
    """Edits that break the named path are no answer to a question about it."""
    graph, query = cv.Graph.parse("X -> M -> Y"), cv.Query("blocked_path", path="X -> M -> Y")
    assert edit_margin(graph, query, {"M"}, most=2).count is None
    assert check(graph, query, {"M"}).valid


def test_one_hidden_cause_is_an_edit_where_there_may_be_some():
    """No arrow joins two nodes into a C-component; on a dag there are no bidirected edges, and none are added."""
    asked = cv.Query("c_component"), ["A", "B"]
    margin = edit_margin(cv.Graph.parse("A -> B, C <-> D"), *asked)
    assert margin.why == "1 edge edit flips the verdict: add A <-> B"
    assert edit_margin(cv.Graph.parse("A -> B, C, D"), *asked, most=2).count is None


def test_undirected_graphs_lose_edges_only():
    graph = cv.Graph.parse("A -- B, B -- C")
    assert edit_margin(graph, cv.Query("edge"), "A -- B").edits == (("delete", "A -- B"),)
    assert edit_margin(graph, cv.Query("edge"), "A -- C", most=2).count is None


def test_edits_are_tried_breadth_first():
    """So the first flip is a shortest one: no pair is tried before every single edit was."""
    seen = [set(map(edges_of, one_edit_away(W1)))]
    singles = {edges_of(edited) for _, edited in _margin._neighbours(W1)}
    assert singles == seen[0]
    assert len(singles) == sum(1 for _ in _margin._neighbours(W1))
    assert all(len(edges_of(W1) ^ one) <= 2 for one in singles)
    assert len(list(combinations(W1.nodes, 2))) == 10
