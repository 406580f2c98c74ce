"""CLEAR: what the adapter reads and audits, beside the tests' own reading of the same rows."""

import json
from collections import Counter
from random import Random

import pytest

from calverify.benchmarks import BENCHMARKS, DataFolder, findings_of, tallies
from calverify.benchmarks.clear import rows
from calverify.errors import CalverifyError, RecordError
from calverify.keys import Key
from calverify.problem import Problem
from tests.benchmarks.altered import altered_lines, write_lines
from tests.clear_rows import rows_of

ENTRY = BENCHMARKS["clear"]
DAG = "Given a DAG (directed acyclic graph) with nodes Z, J, C, V and directed edges Z->J, J->C, Z->V."
ROW = {
    "description": DAG, "graph_type": "DAG", "uid": "00000001", "sid": 0, "answer": "[{'Z'}, {'J', 'Z'}, {'J'}]",
    "question": "Find one valid nodeset that can d-separate node C and node V .", "question_type": "FO",
    "task_type": "d-separation",
}  # fmt: skip


def folder(tmp_path, *records, file="d-separation") -> DataFolder:
    write_lines(tmp_path / "clear" / "json_single" / f"{file}.json", list(records))
    return DataFolder(tmp_path)


# ---------------------------------------------------------------- a row, without the data


def test_a_row_becomes_a_problem_and_a_key(tmp_path):
    ((problem, key),) = ENTRY.build(Random(0), folder(tmp_path, ROW)).items
    assert problem == Problem(
        "clear-d-separation-00000001-0", problem.query, Problem.from_json({**problem.to_json()}).graph
    )
    assert problem.query.to_json() == {"task": "d_separation", "targets": ["C", "V"]}
    assert problem.graph.to_json()["directed"] == [["Z", "J"], ["J", "C"], ["Z", "V"]]
    strata = {"slice": "d-separation", "graph": "DAG", "question": "FO", "form": "find_one", "core": "yes"}
    assert key == Key(problem.id, published=ROW["answer"], cluster="clear-00000001", strata=strata)


AUDITED = [
    ("the whole class", ROW["answer"], True, ""),
    ("one left out", "[{'Z'}, {'J'}]", False, "{J, Z} "),
    ("one too many", "[{'Z'}, {'J', 'Z'}, {'J'}, set()]", False, "{} leaves the path"),
    ("nothing listed", "[]", False, "{J} "),
]


@pytest.mark.parametrize("answer, agrees, why", [row[1:] for row in AUDITED], ids=[row[0] for row in AUDITED])
def test_the_audit_compares_the_whole_class(tmp_path, answer, agrees, why):
    (found,) = findings_of(ENTRY, Random(0), folder(tmp_path, {**ROW, "answer": answer}))
    assert (found.agrees, found.recomputed) == (agrees, [["J"], ["Z"], ["J", "Z"]])
    assert why in found.why
    assert (found.witness is None) is agrees


REFUSED = [
    (
        "another wording",
        {"question": "Find a nodeset that separates C and V."},
        "no FO question of d-separation is worded",
    ),
    ("another type", {"question_type": "YN"}, "no YN question of d-separation is worded"),
    ("another description", {"description": DAG.replace("nodes", "vertices")}, "is not of the shape 'Given a DAG"),
    ("another class", {"graph_type": "ADMG"}, "is not of the shape 'Given an ADMG"),
    ("no class", {"graph_type": "tree"}, "expected a graph_type of DAG"),
    ("another task", {"task_type": "cycle"}, "the task_type 'd-separation'"),
    ("no edge", {"description": DAG.replace("Z->V", "Z=>V")}, "is not an edge of the shape A->B"),
    ("a cycle", {"description": DAG.replace("Z->V", "C->Z")}, "cycle"),
    ("a strange node", {"question": ROW["question"].replace("V", "Q")}, "target 'Q' is not in the graph"),
    ("a short uid", {"uid": "1"}, "the uid '1' is not of eight digits"),
    ("a text as sid", {"sid": "0"}, "'sid' must be of type int"),
    ("no answer", {"answer": None}, "the answer must be a text or a list of texts, not None"),
    ("an answer of numbers", {"answer": [1]}, "the answer must be a text or a list of texts"),
    ("options", {"question": f"{ROW['question']}\nA. x"}, "1 options under a question of the form find_one"),
]


@pytest.mark.parametrize("change, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_strange_row_is_refused_with_its_place(tmp_path, change, why):
    data = folder(tmp_path, ROW, {**ROW, "sid": 1, **change})
    with pytest.raises(CalverifyError) as refused:
        ENTRY.build(Random(0), data)
    assert str(refused.value).startswith("clear/json_single/d-separation.json, line 2: ")
    assert why in str(refused.value)


@pytest.mark.parametrize("denied, form", [("", "choice"), ("NOT ", "choice_not")])
def test_a_choice_may_ask_which_is_not(tmp_path, denied, form):
    question = f"Which of the following is {denied}one of parents of node C?\nA. Z\nB. J"
    row = {**ROW, "question": question, "question_type": "MC", "answer": "B", "task_type": "2_node_relation"}
    ((problem, _),) = ENTRY.build(Random(0), folder(tmp_path, row, file="2_node_relation")).items
    asked = {"task": "parent", "targets": ["C"], "form": form, "options": ["Z", "J"]}
    assert problem.query.to_json() == asked


def test_a_row_twice_and_a_strange_file_are_refused(tmp_path):
    with pytest.raises(RecordError, match="line 2: question 0 of graph 00000001 stands here a second time"):
        ENTRY.build(Random(0), folder(tmp_path / "a", ROW, ROW))
    with pytest.raises(RecordError, match=r"other\.json: this is no file of CLEAR"):
        ENTRY.build(Random(0), folder(tmp_path / "b", ROW, file="other"))


@pytest.mark.parametrize("answer", ["{'Z'}", "[{'Z'", "[1]", "x"])
def test_an_answer_that_is_no_list_of_sets_is_refused_by_the_audit(tmp_path, answer):
    with pytest.raises(CalverifyError, match=r"line 1: "):
        list(findings_of(ENTRY, Random(0), folder(tmp_path, {**ROW, "answer": answer})))


# ---------------------------------------------------------------- the development part


@pytest.fixture(scope="module")
def data(data_dir) -> DataFolder:
    return DataFolder(data_dir)


def test_every_row_is_read_as_the_tests_read_it(data, data_dir):
    ours = {(row.file, row.uid, row.sid): row for row in rows(data)}
    theirs = {(row.kind, row.uid, row.sid): row for row in rows_of(data_dir)}
    assert len(ours) == 1_404
    assert ours.keys() == theirs.keys()
    for key, row in ours.items():
        assert (row.graph, row.query, row.published) == (theirs[key].graph, theirs[key].query, theirs[key].published)


def test_the_parts_are_complete(data):
    core = Counter(
        (item.key.strata["slice"], item.key.strata["graph"]) for item in ENTRY.build(Random(0), data, "core").items
    )
    assert core == {
        ("backdoor_adjustment_set", "ADMG"): 6, ("backdoor_adjustment_set", "DAG"): 6, ("blocked_path", "ADMG"): 9,
        ("blocked_path", "DAG"): 9, ("cycle", "DG"): 18, ("d-separation", "DAG"): 15,
    }  # fmt: skip
    assert len(ENTRY.build(Random(0), data, "find-one").items) == 294


def test_every_key_but_the_one_known_to_be_wrong_is_reproduced(data):
    found = list(findings_of(ENTRY, Random(0), data))
    assert [finding.problem for finding in found if not finding.agrees] == ["clear-c-forest-28843175-0"]
    assert sum(tally.keys for tally in tallies(found)) == 1_404
    assert len(tallies(found)) == 20


def test_no_problem_depends_on_its_key(data, data_dir, tmp_path):
    """With every answer altered, the problems are the same to the byte."""
    names = data.names("clear/json_single", ".json")
    other = altered_lines(data_dir, tmp_path, names, lambda record: {**record, "answer": "ALTERED"})
    ours, theirs = (ENTRY.build(Random(0), folder).items for folder in (data, other))
    assert [item.problem.to_json() for item in ours] == [item.problem.to_json() for item in theirs]
    assert {item.key.published for item in theirs} == {"ALTERED"}


def test_no_problem_shows_its_key(data):
    """An answer long enough not to stand there by chance; an equivalent graph is no subtext of the graph."""
    for problem, key in ENTRY.build(Random(0), data).items:
        said = key.published if isinstance(key.published, str) else json.dumps(key.published)
        if len(said) > 12 and problem.query.form == "find_one":
            assert said not in json.dumps(problem.to_json()), problem.id


def test_an_altered_answer_is_found_by_the_audit(data, data_dir, tmp_path):
    """Each word and letter turned into another, and each list cut by one: every such key is then wrong."""
    turned = {"Yes.": "No.", "No.": "Yes.", "A": "B", "B": "C", "C": "D", "D": "A"}

    def alter(record):
        answer = record["answer"]
        if isinstance(answer, str) and answer.isdigit():
            return {**record, "answer": str(int(answer) + 1)}
        return {**record, "answer": answer[1:] if isinstance(answer, list) else turned.get(answer, answer)}

    names = data.names("clear/json_single", ".json")
    found = list(findings_of(ENTRY, Random(0), altered_lines(data_dir, tmp_path, names, alter)))
    before = {finding.problem: finding for finding in findings_of(ENTRY, Random(0), data)}
    for finding in found:
        if finding.published != before[finding.problem].published:
            assert finding.agrees is not before[finding.problem].agrees, finding
    assert sum(not finding.agrees for finding in found) > 900
