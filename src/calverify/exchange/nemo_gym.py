"""NeMo Gym rollouts: a response and its reward a line, with the index of the task and of the rollout.

Lines come in the order in which rollouts ended; the index of the rollout gives them theirs back.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from calverify.exchange._logged import (
    Damaged,
    Logged,
    Rejected,
    as_object,
    as_text,
    at,
    last_user,
    said_of,
    whole_number,
)
from calverify.exchange._shelf import each_record, exchange
from calverify.exchange.openai_batch import response_text
from calverify.names import brief

__all__ = ["read_nemo_gym"]

GOLD = ("expected_answer", "verifier_metadata.expected_answer", "answer", "verifier_metadata.answer")


@exchange(
    "nemo-gym",
    ids=("_ng_task_index", "task_index"),
    known_by=lambda record: (
        ("reward" in record and isinstance(record.get("response"), Mapping)) or "_ng_task_index" in record
    ),
)
def read_nemo_gym(data: bytes, file: str) -> Iterator[Logged | Rejected]:
    """NeMo Gym's rollouts.jsonl, one rollout a line."""
    return each_record(data, file, _rollout)


def _rollout(record: Mapping[str, Any], file: str, place: str) -> Iterator[Logged | Rejected]:
    response = as_object(record.get("response"), "the response")
    if response.get("error") is not None:
        raise Damaged(f"the rollout failed: {brief(as_text(response['error']))}")
    task, rollout = record.get("_ng_task_index", record.get("task_index")), record.get("_ng_rollout_index")
    gold = next((value for path in GOLD if (value := at(record, path)) is not None), None)
    yield Logged(
        file,
        place,
        record,
        (response_text(response),),
        said=(said_of(_rewards(record), {"reward": record.get("extracted_answer")}, gold),),
        prompt=last_user(at(record, "responses_create_params.input")),
        turn=whole_number(rollout),
        once=None if task is None or rollout is None else (as_text(task), as_text(rollout)),
        model=as_text(response.get("model")) or "",
    )


def _rewards(record: Mapping[str, Any]) -> dict[str, Any]:
    """The reward first, then every other number or truth value that says in its name that it is one."""
    names = ["reward", *(name for name in record if name != "reward" and ("reward" in name or "correct" in name))]
    return {name: record[name] for name in names if isinstance(record.get(name), bool | int | float)}
