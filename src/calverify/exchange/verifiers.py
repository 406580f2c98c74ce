"""verifiers' traces.jsonl: one episode a line, whose trace is a graph of messages with rewards; and its older results.

An episode of several agents is left out: it does not say which of them answered the problem.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from calverify.exchange._logged import (
    Damaged,
    Logged,
    Rejected,
    Said,
    as_object,
    as_text,
    at,
    completion_texts,
    last_user,
    reply_text,
    said_of,
    whole_number,
)
from calverify.exchange._shelf import each_record, exchange
from calverify.names import brief, exact_number, number_json

__all__ = ["read_verifiers"]


@exchange(
    "verifiers",
    ids=("task.data.id", "task.data.name", "task.data.idx", "example_id", "id"),
    known_by=lambda record: (
        isinstance(record.get("traces", record.get("nodes")), list) or ("completion" in record and "reward" in record)
    ),
)
def read_verifiers(data: bytes, file: str) -> Iterator[Logged | Rejected]:
    """verifiers' traces.jsonl, one episode (or one trace) a line, or its older results.jsonl."""
    return each_record(data, file, _episode)


def _episode(record: Mapping[str, Any], file: str, place: str) -> Iterator[Logged | Rejected]:
    if "traces" not in record:
        yield _trace(record, file, place) if "nodes" in record else _result(record, file, place)
        return
    traces = record["traces"] if isinstance(record["traces"], list) else []
    if len(traces) != 1:
        raise Damaged(f"the episode has {len(traces)} traces, and one was expected{_failure(record)}")
    yield _trace({"task": record.get("task"), **as_object(traces[0], "the trace")}, file, place)


def _failure(record: Mapping[str, Any]) -> str:
    errors = record.get("errors")
    last = errors[-1] if isinstance(errors, list) and errors else None
    return "" if last is None else f"; it failed: {brief(as_text(last))}"


def _trace(trace: Mapping[str, Any], file: str, place: str) -> Logged:
    nodes = trace["nodes"] if isinstance(trace.get("nodes"), list) else []
    replies = [node["message"] for node in nodes if isinstance(node, Mapping) and node.get("sampled")
               and isinstance(node.get("message"), Mapping)]  # fmt: skip
    if not replies:
        raise Damaged(f"the trace holds no reply{_failure(trace)}")
    last, root = replies[-1], trace.get("root_reply")
    text = root if isinstance(root, str) else reply_text(last.get("content"), last.get("reasoning_content"))
    asked = at(trace, "task.data.prompt")
    calls = trace.get("calls")
    models = [call.get("model") for call in calls if isinstance(call, Mapping)] if isinstance(calls, list) else []
    once = None if trace.get("id") is None else (as_text(trace["id"]),)
    return Logged(
        file,
        place,
        trace,
        (text,),
        said=(_said(trace),),
        prompt=last_user(asked),
        once=once,
        model=next((model for model in models if isinstance(model, str)), ""),
    )


def _said(trace: Mapping[str, Any]) -> Said:
    """The weighted sum of the rewards first, as verifiers counts it, then each reward and each metric by name."""
    rewards = trace.get("rewards") if isinstance(trace.get("rewards"), Mapping) else {}
    assert rewards is not None
    scored = {str(name): reward for name, reward in rewards.items() if isinstance(reward, Mapping)}
    values = {name: exact_number(reward.get("score")) for name, reward in scored.items()}
    weights = {name: exact_number(reward.get("weight", 1)) for name, reward in scored.items()}
    parts = [value * weight for name, value in values.items()
             if value is not None and (weight := weights[name]) is not None]  # fmt: skip
    marks: dict[str, Any] = {"reward": number_json(sum(parts[1:], parts[0]))} if parts else {}
    metrics = trace.get("metrics")
    named = {
        **(metrics if isinstance(metrics, Mapping) else {}),
        **{name: r.get("score") for name, r in scored.items()},
    }
    return said_of(
        {**marks, **{name: named[name] for name in sorted(named, key=str)}}, {}, at(trace, "task.data.answer")
    )


def _result(record: Mapping[str, Any], file: str, place: str) -> Logged:
    """One line of results.jsonl: prompt and completion as messages, the answer, and the reward."""
    if "completion" not in record:
        raise Damaged("it holds neither traces nor nodes nor a completion")
    if record.get("error") is not None:
        raise Damaged(f"the rollout failed: {brief(as_text(record['error']))}")
    texts = completion_texts([record["completion"]], "completion")
    marks = {"reward": record.get("reward")}
    metrics = record.get("metrics")
    if isinstance(metrics, Mapping):
        marks.update({str(name): value for name, value in metrics.items() if name != "reward"})
    said = said_of({name: value for name, value in marks.items() if value is not None}, {}, record.get("answer"))
    seed = whole_number(record.get("seed"))
    return Logged(file, place, record, texts, (said,), prompt=last_user(record.get("prompt")), seed=seed)
