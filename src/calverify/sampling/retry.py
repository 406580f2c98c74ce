"""Ask until it is answered: which waits a source names, how long we wait by ourselves, and when we give up."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from hashlib import sha256
from math import isfinite
from typing import TypeVar

from calverify.errors import CalverifyError
from calverify.sampling._pace import Pace
from calverify.sampling._request import Passing

__all__ = ["GaveUp", "Retries", "persist", "wait_named"]

Answer = TypeVar("Answer")


class GaveUp(Exception):
    """Every try met trouble; the last one is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How often to ask, and how long to wait between: twice as long each time, a quarter more or less.

    A source that asks for more than `longest_s` stops the run, which is resumed later.  One that was never reached is
    tried fewer times: it may not be there at all.
    """

    tries: int = 12
    unreached: int = 5
    first_s: float = 0.5
    most_s: float = 30.0
    longest_s: float = 600.0

    def wait_s(self, tries: int, key: str) -> float:
        """The wait after so many tries; the key spreads requests that failed together, the same way every time."""
        lot = int.from_bytes(sha256(f"{key} {tries}".encode("utf-8", "backslashreplace")).digest()[:4]) / 2**32
        return float(min(self.most_s, self.first_s * 2 ** min(tries - 1, 30)) * (0.75 + lot / 2))


async def persist(attempt: Callable[[], Awaitable[Answer]], retries: Retries, pace: Pace, key: str) -> Answer:
    """What `attempt` gives in the end; `GaveUp` where it never does."""
    tries = 0
    while True:
        entered = await pace.enter()
        try:
            answer = await attempt()
        except Passing as trouble:
            tries += 1
            pace.reached = pace.reached or trouble.reached
            most = retries.tries if pace.reached else retries.unreached
            wait_s = _wait_after(trouble, replace(retries, tries=min(most, retries.tries)), tries, key)
            if trouble.overloaded:
                pace.slow(entered)
                if trouble.wait_s is not None:
                    pace.hold(trouble.wait_s)
        else:
            pace.gain()
            return answer
        finally:
            pace.leave()
        await asyncio.sleep(wait_s)


def _wait_after(trouble: Passing, retries: Retries, tries: int, key: str) -> float:
    named = trouble.wait_s
    if named is not None and named > retries.longest_s:
        raise CalverifyError(
            f"{trouble}: it asks to wait {named:,.0f} s, and we wait at most {retries.longest_s:,.0f}; resume the run "
            "then"
        ) from None
    if tries >= retries.tries:
        raise GaveUp(f"{trouble} (tried {tries} times)") from None
    own = retries.wait_s(tries, key)
    return own if named is None else max(own, named + min(own, retries.first_s))


def wait_named(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds that a response asks to wait, None where it names none that can be read.

    A date is read against the source's own clock where it shows one, else against `now`, in seconds since 1970.
    """
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return max(0.0, exact / 1000)
    said = headers.get("retry-after")
    seconds = _number(said)
    if seconds is None:
        until, theirs = _date(said), _date(headers.get("date"))
        seconds = None if until is None else until - (now if theirs is None else theirs)
    return None if seconds is None else max(0.0, seconds)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if isfinite(number) else None


def _date(text: str | None) -> float | None:
    try:
        return parsedate_to_datetime(text or "").timestamp()
    except (ValueError, OverflowError, OSError):
        return None
