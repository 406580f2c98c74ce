"""Selectors of the tests, for the blind process: honest ones, and one for each way to cheat or fail.

What a cheat is after stands in a file beside the archive; its name comes in the problem's text.
"""

import os
import sys
from collections.abc import Callable
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
    "a name in bytes": lambda view: opened(bytes(secret(view), "utf-8")),
}  # fmt: skip


@cv.selector("one_cheat")
def one_cheat(view: cv.View) -> list[int | None]:
    """The plainest way, with the error left to itself."""
    return [len(opened(secret(view)))] * len(view)


@cv.selector("every_cheat")
def every_cheat(view: cv.View) -> list[int | None]:
    """Every way in turn; what gets through is a bug, and what is refused is swallowed."""
    for name, way in CHEATS.items():
        try:
            way(view)
        except PermissionError:
            continue
        raise AssertionError(f"{name} got through")
    sys.addaudithook(print)  # Python itself swallows this refusal
    return [1] * len(view)


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
