"""4,000 candidates at 50 ms and 64 at once: within 1.5 times the ideal time, with memory flat.

A machine that is busy with something else is no fault of ours.  So two things are timed beside it: a bare client, which
only writes bytes to sockets and reads what comes back, and how long a second of processor takes here.  On an idle
machine neither is more than the ideal, and the run is held to that.
"""

import asyncio
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from calverify.sampling import Endpoint, RunSettings, start_run
from tests.sampling.runs import distinct

CANDIDATES, LATENCY_S, AT_ONCE, SIZE = 4_000, 0.05, 64, 8_000
IDEAL_S = CANDIDATES / AT_ONCE * LATENCY_S
MOST_TIMES = 1.5
MOST_GROWTH = 8 << 20  # bytes between the first thousand candidates and the last; their texts are 24 MB
REQUEST = b'{"model":"tiny","messages":[{"role":"user","content":"x"}],"seed":1}'


@contextmanager
def server() -> Iterator[int]:
    """The port of a server in a process of its own."""
    script = Path(__file__).with_name("loopback.py")
    words = [sys.executable, str(script), "--latency", str(LATENCY_S), "--size", str(SIZE)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()


async def bare(port: int) -> None:
    """The same requests over as many sockets, and nothing done with what comes back."""
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(REQUEST)}\r\n\r\n".encode()
    left = iter(range(CANDIDATES))

    async def work() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in left:
            writer.write(head + REQUEST)
            said = (await reader.readuntil(b"\r\n\r\n")).lower()
            await reader.readexactly(int(said.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        writer.close()

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))


def slowness() -> float:
    """How many seconds a second of processor takes, now that others want it too; 1 on an idle machine."""
    began, busy = time.perf_counter(), time.process_time()
    while time.process_time() - busy < 0.3:
        sum(range(1000))
    return (time.perf_counter() - began) / (time.process_time() - busy)


def timed(folder: Path) -> dict[str, float]:
    """How long a run takes, and how many times what it could take on this machine now; how its memory grew."""
    with server() as port:
        began = time.perf_counter()
        asyncio.run(bare(port))
        bare_s = time.perf_counter() - began
        source = Endpoint(model="tiny", base_url=f"http://127.0.0.1:{port}/v1", one_by_one=True)
        run = start_run(folder, distinct(CANDIDATES // 8), source, RunSettings(k=8, concurrency=AT_ONCE))
        peaks: list[int] = []

        def watch(progress) -> None:
            if progress.done >= CANDIDATES // 4:
                peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)

        slow = slowness()
        began, busy = time.perf_counter(), time.process_time()
        tally = run.sample(source, progress=watch)
        took_s, busy_s = time.perf_counter() - began, time.process_time() - busy
    assert (tally.done, tally.failed) == (CANDIDATES, {})
    slow = (slow + slowness()) / 2
    held_to = max(IDEAL_S, bare_s, busy_s * slow)
    return {"took_s": took_s, "busy_s": busy_s, "bare_s": bare_s, "slow": slow, "growth": peaks[-1] - peaks[0],
            "times": took_s / held_to}  # fmt: skip


@pytest.mark.property
def test_as_fast_as_the_endpoint(tmp_path, capsys):
    """The best of three, because other work of the machine only ever slows it down."""
    times = []
    for turn in range(3):
        found = timed(tmp_path / f"run {turn}")
        with capsys.disabled():
            print(
                f"\n{CANDIDATES:,} candidates, {AT_ONCE} at once, {LATENCY_S * 1000:g} ms: {found['took_s']:.2f} s "
                f"({found['busy_s']:.2f} s of processor), ideal {IDEAL_S:.2f} s; bare client {found['bare_s']:.2f} s, "
                f"a second of it takes {found['slow']:.1f} s; memory grew by {found['growth'] / (1 << 20):.1f} MB"
            )
        assert found["growth"] < MOST_GROWTH
        assert found["busy_s"] < MOST_TIMES * IDEAL_S
        times.append(found["times"])
        if times[-1] <= MOST_TIMES:
            break
    assert min(times) <= MOST_TIMES
