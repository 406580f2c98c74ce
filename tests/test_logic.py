"""The formula language of knights and knaves: what is read, what is refused, and truth against the slow oracle."""

import ast
import json
import time
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import FrozenInstanceError
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calverify.errors import BudgetError, FormulaError
from calverify.logic import (
    MAX_DEPTH,
    MAX_NAMES,
    Atom,
    Compound,
    Formula,
    Violation,
    canonical_name,
    consistent,
    equivalent,
    evaluate,
    from_tree,
    names_of,
    read,
    solutions,
    table,
    violations,
)
from calverify.names import MAX_NAME
from tests.oracles import truth_tables

NAMES = ("A", "B", "C", "D", "Zoey", "Mary Ann", "Zoë", 'the "Duke"', "knight", "Not", "O'Neil-Fox", "f(x)")
A, B, C, D = (Atom(name, knight=True) for name in "ABCD")
NOT_A = Compound("not", (A,))
PEOPLE = 4


def both(*parts: Formula) -> Formula:
    return Compound("and", parts)


def either(*parts: Formula) -> Formula:
    return Compound("or", parts)


def implies(left: Formula, right: Formula) -> Formula:
    return Compound("implies", (left, right))


def iff(left: Formula, right: Formula) -> Formula:
    return Compound("iff", (left, right))


# ---------------------------------------------------------------- the grammar

STATEMENTS: list[tuple[str, Formula]] = [
    ("knight(Zoey)", Atom("Zoey", knight=True)),
    ("knave(Zoey)", Atom("Zoey", knight=False)),
    ("Zoey is a knight", Atom("Zoey", knight=True)),
    ("Zoey is a knave", Atom("Zoey", knight=False)),
    ("Zoey is not a knight", Compound("not", (Atom("Zoey", knight=True),))),
    ("Zoey is not a knave", Compound("not", (Atom("Zoey", knight=False),))),
    ("  Zoey\tIS\n A \u00a0 KnAvE  ", Atom("Zoey", knight=False)),
    ("KNIGHT (  Zoey  )", Atom("Zoey", knight=True)),
    ("knight(Mary Ann)", Atom("Mary Ann", knight=True)),
    ('knave("Mary Ann" )', Atom("Mary Ann", knight=False)),
    ('"Mary Ann" is a knight', Atom("Mary Ann", knight=True)),
    ('" Mary Ann " is not a knight', Compound("not", (Atom("Mary Ann", knight=True),))),
    ('"the ""Duke""" is a knave', Atom('the "Duke"', knight=False)),
    ('knight("the ""Duke""")', Atom('the "Duke"', knight=True)),
    ('knight(the "Duke")', Atom('the "Duke"', knight=True)),
    ('knight("f(x)")', Atom("f(x)", knight=True)),
    ("Zoe\u0308 is a knight", Atom("Zoë", knight=True)),
    ("knight(Zoe\u0308)", Atom("Zoë", knight=True)),
    ("knight is a knave", Atom("knight", knight=False)),
    ("knight(knight)", Atom("knight", knight=True)),
    ('"Not" is a knave', Atom("Not", knight=False)),
    ("knave(Not)", Atom("Not", knight=False)),
    ("O'Neil-Fox is a knight->A is a knight", implies(Atom("O'Neil-Fox", knight=True), A)),
    ("(A is a knight)", A),
    ("((knight(A)))", A),
    (f"{'(' * 4_000}knight(A){')' * 4_000}", A),
]

CONNECTIVES: list[tuple[str, Formula]] = [
    *((f"{sign} knight(A)", NOT_A) for sign in ("not", "NOT", "!", "~", "¬")),
    *((f"knight(A) {sign} knight(B)", both(A, B)) for sign in ("and", "AND", "&", "&&", "∧")),
    *((f"knight(A) {sign} knight(B)", either(A, B)) for sign in ("or", "Or", "|", "||", "∨")),
    *((f"knight(A) {sign} knight(B)", implies(A, B)) for sign in ("implies", "->", "=>", "→", "⇒")),
    *((f"knight(A) {sign} knight(B)", iff(A, B)) for sign in ("iff", "if and only if", "<->", "<=>", "↔", "⇔")),
    ("A is a knight IF\nAND  Only if B is a knight", iff(A, B)),
    ("if knight(A) then knight(B)", implies(A, B)),
    ("If A is a knight Then B is a knight", implies(A, B)),
    ("knight(A)&knight(B)|!knight(C)", either(both(A, B), Compound("not", (C,)))),
    ("not(A is a knight)and(B is a knight)", both(NOT_A, B)),
]

PRECEDENCE = [
    ("! A & B", both(NOT_A, B)),
    ("! (A & B)", Compound("not", (both(A, B),))),
    ("! ! A", Compound("not", (NOT_A,))),
    ("A & B & C", both(A, B, C)),
    ("(A & B) & C", both(both(A, B), C)),
    ("A & (B & C)", both(A, both(B, C))),
    ("A | B | C | D", either(A, B, C, D)),
    ("A | B & C | D", either(A, both(B, C), D)),
    ("A & B | C & D", either(both(A, B), both(C, D))),
    ("A & ! B & C", both(A, Compound("not", (B,)), C)),
    ("A | B -> C & D", implies(either(A, B), both(C, D))),
    ("A -> B -> C", implies(A, implies(B, C))),
    ("(A -> B) -> C", implies(implies(A, B), C)),
    ("A <-> B <-> C", iff(A, iff(B, C))),
    ("A -> B <-> C -> D", iff(implies(A, B), implies(C, D))),
    ("if A then B & C", implies(A, both(B, C))),
    ("if A then B -> C", implies(A, implies(B, C))),
    ("if A then B <-> C", iff(implies(A, B), C)),
    ("if A <-> B then C", implies(iff(A, B), C)),
    ("if A then if B then C", implies(A, implies(B, C))),
    ("if if A then B then C", implies(implies(A, B), C)),
    ("A & if B then C | D", both(A, implies(B, either(C, D)))),
    ("A & if B then C & D", both(A, implies(B, both(C, D)))),
    ("A | if B then C <-> D", iff(either(A, implies(B, C)), D)),
    ("! if A then B", Compound("not", (implies(A, B),))),
    ("A -> (if B then C) & D", implies(A, both(implies(B, C), D))),
]

REFUSED = [
    ("", "expected a statement at character 1: ''"),
    ("   ", "expected a statement at character 4: ''"),
    ("Zoey", "expected a statement at character 1: 'Zoey'"),
    ("Zoey is", "expected a statement at character 1"),
    ("Zoey is knight", "expected a statement at character 1"),
    ("Zoey is a knights", "expected a statement at character 1"),
    ("Zoeyis a knight", "expected a statement at character 1"),
    ("Mary Ann is a knight", "expected a statement at character 1"),
    ("Not is a knave", "expected a statement at character 5: 'is a knave'"),
    ("and is a knave", "expected a statement at character 1"),
    ("knight(A", "expected a statement at character 1: 'knight(A'"),
    ("knight()", "expected a statement at character 1"),
    ('knight("A)', "expected a statement at character 1"),
    ('"A is a knight', "expected a statement at character 1"),
    ("knight(A) and or knight(B)", "expected a statement at character 15: 'or knight(B)'"),
    ("knight(A) and", "expected a statement at character 14: ''"),
    ("not", "expected a statement at character 4: ''"),
    ("()", "expected a statement at character 2: ')'"),
    ("if then knight(A)", "expected a statement at character 4: 'then knight(A)'"),
    ("<-> knight(A)", "expected a statement at character 1"),
    ("knight(A) knight(B)", "expected a connective or the end at character 11: 'knight(B)'"),
    ("Zoey is a knight.", "expected a connective or the end at character 17: '.'"),
    ("Zoey is a knight, and", "expected a connective or the end at character 17: ', and'"),
    ("knight(A) if knight(B)", "expected a connective or the end at character 11: 'if knight(B)'"),
    ("knight(A) android knight(B)", "expected a connective or the end at character 11"),
    ("knight(A) = knight(B)", "expected a connective or the end at character 11: '= knight(B)'"),
    ("knight(A))", "expected a connective or the end at character 10: ')'"),
    ("knight(A) then knight(B)", "expected a connective or the end at character 11: 'then knight(B)'"),
    ("(knight(A)", "expected a connective or ')' at character 11: ''"),
    ("(knight(A) then knight(B))", "expected a connective or ')' at character 12"),
    ("if knight(A)", "expected a connective or 'then' at character 13: ''"),
    ("if knight(A))", "expected a connective or 'then' at character 13: ')'"),
    ("if (if knight(A)) then knight(B)", "expected a connective or 'then' at character 17"),
    ("A is a knight and Eve is a knave", "unknown name 'Eve' (the names are ('A', 'B', "),
    ("A is a knight and Eve is a knave", "at character 19: 'Eve is a knave'"),
    ("\u0410 is a knight", "unknown name '\u0410'"),  # a Cyrillic look-alike
    ("a is a knight", "unknown name 'a'"),
    ("knight(\ud800)", r"not '\ud800' at character 1: 'knight(\ud800)'"),
    ('knight(" ")', "not ' ' at character 1"),
    ("A \u0131s a knight", "expected a statement at character 1"),
    ("A i\u017f a knight", "expected a statement at character 1"),
    (f"{'x' * 201} is a knight", "a name (UTF-8 text of 1 to 200 characters)"),
    ("(" * 10_001, "at most 10000 characters, not 10001: '(((((((((((("),
    (f"{'!' * 65}knight(A)", "connectives at most 64 deep at character 75: ''"),
    (" -> ".join(["knight(A)"] * 66), "connectives at most 64 deep"),
    (" & ".join(["knave(A)"] * 900), "prints to at most 10000 characters, not 15295"),
]


@pytest.mark.parametrize(("text", "formula"), STATEMENTS + CONNECTIVES)
def test_text_is_read(text: str, formula: Formula) -> None:
    """Every spelling of the module's table gives the formula it stands for."""
    assert formula == read(text, NAMES)


@pytest.mark.parametrize(("text", "formula"), PRECEDENCE)
def test_connectives_bind_in_order(text: str, formula: Formula) -> None:
    """not > and > or > implies > iff, and the last two group to the right; bare letters stand for `knight(letter)`."""
    spelled = "".join(f"knight({letter})" if letter in "ABCD" else letter for letter in text)

    assert formula == read(spelled, NAMES)


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_text_is_refused_with_its_place(text: str, why: str) -> None:
    """What is outside the grammar is a `FormulaError` that says what was expected, where, and what stood there."""
    with pytest.raises(FormulaError) as caught:
        read(text, NAMES)

    assert why in str(caught.value)


PRINTED = [
    (Atom("Zoey", knight=False), "Zoey is a knave"),
    (Atom("Mary Ann", knight=True), '"Mary Ann" is a knight'),
    (Atom("or", knight=True), '"or" is a knight'),
    (Atom('the "Duke"', knight=True), '"the ""Duke""" is a knight'),
    (Compound("not", (Atom("x is a y", knight=True),)), '"x is a y" is not a knight'),
    (Compound("not", (NOT_A,)), "not A is not a knight"),
    (Compound("not", (both(A, B),)), "not (A is a knight and B is a knight)"),
    (both(either(A, B), NOT_A), "(A is a knight or B is a knight) and A is not a knight"),
    (implies(both(A, B), C), "if (A is a knight and B is a knight) then C is a knight"),
    (iff(A, implies(B, C)), "A is a knight if and only if (if B is a knight then C is a knight)"),
]


@pytest.mark.parametrize(("formula", "text"), PRINTED)
def test_formula_prints_as_english(formula: Formula, text: str) -> None:
    """`str` is a sentence in the words of the benchmark, with brackets around every joined part."""
    assert text == str(formula)


def test_names_bind_after_trimming_and_nfc_on_both_sides() -> None:
    """A decomposed name in the list and a composed one in the text are the same name."""
    assert Atom("Zoë", knight=True) == read("Zoë is a knight", [" Zoe\u0308\n"])


@pytest.mark.parametrize("names", [["A", "A"], ["A", " A "], ["Zoë", "Zoe\u0308"], ["A", ""], ["A", 3]])
def test_roster_that_names_nobody_or_somebody_twice_is_refused(names: list[Any]) -> None:
    """Two spellings of one name would make a column ambiguous."""
    with pytest.raises(FormulaError, match=r"every name once|expected a name"):
        read("knight(A)", names)


# ---------------------------------------------------------------- values

ILLEGAL: list[tuple[str, Any]] = [
    ("1 to 200 characters", lambda: Atom("", knight=True)),
    ("1 to 200 characters", lambda: Atom(" \t", knight=True)),
    ("1 to 200 characters", lambda: Atom("x" * (MAX_NAME + 1), knight=True)),
    ("1 to 200 characters", lambda: Atom("\ufb1d" * MAX_NAME, knight=True)),  # NFC makes two characters of each
    ("1 to 200 characters", lambda: Atom("a\udfffb", knight=True)),
    ("not None", lambda: Atom(None, knight=True)),  # type: ignore[arg-type]
    ("not 1", lambda: Atom("A", knight=1)),  # type: ignore[arg-type]
    ("not 'xor'", lambda: Compound("xor", (A, B))),  # type: ignore[arg-type]
    ("a tuple", lambda: Compound("and", [A, B])),  # type: ignore[arg-type]
    ("a formula, not 'A'", lambda: Compound("and", (A, "A"))),  # type: ignore[arg-type]
    ("1 under 'not', not 2", lambda: Compound("not", (A, B))),
    ("1 under 'not', not 0", lambda: Compound("not", ())),
    ("2 or more under 'and', not 1", lambda: Compound("and", (A,))),
    ("2 or more under 'or', not 0", lambda: Compound("or", ())),
    ("2 under 'implies', not 3", lambda: Compound("implies", (A, B, C))),
    ("2 under 'iff', not 1", lambda: Compound("iff", (A,))),
    ("64 deep", lambda: nested(MAX_DEPTH + 1)),
    ("at most 10000 characters", lambda: doubled(12)),
]


def nested(depth: int) -> Formula:
    formula: Formula = A
    for _ in range(depth):
        formula = Compound("not", (formula,))
    return formula


def doubled(times: int) -> Formula:
    formula: Formula = A
    for _ in range(times):
        formula = both(formula, formula)
    return formula


@pytest.mark.parametrize(("why", "build"), ILLEGAL)
def test_illegal_formula_cannot_be_built(why: str, build: Any) -> None:
    """The constructors refuse by name; sharing one part many times does not escape the size bound."""
    with pytest.raises(FormulaError, match=why):
        build()


def test_formula_is_a_value() -> None:
    """Equal formulas hash alike, and none can be changed."""
    one, other = read("knight(A) and !knight(B)", NAMES), read("A is a knight & B is not a knight", NAMES)

    assert {one} == {other}
    with pytest.raises(FrozenInstanceError):
        one.parts = ()  # type: ignore[misc,union-attr]


def test_deepest_formula_is_read_back_and_evaluated() -> None:
    """MAX_DEPTH connectives are legal everywhere."""
    formula = nested(MAX_DEPTH)

    assert formula == read(str(formula), ["A"])
    assert evaluate(formula, {"A": True})


def test_names_come_once_in_order_of_first_mention() -> None:
    """B before A when B is named first."""
    assert names_of(both(B, implies(A, B))) == ("B", "A")


def test_canonical_name_is_trimmed_and_composed() -> None:
    """The docstring's worked value."""
    assert canonical_name(" Zoe\u0308 ") == "Zo\u00eb"


# ---------------------------------------------------------------- mem-kk trees

TREES: list[tuple[Any, Formula]] = [
    (["telling-truth", 0], A),
    (("lying", 1), Atom("B", knight=False)),
    (["not", ["telling-truth", 0]], NOT_A),
    (("and", ("telling-truth", 0), ["telling-truth", 1], ("telling-truth", 2)), both(A, B, C)),
    (["or", ["telling-truth", 0], ["telling-truth", 1]], either(A, B)),
    (["->", ["telling-truth", 0], ["telling-truth", 1]], implies(A, B)),
    (["<=>", ["telling-truth", 0], ["telling-truth", 1]], iff(A, B)),
]

BAD_TREES: list[tuple[Any, str]] = [
    (None, "not None"),
    ("lying", "not 'lying'"),
    ([], r"not \[\]"),
    (["lying"], r"not \['lying'\]"),
    (["lying", 0, 1], r"not \['lying', 0, 1\]"),
    (["xor", ["lying", 0], ["lying", 1]], "not .'xor'"),
    ([["lying", 0], 0], "expected .leaf"),
    ({"lying": 0}, "not {'lying': 0}"),
    (["lying", 4], "an index into the 4 names, not 4"),
    (["lying", -1], "an index into the 4 names, not -1"),
    (["lying", True], "an index into the 4 names, not True"),
    (["lying", "0"], "an index into the 4 names, not '0'"),
    (["lying", 1.0], "an index into the 4 names, not 1.0"),
    (["lying", 10**5_000], "not <huge int>"),
    (["xor", 10**5_000], "<huge int>"),
    (["not", ["lying", 0], ["lying", 1]], "1 under 'not', not 2"),
    (["not"], "1 under 'not', not 0"),
    (["and", ["lying", 0]], "2 or more under 'and', not 1"),
    (["->", ["lying", 0]], "2 under 'implies', not 1"),
]


@pytest.mark.parametrize(("tree", "formula"), TREES)
def test_tree_is_read(tree: Any, formula: Formula) -> None:
    """Lists, as JSON gives, and tuples, as the records print, read alike."""
    assert formula == from_tree(tree, "ABCD")


@pytest.mark.parametrize(("tree", "why"), BAD_TREES)
def test_tree_is_refused(tree: Any, why: str) -> None:
    """A wrong shape, word, index or number of parts is named."""
    with pytest.raises(FormulaError, match=why):
        from_tree(tree, "ABCD")


def test_deep_tree_is_refused() -> None:
    """A hundred thousand lists in lists end at MAX_DEPTH, not in the interpreter's stack."""
    tree: list[Any] = ["lying", 0]
    for _ in range(100_000):
        tree = ["not", tree]

    with pytest.raises(FormulaError, match="64 deep"):
        from_tree(tree, "ABCD")


# ---------------------------------------------------------------- truth, by hand

PUZZLE = (("A", read("B is a knave", "AB")), ("B", read("A is a knave iff B is a knave", "AB")))


def test_table_has_a_bit_per_row() -> None:
    """Row r reads r in binary, first name first."""
    assert (table(A, "AB"), table(B, "AB"), table(Atom("B", knight=False), "AB")) == (0b1100, 0b1010, 0b0101)


def test_table_of_one_name_and_of_idle_names() -> None:
    """A name that the formula does not mention doubles the table and nothing else."""
    assert (table(A, "A"), table(A, "ABC")) == (0b10, 0b11110000)


def test_solutions_come_knaves_first() -> None:
    """Over (A, B), with no constraint, every assignment comes, in binary order."""
    expected = [{"A": a, "B": b} for a, b in truth_tables.rows(2)]

    assert expected == list(solutions([], "AB"))


def test_puzzle_without_people_has_one_empty_solution() -> None:
    """Nobody said anything."""
    assert list(solutions([], [])) == [{}]


def test_puzzle_without_solution_has_none() -> None:
    """Nobody can call himself a knave."""
    assert list(solutions([("A", Atom("A", knight=False))], "A")) == []


def test_speaker_may_speak_twice_or_never() -> None:
    """Constraints are a sequence, not one for each name."""
    assert list(solutions([("A", B), ("A", both(A, B, C))], "ABC"))[-1:] == [{"A": True, "B": True, "C": True}]


def test_violations_say_what_failed() -> None:
    """Two knaves, and the first of them tells the truth about the second."""
    first, second = PUZZLE

    assert violations(PUZZLE, {"A": False, "B": False}) == [
        Violation(*first, says=True, is_knight=False),
        Violation(*second, says=True, is_knight=False),
    ]
    assert violations(PUZZLE, {"A": True, "B": False}) == []
    assert consistent(PUZZLE, {"A": True, "B": False})
    assert not consistent(PUZZLE, {"A": False, "B": True})


def test_assignment_keys_bind_like_names() -> None:
    """A decomposed key is the same person."""
    assert evaluate(Atom("Zoë", knight=True), {" Zoe\u0308": True})


BAD_CALLS: list[tuple[str, Any]] = [
    ("but 'B' has none", lambda: evaluate(both(A, B), {"A": True})),
    ("but 'B' has none", lambda: table(B, "A")),
    ("but 'B' has none", lambda: solutions([("A", B)], "A")),
    ("but 'B' has none", lambda: solutions([("B", A)], "A")),
    ("but 'B' has none", lambda: consistent([("B", A)], {"A": True})),
    ("True or False for 'A', not 1", lambda: evaluate(A, {"A": 1})),  # type: ignore[dict-item]
    ("every name once", lambda: evaluate(A, {"A": True, " A": False})),
    ("expected a name", lambda: consistent([("", A)], {"A": True})),
]


@pytest.mark.parametrize(("why", "call"), BAD_CALLS)
def test_truth_about_strangers_is_refused(why: str, call: Any) -> None:
    """A missing, doubled or untruthful value is the caller's mistake, found at the call and not at the first `next`."""
    with pytest.raises(FormulaError, match=why):
        call()


# ---------------------------------------------------------------- budgets

CROWD = [f"P{number}" for number in range(MAX_NAMES + 1)]


def test_largest_table_is_in_the_budget() -> None:
    """Twenty names: a million rows in well under a second, and the first solutions without listing the others."""
    ring = [(name, Atom(CROWD[place - 1], knight=True)) for place, name in enumerate(CROWD[:MAX_NAMES])]
    ring[0] = (CROWD[0], Atom(CROWD[MAX_NAMES - 1], knight=True))

    assert [{False}, {True}] == [set(each.values()) for each in solutions(ring, CROWD[:MAX_NAMES])]
    assert len(list(islice(solutions([], CROWD[:MAX_NAMES]), 3))) == 3


def test_table_beyond_the_budget_is_undetermined() -> None:
    """Twenty-one names are a `BudgetError`, which is no verdict."""
    everybody = both(*(Atom(name, knight=True) for name in CROWD))

    for call in (lambda: table(A, [*CROWD, "A"]), lambda: solutions([], CROWD), lambda: equivalent(A, everybody)):
        with pytest.raises(BudgetError, match="at most 20 names"):
            call()


def test_consistency_needs_no_table() -> None:
    """A thousand people who each vouch for the next are all knights or all knaves."""
    names = [f"P{number}" for number in range(1_000)]
    ring = [(name, Atom(names[place - 1], knight=True)) for place, name in enumerate(names)]

    assert consistent(ring, dict.fromkeys(names, True))
    assert len(violations(ring, dict.fromkeys(names, True) | {"P7": False})) == 2


# ---------------------------------------------------------------- properties

leaves = st.tuples(st.sampled_from(["telling-truth", "lying"]), st.integers(0, PEOPLE - 1))


def _joined(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return (
        st.tuples(st.just("not"), parts)
        | st.tuples(st.sampled_from(["->", "<=>"]), parts, parts)
        | st.builds(
            lambda word, many: (word, *many), st.sampled_from(["and", "or"]), st.lists(parts, min_size=2, max_size=4)
        )
    )


trees = st.recursive(leaves, _joined, max_leaves=12)
odd_names = st.sampled_from(
    ["not", "IF", "then", "knight", "is", "a", 'a "b"', '"', ")", "f(x)", "A->B", "-", "x,", "\u0338"]
)
names_of_any_kind = st.lists(
    odd_names | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(str.strip),
    min_size=PEOPLE,
    max_size=PEOPLE,
    unique_by=lambda name: unicodedata.normalize("NFC", name.strip()),
)
# fmt: off
fragments = st.sampled_from([
    "(", ")", '"', '""', " ", "A", "B", "is", "a", "not", "knight", "knave", "knight(", "if", "then", "and", "only",
    "or", "!", "~", "¬", "&", "|", "->", "<", "=", ">", "-", "<->", "iff", "implies", "A is a knight", "knave(B)",
    "\ud800",
])
# fmt: on

SPELLED = {
    "not": ["not ", "!", "~ ", "¬"],
    "and": [" and ", "&", " && ", " ∧ "],
    "or": [" or ", "|", "||", "∨"],
    "->": [" implies ", "->", " => ", "→"],
    "<=>": [" iff ", " if and only if ", "<->", "<=>", "↔"],
}
TIGHTNESS = ["<=>", "->", "or", "and", "not", "lying", "telling-truth"]


def spell(tree: truth_tables.Tree, names: Sequence[str], draw: Any) -> str:
    """A text of `tree` in spellings that `draw` picks, with the brackets it needs and now and then one more."""
    word, *parts = tree
    if isinstance(parts[0], int):
        role = "knight" if word == "telling-truth" else "knave"
        return str(draw(st.sampled_from([f"{names[parts[0]]} is a {role}", f"{role}({names[parts[0]]})"])))
    texts = []
    for place, part in enumerate(parts):
        text, gap = spell(part, names, draw), TIGHTNESS.index(part[0]) - TIGHTNESS.index(word)
        groups = word == "not" or (word in ("->", "<=>") and place == 1)
        needed = gap < 0 or (gap == 0 and not groups)
        texts.append(f"({text})" if needed or draw(st.booleans()) else text)
    if word == "->" and draw(st.booleans()):
        return f"if {texts[0]} then {texts[1]}"
    sign: str = draw(st.sampled_from(SPELLED[word]))
    return sign + texts[0] if word == "not" else sign.join(texts)


@given(trees, names_of_any_kind)
def test_what_prints_reads_back(tree: truth_tables.Tree, names: list[str]) -> None:
    """read(str(formula)) is the identity, whatever the names are."""
    formula = from_tree(tree, names)

    assert formula == read(str(formula), names)


@given(trees, st.data())
def test_every_spelling_reads_as_the_tree(tree: truth_tables.Tree, data: st.DataObject) -> None:
    """Words, signs and just enough brackets give the formula that the tree gives."""
    text = spell(tree, "ABCD", data.draw)

    assert from_tree(tree, "ABCD") == read(text, "ABCD"), text


@given(trees)
def test_table_equals_the_oracle(tree: truth_tables.Tree) -> None:
    """Every bit, and `evaluate` on every row."""
    formula, expected = from_tree(tree, "ABCD"), truth_tables.truth_table(tree, PEOPLE)
    bits = table(formula, "ABCD")

    assert expected == [bool(bits >> row & 1) for row in range(2**PEOPLE)]
    assert bits < 1 << 2**PEOPLE
    assert expected == [evaluate(formula, dict(zip("ABCD", row, strict=True))) for row in truth_tables.rows(PEOPLE)]


@given(trees, trees)
def test_equivalence_equals_the_oracle(one: truth_tables.Tree, other: truth_tables.Tree) -> None:
    """Two formulas are equivalent iff their slow tables are equal, and each to its double negation."""
    expected = truth_tables.truth_table(one, PEOPLE) == truth_tables.truth_table(other, PEOPLE)

    assert expected == equivalent(from_tree(one, "ABCD"), from_tree(other, "ABCD"))
    assert equivalent(from_tree(one, "ABCD"), from_tree(("not", ("not", one)), "ABCD"))


@given(st.lists(st.tuples(st.integers(0, PEOPLE - 1), trees), max_size=6))
def test_solutions_equal_the_oracle(statements: list[tuple[int, truth_tables.Tree]]) -> None:
    """The same assignments in the same order; each is consistent, and every other one breaks a constraint."""
    constraints = [("ABCD"[speaker], from_tree(tree, "ABCD")) for speaker, tree in statements]
    expected = truth_tables.solutions(statements, PEOPLE)

    assert expected == [tuple(each.values()) for each in solutions(constraints, "ABCD")]
    for row in truth_tables.rows(PEOPLE):
        assert (row in expected) == consistent(constraints, dict(zip("ABCD", row, strict=True)))


@given(st.text() | st.lists(fragments, max_size=30).map("".join) | st.lists(fragments, max_size=30).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing but `FormulaError` comes out, and its message can be written as UTF-8."""
    try:
        formula = read(text, "AB")
    except FormulaError as error:
        str(error).encode()
    else:
        assert formula == read(str(formula), "AB")


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["lying", "not", "and", "->", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
)


@given(json_like | st.lists(json_like, min_size=2).map(lambda parts: ["and", *parts]))
def test_any_tree_is_read_or_refused(tree: Any) -> None:
    """Nothing but `FormulaError` comes out of JSON of any shape."""
    with suppress(FormulaError):
        assert set(names_of(from_tree(tree, "AB"))) <= {"A", "B"}


@given(st.text())
def test_canonical_name_is_stable(name: str) -> None:
    """A canonical name is its own canonical name."""
    try:
        canonical = canonical_name(name)
    except FormulaError:
        return
    assert canonical == canonical_name(canonical)


MARKS = "\u0316\u0301" * 4_000
HOSTILE = {
    "10,000 brackets": "(" * 10_000,
    "closing brackets": ")" * 10_000,
    "brackets in pairs": "()" * 5_000,
    "1 MiB": "x" * 2**20,
    "1 MiB of blanks": " " * 2**20,
    "blanks": " " * 10_000,
    "blanks inside": f"A{' ' * 9_000}is",
    "nots": "!" * 9_990 + "knight(A)",
    "spelled nots": "not " * 2_400 + "knight(A)",
    "ifs": "if " * 3_300,
    "arrows": "knight(A)->" * 900 + "knight(A)",
    "open calls": "knight(" * 1_400,
    "open quotes in calls": 'knight("' * 1_200,
    "quotes": '"' * 9_999,
    "combining marks": "A" + MARKS + " is a knight",
    "combining marks in a call": "knight(A" + MARKS + ")",
    "lone surrogates": "\ud800\udfff" * 5_000,
    "a long word": "a" * 10_000,
    "hyphens": "-" * 10_000,
    "half connective": "knight(A) if and only " + "if and only " * 800,
    "unknown names": "knight(A)|" * 900 + "knight(E)",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_refused_fast(name: str) -> None:
    """No text costs more than its length."""
    start = time.perf_counter()
    with pytest.raises(FormulaError) as caught:
        read(HOSTILE[name], "AB")

    assert time.perf_counter() - start < 0.5
    assert len(str(caught.value)) < 300


# ---------------------------------------------------------------- the benchmark


def test_every_development_puzzle_has_its_one_solution(data_dir: Path) -> None:
    """All 1,478 mem-kk items: the record's statements have one solution, and it is the record's."""
    paths = sorted((data_dir / "mem-kk").rglob("*.jsonl"))
    items = [json.loads(line) for path in paths for line in path.read_bytes().splitlines()]
    assert len(items) == 1_478

    for item in items:
        names, statements = item["names"], ast.literal_eval(item["statements"])
        constraints = [(name, from_tree(tree, names)) for name, tree in zip(names, statements, strict=True)]
        expected = dict(zip(names, item["solution"], strict=True))

        assert [expected] == list(solutions(constraints, names)), item["quiz"]
        assert consistent(constraints, expected)
        assert [formula for _, formula in constraints] == [read(str(formula), names) for _, formula in constraints]
