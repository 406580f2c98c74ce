"""Folders that are made, and frozen whole or not at all, whatever stops the process on the way."""

from collections.abc import Iterable
from pathlib import Path
from shutil import rmtree

from calverify.archives import Manifest, freeze
from calverify.errors import CalverifyError
from calverify.pools import Pool
from calverify.problem import Problem

__all__ = ["check_new", "freeze_whole", "make_folder"]


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


def freeze_whole(
    folder: Path, problems: Iterable[Problem], pools: Iterable[Pool], manifest: Manifest, *, packed: bool
) -> Manifest:
    """Freeze beside the folder, then put what is whole in its place; the manifest as it was written."""
    check_new(folder)
    make_folder(folder.parent)
    draft = folder.with_name(f".{folder.name}.draft")
    if draft.exists():  # left behind by a crash
        rmtree(draft)
    written = freeze(draft, problems, pools, manifest, packed=packed)
    if folder.exists():
        folder.rmdir()
    draft.rename(folder)
    return written
