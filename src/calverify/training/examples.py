"""Examples to learn the six slots from: a problem's prompt, and a canonical trace that earns every bit.

Rule 1: an answer comes from the checker (`solve`, `every`, the predicate); no reference answer is read.
Rule 2: it is a valid object of at most one more than the smallest size, drawn by lot, so that a policy that learns from
many of them spreads over short right answers instead of one.
Rule 3: what is not worth six of six is no example.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from random import Random
from typing import Any

from calverify.errors import BudgetError, CalverifyError
from calverify.problem import Problem
from calverify.records import located, read_fields, read_lines, write_lines
from calverify.sampling import valid_answers
from calverify.scoring import checker_for
from calverify.tasks import Case, faultless_trace, prompt
from calverify.traces import NODE_SET, SLOTS

__all__ = ["Example", "examples", "read_examples", "write_examples"]

MOST_SETS = 5_000  # that are tried for one problem
MOST_OBJECTS = 50  # that the lot is drawn between
KINDS = {"problem": str, "task": str, "prompt": str, "completion": str}


@dataclass(frozen=True, slots=True)
class Example:
    """What a model is shown, and what it is to write: `problem` and `task` say what of."""

    problem: str
    task: str
    prompt: str
    completion: str

    def to_json(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in KINDS}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Example":
        return cls(**read_fields("example", record, KINDS, needed=KINDS))


def examples(problems: Iterable[Problem], rng: Random) -> Iterator[Example]:
    """An example a problem; refused where a problem supplies no graph, or nothing is valid."""
    for problem in problems:
        case = checker_for(problem).case
        if case is None:
            raise CalverifyError(f"problem {problem.id!r} supplies no graph, so there is no trace to learn from")
        found = _short_answers(case)
        if not found:
            raise CalverifyError(f"problem {problem.id!r}: nothing is valid, so there is no trace to learn from")
        text = faultless_trace(case, rng.choice(found))
        if checker_for(problem)(text).score != len(SLOTS):
            raise CalverifyError(f"problem {problem.id!r}: the canonical trace does not earn every bit")
        yield Example(problem.id, problem.query.task, prompt(problem), text)


def _short_answers(case: Case) -> list[Any]:
    """The valid objects of at most one more than the smallest size, in an order of their own."""
    if case.task.answer is not NODE_SET:
        found = valid_answers(case, MOST_OBJECTS)
        sizes = [_size(value) for value in found]
        return [value for value, size in zip(found, sizes, strict=True) if size <= min(sizes) + 1]
    names = sorted(case.names)
    sets = (frozenset(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size))
    short: list[frozenset[str]] = []
    for names_of in islice(sets, MOST_SETS):
        if short and len(names_of) > len(short[0]) + 1:
            break
        if _holds(case, names_of):
            short.append(names_of)
    return short or valid_answers(case, 1)


def _size(value: Any) -> int:
    """The nodes of a cycle, a walk or an ordering; everything else is as long as another."""
    return len(value) if isinstance(value, tuple | frozenset) else 0


def _holds(case: Case, value: frozenset[str]) -> bool:
    try:
        return case.holds(value)
    except BudgetError:
        return False


def write_examples(found: Iterable[Example], file: str) -> bytes:
    """JSON Lines of examples; `file` names it where something is wrong."""
    return write_lines([example.to_json() for example in found], file)


def read_examples(data: bytes, file: str) -> list[Example]:
    """The examples of a file; what is damaged is refused with its line."""
    found = []
    for place, record in read_lines(data, file):
        with located(place):
            found.append(Example.from_json(record))
    if not found:
        raise CalverifyError(f"{file} holds no examples")
    return found
