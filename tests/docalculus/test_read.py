"""What is read, as text that says the same plainly, what is refused and where, and that hostile text costs little."""

import time
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calverify.docalculus._expression import Number, Plus, Product, Quotient, Sum, Variable, probability, size
from calverify.docalculus._read import MAX_LEVELS, MAX_PARTS, MAX_TEXT, read_expression
from calverify.docalculus._write import to_text
from calverify.errors import ExpressionError

W, X, Y, Z = map(Variable, "WXYZ")
XYZ = ("W", "X", "Y", "Z")
P_X, P_Y, P_Z = (probability([each]) for each in (X, Y, Z))

# ---------------------------------------------------------------- structure

TREES = [
    ("P(Y)", P_Y),
    ("P(Y, X)", probability([X, Y])),
    ("P(Y | do(X), Z)", probability([Y], [X], [Z])),
    ("P(Y=1 | do(X=0), Z=12)", probability([Variable("Y", 0, 1)], [Variable("X", 0, 0)], [Variable("Z", 0, 12)])),
    ("P(Y | X', Z'')", probability([Y], [], [Variable("X", 1), Variable("Z", 2)])),
    ("7", Number(7)),
    ("P(X) P(Y) P(Z)", Product((P_X, P_Y, P_Z))),
    ("P(X) * P(Y) P(Z)", Product((P_X, P_Y, P_Z))),
    ("(P(X) P(Y)) P(Z)", Product((Product((P_X, P_Y)), P_Z))),
    ("P(X) (P(Y) P(Z))", Product((P_X, Product((P_Y, P_Z))))),
    ("((P(X)))", P_X),
    ("2 P(X)", Product((Number(2), P_X))),
    ("2P(X) * 3", Product((Number(2), P_X, Number(3)))),
    ("P(X) / P(Y)", Quotient(P_X, P_Y)),
    ("P(X) P(Y) / P(Z)", Quotient(Product((P_X, P_Y)), P_Z)),
    ("P(X) / P(Y) P(Z)", Product((Quotient(P_X, P_Y), P_Z))),
    ("P(X) / P(Y) / P(Z)", Quotient(Quotient(P_X, P_Y), P_Z)),
    ("P(X) / (P(Y) P(Z))", Quotient(P_X, Product((P_Y, P_Z)))),
    ("\\frac{P(X)}{P(Y)} P(Z)", Product((Quotient(P_X, P_Y), P_Z))),
    ("\\frac{P(X) + 1}{P(Y) P(Z)}", Quotient(Plus(((1, P_X), (1, Number(1)))), Product((P_Y, P_Z)))),
    ("\\frac{\\frac{P(X)}{2}}{P(Y)}", Quotient(Quotient(P_X, Number(2)), P_Y)),
    ("P(X) + P(Y) - P(Z)", Plus(((1, P_X), (1, P_Y), (-1, P_Z)))),
    ("P(X) - (P(Y) - P(Z))", Plus(((1, P_X), (-1, Plus(((1, P_Y), (-1, P_Z))))))),
    ("-P(X)", Plus(((-1, P_X),))),
    ("+P(X)", Plus(((1, P_X),))),
    ("(-P(X)) P(Y)", Product((Plus(((-1, P_X),)), P_Y))),
    ("sum_{Z} P(X) P(Z)", Sum((Z,), Product((P_X, P_Z)))),
    ("sum_{Z} P(X) + P(Z)", Plus(((1, Sum((Z,), P_X)), (1, P_Z)))),
    ("sum_{Z} (P(X) + P(Z))", Sum((Z,), Plus(((1, P_X), (1, P_Z))))),
    ("(sum_{Z} P(X)) P(Z)", Product((Sum((Z,), P_X), P_Z))),
    ("P(X) sum_{Z} P(Y) P(Z)", Product((P_X, Sum((Z,), Product((P_Y, P_Z)))))),
    ("sum_{Z} P(X) sum_{W} P(Y)", Sum((Z,), Product((P_X, Sum((W,), P_Y))))),
    ("sum_{Z} sum_{W} P(Y)", Sum((Z,), Sum((W,), P_Y))),
    ("sum_{Z, W} P(Y)", Sum((W, Z), P_Y)),
    ("sum_{Z} P(X) / P(Z)", Sum((Z,), Quotient(P_X, P_Z))),
    ("P(X) / sum_{Z} P(Y) P(Z)", Quotient(P_X, Sum((Z,), Product((P_Y, P_Z))))),
    ("sum_{Z} P(Z) sum_{Z} P(Z)", Sum((Z,), Product((P_Z, Sum((Z,), P_Z))))),  # the inner one hides the outer
    ("P(Y | do(X)) = P(Y)", P_Y),
    ("P(Y_x) = -P(Y) + 1", Plus(((-1, P_Y), (1, Number(1))))),
]


@pytest.mark.parametrize(("text", "tree"), TREES)
def test_structure(text, tree):
    assert read_expression(text, XYZ) == tree


# ---------------------------------------------------------------- spellings

ADJUSTED = "sum_{Z} P(Y | X, Z) P(Z)"
DO = "P(Y | do(X))"
FRONT = "sum_{Z} P(Z | X) sum_{X'} P(Y | X', Z) P(X')"

HEADS = ("P", "p", "Pr", "pr", "PR", "Prob", "ℙ", "\\Pr", "\\mathbb{P}", "\\mathrm{P}")
DOS = ("do", "Do", "DO", "\\operatorname{do}", "\\mathrm{do}", "\\text{do}", "\\textrm{do}", "\\do")
TIMES = ("", "*", "·", "×", "⋅", "∗", "\\cdot", "\\times", "\\,", "\\;", "\\quad", "~")
AROUND = (("$", "$"), ("$$", "$$"), ("\\(", "\\)"), ("\\[ ", " \\]"), (" \n", "\t"), ("$ ", " $"))

SPELLINGS = [
    # the P
    *((f"{head}(Y)", "P(Y)") for head in HEADS),
    ("\\mathrm{Pr}(Y)", "P(Y)"),
    ("\\operatorname{P}(Y)", "P(Y)"),
    ("P (Y)", "P(Y)"),
    ("P[Y]", "P(Y)"),
    ("P\\{Y\\}", "P(Y)"),
    ("P\\left(Y\\right)", "P(Y)"),
    ("P\\big( Y \\big)", "P(Y)"),
    ("P\\bigl(Y\\bigr)", "P(Y)"),
    # the bar
    *((f"P(Y {bar} X)", "P(Y | X)") for bar in ("|", "∣", "\\mid", "\\vert", "\\middle|", "\\,|\\,", "\\given")),
    ("P(Y|X,Z)", "P(Y | X, Z)"),
    ("P(Y\\mid X,\\; Z)", "P(Y | X, Z)"),
    ("P(Y,Z|X)", "P(Y, Z | X)"),
    # do
    *((f"P(Y | {do}(X))", DO) for do in DOS),
    ("P(Y | do (X))", DO),
    ("P(Y | do[X])", DO),
    ("P(Y | do\\left(X\\right))", DO),
    ("P(Y | do(X), do(Z))", "P(Y | do(X, Z))"),
    ("P(Y | do(Z, X))", "P(Y | do(X, Z))"),
    ("P(Y | Z, do(X))", "P(Y | do(X), Z)"),
    ("P(Y=1 | do(X=0), Z=3)", "P(Y=1 | do(X=0), Z=3)"),
    # subscripts
    ("P(Y_{X})", DO),
    ("P(Y_{x})", DO),
    ("P(Y_x)", DO),
    ("P(Y_X)", DO),
    ("P(y_x)", DO),
    ("P(Y_{X=1})", "P(Y | do(X=1))"),
    ("P(Y_{X=x})", DO),
    ("P(Y_{do(X)})", DO),
    ("P(Y_{X=1, Z=0} = 1)", "P(Y=1 | do(X=1, Z=0))"),
    ("P(Y_{X=1}) - P(Y_{X=0})", "P(Y | do(X=1)) - P(Y | do(X=0))"),
    ("P(Y_x, Z_x)", "P(Y, Z | do(X))"),
    ("P(Y_x | Z_x)", "P(Y | do(X), Z)"),
    ("P_X(Y)", DO),
    ("P_x(y)", DO),
    ("P_{X}(Y|Z)", "P(Y | do(X), Z)"),
    ("P_{x,z}(y)", "P(Y | do(X, Z))"),
    ("P_{do(X)}(Y)", DO),
    ("P_{do(X=1)}(Y)", "P(Y | do(X=1))"),
    ("P_{X=x}(Y=y)", DO),
    ("Pr_{x}(y)", DO),
    # values, and lower case
    ("P(Y=1 | X=0)", "P(Y=1 | X=0)"),
    ("P(Y = y | X = x)", "P(Y | X)"),
    ("P(y | x, z)", "P(Y | X, Z)"),
    ("P(Y=y|do(X=x))", DO),
    ("P(y=1)", "P(Y=1)"),
    # copies
    ("P(Y | X')", "P(Y | X')"),
    ("P(Y | x')", "P(Y | X')"),
    ("P(Y | X’)", "P(Y | X')"),
    ("P(Y | X′)", "P(Y | X')"),
    ("P(Y | X'')", "P(Y | X'')"),
    ("P(Y | X″)", "P(Y | X'')"),
    ("P(Y | X‴)", "P(Y | X''')"),
    ("P(Y | X^{\\prime})", "P(Y | X')"),
    ("P(Y | X^\\prime)", "P(Y | X')"),
    ("P(Y | X^{\\prime\\prime})", "P(Y | X'')"),
    ("P(Y | X^{'})", "P(Y | X')"),
    ("P(Y | X=x')", "P(Y | X')"),
    ("P(Y | X'=x')", "P(Y | X')"),
    ("P(Y | X'=1)", "P(Y | X'=1)"),
    # products and quotients
    *((f"P(X) {times} P(Y)", "P(X) P(Y)") for times in TIMES),
    ("P(X)P(Y)", "P(X) P(Y)"),
    *((f"P(X) {over} P(Y)", "P(X) / P(Y)") for over in ("/", "÷", "\\div")),
    *((f"\\{frac}{{P(X)}}{{P(Y)}}", "P(X) / P(Y)") for frac in ("frac", "dfrac", "tfrac")),
    *((f"P(X) {minus} P(Y)", "P(X) - P(Y)") for minus in ("-", "−", "–")),
    ("[P(X) + P(Y)] P(Z)", "(P(X) + P(Y)) P(Z)"),
    ("{P(X) + P(Y)} P(Z)", "(P(X) + P(Y)) P(Z)"),
    ("\\{P(X) + P(Y)\\} P(Z)", "(P(X) + P(Y)) P(Z)"),
    ("\\left[ P(X) + P(Y) \\right] P(Z)", "(P(X) + P(Y)) P(Z)"),
    ("\\left\\{ P(X) + P(Y) \\right\\} P(Z)", "(P(X) + P(Y)) P(Z)"),
    # sums
    *(
        (f"{total} P(Y|X,Z) P(Z)", ADJUSTED)
        for total in (
            "sum_{Z}", "sum_Z", "Sum_{Z}", "SUM_Z", "sum_(Z)", "sum_[Z]", "sum_{Z=z}", "sum_{z}", "sum_z", "\\sum_{Z}",
            "\\sum_{z}", "\\sum_z", "\\sum\\limits_{z}", "\\sum\\nolimits_z", "\\displaystyle\\sum_{z}",
            "Σ_{Z}", "Σ_z", "∑_Z", "∑_{z}",
            "\\Sigma_z", "\\sum_{z \\in Z}", "\\sum_{z\\in\\mathcal{Z}}", "∑_{z∈Z}", "sum _ { Z }", 'sum_"Z"',
        )
    ),
    ("\\sum_zP(y|x,z)P(z)", ADJUSTED),
    ("\\sum_z\\Pr(y|x,z)\\Pr(z)", ADJUSTED),
    ("Sum_{Z}[P(Y|X,Z) P(Z)]", ADJUSTED),
    ("sum_{Z}(P(Y|X,Z) * P(Z))", ADJUSTED),
    ("sum_{Z} P(Y | X, Z=z) P(Z=z)", ADJUSTED),
    ("sum_{W,Z} P(W, Z)", "sum_{W, Z} P(W, Z)"),
    ("sum_{z,w} P(w, z)", "sum_{W, Z} P(W, Z)"),
    ("sum_{z\\in Z, w} P(w, z)", "sum_{W, Z} P(W, Z)"),
    ("sum_{X=x'} P(Y | x')", "sum_{X'} P(Y | X')"),
    ("sum_x' P(y|x')", "sum_{X'} P(Y | X')"),
    ("\\sum_z P(z|x) \\sum_{x'} P(y|x',z) P(x')", FRONT),
    ("∑_z P(z∣x) · ∑_{x′} P(y∣x′,z) · P(x′)", FRONT),
    ("\\sum_{z} P(z \\mid x) \\sum_{x^{\\prime}} P(y \\mid x^{\\prime}, z) P(x^{\\prime})", FRONT),
    # around the whole
    *((f"{left}P(Y){right}", "P(Y)") for left, right in AROUND),
    ("P(Y | do(X)) = P(Y | X)", "P(Y | X)"),
    (f"$P(y \\mid \\operatorname{{do}}(x)) = {ADJUSTED}$", ADJUSTED),
    ("P_x(y) = P(y|x)", "P(Y | X)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "plain"), SPELLINGS)
def test_spelling(text, plain):
    assert to_text(read_expression(text, XYZ)) == plain


NAMED = [
    # names with underscores, and names that hold other names: the longest known one wins
    ("P(blood_pressure | X_1)", ("blood_pressure", "X_1", "X"), "P(blood_pressure | X_1)"),
    ("P(blood\\_pressure)", ("blood_pressure",), "P(blood_pressure)"),
    ("P(\\text{blood\\_pressure})", ("blood_pressure",), "P(blood_pressure)"),
    ("P(blood_{pressure})", ("blood_pressure", "blood", "pressure"), "P(blood_pressure)"),
    ("P(blood_{pressure})", ("blood", "pressure"), "P(blood | do(pressure))"),
    ("P(blood_pressure)", ("blood", "pressure"), "P(blood | do(pressure))"),
    ("P(a_b_c)", ("a_b", "c", "a", "b_c"), "P(a_b | do(c))"),
    ("P(a_b_c)", ("a", "b_c"), "P(a | do(b_c))"),
    ("P_a_b(c)", ("a_b", "c"), "P(c | do(a_b))"),
    ("sum_a_b P(a_b)", ("a_b",), "sum_{a_b} P(a_b)"),
    ("sum_blood_pressure P(blood_pressure)", ("blood_pressure",), "sum_{blood_pressure} P(blood_pressure)"),
    ("P(X_{1})", ("X_1", "X"), "P(X_1)"),
    ("P(X_{1})", ("X1",), "P(X1)"),
    ("P(x_{1}, x_2)", ("X_1", "X_2"), "P(X_1, X_2)"),
    ("P(X_{1}'|X_{1,2})", ("X_1", "X", "1", "2"), None),
    ("P(Y_{X_1=1})", ("Y", "X_1"), "P(Y | do(X_1=1))"),
    # names of several words
    ("P(heart rate | two words)", ("heart rate", "two words", "heart"), 'P("heart rate" | "two words")'),
    ('P("heart rate")', ("heart rate",), 'P("heart rate")'),
    ("P(blood-pressure=1)", ("blood-pressure",), 'P("blood-pressure"=1)'),
    ("P(heart rates)", ("heart rate", "heart"), None),
    ('P("a ""b""")', ('a "b"',), 'P("a ""b""")'),
    ("P(\\text{two words}, \\mathbf{X})", ("two words", "X"), 'P(X, "two words")'),
    # a name that is also a word of the grammar
    ("P(P | do(do), sum)", ("P", "do", "sum"), "P(P | do(do), sum)"),
    ("sum_P P(P)", ("P",), "sum_{P} P(P)"),
    ("sum_{sum} P(do | sum)", ("do", "sum"), "sum_{sum} P(do | sum)"),
    ("sum_zP P(zP)", ("zP", "z"), "sum_{zP} P(zP)"),
    # lower case stands for a node, unless it is one, or two nodes would do
    ("P(x | X)", ("x", "X"), "P(X | x)".replace("P(X | x)", "P(x | X)")),
    ("P(smoking)", ("Smoking",), "P(Smoking)"),
    ("P(ab)", ("AB", "Ab"), None),
    ("P(X)", ("x",), None),
    ("P(e\u0301 | do(É))", ("é", "É"), "P(é | do(É))"),
    # without known names
    ("P(Y_x | do(X))", None, "P(Y_x | do(X))"),
    ("P(Y_{X})", None, "P(Y | do(X))"),
    ("P(Y_{1})", None, "P(Y_1)"),
    ("P_X(y)", None, "P(y | do(X))"),
    ("sum_z P(y|x,z) P(z)", None, "sum_{z} P(y | x, z) P(z)"),
    ('P("two words" | blood_pressure)', None, 'P("two words" | blood_pressure)'),
    ("P(1st | 2)", None, "P(1st | 2)"),
    ("P(é=é)", None, "P(é)"),
]


@pytest.mark.parametrize(("text", "names", "plain"), NAMED)
def test_names(text, names, plain):
    if plain is None:
        with pytest.raises(ExpressionError):
            read_expression(text, names)
    else:
        assert to_text(read_expression(text, names)) == plain


# ---------------------------------------------------------------- refusals

FACTOR = "expected a probability, a sum, a number or a bracket"
REFUSED = [
    ("", f"{FACTOR} at character 1: the end"),
    ("  ", f"{FACTOR} at character 3: the end"),
    ("$$", f"{FACTOR} at character 2: the end"),
    ("estimand: P(Y)", f"{FACTOR} at character 1: 'estimand: P(Y)'"),
    ("X", f"{FACTOR} at character 1: 'X'"),
    ("P", f"{FACTOR} at character 1: 'P'"),
    ("the effect", f"{FACTOR} at character 1"),
    ("P(Y) *", f"{FACTOR} at character 7: the end"),
    ("P(Y) + * P(X)", f"{FACTOR} at character 8: '* P(X)'"),
    ("()", f"{FACTOR} at character 2: ')'"),
    ("2 * -P(X)", f"{FACTOR} at character 5"),
    ("sum_{Z} -P(Z)", f"{FACTOR} at character 9"),
    ("sum_{Z}", f"{FACTOR} at character 8: the end"),
    ("P()", "expected a variable at character 3: ')'"),
    ("P(|X)", "expected a variable at character 3: '|X)'"),
    ("P(Y|)", "expected a variable at character 5: ')'"),
    ("P(Y,)", "expected a variable at character 5: ')'"),
    ("P(Y | do())", "expected a variable at character 10"),
    ("P('Y')", "expected a variable at character 3"),
    ("P(\\hat{Y})", "expected a variable at character 3"),
    ("P(Y", "expected ',', '|' or ')' at character 4: the end"),
    ("P(Y | X", "expected ',' or ')' at character 8: the end"),
    ("P(Y X)", "expected ',', '|' or ')' at character 5: 'X)'"),
    ("P(Y | X | Z)", "expected ',' or ')' at character 9: '| Z)'"),
    ("P(Y]", "expected ',', '|' or ')' at character 4: ']'"),
    ("P(Y; X)", "expected ',', '|' or ')' at character 4"),
    ("P(Y | do(X)", "expected ',' or ')' at character 12: the end"),
    ("P(Y | do(X, do(Z)))", "do(...) stands behind the bar of a probability, and only there at character 13"),
    ("P(do(X), Y)", "do(...) stands behind the bar of a probability, and only there at character 3"),
    ("(P(Y)", "expected an operator or ')' at character 6: the end"),
    ("(P(Y)]", "expected an operator or ')' at character 6: ']'"),
    ("P(Y))", "expected an operator or the end at character 5: ')'"),
    ("[sum_Z P(Z)", "expected an operator or ']' at character 12: the end"),
    ("P(Y) 3", "expected an operator or the end at character 6: '3'"),
    ("2.5", "expected an operator or the end at character 2: '.5'"),
    ("P(Y).", "expected an operator or the end at character 5: '.'"),
    ("P(Y), P(X)", "expected an operator or the end at character 5"),
    ("P(Y) because", "expected an operator or the end at character 6"),
    ("P(Y) = P(X)", "(only P(... | do(...)) = may precede) at character 6: '= P(X)'"),
    ("P(Y|do(X)) = P(Y|X) = P(Y)", "(only P(... | do(...)) = may precede) at character 21"),
    ("(P(Y|do(X)) = P(Y))", "(only P(... | do(...)) = may precede) at character 13"),
    ("\\frac P(X) P(Y)", "expected '{' at character 7"),
    ("\\frac{P(X)} P(Y)", "expected '{' at character 13"),
    ("\\frac{P(X)}{P(Y)", "expected an operator or '}' at character 17"),
    ("\\sqrt{P(Y)}", f"{FACTOR} at character 1"),
    ("sum P(Z)", "expected '_' and what the sum is over at character 5: 'P(Z)'"),
    ("sum_{} P(Z)", "expected a variable at character 6"),
    ("sum_{Z P(Z)", "expected ',' or '}' at character 8"),
    ("sum_{Z, Z} P(Z)", "'Z' stands twice under one sum at character 9"),
    ("sum_{Z=1} P(Z)", "a sum over a constant, 'Z'=1 at character 6: 'Z=1} P(Z)'"),
    ("sum_{z=0}^{1} P(z)", "a sum over a constant, 'Z'=0 at character 6"),
    ("sum_{Z_{X}} P(Z)", "expected ',' or '}' at character 7"),
    ("sum_{Z_x} P(Z)", "a subscript that intervenes may stand on the variables of a probability only at character 6"),
    ("P(Y | do(X_z))", "may stand on the variables of a probability only at character 10"),
    ("P_{X_z}(Y)", "may stand on the variables of a probability only at character 4"),
    ("P(Y_{X_z})", "may stand on the variables of a probability only at character 6"),
    ("P(Y_{X_{z}})", "expected ',' or '}' at character 7"),
    ("sum_{z \\in X} P(Z)", "expected the values of 'Z' at character 12: 'X} P(Z)'"),
    ("sum_{do(Z)} P(Z)", "do(...) stands behind the bar of a probability, and only there at character 6"),
    ("P(Q)", "unknown name 'Q' (the names are W, X, Y, Z) at character 3: 'Q)'"),
    ("P(Y | do(q))", "unknown name 'q' (the names are W, X, Y, Z) at character 10"),
    ("sum_{Q} P(Y)", "unknown name 'Q' (the names are W, X, Y, Z) at character 6"),
    ("sum_Q P(Y)", "unknown name 'Q' (the names are W, X, Y, Z) at character 5"),
    ("sum_Y_x P(Y)", "unknown name 'Y_x' (the names are W, X, Y, Z) at character 5"),
    ("P(Y_q)", "unknown name 'Y_q' (the names are W, X, Y, Z) at character 3"),
    ('P("")', "a name is empty at character 3"),
    (f"P({'Y' * 201})", "over 200 characters at character 3"),
    ("P(\ud800)", "lone surrogate, which is no character at character 3"),
    ("P(X, Y, X)", "'X' stands twice in one probability at character 9: 'X)'"),
    ("P(Y | Y)", "'Y' stands twice in one probability at character 7"),
    ("P(Y | do(X), X)", "'X' stands twice in one probability at character 14: 'X)'"),
    ("P(Y | X, do(X))", "'X' stands twice in one probability at character 13: 'X))'"),
    ("P(Y | X, x')", "'X' stands twice in one probability at character 10"),
    ("P(Y=1 | Y=0)", "'Y' stands twice in one probability at character 9"),
    ("P_X(Y | X)", "'X' stands twice in one probability at character 9"),
    ("P(Y_{X=1}, Z_{X=0})", "expected one subscript on 'Y' and 'Z': two worlds are no intervention at character 12"),
    ("P(Y_x | Z)", "expected one subscript on 'Y' and 'Z': two worlds are no intervention at character 9"),
    ("P(Y=0.5)", "expected a whole number or 'y' at character 5: '0.5)'"),
    ("P(Y=-1)", "expected a whole number or 'y' at character 5"),
    ("P(Y=true)", "expected a whole number or 'y' at character 5"),
    ("P(Y=x)", "expected a whole number or 'y' at character 5"),
    ("P(Y=)", "expected a whole number or 'y' at character 5"),
    ("P(Y=1234567890)", "expected a whole number or 'y' at character 5"),
    ("P(Y) / 0", "division by zero at character 8: '0'"),
    ("P(Y) / (0)", "division by zero at character 8: '(0)'"),
    ("1/00", "division by zero at character 3"),
    ("\\frac{P(Y)}{0}", "division by zero at character 1"),
    ("1" * 19, "a whole number has at most 18 digits at character 1"),
    ("P(Y)\nP(Q)", "at character 8: 'Q)'"),
    ("e\u0301 P(Y)", f"{FACTOR} at character 1"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_refusal(text, why):
    with pytest.raises(ExpressionError) as refused:
        read_expression(text, XYZ)
    assert why in str(refused.value)
    assert len(str(refused.value)) < 300


def test_nothing_is_known():
    with pytest.raises(ExpressionError, match="no name is known at character 3"):
        read_expression("P(Y)", ())


def test_the_place_is_the_one_in_the_text_given():
    """An accent that NFC joins to its letter moves nothing."""
    text = "P(e\u0301) P(Q)"
    assert unicodedata.normalize("NFC", text) != text
    with pytest.raises(ExpressionError, match=f"character {text.index('Q') + 1}: 'Q"):
        read_expression(text, ("é",))


# ---------------------------------------------------------------- hostile text

LEVELS = f"over {MAX_LEVELS} levels"
HOSTILE = [
    ("(" * 10_000, "brackets and sums"),
    ("(" * 10_000 + "P(Y)" + ")" * 10_000, "brackets and sums"),
    ("P(" * 10_000, "expected"),
    ("sum_{Z} " * 1_000 + "P(Z)", "brackets and sums"),
    ("\\frac{" * 5_000, "brackets and sums"),
    ("\\frac{1}{" * 5_000 + "2", "brackets and sums"),
    ("1" + "/P(Y)" * 1_000, LEVELS),
    ("(-" * 60 + "P(Y)" + ")" * 60, LEVELS),
    ("P(Y) + " * 20_001 + "1", "over 20,000"),
    ("P(Y) " * 20_001, "over 20,000"),
    ("sum_Z 1 + " * 12_000 + "1", "over 20,000"),
    ("P(" + "Y, " * 60_000 + "Y)", "stands twice"),
    ("P(Y" + "'" * 150_000 + " Z)", "expected"),
    ("P(" + "Y" * 150_000 + ")", "over 200 characters"),
    ('P("' + '""' * 90_000, "expected"),
    ('P("' + '""' * 90_000 + '")', "over 200 characters"),
    ("P(Y_" * 40_000, "expected"),
    ("P(" + "Y_" * 90_000 + ")", "over 200 characters"),
    ("P(" + "Y_{" * 60_000, "expected"),
    ("P(Y | " + "do(" * 60_000, "only there"),
    ("P(Y" + "\u0301" * 150_000 + ")", "over 200 characters"),
    ("\\" * 150_000, "expected"),
    ("\\, " * 60_000, "expected"),
    ("P(\\text{" + "\\_" * 90_000, "expected"),
    ("P(Y^{" + "\\prime" * 30_000 + ")", "expected"),
    ("$" * 150_000, "expected"),
    ("=" * 150_000, "expected"),
    ("P(Y|do(X))=" * 15_000, "may precede"),
    ("+" * 150_000, "expected"),
    ("sum_" * 40_000, "over 200 characters"),
    ("P_" * 80_000, "over 200 characters"),
    ("Q" * (1 << 20), f"at most {MAX_TEXT:,} characters, not 1,048,576"),
    ("P(Y) " * 300_000, f"at most {MAX_TEXT:,} characters"),
]


@pytest.mark.parametrize("names", [None, XYZ], ids=["any", "known"])
@pytest.mark.parametrize(("text", "why"), HOSTILE, ids=[f"{text[:12]}*{len(text)}" for text, _ in HOSTILE])
def test_hostile_text_is_refused_at_once(text, why, names):
    started = time.perf_counter()
    with pytest.raises(ExpressionError) as refused:
        read_expression(text, names)
    assert time.perf_counter() - started < 10  # quadratic reading would take minutes
    assert why in str(refused.value) or (names and "unknown name" in str(refused.value))
    assert len(str(refused.value)) < 300


def test_the_limits_are_reached():
    """What stands just inside every limit is read."""
    assert size(read_expression("P(Y) + " * (MAX_PARTS - 2) + "1")) == MAX_PARTS
    assert size(read_expression("1" + "/P(Y)" * (MAX_LEVELS - 1))) == 2 * MAX_LEVELS - 1
    assert read_expression("(" * MAX_LEVELS + "P(Y)" + ")" * MAX_LEVELS) == P_Y
    assert read_expression("P(Y)" + " " * (MAX_TEXT - 4)) == P_Y


MARKS = "( ) [ ] { } | , = + - * / _ _{ }{ ' ^ $ ∈ \\ \\{ \\} \\, \\sum_ \\frac{ \\text{ \\prime \" \u0301"
WORDS = "P( P Y x Z' do( do 1 0 sum_ sum é P(Y) P(Y|X) sum_{Z}"
PIECES = st.sampled_from([*MARKS.split(), *WORDS.split(), " "])


@settings(max_examples=80, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=40), st.sampled_from([None, XYZ]))
@example("P(Y_{", None)
def test_reading_is_total(text, names):
    """Any text is read, and read again when written, or refused by an ExpressionError that shows its place."""
    found: object = None
    try:
        found = read_expression(text, names)
    except ExpressionError as error:
        found = str(error)
    if isinstance(found, str):
        assert " at character " in found
    else:
        assert read_expression(to_text(found), names) == found
