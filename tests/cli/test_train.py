"""`calverify train`: the file of examples that it writes, and what it refuses."""

import json
from hashlib import sha256

import pytest

from calverify.training import Example, read_examples, write_examples
from tests.training.tiny_policy import tiny_policy


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


def test_a_file_that_differs_is_not_written_over(run, tmp_path):
    file = tmp_path / "notes.jsonl"
    file.write_text("mine\n", encoding="utf-8")
    found = run("train", "data", "--out", str(file), "--count", "2")
    assert (found.code, file.read_text("utf-8")) == (2, "mine\n")
    assert "is there already and differs" in found.err


# ---------------------------------------------------------------- sft


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("examples.jsonl",),
        ("--out", "run"),
        ("examples.jsonl", "--resume", "run"),
        ("--resume", "run", "--seed", "1"),
    ],
)
def test_sft_wants_examples_and_a_folder_or_a_folder_to_go_on_in(run, arguments):
    found = run("train", "sft", *arguments)
    assert found.code == 2
    assert "or only a folder to --resume" in found.err


def test_sft_refuses_an_unknown_recipe_and_a_folder_of_something_else(run, tmp_path):
    (tmp_path / "e.jsonl").write_bytes(write_examples([Example("p", "t", "p", "c")], "e.jsonl"))
    found = run("train", "sft", str(tmp_path / "e.jsonl"), "--out", str(tmp_path / "run"), "--recipe", "big")
    assert (found.code, "the recipes are paper, miniature" in found.err) == (2, True)
    found = run("train", "sft", "--resume", str(tmp_path))
    assert (found.code, "is no folder of a training" in found.err) == (2, True)


def test_sft_says_what_it_needs_then_trains(run, tmp_path):
    example = Example("p", "cycle", "Which cycle?", "A -> B -> A")
    model = tiny_policy(tmp_path / "model", [example.prompt, example.completion])
    (tmp_path / "e.jsonl").write_bytes(write_examples([example] * 4, "e.jsonl"))
    ask = ["train", "sft", str(tmp_path / "e.jsonl"), "--model", str(model), "--steps", "2", "--threads", "1"]
    guess = run(*ask, "--out", str(tmp_path / "dry"), "--dry-run", "--json")
    assert guess.json["seconds"] > 0
    assert not (tmp_path / "dry").exists()
    assert guess.json["learned"] == len(example.completion) + 1
    found = run(*ask, "--out", str(tmp_path / "run"))
    assert found.code == 0
    assert "2 steps of 4" in found.out
    assert "needs    about" in found.out
    assert (tmp_path / "run" / "adapter.gguf").is_file()
    again = run("train", "sft", "--resume", str(tmp_path / "run"), "--json")
    assert (again.code, again.json["steps"]) == (0, 2)
