"""The columns of search-and-learn's completions: problem, completions, scores (a process reward a step), pred, answer.

Scores come from a reward model, but a log cannot prove that: they are marks, unless `Join.ratings` takes them over.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from calverify.archives import Archive
from calverify.exchange._logged import Damaged, Logged, Rejected, completion_texts, last_user, said_of, whole_number
from calverify.exchange._shelf import asked_of, each_record, exchange, writes
from calverify.pools import Pool
from calverify.problem import Problem
from calverify.records import write_lines

__all__ = ["read_search_and_learn", "write_search_and_learn"]

SCORES = ("scores", "agg_scores")


@exchange(
    "search-and-learn",
    ids=("unique_id", "id"),
    known_by=lambda record: "problem" in record and isinstance(record.get("completions"), list),
)
def read_search_and_learn(data: bytes, file: str) -> Iterator[Logged | Rejected]:
    """search-and-learn's completions, one problem a line, with the scores of a process reward model."""
    return each_record(data, file, _pool)


def _pool(record: Mapping[str, Any], file: str, place: str) -> Iterator[Logged | Rejected]:
    texts = completion_texts(record.get("completions"), "completions")
    columns = {name: record[name] for name in SCORES if isinstance(record.get(name), list)}
    for name, values in columns.items():
        if len(values) != len(texts):
            raise Damaged(f"there are {len(values):,} {name!r} for {len(texts):,} completions")
    said = [said_of({name: _last(values[i]) for name, values in columns.items()}, {}, record.get("answer"))
            for i in range(len(texts))]  # fmt: skip
    seed = whole_number(record.get("seed"))
    yield Logged(file, place, record, texts, tuple(said), prompt=last_user(record.get("problem")), seed=seed)


def _last(value: Any) -> Any:
    """The score of the last step, which stands for the whole completion there."""
    if isinstance(value, list):
        return value[-1] if value else None
    return value


@writes("search-and-learn")
def write_search_and_learn(archive: Archive) -> bytes:
    """Texts in order and, where every candidate has one, the stored score `prm` as the score of a single step."""
    return write_lines([_line(archive.problems[pool.problem], pool) for pool in archive.pools], "")


def _line(problem: Problem, pool: Pool) -> dict[str, Any]:
    record = {"unique_id": problem.id, "seed": pool.seed, "problem": asked_of(problem), "completions": list(pool.texts)}
    scores = [candidate.scores.get("prm") for candidate in pool.candidates]
    return record if not scores or None in scores else {**record, "scores": [[score] for score in scores]}
