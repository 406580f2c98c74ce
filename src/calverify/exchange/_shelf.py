"""The shelf: a format is a function that reads a log, put up under its name, and often one that writes it.

A reader yields a `Logged` or a `Rejected` for each record of a file's bytes; a writer gives the bytes of an archive.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calverify.archives import Archive
from calverify.errors import CalverifyError
from calverify.exchange._lines import records_in
from calverify.exchange._logged import Damaged, Logged, Rejected, as_object
from calverify.names import brief
from calverify.problem import Problem
from calverify.registry import Shelf
from calverify.tasks import prompt

__all__ = [
    "READERS", "WRITERS", "Read", "Reader", "Writer", "asked_of", "detect", "each_record", "exchange", "find_reader",
    "find_writer", "writes",
]  # fmt: skip

Read = Callable[[bytes, str], Iterator[Logged | Rejected]]
Writer = Callable[[Archive], bytes]
FromRecord = Callable[[Mapping[str, Any], str, str], Iterator[Logged | Rejected]]

ZIP = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class Reader:
    """How a format is read: where a sample's id stands (the first path that leads anywhere), and what it looks like."""

    read: Read
    ids: tuple[str, ...]
    known_by: Callable[[Mapping[str, Any]], bool]
    holds: str


READERS: Shelf[Reader] = Shelf("format")
WRITERS: Shelf[Writer] = Shelf("format to write")


def exchange(
    name: str, *, ids: tuple[str, ...], known_by: Callable[[Mapping[str, Any]], bool]
) -> Callable[[Read], Read]:
    """Put the decorated function up as the reader of the format `name`; it is returned untouched."""

    def put(read: Read) -> Read:
        holds = (read.__doc__ or "").partition("\n")[0].rstrip(".")
        READERS.put(name, Reader(read, ids, known_by, holds))
        return read

    return put


def writes(name: str) -> Callable[[Writer], Writer]:
    """Put the decorated function up as the writer of the format `name`; it is returned untouched."""

    def put(write: Writer) -> Writer:
        WRITERS.put(name, write)
        return write

    return put


def asked_of(problem: Problem) -> str:
    """What a writer says was asked: the prompt that is made of the problem, or its text where its task has none."""
    try:
        return prompt(problem)
    except CalverifyError:
        return problem.text


def each_record(data: bytes, file: str, read: FromRecord) -> Iterator[Logged | Rejected]:
    """What `read` makes of each record of a file of JSON; what is damaged in one is told of that one."""
    for found in records_in(data, file):
        if isinstance(found, Rejected):
            yield found
            continue
        place, record = found
        try:
            yield from list(read(as_object(record, "the record"), file, place))
        except Damaged as why:
            yield Rejected(file, place, str(why))


def find_reader(name: str) -> Reader:
    if name not in READERS:
        raise CalverifyError(f"no format {name!r} can be read; there are {', '.join(READERS)}")
    return READERS[name]


def find_writer(name: str) -> Writer:
    if name not in WRITERS:
        raise CalverifyError(f"no format {name!r} can be written; there are {', '.join(WRITERS)}")
    return WRITERS[name]


def detect(data: bytes, file: str) -> str:
    """The name of the format that a file is in, by its first record that can be read; refused where none fits."""
    if data.startswith(ZIP):
        return "inspect"
    for found in records_in(data, file):
        if isinstance(found, Rejected) or not isinstance(found[1], Mapping):
            continue
        for name, reader in READERS.items():
            if reader.known_by(found[1]):
                return name
        keys = brief(sorted(map(str, found[1])))
        raise CalverifyError(
            f"{file} is in no format that is known: its first record has the keys {keys}; {_name_it()}"
        )
    raise CalverifyError(f"{file} holds no record that can be read; {_name_it()}")


def _name_it() -> str:
    return f"name its format, one of {', '.join(READERS)}"
