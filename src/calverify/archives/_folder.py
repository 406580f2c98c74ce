"""Archives on the disk: a folder is frozen whole or not at all, and read without looking at any file beside its own."""

import os
from collections.abc import Iterable
from pathlib import Path

from calverify.archives._archive import MANIFEST, Archive, archive_of, bytes_of
from calverify.archives._manifest import FILE_NAMES, Manifest
from calverify.errors import CalverifyError, RecordError
from calverify.pools import Pool
from calverify.problem import Problem

__all__ = [
    "CHOICES",
    "LOG",
    "OUTCOMES",
    "check_frozen",
    "check_new",
    "check_unwritten",
    "freeze",
    "make_folder",
    "read_archive",
    "read_bytes",
    "write_atomically",
    "write_new",
]

CHOICES, LOG, OUTCOMES = "choices.jsonl", "log.jsonl", "outcomes.jsonl"


def freeze(
    folder: str | Path, problems: Iterable[Problem], pools: Iterable[Pool], manifest: Manifest, *, packed: bool = False
) -> Manifest:
    """Write problems, pools and manifest into a new folder; the manifest as it was written, with its hashes.

    `packed` writes .jsonl.gz.  The manifest comes last, so a folder without one was never frozen to the end.
    """
    folder = Path(folder)
    check_new(folder)
    files = bytes_of(list(problems), list(pools), manifest, packed=packed)
    make_folder(folder)
    for name, data in files.items():  # the manifest is the last of them
        write_atomically(folder / name, data)
    return archive_of(files).manifest


def read_archive(folder: str | Path) -> Archive:
    """The archive of a frozen folder; refused where anything is not as it was frozen."""
    folder = Path(folder)
    check_frozen(folder)
    there = [name for name in (*FILE_NAMES, MANIFEST) if (folder / name).is_file()]
    try:
        return archive_of({name: read_bytes(folder / name) for name in there})
    except CalverifyError as error:
        raise type(error)(f"{folder}/{error}") from None


def check_frozen(folder: Path) -> None:
    """Refuse a folder that was never frozen to the end, or is none."""
    if not (folder / MANIFEST).is_file():
        why = "was never frozen to the end" if folder.is_dir() else "is no folder"
        raise RecordError(f"{folder} {why}: there is no {MANIFEST} in it; calverify freeze makes one")


def check_new(folder: Path) -> None:
    """Refuse a folder that holds anything."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CalverifyError(f"{folder} is not empty; what is frozen is never written over: name a new folder")


def make_folder(folder: Path) -> None:
    """Make the folder, and those that it lies in, where they are not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CalverifyError(f"cannot make the folder {folder}: {error.strerror or error}") from None


def check_unwritten(path: Path, data: bytes) -> None:
    """Refuse a file that is there and holds anything else."""
    if path.exists() and (not path.is_file() or read_bytes(path) != data):
        raise CalverifyError(f"{path} is there already and differs, and nothing is written over it: name a new one")


def write_new(path: Path, data: bytes) -> None:
    """Write the whole file, or leave it alone where it holds these bytes already."""
    check_unwritten(path, data)
    write_atomically(path, data)


def read_bytes(path: Path) -> bytes:
    """The bytes of a file; what cannot be read is refused by name."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise CalverifyError(f"cannot read {path}: {error.strerror or error}") from None


def write_atomically(path: Path, data: bytes) -> None:
    """Write the whole file or, whatever happens on the way, none of it."""
    draft = path.with_name(f".{path.name}.draft")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise CalverifyError(f"cannot write {path}: {error.strerror or error}") from None
