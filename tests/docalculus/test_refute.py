"""Random models tell wrong formulas from right ones; every verdict is judged by enumeration, not by the engine."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from calverify.docalculus import _models, _refute
from calverify.docalculus._chance import chance_of_missing, degrees
from calverify.docalculus._evaluate import Evaluation, evaluate
from calverify.docalculus._expression import (
    ONE,
    Number,
    Product,
    Quotient,
    Sum,
    Variable,
    free_variables,
    names_of,
    probability,
)
from calverify.docalculus._models import residues, shape_of
from calverify.docalculus._read import read_expression
from calverify.docalculus._refute import Agreement, CounterModel, refute
from calverify.docalculus._tables import Steps
from calverify.errors import BudgetError, ExpressionError, GraphError
from calverify.graphs import Graph
from tests.docalculus.rewritten_pairs import random_pairs
from tests.oracles.effects_by_truncation import random_model as random_truth
from tests.oracles.expressions import evaluate as defined_value
from tests.oracles.expressions import table
from tests.oracles.latent_models import flaws, model_of

X, Y, Z = map(Variable, "XYZ")
CONFOUNDED = "U -> X, U -> Y, X -> Y"
NAPKIN = "W -> Z, Z -> X, X -> Y, W <-> X, W <-> Y"
FRONT_DOOR = "X -> M, M -> Y, X <-> Y"
M_BIAS = "A -> X, A -> Z, B -> Z, B -> Y, X -> Y"
M_LATENT = "X <-> Z, Z <-> Y, X -> Y"
MEDIATOR = "X -> M, M -> Y, X -> Y"
VERMA = "A -> B, B -> C, C -> D, B <-> D"

ROWS = [  # (what it is about, graph, target, candidate, are they equal)
    ("confounded: the association", CONFOUNDED, "P(Y | do(X))", "P(Y | X)", False),
    ("confounded: the association, with a value", CONFOUNDED, "P(Y=1 | do(X))", "P(Y=1 | X)", False),
    ("confounded: the margin, with a value", CONFOUNDED, "P(Y=1 | do(X))", "P(Y=1)", False),
    ("confounded: both with values", CONFOUNDED, "P(Y=1 | do(X=0))", "P(Y=1 | X=0)", False),
    ("confounded: adjusted", CONFOUNDED, "P(Y | do(X))", "sum_{U} P(Y | X, U) P(U)", True),
    ("confounded: adjusted, with values", CONFOUNDED, "P(Y=1 | do(X=0))", "sum_{U} P(Y=1 | X=0, U) P(U)", True),
    ("confounded: adjusted, the other value", CONFOUNDED, "P(Y=1|do(X=0))", "1 - sum_{U} P(Y=0|X=0, U) P(U)", True),
    ("confounded: weighted by P(U|X)", CONFOUNDED, "P(Y | do(X))", "sum_{U} P(Y | X, U) P(U | X)", False),
    ("confounded: given the confounder", CONFOUNDED, "P(Y | do(X), U)", "P(Y | X, U)", True),
    ("confounded: inverse weights", CONFOUNDED, "P(Y | do(X))", "sum_{U} P(X, Y, U) / P(X | U)", True),
    ("confounded: the joint", CONFOUNDED, "P(Y, U | do(X))", "P(Y | X, U) P(U)", True),
    ("the effect is not its cause", "X -> Y", "P(X | do(Y))", "P(X | Y)", False),
    ("the effect leaves its cause", "X -> Y", "P(X | do(Y))", "P(X)", True),
    ("unconfounded", "X -> Y, Z -> Y", "P(Y | do(X))", "P(Y | X)", True),
    ("unconfounded, adjusted for nothing", "X -> Y, Z -> Y", "P(Y | do(X))", "sum_{Z} P(Y | X, Z) P(Z)", True),
    ("bow", "X -> Y, X <-> Y", "P(Y | do(X))", "P(Y | X)", False),
    ("bow: the margin", "X -> Y, X <-> Y", "P(Y | do(X))", "P(Y)", False),
    ("front door", FRONT_DOOR, "P(Y | do(X))", "sum_{M} P(M | X) sum_{X'} P(Y | M, X') P(X')", True),
    ("front door: weights given X", FRONT_DOOR, "P(Y|do(X))", "sum_{M} P(M|X) sum_{X'} P(Y|M, X') P(X'|M)", False),
    ("front door: no copy", FRONT_DOOR, "P(Y | do(X))", "sum_{M} P(M | X) P(Y | M, X)", False),
    ("front door: one X for both", FRONT_DOOR, "P(Y | do(X))", "sum_{M} sum_{X} P(M | X) P(Y | M, X) P(X)", False),
    ("front door: M alone", FRONT_DOOR, "P(Y | do(X))", "sum_{M} P(M | X) P(Y | M)", False),
    ("front door: the first half", FRONT_DOOR, "P(M | do(X))", "P(M | X)", True),
    ("front door: the second half", FRONT_DOOR, "P(Y | do(M))", "sum_{X} P(Y | M, X) P(X)", True),
    ("mediator adjusted away", MEDIATOR, "P(Y | do(X))", "sum_{M} P(Y | X, M) P(M)", False),
    ("mediator left alone", MEDIATOR, "P(Y | do(X))", "P(Y | X)", True),
    ("mediator carried along", MEDIATOR, "P(Y | do(X))", "sum_{M} P(Y | X, M) P(M | X)", True),
    ("m-bias: collider adjusted", M_BIAS, "P(Y | do(X))", "sum_{Z} P(Y | X, Z) P(Z)", False),
    ("m-bias: nothing adjusted", M_BIAS, "P(Y | do(X))", "P(Y | X)", True),
    ("m-bias: collider and a parent", M_BIAS, "P(Y | do(X))", "sum_{A, Z} P(Y | X, A, Z) P(A, Z)", True),
    ("m-bias with latents: collider adjusted", M_LATENT, "P(Y | do(X))", "sum_{Z} P(Y | X, Z) P(Z)", False),
    ("m-bias with latents: nothing adjusted", M_LATENT, "P(Y | do(X))", "P(Y | X)", True),
    ("instrument", "Z -> X, X -> Y, X <-> Y", "P(Y | do(X))", "sum_{Z} P(Y | X, Z) P(Z)", False),
    ("instrument: its own effect", "Z -> X, X -> Y, X <-> Y", "P(Y | do(Z))", "P(Y | Z)", True),
    ("descendant adjusted", "X -> Y, Y -> Z", "P(Y | do(X))", "sum_{Z} P(Y | X, Z) P(Z)", False),
    ("napkin: the association", NAPKIN, "P(Y | do(X))", "P(Y | X)", False),
    ("napkin", NAPKIN, "P(Y|do(X))", "(sum_{W} P(X, Y | Z, W) P(W)) / (sum_{W} P(X | Z, W) P(W))", True),
    ("napkin at one value", NAPKIN, "P(Y|do(X))", "(sum_{W} P(X,Y|Z=1, W) P(W)) / (sum_{W} P(X|Z=1, W) P(W))", True),
    (
        "napkin with two values of Z",
        NAPKIN,
        "P(Y|do(X))",
        "(sum_{W} P(X,Y|Z,W) P(W)) / (sum_{W} P(X|Z',W) P(W))",
        False,
    ),
    ("napkin: adjusted for W", NAPKIN, "P(Y | do(X))", "sum_{W} P(Y | X, W) P(W)", False),
    ("napkin: both summed", NAPKIN, "P(Y | do(X))", "sum_{Z, W} P(Y | X, Z, W) P(Z, W)", False),
    ("Verma: no function of C alone", VERMA, "P(D | do(C))", "P(D | C)", False),
    ("Verma", VERMA, "P(D | do(C))", "sum_{B} P(D | A, B, C) P(B | A)", True),
    ("Verma: A has no effect", VERMA, "P(D | do(A), do(C))", "P(D | do(C))", True),
    ("two treatments", "X -> Z, Z -> Y, X -> Y, X <-> Z", "P(Y | do(X, Z))", "P(Y | X, Z)", True),
    ("two outcomes", CONFOUNDED, "P(U, Y | do(X))", "P(Y | X, U) P(U | X)", False),
    ("a difference of two", "X -> Y", "P(Y=1|do(X=1)) - P(Y=1|do(X=0))", "P(Y=1|X=1) - P(Y=1|X=0)", True),
    ("a difference of two, one wrong", CONFOUNDED, "P(Y=1|do(X=1)) - P(Y=1|do(X=0))", "P(Y=1|X=1) - P(Y=1|X=0)", False),
    ("right for two values only", "X -> Y, Z", "P(Y | do(X))", "P(Y | X) (sum_{Z} 1) / 2", False),
    ("right for the two values that are named", "X -> Y, Z", "P(Y|do(X))", "P(Y|X) P(Z=0) + P(Y|X) P(Z=1)", True),
    ("three values are named", "X -> Y, Z", "P(Y|do(X))", "P(Y|X) (P(Z=0) + P(Z=1) + 0 P(Z=2))", False),
    ("a free variable that matters", CONFOUNDED, "P(Y | do(X))", "P(Y | X, U)", False),
    ("numbers", "X -> Y", "2 / 4", "1 / 2", True),
    ("other numbers", "X -> Y", "2 / 4", "1 / 3", False),
]


def read(graph, *texts):
    return [read_expression(text, graph.nodes) for text in texts]


@pytest.mark.parametrize(("graph", "target", "candidate", "equal"), [r[1:] for r in ROWS], ids=[r[0] for r in ROWS])
def test_known_formulas(graph, target, candidate, equal):
    graph = Graph.parse(graph)
    target, candidate = read(graph, target, candidate)
    found = refute(graph, candidate, target)
    assert isinstance(found, Agreement if equal else CounterModel)
    is_justified(graph, candidate, target, found)
    if isinstance(found, CounterModel):
        assert read(graph, found.to_json()["candidate"], found.to_json()["target"]) == [candidate, target]
    turned = refute(graph, target, candidate)
    assert type(turned) is type(found)


# ---------------------------------------------------------------- what a verdict must stand up to


def is_justified(graph, candidate, target, found, seed=0):
    if isinstance(found, CounterModel):
        shows_a_difference(graph, candidate, target, found.to_json())
    else:
        agrees_on_a_model_of_its_own(graph, candidate, target, seed)
        assert found.bits >= 40


def shows_a_difference(graph, candidate, target, record):
    """The record alone: a positive model of the graph, in which both have the values that it says, and not the same."""
    assert flaws(record["model"], graph) == []
    model = model_of(record["model"])
    at = {Variable(name.rstrip("'"), name.count("'")): value for name, value in record["at"].items()}
    assert at.keys() == free_variables(candidate) | free_variables(target)
    values = [Fraction(record[key]) for key in ("candidate_value", "target_value")]
    assert [defined_value(each, at, model) for each in (candidate, target)] == values
    assert values[0] != values[1]


def tables_on_a_model_of_its_own(graph, candidate, target, seed):
    model = random_truth(graph, seed, 2 if len(graph.bidirected) > 2 else 3)
    free = sorted(free_variables(candidate) | free_variables(target))
    return table(candidate, model, free), table(target, model, free)


def agrees_on_a_model_of_its_own(graph, candidate, target, seed):
    found, wanted = tables_on_a_model_of_its_own(graph, candidate, target, seed)
    assert any(value is not None for value in wanted.values())
    assert all(found[row] == value for row, value in wanted.items() if value is not None)


@pytest.mark.parametrize("count", [200, pytest.param(5_000, marks=pytest.mark.property)])
def test_every_verdict_on_random_pairs_is_justified(count):
    """Counter-models by their own records, agreements on independent exact models, refusals by what has no value."""
    seen: Counter[str] = Counter()
    for seed, (graph, candidate, target) in enumerate(random_pairs(Random(31), count)):
        try:
            found = refute(graph, candidate, target)
        except ExpressionError:
            left, right = tables_on_a_model_of_its_own(graph, candidate, target, seed)
            lost = [row for row, value in right.items() if value is not None and left[row] is None]
            assert lost or not any(value is not None for value in right.values())
            seen["without value"] += 1
            continue
        is_justified(graph, candidate, target, found, seed)
        seen[type(found).__name__] += 1
    assert seen.total() == count
    assert min(seen["Agreement"], seen["CounterModel"]) > 0.2 * count
    assert seen["without value"] > 0.02 * count


# ---------------------------------------------------------------- what is reported


def test_a_counter_model_is_small_and_printed_whole():
    graph = Graph.parse("X -> Y, X <-> Y")
    found = refute(graph, *read(graph, "P(Y | X)", "P(Y | do(X))"))
    assert isinstance(found, CounterModel)
    first, *tables = str(found).splitlines()
    assert first == (
        f"At X={found.at['X']}, Y={found.at['Y']}, P(Y | X) is {found.candidate_value}, "
        f"and P(Y | do(X)) is {found.target_value} (about {float(found.target_value):.4g}), in this model:"
    )
    assert [line.split(":")[0] for line in tables] == [
        "U1 (behind X <-> Y) has values 0..1",
        "P(X=1 | U1)",
        "P(Y=1 | X, U1)",
    ]
    assert found.target_value.denominator < 10_000


def test_nothing_free_is_nowhere():
    graph = Graph.parse("X -> Y")
    found = refute(graph, *read(graph, "P(Y=1)", "P(Y=1 | X=1)"))
    assert str(found).startswith("P(Y=1) is ")
    assert found.at == {}


def test_copies_are_named_as_they_are_written():
    graph = Graph(["two words"])
    copy = Variable("two words", 1)
    found = refute(graph, probability([copy]), probability([Variable("two words")]))
    assert set(found.at) == {'"two words"', '"two words"\''}


def test_an_agreement_says_how_sure_it_is():
    graph = Graph.parse("X -> Y, Z")
    candidate, target = read(graph, "P(Y=1 | X)", "P(Y=1 | do(X))")
    found = refute(graph, candidate, target)
    # degree 2 over 2 against 2 over 0: 9 * 4 / 2^64 a model, and a little more for divisors that may be zero;
    # coefficients of at most 17 bits: no prime of 60 divides them, and one in 2^50 is allowed for that
    one = Fraction(9 * 4, 2**64 - 9 * 2 * 2) + Fraction(1, 2**50)
    assert found == Agreement(2, one**2, True, ("X",))
    assert found.to_json() == {"models": 2, "bits": 99, "enough_latents": True, "three_values": ["X"]}
    assert Fraction(1, 2**100) < found.chance <= Fraction(1, 2**99)
    assert "equal on 2 random models" in str(found)
    assert "at most 2^-99" in str(found)
    more = refute(graph, candidate, target, models=5)
    assert (more.models, more.chance) == (5, one**5)


def test_what_is_not_enough_is_said():
    graph = Graph.parse("X <-> Y, Y <-> Z, X <-> Z")
    found = refute(graph, *read(graph, "P(X, Y, Z)", "P(X | Y, Z) P(Y, Z)"))
    assert (found.enough, found.to_json()["enough_latents"]) == (False, False)
    assert "latents of at most 6 values" in str(found)


def test_the_same_question_has_the_same_answer():
    graph = Graph.parse(NAPKIN)
    pair = read(graph, "P(Y | X)", "P(Y | do(X))")
    first = refute(graph, *pair)
    assert refute(graph, *pair) == first
    others = [refute(graph, *pair, seed=seed) for seed in range(1, 6)]
    assert all(isinstance(other, CounterModel) for other in others)
    assert any(other.model != first.model for other in others)


def test_a_third_value_is_tried_where_there_is_room():
    """Fifteen parents and their child make a table of 2^16 entries already."""
    parents = [f"V{at:02}" for at in range(15)]
    large = Graph([*parents, "Y"], [(name, "Y") for name in parents])
    small = Graph.parse("X -> Y")
    for graph, three in ((large, ()), (small, ("X", "Y"))):
        x = Variable(graph.nodes[0])
        found = refute(graph, probability([Y], [], [x]), probability([Y], [x]))
        assert (type(found), found.three) == (Agreement, three)


def test_a_difference_that_no_fractions_show_is_undetermined(monkeypatch):
    graph = Graph.parse("X -> Y")
    monkeypatch.setattr(_refute, "SEARCH", ((2, (1,)),))  # everything is uniform: Y and X are independent
    with pytest.raises(BudgetError, match="no model in fractions was found that does"):
        refute(graph, *read(graph, "P(Y)", "P(Y | X)"))
    monkeypatch.undo()
    assert isinstance(refute(graph, *read(graph, "P(Y)", "P(Y | X)")), CounterModel)


# ---------------------------------------------------------------- the bound


@pytest.mark.parametrize("count", [800, pytest.param(40_000, marks=pytest.mark.property)])
@pytest.mark.parametrize("about", ["confounded: the association", "front door: M alone", "mediator adjusted away"])
def test_the_chance_bounds_how_often_a_small_prime_is_fooled(about, count):
    """Modulo 251 wrong formulas do pass now and then, and no more often than their degrees allow."""
    graph, *texts = next(row[1:4] for row in ROWS if row[0] == about)
    graph = Graph.parse(graph)
    target, candidate = read(graph, *texts)
    shape = shape_of(graph, about=sorted(names_of(candidate) | names_of(target)))
    one, other = degrees(candidate, shape), degrees(target, shape)
    bound = Fraction(max(one.above + other.below, other.above + one.below), 251 - 4 * (one.below + other.below))
    evaluation = Evaluation(shape, [candidate, target], Steps(10**9))
    axes = (evaluation.axis(X), evaluation.axis(Y))
    fooled = tried = 0
    for seed in range(count):
        left, right = (evaluation.arithmetic.product([t], axes) for t in evaluation.tables(residues(shape, seed, 251)))
        if left.holes is None:
            tried += 1
            fooled += left.values[0] == right.values[0]
    assert tried > 0.8 * count
    assert 0 < Fraction(fooled, tried) < bound


def test_divisors_that_happen_to_be_zero_are_drawn_again(monkeypatch):
    """Modulo 11 they often are: then too few models are left, but nothing is refused for having no value."""
    monkeypatch.setattr(_refute, "prime_of", lambda seed: 11)
    graph = Graph.parse("X -> Y")
    pair = read(graph, "P(X, Y) / P(X)", "P(Y | X)")
    seen = Counter()
    for seed in range(60):
        try:
            seen[type(refute(graph, *pair, seed=seed)).__name__] += 1
        except BudgetError:
            seen["unlucky"] += 1
    assert seen["Agreement"] > seen["unlucky"] > 0 == seen["CounterModel"]


def test_degrees_of_what_has_none():
    shape = shape_of(Graph.parse("X -> Y"))
    assert degrees(Number(3), shape) == (0, 0)
    assert chance_of_missing(ONE, Number(2), [], shape) == Fraction(9, 2**64) + Fraction(1, 2**50)


def test_an_agreement_that_is_worth_nothing_is_undetermined():
    """Every level of quotients triples the degree, which passes 2^61."""
    graph, expression = Graph.parse("X -> Y"), probability([X], [], [Y])
    assert isinstance(refute(graph, expression, expression), Agreement)
    for _ in range(45):
        expression = Quotient(ONE, Sum((X,), expression))
    with pytest.raises(BudgetError, match="too high a degree"):
        refute(graph, expression, expression)


# ---------------------------------------------------------------- what is refused


REFUSED = [
    (
        "division by zero",
        "P(Y | X) / (1 - P(X) / P(X))",
        "P(Y | do(X))",
        "expression has no value at X=0, Y=0: it divides by",
    ),
    ("zero in this graph", "P(Y|X) P(X) / (P(X|Z) - P(X))", "P(Y | do(X))", "has no value at X=0, Y=0, Z=0: it div"),
    ("a target without value", "P(Y | X)", "P(Y | do(X)) / (1 - 1)", r"P\(Y \| do\(X\)\) / \(1 - 1\) has no value"),
    (
        "nothing free",
        "P(Y=1 | X=1) / (P(X=1 | Z=0) - P(X=1))",
        "P(Y=1 | do(X=1))",
        "the expression has no value: it divides by zero",
    ),
]


@pytest.mark.parametrize(("candidate", "target", "why"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_has_no_value_is_refused(candidate, target, why):
    graph = Graph.parse("X -> Y, Z")
    with pytest.raises(ExpressionError, match=why):
        refute(graph, *read(graph, candidate, target))


def test_a_hole_is_refused_where_the_target_has_a_value_and_only_there():
    graph, copy = Graph.parse("X -> Y"), Variable("X", 1)
    holed = probability([Y], [], [X, copy])
    with pytest.raises(
        ExpressionError, match="the expression has no value at X=0, X'=1, Y=0: it divides by zero, or con"
    ):
        refute(graph, holed, probability([Y], [X]))
    assert isinstance(refute(graph, holed, holed), Agreement)
    assert isinstance(refute(graph, probability([Y], [], [X]), holed), Agreement)
    assert isinstance(refute(graph, Product((holed, Number(2))), probability([Y], [X])), CounterModel)


def test_names_and_graphs_that_do_not_fit():
    graph = Graph.parse("X -> Y")
    with pytest.raises(ExpressionError, match="Q, Z are not in the graph"):
        refute(graph, probability([Z], [], [Variable("Q")]), probability([Y], [X]))
    with pytest.raises(ExpressionError, match="Z is not in the graph"):
        refute(graph, Sum((Z,), probability([Y])), probability([Y], [X]))
    with pytest.raises(GraphError, match="acyclic"):
        refute(Graph.parse("X -> Y, Y -> X"), probability([Y]), probability([Y], [X]))


def test_numbers_that_fit_the_models_of_one_question_do_not_fit_those_of_another():
    """Who knows the residues of P(Y=1 | do(X=1)) and writes them down asks another question."""
    graph = Graph.parse(CONFOUNDED)
    guess, target = read(graph, "P(Y=1)", "P(Y=1 | do(X=1))")
    for _ in range(3):
        start = _refute._fingerprint(graph, guess, target, 0)
        seed = _models.words(start, 1)[0]
        model = residues(shape_of(graph, {"X": 2, "Y": 2}, ["X", "Y"]), seed, _models.prime_of(seed))
        known = evaluate(target, model)[()]
        assert evaluate(Number(known), model)[()] == known
        guess = Number(known)
        assert isinstance(refute(graph, guess, target, models=1), CounterModel)


PRIMES = {  # numbers of at most 18 digits that add up to 2^61 - 1
    "in sums of one": " + ".join(["576460752303423488 sum_{X'} P(X' | Y)"] * 4) + " - 1",
    "in sums of others": "576460752303423488 (1 + sum_{X'} P(X') + sum_{X'} P(X' | U) + sum_{X'} P(X' | Y)) - 1",
    "in sums over sums": "sum_{X'} sum_{X''} (576460752303423488 P(X) / P(X)) - 1 + P(X=1) - P(X=1)",
}


@pytest.mark.parametrize("zero", PRIMES.values(), ids=PRIMES)
def test_what_is_zero_modulo_a_known_prime_is_not_zero(zero):
    graph = Graph.parse(CONFOUNDED)
    candidate, target = read(graph, f"sum_{{U}} P(Y | X, U) P(U) + {zero}", "P(Y | do(X))")
    assert isinstance(refute(graph, candidate, target), CounterModel)


# ---------------------------------------------------------------- hostile expressions


WIDE = Graph([f"V{at}" for at in range(30)], [(f"V{at}", "V29") for at in range(5)])
CROWD = Graph([f"V{at}" for at in range(24)], [(f"V{a}", f"V{b}") for b in range(24) for a in range(b)])
ARCS = Graph([f"V{a}" for a in range(12)], bidirected=[(f"V{a}", f"V{b}") for b in range(12) for a in range(b)])
PAIR = Graph.parse("X -> Y")
HOSTILE = [  # (what it is, graph, candidate, target, what comes of it)
    ("a thousand sums", PAIR, " + ".join(["sum_{X} P(Y | X)"] * 1_000), "P(Y)", CounterModel),
    ("sums within sums", PAIR, "sum_{X} " * 40 + "P(Y | X)", "P(Y)", BudgetError),
    ("many free variables", WIDE, " ".join(f"P(V{at})" for at in range(30)), "P(V29 | do(V0))", BudgetError),
    ("a wide probability", WIDE, f"P({', '.join(WIDE.nodes)})", "P(V29 | do(V0))", BudgetError),
    (
        "a wide sum",
        WIDE,
        f"sum_{{{', '.join(WIDE.nodes)}}} {' '.join(map('P({})'.format, WIDE.nodes))}",
        "1",
        Agreement,
    ),
    ("arrows between all", CROWD, "P(V23 | V0)", "P(V23 | do(V0))", BudgetError),
    ("latents between all", ARCS, "P(V11 | V0)", "P(V11 | do(V0))", CounterModel),
    ("latents between all, asked together", ARCS, f"P({', '.join(ARCS.nodes)})", "P(V11 | do(V0))", BudgetError),
    ("a large value", PAIR, "P(Y | X=999999999)", "P(Y | do(X=1))", BudgetError),
    ("many values", PAIR, "P(Y=3000 | X=3)", "P(Y | do(X=1))", CounterModel),
    ("large numbers", PAIR, "P(Y) * " + " * ".join(["9" * 18] * 50), "P(Y | do(X))", CounterModel),
    ("larger numbers", PAIR, "P(Y) * " + " * ".join(["9" * 18] * 500), "P(Y | do(X))", BudgetError),
    ("many factors", PAIR, " ".join(["P(Y | X)"] * 3_000), "P(Y | do(X))", CounterModel),
    ("powers of powers", PAIR, " * ".join([f"({' * '.join(['9' * 18] * 90)})"] * 90), "P(Y)", BudgetError),
    ("divisions", PAIR, "P(Y) / (" * 40 + "P(Y | X)" + ")" * 40, "P(Y | do(X))", BudgetError),
]


@pytest.mark.parametrize(
    ("graph", "candidate", "target", "wanted"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE]
)
def test_hostile_expressions_end_within_the_budget(graph, candidate, target, wanted):
    pair = read(graph, candidate, target)
    if wanted is BudgetError:
        with pytest.raises(BudgetError):
            refute(graph, *pair)
    else:
        found = refute(graph, *pair)
        assert isinstance(found, wanted)
        assert str(found)
