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
from calverify.selectors import ADMISSIONS

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

    `plugins` are modules that put further selectors on the shelf; they are imported in the blind process only.
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
    task = {"folder": str(folder), "selectors": list(selectors), "admission": admission, "plugins": list(plugins)}
    data = _answers(json.dumps(task), progress or (lambda made: None))
    choices = choices_of(data, archive)
    names = tuple(dict.fromkeys(choice.selector for choice in choices))
    if archive.pools and selectors and names != tuple(selectors):
        raise CalverifyError(f"the blind process chose for {', '.join(names)}, not for {', '.join(selectors)}")
    write_atomically(folder / CHOICES, data)
    files = digests_of(folder, [*archive.manifest.files, MANIFEST, CHOICES])
    add_step(folder, Step("select", files, selectors=names, admission=admission))
    return choices


def _answers(task: str, progress: Progress) -> bytes:
    """What the blind process says, but for its last line, which says that it came to its end."""
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
                    progress(len(lines))
            child.wait()
        finally:
            child.kill()
            child.communicate()
        complaints.seek(0)
        said = complaints.read().decode("utf-8", "backslashreplace").strip()
    if child.returncode or not lines or not lines[-1].startswith(DONE):
        why = said if child.returncode == REFUSED else f"the blind process failed:\n{said}"
        raise CalverifyError(f"nothing was chosen: {why}")
    return b"".join(lines[:-1])


def _environment() -> dict[str, str]:
    """What the blind process may know of ours: where modules are found, and no variable that may hold a secret."""
    kept = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
    places = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    return {**kept, "PYTHONPATH": places, "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
