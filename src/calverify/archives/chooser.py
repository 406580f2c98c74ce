"""The blind process: `select_blind` starts it, and it answers with one choice a line on its standard output.

Nothing of calverify that could read keys is imported here, and the guard stands before the first selector runs.
"""

import os
import sys
from importlib import import_module
from pathlib import Path

from calverify.archives._archive import MANIFEST
from calverify.archives._choices import Choice
from calverify.archives._folder import read_archive
from calverify.archives._guard import REFUSED, stand
from calverify.archives._manifest import FILE_NAMES
from calverify.errors import CalverifyError
from calverify.records import json_line, read_strict_json
from calverify.selectors import SELECTORS, earliest_max, find_selector, numbers_of, view_of

__all__ = ["main"]


def main(task: str) -> int:
    """Choose as the task (a JSON object) says; the exit code."""
    answers = os.fdopen(os.dup(1), "wb")
    sys.stdout = sys.stderr  # what a selector prints is no choice
    asked = read_strict_json(task)
    folder = Path(asked["folder"])
    stand([folder / name for name in (*FILE_NAMES, MANIFEST)])
    try:
        for plugin in asked["plugins"]:
            import_module(plugin)
        names = asked["selectors"] or list(SELECTORS)
        for name in names:
            find_selector(name)
        archive = read_archive(folder)
        for pool in archive.pools:
            view = view_of(archive.problems[pool.problem], pool, asked["admission"])
            for name in names:
                numbers = tuple(numbers_of(name, view))
                choice = Choice(name, pool.problem, pool.seed, earliest_max(numbers), numbers)
                answers.write(json_line(choice.to_json()))
            answers.flush()
    except (CalverifyError, ImportError) as error:
        sys.stderr.write(f"{error}\n")
        return REFUSED
    answers.write(json_line({"done": len(archive.pools)}))
    answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
