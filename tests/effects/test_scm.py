"""Models: what is read, exactly, and what is refused, by name."""

import copy
import pickle
import re
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest

from calverify import errors
from calverify.effects import SCM, Variable, exact_number, probability
from calverify.graphs import Graph
from calverify.names import number_json
from tests.oracles.worlds import as_record, random_world

CONFOUNDED = {
    "variables": {
        "U": {"p": 0.3},
        "X": {"parents": ["U"], "p": [0.2, "2/3"]},
        "Y": {"parents": ["X", "U"], "p": [[0.1, 0.4], [0.5, 0.9]]},
    }
}
LEVELS = {"states": ["low", "mid", "high"], "positive": ["high"], "p": [0.2, 0.5, 0.3]}


def model(**variables):
    return SCM.from_json({"variables": variables})


# ---------------------------------------------------------------- reading


def test_the_table_is_indexed_by_the_parents_in_their_order():
    scm = SCM.from_json(CONFOUNDED)
    assert probability(scm, {"Y": 1}, {"X": 1, "U": 0}) == Fraction(1, 2)
    assert probability(scm, {"Y": 1}, {"X": 0, "U": 1}) == Fraction(2, 5)


def test_the_graph_has_an_arrow_from_each_parent():
    assert SCM.from_json(CONFOUNDED).graph == Graph.parse("U -> X -> Y <- U")


def test_numbers_are_taken_as_written():
    scm = model(X={"p": 0.1}, Y={"parents": ["X"], "p": ["1/3", 0.02]})
    assert scm["X"].rows == [(Fraction(9, 10), Fraction(1, 10))]
    assert scm["Y"].rows == [(Fraction(2, 3), Fraction(1, 3)), (Fraction(49, 50), Fraction(1, 50))]


def test_other_states_come_with_a_row_each():
    scm = model(X=LEVELS, Y={"parents": ["X"], "p": [0.1, 0.2, 0.3]})
    assert scm["X"].positive == {2}
    assert probability(scm, {"X": 1}) == Fraction(3, 10)
    assert probability(scm, {"Y": 1}, {"X": ["low", "mid"]}) == Fraction(12, 70)


def test_names_are_trimmed():
    assert model(**{" X ": {"p": 0.5}, "Y": {"parents": ["X "], "p": [0, 1]}}).graph == Graph.parse("X -> Y")


WRITTEN = [
    (0.02, Fraction(1, 50)), (1, Fraction(1)), (1e-07, Fraction(1, 10**7)), ("0.3", Fraction(3, 10)),
    ("1/3", Fraction(1, 3)), (" 5e-1 ", Fraction(1, 2)), (Decimal("0.10"), Fraction(1, 10)), (".5", Fraction(1, 2)),
    (Fraction(2, 7), Fraction(2, 7)), ("-1", Fraction(-1)),
]  # fmt: skip
UNWRITTEN = [
    True,
    None,
    "",
    ".",
    "1/0",
    "nan",
    float("nan"),
    float("inf"),
    "1e9999999",
    "0x1",
    "1_0",
    "٣",
    [0.5],
    "1/-2",
]


@pytest.mark.parametrize(("value", "number"), WRITTEN)
def test_exact_number(value, number):
    assert exact_number(value) == number


@pytest.mark.parametrize("value", UNWRITTEN, ids=repr)
def test_no_number(value):
    assert exact_number(value) is None


@pytest.mark.parametrize("text", ["0", "1", "1/2", "1/3", "0.1", "1e-7", f"1/{10**400}", "123456789/1000000007"])
def test_a_written_number_reads_back(text):
    assert exact_number(number_json(Fraction(text))) == Fraction(text)


# ---------------------------------------------------------------- round trip and identity


@pytest.mark.parametrize("seed", range(40))
def test_json_round_trip(seed):
    world = random_world(Random(seed), 1 + seed % 6, 0.5, digits=1 + seed % 5, states=2 + seed % 2)
    scm = SCM.from_json(as_record(world))
    again = SCM.from_json(scm.to_json())
    assert again == scm
    assert hash(again) == hash(scm)
    assert again.to_json() == scm.to_json()
    assert {v.name: (v.parents, v.states) for v in scm.variables} == {n: w[:2] for n, w in world.items()}
    for name, (_, _, table) in world.items():
        assert scm[name].rows == [tuple(row.values()) for row in table.values()]


def test_order_of_the_variables_is_free_and_of_the_parents_is_not():
    scm = SCM.from_json(CONFOUNDED)
    turned = dict(reversed(CONFOUNDED["variables"].items()))
    assert SCM.from_json({"variables": turned}) == scm
    swapped = {**turned, "Y": {"parents": ["U", "X"], "p": [[0.1, 0.5], [0.4, 0.9]]}}
    assert SCM.from_json({"variables": swapped}) != scm
    assert scm != "U -> X"


def test_a_model_is_immutable_and_travels():
    scm = SCM.from_json(CONFOUNDED)
    with pytest.raises(AttributeError):
        scm.variables = ()
    assert copy.deepcopy(scm) == pickle.loads(pickle.dumps(scm)) == scm
    assert repr(scm) == "<SCM U, X, Y>"
    assert "U" in scm
    assert "Q" not in scm


def test_binary_means_zero_and_one():
    assert SCM.from_json(CONFOUNDED).binary
    assert not model(X=LEVELS).binary


# ---------------------------------------------------------------- refusals

U = {"p": 0.5}
REFUSED = [
    ("no record", [], "a model record must be an object with the one field 'variables'"),
    ("extra field", {"variables": {}, "gold": 1}, "one field 'variables'"),
    ("no tables", {"variables": []}, "'variables' must be an object from names to tables, not []"),
    ("entry", {"variables": {"X": 0.5}}, "variable X: 0.5; expected an object with 'parents' and 'p'"),
    ("unknown field", {"variables": {"X": {"p": 1, "q": 1}}}, "variable X: unknown field 'q'"),
    ("missing table", {"variables": {"X": {"parents": []}}}, "variable X: no field 'p'"),
    ("name twice", {"variables": {"X": U, "X ": U}}, "variable X is listed twice"),
    ("empty name", {"variables": {" ": U}}, "a name is empty"),
    ("parents", {"variables": {"X": {"parents": "U", "p": 1}}}, "variable X: 'parents' must be a list of names"),
    ("unknown parent", {"variables": {"X": {"parents": ["Q"], "p": [0, 1]}}},
     "variable X: its parent Q is no variable of the model (X)"),
    ("repeated parent", {"variables": {"U": U, "X": {"parents": ["U", "U"], "p": [0, 1]}}},
     "variable X: its parent U is listed twice"),
    ("own parent", {"variables": {"X": {"parents": ["X"], "p": [0, 1]}}}, "variable X: it is listed among its own"),
    ("cycle", {"variables": {"A": {"parents": ["B"], "p": [0, 1]}, "B": {"parents": ["A"], "p": [0, 1]}}},
     "directed cycle, and here they do: A -> B -> A"),
    ("number for a list", {"variables": {"U": U, "X": {"parents": ["U"], "p": 0.5}}},
     "variable X: its table has 0.5 at level 1; expected a list of 2, one for each state of U"),
    ("short list", {"variables": {"U": U, "X": {"parents": ["U"], "p": [0.5]}}},
     "variable X: its table has 1 entries at level 1; expected a list of 2"),
    ("flat list", {"variables": {"U": U, "V": U, "X": {"parents": ["U", "V"], "p": [0, 1, 0, 1]}}},
     "variable X: its table has 4 entries at level 1; expected a list of 2"),
    ("pair of columns", {"variables": {"U": U, "X": {"parents": ["U"], "p": [[0.5, 0.5], [0.5, 0.5]]}}},
     "variable X: the probability [0.5, 0.5] is not a number"),
    ("root list", {"variables": {"X": {"p": [0.5]}}}, "variable X: the probability [0.5] is not a number"),
    ("negative", {"variables": {"X": {"p": -0.1}}}, "variable X: the probability -0.1 is negative"),
    ("above one", {"variables": {"X": {"p": 1.1}}}, "variable X: the probability 1.1 is above one"),
    ("not finite", {"variables": {"X": {"p": float("nan")}}}, "variable X: the probability nan is not a number"),
    ("truth value", {"variables": {"X": {"p": True}}}, "variable X: the probability True is not a number"),
    ("row sum", {"variables": {"X": {**LEVELS, "p": [0.2, 0.5, 0.2]}}},
     "variable X: row 1 of its table sums to '9/10'; expected 1"),
    ("states alone", {"variables": {"X": {"states": ["a", "b"], "p": [0, 1]}}}, "variable X: 'states' and 'positive'"),
    ("one state", {"variables": {"X": {"states": ["a"], "positive": ["a"], "p": [1]}}}, "variable X: 1 states"),
    ("no states", {"variables": {"X": {"states": [], "positive": [], "p": []}}}, "variable X: 0 states"),
    ("state twice", {"variables": {"X": {"states": ["a", "a"], "positive": ["a"], "p": [0, 1]}}},
     "variable X: the state 'a' is listed twice"),
    ("all positive", {"variables": {"X": {**LEVELS, "positive": ["low", "mid", "high"]}}}, "and not all of them"),
    ("none positive", {"variables": {"X": {**LEVELS, "positive": []}}}, "must be some of its states"),
    ("other positive", {"variables": {"X": {**LEVELS, "positive": ["top"]}}}, "variable X: 'top' counts as 1 but"),
]  # fmt: skip


@pytest.mark.parametrize(("record", "why"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused(record, why):
    with pytest.raises(errors.CalverifyError, match=re.escape(why)):
        SCM.from_json(record)


def test_a_table_of_many_parents_is_refused_before_it_is_unfolded():
    level: object = 0.5
    for _ in range(60):
        level = [level, level]
    names = {f"U{i}": U for i in range(60)}
    with pytest.raises(errors.BudgetError, match="variable X: a table of over"):
        model(**names, X={"parents": list(names), "p": level})


BUILT = [
    (("X", (), ("0", "1"), frozenset({1}), (), (1, 1, 1), 2), "variable X: a table of 3 numbers; expected 2"),
    (("X", (), ("0", "1"), frozenset({1}), (2,), (1, 1), 2), "variable X: a table of 2 numbers"),
    (("X", (), ("0", "1"), frozenset({1}), (), (-1, 3), 2), "variable X: a negative weight"),
    (("X", (), ("0", "1"), frozenset({1}), (), (1, 2), 2), "variable X: row 1 of its table sums to '3/2'"),
]


@pytest.mark.parametrize(("fields", "why"), BUILT)
def test_a_variable_built_by_hand_is_checked_too(fields, why):
    with pytest.raises(errors.RecordError, match=re.escape(why)):
        Variable(*fields)


def test_a_table_must_fit_the_states_of_its_parents():
    x = Variable.of_rows("X", [], ("a", "b", "c"), {0}, [[Fraction(1, 3)] * 3])
    y = Variable.of_rows("Y", [("X", 2)], ("0", "1"), {1}, [[Fraction(1, 2)] * 2] * 2)
    with pytest.raises(errors.RecordError, match="variable Y: its table gives its parent X 2 states"):
        SCM((x, y))
    with pytest.raises(errors.RecordError, match="names one variable twice"):
        SCM([x, x])
