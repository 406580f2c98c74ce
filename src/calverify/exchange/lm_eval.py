"""lm-eval's samples_*.jsonl: one document a line for each filter, with every response and the metrics of the filter.

Rule 1: a document stands once a filter; its lines are one record, and each metric has the name "metric@filter".
Rule 2: a metric judges what the filter made of the responses.  It is a mark of one response only where the filter's
text is that response, or where there is only one; else it is said of the document as a whole.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from calverify.archives import Archive
from calverify.exchange._lines import decode
from calverify.exchange._logged import (
    NOTHING,
    Damaged,
    Logged,
    Rejected,
    Said,
    as_text,
    at,
    completion_texts,
    last_user,
    said_of,
    whole_number,
)
from calverify.exchange._shelf import asked_of, each_record, exchange, writes
from calverify.pools import Pool
from calverify.problem import Problem
from calverify.records import write_lines

__all__ = ["read_lm_eval", "write_lm_eval"]


@exchange("lm-eval", ids=("doc.id", "doc_id"), known_by=lambda record: "resps" in record and "doc_id" in record)
def read_lm_eval(data: bytes, file: str) -> Iterator[Logged | Rejected]:
    """lm-eval's samples_*.jsonl, one document and filter a line."""
    documents: dict[str, Logged] = {}
    filters: set[tuple[str, str]] = set()
    for entry in each_record(data, file, _sample):
        if isinstance(entry, Rejected):
            yield entry
            continue
        name = as_text(entry.record.get("doc_id")) or entry.place
        filtered = as_text(entry.record.get("filter")) or "none"
        before = documents.setdefault(name, entry)
        why = ""
        if (name, filtered) in filters:
            why = f"document {name} stood already at {before.place}, under the filter {filtered!r} too"
        elif before.texts != entry.texts:
            why = f"document {name} has other responses here than at {before.place}"
        if why:
            yield Rejected(file, entry.place, why)
            continue
        filters.add((name, filtered))
        if before is not entry:
            documents[name] = _merged(before, entry)
    yield from documents.values()


def _merged(one: Logged, other: Logged) -> Logged:
    said = tuple(_both(mine, theirs) for mine, theirs in zip(one.said, other.said, strict=True))
    return replace(one, said=said, whole=_both(one.whole, other.whole))


def _both(one: Said, other: Said) -> Said:
    gold = one.gold if one.gold is not None else other.gold
    return Said({**other.scores, **one.scores}, {**other.answers, **one.answers}, gold)


def _sample(record: Mapping[str, Any], file: str, place: str) -> Iterator[Logged | Rejected]:
    texts = _responses(record.get("resps"))
    marks = _metrics(record)
    gold = record.get("target")
    kept = _first(record.get("filtered_resps"))
    said = [NOTHING] * len(texts)
    if len(texts) == 1:
        said = [said_of(marks, dict.fromkeys(marks, kept), gold)]
    elif isinstance(kept, str) and kept in texts:
        said = [said_of(marks, {}, gold) if text == kept else said_of({}, {}, gold) for text in texts]
    whole = NOTHING if any(one.scores for one in said) else said_of(marks, dict.fromkeys(marks, kept), gold)
    prompt = _prompt(at(record, "arguments.gen_args_0.arg_0"))
    seed = whole_number(at(record, "doc.seed"))
    yield Logged(file, place, record, texts, tuple(said), whole, prompt, seed=seed)


def _prompt(asked: Any) -> str:
    """What was asked: a text, or chat messages, which stand there as their JSON, alone in a list or not."""
    said = asked[0] if isinstance(asked, list) and len(asked) == 1 and isinstance(asked[0], str) else asked
    chat = decode(said.encode("utf-8", "replace")) if isinstance(said, str) and said[:2] == "[{" else None
    return last_user(chat[0] if isinstance(chat, tuple) else said)


def _responses(value: object) -> tuple[str, ...]:
    """The responses of a document that was asked for text; those of a request for likelihoods are numbers."""
    asked = value if isinstance(value, list) else []
    if len(asked) != 1:
        raise Damaged(f"it has the responses of {len(asked)} requests, and one request for text was expected")
    return completion_texts(asked[0] if isinstance(asked[0], list) else asked, "resps")


def _metrics(record: Mapping[str, Any]) -> dict[str, Any]:
    """{"exact_match@strict": 1.0}: the metrics that the sample names."""
    names = record.get("metrics")
    filtered = as_text(record.get("filter")) or "none"
    listed = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return {f"{name}@{filtered}": record[name] for name in listed if name in record}


def _first(value: object) -> Any:
    return value[0] if isinstance(value, list) and value else None


@writes("lm-eval")
def write_lm_eval(archive: Archive) -> bytes:
    """Each pool as the responses to one document, without metrics."""
    numbered = enumerate(archive.pools)
    return write_lines([_line(archive.problems[pool.problem], pool, number) for number, pool in numbered], "")


def _line(problem: Problem, pool: Pool, number: int) -> dict[str, Any]:
    doc = {"id": problem.id, "seed": pool.seed, "question": asked_of(problem)}
    return {
        "doc_id": number,
        "doc": doc,
        "target": "",
        "arguments": {"gen_args_0": {"arg_0": doc["question"], "arg_1": {}}},
        "resps": [list(pool.texts)],
        "filtered_resps": list(pool.texts[:1]),
        "filter": "none",
        "metrics": [],
        "doc_hash": _hash(json.dumps(doc, indent=2, ensure_ascii=False)),
        "prompt_hash": _hash(str(doc["question"])),
        "target_hash": _hash(""),
    }


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
