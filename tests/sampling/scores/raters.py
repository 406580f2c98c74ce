"""Raters and what they rate, for tests of scores: a source that says what a test tells it to, and a frozen folder."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import calverify as cv
from calverify.archives import Manifest, freeze
from calverify.sampling import Completion, Reply, Request
from tests.sampling.runs import distinct
from tests.views import pool_of

Said = Callable[[Request, int], Sequence[str | Completion] | Exception]


class Says:
    """A source in this process: `said` gives the texts for a request, or the trouble to raise."""

    name = "says"

    def __init__(self, said: Said) -> None:
        self.said = said
        self.asked: list[Request] = []

    def manifest(self) -> Manifest:
        return Manifest("says", model="oracle", adapter="lora", sampling={"backend": "test"})

    def settings(self) -> dict[str, Any]:
        return {"kind": "says"}

    async def complete(self, request: Request, want: int) -> Reply:
        self.asked.append(request)
        texts = self.said(request, want)
        if isinstance(texts, Exception):
            raise texts
        return Reply(tuple(text if isinstance(text, Completion) else Completion(text) for text in texts[:want]), 10, 2)

    async def close(self) -> None:
        pass


def frozen_folder(folder: Path, packed: bool = False) -> Path:
    """Two problems with two pools each, of three candidates."""
    problems = distinct(2)
    pools = [
        pool_of(problem, [f"{problem.id} {seed} ANSWER: {name}" for name in "MUP"], seed=seed)
        for problem in problems
        for seed in (0, 1)
    ]
    freeze(folder, problems, pools, Manifest("base", model="tiny"), packed=packed)
    return folder


def trace_in(request: Request) -> str:
    """The trace that a rater is shown."""
    text = request.messages[-1][1]
    return text.partition("BEGIN TRACE ")[2].partition("\n")[2].partition("\nEND TRACE")[0]


def problem() -> cv.Problem:
    return distinct(1)[0]
