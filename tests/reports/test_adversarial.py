"""Edits of the study's own candidates, against edits made here by other means."""

from random import Random

import pytest

import calverify as cv
from calverify.reports import make_report
from calverify.reports._renaming import CONTRACT, Renaming, renaming_of
from tests.evaluation.studies import by_hand
from tests.oracles import criteria
from tests.reports.recount import ASKED, OPTIONS, PROBLEMS, made, records, recount
from tests.sheets import read_sheet, sheet_of

RENAMED, SWAPPED, DAMAGED = range(3)


def test_renaming_changes_nothing_in_any_candidate():
    record = records(made("adversarial")[0])[RENAMED]
    candidates = sum(len(row.texts) for row in recount())
    assert (record["tried"], record["as expected"], record["could not be edited"]) == (candidates, candidates, 0)
    assert record["otherwise"] == "none"


def test_every_swap_leaves_exactly_three_and_every_damage_five():
    _, swapped, damaged = records(made("adversarial")[0])
    top = [(row.problem, text) for row in recount() for text, bits in zip(row.texts, row.bits, strict=True)
           if sum(bits) == 6]  # fmt: skip
    assert (swapped["tried"], swapped["as expected"], swapped["otherwise"]) == (len(top), len(top), "none")
    yes = [1 for problem, text in top if ASKED[problem][1].task == "mediator" and "ANSWER: yes" in text]
    assert (damaged["tried"], damaged["as expected"], damaged["otherwise"]) == (len(yes), len(yes), "none")
    assert len(top) > 20
    assert len(yes) > 3
    decisions = [1 for problem, _ in top if ASKED[problem][1].task == "mediator"]
    assert damaged["could not be edited"] == len(decisions) - len(yes)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_renamed_problem_is_the_problem_under_other_names(name):
    problem = PROBLEMS[name]
    texts = [text for row in recount() if row.problem == name for text in row.texts]
    renaming = renaming_of(problem, texts, Random(name))
    other = renaming.problem(problem)
    assert other.graph == problem.graph.renamed(renaming.names)
    assert other.graph.node_set.isdisjoint(problem.graph.nodes)
    assert other.query.targets == tuple(renaming.names[target] for target in problem.query.targets)
    assert not any(new in text for new in renaming.names.values() for text in texts)
    assert all(renaming.text(text) != text for text in texts if "STEP 1" in text)


RENAMINGS = [
    ({"A": "v1", "AB": "v2"}, "A -> AB, ABC", "v1 -> v2, ABC"),
    ({"A B": "v1", "A": "v2"}, "A B; A", "v1; v2"),
    ({"A": "B", "B": "A"}, '{"A":["B"]}', '{"B":["A"]}'),
    ({"é": "v1"}, '["\\u00e9", "é"]', '["v1", "v1"]'),
    ({"X": "v1"}, "X_1 X1 1X X'", "X_1 X1 1X v1'"),
]


@pytest.mark.parametrize("names, before, after", RENAMINGS)
def test_names_are_replaced_as_whole_words(names, before, after):
    assert Renaming(names).text(before) == after


@pytest.mark.parametrize("name", ["nodes", "yes", "none", "STEP", "12", "->", "Backdoor", "set()", "A -> B", "_"])
def test_names_that_the_contract_is_written_in_are_left_out(name):
    problem = cv.Problem("p", cv.Query("backdoor", ("X", "Y")), cv.Graph(["X", "Y", name], [("X", "Y")]))
    assert renaming_of(problem, [], Random(0)) is None
    study = by_hand(problem, [[sheet_of(problem).text()]])
    ((table,), _) = make_report("adversarial", [study], OPTIONS)
    assert (records(table)[RENAMED]["tried"], records(table)[RENAMED]["could not be edited"]) == (0, 1)


def test_names_of_letters_are_none_of_these():
    assert not CONTRACT & {"u", "x", "m", "y", "p", "a", "smoking"}


def test_a_checker_that_leaned_on_a_name_would_be_caught(monkeypatch):
    """Planted: a checker that likes the node M.  The report must say so."""
    from calverify.reports import adversarial as report

    honest = cv.verify

    def partial(problem, text):
        return honest(problem, text if "M" in text else "")

    monkeypatch.setitem(report.__globals__, "verify", partial)
    record = records(made("adversarial")[0])[RENAMED]
    assert record["as expected"] < record["tried"]
    assert "6 to 0" in record["otherwise"]


def test_a_damaged_witness_is_a_walk_that_is_none():
    """The edit itself, against the oracle: one node is another one, and a step of it is no edge."""
    from calverify.reports.adversarial import damaged_witness
    from calverify.scoring import checker_for

    problem = PROBLEMS["m1"]
    sheet = sheet_of(problem)
    for seed in range(20):
        text = damaged_witness(
            cv.parse(sheet.text()), cv.verify(problem, sheet.text()), checker_for(problem).case, Random(seed)
        )
        walk, broken = sheet.strategy["path"], read_sheet(text).strategy["path"]
        assert sum(a != b for a, b in zip(walk, broken, strict=True)) == 1
        assert not criteria.shows_a_yes(problem.graph, broken, problem.query.targets)
