"""NeMo Gym's rollouts: a response and its reward a line, in the order in which they ended."""

import pytest

from calverify.exchange import import_logs
from tests.exchange.logs import PROBLEMS, data_of, joined, lines, read, records_of, texts_of

ROLLOUT, *_ = records_of("rollouts.jsonl")


def test_a_published_shape():
    """The number of a rollout gives it its place; the summary of a thought stands before the reply."""
    found = joined("rollouts.jsonl")
    assert texts_of(found) == {
        "w1/0": ("<think>\nU confounds them.\n</think>\nANSWER: {P, U}", "ANSWER: {M}"),
        "w2/0": ("ANSWER: B",),
    }
    first = found.marks[0]
    assert (dict(first.scores), dict(first.answers), first.gold) == (
        {"reward": 0.0, "library_reward": 0.0},
        {"reward": "{P, U}"},
        "{U}",
    )
    assert found.models == ("policy_model",)


def test_by_the_number_of_the_task():
    """Where the problems have the numbers of the data set as their ids."""
    from dataclasses import replace

    numbered = {str(n): replace(problem, id=str(n)) for n, problem in enumerate(PROBLEMS.values())}
    found = import_logs({"rollouts.jsonl": data_of("rollouts.jsonl")}, numbered)
    assert [pool.problem for pool in found.pools] == ["0", "1"]


def test_a_short_shape():
    """As some tools of the project write it."""
    ((entry,), why) = read("nemo-gym", lines({"task_index": 0, "reward": 1.0, "response": {"output_text": "U"}}))
    assert (entry.texts, dict(entry.said[0].scores), why) == (("U",), {"reward": 1.0}, [])


ROWS = [
    ("no response", {**ROLLOUT, "response": None}, "the response is missing, not an object"),
    ("a failure", {**ROLLOUT, "response": {"error": {"code": "x"}}}, "the rollout failed: "),
    ("no message", {**ROLLOUT, "response": {"output": [{"type": "reasoning"}]}}, "its response holds no message"),
    ("no object", [1], "the record is [1], not an object"),
]


@pytest.mark.parametrize("damaged, why", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_damaged_line_costs_itself_only(damaged, why):
    found, said = read("nemo-gym", lines(damaged, ROLLOUT))
    assert len(found) == 1
    assert len(said) == 1
    assert said[0].startswith(f"log.jsonl, line 1: {why}")


def test_the_same_rollout_twice():
    found = import_logs({"log.jsonl": lines(ROLLOUT, ROLLOUT)}, PROBLEMS)
    assert [len(pool) for pool in found.pools] == [1]
    assert str(found.rejected[0]) == "log.jsonl, line 2: the same record stood already at line 1"
