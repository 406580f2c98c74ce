"""Every answer under every graph of the pool, exactly."""

from fractions import Fraction
from random import Random

import pytest

import calverify as cv
from tests.drawn_pools import draw
from tests.known import random_graph
from tests.oracles import criteria
from tests.sheets import Raw, sheet_of
from tests.views import view_of_texts

QUERY = cv.Query("backdoor", ("X", "Y"))
OPEN = cv.Problem("c", QUERY, text="...")
CONFOUNDED = "U -> X, U -> Y, X -> Y, W"
CLEAN = "U -> X, X -> Y, W"
CASES = pytest.mark.parametrize("count", [40, pytest.param(1_000, marks=pytest.mark.property)])


def trace(graph, answer):
    """A trace that draws this graph and gives this answer."""
    return (
        sheet_of(cv.Problem("c", QUERY, cv.Graph.parse(graph) if isinstance(graph, str) else graph))
        .swapped(answer)
        .text()
    )


def numbers(view):
    return list(cv.SELECTORS["cross_validity"](view))


def test_a_graph_counts_as_often_as_it_is_drawn():
    """{} is valid on the two clean graphs, {U} on all three, {W} on the clean ones."""
    texts = [trace(CLEAN, []), trace(CONFOUNDED, ["U"]), trace(CLEAN, ["W"])]
    view = view_of_texts(OPEN, texts)
    assert numbers(view) == [Fraction(2, 3), 1, Fraction(2, 3)]
    assert cv.choose(view, "cross_validity").index == 1


def test_a_graph_that_suits_its_own_answer_is_outvoted():
    """The trace that leaves the confounder out scores as high as the others, and convinces itself alone."""
    texts = [trace(CLEAN, []), trace(CONFOUNDED, ["U"]), trace(CONFOUNDED, ["U"])]
    view = view_of_texts(OPEN, texts)
    assert [verdict.bits["answer"] for verdict in view.verdicts] == [1, 1, 1]
    assert numbers(view) == [Fraction(1, 3), 1, 1]


def test_a_trace_without_a_graph_is_judged_on_those_of_the_others():
    sheet = sheet_of(cv.Problem("c", QUERY, cv.Graph.parse(CONFOUNDED)))
    without = sheet.but(graph=Raw("{")).text()
    assert numbers(view_of_texts(OPEN, [without, sheet.text()])) == [1, 1]
    assert numbers(view_of_texts(OPEN, [without, without])) == [None, None]


def test_a_name_that_a_graph_does_not_know_is_not_valid_there():
    texts = [trace("U -> X, X -> Y, V -> X", ["V"]), trace(CLEAN, [])]
    assert numbers(view_of_texts(OPEN, texts)) == [Fraction(1, 2), 1]


@CASES
def test_it_agrees_with_the_criterion_on_each_graph(count):
    """Each share against the criterion itself, path by path, on each graph."""
    rng = Random(21)
    for _ in range(count):
        graphs = [graph for graph in (random_graph(rng, "dag", 5) for _ in range(4)) if {"A", "B"} <= graph.node_set]
        query = cv.Query("backdoor", ("A", "B"))
        valid = [(graph, criteria.backdoor(graph, "A", "B")) for graph in graphs]
        texts, answers = [], []
        for graph in graphs:
            answer = rng.sample(graph.nodes, rng.randint(0, 2))
            sheet = sheet_of(cv.Problem("c", query, graph), frozenset(answer))
            texts.append(sheet.text())
            answers.append(frozenset(answer))
        expected = [
            Fraction(sum(answer <= graph.node_set and holds(answer) for graph, holds in valid), len(graphs))
            for answer in answers
        ]
        assert numbers(view_of_texts(cv.Problem("c", query), texts)) == expected


def test_with_a_supplied_graph_the_share_is_the_answer_bit():
    """Read and valid is 1, read and not is 0."""
    rng = Random(22)
    for _ in range(100):
        pool = draw(rng)
        for number, verdict, stands in zip(numbers(pool.view), pool.view.verdicts, pool.view.stands, strict=True):
            if not stands:
                assert number is None
            elif verdict.admissible and number is not None:
                assert number == (frozenset(verdict.answer) in (frozenset("U"), frozenset("UP")))
