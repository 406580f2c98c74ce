"""Asking until it is answered: which waits are named, how long we wait by ourselves, when we give up."""

import asyncio
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calverify.errors import CalverifyError
from calverify.sampling import Passing, Retries
from calverify.sampling._pace import Pace
from calverify.sampling.retry import GaveUp, persist, wait_named

NOW = 1_800_000_000.0

NAMED = [
    ("nothing", {}, None),
    ("seconds", {"retry-after": "7"}, 7.0),
    ("half a second", {"retry-after": "0.5"}, 0.5),
    ("milliseconds", {"retry-after-ms": "250"}, 0.25),
    ("milliseconds before seconds", {"retry-after-ms": "250", "retry-after": "7"}, 0.25),
    ("a date", {"retry-after": formatdate(NOW + 30, usegmt=True)}, 30.0),
    ("a date by the server's clock", {"retry-after": formatdate(NOW + 30, usegmt=True),
                                      "date": formatdate(NOW + 20, usegmt=True)}, 10.0),
    ("a date that is over", {"retry-after": formatdate(NOW - 30, usegmt=True)}, 0.0),
    ("a number below 0", {"retry-after": "-3"}, 0.0),
    ("no number", {"retry-after": "soon"}, None),
    ("not a number", {"retry-after": "nan"}, None),
    ("for ever", {"retry-after": "inf"}, None),
    ("seconds where milliseconds say nothing", {"retry-after-ms": "x", "retry-after": "2"}, 2.0),
    ("a date far off", {"retry-after": "Fri, 31 Dec 99999 23:59:59 GMT"}, None),
]  # fmt: skip


@pytest.mark.parametrize("headers, wait_s", [row[1:] for row in NAMED], ids=[row[0] for row in NAMED])
def test_waits_that_are_named(headers, wait_s):
    assert wait_named(headers, NOW) == wait_s


@given(st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms", "date"]), st.text(max_size=30)))
def test_any_header_names_a_wait_or_none(headers):
    found = wait_named(headers, NOW)
    assert found is None or 0 <= found < float("inf")


def test_our_own_waits_double_up_to_the_most():
    """Within a quarter either way, and the same for the same key."""
    retries = Retries(first_s=0.5, most_s=30.0)
    for tries, around in enumerate([0.5, 1, 2, 4, 8, 16, 30, 30, 30], start=1):
        waits = {retries.wait_s(tries, f"unit {number}") for number in range(50)}
        assert len(waits) > 40
        assert 0.75 * around <= min(waits)
        assert max(waits) <= 1.25 * around
    assert retries.wait_s(3, "a") == retries.wait_s(3, "a")
    assert retries.wait_s(10_000, "a") <= 37.5


class Clock:
    """Sleeping is written down and takes no time."""

    def __init__(self, monkeypatch):
        self.slept = []
        real = asyncio.sleep

        async def sleep(seconds):
            self.slept.append(seconds)
            await real(0)

        monkeypatch.setattr("calverify.sampling.retry.asyncio.sleep", sleep)


def persisted(troubles, retries, pace=None):
    """What `persist` gives where the first tries meet these troubles."""
    left = list(troubles)

    async def attempt():
        if left:
            raise left.pop(0)
        return "said"

    async def main():
        return await persist(attempt, retries, pace or Pace(4), "key")

    return asyncio.run(main())


def test_named_wait_is_kept(monkeypatch):
    """And our own where that is longer: a server may name one second for an hour."""
    clock = Clock(monkeypatch)
    assert persisted([Passing("x", wait_s=7.0)] * 6, Retries()) == "said"
    assert all(7.0 < slept <= 7.5 for slept in clock.slept[:4])
    assert clock.slept[5] > 8.0


def test_given_up_after_the_last_try(monkeypatch):
    clock = Clock(monkeypatch)
    with pytest.raises(GaveUp, match=r"^slow down \(tried 3 times\)$"):
        persisted([Passing("slow down")] * 3, Retries(tries=3))
    assert len(clock.slept) == 2


def test_source_that_was_never_there_is_given_up_sooner(monkeypatch):
    """A wrong address is told within seconds; once the source was there, its absence is borne like any trouble."""
    Clock(monkeypatch)
    away, retries = Passing("nobody listens", reached=False), Retries(tries=12, unreached=3)
    with pytest.raises(GaveUp, match=r"tried 3 times"):
        persisted([away] * 3, retries)
    assert persisted([away, Passing("429"), *[away] * 9], retries) == "said"
    with pytest.raises(GaveUp, match=r"tried 2 times"):
        persisted([away] * 2, Retries(tries=2))


def test_wait_of_an_hour_stops_the_run(monkeypatch):
    """It is resumed then, and no process sits there until."""
    Clock(monkeypatch)
    with pytest.raises(CalverifyError, match="it asks to wait 3,600 s, and we wait at most 600; resume the run then"):
        persisted([Passing("quota", wait_s=3600.0)], Retries())


def test_other_errors_are_not_tried_again():
    with pytest.raises(CalverifyError, match="bad key"):
        persisted([CalverifyError("bad key")], Retries())


# ---------------------------------------------------------------- how many at once


def test_storm_halves_the_pace_once():
    """Requests that were let in before say nothing about the new limit."""

    async def main():
        pace = Pace(16)
        rounds = [await pace.enter() for _ in range(16)]
        for entered in rounds:
            pace.slow(entered)
            pace.leave()
        assert int(pace.limit) == 8
        pace.slow(await pace.enter())
        assert int(pace.limit) == 4
        for _ in range(40):
            pace.slow(pace._round)
        assert pace.limit == 1.0

    asyncio.run(main())


def test_one_more_for_each_round_that_goes_well():
    async def main():
        pace = Pace(8)
        pace.limit = 2.0
        for _ in range(3):
            pace.gain()
        assert 2.9 < pace.limit < 3.4
        for _ in range(100):
            pace.gain()
        assert pace.limit == 8

    asyncio.run(main())


def test_never_more_inside_than_the_limit():
    async def main():
        pace, most = Pace(3), 0

        async def work():
            nonlocal most
            await pace.enter()
            most = max(most, pace.inside)
            await asyncio.sleep(0)
            pace.leave()

        await asyncio.gather(*(work() for _ in range(40)))
        assert (most, pace.inside) == (3, 0)

    asyncio.run(main())


def test_nobody_enters_while_held():
    async def main():
        pace = Pace(4)
        pace.hold(0.05)
        pace.hold(0.01)  # a shorter one does not end a longer one
        began = asyncio.get_running_loop().time()
        await pace.enter()
        assert asyncio.get_running_loop().time() - began >= 0.049

    asyncio.run(main())


def test_cancelled_while_waiting_leaves_no_place_taken():
    async def main():
        pace = Pace(1)
        await pace.enter()
        waiting = [asyncio.create_task(pace.enter()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
        pace.leave()
        waiting[1].cancel()  # its place was given, and is given on
        await asyncio.sleep(0)
        await waiting[2]
        assert pace.inside == 1

    asyncio.run(main())
