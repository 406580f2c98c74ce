"""The journal of a run: one line a candidate, written whole or not at all, and read back after any crash.

Rule 1: the lines of one reply go to the disk in one write behind all others, each with a checksum.  So a kill leaves at
most one torn reply, at the end; it is cut off when the run resumes, and asked for again.
Rule 2: a torn line has no line feed; any other damage is no crash of ours, and is refused with its line.
Rule 3: one process at a time writes.
"""

import asyncio
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from calverify.errors import CalverifyError, RecordError
from calverify.records import json_line, located, read_fields, read_strict_json
from calverify.sampling._request import Reply

__all__ = ["Entry", "Failure", "Journal", "batches", "entries_of", "opened"]

CHECK = 16  # hexadecimal digits of the sha256 of a line
OPENING = b'{"check":"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One candidate: its place, what the model wrote, and its place `choice` in a reply of `choices`.

    `wanted` is how many that call asked for.  The first entry of a reply holds the tokens of all of it.
    """

    problem: str
    seed: int
    index: int
    text: str
    reasoning: str = ""
    finish: str | None = None
    choice: int = 0
    choices: int = 1
    wanted: int = 1
    tokens_in: int | None = None
    tokens_out: int | None = None
    fingerprint: str | None = None

    def to_json(self) -> dict[str, Any]:
        record = {name: getattr(self, name) for name in ENTRY}
        return {name: value for name, value in record.items() if value is not None and value != ""} | {
            "text": self.text
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A call for the candidates from `index` on that was given up, and why."""

    problem: str
    seed: int
    index: int
    wanted: int
    failed: str

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in FAILURE}


ENTRY = {
    "problem": str, "seed": int, "index": int, "text": str, "reasoning": str, "finish": str, "choice": int,
    "choices": int, "wanted": int, "tokens_in": int, "tokens_out": int, "fingerprint": str,
}  # fmt: skip
FAILURE = {"problem": str, "seed": int, "index": int, "wanted": int, "failed": str}
Line = Entry | Failure


def entries_of(unit: tuple[str, int], index: int, wanted: int, reply: Reply) -> list[Line]:
    """The entries of a reply to a call for `wanted` candidates from `index` on."""
    problem, seed = unit
    entries: list[Line] = [
        Entry(
            problem=problem,
            seed=seed,
            index=index + choice,
            text=said.text,
            reasoning=said.reasoning,
            finish=said.finish,
            choice=choice,
            choices=len(reply.completions),
            wanted=wanted if reply.asked is None else reply.asked,
        )
        for choice, said in enumerate(reply.completions)
    ]
    whole = {"tokens_in": reply.tokens_in, "tokens_out": reply.tokens_out, "fingerprint": reply.fingerprint}
    return [replace(entries[0], **whole), *entries[1:]]  # type: ignore[arg-type]  # an entry, not a failure


# ---------------------------------------------------------------- writing


class Journal:
    """The open journal of a run; `write` puts a reply or a failure behind what is there.

    What is written survives the end of this process at once; `forced` has it survive the end of the machine, at most a
    moment later, off the loop that samples.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = opened(path)
        self._end = os.fstat(self._file).st_size
        self._dirty = asyncio.Event()

    def cut(self, end: int) -> int:
        """Take off what a crash left behind the last whole reply; how many bytes that were."""
        torn = self._end - end
        os.ftruncate(self._file, end)
        self._end = end
        return torn

    def write(self, lines: Sequence[Line]) -> None:
        data = b"".join(line_of(line) for line in lines)
        try:
            written = os.write(self._file, data)
            if written < len(data):
                os.ftruncate(self._file, self._end)
                raise CalverifyError(f"cannot write {self.path}: the disk took {written:,} of {len(data):,} bytes")
        except OSError as error:
            raise CalverifyError(f"cannot write {self.path}: {error.strerror}") from None
        self._end += written
        self._dirty.set()

    async def forced(self) -> None:
        """Force what is written to the disk, again and again, until cancelled."""
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            await asyncio.to_thread(self._force)

    def _force(self) -> None:
        try:
            os.fsync(self._file)
        except OSError as error:
            raise CalverifyError(f"cannot write {self.path}: {error.strerror}") from None

    def close(self) -> None:
        try:
            self._force()
        finally:
            os.close(self._file)


def opened(path: Path) -> int:
    """A file to write behind its end, which no other process writes until this one closes it."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
    except OSError as error:
        raise CalverifyError(f"cannot write {path}: {error.strerror}") from None
    try:
        _lock(file, path)
    except CalverifyError:
        os.close(file)
        raise
    return file


def _lock(file: int, path: Path) -> None:
    """Keep other processes out until this one ends, however it does."""
    try:
        import fcntl
    except ImportError:  # no such lock on this system
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CalverifyError(f"another process is writing {path}; wait for it, or end it") from None


def line_of(line: Line) -> bytes:
    """{"check":"<hex>", and the rest of the record; the check is that of the line without it."""
    plain = json_line(line.to_json())
    return OPENING + _check(plain) + b'",' + plain[1:]


def _check(plain: bytes) -> bytes:
    return sha256(plain).hexdigest()[:CHECK].encode()


# ---------------------------------------------------------------- reading


def batches(path: Path) -> Iterator[tuple[int, list[Line]]]:
    """Each whole reply or failure with the byte where it ends; a torn reply at the end is left out."""
    if not path.exists():
        return
    with path.open("rb") as file:
        end, batch = 0, list[Line]()
        for number, raw in enumerate(file, start=1):
            end += len(raw)
            place = f"{path}, line {number}"
            try:
                with located(place):
                    line = _read(raw)
            except RecordError:
                if not raw.endswith(b"\n"):
                    return
                raise
            with located(place):
                _check_next(batch, line)
            batch.append(line)
            if isinstance(line, Failure) or line.choice == line.choices - 1:
                yield end, batch
                batch = []


def _read(raw: bytes) -> Line:
    begin = len(OPENING) + CHECK
    plain = b"{" + raw[begin + 2 :]
    if raw[: len(OPENING)] != OPENING or not raw.endswith(b"\n") or raw[len(OPENING) : begin] != _check(plain):
        raise RecordError("the line is not what was written: its checksum differs")
    record = read_strict_json(plain.decode("utf-8", "replace"))
    if "failed" in record:
        return Failure(**read_fields("failure", record, FAILURE, FAILURE))
    return Entry(**read_fields("entry", record, ENTRY, ("problem", "seed", "index", "text")))


def _check_next(batch: Sequence[Line], line: Line) -> None:
    """A reply stands together, in order."""
    place = len(batch)
    if isinstance(line, Failure):
        fine = not place
    elif not place:
        fine = line.choice == 0
    else:
        first = batch[0]
        assert isinstance(first, Entry)
        fine = (line.problem, line.seed, line.index, line.choice, line.choices) == (
            first.problem, first.seed, first.index + place, place, first.choices,
        )  # fmt: skip
    if not fine:
        raise RecordError("the reply before this line is not whole; lines have been taken out or put in")
