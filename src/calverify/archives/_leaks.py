"""The leak audit: plant a reference answer at every place of every record, and see that no reader lets it in.

The names are a sample, not the mechanism: readers go by lists of what is allowed, so any other name is refused too.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from calverify.archives._archive import MANIFEST, Archive, archive_of, bytes_of
from calverify.archives._choices import Choice, choices_bytes, choices_of
from calverify.archives._folder import CHOICES
from calverify.archives._log import Step
from calverify.archives._manifest import Manifest
from calverify.archives._ratings import Ratings
from calverify.errors import CalverifyError
from calverify.pools import SCORE_NAMES, Candidate, Pool
from calverify.problem import Problem
from calverify.records import json_line, write_lines

__all__ = ["FORBIDDEN", "Planting", "plant", "sample_archive"]

FORBIDDEN = (
    "correct", "is_correct", "gold", "gold_v2", "gold_answer", "answer", "answer_key", "target", "reference",
    "reference_answer", "label", "solution", "ground_truth", "canonical_adjustment_set", "metadata", "zz_2031",
)  # fmt: skip

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Planting:
    """One field at one place: the error that refused it, and what it said; None where it got in."""

    field: str
    place: str
    refused_by: str | None
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"field": self.field, "place": self.place, "refused_by": self.refused_by, "why": self.why}


def sample_archive() -> Archive:
    """Records that have every level there is: tables of a model, a graph, a query, stored scores."""
    tables = {"X": {"parents": [], "p": 0.5}, "Y": {"parents": ["X"], "p": [0.2, 0.7]}}
    query = {"task": "ate", "targets": ["X", "Y"], "threshold": 0}
    problem = Problem.from_json({"id": "audit", "text": "", "query": query, "scm": {"variables": tables}})
    pool = Pool(problem.id, 0, (Candidate(0, "ANSWER: yes", dict.fromkeys(sorted(SCORE_NAMES), 0.5)),))
    scores = {"judge": Ratings(model="a-judge", pools="", rated=1, failed=0, settings={"temperature": 0})}
    return archive_of(bytes_of([problem], [pool], Manifest("audit", sampling={"temperature": 0.8}, scores=scores)))


def plant(archive: Archive, fields: Sequence[str] = FORBIDDEN) -> Iterator[Planting]:
    """Each field at each level of a copy of the archive's first records, read back by the readers of the archive."""
    pool = next(iter(archive.pools))
    first = bytes_of([archive.problems[pool.problem]], [pool], archive.manifest)
    choice = Choice("first", pool.problem, pool.seed, 0 if len(pool) else None, (1,) * len(pool))
    step = Step("select", {MANIFEST: sha256(first[MANIFEST]).hexdigest()}, selectors=("first",), admission="all")
    records: dict[str, dict[str, Any]] = {
        "problem": json.loads(first["problems.jsonl"]),
        "pool": json.loads(first["pools.jsonl"]),
        "manifest": json.loads(first[MANIFEST]),
        "choice": json.loads(choices_bytes([choice])),
        "log": step.to_json(),
    }
    small = archive_of(first)
    readers: dict[str, Callable[[dict[str, Any]], object]] = {
        "problem": lambda record: archive_of(_refrozen(records, problem=record)),
        "pool": lambda record: archive_of(_refrozen(records, pool=record)),
        "manifest": lambda record: archive_of({**first, MANIFEST: json_line(record)}),
        "choice": lambda record: choices_of(write_lines([record], CHOICES), small),
        "log": Step.from_json,
    }
    for noun, record in records.items():
        readers[noun](deepcopy(record))  # unplanted, it is read
        for path in _objects(record):
            for name in fields:
                planted = deepcopy(record)
                _at(planted, path)[name] = "leak"
                yield _outcome(name, ".".join([noun, *map(str, path)]), planted, readers[noun])


def _outcome(name: str, place: str, planted: dict[str, Any], read: Callable[[dict[str, Any]], object]) -> Planting:
    try:
        read(planted)
    except CalverifyError as error:
        return Planting(name, place, type(error).__name__, str(error))
    return Planting(name, place, None)


def _refrozen(records: Mapping[str, dict[str, Any]], **changed: dict[str, Any]) -> dict[str, bytes]:
    """The files of these records with hashes that fit, so that it is never a hash that refuses."""
    full = {**records, **changed}
    files = {f"{noun}s.jsonl": json_line(full[noun]) for noun in ("problem", "pool")}
    frozen = {name: {"sha256": sha256(data).hexdigest(), "records": 1} for name, data in files.items()}
    return {**files, MANIFEST: json_line({**records["manifest"], "files": frozen})}


def _objects(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where the objects of a record are, itself first; of a list, the first item stands for all."""
    if isinstance(value, dict):
        yield path
        for name, inner in value.items():
            yield from _objects(inner, (*path, name))
    elif isinstance(value, list) and value:
        yield from _objects(value[0], (*path, 0))


def _at(record: Any, path: Path) -> dict[str, Any]:
    for part in path:
        record = record[part]
    assert isinstance(record, dict)
    return record
