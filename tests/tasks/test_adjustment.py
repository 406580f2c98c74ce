"""The complete adjustment criterion, held to its definition and to what adjusting gives in causal models."""

from random import Random

import pytest

import calverify as cv
from tests.known import random_graph
from tests.oracles import identification, worlds
from tests.oracles.paths import subsets
from tests.rows import CASES, is_judged, is_refused, judged
from tests.set_agreement import set_task_agrees

WORKED = "U -> X, U -> Y, X -> M -> Y, P -> Y"

ROWS = [
    ("the confounder", WORKED, ["U"], True, "{U} blocks every non-causal path from X to Y"),
    ("the confounder and more", WORKED, ["U", "P"], True, "and nothing on or below a causal one"),
    ("nothing", WORKED, [], False, "{} leaves the path X <- U -> Y open once the causal paths from X are cut"),
    ("7 dowhy, pgmpy, dagitty by name: the mediator alone", "X -> M -> Y", ["M"], False, "M lies on or below"),
    ("the mediator", WORKED, ["U", "M"], False, "M lies on or below a causal path: X -> M"),
    ("below the mediator", WORKED + ", M -> D", ["U", "D"], False, "D lies on or below a causal path: X -> M -> D"),
    ("below the outcome", WORKED + ", Y -> D", ["U", "D"], False, "X -> M -> Y -> D"),
    ("a harmless descendant", "X -> B, X -> Y", ["B"], True, "{B} blocks every non-causal path"),
    ("a descendant that opens a path", "X -> B <-> Y, X -> Y", ["B"], False, "the collider B is given"),
    ("a descendant that opens one", "X -> B -> C <- U -> Y, X -> Y", ["C"], False, "the collider C is given"),
    ("a descendant that shuts it again", "X -> B -> C <- U -> Y, X -> Y", ["B", "C"], True, "{B, C} blocks every"),
    ("9 an adjustment set, not a backdoor set", "X -> B, Y", ["B"], True, "{B} blocks"),
    ("the treatment", WORKED, ["U", "X"], False, "X is the treatment itself"),
    ("the outcome", WORKED, ["U", "Y"], False, "Y is the outcome itself"),
    ("a foreign name", WORKED, ["U", "W"], False, "W is not a node"),
    ("the bow", "X -> Y, X <-> Y", [], False, "X <-> Y"),
]


@judged("graph, answer, valid, why", ROWS)
def test_a_set_is_judged(graph, answer, valid, why):
    is_judged(cv.Query("adjustment", ("X", "Y")), graph, answer, valid, why)


REFUSED = [
    ("one target", "A -> B", "A", cv.QueryError, "adjustment takes 2 targets (treatment, outcome), not A"),
    ("one node twice", "A -> B", "A A", cv.QueryError, "must be different nodes"),
    ("a cycle", "A -> B -> A", "A B", cv.GraphError, "directed cycle"),
    ("no directions", "A -- B", "A B", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("adjustment", tuple(targets.split())), graph, error, why)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg"])
def test_sets_agree_with_the_paths(kind, count):
    set_task_agrees("adjustment", kind, count)


@CASES
@pytest.mark.parametrize("kind", ["dag", "admg"])
def test_every_backdoor_set_adjusts(kind, count):
    """And where X has no descendant apart from causal paths, nothing else does."""
    for seed in range(count):
        rng = Random(f"{kind} {seed}")
        graph = random_graph(rng, kind)
        x, y = rng.sample(graph.nodes, 2)
        strict, wide = cv.Query("backdoor", (x, y)), cv.Query("adjustment", (x, y))
        below = graph.strict_descendants({x}) - identification.on_or_below_a_causal_path(graph, x, y)
        for names in subsets(graph.nodes):
            back, adjusts = cv.check(graph, strict, names).valid, cv.check(graph, wide, names).valid
            assert adjusts or not back
            assert back or not adjusts or names & below or y not in graph.descendants({x}), (graph, x, y, names)


def random_model(rng: Random, graph: cv.Graph) -> worlds.World:
    """Tables for the graph; each bidirected edge is a hidden common cause."""
    parents = {node: [tail for tail, head in graph.directed if head == node] for node in graph.nodes}
    for place, (one, other) in enumerate(graph.bidirected):
        parents[f"hidden {place}"] = []
        parents[one].append(f"hidden {place}")
        parents[other].append(f"hidden {place}")
    return worlds.random_tables(rng, parents)


@pytest.mark.parametrize("count", [12, pytest.param(300, marks=pytest.mark.property)])
@pytest.mark.parametrize("kind", ["dag", "admg"])
def test_what_is_valid_adjusts_and_what_is_not_does_not(kind, count):
    """In every random model the adjusted number is the effect, exactly; for an invalid set it is not in some."""
    right = wrong = 0
    for seed in range(count):
        rng = Random(f"{kind} {seed}")
        graph = random_graph(rng, kind, most=4, least=3)
        x, y = rng.sample(graph.nodes, 2)
        models = [random_model(rng, graph) for _ in range(3)]
        truth = [worlds.effect(model, x, y, ("1", "0"), ("1",)) for model in models]
        for names in subsets(set(graph.nodes) - {x, y}):
            found = [worlds.adjusted(model, x, y, sorted(names), ("1", "0"), ("1",))[0] for model in models]
            valid = cv.check(graph, cv.Query("adjustment", (x, y)), names).valid
            assert (found == truth) == valid, (graph, x, y, names)
            right, wrong = right + valid, wrong + (not valid)
    assert min(right, wrong) > count // 2
