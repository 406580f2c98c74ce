"""What a benchmark is: problems, which a selector may see, and keys, which it may not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from calverify.keys import Key
from calverify.problem import Problem
from calverify.registry import Shelf

__all__ = ["BENCHMARKS", "Benchmark", "Corpus", "Item", "generated"]


class Item(NamedTuple):
    problem: Problem
    key: Key


@dataclass(frozen=True, slots=True)
class Corpus:
    """The items, and how many ideas were dropped, by slice and reason."""

    items: tuple[Item, ...]
    dropped: Mapping[tuple[str, str], int]


Generator = Callable[[Random], Corpus]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """An entry of the shelf; `build` makes its items from chance alone."""

    name: str
    what: str
    build: Generator


BENCHMARKS: Shelf[Benchmark] = Shelf("benchmark")


def generated(name: str, what: str) -> Callable[[Generator], Generator]:
    """Register the decorated generator; it is returned untouched."""

    def put(build: Generator) -> Generator:
        BENCHMARKS.put(name, Benchmark(name, what, build))
        return build

    return put
