"""The adjustment set of least variance, held to the variance itself: exact, over every valid set."""

from random import Random

import pytest

import calverify as cv
from tests.oracles import criteria, identification, linear
from tests.problems import known
from tests.rows import CASES, agrees, is_judged, is_refused, judged

ROWS = [
    ("a cause of the outcome", "X -> Y, P -> Y", ["P"], True, "{P} is the optimal adjustment set"),
    ("the confounder and the cause", "U -> X, U -> Y, X -> M -> Y, P -> Y", ["U", "P"], True, "{P, U} is"),
    ("the confounder alone", "U -> X, U -> Y, X -> M -> Y, P -> Y", ["U"], False, "P is left out"),
    ("a cause of the treatment", "I -> X -> Y", ["I"], False, "I does not belong"),
    ("nothing to adjust for", "I -> X -> Y", "set()", True, "{} is the optimal"),
    ("nearer to the outcome", "X <- A -> B -> Y, X -> Y", ["B"], True, "{B} is the optimal"),
    ("nearer to the treatment", "X <- A -> B -> Y, X -> Y", ["A"], False, "A does not belong"),
    ("a cause of the mediator", "X -> M -> Y, P -> M", ["P"], True, "{P} is the optimal"),
    ("the mediator", "X -> M -> Y, P -> M", ["M", "P"], False, "M does not belong"),
    ("a foreign name", "X -> Y", ["W"], False, "W is not a node"),
]


@judged("graph, answer, valid, why", ROWS)
def test_a_set_is_judged(graph, answer, valid, why):
    is_judged(cv.Query("optimal_adjustment", ("X", "Y")), graph, answer, valid, why)


REFUSED = [
    ("no effect", "X, Y", "X Y", cv.QueryError, "Y is no descendant of X, so there is no effect to estimate"),
    ("an arc", "X -> Y, A <-> X", "X Y", cv.GraphError, "optimal_adjustment is defined on dags"),
    ("a cycle", "X -> Y -> X", "X Y", cv.GraphError, "optimal_adjustment is defined on dags"),
    ("one target", "X -> Y", "X", cv.QueryError, "takes 2 targets"),
    ("no directions", "X -- Y", "X Y", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("optimal_adjustment", tuple(targets.split())), graph, error, why)


@CASES
def test_random_problems_agree_with_the_definition(count):
    agrees("optimal_adjustment", "dag", count)


@CASES
def test_no_valid_set_has_a_smaller_variance(count):
    """And every valid set estimates the effect, exactly, where an invalid one does not."""
    beaten = 0
    for seed in range(count):
        rng = Random(seed)
        drawn = known(rng, "optimal_adjustment", "dag", most=5)
        graph, (x, y) = drawn.problem.graph, drawn.problem.query.targets
        (best,) = cv.solve(graph, drawn.problem.query)
        weights = linear.random_weights(rng, graph)
        cov = linear.covariance(graph, weights, linear.random_noise(rng, graph))
        effect = linear.total_effect(graph, weights, list(criteria.chains(graph, x, y)))
        valid = criteria.members(identification.adjustment(graph, x, y), set(graph.nodes) - {x, y})
        assert best in valid
        least = linear.variance(cov, x, y, sorted(best))
        for names in valid:
            assert linear.coefficient(cov, x, y, sorted(names)) == effect, (graph, x, y, names)
            other = linear.variance(cov, x, y, sorted(names))
            assert least <= other, (graph, x, y, best, names)
            beaten += least < other
    assert beaten > count


@pytest.mark.parametrize("written", ["o_set", "Optimal adjustment set"])
def test_other_spellings(written):
    assert cv.check(cv.Graph.parse("X -> Y"), cv.Query(written, ("X", "Y")), []).valid
