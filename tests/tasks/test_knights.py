"""Knights tell the truth, knaves lie: every assignment against a truth table by product."""

from random import Random

import pytest

import calverify as cv
from tests.oracles.truth_tables import value
from tests.problems import PEOPLE, known, puzzle, said
from tests.sheets import ABSENT, bits, sheet_of

CASES = pytest.mark.parametrize("count", [60, pytest.param(3_000, marks=pytest.mark.property)])
ROLES = {True: "knight", False: "knave"}
ZOEY = ("Penelope", "David", "Zoey")
SPOKEN = (
    ("Penelope", "David is a knight if and only if David is a knave"),
    ("David", "Zoey is a knave if and only if Zoey is a knight"),
    ("Zoey", "If Penelope is a knave then David is a knave"),
)
QUERY = cv.Query("knights", ZOEY, formula=SPOKEN)
PROBLEM = cv.Problem("p", QUERY)
RIGHT = {"Penelope": "knave", "David": "knave", "Zoey": "knight"}

JUDGED = [
    ("the solution", RIGHT, True, "every knight tells the truth and every knave lies"),
    ("in a sentence", "Penelope is a knave, David is a knave, and Zoey is a knight.", True, "every knight"),
    ("numbered", "(1) Penelope is a knave\n(2) David is a knave\n(3) Zoey is a knight", True, "every knight"),
    ("in another order", {"Zoey": "knight", "David": "knave", "Penelope": "knave"}, True, "every knight"),
    ("as booleans", {"Penelope": False, "David": False, "Zoey": True}, True, "every knight"),
    ("a lying knight", {**RIGHT, "Penelope": "knight"}, False, "Penelope would be a knight, yet says what is false"),
    ("a truthful knave", {**RIGHT, "Zoey": "knave"}, False, "Zoey would be a knave, yet says what is true"),
    ("one left out", {"Penelope": "knave", "Zoey": "knight"}, False, "David is left out"),
    ("one too many", {**RIGHT, "Ann": "knave"}, False, "Ann is not one of the people"),
    ("neither", {**RIGHT, "Zoey": "spy"}, False, "neither knight nor knave"),
    ("twice", "Zoey is a knight, Zoey is a knave", False, "Zoey is named twice"),
    ("nobody", {}, False, "nobody is named"),
]


@pytest.mark.parametrize("assignment, valid, why", [row[1:] for row in JUDGED], ids=[row[0] for row in JUDGED])
def test_an_assignment_is_judged(assignment, valid, why):
    judged = cv.check(None, QUERY, assignment)
    assert judged.valid is valid
    assert why in judged.why
    sheet = sheet_of(PROBLEM).but(result={"result": assignment}, answer={"answer": assignment}, line=ABSENT)
    assert (cv.verify(PROBLEM, sheet.text()).bits["answer"] == 1) is valid


REFUSED = [
    ("nobody", (), SPOKEN, cv.CalverifyError, ""),
    ("one person twice", ("Ann", "Ann"), (("Ann", "Ann is a knight"),), cv.CalverifyError, "Ann"),
    ("a stranger speaks", ("Ann", "Bob"), (("Cat", "Ann is a knight"),), cv.FormulaError, "Cat"),
    ("a stranger is spoken of", ("Ann", "Bob"), (("Ann", "Cat is a knight"),), cv.FormulaError, "Cat"),
    ("no formula", ("Ann", "Bob"), (("Ann", "Bob is nice"),), cv.FormulaError, "Ann says"),
    ("nothing is said", ("Ann", "Bob"), (), cv.QueryError, "needs the field formula"),
]


@pytest.mark.parametrize("people, spoken, error, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_puzzle_that_makes_no_sense_is_refused(people, spoken, error, why):
    with pytest.raises(error) as refused:
        cv.check(None, cv.Query("knights", people, formula=spoken), {"Ann": "knight"})
    assert why in str(refused.value)


@CASES
def test_assignments_agree_with_the_oracle(count):
    for seed in range(count):
        drawn = known(Random(seed), "knights", "puzzle")
        query = drawn.problem.query
        assert set(cv.solve(None, query)) == set(drawn.right)
        assert len(cv.solve(None, query)) == len(drawn.right)
        for valid, rows in ((True, drawn.right), (False, drawn.wrong)):
            for row in rows:
                judged = cv.check(None, query, {name: ROLES[role] for name, role in row})
                assert judged.valid is valid, (query, row)
                assert_is_proof(judged.witness, drawn, dict(row))
        near = cv.nearest_valid(None, query, {})
        assert drawn.holds({name: role == "knight" for name, role in near.items()})


def assert_is_proof(witness, drawn, values):
    """Every statement, with whether its speaker is a knight and whether it is true."""
    people = drawn.problem.query.targets
    assert witness["kind"] == "assignment"
    assert witness["values"] == values
    assert len(witness["said"]) == len(drawn.statements)
    for (speaker, tree), (name, role, _, true, _) in zip(drawn.statements, witness["said"], strict=True):
        assert name == people[speaker]
        assert role == values[name]
        assert true == value(tree, [values[person] for person in people])


def test_a_paradox_has_no_answer():
    query = cv.Query("knights", ("Ann",), formula=(("Ann", "Ann is a knave"),))
    assert cv.solve(None, query) == []
    assert cv.nearest_valid(None, query, {"Ann": "knight"}) is None


def test_someone_who_says_nothing_is_either():
    query = cv.Query("knights", ("Ann", "Bob"), formula=(("Ann", "Ann is a knight"),))
    assert len(cv.solve(None, query)) == 4


FIRST = [
    ("as asked", [list(pair) for pair in SPOKEN], 1),
    ("equivalent", [["Penelope", "not (David is a knight iff David is a knight)"], *map(list, SPOKEN[1:])], 1),
    ("in another order", [list(pair) for pair in SPOKEN[::-1]], 1),
    ("one left out", [list(pair) for pair in SPOKEN[1:]], 0),
    ("one said twice", [list(pair) for pair in (*SPOKEN, SPOKEN[0])], 0),
    ("another statement", [["Penelope", "David is a knight"], *map(list, SPOKEN[1:])], 0),
    ("another speaker", [["Zoey", SPOKEN[0][1]], *map(list, SPOKEN[1:])], 0),
    ("a stranger", [["Ann", SPOKEN[0][1]], *map(list, SPOKEN[1:])], 0),
    ("no formula", [["Penelope", "hello"], *map(list, SPOKEN[1:])], 0),
    ("no list", "Penelope says hello", 0),
]


@pytest.mark.parametrize("constraints, bit", [row[1:] for row in FIRST], ids=[row[0] for row in FIRST])
def test_the_first_slot_restates_what_is_said(constraints, bit):
    sheet = sheet_of(PROBLEM).but(graph={"people": list(ZOEY), "constraints": constraints})
    assert cv.verify(PROBLEM, sheet.text()).score == 5 + bit


PEOPLE_STATED = [
    ("in another order", ["Zoey", "David", "Penelope"], 1),
    ("one left out", ["Zoey", "David"], 0),
    ("one too many", ["Zoey", "David", "Penelope", "Ann"], 0),
    ("one twice", ["Zoey", "David", "David"], 0),
    ("no list", "Zoey, David, Penelope", 0),
]


@pytest.mark.parametrize("people, bit", [row[1:] for row in PEOPLE_STATED], ids=[row[0] for row in PEOPLE_STATED])
def test_the_first_slot_names_the_people(people, bit):
    sheet = sheet_of(PROBLEM).but(graph={"people": people, "constraints": [list(pair) for pair in SPOKEN]})
    assert cv.verify(PROBLEM, sheet.text()).bits["graph"] == bit


# ---------------------------------------------------------------- constructed mode

OWN = cv.Problem("p", cv.Query("knights", ZOEY), text="what the puzzle says")


def test_a_trace_is_judged_on_its_own_formulas():
    """A wrong reading of the puzzle scores six with the answer that is right for it."""
    wrong = puzzle(ZOEY, [(0, ("telling-truth", 1)), (1, ("lying", 2)), (2, ("lying", 0))])
    sheet = sheet_of(wrong.problem)
    assert cv.verify(OWN, sheet.text()).score == 6
    assert cv.verify(PROBLEM, sheet.text()).bits["graph"] == 0
    other = {name: ROLES[role] for name, role in wrong.wrong[0]}
    assert bits(cv.verify(OWN, sheet.swapped(other).text())) == "110100"


@pytest.mark.parametrize(
    "spoken, why",
    [
        ([["Penelope", "David is a knight"]], "David says nothing"),
        ([["Penelope", "David is a knight"], ["David", "Ann is a knight"], ["Zoey", "Zoey is a knight"]], "Ann"),
        ([], "Penelope says nothing"),
        ("?", "must be a list"),
    ],
)
def test_a_reading_that_will_not_do(spoken, why):
    sheet = sheet_of(PROBLEM).but(graph={"people": list(ZOEY), "constraints": spoken})
    verdict = cv.verify(OWN, sheet.text())
    assert bits(verdict) == "010100"
    assert why in verdict.faults[0].why


def test_without_a_first_slot_there_is_nothing_to_judge_on():
    assert bits(cv.verify(OWN, sheet_of(PROBLEM).but(graph=ABSENT).text())) == "010100"


# ---------------------------------------------------------------- size

CROWD = tuple(f"N{i}" for i in range(21))


def test_a_statement_about_more_people_than_a_truth_table_takes_is_undetermined():
    """Restating it otherwise would need the table to compare; no bit is given and none is refused."""
    everyone = " and ".join(f"{name} is a knight" for name in CROWD)
    query = cv.Query("knights", CROWD, formula=tuple((name, everyone) for name in CROWD))
    problem = cv.Problem("p", query)
    backwards = " and ".join(f"{name} is a knight" for name in CROWD[::-1])
    first = {"people": list(CROWD), "constraints": [[name, backwards] for name in CROWD]}
    answer = dict.fromkeys(CROWD, "knight")
    sheet = sheet_of(PROBLEM).but(graph=first).swapped(answer)
    verdict = cv.verify(problem, sheet.text())
    assert verdict.score is None
    assert verdict.undetermined
    assert set(verdict.bits.values()) == {None}
    with pytest.raises(cv.BudgetError):
        cv.solve(None, query)
    assert cv.check(None, query, answer).valid is True


def test_any_name_can_stand_in_a_puzzle():
    people = ("Mary Ann", "a, b", 'the "Duke"', "knight", "Ann is a knight")
    drawn = puzzle(people, [(i, ("telling-truth", (i + 1) % 5)) for i in range(5)])
    for row in drawn.right:
        verdict = cv.verify(drawn.problem, sheet_of(drawn.problem, row).text())
        assert verdict.score == 6, verdict.faults


def test_the_words_for_a_formula():
    assert said(("->", ("lying", 0), ("telling-truth", 1)), PEOPLE) == '("Ann" is a knave) -> ("Bob" is a knight)'
