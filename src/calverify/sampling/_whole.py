"""A folder is frozen whole or not at all, whatever stops the process on the way."""

from collections.abc import Iterable
from pathlib import Path
from shutil import rmtree

from calverify.archives import Manifest, check_new, freeze, make_folder
from calverify.pools import Pool
from calverify.problem import Problem

__all__ = ["freeze_whole"]


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
