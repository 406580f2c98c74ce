"""The log of an archive: seal, select, reveal, one line each, chained by hashes.

Every line holds the sha256 of each file that it is about, the sha256 of the line before it, and its own.  So a byte
that changes in the log, or in a file that the log is about, is found, and named.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from calverify.archives._archive import MANIFEST
from calverify.archives._folder import CHOICES, LOG, read_bytes, write_atomically
from calverify.archives._manifest import FILE_NAMES
from calverify.errors import RecordError
from calverify.records import json_line, located, read_fields, read_lines

__all__ = ["STEPS", "Step", "add_step", "check_files", "digests_of", "read_log"]

STEPS = ("seal", "select", "reveal")


@dataclass(frozen=True, slots=True)
class Step:
    """One line: what was done, and the sha256 of every file that it was done with.

    `keys` is the sha256 of the keys (their path is written nowhere); `selectors` and `admission` belong to "select".
    """

    step: str
    files: Mapping[str, str]
    keys: str | None = None
    selectors: tuple[str, ...] = field(default=())
    admission: str | None = None
    before: str | None = None

    @property
    def sha256(self) -> str:
        """What the next line, and anybody who writes it down, can hold this line to."""
        return sha256(json_line(self._record())).hexdigest()

    def _record(self) -> dict[str, Any]:
        record: dict[str, Any] = {"step": self.step, "files": dict(sorted(self.files.items())), "before": self.before}
        for name, value in (("keys", self.keys), ("selectors", list(self.selectors)), ("admission", self.admission)):
            if value:
                record[name] = value
        return record

    def to_json(self) -> dict[str, Any]:
        return {**self._record(), "sha256": self.sha256}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Step":
        kinds = {
            "step": str, "files": dict, "before": str | None, "keys": str, "selectors": list, "admission": str,
            "sha256": str,
        }  # fmt: skip
        read = read_fields("log", record, kinds, needed=("step", "files", "before", "sha256"))
        said = read.pop("sha256")
        if read["step"] not in STEPS:
            raise RecordError(f"a step is one of {', '.join(STEPS)}, not {read['step']!r}")
        read_fields("files", read["files"], dict.fromkeys((*FILE_NAMES, MANIFEST, CHOICES), str))
        step = cls(**{**read, "selectors": tuple(read.get("selectors", ()))})
        if step.sha256 != said:
            raise RecordError(f"the line has changed since it was written: its sha256 is {step.sha256}, it says {said}")
        return step


def read_log(folder: str | Path) -> tuple[Step, ...]:
    """The steps that were taken, in order, () where none was; refused where a line is not what was written."""
    path = Path(folder) / LOG
    if not path.exists():
        return ()
    data = read_bytes(path)
    steps: list[Step] = []
    for place, record in read_lines(data, str(path)):
        with located(place):
            step = Step.from_json(record)
            before = steps[-1].sha256 if steps else None
            if step.before != before:
                raise RecordError(f"the line before it has the sha256 {before}, and this line says {step.before}")
        steps.append(step)
    for number, (line, step) in enumerate(zip(data.split(b"\n"), steps, strict=False), start=1):
        if line + b"\n" != json_line(step.to_json()):
            raise RecordError(f"{path}, line {number}, is not spelled as it was written")
    if b"".join(json_line(step.to_json()) for step in steps) != data:
        raise RecordError(f"{path} does not end as it was written")
    return tuple(steps)


def add_step(folder: str | Path, step: Step) -> Step:
    """Write the step behind those that are there; the step as it was written."""
    steps = read_log(folder)
    linked = replace(step, before=steps[-1].sha256 if steps else None)
    write_atomically(Path(folder) / LOG, b"".join(json_line(each.to_json()) for each in (*steps, linked)))
    return linked


def digests_of(folder: str | Path, names: Iterable[str]) -> dict[str, str]:
    """The sha256 of each of these files of the folder as it lies on the disk."""
    return {name: sha256(read_bytes(Path(folder) / name)).hexdigest() for name in names}


def check_files(folder: str | Path, step: Step) -> None:
    """Refuse, by name, a file that is not what it was at that step."""
    for name, said in step.files.items():
        if not (Path(folder) / name).is_file():
            raise RecordError(f"{folder}/{name} is missing; it was there at the step {step.step!r}")
        (found,) = digests_of(folder, [name]).values()
        if found != said:
            raise RecordError(
                f"{folder}/{name} has changed since the step {step.step!r}: its sha256 is {found}, the log says {said}"
            )
