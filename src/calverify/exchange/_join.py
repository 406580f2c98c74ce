"""Joining a log with problems: replies become pools, marks go beside them, and whatever does not fit is listed.

A log says nothing of our problems, so a rule says which record belongs to which problem: by an id that the record
holds, or by the text that was asked.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import field as default  # `Join` has a field of that name
from typing import Any

from calverify.errors import CalverifyError
from calverify.exchange._logged import Logged, Rejected, Said, at
from calverify.exchange._marks import Mark
from calverify.exchange._shelf import Reader, detect, find_reader
from calverify.names import brief, exact_number, listing
from calverify.pools import SCORE_NAMES, Candidate, Pool
from calverify.problem import Problem
from calverify.tasks import prompt

__all__ = ["AUTO", "MATCHES", "Imported", "Join", "import_logs"]

AUTO = "auto"
MATCHES = ("id", "text")

Unit = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Join:
    """Which record belongs to which problem.

    `match` is "id" or "text".  `field` is where the id stands ("doc.id"), by default where the format has it; what
    stands behind the last `cut` of it is the number of a sample ("w1#3").  `apart` makes each record a pool of its
    own.  `ratings` names marks that a model gave without seeing the key, to be kept with the candidates as stored
    scores: {"scores": "prm"}.
    """

    match: str = MATCHES[0]
    field: str | None = None
    cut: str | None = None
    apart: bool = False
    ratings: Mapping[str, str] = default(default_factory=dict)

    def __post_init__(self) -> None:
        if self.match not in MATCHES:
            raise CalverifyError(f"records are matched by {' or '.join(MATCHES)}, not by {self.match!r}")
        for name in self.ratings.values():
            if name not in SCORE_NAMES:
                raise CalverifyError(f"a stored score is one of {', '.join(sorted(SCORE_NAMES))}, not {name!r}")


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a log: pools of those problems that a record joined, marks beside them, and what was left out."""

    pools: tuple[Pool, ...]
    problems: Mapping[str, Problem]
    rejected: tuple[Rejected, ...]
    marks: tuple[Mark, ...]
    missing: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    places: Mapping[tuple[str, int, int], str] = default(default_factory=dict)

    @property
    def mark_names(self) -> tuple[str, ...]:
        """The names of the scores that the log gave, in the order in which they first stand there."""
        return tuple(dict.fromkeys(name for mark in self.marks for name in mark.scores))


def import_logs(
    files: Mapping[str, bytes], problems: Mapping[str, Problem], *, format: str = AUTO, join: Join | None = None
) -> Imported:
    """The pools of these log files, by name and bytes; refused where not one record joins a problem."""
    rule = join or Join()
    names = {file: detect(data, file) if format == AUTO else format for file, data in files.items()}
    found = _Sorted(problems, rule)
    for file, data in files.items():
        reader = find_reader(names[file])
        for entry in reader.read(data, file):
            found.put(entry, reader)
    if not found.units:
        raise CalverifyError(f"nothing was imported from {', '.join(files)}: {found.why_nothing()}")
    return found.imported(tuple(dict.fromkeys(names.values())))


class _Sorted:
    """The records of the logs, sorted into units as they come."""

    def __init__(self, problems: Mapping[str, Problem], rule: Join) -> None:
        self.problems, self.rule = problems, rule
        self.units: dict[Unit, list[tuple[int, Logged]]] = {}
        self.rejected: list[Rejected] = []
        self.seen: dict[tuple[Any, ...], str] = {}
        self.strays: list[str] = []
        self.by_text = _texts_of(problems.values()) if rule.match == "text" else {}

    def put(self, entry: Logged | Rejected, reader: Reader) -> None:
        if isinstance(entry, Rejected):
            self.rejected.append(entry)
            return
        why = self._stood_before(entry)
        turn: int = entry.turn
        name = None
        if not why:
            name, turn, why = self._by_text(entry) if self.rule.match == "text" else self._by_id(entry, reader)
        if name is None:
            self.rejected.append(Rejected(entry.file, entry.place, why))
            return
        self.units.setdefault((name, entry.seed or 0), []).append((turn, entry))

    def _stood_before(self, entry: Logged) -> str:
        if entry.once is None:
            return ""
        before = self.seen.setdefault((entry.file, *entry.once), entry.place)
        return "" if before == entry.place else f"the same record stood already at {before}"

    def _by_id(self, entry: Logged, reader: Reader) -> tuple[str | None, int, str]:
        paths = (self.rule.field,) if self.rule.field else reader.ids
        found = next((value for path in paths if (value := at(entry.record, path)) is not None), None)
        if not isinstance(found, str | int) or isinstance(found, bool):
            said = "nothing" if found is None else brief(found)
            return None, 0, f"there is {said} at {' or '.join(paths)}, where the id of a sample was expected"
        name, turn = str(found), entry.turn
        if self.rule.cut and self.rule.cut in name:
            name, _, number = name.rpartition(self.rule.cut)
            turn = int(number) if number.isascii() and number.isdigit() and len(number) < 16 else turn
        if name in self.problems:
            return name, turn, ""
        self.strays.append(name)
        return None, 0, f"its id {brief(name)} is not the id of a problem"

    def _by_text(self, entry: Logged) -> tuple[str | None, int, str]:
        asked = _plain(entry.prompt)
        if not asked:
            return None, 0, "it does not say what was asked"
        fits = self.by_text.get(asked) or sorted({
            name for text, names in self.by_text.items() if text in asked for name in names
        })  # fmt: skip
        if len(fits) == 1:
            return fits[0], entry.turn, ""
        self.strays.append(asked)
        said = brief(asked)
        return None, 0, f"what was asked fits {listing(fits)}: {said}" if fits else f"no problem asks {said}"

    def why_nothing(self) -> str:
        first = f"; the first: {self.rejected[0]}" if self.rejected else ""
        if not self.strays:
            return f"it holds no record that can be joined with a problem{first}"
        what = "texts" if self.rule.match == "text" else "ids"
        found, known = (listing([brief(name) for name in list(dict.fromkeys(names))[:3]])
                        for names in (self.strays, self.problems))  # fmt: skip
        hint = "an id of the problems may stand elsewhere (--id-field), or match the text that was asked (--match text)"
        return f"the {what} of its records are {found}, and the problems are {known}; {hint}"

    def imported(self, formats: tuple[str, ...]) -> Imported:
        pools: list[Pool] = []
        marks: list[Mark] = []
        places: dict[tuple[str, int, int], str] = {}
        for (name, seed), records in self._pools_apart() if self.rule.apart else self._in_order():
            candidates: list[Candidate] = []
            for record in records:
                for number, text in enumerate(record.texts):
                    said, index = record.said_of(number), len(candidates)
                    candidates.append(Candidate(index, text, self._ratings(said, record)))
                    places[name, seed, index] = f"{record.file}, {record.place}"
                    if said:
                        marks.append(_mark(name, seed, index, said))
                if record.whole:
                    marks.append(_mark(name, seed, None, record.whole))
            pools.append(Pool(name, seed, tuple(candidates)))
        joined = {name for name, _ in self.units}
        problems = {name: problem for name, problem in self.problems.items() if name in joined}
        missing = tuple(name for name in self.problems if name not in joined)
        records = [record for unit in self.units.values() for _, record in unit]
        models = tuple(sorted({record.model for record in records if record.model}))
        self._check_ratings(marks)
        return Imported(tuple(pools), problems, tuple(self.rejected), tuple(marks), missing, models, formats, places)

    def _in_order(self) -> Iterator[tuple[Unit, list[Logged]]]:
        """Units in the order of the problems, the records of each by turn and then as they stand."""
        rank = {name: place for place, name in enumerate(self.problems)}
        for unit in sorted(self.units, key=lambda unit: (rank[unit[0]], unit[1])):
            yield unit, [record for _, record in sorted(self.units[unit], key=lambda pair: pair[0])]

    def _pools_apart(self) -> Iterator[tuple[Unit, list[Logged]]]:
        counted: dict[str, int] = {}
        for (name, _), records in self._in_order():
            for record in records:
                seed = counted[name] = counted.get(name, -1) + 1
                yield (name, seed), [record]

    def _ratings(self, said: Said, record: Logged) -> dict[str, float | None]:
        found: dict[str, float | None] = {}
        for mark, stored in self.rule.ratings.items():
            value = said.scores.get(mark)
            if value is not None and (isinstance(value, bool | str) or exact_number(value) is None):
                raise CalverifyError(f"{record.file}, {record.place}: the rating {mark!r} is {brief(value)}, no number")
            found[stored] = value
        return found

    def _check_ratings(self, marks: Iterable[Mark]) -> None:
        there = dict.fromkeys(name for mark in marks for name in mark.scores)
        for name in self.rule.ratings:
            if name not in there:
                raise CalverifyError(f"no mark of the log is called {name!r}; there are {', '.join(there) or 'none'}")


def _mark(problem: str, seed: int, index: int | None, said: Said) -> Mark:
    return Mark(problem, seed, index, said.scores, said.answers, said.gold)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _texts_of(problems: Iterable[Problem]) -> dict[str, list[str]]:
    """The problems by what they ask, each by its text and by the prompt that is made of it."""
    found: dict[str, list[str]] = {}
    for problem in problems:
        texts = [problem.text]
        with suppress(CalverifyError):  # a task that nobody registered has no prompt; its text still counts
            texts.append(prompt(problem))
        for text in dict.fromkeys(map(_plain, texts)):
            if text:
                found.setdefault(text, []).append(problem.id)
    return found
