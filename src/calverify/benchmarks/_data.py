"""A folder of benchmark data, read with suspicion: bounded, in strict UTF-8, and told with its file and record.

Rule 1: every file has a size limit, packed and unpacked, so that a wrong file cannot fill the memory.
Rule 2: a pickle can hold a program.  Nothing here unpickles, and a file that is one is refused by that name.
Rule 3: whatever is wrong is a `RecordError` that names the file, the record and what was expected.
"""

import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from calverify.errors import CalverifyError, RecordError
from calverify.names import brief
from calverify.records import read_lines, read_strict_json

__all__ = ["MOST_BYTES", "DataFolder", "field"]

MOST_BYTES = 1 << 26  # of one file, and of what is packed in it
GZIP = 16 + zlib.MAX_WBITS
PICKLES = (".pickle", ".pkl", ".joblib", ".npy")
PICKLED = tuple(bytes([0x80, protocol]) for protocol in range(2, 6))


class DataFolder:
    """`DataFolder("data").text("bnlearn/alarm.bif.gz")`; names are relative to the folder, with slashes."""

    def __init__(self, root: str | Path, most: int = MOST_BYTES) -> None:
        self.root, self.most = Path(root), most
        if not self.root.is_dir():
            raise CalverifyError(f"{self.root} is not a folder; expected the folder that holds the benchmarks' data")

    def names(self, folder: str, suffix: str) -> list[str]:
        """The files below a folder whose names end so, in order; none at all is an error."""
        found = sorted(path.relative_to(self.root).as_posix() for path in (self.root / folder).rglob(f"*{suffix}"))
        if not found:
            raise CalverifyError(f"{self.root} holds no {folder}/*{suffix}; calverify bench ls tells where to get it")
        return found

    def has(self, name: str) -> bool:
        return (self.root / name).is_file()

    def raw(self, name: str) -> bytes:
        """What is in a file, unpacked where its name ends in .gz."""
        path = self.root / name
        try:
            size = path.stat().st_size
            if size > self.most:
                raise RecordError(f"{name}: {size:,} bytes; expected at most {self.most:,}")
            data = path.read_bytes()
        except OSError as error:
            raise CalverifyError(f"cannot read {path}: {error.strerror or error}") from None
        return self._unpacked(data, name) if name.endswith(".gz") else data

    def text(self, name: str) -> str:
        data = self._plain(name)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(
                f"{name}: not UTF-8 at byte {error.start:,}; expected the file as it was published"
            ) from None

    def lines(self, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each object of a file of JSON Lines with its place: "clear/json_single/cycle.json, line 3"."""
        for place, record in read_lines(self._plain(name), name.removesuffix(".gz")):
            yield place, _object(record, place)

    def records(self, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each object of a file that is one JSON array, with its place: "cladder/test-model-meta.json, record 3"."""
        text = self.text(name)
        try:
            whole = read_strict_json(text)
        except RecordError as error:
            raise RecordError(f"{name}: {error}; expected a JSON array") from None
        if not isinstance(whole, list):
            raise RecordError(f"{name}: expected a JSON array, not {brief(whole)}")
        for number, record in enumerate(whole, start=1):
            place = f"{name}, record {number}"
            yield place, _object(record, place)

    def _plain(self, name: str) -> bytes:
        data = self.raw(name)
        if name.endswith(PICKLES) or data.startswith(PICKLED):
            raise RecordError(
                f"{name}: this is a pickle, which can hold a program; expected text, and nothing is unpickled"
            )
        return data

    def _unpacked(self, data: bytes, name: str) -> bytes:
        unpacker = zlib.decompressobj(GZIP)
        try:
            plain = unpacker.decompress(data, self.most + 1)
        except zlib.error as error:
            raise RecordError(f"{name}: not a whole gzip file: {error}") from None
        if len(plain) > self.most:
            raise RecordError(f"{name}: over {self.most:,} bytes when unpacked")
        if not unpacker.eof or unpacker.unused_data:
            raise RecordError(f"{name}: not a whole gzip file: it is cut short, or something follows it")
        return plain


def _object(record: object, place: str) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise RecordError(f"{place}: expected an object, not {brief(record)}")
    return record


def field(record: Mapping[str, Any], name: str, kind: type[Any], place: str) -> Any:
    """The value of a field that a record must have, of that kind; other fields do not matter."""
    if name not in record:
        raise RecordError(
            f"{place}: there is no field {name!r}; this record has {', '.join(map(repr, sorted(record)))}"
        )
    value = record[name]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise RecordError(f"{place}: {name!r} must be of type {kind.__name__}, not {brief(value)}")
    return value
