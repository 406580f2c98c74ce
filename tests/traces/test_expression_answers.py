"""Answers that are expressions: what is read, that equal spellings are one answer, what is refused, and spelling."""

import json
import time

import pytest
from hypothesis import given, settings

from calverify.docalculus import NOT_IDENTIFIABLE, canonical, read_expression, to_text
from calverify.errors import Fault
from calverify.traces import EXPRESSION
from tests.docalculus.expressions import NAMES, expressions

XYZ = frozenset({"M", "W", "X", "Y", "Z"})
ADJUSTED = "sum_{Z} P(Y | X, Z) P(Z)"


def read(value, names=XYZ):
    return EXPRESSION.read(value, names, "result")


READ = [
    (ADJUSTED, ADJUSTED),
    ("\\sum_z P(y|x,z) P(z)", ADJUSTED),
    ("$\\sum_{z} P(y \\mid x, z)\\, P(z)$", ADJUSTED),
    ("$$\\sum_{z} P(y \\mid x, z)\\, P(z)$$.", ADJUSTED),
    ("`sum_Z P(Z) * P(Y|X,Z)`", ADJUSTED),
    ("**Σ_Z P(Z) P(Y|X,Z)**.", ADJUSTED),
    ("sum_{Z} P(Y | X, Z) P(Z).", ADJUSTED),
    ("P(Y | do(X)) = sum_{z} P(Y | X, z) P(z)", ADJUSTED),
    ("Sum_{Z}[P(Y|X,Z) P(Z)]", ADJUSTED),
    ("P(Y|X)", "P(Y | X)"),
    ("p(y|x)", "P(Y | X)"),
    ("P(Y=1 | X=0)", "P(Y=1 | X=0)"),
    ("P(Y | do(X))", "P(Y | do(X))"),
    ("\\sum_m P(m|x) \\sum_{x'} P(y|m,x') P(x')", "sum_{M} P(M | X) sum_{X'} P(Y | M, X') P(X')"),
    ("\\sum_{m,x'} P(x') P(m|x) P(y|m,x')", "sum_{M} P(M | X) sum_{X'} P(Y | M, X') P(X')"),
    (
        "\\frac{\\sum_w P(x,y|z,w)P(w)}{\\sum_w P(x|z,w)P(w)}",
        "(sum_{W} P(X, Y | W, Z) P(W)) / (sum_{W} P(X | W, Z) P(W))",
    ),
    ("P(Q | do(X))", "P(Q | do(X))"),  # a name that the graph does not know is for the task to refuse
    ("P(Y | X) + 0", "P(Y | X)"),
    ("1", "1"),
]


@pytest.mark.parametrize(("said", "meant"), READ)
def test_read(said, meant):
    assert to_text(read(said)) == meant
    assert read(said) == canonical(read_expression(meant))


@pytest.mark.parametrize(
    "said",
    [
        "not identifiable", "Not identifiable.", "NOT IDENTIFIABLE", "not-identifiable", "non-identifiable",
        '"not identifiable"', "**not identifiable**", "unidentifiable", "not  identifiable", "not_identifiable",
        "The effect is not identifiable.", "It cannot be identified", "not identified",
    ],
)  # fmt: skip
def test_no_estimand(said):
    assert read(said) == NOT_IDENTIFIABLE


REFUSED = [
    ("", "expected a probability"),
    ("identifiable", "expected a probability"),
    ("not identifiable because of U", "expected a probability"),
    ("the sum of P(Y | X, Z) P(Z)", "at character 1: 'the sum"),
    ("estimand: P(Y | X)", "at character 1"),
    ("P(Y | X", "expected ',' or ')' at character 8"),
    ("P(Q | ", "expected a variable at character 6"),
    ("P(Y | Y)", "stands twice"),
    ("P(Y) / 0", "division by zero"),
    ("P(Y) / (P(X) - P(X))", "division by zero"),
    ("(" * 5_000, "brackets and sums"),
    ("sum_{Z} " * 1_000 + "P(Z)", "brackets and sums"),
    ("P(Y) " * 5_000, "over 10,000 characters"),
    ("9" * 18 + (" * " + "9" * 18) * 40, "over 1,000 bits"),
    (["P(Y)"], "not the text of an expression"),
    ({"estimand": "P(Y)"}, "not the text of an expression"),
    (None, "not the text of an expression"),
    (0.5, "not the text of an expression"),
    (True, "not the text of an expression"),
]


@pytest.mark.parametrize(("said", "why"), REFUSED)
@pytest.mark.parametrize("names", [XYZ, frozenset()], ids=["known", "any"])
def test_refused(said, why, names):
    found = read(said, names)
    assert isinstance(found, Fault)
    assert found.slot == "result"
    assert why in found.why
    assert len(found.why) <= 300


ONE_ANSWER = [
    ["sum_{Z} P(Y|X,Z) P(Z)", "\\sum_z P(z) P(y|x,z)",
     "Σ_z P(y | z, x) · P(z)", "sum_{Z} (P(Z) * P(Y | X, Z))", "sum_{Z'} P(Y|X,Z') P(Z')"],
    ["P(Y|X)", "p(y | x)", "Pr(Y=y | X=x)", "P(Y|X) P(Z) / P(Z)"],
    ["P(Y)", "1 * P(Y)", "P(Y) / 1"],
    ["P(Y|X,Z)"],
    ["P(Y,Z|X)", "P(Z, Y | X)"],
    ["sum_{Z} P(Y|X,Z) P(Z|X)"],
    ["sum_{Z} P(Y, Z | X)", "\\sum_{z} P(z, y | x)"],
    ["not identifiable", "non-identifiable", "unidentifiable"],
]  # fmt: skip


def test_votes_meet_where_the_expression_is_one():
    keys = [{read(spelling) for spelling in spellings} for spellings in ONE_ANSWER]
    assert [len(key) for key in keys] == [1] * len(ONE_ANSWER)
    assert len(set().union(*keys)) == len(ONE_ANSWER)


@pytest.mark.parametrize(("said", "_"), READ)
def test_spelled_answers_are_read_again(said, _):
    value = read(said)
    for text in (EXPRESSION.spell(value), EXPRESSION.show(value), json.loads(json.dumps(EXPRESSION.show(value)))):
        assert read(text) == read(text, frozenset()) == value


@settings(max_examples=60, deadline=None)
@given(expressions(NAMES))
def test_any_expression_is_spelled(expression):
    value = canonical(expression)
    if to_text(value) != "1 / 0":
        assert read(EXPRESSION.spell(value), frozenset(NAMES)) == value


def test_long_answers_cost_little():
    """The worst of the answers that are short enough: copies to tell apart in sums within sums."""
    text = "1"
    for at in range(12):
        text = f"sum_{{X, X'}} (P(X | A{at}) P(Y | X', Z) / ({text} + P(X, Z) P(W | X')))"
    text = text.replace("/ (1 +", "/ (1 + " + " + ".join(f"P(X | B{at})" for at in range(400)) + " +")
    assert 6_000 < len(text) < 10_000
    started = time.perf_counter()
    assert not isinstance(read(text, frozenset()), Fault)
    assert time.perf_counter() - started < 30
