"""What is written, in text and LaTeX, and that it is read back to an equal value."""

import unicodedata

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from calverify.docalculus._expression import (
    Expression,
    Number,
    Plus,
    Product,
    Quotient,
    Sum,
    Variable,
    parts,
    probability,
)
from calverify.docalculus._read import read_expression
from calverify.docalculus._write import to_latex, to_text
from tests.docalculus.expressions import AWKWARD, NAMES, expressions

X, Y, Z = map(Variable, "XYZ")
P_X, P_Y, P_Z = (probability([each]) for each in (X, Y, Z))
LESS = Plus(((1, P_X), (-1, P_Y)))
OVER = Quotient(P_X, P_Y)
TOTAL = Sum((Z,), P_Z)

ROWS = [
    (probability([Y], [X], [Z]), "P(Y | do(X), Z)", "P(Y \\mid \\operatorname{do}(X), Z)"),
    (probability([Y, Z]), "P(Y, Z)", "P(Y, Z)"),
    (probability([Variable("X", 0, 1)], [], [Variable("Y", 2)]), "P(X=1 | Y'')", "P(X=1 \\mid Y'')"),
    (probability([Variable("X_1", 1)]), "P(X_1')", "P(X_{1}')"),
    (probability([Variable("age")]), "P(age)", "P(\\text{age})"),
    (probability([Variable("two words")]), 'P("two words")', "P(\\text{two words})"),
    (probability([Variable('a "b"')]), 'P("a ""b""")', 'P(\\text{a "b"})'),
    (probability([Variable("a_")]), 'P("a_")', "P(\\text{a\\_})"),
    (probability([Variable("~^\\")]), 'P("~^\\")', "P(\\text{\\textasciitilde{}\\textasciicircum{}\\textbackslash{}})"),
    (Product((P_X, P_Y)), "P(X) P(Y)", "P(X)\\, P(Y)"),
    (Product((P_X, Product((P_Y, P_Z)))), "P(X) (P(Y) P(Z))", "P(X)\\, \\left( P(Y)\\, P(Z) \\right)"),
    (Product((Number(2), P_X, Number(3))), "2 P(X) * 3", "2\\, P(X) \\cdot 3"),
    (Product((LESS, P_Z)), "(P(X) - P(Y)) P(Z)", "\\left( P(X) - P(Y) \\right)\\, P(Z)"),
    (Product((OVER, P_Z)), "(P(X) / P(Y)) P(Z)", "\\frac{P(X)}{P(Y)}\\, P(Z)"),
    (Product((TOTAL, P_Z)), "(sum_{Z} P(Z)) P(Z)", "\\left( \\sum_{Z} P(Z) \\right)\\, P(Z)"),
    (Product((P_Z, TOTAL)), "P(Z) sum_{Z} P(Z)", "P(Z)\\, \\sum_{Z} P(Z)"),
    (OVER, "P(X) / P(Y)", "\\frac{P(X)}{P(Y)}"),
    (Quotient(OVER, OVER), "(P(X) / P(Y)) / (P(X) / P(Y))", "\\frac{\\frac{P(X)}{P(Y)}}{\\frac{P(X)}{P(Y)}}"),
    (Quotient(Product((P_X, P_Y)), Number(2)), "P(X) P(Y) / 2", "\\frac{P(X)\\, P(Y)}{2}"),
    (Quotient(Product((P_X, TOTAL)), P_Y), "(P(X) sum_{Z} P(Z)) / P(Y)", "\\frac{P(X)\\, \\sum_{Z} P(Z)}{P(Y)}"),
    (Quotient(P_X, Product((P_X, P_Y))), "P(X) / (P(X) P(Y))", "\\frac{P(X)}{P(X)\\, P(Y)}"),
    (Quotient(TOTAL, TOTAL), "(sum_{Z} P(Z)) / (sum_{Z} P(Z))", "\\frac{\\sum_{Z} P(Z)}{\\sum_{Z} P(Z)}"),
    (Sum((Y, Z), Product((P_Y, P_Z))), "sum_{Y, Z} P(Y) P(Z)", "\\sum_{Y, Z} P(Y)\\, P(Z)"),
    (Sum((Z,), TOTAL), "sum_{Z} sum_{Z} P(Z)", "\\sum_{Z} \\sum_{Z} P(Z)"),
    (Sum((Variable("Z", 1),), LESS), "sum_{Z'} (P(X) - P(Y))", "\\sum_{Z'} \\left( P(X) - P(Y) \\right)"),
    (Sum((Z,), OVER), "sum_{Z} (P(X) / P(Y))", "\\sum_{Z} \\frac{P(X)}{P(Y)}"),
    (LESS, "P(X) - P(Y)", "P(X) - P(Y)"),
    (Plus(((1, TOTAL), (1, LESS))), "sum_{Z} P(Z) + (P(X) - P(Y))", "\\sum_{Z} P(Z) + \\left( P(X) - P(Y) \\right)"),
    (Plus(((-1, P_X), (1, OVER))), "-P(X) + P(X) / P(Y)", "-P(X) + \\frac{P(X)}{P(Y)}"),
    (Plus(((1, P_X),)), "+P(X)", "+P(X)"),
]


@pytest.mark.parametrize(("expression", "text", "latex"), ROWS, ids=[text for _, text, _ in ROWS])
def test_written(expression, text, latex):
    assert (to_text(expression), to_latex(expression)) == (text, latex)
    assert read_expression(text) == read_expression(latex) == expression


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Product(()), "1"),
        (Product((P_X,)), "P(X)"),
        (Plus(()), "0"),
        (Number(-3), "-3"),
        (Product((P_X, Number(-3))), "P(X) (-3)"),
    ],
)
def test_what_reading_never_makes_is_written_all_the_same(expression, text):
    assert to_text(expression) == text
    read_expression(text)


def test_only_expressions_are_written():
    with pytest.raises(TypeError, match="'P\\(Y\\)' is no expression"):
        to_text("P(Y)")


def _divides_by_zero(expression: Expression) -> bool:
    """Reading refuses this."""
    own = isinstance(expression, Quotient) and expression.below == Number(0)
    return own or any(map(_divides_by_zero, parts(expression)))


def _comes_back(expression: Expression, names) -> None:
    assume(not _divides_by_zero(expression))
    for written in (to_text(expression), to_latex(expression)):
        assert read_expression(written) == expression
        assert read_expression(written, names) == expression
        assert read_expression(f"$ {written} $", names) == expression


@settings(max_examples=60, deadline=None)
@given(expressions(NAMES, leaves=12))
def test_round_trip(expression):
    _comes_back(expression, NAMES)


@settings(max_examples=60, deadline=None)
@given(expressions(AWKWARD))
def test_round_trip_of_awkward_names(expression):
    _comes_back(expression, AWKWARD)


NAME = st.text(min_size=1, max_size=8).map(str.strip).filter(lambda name: name and name.isprintable())


@settings(max_examples=40, deadline=None)
@given(st.data(), st.lists(NAME, unique=True, min_size=1, max_size=4))
def test_round_trip_of_any_name(data, names):
    names = sorted({unicodedata.normalize("NFC", name) for name in names})
    _comes_back(data.draw(expressions(names, leaves=3)), names)


@pytest.mark.property
@settings(max_examples=3_000, deadline=None)
@given(expressions(NAMES, leaves=20) | expressions(AWKWARD, leaves=20))
def test_round_trip_at_length(expression):
    _comes_back(expression, {*NAMES, *AWKWARD})
