"""Settings in the .env file of the folder where the command runs: NAME=value lines, behind the environment.

Only names of ours are taken, CALVERIFY_... and OPENAI_..., so another program's file changes nothing here; none
that names code to run, so that a folder from elsewhere runs nothing.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from calverify.errors import CalverifyError

__all__ = ["environment_of_folder", "settings_of"]

FILE = ".env"
OURS = ("CALVERIFY_", "OPENAI_")
CODE = "_PLUGIN"
QUOTES = ('"', "'")


def settings_of(text: str) -> dict[str, str]:
    """The settings of ours; the last of a name holds.

    "export OPENAI_API_KEY='k'  # mine" -> {"OPENAI_API_KEY": "k"}
    """
    found = {}
    for line in text.splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and name.strip().startswith(OURS) and not name.strip().endswith(CODE):
            found[name.strip()] = _value(value.strip())
    return found


def _value(value: str) -> str:
    """Within its quotes, or up to a comment."""
    if value[:1] in QUOTES and (end := value.find(value[0], 1)) > 0:
        return value[1:end]
    return "" if value.startswith("#") else value.partition(" #")[0].rstrip()


@contextmanager
def environment_of_folder(folder: Path) -> Iterator[None]:
    """Within the block, the environment has what the folder's .env adds to it."""
    added = {name: value for name, value in _read(folder / FILE).items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def _read(file: Path) -> Mapping[str, str]:
    try:
        return settings_of(file.read_text("utf-8-sig")) if file.is_file() else {}
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else f"not UTF-8 at byte {error.start}"
        raise CalverifyError(f"cannot read {file}: {why}") from None
