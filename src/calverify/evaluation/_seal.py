"""Seal, select, reveal: the keys are committed before anything is chosen, and opened when nothing can change any more.

The path of the keys is written nowhere: the log holds the sha256 of their bytes.
A log alone cannot show that it was not written anew, with choices made after a look at the keys: the same keys and
pools always give the same seal.  So the sha256 of the seal and of the choices are noted down elsewhere, and asked for.
"""

from collections.abc import Sequence
from pathlib import Path

from calverify.archives import (
    CHOICES,
    LOG,
    MANIFEST,
    Archive,
    Step,
    add_step,
    check_files,
    check_frozen,
    digests_of,
    read_archive,
    read_choices,
    read_log,
)
from calverify.errors import CalverifyError, RecordError
from calverify.keys import keys_digest, read_keys

__all__ = ["check_seal", "is_revealed", "reveal", "seal"]


def seal(folder: str | Path, keys: str | Path) -> Step:
    """Commit the keys of a frozen folder before anything is chosen; the sha256 of the step is the commitment."""
    steps = read_log(folder)
    if any(step.step == "seal" for step in steps):
        raise CalverifyError(f"{folder} is sealed already; a seal is never renewed")
    if steps or (Path(folder) / CHOICES).exists():
        raise CalverifyError(
            f"{folder} holds choices that were made before the keys were sealed; freeze the pools into a new folder, "
            "and seal that one first"
        )
    archive = read_archive(folder)
    _check_keys(archive, keys)
    return add_step(folder, Step("seal", digests_of(folder, _frozen(archive)), keys=keys_digest(keys)))


def reveal(folder: str | Path, keys: str | Path, commitments: Sequence[str] = ()) -> Step:
    """Open the keys: only when they, the pools, the choices and the log are byte for byte what was sealed and chosen.

    `commitments` are sha256 of steps that were noted down when they were taken; the log must hold each.  It can be
    asked again, and then everything is checked again.
    """
    check_frozen(Path(folder))
    steps = check_seal(folder, keys)
    _check_noted(folder, steps, commitments)
    if not steps or steps[0].step != "seal":
        raise CalverifyError(f"{folder} was never sealed; calverify seal {folder} --keys FILE comes before choosing")
    if steps[-1].step == "seal":
        raise CalverifyError(f"nothing was chosen yet from {folder}; calverify select --archive {folder} comes first")
    if steps[-1].step == "reveal":
        return steps[-1]
    return add_step(folder, Step("reveal", steps[-1].files, keys=keys_digest(keys)))


def _check_noted(folder: str | Path, steps: Sequence[Step], commitments: Sequence[str]) -> None:
    there = {step.sha256: step.step for step in steps}
    for noted in commitments:
        if noted.strip().lower() not in there:
            said = ", ".join(f"{step} {sha256}" for sha256, step in there.items()) or "none"
            raise RecordError(
                f"{folder}/{LOG} is not the log that was noted down: no step of it has the commitment {noted}; its "
                f"steps are {said}"
            )


def is_revealed(folder: str | Path) -> bool:
    """Were the keys of the folder opened in the proper order?"""
    return any(step.step == "reveal" for step in read_log(folder))


def check_seal(folder: str | Path, keys: str | Path) -> tuple[Step, ...]:
    """The steps of a folder's log, () where it was never sealed; refused where anything changed since, by name."""
    steps = read_log(folder)
    order = [step.step for step in steps]
    if "seal" in order[1:] or "reveal" in order[:-1]:
        raise RecordError(
            f"{folder}/{LOG}: the steps {', '.join(order)} are out of order; expected seal, select, reveal"
        )
    for step in steps:
        if step.keys is not None and step.keys != keys_digest(keys):
            raise RecordError(
                f"{keys} are not the keys that were sealed: their sha256 is {keys_digest(keys)}, and "
                f"{folder}/{LOG} says {step.keys}"
            )
        last = step is steps[-1] or step.step == "seal"  # an earlier selection may have been made again
        if last:
            check_files(folder, step)
    if not steps:
        return ()
    archive = read_archive(folder)
    _check_keys(archive, keys)
    chosen = next((step for step in reversed(steps) if step.step == "select"), None)
    if chosen is not None:
        names = tuple(dict.fromkeys(choice.selector for choice in read_choices(folder, archive)))
        if names != chosen.selectors:
            raise RecordError(
                f"{folder}/{CHOICES} holds choices of {', '.join(names)}, and {LOG} says {', '.join(chosen.selectors)}"
            )
    return steps


def _frozen(archive: Archive) -> list[str]:
    return [*archive.manifest.files, MANIFEST]


def _check_keys(archive: Archive, keys: str | Path) -> None:
    known = read_keys(keys)
    for name in archive.problems:
        if name not in known:
            raise RecordError(f"{keys} has no key of problem {name!r}; expected one for each problem of the archive")
