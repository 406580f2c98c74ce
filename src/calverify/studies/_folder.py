"""Where a study lies on the disk, and how long its stages took.

problems.jsonl  keys.jsonl  plan.json      what is asked, what grades it, and what was decided
POLICY/                                    a sampling run, with its frozen pools in frozen/
times.jsonl                                seconds of each stage
tables.md  tables.json  report.html        the end
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calverify.archives import MANIFEST, read_bytes, write_atomically
from calverify.errors import CalverifyError
from calverify.records import json_line, read_lines
from calverify.sampling import FROZEN

__all__ = ["Clock", "StudyFolder"]

SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


@dataclass(frozen=True, slots=True)
class StudyFolder:
    """The places in a study's folder."""

    root: Path

    @property
    def problems(self) -> Path:
        return self.root / "problems.jsonl"

    @property
    def keys(self) -> Path:
        return self.root / "keys.jsonl"

    @property
    def plan(self) -> Path:
        return self.root / "plan.json"

    @property
    def page(self) -> Path:
        return self.root / "report.html"

    @property
    def tables(self) -> Path:
        return self.root / "tables.md"

    def run(self, label: str) -> Path:
        """The folder of a policy; a label may hold what a file's name may not."""
        name = "".join(char if char in SAFE else "-" for char in label).strip(".-")
        if not name:
            raise CalverifyError(f"the policy {label!r} needs a label with a letter or a digit in it")
        return self.root / name

    def frozen(self, label: str) -> Path:
        return self.run(label) / FROZEN

    def is_frozen(self, label: str) -> bool:
        return (self.frozen(label) / MANIFEST).is_file()


@dataclass(slots=True)
class Clock:
    """The seconds that stages took, kept from one call to the next; `now` is asked for the time."""

    path: Path
    now: Callable[[], float] = time.perf_counter
    _lines: list[dict[str, Any]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        if self.path.is_file():
            self._lines = [record for _, record in read_lines(read_bytes(self.path), self.path.name)]

    @contextmanager
    def measured(self, policy: str, stage: str) -> Iterator[dict[str, int]]:
        """The seconds of the block; it says under "candidates" how many it was about, and nothing is kept of none."""
        about = {"candidates": 0}
        began = self.now()
        try:
            yield about
        finally:
            if about["candidates"]:
                seconds = round(self.now() - began, 4)
                self._lines.append({"policy": policy, "stage": stage, "seconds": seconds, **about})
                write_atomically(self.path, b"".join(map(json_line, self._lines)))

    def each_s(self, policy: str, stage: str) -> float | None:
        """Seconds a candidate, None where nothing was measured."""
        lines = [line for line in self._lines if (line["policy"], line["stage"]) == (policy, stage)]
        count = sum(line["candidates"] for line in lines)
        return float(sum(line["seconds"] for line in lines)) / count if count else None

    def share(self, policy: str) -> float | None:
        """How much checking a pool adds to sampling it: 0.01 is one per cent."""
        sampling, checking = self.each_s(policy, "sample"), self.each_s(policy, "check")
        return checking / sampling if sampling and checking is not None else None
