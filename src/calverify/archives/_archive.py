"""An archive: problems and the pools sampled for them, as they were frozen, and nothing beside them.

Rule 1: order is kept for ever: problems, pools and candidates come back in the order in which they were frozen.
Rule 2: nothing is dropped or mended.  A file that is not what it was is refused, with the file, the line and what was
expected there.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from calverify.archives._manifest import FrozenFile, Manifest
from calverify.errors import RecordError
from calverify.pools import Pool
from calverify.problem import Problem
from calverify.records import located, read_lines, read_strict_json, write_lines

__all__ = ["MANIFEST", "Archive", "archive_of", "bytes_of", "read_pools", "read_problems"]

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Archive:
    """Problems by their id, the pools in order, and the manifest of the files that they were read from."""

    problems: Mapping[str, Problem]
    pools: tuple[Pool, ...]
    manifest: Manifest

    def prefix(self, k: int) -> "Archive":
        """The first `k` candidates of every pool; the manifest stays that of the whole."""
        return replace(self, pools=tuple(pool.prefix(k) for pool in self.pools))

    def subset(self, ids: Collection[str]) -> "Archive":
        """These problems and their pools, in the archive's order; an id that it does not hold is refused."""
        for name in ids:
            if name not in self.problems:
                raise RecordError(f"the archive holds no problem {name!r}")
        problems = {name: problem for name, problem in self.problems.items() if name in ids}
        return replace(self, problems=problems, pools=tuple(pool for pool in self.pools if pool.problem in problems))


# ---------------------------------------------------------------- values to bytes


def bytes_of(
    problems: Sequence[Problem], pools: Sequence[Pool], manifest: Manifest, *, packed: bool = False
) -> dict[str, bytes]:
    """The bytes of every file of a frozen folder, by name; the same values always give the same bytes."""
    suffix = ".jsonl.gz" if packed else ".jsonl"
    rows = {"problems": [problem.to_json() for problem in problems], "pools": [pool.to_json() for pool in pools]}
    files = {name + suffix: write_lines(records, name + suffix) for name, records in rows.items()}
    frozen = {
        name: FrozenFile(sha256(data).hexdigest(), len(rows[name.partition(".")[0]])) for name, data in files.items()
    }
    full = replace(
        manifest,
        seeds=tuple(sorted({pool.seed for pool in pools})),
        corpus=sha256(write_lines(rows["problems"], "problems.jsonl")).hexdigest(),
        files=dict(sorted(frozen.items())),
    )
    files[MANIFEST] = write_lines([full.to_json()], MANIFEST)
    _check_kept(problems, pools, archive_of(files))
    return files


def _check_kept(problems: Iterable[Problem], pools: Sequence[Pool], back: Archive) -> None:
    """What cannot be read back as it was is not frozen."""
    why = "holds two surrogates in a row, which JSON reads back as one character"
    for problem in problems:
        if back.problems[problem.id] != problem:
            raise RecordError(f"problem {problem.id!r} {why}")
    for before, after in zip(pools, back.pools, strict=True):
        for place, (said, kept) in enumerate(zip(before.texts, after.texts, strict=True)):
            if said != kept:
                unit = f"the pool of {before.problem!r}, seed {before.seed}"
                raise RecordError(f"{unit}: the text of candidate {place} {why}")


# ---------------------------------------------------------------- bytes to values


def archive_of(files: Mapping[str, bytes]) -> Archive:
    """The archive in the bytes of its files; whatever is not as it was frozen is refused."""
    with located(MANIFEST):
        manifest = Manifest.from_json(read_strict_json(_text_of(files[MANIFEST])))
    names = {name.partition(".")[0]: name for name in manifest.files}
    if names.keys() != {"problems", "pools"} or len(manifest.files) != 2:
        raise RecordError(f"{MANIFEST}: 'files' must name one file of problems and one of pools, not {_list(names)}")
    for name in manifest.files:
        if name not in files:
            raise RecordError(f"{name} is missing; {MANIFEST} says that it was frozen")
    problems = read_problems(files[names["problems"]], names["problems"])
    pools = read_pools(files[names["pools"]], names["pools"], problems)
    for name, count in ((names["problems"], len(problems)), (names["pools"], len(pools))):
        _check_frozen(name, files[name], count, manifest)
    return Archive(problems, pools, manifest)


def read_problems(data: bytes, file: str) -> dict[str, Problem]:
    """The problems of a file by their id; an id that stands twice is refused with both lines."""
    problems: dict[str, Problem] = {}
    places: dict[str, str] = {}
    for place, record in read_lines(data, file):
        with located(place):
            problem = Problem.from_json(record)
            if problem.id in places:
                raise RecordError(f"problem {problem.id!r} stood already at {places[problem.id]}; expected it once")
        problems[problem.id], places[problem.id] = problem, place
    return problems


def read_pools(data: bytes, file: str, problems: Mapping[str, Problem]) -> tuple[Pool, ...]:
    """The pools of a file in order, each of a known problem, and one for each problem and seed."""
    pools: list[Pool] = []
    places: dict[tuple[str, int], str] = {}
    for place, record in read_lines(data, file):
        with located(place):
            pool = Pool.from_json(record)
            unit = (pool.problem, pool.seed)
            if pool.problem not in problems:
                raise RecordError(f"a pool of problem {pool.problem!r}, which is not among the problems")
            if unit in places:
                raise RecordError(
                    f"the pool of problem {pool.problem!r}, seed {pool.seed}, stood already at {places[unit]}; "
                    "expected one a problem and seed"
                )
        pools.append(pool)
        places[unit] = place
    return tuple(pools)


def _check_frozen(file: str, data: bytes, count: int, manifest: Manifest) -> None:
    frozen = manifest.files[file]
    if count != frozen.records:
        raise RecordError(f"{file} holds {count:,} records; {MANIFEST} says {frozen.records:,}")
    found = sha256(data).hexdigest()
    if found != frozen.sha256:
        raise RecordError(
            f"{file} has changed since it was frozen: its sha256 is {found}, and {MANIFEST} says {frozen.sha256}"
        )


def _text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(f"not UTF-8 at byte {error.start}") from None


def _list(names: Mapping[str, str]) -> str:
    return ", ".join(sorted(names.values())) or "none"
