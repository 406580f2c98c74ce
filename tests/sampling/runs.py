"""Runs against the loopback server: small problems, and what their pools must be in the end."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import calverify as cv
from calverify.sampling import Endpoint, Retries, RunFolder, RunSettings, freeze_run, start_run
from calverify.tasks import prompt
from tests.sampling.loopback import text_of

# Waits as short as a test can bear.  Tries are many, because a script may misbehave often.
HASTY = Retries(tries=60, first_s=0.002, most_s=0.02)


def begin(
    folder: Path, url: str, *, count: int = 3, endpoint: dict[str, Any] | None = None, **settings: Any
) -> RunFolder:
    """A new run of `count` problems with two seeds."""
    source = Endpoint(model="tiny", base_url=url, **(endpoint or {}))
    told = {"k": 4, "seeds": (0, 1), "concurrency": 8, **settings}
    return start_run(folder, distinct(count), source, RunSettings(**told))


def distinct(count: int) -> list[cv.Problem]:
    """Problems with prompts of their own, so that no answer fits two of them."""
    found = []
    for number in range(count):
        graph = cv.Graph.parse(f"U{number} -> X, U{number} -> Y, X -> M -> Y, P -> Y")
        found.append(cv.Problem(f"w{number}", cv.Query("backdoor", ("X", "Y")), graph))
    return found


def expected(run: RunFolder) -> dict[tuple[str, int], list[str]]:
    """What each pool must hold: the text of its own prompt and of the seed of each place."""
    return {
        (name, seed): [text_of(prompt(problem), (seed << 16) + index) for index in range(run.settings.k)]
        for name, problem in run.problems.items()
        for seed in run.settings.seeds
    }


def source_of(run: RunFolder, **changed: Any) -> Endpoint:
    return Endpoint.from_settings({**run.source, **changed}, {})


def pools_of(run: RunFolder, folder: Path) -> dict[tuple[str, int], Sequence[str]]:
    """The pools of the run, frozen into that folder and read back."""
    from calverify.archives import read_archive

    freeze_run(run, source_of(run), folder)
    return {(pool.problem, pool.seed): list(pool.texts) for pool in read_archive(folder).pools}
