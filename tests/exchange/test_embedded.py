"""Problem records that a log carries: found where data sets put them, as objects or as JSON, and checked."""

import json

import pytest

import calverify as cv
from calverify.benchmarks import clear
from calverify.exchange import Join, import_logs
from calverify.exchange._embedded import embedded_problem
from calverify.exchange._logged import Damaged
from tests.exchange.logs import PROBLEMS, lines, texts_of

W1 = PROBLEMS["w1"]
RECORD = W1.to_json()

PLACES = [
    {"problem": RECORD},
    {"doc": {"problem": RECORD, "answer": "{U}"}},
    {"doc": {"problem": json.dumps(RECORD)}},
    {"metadata": {"problem": RECORD}},
    {"task": {"data": {"problem": RECORD}}},
    {"doc": {**RECORD, "answer": "{U}", "uid": 7}},
    {**RECORD, "completions": []},
]


@pytest.mark.parametrize("record", PLACES, ids=range(len(PLACES)))
def test_places(record):
    assert embedded_problem(record, None) == W1


def test_fields_that_a_table_filled_up():
    """A data set with columns writes null where a record had nothing."""
    filled = {**RECORD, "legend": None, "scm": None, "query": {**RECORD["query"], "path": None, "claim": None}}
    assert embedded_problem({"doc": {"problem": filled}}, None) == W1


def test_an_id_of_the_record():
    """Stands in where the problem has none."""
    nameless = {name: value for name, value in RECORD.items() if name != "id"}
    assert embedded_problem({"problem": nameless}, "w1") == W1
    with pytest.raises(Damaged, match="a problem record needs a field 'id'"):
        embedded_problem({"problem": nameless}, None)


STRANGE = [
    {}, {"problem": "What?"}, {"problem": "{"}, {"problem": "{}"}, {"doc": {"query": "x"}}, {"problem": {"query": {}}},
    {"doc": [RECORD]}, {"problem": '{"a":' * 10**5},
]  # fmt: skip


@pytest.mark.parametrize("record", STRANGE, ids=range(len(STRANGE)))
def test_nothing_of_ours(record):
    assert embedded_problem(record, "w1") is None


def test_a_damaged_one():
    with pytest.raises(
        Damaged, match="the problem that it carries at 'problem' is none: target 'Q' is not in the graph"
    ):
        embedded_problem({"problem": {**RECORD, "query": {"task": "backdoor", "targets": ["Q", "Y"]}}}, None)


def test_a_log_with_its_problems():
    """Without a file of problems, the log's own are taken, each once, and what carries none is listed."""
    carried = [RECORD, RECORD, None, {**RECORD, "text": "another"}]
    rows = [{"completions": [text], "problem": problem} for text, problem in zip("abcd", carried, strict=True)]
    found = import_logs({"log.jsonl": lines(*rows)}, None)
    assert (found.problems, texts_of(found)) == ({"w1": W1}, {"w1/0": ("a", "b")})
    assert [str(entry) for entry in found.rejected] == [
        "log.jsonl, line 3: it carries no problem",
        "log.jsonl, line 4: it carries another problem under the id 'w1' than a record before it",
    ]


def test_a_file_of_problems_goes_first():
    """What a log carries is not looked at then."""
    found = import_logs({"log.jsonl": lines({"id": "w2", "completions": ["a"], "problem": {"query": {"task": 1}}})},
                        PROBLEMS, join=Join())  # fmt: skip
    assert texts_of(found) == {"w2/0": ("a",)}


CLEAR = {
    "description": "Given a DAG (directed acyclic graph) with nodes F, N, Z, C and directed edges Z->C, N->Z, F->Z.",
    "graph_type": "DAG", "uid": "87467573", "sid": 0, "answer": "[{'Z'}, {'F', 'Z'}]", "question_type": "FO",
    "question": "Find one valid nodeset that can d-separate node C and node N .", "task_type": "d-separation",
}  # fmt: skip
READ = (clear.problem_of,)


def test_a_record_of_another_data_set():
    """Of CLEAR, as published: the log's document is the row."""
    problem = embedded_problem({"doc": CLEAR}, None, READ)
    assert problem is not None
    assert (problem.id, problem.query, str(problem.graph)) == (
        "clear-d-separation-87467573-0",
        cv.Query("d_separation", ("C", "N")),
        str(cv.Graph.parse("F, N, Z, C, Z->C, N->Z, F->Z")),
    )
    assert embedded_problem({"doc": {**CLEAR, "uid": 87467573}}, None, READ) == problem
    assert embedded_problem({"doc": {k: v for k, v in CLEAR.items() if k != "answer"}}, None, READ) == problem
    assert embedded_problem({"doc": CLEAR}, None) is None


@pytest.mark.parametrize("parts", [{"question": "Why?"}, {"description": 7}, {"uid": "x"}, {"sid": None}])
def test_a_damaged_record_of_it(parts):
    with pytest.raises(Damaged, match="the problem that it carries at 'doc' is none: "):
        embedded_problem({"doc": {**CLEAR, **parts}}, None, READ)


@pytest.mark.parametrize("parts", [{"task_type": "luck"}, {"task_type": ["cycle"]}, {"task_type": None}])
def test_a_record_of_a_third_one(parts):
    assert embedded_problem({"doc": {**CLEAR, **parts}}, None, READ) is None


def test_a_record_that_only_carries_its_id():
    """A file of problems and a log with neither their ids nor their texts, but with the published records."""
    problem = clear.problem_of(CLEAR)
    found = import_logs({"log.jsonl": lines({"completions": ["a"], "doc": CLEAR})}, {problem.id: problem},
                        join=Join(carried=READ))  # fmt: skip
    assert texts_of(found) == {f"{problem.id}/0": ("a",)}
