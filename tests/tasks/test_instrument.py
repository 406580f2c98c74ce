"""Instruments, held to their definition and to what the ratio of covariances is in linear models."""

from random import Random

import pytest

import calverify as cv
from tests.oracles import criteria, linear
from tests.problems import known
from tests.rows import CASES, agrees, is_judged, is_refused, judged

CLASSIC = "Z -> X -> Y, X <-> Y"

ROWS = [
    ("the classic one", CLASSIC, "Z", "", True, "Z moves X (Z -> X) and reaches Y only through it"),
    ("by a common cause", "Z <-> X -> Y, X <-> Y", "Z", "", True, "Z moves X (Z <-> X)"),
    ("with a way of its own", CLASSIC + ", Z -> Y", "Z", "", False, "leaves the path Z -> Y open"),
    ("confounded with Y", CLASSIC + ", Z <-> Y", "Z", "", False, "leaves the path Z <-> Y open"),
    ("confounded, and the cause given", CLASSIC + ", W -> Z, W -> Y", "Z", "W", True, "Z moves X"),
    ("confounded, and nothing given", CLASSIC + ", W -> Z, W -> Y", "Z", "", False, "Z <- W -> Y"),
    ("a node apart", "Z, X -> Y", "Z", "", False, "{} blocks every path between Z and X"),
    ("blocked from X", "Z -> A -> X -> Y", "Z", "A", False, "{A} blocks every path between Z and X"),
    ("a mediator", "X -> M -> Y", "M", "", False, "leaves the path M -> Y open"),
    ("a child of X beside a hidden cause", "X -> Y, X <-> Y, X -> Z", "Z", "", False, "Z <- X <-> Y"),
    ("a child of X where nothing is hidden", "X -> Y, X -> Z", "Z", "", True, "Z moves X (Z <- X)"),
    ("the treatment", CLASSIC, "X", "", False, "X is part of the question itself"),
    ("a member of the condition", CLASSIC + ", W", "W", "W", False, "W is part of the question itself"),
    ("a foreign name", CLASSIC, "Q", "", False, "Q is not a node"),
    ("two names", CLASSIC, "Z, X", "", False, "is not one name"),
]


@judged("graph, answer, given, valid, why", ROWS)
def test_a_node_is_judged(graph, answer, given, valid, why):
    is_judged(cv.Query("instrument", ("X", "Y"), given=tuple(given.split())), graph, answer, valid, why)


REFUSED = [
    ("one target", CLASSIC, "X", "", cv.QueryError, "instrument takes 2 targets (treatment, outcome), not X"),
    ("one node twice", CLASSIC, "X X", "", cv.QueryError, "must be different nodes"),
    ("the treatment given", CLASSIC, "X Y", "X", cv.QueryError, "the condition holds X, which it must not"),
    ("the outcome given", CLASSIC, "X Y", "Y", cv.QueryError, "the condition holds Y, which it must not"),
    ("below the outcome", CLASSIC + ", Y -> D", "X Y", "D", cv.QueryError, "the condition holds D, which it must not"),
    ("a mediator given", "Z -> X -> M -> Y", "X Y", "M", cv.QueryError, "the condition holds M, which it must not"),
    ("a cycle", "X -> Y -> X", "X Y", "", cv.GraphError, "directed cycle"),
    ("no directions", "X -- Y", "X Y", "", cv.GraphError, "undirected"),
]


@judged("graph, targets, given, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, given, error, why):
    is_refused(cv.Query("instrument", tuple(targets.split()), given=tuple(given.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg"])
def test_random_problems_agree_with_the_paths(kind, count):
    agrees("instrument", kind, count)


@CASES
def test_in_a_linear_model_the_ratio_is_the_effect(count):
    """Cov(Z, Y | W) = effect * Cov(Z, X | W) for every instrument; for a node that is none it fails in some model."""
    right = wrong = 0
    for seed in range(2 * count):
        rng = Random(seed)
        drawn = known(rng, "instrument", "dag")
        graph, (x, y), given = drawn.problem.graph, drawn.problem.query.targets, drawn.problem.query.given
        for z in set(graph.nodes) - {x, y, *given}:
            valid = cv.check(graph, drawn.problem.query, z).valid
            holds = all(ratio_is_the_effect(rng, graph, x, y, z, given) for _ in range(2))
            assert holds == valid, (graph, x, y, z, given)
            right, wrong = right + valid, wrong + (not valid)
    assert min(right, wrong) > count


def ratio_is_the_effect(rng: Random, graph: cv.Graph, x: str, y: str, z: str, given: tuple[str, ...]) -> bool:
    weights = linear.random_weights(rng, graph)
    cov = linear.covariance(graph, weights, linear.random_noise(rng, graph))
    effect = linear.total_effect(graph, weights, list(criteria.chains(graph, x, y)))
    left = linear.partial(cov, (x, y, z), given)
    return left[z, x] != 0 and left[z, y] == effect * left[z, x]
