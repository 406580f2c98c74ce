"""Sample what a run is missing: workers that take calls, ask until they are answered, and write what came.

Rule 1: a pool is asked for by one call, or a call for each 128; what a call did not give is asked for place by place,
and first of all.
Rule 2: nothing waits in memory but the calls under way: replies go to the journal and are forgotten.
Rule 3: a call that is given up is written down as such, and the run goes on; too many in a row stop it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from calverify.errors import CalverifyError
from calverify.problem import Problem
from calverify.sampling._journal import Failure, Journal, entries_of
from calverify.sampling._pace import Pace
from calverify.sampling._request import Parameters, Passing, Refused, Reply, Request, Source, ask
from calverify.sampling._tally import Tally, Unit
from calverify.sampling.retry import GaveUp, Retries, persist

__all__ = ["MOST_GIVEN_UP", "Progress", "Sampler"]

TICK_S = 0.25  # between two looks at the progress
MOST_GIVEN_UP = 10  # calls in a row, before the run stops
MOST_CHOICES = 128  # of one call: hosted endpoints give no more


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: candidates there, of how many, calls that were given up since it began, and what is wrong."""

    done: int
    total: int
    failed: int
    limit: int
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """Ask for `want` candidates of a pool, from `index` on."""

    unit: Unit
    index: int
    want: int


class Calls:
    """The calls of a run, made when somebody takes them; what a call did not give goes before the rest."""

    def __init__(self, tally: Tally) -> None:
        self._rest = _calls_of(tally)
        self._next: deque[Call] = deque()
        self._taken = 0
        self._changed = asyncio.Event()

    async def take(self) -> Call | None:
        """The next call; None when there is none and no call under way can leave one."""
        while True:
            call = self._next.popleft() if self._next else next(self._rest, None)
            if call is not None:
                self._taken += 1
                return call
            if not self._taken:
                return None
            self._changed.clear()
            await self._changed.wait()

    def put_back(self, call: Call, given: int) -> None:
        """The call is over; ask one by one for what it did not give."""
        rest = range(call.index + given, call.index + call.want) if given else ()
        self._next.extend(Call(call.unit, index, 1) for index in rest)
        self._taken -= 1
        self._changed.set()


def _calls_of(tally: Tally) -> Iterator[Call]:
    for unit in tally.units:
        missing = set(tally.missing(unit))
        for first in range(0, tally.k if missing else 0, MOST_CHOICES):
            places = range(first, min(first + MOST_CHOICES, tally.k))
            if missing.issuperset(places):
                yield Call(unit, first, len(places))
            else:
                yield from (Call(unit, index, 1) for index in places if index in missing)


@dataclass(slots=True, kw_only=True)
class Sampler:
    """Everything that the workers of a run share."""

    problems: dict[str, Problem]
    parameters: Parameters
    source: Source
    journal: Journal
    tally: Tally
    retries: Retries
    concurrency: int
    progress: Callable[[Progress], None] | None = None
    given_up: int = 0
    _in_a_row: int = 0
    _trouble: str = ""

    async def run(self) -> None:
        """Sample all that is missing; raises what stopped it."""
        calls, pace = Calls(self.tally), Pace(self.concurrency)
        workers = [asyncio.create_task(self._work(calls, pace)) for _ in range(self.concurrency)]
        beside = [asyncio.create_task(self.journal.forced()), asyncio.create_task(self._tell(pace))]
        try:
            waiting = {*workers, *beside}
            while not all(worker.done() for worker in workers):
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()  # raises what stopped it
        finally:
            for task in (*workers, *beside):
                task.cancel()
            await asyncio.gather(*workers, *beside, return_exceptions=True)
            await self.source.close()
            self._say(pace)

    async def _work(self, calls: Calls, pace: Pace) -> None:
        while (call := await calls.take()) is not None:
            request = ask(self.problems[call.unit[0]], call.unit[1], call.index, self.parameters)
            key = f"{call.unit} {call.index}"
            try:
                reply = await persist(partial(self._attempt, request, call.want), self.retries, pace, key)
            except (GaveUp, Refused) as why:
                if isinstance(why, Refused) and not self.tally.done:  # then it is the run that cannot be asked for
                    raise
                self._give_up(call, str(why))
                calls.put_back(call, 0)
            else:
                self._keep(call, reply)
                calls.put_back(call, len(reply.completions))

    async def _attempt(self, request: Request, want: int) -> Reply:
        try:
            return await self.source.complete(request, want)
        except Passing as trouble:
            self._trouble = str(trouble)
            raise

    def _keep(self, call: Call, reply: Reply) -> None:
        entries = entries_of(call.unit, call.index, call.want, reply)
        self.tally.add(entries)
        self.journal.write(entries)
        self._in_a_row, self._trouble = 0, ""

    def _give_up(self, call: Call, why: str) -> None:
        problem, seed = call.unit
        failure = Failure(problem=problem, seed=seed, index=call.index, wanted=call.want, failed=why)
        self.tally.add([failure])
        self.journal.write([failure])
        self.given_up += 1
        self._in_a_row += 1
        if self._in_a_row >= MOST_GIVEN_UP:
            raise CalverifyError(f"{self._in_a_row} calls in a row were given up, so the run stops here: {why}")

    async def _tell(self, pace: Pace) -> None:
        while True:
            self._say(pace)
            await asyncio.sleep(TICK_S)

    def _say(self, pace: Pace) -> None:
        if self.progress is not None:
            done, total = self.tally.done, self.tally.total
            self.progress(Progress(done, total, self.given_up, int(pace.limit), self._trouble))
