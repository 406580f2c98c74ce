"""The guard of a blind process: from now on it opens the archive's own files and the interpreter's libraries only.

It is an audit hook, which cannot be taken off again, and it denies by default: what is not on the lists below ends the
process, be it another file, a socket, a process, another interpreter, or a way around Python.
Rule 1: the process ends with the first attempt.  No error is raised, because a selector could swallow it, and could
reach the guard through its traceback.
Rule 2: the hook uses nothing that Python code could put something else in the place of: no module, no method of a
class, no name of `builtins`.  Functions written in C and constants come as its own defaults, which are told to nobody.

It is no jail for native code, nor for bytecode that was written by hand; where that is feared, keep the keys on another
machine until the choices are sealed.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from types import FunctionType
from typing import Any

__all__ = ["REFUSED", "stand"]

REFUSED = 3  # the exit code with which the blind process leaves one sentence

# What Python itself does while it imports, compiles, runs ordinary code and ends.
HARMLESS = frozenset({
    "import", "exec", "compile", "marshal.loads", "marshal.load", "sys._getframe", "sys._getframemodulename",
    "code.__new__", "function.__new__", "object.__getattr__", "object.__setattr__", "object.__delattr__", "builtins.id",
    "sys.excepthook", "sys.unraisablehook", "array.__new__", "cpython._PySys_ClearAuditHooks",
    "cpython.PyInterpreterState_Clear",
})  # fmt: skip
BLIND_TO = frozenset({"calverify.keys", "calverify.benchmarks", "calverify.evaluation"})
# Modules that reach files, processes or interpreters without a word to the hook.
UNGUARDED = frozenset({
    "ctypes", "_ctypes", "mmap", "_posixsubprocess", "socket", "_socket", "subprocess", "cffi", "_interpreters",
    "_xxsubinterpreters", "_interpchannels", "_xxinterpchannels", "readline", "_gdbm", "_dbm", "_ssl", "_tkinter",
    "_curses", "_testcapi", "_testinternalcapi", "_testlimitedcapi", "_testmultiphase",
})  # fmt: skip
FORBIDDEN = UNGUARDED | BLIND_TO
SOURCE = (".py", ".pyc")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def stand(files: Iterable[Path]) -> None:
    """From now on, and for as long as the process lives, no file but these and the source of libraries is opened.

    What stands is a copy of `_hook` that has no globals and that nothing else refers to.
    """
    own = frozenset(os.path.realpath(file) for file in files)
    libraries = tuple(sorted({os.path.realpath(entry).rstrip(os.sep) + os.sep for entry in sys.path if entry}))
    kept = (own, libraries, HARMLESS, FORBIDDEN, SOURCE, WRITING, os.sep, REFUSED, type, str, bytes, int,
            os.lstat, os.readlink, os.getcwd, os.write, os._exit, (OSError, ValueError))  # fmt: skip
    sys.addaudithook(FunctionType(_hook.__code__, {}, "hook", (kept,)))


def _hook(event: str, arguments: tuple[Any, ...], kept: tuple[Any, ...]) -> None:
    """End the process where the event is none that a blind process may cause."""
    (own, libraries, harmless, forbidden, source, writing, sep, code, type, str, bytes, int,
     lstat, readlink, getcwd, write, leave, errors) = kept  # fmt: skip
    why = ""
    if event in harmless:
        if event == "import" and (type(arguments[0]) is not str or arguments[0] in forbidden):
            why = f"import {arguments[0]}" if type(arguments[0]) is str else "import under a name that is no text"
    elif event != "open" and event != "os.listdir":
        why = f"do this: {event}"
    elif type(arguments[0]) is not str and type(arguments[0]) is not bytes:
        said = arguments[0] if type(arguments[0]) is int else "that is given as an object"
        why = f"open the descriptor {said}" if event == "open" else "list a folder by its descriptor"
    else:
        path = arguments[0] if type(arguments[0]) is str else arguments[0].decode("utf-8", "surrogateescape")
        todo = (path if path[:1] == sep else f"{getcwd()}{sep}{path}").split(sep)[::-1]
        done: list[Any] = []
        links = 0
        while todo:  # the path without links, as `realpath` gives it, which could have been replaced
            part = todo.pop()
            if part == "..":
                done = done[:-1]
            elif part and part != ".":
                here = f"{sep}{sep.join([*done, part])}"
                try:
                    linked = lstat(here).st_mode & 0o170000 == 0o120000
                    target = readlink(here) if linked else ""
                except errors:
                    linked, target = False, ""
                links += linked
                if not linked:
                    done = [*done, part]
                elif links > 40:
                    todo, done = [], ["(a ring of links)"]
                else:
                    done = [] if target[:1] == sep else done
                    todo = [*todo, *target.split(sep)[::-1]]
        real = f"{sep}{sep.join(done)}"
        if event == "os.listdir":
            why = "" if f"{real}{sep}".startswith(libraries) else f"list the folder {path}"
        elif type(arguments[2]) is not int or arguments[2] & writing:
            why = f"write to {real}"
        elif real not in own and not (real.endswith(source) and real.startswith(libraries)):
            why = f"open {real}"
    if why:
        write(2, f"a blind selector may not {why}\n".encode("utf-8", "backslashreplace"))
        leave(code)
