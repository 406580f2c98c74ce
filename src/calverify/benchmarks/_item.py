"""What a benchmark is: problems, which a selector may see, and keys, which it may not.

A benchmark is one file of this shelf, and its name there is the name of the file.

    @generated("miniature", "120 small problems")           made from chance alone
    def corpus(rng: Random) -> Corpus: ...

    @adapter("clear", "2,808 questions", Origin(...))       read from a folder of data
    def corpus(data: DataFolder, rng: Random) -> Corpus: ...

    @audits("clear")                                        its published keys, recomputed one by one
    def findings(data: DataFolder, rng: Random) -> Iterator[Finding]: ...

Rule 1: an adapter reads files through its `DataFolder` only; what is wrong is told with file and record.
Rule 2: a problem does not depend on its published answer: not its text, not its id, not its place in the corpus.
Rule 3: the same data and the same seed give the same bytes.
Rule 4: `Key.published` is what the data set says.  Where it is wrong, the predicate grades, and the audit tells.
A benchmark without an audit of its own is audited by its tasks' predicates.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from calverify.benchmarks._data import DataFolder
from calverify.errors import CalverifyError
from calverify.keys import Key
from calverify.names import those_there_are
from calverify.problem import Problem
from calverify.registry import Shelf

__all__ = [
    "BENCHMARKS",
    "Benchmark",
    "Corpus",
    "Finding",
    "Item",
    "Origin",
    "Remote",
    "Subset",
    "adapter",
    "audits",
    "find_benchmark",
    "generated",
]

NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Item(NamedTuple):
    problem: Problem
    key: Key


@dataclass(frozen=True, slots=True)
class Corpus:
    """The items, and how many ideas or records were dropped, by slice and reason."""

    items: tuple[Item, ...]
    dropped: Mapping[tuple[str, str], int] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Finding:
    """One published key, recomputed.

    `agrees` is None where it cannot be recomputed; `why` says so then, and otherwise why the key is wrong, or what is
    to be noted of a right one.  `witness` is what a reader checks that with by hand.
    """

    problem: str
    slice: str
    published: Any
    recomputed: Any
    agrees: bool | None
    why: str = ""
    witness: Any = None

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Remote:
    """One file that can be fetched: `path` is where it goes, below the folder of data.

    `members` are the files to take out of an archive of wheels or zips, each with its path and its own sha256; the
    archive itself is then not kept.
    """

    url: str
    path: str
    sha256: str
    members: Mapping[str, tuple[str, str]] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the data is had: the folder it lies in, how much it is, its licence and its home."""

    folder: str
    size: str
    licence: str
    home: str
    files: tuple[Remote, ...] = ()


@dataclass(frozen=True, slots=True)
class Subset:
    """A named part: the items whose key has all of these strata."""

    what: str
    strata: Mapping[str, str]

    def keeps(self, item: Item) -> bool:
        return all(item.key.strata.get(name) == value for name, value in self.strata.items())


Generator = Callable[[Random], Corpus]
Reader = Callable[[DataFolder, Random], Corpus]
Audit = Callable[[DataFolder, Random], Iterator[Finding]]


@dataclass(slots=True)
class Benchmark:
    """An entry of the shelf: made from chance (`generator`), or read from data (`reader`, `origin`)."""

    name: str
    what: str
    generator: Generator | None = None
    reader: Reader | None = None
    origin: Origin | None = None
    subsets: Mapping[str, Subset] = field(default_factory=lambda: NOTHING)
    audit: Audit | None = None

    def build(self, rng: Random, data: DataFolder | None = None, subset: str | None = None) -> Corpus:
        """The items, or those of a named subset."""
        if self.generator is not None:
            whole = self.generator(rng)
        else:
            assert self.reader is not None, self.name
            whole = self.reader(self.needs(data), rng)
        if subset is None:
            return whole
        kept = self.subsets[subset].keeps
        return Corpus(tuple(item for item in whole.items if kept(item)), whole.dropped)

    def needs(self, data: DataFolder | None) -> DataFolder:
        """The folder of data, where there is one."""
        if data is None:
            home = self.origin.home if self.origin is not None else "its home"
            raise CalverifyError(
                f"{self.name} is read from a folder of data: name it with --data DIR or in CALVERIFY_DATA "
                f"({home}; calverify bench ls tells more)"
            )
        return data


BENCHMARKS: Shelf[Benchmark] = Shelf("benchmark")


def generated(name: str, what: str, subsets: Mapping[str, Subset] = NOTHING) -> Callable[[Generator], Generator]:
    """Register the decorated generator; it is returned untouched."""

    def put(build: Generator) -> Generator:
        BENCHMARKS.put(name, Benchmark(name, what, generator=build, subsets=subsets))
        return build

    return put


def adapter(
    name: str, what: str, origin: Origin, subsets: Mapping[str, Subset] = NOTHING
) -> Callable[[Reader], Reader]:
    """Register the decorated reader of a folder of data; it is returned untouched."""

    def put(read: Reader) -> Reader:
        BENCHMARKS.put(name, Benchmark(name, what, reader=read, origin=origin, subsets=subsets))
        return read

    return put


def audits(name: str) -> Callable[[Audit], Audit]:
    """Make the decorated function the audit of a benchmark; it is returned untouched."""

    def put(audit: Audit) -> Audit:
        BENCHMARKS[name].audit = audit
        return audit

    return put


def find_benchmark(name: str) -> tuple[Benchmark, str | None]:
    """The benchmark of "clear", or the benchmark and the subset of "clear:core"."""
    whole, colon, part = name.partition(":")
    if whole not in BENCHMARKS:
        raise CalverifyError(f"there is no benchmark {whole!r}; {those_there_are(whole, BENCHMARKS)}")
    entry = BENCHMARKS[whole]
    if colon and part not in entry.subsets:
        known = ", ".join(f"{whole}:{subset}" for subset in entry.subsets) or f"only {whole} itself"
        raise CalverifyError(f"{whole} has no part {part!r}; there are {known}")
    return entry, part if colon else None
