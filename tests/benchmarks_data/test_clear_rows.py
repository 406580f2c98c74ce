"""All development rows of CLEAR: every published answer is accepted, and what differs from it is refused.

One exception, and no other: one key is wrong.
"""

import json
from collections import Counter
from typing import Any

import pytest

import calverify as cv
from calverify.recheck import recheck
from calverify.scoring import case_of, proof
from tests.clear_rows import DECISIONS, ONE_SET, Row, published_answers, published_sets, rows_of
from tests.object_problems import paths_of
from tests.oracles import relations
from tests.oracles.paths import subsets
from tests.sheets import bits, sheet_of

ROWS = 1_404
KEY_IS_WRONG = {"28843175": "said to be no C-forest, and is one by the definition"}
SETS = ("backdoor", "blocked_path", "d_separation", "frontdoor")
PATHS = ("path", "backdoor_path")
FORMS = ("find_one", "find_all", "how_many", "yes_no", "choice", "choice_not", "existence", "minimal", "minimum",
         "maximal", "shortest", "longest")  # fmt: skip
EACH_FORM = pytest.mark.parametrize("form", FORMS)


def fair_rows(data_dir, form: str) -> list[Row]:
    """The rows of a form that are not among the exceptions."""
    rows = [row for row in rows_of(data_dir) if row.query.form == form]
    assert rows
    return [row for row in rows if row.uid not in KEY_IS_WRONG]


def is_valid(row: Row, answer: Any) -> bool | None:
    return cv.check(row.graph, row.query, answer).valid


def test_every_row_is_here(data_dir):
    rows = rows_of(data_dir)
    assert len(rows) == len({(row.kind, row.uid, row.sid) for row in rows}) == ROWS
    forms = Counter(row.query.form for row in rows)
    assert set(forms) == set(FORMS)
    assert forms["minimal"] == forms["maximal"] == forms["shortest"] == forms["longest"] == 24
    assert sum(len(fair_rows(data_dir, form)) for form in FORMS) == ROWS - 1


@EACH_FORM
def test_every_published_answer_is_accepted(data_dir, form):
    for row in fair_rows(data_dir, form):
        answers = published_answers(row)
        assert answers or row.query.form == "find_one"
        for answer in answers:
            said = cv.check(row.graph, row.query, answer)
            assert said.valid is True, (row.uid, row.sid, row.question, answer, said)


@EACH_FORM
def test_a_published_answer_scores_six_and_another_three(data_dir, form):
    for row in fair_rows(data_dir, form)[::4]:
        problem, case = cv.Problem(row.uid, row.query, row.graph), case_of(row.graph, row.query)
        value = case.task.answer.read(cv.check(row.graph, row.query, published_answers(row)[0]).answer, case.names, "a")
        sheet = sheet_of(problem, value)
        assert bits(cv.verify(problem, sheet.text())) == "111111", (row.uid, row.question)
        for other in wrong_answers(row)[:2]:
            shown = cv.check(row.graph, row.query, other).answer
            swapped = sheet.swapped(other if shown is None else shown)
            assert bits(cv.verify(problem, swapped.text())) == "110100", (row.uid, row.question, other)


@EACH_FORM
def test_what_is_not_published_is_refused(data_dir, form):
    tried = 0
    for row in fair_rows(data_dir, form):
        for answer in wrong_answers(row):
            tried += 1
            assert is_valid(row, answer) is False, (row.uid, row.sid, row.question, answer)
    assert tried


def wrong_answers(row: Row) -> list[Any]:
    """The other word, the other letters, other numbers; of an object, what is left after some damage."""
    task, form, said = row.query.task, row.query.form, row.published
    if form in ("yes_no", "existence") or task in DECISIONS:
        return ["no" if said == "Yes." else "yes", "maybe"]
    if form.startswith("choice"):
        return [letter for letter in "ABCDE" if letter != said]
    if form == "how_many":
        return [int(said) + 1, int(said) + 2, *([int(said) - 1] if int(said) else [])]
    if form == "find_all":
        whole = cv.check(row.graph, row.query, said).answer
        return [whole[1:], whole[:-1], [*whole, whole[0]]] if whole else [[row.graph.nodes[0]]]
    if task in SETS:
        return wrong_sets(row)
    return damaged(row)


def wrong_sets(row: Row) -> list[frozenset[str]]:
    """Of a "one valid" row everything that is not listed; else what differs from the one set in size too."""
    listed = published_sets(row)
    if row.query.form == "find_one":
        return [names for names in subsets(row.graph.nodes) if names not in listed]
    (one,) = listed
    others = [names for names in subsets(row.graph.nodes) if names != one]
    return [names for names in others if row.query.form != "minimum" or len(names) != len(one)]


def damaged(row: Row) -> list[Any]:
    """A sequence back to front, without its first node, or twice; a set with a node more or less; a graph likewise."""
    whole = cv.check(row.graph, row.query, published_answers(row)[0]).answer
    match row.query.task:
        case "cycle":
            return [whole[:-2], [*whole, *whole[1:]], whole[0]]
        case "topological_order":
            return [whole[1:], whole[::-1], [*whole, whole[0]]]
        case "markov_equivalent":
            return [str(row.graph), {**whole, "edges": whole["edges"][1:]}, {**whole, "nodes": [*whole["nodes"], "?"]}]
        case task if task in ONE_SET:
            return [names for names in subsets(row.graph.nodes) if names != frozenset(whole)]
    path = cv.Path.parse(whole)
    halved = cv.Path(path.nodes[1:], path.arrows[1:])
    return [str(path.reversed()), str(halved), f"{path.nodes[0]} <-> {whole}", ""]


@EACH_FORM
@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.property)])
def test_every_verdict_is_rechecked(data_dir, form, step):
    """On the published answer and on others, by code that shares nothing with ours; what was not read has no proof."""
    proved = 0
    for row in fair_rows(data_dir, form)[::step]:
        problem = cv.Problem(row.uid, row.query, row.graph)
        for answer in [published_answers(row)[0], *wrong_answers(row)[:2]]:
            record = json.loads(json.dumps(proof(problem, answer)))
            if is_valid(row, answer) is False and record["witness"] == {"kind": "unreadable"}:
                continue
            assert recheck(record) is None, (row.uid, row.sid, row.question, answer)
            proved += 1
    assert proved > len(fair_rows(data_dir, form)) // step


# ---------------------------------------------------------------- ties


def test_every_other_set_of_least_size_is_accepted_too(data_dir):
    """One row has two."""
    ties = Counter()
    for row in fair_rows(data_dir, "minimum"):
        (one,) = published_sets(row)
        valid = cv.Query(row.query.task, row.query.targets, row.query.path)
        least = [names for names in subsets(row.graph.nodes) if len(names) == len(one)]
        right = {names for names in least if cv.check(row.graph, valid, names).valid}
        assert {names for names in least if is_valid(row, names)} == right
        assert set(cv.solve(row.graph, row.query)) == right
        ties[len(right) > 1, row.query.task] += 1
    assert ties[True, "d_separation"] <= 1


@pytest.mark.parametrize("form", ["shortest", "longest"])
def test_every_tie_in_length_is_accepted_and_no_other_path(data_dir, form):
    tied = 0
    for row in fair_rows(data_dir, form):
        every = paths_of(row.graph, row.query.task, *row.query.targets)
        length = (min if form == "shortest" else max)(len(path.nodes) for path in every)
        best = {path for path in every if len(path.nodes) == length}
        assert {path for path in every if is_valid(row, str(path))} == best
        assert set(cv.solve(row.graph, row.query)) == best
        tied += len(best) > 1
    assert tied > 2


def test_every_path_of_the_graph_is_one_that_may_be_found(data_dir):
    for row in fair_rows(data_dir, "find_one"):
        if row.query.task in PATHS:
            every = paths_of(row.graph, row.query.task, *row.query.targets)
            assert {str(path).replace(" ", "") for path in every} == set(row.published)
            assert set(cv.solve(row.graph, row.query)) == set(every)


# ---------------------------------------------------------------- the exception


def test_the_wrong_key_is_wrong(data_dir):
    (row,) = (row for row in rows_of(data_dir) if row.uid in KEY_IS_WRONG)
    assert (row.query.task, row.published) == ("c_forest", "No.")
    assert relations.is_c_forest(row.graph)
    assert is_valid(row, "yes")
    assert not is_valid(row, "no")
