"""The canonical form: which spellings meet, which do not, and that no value is lost (by the slow oracle)."""

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calverify.docalculus._canonical import UNDEFINED, canonical
from calverify.docalculus._expression import (
    ONE,
    Expression,
    Number,
    Plus,
    Product,
    Quotient,
    Sum,
    Variable,
    free_variables,
    parts,
    probability,
    rename,
)
from calverify.docalculus._read import read_expression
from calverify.docalculus._write import to_text
from calverify.errors import ExpressionError
from tests.docalculus.expressions import NAMES, expressions, model_names
from tests.oracles.expressions import random_model, table

# ---------------------------------------------------------------- rows

SAME = [
    # order
    ("P(X) P(Y)", "P(Y) P(X)"),
    ("P(Y | X, Z)", "P(Y | Z, X)"),
    ("P(X) + P(Y) - P(Z)", "P(Y) - P(Z) + P(X)"),
    ("sum_{Z} P(Y | X, Z) P(Z)", "sum_{Z} P(Z) P(Y | X, Z)"),
    ("sum_{Z, W} P(Y | Z, W)", "sum_{W, Z} P(Y | Z, W)"),
    # grouping
    ("(P(X) P(Y)) P(Z)", "P(X) (P(Y) P(Z))"),
    ("P(X) - (P(Y) - P(Z))", "P(X) - P(Y) + P(Z)"),
    ("P(X) - P(Y)", "-(P(Y) - P(X))"),
    ("+P(X)", "P(X)"),
    ("-(-P(X))", "P(X)"),
    # bound copies
    ("sum_{X'} P(Y | M, X') P(X')", "sum_{X} P(Y | M, X) P(X)"),
    ("sum_{X'''} P(X''')", "sum_{X} P(X)"),
    ("P(X) sum_{X'} P(X')", "P(X) sum_{X} P(X)"),
    ("sum_{X, X'} P(Y | X) P(Z | X')", "sum_{X', X} P(Y | X') P(Z | X)"),
    ("sum_{X, X', Z} P(Y | X, Z) P(Z | X') P(X')", "sum_{X, X', Z} P(Y | X', Z) P(Z | X) P(X)"),
    ("sum_{X, X', Z} P(Z | X) P(Z | X') P(Z)", "sum_{X', X'', Z} P(Z) P(Z | X'') P(Z | X')"),
    ("sum_{X, X', Z} (P(Z | X) - P(Z | X')) P(X) P(W, Z)", "sum_{X, X', Z} (P(Z | X') - P(Z | X)) P(X') P(W, Z)"),
    # merged and split sums
    ("sum_{Z} sum_{W} P(Y | Z, W)", "sum_{W, Z} P(Y | Z, W)"),
    ("sum_{M} P(M | X) sum_{X'} P(Y | M, X') P(X')", "sum_{M, X'} P(M | X) P(Y | M, X') P(X')"),
    ("sum_{M} P(M | X) sum_{X} P(Y | M, X) P(X)", "sum_{X'} P(X') sum_{M} P(Y | M, X') P(M | X)"),
    ("sum_{Z, W} P(Z) P(W)", "(sum_{Z} P(Z)) (sum_{W} P(W))"),
    ("(sum_{Z} P(Z)) (sum_{Z} P(Z))", "sum_{Z, Z'} P(Z) P(Z')"),
    ("P(X) sum_{Z} P(Z | X)", "sum_{Z} P(X) P(Z | X)"),
    ("(sum_{Z} P(Z | X)) / P(X)", "sum_{Z} (P(Z | X) / P(X))"),
    ("sum_{Z} 2 P(Z)", "2 sum_{Z} P(Z)"),
    ("sum_{Z} (-1) P(Z)", "-sum_{Z} P(Z)"),
    ("sum_{Z} sum_{Z} P(Z)", "(sum_{Z'} 1) (sum_{Z} P(Z))"),
    # numbers
    ("1 P(X)", "P(X)"),
    ("P(X) / 1", "P(X)"),
    ("1 * 1 * P(X) * 1", "P(X)"),
    ("2 * 3 P(X)", "6 P(X)"),
    ("4 P(X) / 6", "2 P(X) / 3"),
    ("P(X) + P(X)", "2 P(X)"),
    ("P(X) - P(X)", "0"),
    ("0 P(X) + P(Y)", "P(Y)"),
    ("(P(X) + P(Y)) / 2", "P(X) / 2 + P(Y) / 2"),
    ("2 P(X) - 2", "2 (P(X) - 1)"),
    ("1 - P(X) + 2", "3 - P(X)"),
    ("P(X=1)", "P(X'=1)"),
    # quotients
    ("P(X) P(Y) / P(Y)", "P(X)"),
    ("P(X) / P(X)", "1"),
    ("P(X) / P(Y) / P(Z)", "P(X) / (P(Y) P(Z))"),
    ("P(X) / (P(Y) / P(Z))", "P(X) P(Z) / P(Y)"),
    ("(P(X) / P(Y)) (P(Z) / P(W))", "P(X) P(Z) / (P(Y) P(W))"),
    ("P(X) * 1 / P(Y)", "P(X) / P(Y)"),
    ("(sum_{Z} P(Z, X)) / (sum_{Z'} P(X, Z'))", "1"),
    ("sum_{W} P(Y, X | W) P(W) / sum_{W} P(X | W) P(W)", "(sum_{W'} P(W') P(X, Y | W')) / (sum_{W} P(X | W) P(W))"),
    ("(P(X) - P(Y)) / (P(Y) - P(X))", "-1"),
    ("1 / (P(X) - P(X))", "P(Y) / (1 - 1)"),
]

DIFFERENT = [
    ("P(Y)", "P(X)"),
    ("P(Y | X)", "P(X | Y)"),
    ("P(Y | X)", "P(Y, X)"),
    ("P(Y | do(X))", "P(Y | X)"),
    ("P(Y | do(X), Z)", "P(Y | do(X, Z))"),
    ("P(Y=1)", "P(Y)"),
    ("P(Y=1)", "P(Y=0)"),
    ("P(X')", "P(X)"),
    ("P(X, Y)", "P(X) P(Y)"),
    ("P(Y | X) P(X)", "P(X, Y)"),  # a law of probability, not a spelling
    ("sum_{X} P(X)", "1"),
    ("sum_{X} P(X)", "P(X)"),
    ("sum_{X} P(Y)", "P(Y)"),
    ("sum_{X} P(Y)", "sum_{Z} P(Y)"),
    ("sum_{Z} P(Z)", "sum_{X} P(X)"),
    ("sum_{Z} P(Y | Z)", "sum_{W} P(Y | Z)"),
    ("sum_{X'} P(Y | X) P(X')", "sum_{X'} P(Y | X') P(X')"),
    ("sum_{X, X'} P(Y | X) P(Z | X')", "sum_{X} P(Y | X) P(Z | X)"),
    ("sum_{M} P(M | X) sum_{X} P(Y | M, X) P(X)", "sum_{M, X} P(M | X) P(Y | M, X) P(X)"),
    ("sum_{X, X', Z} P(Y | X, Z) P(Z | X') P(X')", "sum_{X, X', Z} P(Y | X, Z) P(Z | X') P(X)"),
    ("sum_{Z} P(Z) + P(X)", "sum_{Z} (P(Z) + P(X))"),
    ("(sum_{Z} P(Z)) P(Y | Z)", "sum_{Z} P(Z) P(Y | Z)"),
    ("(sum_{Z} P(Z)) (sum_{Z} P(Z))", "sum_{Z} P(Z) P(Z)"),
    ("P(X) P(X)", "P(X)"),
    ("P(X) + P(X)", "P(X)"),
    ("P(X) - P(Y)", "P(Y) - P(X)"),
    ("P(X) / P(Y)", "P(Y) / P(X)"),
    ("P(X) / P(Y)", "P(X)"),
    ("P(X) / P(Y) P(Z)", "P(X) / (P(Y) P(Z))"),
    ("(sum_{Z} P(Y, Z)) / (sum_{Z} P(Z))", "sum_{Z} (P(Y, Z) / P(Z))"),
    ("2 P(X)", "3 P(X)"),
    ("P(X) / 2", "2 P(X)"),
    ("0", "1 / (P(X) - P(X))"),
    ("P(X) (P(Y) + P(Z))", "P(X) P(Y) + P(X) P(Z)"),  # products of sums of terms stay as they are
]

FORMS = [
    ("sum_{M, X'} P(Y | M, X') P(X') P(M | X)", "sum_{M} P(M | X) sum_{X'} P(Y | M, X') P(X')"),
    ("P(Z) sum_{X'} (P(X') * 1) / P(Z)", "sum_{X} P(X)"),
    ("sum_{Z''} P(Z'') P(Y | X, Z'')", "sum_{Z} P(Y | X, Z) P(Z)"),
    ("sum_{W} sum_{Z} P(Z | W) P(Y | X, Z, W) P(W)", "sum_{W, Z} P(Y | W, X, Z) P(Z | W) P(W)"),
    ("sum_{X} P(X, Y) / (1 + sum_{X} P(X, Y, Z))", "(sum_{X} P(X, Y)) / (1 + sum_{X} P(X, Y, Z))"),
    (
        "sum_{X} (P(X) / sum_{X'} P(X', Y, Z=0))",
        "(sum_{X} P(X)) / (sum_{X} P(X, Y, Z=0))",
    ),
    ("sum_{X} (P(X) / sum_{X'} P(Z | X') P(Y | X))", "(sum_{X} (P(X) / P(Y | X))) / (sum_{X} P(Z | X))"),
    ("sum_{X} (P(X) / (1 + sum_{X'} P(Y | X')) / P(Y | X))", "(sum_{X} (P(X) / P(Y | X))) / (1 + sum_{X} P(Y | X))"),
    ("sum_{X} (P(X) / (P(Y | X) + sum_{X} P(Y | X)))", "sum_{X} (P(X) / (P(Y | X) + sum_{X'} P(Y | X')))"),
    ("P(Y) - 2 P(X) * 1", "-2 P(X) + P(Y)"),
    ("P(X) / (0 P(Y))", "1 / 0"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_expression_meet(one, other):
    assert to_text(canonical(read_expression(one))) == to_text(canonical(read_expression(other)))
    assert canonical(read_expression(one)) == canonical(read_expression(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_expressions_do_not_meet(one, other):
    assert canonical(read_expression(one)) != canonical(read_expression(other))


@pytest.mark.parametrize(("text", "form"), FORMS)
def test_form(text, form):
    assert to_text(canonical(read_expression(text))) == form


def test_large_numbers_are_refused():
    """They would take time that grows faster than their text."""
    with pytest.raises(ExpressionError, match="over 1,000 bits"):
        canonical(Product((Number(10**17),) * 20))
    with pytest.raises(ExpressionError, match="over 1,000 bits"):
        canonical(Plus(tuple((1, Quotient(ONE, Number(10**17 + 2 * at + 1))) for at in range(40))))
    with pytest.raises(TypeError, match="no expression"):
        canonical("P(Y)")


# ---------------------------------------------------------------- values


def keeps_the_value(expression: Expression, seed: int) -> None:
    """Wherever the expression has a value, in a model where some events never happen, its canonical form has it too."""
    form = canonical(expression)
    assert free_variables(form) <= free_variables(expression)
    model = random_model(seed, model_names(expression) or ("X",), zeros=0.1 * (seed % 3))
    over = sorted(free_variables(expression))
    before, after = table(expression, model, over), table(form, model, over)
    lost = {row: (before[row], after[row]) for row in before if before[row] not in (None, after[row])}
    assert not lost, to_text(form)
    if form == UNDEFINED:
        assert set(before.values()) == {None}


SMALL = expressions(NAMES[:3], leaves=6)
CASES = pytest.mark.parametrize("seed", [0, 1])


@settings(max_examples=60, deadline=None)
@given(SMALL, st.integers(0, 5))
def test_no_value_is_lost(expression, seed):
    keeps_the_value(expression, seed)


@settings(max_examples=60, deadline=None)
@given(expressions(leaves=12))
def test_canonical_is_idempotent(expression):
    form = canonical(expression)
    assert canonical(form) == form
    hash(form)


# ---------------------------------------------------------------- other spellings


def respelled(expression: Expression, rng: Random) -> Expression:
    """Another spelling of the expression: shuffled, regrouped, bound copies renamed, factors 1 put in."""
    match expression:
        case Sum(over, body):
            return _respelled_sum(list(over), respelled(body, rng), rng)
        case Product(factors):
            factors = [respelled(factor, rng) for factor in factors] + [ONE] * rng.randint(0, 1)
            rng.shuffle(factors)
            return _regrouped(factors, rng)
        case Quotient(above, below):
            above, below = respelled(above, rng), respelled(below, rng)
            extra = probability([Variable("W", 0, 0)])
            return rng.choice(
                [
                    Quotient(above, below),
                    Product((Quotient(ONE, below), above)),
                    Quotient(ONE, Quotient(below, above)) if canonical(above) != Number(0) else Quotient(above, below),
                    Quotient(Product((above, extra)), Product((extra, below))),
                ]
            )
        case Plus(terms):
            terms = [(sign, respelled(term, rng)) for sign, term in terms]
            rng.shuffle(terms)
            cut = rng.randint(0, len(terms))
            return Plus((*terms[:cut], (-1, Plus(tuple((-sign, term) for sign, term in terms[cut:])))))
    return expression


def _regrouped(factors: list[Expression], rng: Random) -> Expression:
    """The product, cut in two somewhere; or with a first part drawn into a sum at its end."""
    if isinstance(factors[-1], Sum) and rng.random() < 0.5:
        over, body = _apart(list(factors[-1].over), factors[-1].body, rng)
        return Sum(tuple(over), Product((*factors[:-1], body)))
    cut = rng.randint(1, len(factors))
    return Product((Product(tuple(factors[:cut])), *factors[cut:]))


def _respelled_sum(over: list[Variable], body: Expression, rng: Random) -> Expression:
    over, body = _apart(over, body, rng)
    rng.shuffle(over)
    cut = rng.randint(1, len(over))
    return Sum(tuple(over[:cut]), Sum(tuple(over[cut:]), body) if over[cut:] else body)


def _apart(over: list[Variable], body: Expression, rng: Random) -> tuple[list[Variable], Expression]:
    """The bound variables as copies that nobody else uses."""
    first = rng.randint(10, 10**9)
    new = {variable: Variable(variable.name, first + at) for at, variable in enumerate(over)}
    return list(new.values()), rename(body, new)


@settings(max_examples=60, deadline=None)
@given(expressions(leaves=10), st.randoms(use_true_random=False))
@example(read_expression("sum_{X, X', Z} P(Z | X) P(Z | X') P(Z)"), Random(1))
def test_every_spelling_has_one_form(expression, rng):
    assert canonical(respelled(expression, rng)) == canonical(expression)


def _marginal(x: Variable, z: Variable) -> Sum:
    return Sum((Variable("W"),), probability([x, z, Variable("W")]))


@st.composite
def copies(draw: st.DrawFn) -> Expression:
    """A sum over several copies of two nodes, in factors that link them at random."""
    variables = [Variable(name, copy) for name in "XZ" for copy in range(draw(st.integers(1, 3)))]
    xs, zs = ([one for one in variables if one.name == name] for name in "XZ")
    factor = st.builds(
        lambda x, z, shape: [
            probability([x], [], [z]), probability([z], [], [Variable("W"), x]), probability([x, z]),
            Plus(((1, probability([x])), (-1, probability([z])))), Quotient(ONE, _marginal(x, z)),
        ][shape],
        st.sampled_from(xs), st.sampled_from(zs), st.integers(0, 4),
    )  # fmt: skip
    return Sum(tuple(variables), Product(tuple(draw(st.lists(factor, min_size=1, max_size=6)))))


@settings(max_examples=60, deadline=None)
@given(copies(), st.randoms(use_true_random=False))
def test_copies_of_a_node_are_told_apart_by_what_they_stand_in(expression, rng):
    form = canonical(expression)
    assert canonical(respelled(expression, rng)) == form
    assert canonical(form) == form


@pytest.mark.property
@settings(max_examples=3_000, deadline=None)
@given(SMALL, st.integers(0, 100))
def test_no_value_is_lost_at_length(expression, seed):
    keeps_the_value(expression, seed)


@pytest.mark.property
@settings(max_examples=3_000, deadline=None)
@given(expressions(leaves=20) | copies(), st.randoms(use_true_random=False))
def test_every_spelling_has_one_form_at_length(expression, rng):
    form = canonical(expression)
    assert canonical(respelled(expression, rng)) == form == canonical(form)


def depth(expression: Expression) -> int:
    return 1 + max(map(depth, parts(expression)), default=0)


def test_a_long_chain_stays_readable():
    """Nesting is given up where it would grow deeper than reading allows."""
    text = "1"
    for round in range(9):
        text = f"sum_{{A, B, C, D}} P(A | B) P(B | C) P(C | D) P(D | E) / (1 + {text} P(E, F{round}))"
    form = canonical(read_expression(text))
    assert read_expression(to_text(form)) == form
