"""Keys: what a selector may never see.  Few rooms may import this one (the house rules say which).

Rule 1: an answer is graded by the task's predicate, on the problem's own graph or, in constructed mode, on the source
graph that only the key holds.  `answer` is stated where there is one right answer that no predicate decides.
Rule 2: `published` is a data set's own key as it was printed, right or wrong; it grades nothing and serves audits.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from calverify.errors import CalverifyError, RecordError
from calverify.graphs import Graph
from calverify.names import brief
from calverify.records import located, read_fields, read_lines, write_lines

__all__ = ["Key", "keys_digest", "read_keys", "write_keys"]


@dataclass(frozen=True, slots=True)
class Key:
    """The key of one problem.

    `cluster` names the source problem that paraphrases, encodings and seeds share (by default the problem itself), and
    `strata` what tables are split by: {"slice": "confounded"}.
    """

    problem: str
    graph: Graph | None = None
    answer: Any = None
    published: Any = None
    cluster: str = ""
    strata: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.problem:
            raise RecordError("a key names its problem, and this one names none")
        if not self.cluster:
            object.__setattr__(self, "cluster", self.problem)
        for name, value in self.strata.items():
            if not isinstance(value, str):
                raise RecordError(f"key of {self.problem!r}: the stratum {name!r} must be a text, not {brief(value)}")

    def to_json(self) -> dict[str, Any]:
        record: dict[str, Any] = {"problem": self.problem, "cluster": self.cluster}
        if self.graph is not None:
            record["graph"] = self.graph.to_json()
        for name in ("answer", "published"):
            if getattr(self, name) is not None:
                record[name] = getattr(self, name)
        return {**record, "strata": dict(self.strata)} if self.strata else record

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Key":
        kinds = {
            "problem": str, "cluster": str, "graph": dict | None, "answer": object, "published": object, "strata": dict,
        }  # fmt: skip
        read = read_fields("key", record, kinds, needed=("problem",))
        if read.get("graph") is not None:
            read["graph"] = Graph.from_json(read["graph"])
        return cls(**read)


def read_keys(path: str | Path) -> dict[str, Key]:
    """The keys of a file of JSON Lines by their problem; a problem with two keys is refused, with its line."""
    keys: dict[str, Key] = {}
    for place, record in read_lines(_bytes_of(path), Path(path).name):
        with located(place):
            key = Key.from_json(record)
            if key.problem in keys:
                raise RecordError(f"a second key of problem {key.problem!r}; expected one a problem")
            keys[key.problem] = key
    return keys


def write_keys(path: str | Path, keys: Iterable[Key]) -> None:
    """The keys as JSON Lines, in the order given."""
    data = write_lines([key.to_json() for key in keys], Path(path).name)
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise CalverifyError(f"cannot write the keys {path}: {error.strerror or error}") from None


def keys_digest(path: str | Path) -> str:
    """The sha256 of a file of keys as it lies on the disk: what is committed before anything is selected."""
    return sha256(_bytes_of(path)).hexdigest()


def _bytes_of(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise CalverifyError(f"cannot read the keys {path}: {error.strerror or error}") from None
