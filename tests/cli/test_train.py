"""`calverify train`: the file of examples that it writes, and what it refuses."""

import json
from hashlib import sha256

from calverify.training import read_examples


def test_data_writes_examples_of_all_tasks_in_turn(run, tmp_path):
    file = tmp_path / "examples.jsonl"
    found = run("train", "data", "--out", str(file), "--count", "16", "--json")
    assert found.code == 0
    data = file.read_bytes()
    assert found.json["sha256"] == sha256(data).hexdigest()
    assert found.json["apart"] == 120
    assert set(found.json["tasks"].values()) == {2}
    assert [example.task for example in read_examples(data, "f")][:3] == ["d_separation", "backdoor", "blocked_path"]


def test_data_of_two_tasks_apart_from_a_file(run, tmp_path):
    problem = {"id": "p", "text": "", "query": {"task": "cycle", "targets": []},
               "graph": {"nodes": ["A", "B"], "directed": [["A", "B"], ["B", "A"]]}}  # fmt: skip
    judged = tmp_path / "problems.jsonl"
    judged.write_text(json.dumps(problem) + "\n", encoding="utf-8")
    file = tmp_path / "examples.jsonl"
    found = run("train", "data", "--out", str(file), "--count", "3", "--tasks", "cycle,ate", "--besides", str(judged))
    assert found.code == 0
    assert "    2  cycle" in found.out
    assert "the 121 problems" in found.out


def test_an_unknown_task_is_refused(run, tmp_path):
    found = run("train", "data", "--out", str(tmp_path / "e.jsonl"), "--tasks", "edge")
    assert found.code == 2
    assert "not for 'edge'" in found.err
    assert not (tmp_path / "e.jsonl").exists()
