"""A sampling run: a folder that holds its problems, its settings and its journal, and is frozen when it is whole.

Rule 1: the folder is all that a resumed run needs, save the key of the endpoint, which is written nowhere.
Rule 2: a pool with fewer candidates than asked for is named in the manifest and never padded.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from json import dumps
from pathlib import Path
from typing import Any

from calverify.archives import Manifest, make_folder, read_bytes, read_problems, write_atomically
from calverify.errors import CalverifyError, RecordError
from calverify.names import brief, exact_number
from calverify.pools import Candidate, Pool
from calverify.problem import Problem
from calverify.records import json_line, located, read_fields, read_list, read_strict_json, write_lines
from calverify.sampling._drive import Progress, Sampler
from calverify.sampling._journal import Entry, Journal, batches
from calverify.sampling._request import MOST_CANDIDATES, MOST_SEEDS, Parameters, Source
from calverify.sampling._tally import Prices, Tally, Unit
from calverify.sampling._whole import freeze_whole
from calverify.sampling.retry import Retries
from calverify.traces import PROMPT_VERSION

__all__ = ["FROZEN", "RunFolder", "RunSettings", "freeze_run", "open_run", "prices_of", "start_run"]

RUN, PROBLEMS, JOURNAL, FROZEN = "run.json", "problems.jsonl", "journal.jsonl", "frozen"
BEFORE_RUN = {PROBLEMS, f".{PROBLEMS}.draft", f".{RUN}.draft"}  # what a crash leaves of a run that never began
REASONING = ("apart", "joined")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """What is sampled: `k` candidates for each problem and seed, `concurrency` calls at once.

    `reasoning` says what a trace is where the source keeps the reasoning apart: what was said alone ("apart"), or the
    reasoning in a think block before it ("joined").  Prices are those of a million tokens in, and out.
    """

    k: int = 8
    seeds: tuple[int, ...] = (0,)
    parameters: Parameters = field(default_factory=Parameters)
    concurrency: int = 16
    tries: int = 12
    prices: Prices | None = None
    reasoning: str = "apart"
    command: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.k <= MOST_CANDIDATES:
            raise CalverifyError(f"k must lie between 1 and {MOST_CANDIDATES:,}, not {self.k}")
        if self.k > 1 and not self.parameters.temperature:
            raise CalverifyError(
                f"at temperature 0 all {self.k} candidates of a pool would be one text; ask for k = 1, or raise the "
                "temperature"
            )
        if not all(type(seed) is int and 0 <= seed < MOST_SEEDS for seed in self.seeds):
            raise CalverifyError(f"seeds lie between 0 and {MOST_SEEDS - 1:,}, not {brief(list(self.seeds))}")
        if not self.seeds or len(set(self.seeds)) < len(self.seeds):
            raise CalverifyError(f"a run needs seeds, each once, not {brief(list(self.seeds))}")
        if self.concurrency < 1 or self.tries < 1:
            raise CalverifyError("a run needs at least one call at once, and one try")
        if self.reasoning not in REASONING:
            raise CalverifyError(f"reasoning is kept {' or '.join(REASONING)}, not {self.reasoning!r}")

    def to_json(self) -> dict[str, Any]:
        record = {name: getattr(self, name) for name in ("k", "concurrency", "tries", "reasoning", "command")}
        record["prices"] = None if self.prices is None else [str(price) for price in self.prices]
        kept = {name: value for name, value in record.items() if value is not None}
        return {**kept, "seeds": list(self.seeds), "parameters": self.parameters.to_json()}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "RunSettings":
        kinds = {
            "k": int, "seeds": list, "parameters": dict, "concurrency": int, "tries": int, "prices": list,
            "reasoning": str, "command": str,
        }  # fmt: skip
        read = read_fields("settings", record, kinds, needed=("k", "seeds", "parameters"))
        prices = None
        if "prices" in read:
            prices = prices_of(read_list("settings", "prices", read["prices"]))
        parameters = Parameters.from_json(read["parameters"])
        return cls(**{**read, "seeds": tuple(read["seeds"]), "parameters": parameters, "prices": prices})


def prices_of(said: Sequence[object]) -> Prices:
    """The prices of a million tokens in and out; refused unless both are numbers from 0 on."""
    found = [exact_number(price) for price in said]
    match found:
        case [Fraction() as price_in, Fraction() as price_out] if price_in >= 0 and price_out >= 0:
            return price_in, price_out
    raise CalverifyError(f"prices are two numbers from 0 on, of a million tokens in and out, not {list(said)}")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A run on the disk.  `source` is the record that makes its source again."""

    folder: Path
    problems: dict[str, Problem]
    source: Mapping[str, Any]
    settings: RunSettings

    def tally(self) -> tuple[Tally, int]:
        """What the journal holds, and the byte where its last whole reply ends."""
        units = [(name, seed) for name in self.problems for seed in self.settings.seeds]
        tally, end = Tally(units, self.settings.k), 0
        for end, batch in batches(self.folder / JOURNAL):  # noqa: B007 - the last one is returned
            with located(str(self.folder / JOURNAL)):
                tally.add(batch)
        return tally, end

    def forget_unbegun(self) -> None:
        """Take the folder away again where nothing was sampled into it."""
        if self.tally()[0].done:
            return
        for name in (RUN, JOURNAL, PROBLEMS):
            (self.folder / name).unlink(missing_ok=True)
        if not any(self.folder.iterdir()):
            self.folder.rmdir()

    def sample(
        self,
        source: Source,
        *,
        progress: Callable[[Progress], None] | None = None,
        retries: Retries | None = None,
    ) -> Tally:
        """Sample whatever is missing; what the run has then.  After any end it can be called again."""
        return asyncio.run(self._sample(source, progress, retries))

    async def _sample(
        self, source: Source, progress: Callable[[Progress], None] | None, retries: Retries | None
    ) -> Tally:
        journal = Journal(self.folder / JOURNAL)  # first of all, so that nobody else writes from here on
        try:
            tally, end = self.tally()
            journal.cut(end)
            sampler = Sampler(
                problems=self.problems,
                parameters=self.settings.parameters,
                source=source,
                journal=journal,
                tally=tally,
                retries=retries or Retries(tries=self.settings.tries),
                concurrency=self.settings.concurrency,
                progress=progress,
            )
            await sampler.run()
        finally:
            journal.close()
        return tally


# ---------------------------------------------------------------- the folder


def start_run(folder: str | Path, problems: Iterable[Problem], source: Source, settings: RunSettings) -> RunFolder:
    """A new run in a new folder; nothing is sampled yet."""
    folder, known = Path(folder), {problem.id: problem for problem in problems}
    if not known:
        raise CalverifyError("there is no problem to sample for")
    if folder.exists() and (not folder.is_dir() or {entry.name for entry in folder.iterdir()} - BEFORE_RUN):
        hint = f"; calverify sample --resume {folder} goes on with it" if (folder / RUN).is_file() else ""
        raise CalverifyError(f"{folder} is not empty: name a new folder{hint}")
    make_folder(folder)
    rows = write_lines([problem.to_json() for problem in known.values()], PROBLEMS)
    record = {
        "prompt_version": PROMPT_VERSION,
        "problems": sha256(rows).hexdigest(),
        "settings": settings.to_json(),
        "source": source.settings(),
    }
    write_atomically(folder / PROBLEMS, rows)
    write_atomically(folder / RUN, json_line(record))  # the last one: a folder without it never began
    return RunFolder(folder, known, source.settings(), settings)


def open_run(folder: str | Path) -> RunFolder:
    """The run of a folder."""
    folder = Path(folder)
    if not (folder / RUN).is_file():
        raise RecordError(f"{folder} is no sampling run: there is no {RUN} in it; calverify sample starts one")
    with located(str(folder / RUN)):
        read = read_strict_json(read_bytes(folder / RUN).decode("utf-8", "replace"))
        kinds = {"prompt_version": str, "problems": str, "settings": dict, "source": dict}
        record = read_fields("run", read, kinds, needed=kinds)
        settings = RunSettings.from_json(record["settings"])
        if record["prompt_version"] != PROMPT_VERSION:
            raise RecordError(
                f"the run was begun with version {record['prompt_version']} of the prompt, and this calverify asks "
                f"with version {PROMPT_VERSION}: its pools would mix two prompts"
            )
    rows = read_bytes(folder / PROBLEMS)
    if sha256(rows).hexdigest() != record["problems"]:
        raise RecordError(
            f"{folder / PROBLEMS} has changed since the run began: its pools would mix two sets of problems"
        )
    return RunFolder(folder, read_problems(rows, str(folder / PROBLEMS)), record["source"], settings)


# ---------------------------------------------------------------- freezing


def freeze_run(run: RunFolder, source: Source, folder: str | Path, *, packed: bool = False) -> Manifest:
    """Freeze what the run has into a new folder, whole or not at all; the manifest names the pools that are short."""
    tally, _ = run.tally()
    pools: dict[Unit, dict[int, str]] = {unit: {} for unit in tally.units}
    for _, batch in batches(run.folder / JOURNAL):
        for entry in batch:
            if isinstance(entry, Entry):
                pools[entry.problem, entry.seed][entry.index] = _trace(entry, run.settings.reasoning)
    return freeze_whole(
        Path(folder),
        run.problems.values(),
        (_pool(unit, texts) for unit, texts in pools.items()),
        _manifest(run, source, tally),
        packed=packed,
    )


def _trace(entry: Entry, reasoning: str) -> str:
    if reasoning == "apart" or not entry.reasoning:
        return entry.text
    return f"<think>\n{entry.reasoning}\n</think>\n{entry.text}"


def _pool(unit: Unit, texts: Mapping[int, str]) -> Pool:
    """The candidates that are there, in the order of their places."""
    ordered = (texts[place] for place in sorted(texts))
    return Pool(*unit, tuple(Candidate(index, text) for index, text in enumerate(ordered)))


def _manifest(run: RunFolder, source: Source, tally: Tally) -> Manifest:
    settings, about = run.settings, source.manifest()
    asked = settings.parameters.to_json()
    extra = asked.pop("extra_body")
    if extra:
        asked["extra_body"] = dumps(extra, sort_keys=True)
    if not asked["stop"]:
        del asked["stop"]
    sampling = {**about.sampling, **asked, "n": settings.k, "choices": tally.path, "reasoning": settings.reasoning}
    if tally.fingerprints:
        sampling["fingerprints"] = sorted(tally.fingerprints)
    if short := list(_short(tally)):
        sampling["short"] = short
    return replace(about, sampling=sampling, command=settings.command)


def _short(tally: Tally) -> Iterator[str]:
    for (problem, seed), missing in tally.short:
        places = ", ".join(map(str, missing))
        yield f"{problem}, seed {seed}: {tally.k - len(missing)} of {tally.k}, without {places}"
