"""Values of expressions on models, against the definitions: sums over whole joints, and truncated factorisation."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calverify.docalculus._evaluate import Evaluation, evaluate, probabilities_of, values_named
from calverify.docalculus._expression import (
    ONE,
    Number,
    Plus,
    Product,
    Quotient,
    Sum,
    Variable,
    free_variables,
    names_of,
    probability,
)
from calverify.docalculus._models import PRIME, fractions, random_model, shape_of
from calverify.docalculus._read import read_expression
from calverify.docalculus._tables import Steps
from calverify.errors import BudgetError, ExpressionError
from calverify.graphs import Graph
from tests.docalculus.expressions import expressions
from tests.docalculus.rewritten_pairs import random_expression, random_pairs
from tests.oracles.expressions import table
from tests.oracles.latent_models import flaws, model_of
from tests.strategies import admgs, random_admg

X, Y, Z = map(Variable, "XYZ")
CASES = pytest.mark.parametrize("count", [150, pytest.param(5_000, marks=pytest.mark.property)])


def agrees(graph, expression, seed, values=None):
    """The same values by the definition, in fractions, and their residues modulo the prime."""
    latents = 3 if len(graph.bidirected) < 3 else 2  # the definition visits them all
    model = fractions(shape_of(graph, values, most=latents), seed)
    wanted = table(expression, model_of(model.to_json()))
    assert evaluate(expression, model) == wanted
    found = evaluate(expression, model.modulo())
    assert found == {row: None if value is None else residue(value) for row, value in wanted.items()}
    return wanted


def residue(value):
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


@settings(max_examples=40)  # the seeded pairs below are the many
@given(st.data(), admgs(max_nodes=4), st.integers(0, 1 << 64))
def test_any_expression_has_the_value_that_its_definition_gives(data, graph, seed):
    agrees(graph, data.draw(expressions(graph.nodes)), seed)


@CASES
def test_seeded_expressions_have_the_values_that_their_definitions_give(count):
    """Larger ones than hypothesis draws, on more edges; some entries without a value, most with one."""
    rng, numbers, holes = Random(11), 0, 0
    for seed, (graph, candidate, target) in enumerate(random_pairs(rng, count)):
        for expression in (candidate, target):
            wanted = agrees(graph, expression, seed)
            numbers += sum(value is not None for value in wanted.values())
            holes += sum(value is None for value in wanted.values())
    assert numbers > holes > 0


@pytest.mark.parametrize("count", [8, pytest.param(400, marks=pytest.mark.property)])
def test_nodes_may_have_more_values(count):
    rng = Random(12)
    for seed in range(count):
        graph = random_admg(rng, 3, 0.6, 0.4)
        values = {name: rng.randint(2, 4) for name in graph.nodes}
        agrees(graph, random_expression(rng, graph.nodes, 2), seed, values)


def test_six_nodes_and_four_latents():
    """Large enough for the order of summing to be another than the written one."""
    graph = Graph.parse("A -> B, B -> C, C -> D, D -> E, E -> F, A -> D, B <-> D, A <-> C, D <-> F, C <-> E")
    agrees(graph, read_expression("sum_{B, C} P(F | do(E), B, C) P(B, C | A) / P(D | do(B), A)", graph.nodes), 3)


COPY = Variable("X", 1)
X0, X1, COPY0, COPY1, Y0 = (
    X._replace(value=0),
    X._replace(value=1),
    COPY._replace(value=0),
    COPY._replace(value=1),
    Y._replace(value=0),
)
SAME = {(0, 0): 1, (0, 1): 0, (1, 0): 0, (1, 1): 1}
ZERO = Plus(((1, probability([X0])), (-1, probability([X0]))))
ROWS = [  # (what it is about, expression, its values at 0 and 1)
    ("a copy is the same node", probability([X], [], [COPY]), SAME),
    ("an intervention fixes its node", probability([COPY], [X]), SAME),
    ("a condition that cannot be", probability([Y], [], [X0, COPY1]), {(0,): None, (1,): None}),
    ("an event that cannot be", probability([X0, COPY1, Y]), {(0,): 0, (1,): 0}),
    ("two interventions on a node", probability([X0], [X0, COPY1]), {(): None}),
    ("the same intervention twice", probability([X0], [X0, COPY0]), {(): 1}),
    ("a copy of an intervention", probability([X1], [X, COPY]), {(0, 0): 0, (0, 1): None, (1, 0): None, (1, 1): 1}),
    ("a condition that contradicts an intervention", probability([Y], [X0], [COPY1]), {(0,): None, (1,): None}),
    ("total probability", Sum((Y,), probability([Y], [X])), {(0,): 1, (1,): 1}),
    ("a sum over what is absent counts", Sum((Z, COPY), Number(3)), {(): 12}),
    ("a sum over a variable twice counts twice", Sum((Y, Y), probability([Y])), {(): 2}),
    ("division by zero", Quotient(probability([Y]), ZERO), {(0,): None, (1,): None}),
    ("nothing times what has no value", Product((Number(0), Quotient(ONE, Number(0)))), {(): None}),
    ("nothing plus what has no value", Plus(((1, Number(0)), (-1, Quotient(ONE, ZERO)))), {(): None}),
    ("a divisor without value", Quotient(ONE, Quotient(ONE, ZERO)), {(): None}),
    ("a divisor now without value, now zero", Quotient(ONE, probability([X1], [X0, COPY])), {(0,): None, (1,): None}),
    ("a sum with a term without value", Sum((X,), probability([Y0], [], [X, COPY0])), {(): None}),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "wanted"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_what_is_no_matter_of_the_model(expression, wanted):
    graph = Graph.parse("Z -> X, Z -> Y, X -> Y, X <-> Y")
    for exact in (True, False):
        assert evaluate(expression, random_model(graph, 5, exact=exact)) == wanted
    assert agrees(graph, expression, 5) == wanted


def test_values_over_other_variables():
    model = random_model(Graph.parse("X -> Y"), 1, exact=True)
    once, twice = evaluate(probability([Y]), model), evaluate(probability([Y]), model, [X, Y])
    assert twice == {(x, y): once[y,] for x in (0, 1) for y in (0, 1)}
    assert evaluate(Product(()), model) == {(): 1}
    assert evaluate(Plus(()), model) == {(): 0}


@pytest.mark.parametrize("nodes", [14, 40])
def test_many_nodes_are_summed_one_by_one(nodes):
    """A chain is no joint distribution of 2^40 entries."""
    names = [f"V{at}" for at in range(nodes)]
    graph = Graph(names, pairwise(names))
    first, last = Variable(names[0]), Variable(names[-1])
    factors = [probability([Variable(b)], [], [Variable(a)]) for a, b in pairwise(names)]
    chain = Sum(tuple(map(Variable, names[1:-1])), Product(tuple(factors)))
    model = random_model(graph, 2)
    assert evaluate(chain, model) == evaluate(probability([last], [first]), model)
    over = sorted((first, last))
    assert evaluate(chain, model, over) == evaluate(probability([last], [], [first]), model, over)


def test_a_wide_joint_is_not_worked_out_whole():
    """Twenty nodes are asked about two at a time."""
    names = [f"V{at:02}" for at in range(20)]
    graph = Graph(names, pairwise(names))
    pairs = [probability([Variable(b)], [], [Variable(a)]) for a, b in pairwise(names)]
    total = Sum((Variable("V00"),), Product((*pairs[:1], probability([Variable("V00")]))))
    expression = Plus(tuple((1, Sum(tuple(sorted(free_variables(one))), one)) for one in (*pairs, total)))
    for model in (random_model(graph, 4), random_model(graph, 4, exact=True)):
        assert evaluate(expression, model) == {(): 2 * 19 + 1}


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        (Product(tuple(probability([Variable(f"V{at}")]) for at in range(20))), "a table of over 65,536 entries"),
        (probability([Variable(f"V{at}") for at in range(20)]), "a table of over 65,536 entries"),
        (Product((probability([Variable("V0")]),) * 10_000), "over 10,000 steps"),
    ],
    ids=["a product over 20 variables", "a joint of 20 nodes", "many factors"],
)
def test_too_much_is_undetermined(expression, why):
    model = random_model(Graph([f"V{at}" for at in range(20)]), 1)
    with pytest.raises(BudgetError, match=why):
        evaluate(expression, model, steps=10_000)


def test_long_numbers_cost_more_than_short_ones():
    """7^(8^4) is made in as many operations as 0^(8^4); residues stay short."""
    graph, numbers = Graph(["X"]), [Number(7), Number(0)]
    for _ in range(4):
        numbers = [Product((number,) * 8) for number in numbers]
    large, zero = numbers
    assert evaluate(large, random_model(graph, 1)) == {(): pow(7, 8**4, PRIME)}
    assert evaluate(zero, random_model(graph, 1, exact=True), steps=14_500) == {(): 0}
    with pytest.raises(BudgetError, match="over 14,500 steps"):
        evaluate(large, random_model(graph, 1, exact=True), steps=14_500)


def test_what_is_nested_too_deep_or_written_too_often_is_refused():
    deep = wide = probability([X])
    for _ in range(100):
        deep = Quotient(deep, ONE)
        wide = Product((wide, wide))
    for expression in (deep, wide):
        with pytest.raises(BudgetError, match="over 131,072 parts, or over 100 levels"):
            probabilities_of([expression])


def test_values_that_are_named():
    expression = read_expression("P(Y=1 | X=3) P(X) P(X=0 | Z)")
    assert values_named([expression]) == {"Y": 2, "X": 4}
    with pytest.raises(ExpressionError, match="X=-1: values are whole numbers from 0"):
        values_named([probability([X._replace(value=-1)])])


def test_names_outside_the_model_are_refused():
    shape = shape_of(Graph.parse("X -> Y"))
    with pytest.raises(ExpressionError, match="Q, Z are not in the graph"):
        Evaluation(shape, [probability([Y], [], [Z, Variable("Q")])], Steps(100))
    with pytest.raises(ExpressionError, match="Z is not in the graph"):
        Evaluation(shape, [Sum((Z,), ONE)], Steps(100))


def test_what_is_no_expression():
    with pytest.raises(TypeError, match="str is no expression"):
        evaluate(Product(("P(X)",)), random_model(Graph(["X"]), 1), over=[])


def test_records_of_models_are_positive_models_of_their_graphs():
    rng = Random(13)
    for seed in range(30):
        graph = random_admg(rng, rng.randint(1, 6), 0.4, 0.3)
        assert flaws(random_model(graph, seed, exact=True).to_json(), graph) == []
    graph = Graph.parse("X -> Y, X <-> Y")
    record = random_model(graph, 1, exact=True).to_json()
    assert flaws(record, Graph.parse("X, Y, X <-> Y")) == ["Y has the wrong parents"]
    assert flaws(record, Graph.parse("X -> Y")) == ["X has the wrong latents", "Y has the wrong latents"]
    record["latents"][0]["row"] = ["0", "1"]
    assert flaws(record, graph) == ["['0', '1'] is no positive distribution"]


def test_strategies_cover_what_they_should():
    """Names of expressions are the graph's, so that no test above is about nothing."""
    rng = Random(14)
    seen = set()
    for graph, candidate, _ in random_pairs(rng, 200):
        assert names_of(candidate) <= graph.node_set
        seen.add(type(candidate).__name__)
    assert {"Probability", "Sum", "Product", "Quotient", "Plus"} <= seen
