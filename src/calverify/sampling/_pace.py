"""How many requests may be under way at once: one more for each round that goes well, half as many where a source is
overloaded, none while it asks everybody to wait.
"""

import asyncio
from collections import deque

__all__ = ["Pace"]


class Pace:
    """A gate with `limit` places, at most `most`.

    Requests that were let in before the limit fell say nothing about the new one, so a storm halves it once.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(most)
        self.inside = 0
        self.reached = False  # was the source ever there?
        self._round = 0
        self._held_until = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> int:
        """Wait for a place; the round in which it was given, which `slow` wants back."""
        if self._waiting or not self._open():
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():  # given and never used
                    self.leave()
                raise
        else:
            self.inside += 1
        return self._round

    def leave(self) -> None:
        self.inside -= 1
        self._let_in()

    def gain(self) -> None:
        """A request went well."""
        self.reached = True
        self.limit = min(self.most, self.limit + 1 / self.limit)
        self._let_in()

    def slow(self, entered: int) -> None:
        """A request of that round found the source overloaded."""
        if entered == self._round:
            self.limit = max(1.0, self.limit / 2)
            self._round += 1

    def hold(self, seconds: float) -> None:
        """Let nobody in for so long; the source asked for it."""
        loop = asyncio.get_running_loop()
        self._held_until = max(self._held_until, loop.time() + seconds)
        loop.call_later(seconds, self._let_in)

    def _open(self) -> bool:
        return self.inside < int(self.limit) and asyncio.get_running_loop().time() >= self._held_until

    def _let_in(self) -> None:
        while self._waiting and self._open():
            place = self._waiting.popleft()
            if not place.done():  # else whoever waited was cancelled
                self.inside += 1
                place.set_result(None)
