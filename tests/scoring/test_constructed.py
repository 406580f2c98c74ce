"""No graph supplied: a trace is judged on the graph it states, which the problem's legend and class must allow."""

from random import Random

import pytest

import calverify as cv
from tests.problems import SOLVABLE, known
from tests.sheets import ABSENT, Copies, Raw, bits, sheet_of

TRUE = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y")
QUERY = cv.Query("backdoor", ("X", "Y"))
OWN = cv.Problem("w", QUERY, text="a tale", legend=TRUE.nodes, graph_class="dag")
SHEET = sheet_of(cv.Problem("w", QUERY, TRUE))
NODES = list(TRUE.nodes)
EDGES = [list(edge) for edge in TRUE.directed]


def test_the_right_answer_on_the_right_graph():
    verdict = cv.verify(OWN, SHEET.text())
    assert verdict.score == 6
    assert verdict.answer == ["U"]


def test_a_valid_answer_under_a_wrong_graph_of_its_own_scores_six():
    """The confounder is turned into a mediator and the mediator into a confounder: {M} is valid there, {U} is not."""
    wrong = cv.Graph.parse("M -> X, M -> Y, X -> U -> Y, P -> Y")
    sheet = sheet_of(cv.Problem("w", QUERY, wrong))
    verdict = cv.verify(OWN, sheet.text())
    assert verdict.score == 6
    assert verdict.answer == ["M"]
    assert bits(cv.verify(cv.Problem("w", QUERY, TRUE), sheet.text())) == "010100"
    assert bits(cv.verify(OWN, sheet.swapped(["U"]).text())) == "110100"


BAD = [
    ("missing", ABSENT, "missing"),
    ("twice", Copies((SHEET.graph, SHEET.graph)), "2 copies"),
    ("malformed", Raw('{"nodes": ['), "not JSON"),
    ("a list", [NODES, EDGES], "a graph is an object"),
    ("outside the legend", {"nodes": [*NODES, "W"], "edges": EDGES}, "W is not in the legend"),
    ("a target left out", {"nodes": ["U", "X", "M"], "edges": [["U", "X"], ["X", "M"]]}, "the target Y is not among"),
    ("an edge to nowhere", {"nodes": NODES[1:], "edges": EDGES}, NODES[0]),
    ("a cycle", {"nodes": NODES, "edges": [*EDGES, ["Y", "U"]]}, "declared dag, but it has the directed cycle"),
    (
        "an arc in a dag",
        {"nodes": NODES, "edges": EDGES, "bidirected": [["U", "P"]]},
        "declared dag, but it has the bidi",
    ),
    ("a self-loop", {"nodes": NODES, "edges": [["X", "X"]]}, "X -> X is a self-loop"),
    ("a node twice", {"nodes": [*NODES, "X"], "edges": EDGES}, "node 'X' is listed twice"),
    ("an edge twice", {"nodes": NODES, "edges": [*EDGES, EDGES[0]]}, "edge U -> X is listed twice"),
    (
        "a cycle and an arc",
        {"nodes": NODES, "edges": [*EDGES, ["Y", "U"]], "bidirected": [["U", "P"]]},
        "directed cycle",
    ),
    ("a class of its own", {"class": "directed", "nodes": NODES, "edges": [*EDGES, ["Y", "U"]]}, "declared dag"),
    ("a field too many", {"nodes": NODES, "edges": EDGES, "gold": ["U"]}, "unknown field 'gold'"),
]


@pytest.mark.parametrize("graph, says", [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_graph_that_will_not_do(graph, says):
    """Without a graph nothing can be checked on one; query and derivation stand for themselves."""
    verdict = cv.verify(OWN, SHEET.but(graph=graph).text())
    assert bits(verdict) == "010100"
    assert says in verdict.faults[0].why
    assert {fault.slot for fault in verdict.faults} == {"graph", "strategy", "result", "answer"}
    assert verdict.answer == ["U"]
    assert verdict.admissible


GOOD = [
    ("part of the legend", {"nodes": ["U", "X", "Y"], "edges": [["U", "X"], ["U", "Y"]]}),
    ("no edge of the truth", {"nodes": ["U", "X", "Y"], "edges": [["U", "Y"]]}),
    ("no bidirected edges, said so", {"nodes": NODES, "edges": EDGES, "bidirected": []}),
]


@pytest.mark.parametrize("graph", [row[1] for row in GOOD], ids=[row[0] for row in GOOD])
def test_a_graph_that_will_do(graph):
    assert cv.verify(OWN, SHEET.but(graph=graph).text()).score == 6


@pytest.mark.parametrize("nodes, score, says", [(1_500, 6, "blocks"), (1_501, None, "own graph has 1,501 nodes")])
def test_without_a_legend_a_graph_has_a_limit(nodes, score, says):
    """Over it, nothing is decided: neither right nor wrong."""
    others = [f"W{i}" for i in range(nodes - len(NODES))]
    verdict = cv.verify(cv.Problem("w", QUERY), SHEET.but(graph={"nodes": [*NODES, *others], "edges": EDGES}).text())
    assert verdict.score == score
    assert says in verdict.why


def test_without_a_legend_any_name_will_do():
    problem = cv.Problem("w", QUERY)
    graph = {"nodes": [*NODES, "W"], "edges": [*EDGES, ["W", "X"]]}
    assert cv.verify(problem, SHEET.but(graph=graph).text()).score == 6


CLASSES = [
    ("dag", "X -> Y, U -> X, U -> Y", True),
    ("dag", "X -> Y, U <-> Y, U -> X", False),
    ("dag", "X -> Y -> U -> X", False),
    ("admg", "X -> Y, U <-> Y, U -> X", True),
    ("admg", "X -> Y, U -> Y, U -> X", True),
    ("admg", "X -> Y -> U -> X", False),
    ("directed", "X -> Y -> U -> X", True),
    ("directed", "X -> Y, U -> X", True),
    ("directed", "X -> Y, U <-> Y", False),
    (None, "X -> Y -> U -> X", True),
    (None, "X -> Y, U <-> Y", True),
]


@pytest.mark.parametrize("declared, graph, fits", CLASSES)
def test_the_declared_class_is_checked(declared, graph, fits):
    query = cv.Query("intervention", ("X", "Y"))
    sheet = sheet_of(cv.Problem("p", query, cv.Graph.parse(graph)))
    verdict = cv.verify(cv.Problem("p", query, legend=("X", "Y", "U"), graph_class=declared), sheet.text())
    assert bits(verdict) == ("111111" if fits else "010100")


def test_a_class_that_the_task_does_not_admit_fails_the_graph():
    """Nothing is declared, but backdoor sets are defined on acyclic graphs only."""
    graph = {"nodes": NODES, "edges": [*EDGES, ["Y", "U"]]}
    verdict = cv.verify(cv.Problem("w", QUERY), SHEET.but(graph=graph).text())
    assert bits(verdict) == "010100"
    assert "directed cycle" in verdict.faults[0].why


def test_a_path_that_its_graph_does_not_have_fails_the_graph():
    problem = cv.Problem("p", cv.Query("blocked_path", path="A -> B -> C"), legend=("A", "B", "C"))
    right = sheet_of(cv.Problem("p", problem.query, cv.Graph.parse("A -> B -> C")))
    assert cv.verify(problem, right.text()).score == 6
    turned = right.but(graph={"nodes": ["A", "B", "C"], "edges": [["A", "B"], ["C", "B"]]})
    verdict = cv.verify(problem, turned.text())
    assert bits(verdict) == "010100"
    assert "B -> C" in verdict.faults[0].why


@pytest.mark.parametrize("task, kind", [row for row in SOLVABLE if row[0] != "knights"])
def test_every_task_is_judged_on_the_graph_of_the_trace(task, kind):
    for seed in range(25):
        rng = Random(f"{task} {kind} {seed}")
        drawn = known(rng, task, kind)
        graph = drawn.problem.graph
        problem = cv.Problem("p", drawn.problem.query, legend=graph.nodes, graph_class=graph.kind)
        right, wrong = rng.choice(drawn.right), rng.choice(drawn.wrong)
        sheet = sheet_of(drawn.problem, right)
        assert cv.verify(problem, sheet.text()).score == 6
        swapped = sheet.swapped(cv.find_task(task).answer.show(wrong))
        assert bits(cv.verify(problem, swapped.text())) == "110100"


def test_each_trace_is_judged_on_its_own_graph():
    """One problem, two traces with opposite graphs: neither leaks into the other's verdict."""
    one = sheet_of(cv.Problem("w", QUERY, cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y")))
    two = sheet_of(cv.Problem("w", QUERY, cv.Graph.parse("M -> X, M -> Y, X -> U -> Y, P -> Y")))
    for order in ([one, two], [two, one], [one, two, one]):
        assert [cv.verify(OWN, sheet.text()).score for sheet in order] == [6] * len(order)
        crossed = [sheet.swapped(["M" if sheet is one else "U"]) for sheet in order]
        assert [cv.verify(OWN, sheet.text()).score for sheet in crossed] == [3] * len(order)


# ---------------------------------------------------------------- size

HUB = cv.Graph([f"v{i}" for i in range(1_500)], [("v0", f"v{i}") for i in range(1, 1_500)])
SIDES = cv.Graph(HUB.nodes, [(a, b) for a in HUB.nodes[:20] for b in HUB.nodes[20:]])
ALL_JOINED = cv.Graph(HUB.nodes[:250], [(a, b) for i, a in enumerate(HUB.nodes[:250]) for b in HUB.nodes[i + 1 : 250]])


@pytest.mark.parametrize("task, graph", [("fork", HUB), ("fork", SIDES), ("v_structure", SIDES)])
def test_a_graph_with_more_objects_than_can_be_listed_is_undetermined(task, graph):
    """A megabyte of edges has millions of triples: they are neither listed nor is the trace wrong."""
    sheet = sheet_of(cv.Problem("w", cv.Query("node"), graph)).swapped(["v0", "v1", "v2"])
    for problem in (cv.Problem("w", cv.Query(task)), cv.Problem("w", cv.Query(task), graph)):
        verdict = cv.verify(problem, sheet.text())
        assert verdict.score is None
        assert verdict.undetermined == f"{task} has more than 20,000 objects on this graph"
        assert not verdict.admissible


@pytest.mark.parametrize("task", ["chain", "fork", "v_structure"])
def test_where_every_triple_is_shielded_there_is_nothing_to_list(task):
    assert cv.solve(ALL_JOINED, cv.Query(task)) == []


def test_the_case_of_a_question_that_is_too_large_is_refused():
    with pytest.raises(cv.BudgetError, match="fork has more than 20,000 objects"):
        _ = cv.Checker(cv.Problem("w", cv.Query("fork"), HUB)).case
