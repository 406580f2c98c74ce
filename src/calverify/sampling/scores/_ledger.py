"""What was rated already: a line a rating, written whole and kept through a kill, so that nothing is asked twice.

The first line says what is rated and how; ratings of other pools, or that were made otherwise, are never mixed in.
A last line that was torn by a crash is taken off; any other damage is refused.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calverify.archives import make_folder, read_bytes
from calverify.errors import CalverifyError, RecordError
from calverify.records import json_line, located, read_fields, read_lines
from calverify.sampling._journal import opened
from calverify.sampling.scores._rating import Rating, Unit

__all__ = ["Ledger"]

Key = tuple[str, int, int]
KINDS = {
    "problem": str, "seed": int, "index": int, "score": int | float | None, "why": str, "said": str,
    "tokens_in": int, "tokens_out": int,
}  # fmt: skip


@dataclass(slots=True)
class Ledger:
    """The ratings in a file, by problem, seed and index."""

    path: Path
    ratings: dict[Key, Rating] = field(default_factory=dict)
    failed: int = 0
    _file: int | None = None

    @classmethod
    def open(cls, path: Path, head: Mapping[str, Any]) -> "Ledger":
        """The ledger in that file, begun there where it is none yet; refused where it was begun for something else."""
        make_folder(path.parent)
        ledger = cls(path, _file=opened(path))
        try:
            ledger._begin(head)
        except CalverifyError:
            ledger.close()
            raise
        return ledger

    def _begin(self, head: Mapping[str, Any]) -> None:
        """Read what is there, take off what a crash left behind it, and write the head where there is none."""
        assert self._file is not None
        data = read_bytes(self.path)
        whole = data[: data.rfind(b"\n") + 1]
        begun = None
        for place, record in read_lines(whole, str(self.path)) if whole else ():
            with located(place):
                if begun is None:
                    begun = record
                else:
                    self._take(record)
        if begun is not None and json_line(begun) != json_line(head):
            raise CalverifyError(
                f"{self.path} was begun {_difference(begun, head)}; go on as it was begun, or remove it"
            )
        os.ftruncate(self._file, len(whole))
        if begun is None:
            self._write(head)

    def _take(self, record: Mapping[str, Any]) -> None:
        read = read_fields("rating", record, KINDS, needed=KINDS)
        key = (read.pop("problem"), read.pop("seed"), read.pop("index"))
        if key in self.ratings:
            raise RecordError(f"candidate {key[2]} of problem {key[0]!r}, seed {key[1]}, was rated already")
        self._keep(key, Rating(**read))

    def add(self, unit: Unit, rating: Rating) -> None:
        """Keep a rating; when this returns, it is on the disk."""
        problem, seed, index = unit.key
        kept = {name: getattr(rating, name) for name in ("score", "why", "said", "tokens_in", "tokens_out")}
        self._write({"problem": problem, "seed": seed, "index": index, **kept})
        self._keep(unit.key, rating)

    def _keep(self, key: Key, rating: Rating) -> None:
        self.ratings[key] = rating
        self.failed += rating.score is None

    def _write(self, record: Mapping[str, Any]) -> None:
        assert self._file is not None, "the ledger is closed"
        line = json_line(record)
        try:
            whole = os.write(self._file, line) == len(line)  # a torn line comes off when it is opened again
            os.fsync(self._file)
        except OSError as error:
            raise CalverifyError(f"cannot write {self.path}: {error.strerror}") from None
        if not whole:
            raise CalverifyError(f"cannot write {self.path}: no room for a whole line")

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _difference(begun: Any, head: Mapping[str, Any]) -> str:
    """The first thing in which the two heads differ."""
    said, wanted = dict(_leaves(begun)), dict(_leaves(head))
    for name in sorted(said.keys() | wanted.keys()):
        if said.get(name) != wanted.get(name):
            return f"with {name} {said.get(name)!r}, and now it is {wanted.get(name)!r}"
    return "in other words"


def _leaves(record: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(record, Mapping):
        for inner, value in record.items():
            yield from _leaves(value, f"{name}.{inner}" if name else str(inner))
    else:
        yield name, record
