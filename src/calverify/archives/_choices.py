"""Choices on the disk: what each selector picked from each pool, and the numbers that it picked by."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from calverify.archives._archive import Archive
from calverify.archives._folder import CHOICES, read_bytes
from calverify.errors import RecordError
from calverify.names import brief
from calverify.records import located, read_fields, read_lines, read_list, write_lines
from calverify.selectors import Number, earliest_max

__all__ = ["Choice", "choices_bytes", "choices_of", "read_choices"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One selector's pick from one pool: `index` is the earliest of the highest scores, None where all stand aside."""

    selector: str
    problem: str
    seed: int
    index: int | None
    scores: tuple[Number | None, ...]

    def __post_init__(self) -> None:
        picked = earliest_max(self.scores)
        if self.index != picked:
            raise RecordError(
                f"{self.selector} on problem {self.problem!r}, seed {self.seed}: the index is {self.index}, and the "
                f"earliest of the highest scores is {picked}"
            )

    def to_json(self) -> dict[str, Any]:
        return {
            "selector": self.selector,
            "problem": self.problem,
            "seed": self.seed,
            "index": self.index,
            "scores": [_shown(score) for score in self.scores],
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Choice":
        kinds = {"selector": str, "problem": str, "seed": int, "index": int | None, "scores": list}
        read = read_fields("choice", record, kinds, needed=kinds)
        return cls(**{**read, "scores": tuple(_read(score) for score in read_list("choice", "scores", read["scores"]))})


def _shown(score: Number | None) -> int | str | None:
    """6, null, "1/3": the shortest exact spelling."""
    if isinstance(score, Fraction):
        return int(score) if score.denominator == 1 else f"{score.numerator}/{score.denominator}"
    return score


def _read(score: object) -> Number | None:
    if score is None or type(score) is int:
        return score
    if isinstance(score, str):
        top, _, bottom = score.partition("/")
        try:
            number = Fraction(int(top), int(bottom))
        except (ValueError, ZeroDivisionError):
            number = None
        if number is not None and _shown(number) == score:
            return number
    raise RecordError(
        f'in a choice record, a score must be an integer, "p/q" in lowest terms or null, not {brief(score)}'
    )


def choices_bytes(choices: Iterable[Choice]) -> bytes:
    return write_lines([choice.to_json() for choice in choices], CHOICES)


def choices_of(data: bytes, archive: Archive) -> tuple[Choice, ...]:
    """The choices in these bytes: for each pool in order each selector once, one number a candidate."""
    choices: list[Choice] = []
    sizes = {(pool.problem, pool.seed): len(pool.candidates) for pool in archive.pools}
    places: dict[tuple[str, str, int], str] = {}
    for place, record in read_lines(data, CHOICES):
        with located(place):
            choice = Choice.from_json(record)
            unit = (choice.problem, choice.seed)
            if unit not in sizes:
                raise RecordError(
                    f"a choice from problem {choice.problem!r}, seed {choice.seed}, which has no pool here"
                )
            if len(choice.scores) != sizes[unit]:
                raise RecordError(f"{len(choice.scores)} scores for {sizes[unit]} candidates")
            if (choice.selector, *unit) in places:
                raise RecordError(f"{choice.selector} chose from this pool already at {places[choice.selector, *unit]}")
        places[choice.selector, *unit] = place
        choices.append(choice)
    _check_whole(choices, archive)
    return tuple(choices)


def _check_whole(choices: Sequence[Choice], archive: Archive) -> None:
    names = list(dict.fromkeys(choice.selector for choice in choices))
    wanted = [(name, pool.problem, pool.seed) for pool in archive.pools for name in names]
    found = [(choice.selector, choice.problem, choice.seed) for choice in choices]
    for line, (expected, there) in enumerate(zip(wanted, found, strict=False), start=1):
        if expected != there:
            raise RecordError(
                f"{CHOICES}, line {line}: expected the choice of {_unit(expected)}, not of {_unit(there)}"
            )
    if len(found) < len(wanted):
        raise RecordError(f"{CHOICES} ends before line {len(found) + 1}: expected {_unit(wanted[len(found)])}")


def _unit(unit: tuple[str, str, int]) -> str:
    return f"{unit[0]} on problem {unit[1]!r}, seed {unit[2]}"


def read_choices(folder: str | Path, archive: Archive) -> tuple[Choice, ...]:
    """The choices that were made on a frozen folder; refused where one is missing, doubled or not its scores' own."""
    path = Path(folder) / CHOICES
    if not path.is_file():
        raise RecordError(f"{folder}: nothing was chosen yet; calverify select --archive {folder} does")
    return choices_of(read_bytes(path), archive)
