"""The guard of a blind process: from now on it opens the archive's own files and the interpreter's libraries only.

It is an audit hook and denies by default: what is not on the lists below is refused, be it another file, a socket, a
process, or a way around Python.  A hook cannot be taken off again.  An attempt is remembered even where the selector
swallows the error, so that the run as a whole is refused.

It keeps honest code honest: a selector that reads the keys by mistake, or that somebody wrote to cheat, is stopped.
It is no jail for native code; where that is feared, keep the keys on another machine until the choices are sealed.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["Guard"]

# What Python itself does while it imports, compiles and runs ordinary code.
HARMLESS = frozenset({
    "import", "exec", "compile", "marshal.loads", "marshal.load", "sys._getframe", "sys._getframemodulename",
    "code.__new__", "function.__new__", "object.__getattr__", "object.__setattr__", "object.__delattr__", "builtins.id",
    "sys.excepthook", "sys.unraisablehook", "array.__new__",
})  # fmt: skip
BLIND_TO = frozenset({"calverify.keys", "calverify.benchmarks", "calverify.evaluation"})
UNGUARDED = frozenset({"ctypes", "_ctypes", "mmap", "_posixsubprocess", "socket", "_socket", "subprocess", "cffi"})
SOURCE = (".py", ".pyc")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Guard:
    """`Guard(files).stand()`; `refused` lists what was attempted and denied."""

    def __init__(self, files: Iterable[Path]) -> None:
        self.files = frozenset(os.path.realpath(file) for file in files)
        self.libraries = tuple(sorted({os.path.realpath(entry) for entry in sys.path if entry}))
        self.refused: list[str] = []

    def stand(self) -> None:
        """From now on, and for as long as the process lives."""
        sys.addaudithook(self.hook)

    def hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        why = self.why_not(event, arguments)
        if why:
            self.refused.append(why)
            raise PermissionError(f"a blind selector may not {why}")

    def why_not(self, event: str, arguments: tuple[Any, ...]) -> str:
        """What the event would do that a blind process may not; "" where it may."""
        if event == "import":
            name = str(arguments[0])
            return f"import {name}" if name in UNGUARDED or name in BLIND_TO else ""
        if event in HARMLESS or event.startswith("cpython."):
            return ""
        if event == "open":
            return self._why_not_open(*arguments)
        if event == "os.listdir":
            return "" if self._in_libraries(arguments[0]) else f"list the folder {arguments[0]}"
        return f"do this: {event}"

    def _why_not_open(self, file: Any, mode: Any, flags: Any) -> str:
        if not isinstance(file, str | bytes | os.PathLike):
            return f"open the descriptor {file!r}"
        path = os.path.realpath(os.fsdecode(file))
        if (isinstance(flags, int) and flags & WRITING) or (isinstance(mode, str) and set(mode) & set("wax+")):
            return f"write to {path}"
        if path in self.files or (path.endswith(SOURCE) and self._in_libraries(path)):
            return ""
        return f"open {path}"

    def _in_libraries(self, path: Any) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False
        real = os.path.realpath(os.fsdecode(path))
        return any(real == entry or real.startswith(entry + os.sep) for entry in self.libraries)
