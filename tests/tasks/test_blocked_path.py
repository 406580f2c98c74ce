"""One named path, judged edge by edge: not separation of its ends."""

import pytest

import calverify as cv
from tests.set_agreement import set_task_agrees
from tests.sheets import bits, sheet_of

CASES = pytest.mark.parametrize("count", [60, pytest.param(3_000, marks=pytest.mark.property)])
CLASSES = pytest.mark.parametrize("kind", ["dag", "admg"])
CLEAR = "T -> P, J -> T, F -> P, F -> T, F -> J, J -> P, F <-> P"

JUDGED = [
    ("a chain, its middle given", "A -> B -> C", "A->B->C", "B", True, "A -> B -> C is blocked: B is given"),
    ("a chain, nothing given", "A -> B -> C", "A->B->C", "", False, "{} leaves the path A -> B -> C open"),
    ("a fork", "A <- B -> C", "A<-B->C", "B", True, "B is given"),
    (
        "a collider, nothing given",
        "A -> B <- C",
        "A->B<-C",
        "",
        True,
        "B is a collider, and neither it nor a descendant",
    ),
    ("a collider, given", "A -> B <- C", "A->B<-C", "B", False, "the collider B is given"),
    ("a collider, opened from below", "A -> B <- C, B -> D", "A->B<-C", "D", False, "B is opened by B -> D"),
    ("CLEAR's example: nothing", CLEAR, "F->P<-T<-J", "", True, "P is a collider"),
    ("CLEAR's example: a chain node", CLEAR, "F->P<-T<-J", "T", True, "is blocked"),
    ("CLEAR's example: the collider", CLEAR, "F->P<-T<-J", "P", False, "the collider P is given"),
    ("CLEAR's example: both", CLEAR, "F->P<-T<-J", "P T", True, "T is given"),
    ("ends that stay joined elsewhere", "A -> B -> C, A -> C", "A->B->C", "B", True, "B is given"),
    ("an end in the set", "A -> B -> C", "A->B->C", "A B", False, "A is an end of the path"),
    ("the other end in the set", "A -> B <- C", "A->B<-C", "C", False, "C is an end of the path"),
    ("a name that is no node", "A -> B -> C", "A->B->C", "B W", False, "W is not a node of the graph"),
    ("one edge cannot be blocked", "A -> B, C", "A->B", "C", False, "leaves the path A -> B open"),
    ("the bow's arrow: a chain", "A -> B <-> A, B -> C", "A->B->C", "B", True, "B is given"),
    ("the bow's arc: a fork from nowhere", "A -> B <-> A, B -> C", "A<->B->C", "B", True, "B is given"),
    ("the bow's arc: a collider", "A -> B <-> A, B <- C", "A<->B<-C", "", True, "B is a collider"),
    ("two arcs: a collider", "A <-> B <-> C", "A<->B<->C", "B", False, "the collider B is given"),
    ("one of two colliders shut", "A -> B <- C -> D <- E", "A->B<-C->D<-E", "B", True, "D is a collider"),
    ("both colliders given", "A -> B <- C -> D <- E", "A->B<-C->D<-E", "B D", False, "leaves the path"),
    ("both colliders given, and the fork", "A -> B <- C -> D <- E", "A->B<-C->D<-E", "B C D", True, "C is given"),
]


@pytest.mark.parametrize("graph, path, names, valid, why", [row[1:] for row in JUDGED], ids=[row[0] for row in JUDGED])
def test_a_set_is_judged(graph, path, names, valid, why):
    names = frozenset(names.split())
    for text in (path, str(cv.Path.parse(path).reversed())):
        problem = cv.Problem("p", cv.Query("blocked_path", path=text), cv.Graph.parse(graph))
        said = cv.check(problem.graph, problem.query, names)
        assert said.valid is valid
        if text == path:
            assert why in said.why
        assert bits(cv.verify(problem, sheet_of(problem, names).text())) == ("111111" if valid else "110100")


REFUSED = [
    ("no path", "A -> B -> C", {"targets": ("A", "C")}, cv.QueryError, "needs the field 'path'"),
    ("an edge the wrong way round", "A -> B -> C", {"path": "A->B<-C"}, cv.QueryError, "step B <- C"),
    ("an arc that is an arrow", "A -> B -> C", {"path": "A<->B->C"}, cv.QueryError, "step A <-> B"),
    ("an arrow that is an arc", "A <-> B, B -> C", {"path": "A->B->C"}, cv.QueryError, "step A -> B"),
    ("a node that is not there", "A -> B -> C", {"path": "A->B->W"}, cv.QueryError, "'W'"),
    ("a node twice", "A -> B, A <-> B", {"path": "A->B<->A"}, cv.QueryError, "distinct nodes"),
    ("one node", "A -> B", {"path": "A"}, cv.QueryError, "A"),
    ("ends that are not the targets", "A -> B -> C", {"path": "A->B->C", "targets": ("A", "B")}, cv.QueryError, "A, B"),
    ("a cycle", "A -> B -> C -> B", {"path": "A->B->C"}, cv.GraphError, "directed cycle"),
]


@pytest.mark.parametrize("graph, fields, error, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_query_that_makes_no_sense_is_refused(graph, fields, error, why):
    graph, query = cv.Graph.parse(graph), cv.Query("blocked_path", **fields)
    with pytest.raises(error) as refused:
        cv.check(graph, query, [])
    assert why in str(refused.value)


@pytest.mark.parametrize("path", ["", "A ->", "A B", "-> B", "A -- B", "A -> B, B -> C"])
def test_a_path_that_is_none_is_refused_with_the_query(path):
    with pytest.raises(cv.CalverifyError):
        cv.Query("blocked_path", path=path)


@CASES
@CLASSES
def test_sets_agree_with_the_oracle(kind, count):
    set_task_agrees("blocked_path", kind, count)


def test_an_edge_alone_has_no_answer():
    graph, query = cv.Graph.parse("A -> B, C"), cv.Query("blocked_path", path="A->B")
    assert cv.solve(graph, query) == []
    assert cv.nearest_valid(graph, query, {"C"}) is None


PROBLEM = cv.Problem("p", cv.Query("blocked_path", path="F->P<-T<-J"), cv.Graph.parse(CLEAR))
STATED = [
    ("as asked", {"task": "blocked_path", "targets": ["F", "J"], "path": "F -> P <- T <- J"}, 1),
    ("back to front", {"task": "blocked_path", "targets": ["J", "F"], "path": "J->T->P<-F"}, 1),
    ("left out", {"task": "blocked_path", "targets": ["F", "J"]}, 1),
    ("another path", {"task": "blocked_path", "targets": ["F", "J"], "path": "F -> J"}, 0),
    ("another edge of the bow", {"task": "blocked_path", "targets": ["F", "J"], "path": "F <-> P <- T <- J"}, 0),
    ("no path at all", {"task": "blocked_path", "targets": ["F", "J"], "path": "somewhere"}, 0),
    ("no text", {"task": "blocked_path", "targets": ["F", "J"], "path": 7}, 0),
]


@pytest.mark.parametrize("query, bit", [row[1:] for row in STATED], ids=[row[0] for row in STATED])
def test_the_path_binds_where_the_trace_states_it(query, bit):
    verdict = cv.verify(PROBLEM, sheet_of(PROBLEM).but(query=query).text())
    assert verdict.bits["query"] == bit
    assert verdict.score == 5 + bit


def test_the_ends_of_the_path_are_the_targets():
    assert PROBLEM.query.targets == ("F", "J")
    assert cv.Query("blocked_path", ("J", "F"), path="F->P<-T<-J").targets == ("J", "F")
