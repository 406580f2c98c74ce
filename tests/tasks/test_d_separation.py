"""A set that separates two nodes, and holds neither of them: d-separation on dags, m-separation on admgs."""

import pytest

import calverify as cv
from tests.set_agreement import set_task_agrees
from tests.sheets import bits, sheet_of

CASES = pytest.mark.parametrize("count", [60, pytest.param(3_000, marks=pytest.mark.property)])
CLASSES = pytest.mark.parametrize("kind", ["dag", "admg"])
FIGURE = "K -> C, R -> L, B -> L, B -> W, J -> K, B -> R, C -> Y, K -> B"

JUDGED = [
    ("the paper's figure: the trace's set", FIGURE, "Y", "B", "C", True, "{C} blocks every path between Y and B"),
    ("the paper's figure: another set", FIGURE, "Y", "B", "K", True, "{K} blocks every path"),
    ("the paper's figure: nothing", FIGURE, "Y", "B", "", False, "Y <- C <- K -> B"),
    ("a collider left alone", "A -> C <- B", "A", "B", "", True, "{} blocks every path"),
    ("a collider given", "A -> C <- B", "A", "B", "C", False, "the collider C is given"),
    ("a collider opened from below", "A -> C <- B, C -> D -> E", "A", "B", "E", False, "C is opened by C -> D -> E"),
    ("one endpoint in the set", "A -> B, C", "A", "C", "A", False, "A is one of the two nodes to separate"),
    ("the other endpoint in the set", "A -> B, C", "A", "C", "C", False, "C is one of the two nodes to separate"),
    ("an endpoint that does separate", "A -> B -> C", "A", "C", "B A", False, "A is one of the two nodes"),
    ("a name that is no node", "A -> B -> C", "A", "C", "B W", False, "W is not a node of the graph"),
    ("neighbours", "A -> B, C", "A", "B", "C", False, "A -> B"),
    ("an arc", "A <-> B, C", "A", "B", "C", False, "A <-> B"),
    ("arcs meet in a collider", "A <-> B <-> C", "A", "C", "", True, "{} blocks every path"),
    ("arcs meet in a collider that is given", "A <-> B <-> C", "A", "C", "B", False, "the collider B is given"),
    ("a bow is two edges", "A -> B <-> A, B -> C", "A", "C", "B", True, "{B} blocks every path"),
    ("the bow's edges both open", "A <-> B <-> C, A -> B", "A", "C", "B", False, "B <-> C open"),
    ("nodes called P and Q", "P -> U -> Q", "P", "Q", "U", True, "between P and Q"),
    ("names that share characters", "V -> V1 -> V11", "V", "V11", "V1", True, "between V and V11"),
]


@pytest.mark.parametrize("graph, x, y, names, valid, why", [row[1:] for row in JUDGED], ids=[row[0] for row in JUDGED])
def test_a_set_is_judged(graph, x, y, names, valid, why):
    names = frozenset(names.split())
    for targets in ((x, y), (y, x)):
        problem = cv.Problem("p", cv.Query("d_separation", targets), cv.Graph.parse(graph))
        said = cv.check(problem.graph, problem.query, names)
        assert said.valid is valid
        if targets == (x, y):
            assert why in said.why
        assert bits(cv.verify(problem, sheet_of(problem, names).text())) == ("111111" if valid else "110100")


REFUSED = [
    ("one node twice", "A -> B", ("A", "A"), cv.QueryError, "must be different nodes, not A, A"),
    ("an unknown node", "A -> B", ("A", "W"), cv.QueryError, "'W' is not in the graph"),
    ("three nodes", "A -> B -> C", ("A", "B", "C"), cv.QueryError, "takes 2 targets"),
    ("a cycle", "A -> B -> A, C", ("A", "C"), cv.GraphError, "directed cycle"),
]


@pytest.mark.parametrize("graph, targets, error, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    graph, query = cv.Graph.parse(graph), cv.Query("d_separation", targets)
    for ask in (cv.check, cv.nearest_valid):
        with pytest.raises(error) as refused:
            ask(graph, query, [])
        assert why in str(refused.value)
    with pytest.raises(error):
        cv.verify(cv.Problem("p", query, graph), "")


@CASES
@CLASSES
def test_sets_agree_with_the_oracle(kind, count):
    set_task_agrees("d_separation", kind, count)


def test_neighbours_cannot_be_separated():
    graph, query = cv.Graph.parse("A -> B, C"), cv.Query("d_separation", ("A", "B"))
    assert cv.solve(graph, query) == []
    assert cv.nearest_valid(graph, query, {"C"}) is None


def test_targets_bind_in_any_order():
    problem = cv.Problem("p", cv.Query("d_separation", ("Y", "B")), cv.Graph.parse(FIGURE))
    turned = sheet_of(problem).but(query={"task": "d_separation_nodeset", "targets": ["B", "Y"]})
    assert cv.verify(problem, turned.text()).score == 6


LADDER = ", ".join(f"A -> L{i} -> R{i} -> B" for i in range(14))  # 2 ** 14 minimal sets


def test_too_many_answers_are_said_to_be_too_many():
    graph, query = cv.Graph.parse(LADDER), cv.Query("d_separation", ("A", "B"))
    with pytest.raises(cv.BudgetError, match="more than 10,000 minimal answers"):
        cv.solve(graph, query)
    with pytest.raises(cv.BudgetError, match="more than 3 minimal answers"):
        cv.solve(graph, query, limit=3)


def test_a_far_answer_is_mended_within_the_budget():
    """Too many changes to try them all: a smallest valid set is offered in place of the nearest."""
    graph, query = cv.Graph.parse(LADDER), cv.Query("d_separation", ("A", "B"))
    near = cv.nearest_valid(graph, query, [])
    assert cv.check(graph, query, near).valid
    assert len(near) == 14
