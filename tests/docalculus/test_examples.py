"""The textbook graphs: the answer of the books is the effect, and `identify` gives the same formula."""

import pytest

from calverify.docalculus._canonical import canonical
from calverify.docalculus._examples import EXAMPLES, Example
from calverify.docalculus._expression import free_variables
from calverify.docalculus._hedge import Hedge
from calverify.docalculus._identify import Estimand, identify
from calverify.docalculus._read import read_expression
from calverify.docalculus._write import to_text
from tests.docalculus.effects import Asked, equals
from tests.oracles import effects_by_truncation, id_algorithm

# The books' formula is the effect too, and ours is another: why.
OTHERWISE = {
    "two confounders": "we write P(A,B) where the graph makes it P(A) P(B)",
    "butterfly": "A does as well as B",
    "verma": "A can be left out",
}
IDENTIFIED = [one for one in EXAMPLES if one.estimand is not None]
HEDGED = [one for one in EXAMPLES if one.estimand is None]


def asked_of(example: Example) -> Asked:
    return Asked(example.graph, *map(frozenset, (example.outcomes, example.treatments, example.given)))


def test_there_are_examples_of_both_kinds_each_with_its_own_name():
    assert len({one.name for one in EXAMPLES}) == len(EXAMPLES)
    assert len(IDENTIFIED) >= 15
    assert len(HEDGED) >= 5
    assert set(OTHERWISE) <= {one.name for one in IDENTIFIED}


@pytest.mark.parametrize("example", IDENTIFIED, ids=lambda one: one.name)
def test_both_formulas_are_the_effect(example):
    asked = asked_of(example)
    said = identify(*asked)
    assert isinstance(said, Estimand)
    printed = read_expression(example.estimand, asked.graph.nodes)
    for seed in range(3):
        model = effects_by_truncation.random_model(asked.graph, f"{example.name} {seed}", latent_states=2 + seed % 2)
        assert equals(printed, asked, model)
        assert equals(said.expression, asked, model), to_text(said.expression)


@pytest.mark.parametrize("example", IDENTIFIED, ids=lambda one: one.name)
def test_the_formula_is_the_one_of_the_books(example):
    said = identify(*asked_of(example))
    assert isinstance(said, Estimand)
    same = canonical(said.expression) == canonical(read_expression(example.estimand, example.graph.nodes))
    assert same == (example.name not in OTHERWISE), to_text(said.expression)


@pytest.mark.parametrize("example", HEDGED, ids=lambda one: one.name)
def test_no_formula_is_given_where_there_is_none(example):
    asked = asked_of(example)
    assert isinstance(identify(*asked), Hedge)
    assert not id_algorithm.is_identified_given(id_algorithm.mixed(asked.graph), *asked[1:])


def test_what_is_free_beside_the_effect_is_the_napkin_and_verma_alone():
    """There the formula holds for every value of it, which `equals` has tried."""
    free = {}
    for one in IDENTIFIED:
        printed = read_expression(one.estimand, one.graph.nodes)
        names = {variable.name for variable in free_variables(printed)}
        if more := names - {*one.outcomes, *one.treatments, *one.given}:
            free[one.name] = more
    assert free == {"napkin": {"R"}, "verma": {"A"}}
