"""Selectors of the tests, for the blind process: honest ones, and one for each way to cheat or fail.

What a cheat is after stands in a file beside the archive; its name comes in the problem's text.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path

import calverify as cv

STANDING = [1]


def secret(view: cv.View) -> str:
    """Where the keys are: the cheats are told."""
    return view.problem.text


def opened(path: str | bytes | int, mode: str = "r") -> str:
    with open(path, mode) as file:
        return file.read()


def by_link(view: cv.View) -> None:
    os.symlink(secret(view), secret(view) + ".py")


def by_native_code(view: cv.View) -> None:
    import ctypes

    ctypes.CDLL(None).open(secret(view).encode(), 0)


def by_process(view: cv.View) -> None:
    import subprocess

    subprocess.run(["cat", secret(view)], check=True)


def by_keys(view: cv.View) -> None:
    from calverify.keys import read_keys

    read_keys(secret(view))


def by_grading(view: cv.View) -> None:
    import calverify.evaluation as grading

    assert grading


def by_socket(view: cv.View) -> None:
    import socket

    socket.create_connection(("127.0.0.1", 9))


def by_another_interpreter(view: cv.View) -> None:
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters

    interpreters.run_string(interpreters.create(), f"open({secret(view)!r}).read()")


def by_a_thread(view: cv.View) -> None:
    from threading import Thread

    thread = Thread(target=opened, args=(secret(view),))
    thread.start()
    thread.join()


def by_a_patched_guard(view: cv.View) -> None:
    """Whatever the module of the guard holds, the hook has its own."""
    import calverify.archives._guard as guard

    guard.HARMLESS = guard.HARMLESS | {"open"}
    guard.SOURCE = ("",)
    guard._hook.__code__ = (lambda event, arguments, kept: None).__code__
    opened(secret(view))


def by_patched_paths(view: cv.View) -> None:
    """Every path is that of the pools, says whoever is asked."""
    own = os.path.join(os.path.dirname(secret(view)), "a", "pools.jsonl")
    os.path.realpath = os.path.abspath = os.readlink = lambda *_, **__: own  # type: ignore[assignment]
    os.getcwd = lambda: "/"
    opened(secret(view))


def by_patched_builtins(view: cv.View) -> None:
    import builtins

    opened_before = opened
    for name in ("type", "str", "isinstance", "frozenset", "any", "tuple"):
        setattr(builtins, name, lambda *_: True)
    opened_before(secret(view))


def by_the_frames(view: cv.View) -> None:
    """Any guard that a frame below holds would be told that the keys are its own."""
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            if hasattr(value, "files"):
                value.files = frozenset({secret(view)})
        frame = frame.f_back  # type: ignore[assignment]
    opened(secret(view))


def by_a_traceback(view: cv.View) -> None:
    """At the end of the stack the hook itself fails; what its frame holds cannot be changed."""

    def deep() -> None:
        try:
            deep()
        except RecursionError as error:
            trace = error.__traceback__
            while trace is not None:
                kept = trace.tb_frame.f_locals.get("kept")
                if kept is not None:
                    trace.tb_frame.f_locals["kept"] = (frozenset({secret(view)}), *kept[1:])
                trace = trace.tb_next
            raise
        opened(secret(view))

    try:
        deep()
    except RecursionError:
        opened(secret(view))


class Name(str):
    """A name that says it ends as the source of a library."""

    def endswith(self, *_: object) -> bool:  # type: ignore[override]
        return True

    startswith = endswith  # type: ignore[assignment]


CHEATS: dict[str, Callable[[cv.View], object]] = {
    "open": lambda view: opened(secret(view)),
    "os.open": lambda view: os.open(secret(view), os.O_RDONLY),
    "pathlib": lambda view: Path(secret(view)).read_text(),
    "a link": by_link,
    "native code": by_native_code,
    "a process": by_process,
    "a shell": lambda view: os.system(f"cat {secret(view)}"),
    "a fork": lambda view: os.fork(),
    "another program": lambda view: os.execv("/bin/cat", ["cat", secret(view)]),
    "the room of keys": by_keys,
    "the room of grading": by_grading,
    "a socket": by_socket,
    "a list of files": lambda view: os.listdir(os.path.dirname(secret(view))),
    "a scan of files": lambda view: list(os.scandir(os.path.dirname(secret(view)))),
    "a file of its own": lambda view: opened(secret(view) + ".copy", "w"),
    "a module of its own": lambda view: opened(os.path.join(os.path.dirname(__file__), "planted.py"), "w"),
    "another's choices": lambda view: opened(os.path.join(os.path.dirname(secret(view)), "a", "choices.jsonl")),
    "other pools": lambda view: opened(os.path.join(os.path.dirname(secret(view)), "a", "pools.jsonl"), "a"),
    "another name": lambda view: os.rename(secret(view), secret(view) + ".py"),
    "a descriptor": lambda view: opened(0),
    "a name that lies": lambda view: opened(Name(secret(view))),
    "a hook of its own": lambda view: sys.addaudithook(print),
    "another interpreter": by_another_interpreter,
    "a thread": by_a_thread,
    "a patched guard": by_a_patched_guard,
    "patched paths": by_patched_paths,
    "patched builtins": by_patched_builtins,
    "the frames": by_the_frames,
    "a traceback": by_a_traceback,
    "every object": lambda view: __import__("gc").get_objects(),
    "a loader": lambda view: SourceFileLoader("keys", secret(view)).get_data(secret(view)),
    "a line cache": lambda view: __import__("linecache").getlines(secret(view)),
    "a database": lambda view: __import__("sqlite3").connect(secret(view)),
    "a history": lambda view: __import__("readline").read_history_file(secret(view)),
    "another's variables": lambda view: opened(f"/proc/{os.getppid()}/environ"),
    "a name in bytes": lambda view: opened(bytes(secret(view), "utf-8")),
}  # fmt: skip


@cv.selector("one_cheat")
def one_cheat(view: cv.View) -> list[int | None]:
    """The plainest way, with the error left to itself."""
    return [len(opened(secret(view)))] * len(view)


def put_up(name: str, way: Callable[[cv.View], object]) -> None:
    """A selector that tries the way, and swallows whatever comes of it."""

    @cv.selector(name)
    def cheat(view: cv.View) -> list[int | None]:
        with suppress(BaseException):
            way(view)
        return [1] * len(view)


for name, way in CHEATS.items():
    put_up(name, way)


@cv.selector("last")
def last(view: cv.View) -> list[int | None]:
    """An honest selector of one's own; what it prints is no choice."""
    print("picking the last")
    return list(range(len(view)))


@cv.selector("allowed")
def allowed(view: cv.View) -> list[int | None]:
    """Lazy imports of the standard library and of calverify are nobody's secret."""
    import decimal
    import statistics

    from calverify.formats import read_graph

    assert read_graph("A -> B", "text")
    assert decimal.Decimal(1) == statistics.mean([1])
    assert "calverify.keys" not in sys.modules
    assert not {name for name in os.environ if "SECRET" in name}
    return [1] * len(view)


@cv.selector("spoiler")
def spoiler(view: cv.View) -> list[int | None]:
    """Makes every other selector of its process choose the last."""
    for name in cv.SELECTORS:
        cv.SELECTORS._entries[name] = last  # type: ignore[attr-defined]
    return [1] * len(view)


@cv.selector("broken")
def broken(view: cv.View) -> list[int | None]:
    raise ZeroDivisionError("a bug of its own")


@cv.selector("floating")
def floating(view: cv.View) -> list[float]:
    return [0.5] * len(view)


@cv.selector("short")
def short(view: cv.View) -> list[int | None]:
    return [1] * (len(view) + 1)


@cv.selector("leaving")
def leaving(view: cv.View) -> list[int | None]:
    os._exit(0)
