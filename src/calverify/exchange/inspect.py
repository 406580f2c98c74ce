"""Inspect's logs: `.eval`, a zip file with a header and one JSON file a sample and epoch, or the same as one `.json`.

Epochs are samples of one problem and stand in one pool in their order, and so do the choices of a sample that was
asked for several (`num_choices`).  Inspect's scorers judge the first choice; the others have no marks.
"""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from calverify.archives import Archive
from calverify.exchange._lines import decode
from calverify.exchange._logged import (
    Damaged,
    Logged,
    Rejected,
    Said,
    as_object,
    as_text,
    at,
    last_user,
    reply_text,
    said_of,
    scalars,
    whole_number,
)
from calverify.exchange._packed import Member, members, unpack
from calverify.exchange._shelf import ZIP, asked_of, each_record, exchange, writes
from calverify.names import brief
from calverify.pools import Pool
from calverify.problem import Problem

__all__ = ["read_inspect", "write_inspect"]

HEADERS = ("header.json", "_journal/start.json")  # the second alone where a run has not ended
SAMPLES = "samples/"
HEAVY = ("attachments", "events", "events_data", "messages", "store")  # most of a log, and no use to a join


@exchange(
    "inspect",
    ids=("id",),
    known_by=lambda record: "samples" in record and isinstance(at(record, "eval.task"), str),
)
def read_inspect(data: bytes, file: str) -> Iterator[Logged | Rejected]:
    """Inspect's .eval or .json log."""
    return _of_zip(data, file) if data.startswith(ZIP) else each_record(data, file, _of_json)


def _of_json(log: Mapping[str, Any], file: str, place: str) -> Iterator[Logged | Rejected]:
    model = as_text(at(log, "eval.model")) or ""
    samples = log.get("samples")
    if not isinstance(samples, list) or not samples:
        raise Damaged("the log holds no samples")
    for number, sample in enumerate(samples, start=1):
        yield _sample_or_why(sample, file, f"sample {number}", model)


def _of_zip(data: bytes, file: str) -> Iterator[Logged | Rejected]:
    model, (entries, damage) = "", members(data, file)
    if damage:
        yield Rejected(file, "", damage)
    for member in entries:
        if member.name in HEADERS:
            header = _json_of(data, member)
            if isinstance(header, Mapping):
                model = as_text(at(header, "eval.model")) or model
            elif isinstance(header, Damaged):
                yield Rejected(file, member.name, str(header))
    for member in entries:
        if member.name.startswith(SAMPLES) and member.name.endswith(".json"):
            yield _sample_or_why(_json_of(data, member), file, member.name, model)


def _json_of(data: bytes, member: Member) -> Any:
    """The JSON value of a member, or, as a value, why there is none."""
    try:
        value = decode(unpack(data, member))
    except Damaged as why:
        return why
    return Damaged(value) if isinstance(value, str) else value[0]


def _sample_or_why(sample: Any, file: str, place: str, model: str) -> Logged | Rejected:
    try:
        if isinstance(sample, Damaged):
            raise sample
        return _sample(as_object(sample, "the sample"), file, place, model)
    except Damaged as why:
        return Rejected(file, place, str(why))


def _sample(sample: Mapping[str, Any], file: str, place: str, model: str) -> Logged:
    attached = sample.get("attachments")
    texts = _choices(sample, attached if isinstance(attached, Mapping) else {})
    return Logged(
        file,
        place,
        {name: value for name, value in sample.items() if name not in HEAVY},
        texts,
        said=(_said(sample),),
        prompt=last_user(sample.get("input"), attached if isinstance(attached, Mapping) else {}),
        turn=whole_number(sample.get("epoch")),
        seed=whole_number(at(sample, "metadata.pool_seed")),
        once=(as_text(sample.get("id")), as_text(sample.get("epoch"))),
        model=model,
    )


def _choices(sample: Mapping[str, Any], attached: Mapping[str, Any]) -> tuple[str, ...]:
    choices = at(sample, "output.choices")
    if not isinstance(choices, list) or not choices:
        error = at(sample, "error.message") or at(sample, "output.error")
        raise Damaged("the model gave no reply" + (f": {brief(as_text(error))}" if error else ""))
    messages = [at(as_object(choice, "a choice"), "message") for choice in choices]
    return tuple(
        reply_text(as_object(message, "the message of a choice").get("content"), None, attached) for message in messages
    )


def _said(sample: Mapping[str, Any]) -> Said:
    """The scorers in the order of the log; the value of one that gives several is told by part."""
    scores = sample.get("scores")
    found = dict(scores) if isinstance(scores, Mapping) else {}
    if isinstance(sample.get("score"), Mapping):  # as logs had it before there could be several
        found.setdefault("score", sample["score"])
    values: dict[str, Any] = {}
    answers: dict[str, Any] = {}
    for name, score in found.items():
        if isinstance(score, Mapping):
            parts = scalars(str(name), score.get("value"))
            values.update(parts)
            answers.update(dict.fromkeys(parts, score.get("answer")))
    return said_of(values, answers, sample.get("target"))


# ---------------------------------------------------------------- writing


@writes("inspect")
def write_inspect(archive: Archive) -> bytes:
    """Each pool as one sample of several choices, without scores; its epoch counts the pools of its problem."""
    packed = io.BytesIO()
    counted: dict[str, int] = {}
    model = archive.manifest.model or archive.manifest.policy
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for pool in archive.pools:
            epoch = counted[pool.problem] = counted.get(pool.problem, 0) + 1
            sample = _written(archive.problems[pool.problem], pool, epoch, model)
            _put(file, f"{SAMPLES}{len(counted)}_epoch_{epoch}.json", sample)
        _put(file, HEADERS[0], _header(archive, model, counted))
    return packed.getvalue()


def _put(file: zipfile.ZipFile, name: str, value: object) -> None:
    """The same value always gives the same bytes: a member has no time of its own."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    file.writestr(info, text.encode("utf-8", "backslashreplace"))


def _written(problem: Problem, pool: Pool, epoch: int, model: str) -> dict[str, Any]:
    asked = asked_of(problem)
    replies = [{"role": "assistant", "content": text} for text in pool.texts]
    return {
        "id": problem.id,
        "epoch": epoch,
        "input": asked,
        "target": "",
        "messages": [{"role": "user", "content": asked}, *replies[:1]],
        "output": {
            "model": model,
            "choices": [{"message": reply, "stop_reason": "stop"} for reply in replies],
            "completion": pool.texts[0] if pool.texts else "",
        },
        "metadata": {"pool_seed": pool.seed},
    }


def _header(archive: Archive, model: str, counted: Mapping[str, int]) -> dict[str, Any]:
    long_ago = "1970-01-01T00:00:00+00:00"  # a pool does not know when it was sampled
    task = {
        "task": "calverify",
        "task_id": "calverify",
        "run_id": "calverify",
        "created": long_ago,
        "model": model,
        "dataset": {"name": "calverify", "samples": len(counted), "sample_ids": list(counted)},
        "config": {"epochs": max(counted.values(), default=1)},
    }
    stats = {"started_at": long_ago, "completed_at": long_ago}
    results = {"total_samples": len(archive.pools), "completed_samples": len(archive.pools), "scores": []}
    return {"version": 2, "status": "success", "eval": task, "plan": {}, "results": results, "stats": stats}
