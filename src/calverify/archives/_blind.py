"""Blind selection: selectors run in a process of their own, which cannot open the keys."""

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from calverify.archives._archive import MANIFEST
from calverify.archives._choices import Choice, choices_of
from calverify.archives._folder import CHOICES, read_archive, write_atomically
from calverify.archives._guard import REFUSED
from calverify.archives._log import Step, add_step, digests_of, read_log
from calverify.errors import CalverifyError
from calverify.names import first_repeat
from calverify.selectors import ADMISSIONS, SELECTORS

__all__ = ["select_blind"]

DONE = b'{"done":'
KEPT_ENVIRONMENT = ("LANG", "LC_ALL", "PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")

Progress = Callable[[int], None]


def select_blind(
    folder: str | Path,
    selectors: Sequence[str] = (),
    *,
    admission: str = ADMISSIONS[0],
    plugins: Sequence[str] = (),
    progress: Progress | None = None,
) -> tuple[Choice, ...]:
    """Let these selectors (the whole shelf, unless some are named) choose from every pool; the choices, as written.

    `plugins` are modules that put further selectors on the shelf; they are imported in a blind process only, and
    selectors of ours that are named choose in another one, where no plugin can spoil them.
    `progress` is told each time how many choices were made by now.
    """
    folder = Path(folder)
    archive = read_archive(folder)
    twice = first_repeat(selectors)
    if twice is not None:
        raise CalverifyError(f"the selector {twice!r} is named twice")
    if admission not in ADMISSIONS:
        raise CalverifyError(f"admission must be one of {', '.join(ADMISSIONS)}, not {admission!r}")
    if any(step.step == "reveal" for step in read_log(folder)):
        raise CalverifyError(f"the keys of {folder} were revealed; a choice that is made now would not be blind")
    data = _chosen(folder, selectors, admission, plugins, progress or (lambda made: None))
    choices = choices_of(data, archive)
    names = tuple(dict.fromkeys(choice.selector for choice in choices))
    if archive.pools and selectors and names != tuple(selectors):
        raise CalverifyError(f"the blind process chose for {', '.join(names)}, not for {', '.join(selectors)}")
    write_atomically(folder / CHOICES, data)
    files = digests_of(folder, [*archive.manifest.files, MANIFEST, CHOICES])
    add_step(folder, Step("select", files, selectors=names, admission=admission))
    return choices


def _chosen(
    folder: Path, selectors: Sequence[str], admission: str, plugins: Sequence[str], progress: Progress
) -> bytes:
    """The lines of all choices, pool by pool, each selector's in its turn."""
    ours = [name for name in selectors if plugins and _is_ours(name)]
    theirs = [name for name in selectors if name not in ours]
    if ours and not theirs:
        raise CalverifyError(
            f"{', '.join(ours)} come from no plugin; name a selector that {', '.join(plugins)} puts up"
        )
    told: list[list[bytes]] = []
    for names, modules in ((ours, ()), (theirs, plugins)) if ours else ((theirs, plugins),):
        before = sum(map(len, told))
        task = {"folder": str(folder), "selectors": names, "admission": admission, "plugins": list(modules)}
        told.append(_answers(json.dumps(task), progress, before))
    if len(told) == 1:
        return b"".join(told[0])
    lines = {True: iter(told[0]), False: iter(told[1])}
    turns = range(len(told[0]) // len(ours))
    merged = [next(lines[name in ours], b"") for _ in turns for name in selectors]
    return b"".join([*merged, *lines[True], *lines[False]])  # what is too much is found, and refused, by the reader


def _is_ours(name: str) -> bool:
    return name in SELECTORS and SELECTORS[name].__module__.startswith("calverify.")


def _answers(task: str, progress: Progress, before: int = 0) -> list[bytes]:
    """The lines that the blind process says, but for its last, which says that it came to its end."""
    import subprocess  # not at the top: the blind process imports this room, and has no use for it
    import tempfile

    command = [sys.executable, "-P", "-B", "-m", "calverify.archives.chooser", task]
    lines: list[bytes] = []
    with tempfile.TemporaryFile() as complaints:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints, env=_environment()
        )
        try:
            assert child.stdout is not None
            for line in child.stdout:
                lines.append(line)
                if not line.startswith(DONE):
                    progress(before + len(lines))
            child.wait()
        finally:
            child.kill()
            child.communicate()
        complaints.seek(0)
        said = complaints.read().decode("utf-8", "backslashreplace").strip()
    if child.returncode or not lines or not lines[-1].startswith(DONE):
        why = said if child.returncode == REFUSED else f"the blind process failed:\n{said}"
        raise CalverifyError(f"nothing was chosen: {why}")
    return lines[:-1]


def _environment() -> dict[str, str]:
    """What the blind process may know of ours: where modules are found, and no variable that may hold a secret."""
    kept = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
    places = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    return {**kept, "PYTHONPATH": places, "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
