"""Pearl's front door, each member judged by itself."""

import pytest

import calverify as cv
from tests.rows import CASES, is_judged, is_refused, judged
from tests.set_agreement import set_task_agrees

SMOKING = "X -> M -> Y, X <-> Y"
TWO = "X -> A -> Y, X -> B -> Y, X <-> Y"

ROWS = [
    ("the mediator", SMOKING, ["M"], True, "{M} meets every directed path from X to Y, and no backdoor path"),
    ("nothing", SMOKING, [], False, "{} misses the directed path X -> M -> Y"),
    ("both mediators", TWO, ["A", "B"], True, "{A, B} meets every directed path"),
    ("one of two", TWO, ["A"], False, "{A} misses the directed path X -> B -> Y"),
    ("a direct effect", SMOKING + ", X -> Y", ["M"], False, "{M} misses the directed path X -> Y"),
    ("no effect at all", "X <-> Y, M", [], True, "{} meets every directed path"),
    (
        "a confounded mediator",
        SMOKING + ", X <-> M",
        ["M"],
        False,
        "{} leaves the path X <-> M open once arrows out of X",
    ),
    ("a mediator confounded with Y", SMOKING + ", M <-> Y", ["M"], False, "{X} leaves the path M <-> Y open"),
    ("an ancestor", "W -> X -> M -> Y", ["M", "W"], False, "{} leaves the path X <- W open"),
    ("the treatment", SMOKING, ["M", "X"], False, "X is the treatment itself"),
    ("the outcome", SMOKING, ["Y"], False, "Y is the outcome itself"),
    ("a foreign name", SMOKING, ["M", "W"], False, "W is not a node"),
]


@judged("graph, answer, valid, why", ROWS)
def test_a_set_is_judged(graph, answer, valid, why):
    is_judged(cv.Query("frontdoor", ("X", "Y")), graph, answer, valid, why)


REFUSED = [
    ("one target", "A -> B", "A", cv.QueryError, "frontdoor takes 2 targets (treatment, outcome), not A"),
    ("one node twice", "A -> B", "A A", cv.QueryError, "must be different nodes"),
    ("a cycle", "A -> B -> A", "A B", cv.GraphError, "directed cycle"),
    ("no directions", "A -- B", "A B", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("frontdoor", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg"])
def test_sets_agree_with_the_paths(kind, count):
    set_task_agrees("frontdoor", kind, count)
