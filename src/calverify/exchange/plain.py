"""The plainest format: `{"prompt": "...", "completions": ["...", ...]}`, one object a line.

Beside `completions` (texts, or lists of chat messages) may stand: `id`, `seed`, `answer` or `gold` (the log's key), and
any list of single values that is as long as `completions`, which is a mark a completion: `"correct": [true, false]`.
One completion may also stand alone, as `completion`, its marks `correct`, `reward` and `score` beside it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from calverify.archives import Archive
from calverify.exchange._logged import (
    Damaged,
    Logged,
    Rejected,
    Said,
    as_text,
    completion_texts,
    last_user,
    said_of,
    whole_number,
)
from calverify.exchange._shelf import asked_of, each_record, exchange, writes
from calverify.pools import Pool
from calverify.problem import Problem
from calverify.records import write_lines

__all__ = ["read_plain", "write_plain"]

ONE = ("completion", "response", "output")
MANY = ("completions", "responses", "outputs")
LONE_MARKS = ("correct", "reward", "score")
GOLD = ("gold", "answer", "target")


@exchange(
    "plain",
    ids=("id", "problem_id", "task_id"),
    known_by=lambda record: (
        any(isinstance(record.get(name), list) for name in MANY)
        or any(isinstance(record.get(name), str) for name in ONE)
    ),
)
def read_plain(data: bytes, file: str) -> Iterator[Logged | Rejected]:
    """Prompts with a list of completions each, in JSON Lines."""
    return each_record(data, file, _pool)


def _pool(record: Mapping[str, Any], file: str, place: str) -> Iterator[Logged | Rejected]:
    name = next((name for name in (*MANY, *ONE) if name in record), None)
    if name is None:
        raise Damaged(f"it holds no {' or '.join((MANY[0], ONE[0]))}")
    texts = completion_texts(record[name] if name in MANY else [record[name]], name)
    gold = next((record[key] for key in GOLD if record.get(key) is not None), None)
    yield Logged(
        file,
        place,
        record,
        texts,
        said=_said(record, name, len(texts), gold),
        prompt=last_user(record.get("prompt")),
        seed=whole_number(record.get("seed")),
        model=as_text(record.get("model")) or "",
    )


def _said(record: Mapping[str, Any], name: str, count: int, gold: object) -> tuple[Said, ...]:
    if name in ONE:
        return (said_of({mark: record[mark] for mark in LONE_MARKS if mark in record}, {}, gold),)
    lists = {mark: values for mark, values in record.items() if mark != name and isinstance(values, list)}
    kept = {mark: values for mark, values in lists.items() if len(values) == count and not any(map(_composed, values))}
    return tuple(said_of({mark: values[i] for mark, values in kept.items()}, {}, gold) for i in range(count))


def _composed(value: object) -> bool:
    return isinstance(value, list | Mapping)


@writes("plain")
def write_plain(archive: Archive) -> bytes:
    """Everything that a pool holds: texts in order, the seed, and stored scores as lists."""
    return write_lines([_line(archive.problems[pool.problem], pool) for pool in archive.pools], "")


def _line(problem: Problem, pool: Pool) -> dict[str, Any]:
    record: dict[str, Any] = {"id": problem.id, "seed": pool.seed, "prompt": asked_of(problem)}
    names = sorted({name for candidate in pool.candidates for name in candidate.scores})
    rated = {name: [candidate.scores.get(name) for candidate in pool.candidates] for name in names}
    return {**record, "completions": list(pool.texts), **rated}
