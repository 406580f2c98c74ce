"""Random models: their shapes, their tables, and that latents have as many values as can matter."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations
from random import Random

import pytest

from calverify.docalculus._evaluate import Evaluation
from calverify.docalculus._expression import Variable, probability
from calverify.docalculus._models import PRIME, Model, fractions, random_model, residues, shape_of, words
from calverify.docalculus._tables import Steps
from calverify.errors import BudgetError, GraphError
from calverify.graphs import Graph
from tests.strategies import random_admg

BOW = Graph.parse("X -> Y, X <-> Y")
NAPKIN = Graph.parse("W -> Z, Z -> X, X -> Y, W <-> X, W <-> Y")


def test_words_are_those_of_splitmix64():
    assert words(0, 3) == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert words(1234567, 2) == [6457827717110365317, 3203168211198807973]
    assert words(1 << 64, 3) == words(0, 3)


def test_the_prime_is_prime():
    """Lucas and Lehmer's test of 2^61 - 1."""
    state = 4
    for _ in range(59):
        state = (state * state - 2) % PRIME
    assert (state, PRIME) == (0, 2**61 - 1)


# ---------------------------------------------------------------- shapes


def test_a_shape_reaches_as_far_up_as_the_nodes_depend():
    shape = shape_of(NAPKIN, about=["X"])
    assert list(shape.parents) == ["W", "Z", "X"]
    assert shape.latents == (("W", "X"),)
    assert shape.scope("X") == ("Z", ("W", "X"), "X")
    assert shape.shape("X") == (2, 2, 2)
    assert shape.scope(("W", "X")) == (("W", "X"),)


SIZES = [  # (what it is about, graph, nodes with more values, the latents' values, are they enough)
    ("one free number at an end", "X -> Y, X <-> Y", {}, [2], True),
    ("two at the smaller end", "X -> Y, X <-> Y", {"X": 3}, [3], True),
    ("two rows at both ends", "A -> X, B -> Y, X <-> Y", {}, [3], True),
    ("a path is settled from its ends", "X <-> Y, Y <-> Z, A -> X, B -> X, A -> Z, B -> Z", {}, [5, 5], True),
    ("a cycle is not", "X <-> Y, Y <-> Z, X <-> Z", {}, [6, 6, 6], False),
    ("what hangs on a cycle is", "X <-> Y, Y <-> Z, X <-> Z, Z <-> W", {}, [6, 6, 6, 2], False),
    ("many rows are cut", "A -> X, B -> X, C -> X, A -> Y, B -> Y, C -> Y, X <-> Y", {}, [6], False),
]


@pytest.mark.parametrize(("graph", "values", "latents", "enough"), [r[1:] for r in SIZES], ids=[r[0] for r in SIZES])
def test_how_many_values_latents_have(graph, values, latents, enough):
    shape = shape_of(Graph.parse(graph), values)
    assert [shape.sizes[arc] for arc in shape.latents] == latents
    assert shape.enough is enough
    assert all(shape.sizes[name] == values.get(name, 2) for name in shape.parents)


REFUSED = [
    ("X -> Y, Y -> X", {}, GraphError, "needs an acyclic directed graph"),
    ("X -- Y", {}, GraphError, "needs an acyclic directed graph"),
    ("X -> Y", {"X": 40_000}, BudgetError, "table for 'Y' needs over 65,536 entries"),
    ("X", {"X": 10**400}, BudgetError, "table for 'X' needs over 65,536 entries"),
]


@pytest.mark.parametrize(("graph", "values", "error", "why"), REFUSED)
def test_what_has_no_shape(graph, values, error, why):
    with pytest.raises(error, match=why):
        shape_of(Graph.parse(graph), values)


# ---------------------------------------------------------------- enough values


ENOUGH = [
    "X -> Y, X <-> Y",
    "X -> M, M -> Y, X <-> Y",
    "Z -> X, X -> Y, X <-> Y",
    "X -> Y, X -> Z, Y <-> Z",
    "X <-> Y, Y <-> Z",
    "X -> Y, Y -> Z, X <-> Y, Y <-> Z",
    "X -> Y, X -> Z, Y -> Z, X <-> Y, X <-> Z",
    "W -> Z, Z -> X, X -> Y, W <-> X, W <-> Y",
    "A -> B, B -> C, C -> D, B <-> D",
    "A -> B, A -> C, B <-> C, C <-> D, A -> D",
]


@pytest.mark.parametrize("text", ENOUGH)
def test_one_more_value_of_a_latent_makes_no_new_distributions(text):
    """The distributions under all interventions are an irreducible variety: of the same dimension, it is the same one.

    The rank of the Jacobian at a random point is its dimension.  Latents with one value make fewer, so this can fail.
    """
    graph = Graph.parse(text)
    shape = shape_of(graph)
    assert shape.enough
    found = dimension(graph, shape)
    for arc in shape.latents:
        assert dimension(graph, replace(shape, sizes={**shape.sizes, arc: shape.sizes[arc] + 1})) == found
        assert dimension(graph, replace(shape, sizes={**shape.sizes, arc: 1})) < found


@pytest.mark.parametrize("count", [3, pytest.param(300, marks=pytest.mark.property)])
def test_nor_does_one_more_on_random_graphs(count):
    rng = Random(21)
    while count:
        graph = random_admg(rng, 3 if count % 2 else 4, 0.5, 0.4)
        shape = shape_of(graph)
        if shape.enough and graph.bidirected:
            more = {arc: shape.sizes[arc] + 1 for arc in shape.latents}
            assert dimension(graph, replace(shape, sizes={**shape.sizes, **more})) == dimension(graph, shape)
            count -= 1


def dimension(graph, shape) -> int:
    """Every distribution has at most degree one in each entry, so a difference quotient is a derivative."""
    names = graph.nodes
    sets = chain.from_iterable(combinations(names, count) for count in range(len(names)))
    asked = [
        probability([Variable(name) for name in names if name not in do], [Variable(name) for name in do])
        for do in sets
    ]
    evaluation = Evaluation(shape, asked, Steps(10**9))

    def point(model) -> list[int]:
        return [value for table in evaluation.tables(model) for value in table.values]

    model = residues(shape, 1)
    start, rows = point(model), []
    for axis, values in model.tables.items():
        size = shape.sizes[axis]
        for at in range(len(values)):
            if at % size:
                moved = list(values)
                moved[at], moved[at - at % size] = moved[at] + 1, moved[at - at % size] - 1
                ahead = point(Model(shape, {**model.tables, axis: moved}, prime=PRIME))
                rows.append([(new - old) % PRIME for new, old in zip(ahead, start, strict=True)])
    return rank(rows)


def rank(rows: list[list[int]]) -> int:
    found = 0
    while rows:
        row = rows.pop()
        lead = next((at for at, value in enumerate(row) if value), None)
        if lead is not None:
            found += 1
            inverse = pow(row[lead], -1, PRIME)
            rows = [
                [(a - other[lead] * inverse * b) % PRIME for a, b in zip(other, row, strict=True)]
                if other[lead]
                else other
                for other in rows
            ]
    return found


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize("weights", [(1, 4), range(1, 6), range(1, 1 << 50)])
def test_fractions_are_positive_distributions(weights):
    model = fractions(shape_of(NAPKIN, {"Z": 3}), 8, weights)
    for axis in model.shape.sizes:
        for row in model.rows(axis):
            assert sum(row) == 1
            assert all(isinstance(value, Fraction) and 0 < value < 1 for value in row)


def test_residues_are_distributions():
    shape = shape_of(NAPKIN, {"Z": 3})
    model = residues(shape, 8)
    for axis in shape.sizes:
        assert all(sum(row) % PRIME == 1 for row in model.rows(axis))
    assert model == residues(shape, 8) != residues(shape, 9)


def test_modulo_keeps_the_numbers():
    model = random_model(NAPKIN, 8, exact=True)
    reduced = model.modulo()
    for axis, values in model.tables.items():
        pairs: Sequence = list(zip(values, reduced.tables[axis], strict=True))
        assert all(whole * value.denominator % PRIME == value.numerator for value, whole in pairs)
    assert (model.prime, reduced.prime, random_model(NAPKIN, 8).prime) == (None, PRIME, PRIME)


def test_a_model_is_written_as_tables_and_as_a_record():
    half, third, fifth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)
    shape = shape_of(Graph.parse("X -> Y, X <-> Y, X -> Z"), {"Z": 3})
    tables = {
        "X": [half, half, 1 - third, third],
        "Y": [1 - fifth, fifth] * 4,
        "Z": [half, third, 1 - half - third] * 2,
        ("X", "Y"): [1 - fifth, fifth],
    }
    model = Model(shape, tables)
    assert str(model).splitlines() == [
        "U1 (behind X <-> Y) has values 0..1: 4/5, 1/5",
        "P(X=1 | U1): 1/2, 1/3",
        "P(Y=1 | X, U1): 1/5 in every row",
        "P(Z=1, 2 | X): (1/3, 1/6) in every row",
    ]
    assert model.to_json() == {
        "latents": [{"name": "U1", "ends": ["X", "Y"], "values": 2, "row": ["4/5", "1/5"]}],
        "nodes": [
            {"name": "X", "values": 2, "parents": [], "latents": ["U1"], "rows": [["1/2", "1/2"], ["2/3", "1/3"]]},
            {"name": "Y", "values": 2, "parents": ["X"], "latents": ["U1"], "rows": [["4/5", "1/5"]] * 4},
            {"name": "Z", "values": 3, "parents": ["X"], "latents": [], "rows": [["1/2", "1/3", "1/6"]] * 2},
        ],
    }


def test_latents_are_named_apart_from_nodes():
    model = random_model(Graph.parse("U1 -> U_1, U1 <-> U_1"), 1, exact=True)
    assert model.latent_names == {("U1", "U_1"): "U__1"}
