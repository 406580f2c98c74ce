"""The whole job: rate every candidate of a frozen folder, and freeze the same pools with their scores anew.

Rule 1: the folder that is rated is not touched, and one that is sealed is not rated: what was sealed is what is judged.
Rule 2: a rating that failed is stored as null; nothing becomes a 0, and nothing is left out without a word.
Rule 3: where a source could not be asked at all, nothing is frozen; the same command goes on where it stopped.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from calverify.archives import MANIFEST, Archive, Manifest, Ratings, check_new, read_archive, read_bytes, read_log
from calverify.errors import CalverifyError
from calverify.pools import Candidate, Pool
from calverify.sampling._drive import MOST_GIVEN_UP
from calverify.sampling._pace import Pace
from calverify.sampling._request import Refused, Reply, Request
from calverify.sampling._whole import freeze_whole
from calverify.sampling.retry import GaveUp, Retries, persist
from calverify.sampling.scores._ledger import Key, Ledger
from calverify.sampling.scores._rating import Rater, Rating, Unit

__all__ = ["Missing", "Scored", "score_with"]

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Missing:
    """A candidate that could not be asked about, and why."""

    problem: str
    seed: int
    index: int
    why: str

    def to_json(self) -> dict[str, Any]:
        return {"problem": self.problem, "seed": self.seed, "index": self.index, "why": self.why}


@dataclass(frozen=True, slots=True)
class Scored:
    """What came of it; `manifest` is None where ratings are missing and nothing was frozen."""

    score: str
    rated: int
    failed: tuple[Missing, ...]
    missing: tuple[Missing, ...]
    tokens_in: int
    tokens_out: int
    ledger: Path
    manifest: Manifest | None

    def to_json(self) -> dict[str, Any]:
        return {
            "score": self.score,
            "rated": self.rated,
            "failed": [one.to_json() for one in self.failed],
            "missing": [one.to_json() for one in self.missing],
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "ledger": str(self.ledger),
            "manifest": None if self.manifest is None else self.manifest.to_json(),
        }


def score_with(
    rater: Rater,
    folder: str | Path,
    out: str | Path,
    *,
    at_once: int = 16,
    retries: Retries | None = None,
    progress: Progress | None = None,
) -> Scored:
    """Rate the pools of a frozen folder and freeze them with their scores in the new folder `out`.

    What was rated lies in `out`.ratings.jsonl from the first rating on, so the same call goes on after a stop.
    `progress` is told how many candidates are rated by now, and how many of them failed.
    """
    folder, out = Path(folder), Path(out)
    archive = _to_rate(folder, out, rater.score)
    head = {"rates": sha256(read_bytes(folder / MANIFEST)).hexdigest(), "score": rater.score, **rater.made()}
    ledger = Ledger.open(out.with_name(f"{out.name}.ratings.jsonl"), head)
    try:
        missing = asyncio.run(_rate(rater, archive, ledger, _How(at_once, retries or Retries(), progress)))
        manifest = None if missing else _frozen(rater, archive, ledger, out)
    finally:
        ledger.close()
    tokens = [(rating.tokens_in, rating.tokens_out) for rating in ledger.ratings.values()]
    scored = sum(rating.score is not None for rating in ledger.ratings.values())
    failed = tuple(
        Missing(*unit.key, ledger.ratings[unit.key].why)
        for unit in _units(archive)
        if unit.key in ledger.ratings and ledger.ratings[unit.key].score is None
    )
    spent_in, spent_out = (sum(part) for part in zip(*tokens, strict=True)) if tokens else (0, 0)
    return Scored(rater.score, scored, failed, tuple(missing), spent_in, spent_out, ledger.path, manifest)


def _to_rate(folder: Path, out: Path, score: str) -> Archive:
    """The archive that is to be rated; refused where it may not be, before anything is asked."""
    archive = read_archive(folder)
    if any(step.step == "seal" for step in read_log(folder)):
        raise CalverifyError(
            f"{folder} is sealed, and what is sealed gets no further scores: rate pools before they are sealed"
        )
    for pool in archive.pools:
        if any(score in candidate.scores for candidate in pool.candidates):
            raise CalverifyError(
                f"{folder} has {score} scores already, in the pool of {pool.problem!r}, seed {pool.seed}; rate the "
                "folder that it was made from"
            )
    check_new(out)
    return archive


def _units(archive: Archive) -> list[Unit]:
    return [
        Unit(archive.problems[pool.problem], pool.seed, candidate)
        for pool in archive.pools
        for candidate in pool.candidates
    ]


# ---------------------------------------------------------------- asking


@dataclass(frozen=True, slots=True)
class _How:
    at_once: int
    retries: Retries
    progress: Progress | None

    def tell(self, ledger: Ledger) -> None:
        if self.progress is not None:
            self.progress(len(ledger.ratings), ledger.failed)


async def _rate(rater: Rater, archive: Archive, ledger: Ledger, how: _How) -> list[Missing]:
    """Rate what the ledger does not hold; the candidates that could not be asked about, in order."""
    todo = [unit for unit in _units(archive) if unit.key not in ledger.ratings]
    waiting = iter(todo)
    pace = Pace(how.at_once)
    missing: dict[Key, Missing] = {}
    in_a_row = 0
    how.tell(ledger)

    async def ask(request: Request, want: int) -> Reply:
        assert rater.source is not None, rater
        key = f"{request.problem.id} {request.seed} {request.index}"
        return await persist(partial(rater.source.complete, request, want), how.retries, pace, key)

    async def work() -> None:
        nonlocal in_a_row
        for unit in waiting:  # shared: each worker takes the next
            try:
                rating = await rater.rate(unit, ask)
            except (GaveUp, Refused) as trouble:
                if isinstance(trouble, Refused) and not ledger.ratings:  # then nothing can be asked about
                    raise
                missing[unit.key] = Missing(*unit.key, str(trouble))
                in_a_row += 1
                if in_a_row >= MOST_GIVEN_UP:
                    raise CalverifyError(f"{in_a_row} ratings in a row were given up: {trouble}") from None
                continue
            ledger.add(unit, rating)
            in_a_row = 0
            how.tell(ledger)

    workers = [asyncio.create_task(work()) for _ in range(min(how.at_once, len(todo)))]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        if rater.source is not None:
            await rater.source.close()
    return [missing[unit.key] for unit in todo if unit.key in missing]


# ---------------------------------------------------------------- freezing


def _frozen(rater: Rater, archive: Archive, ledger: Ledger, out: Path) -> Manifest:
    """The pools with their scores, frozen as they were: same order, same texts, other scores kept."""
    pools = [_with_scores(pool, rater.score, ledger.ratings) for pool in archive.pools]
    scores = [candidate.scores[rater.score] for pool in pools for candidate in pool.candidates]
    file = next(name for name in archive.manifest.files if name.startswith("pools"))
    failed = sum(score is None for score in scores)
    made = Ratings(pools=archive.manifest.files[file].sha256, rated=len(scores) - failed, failed=failed, **rater.made())
    manifest = replace(archive.manifest, scores={**archive.manifest.scores, rater.score: made})
    return freeze_whole(out, archive.problems.values(), pools, manifest, packed=file.endswith(".gz"))


def _with_scores(pool: Pool, name: str, ratings: Mapping[Key, Rating]) -> Pool:
    def rated(candidate: Candidate) -> Candidate:
        score = ratings[pool.problem, pool.seed, candidate.index].score
        return replace(candidate, scores={**candidate.scores, name: score})

    return replace(pool, candidates=tuple(map(rated, pool.candidates)))
