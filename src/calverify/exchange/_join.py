"""Joining a log with problems: replies become pools, marks go beside them, and whatever does not fit is listed.

Rule 1: a record belongs to the problem whose id it holds, else to the one that asks what was asked, else to the one
that it carries; where no problems are given, only what the records carry counts.
Rule 2: what was asked stands for a problem only where it says everything: a text that does not name every node of the
problem's graph could be asked about another graph.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import field as default  # `Join` has a field of that name
from typing import Any

from calverify.errors import CalverifyError
from calverify.exchange._embedded import ReadsProblem, embedded_problem
from calverify.exchange._logged import Damaged, Logged, Rejected, Said, at
from calverify.exchange._marks import Mark
from calverify.exchange._shelf import Reader, detect, find_reader
from calverify.names import brief, exact_number, listing
from calverify.pools import SCORE_NAMES, Candidate, Pool
from calverify.problem import Problem
from calverify.tasks import prompt

__all__ = ["AUTO", "MATCHES", "Imported", "Join", "import_logs"]

AUTO = "auto"
MATCHES = ("auto", "id", "text")
WORD = re.compile(r"\w++")

Unit = tuple[str, int]
Joined = tuple[str | None, int, str]


@dataclass(frozen=True, slots=True)
class Join:
    """Which record belongs to which problem.

    `match` is "id", "text", or "auto": by the id and, where that is no problem's, by the text.  `field` is where the
    id stands ("doc.id"), by default where the format has it; what stands behind the last `cut` of it is the number of a
    sample ("w1#3").  `apart` makes each record a pool of its own.  `ratings` names marks that a model gave without
    seeing the key, to be kept with the candidates as stored scores: {"scores": "prm"}.  `carried` reads the problems
    of other data sets out of the records that a log carries.
    """

    match: str = MATCHES[0]
    field: str | None = None
    cut: str | None = None
    apart: bool = False
    ratings: Mapping[str, str] = default(default_factory=dict)
    carried: Sequence[ReadsProblem] = ()

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
    files: Mapping[str, bytes], problems: Mapping[str, Problem] | None, *, format: str = AUTO, join: Join | None = None
) -> Imported:
    """The pools of these log files, by name and bytes; refused where not one record joins a problem.

    Without `problems` they are those that the records carry.
    """
    names = {file: detect(data, file) if format == AUTO else format for file, data in files.items()}
    found = _Sorted(problems, join or Join())
    for file, data in files.items():
        reader = find_reader(names[file])
        for entry in reader.read(data, file):
            found.put(entry, reader)
    if not found.units:
        raise CalverifyError(f"nothing was imported from {', '.join(files)}: {found.why_nothing()}")
    return found.imported(tuple(dict.fromkeys(names.values())))


class _Sorted:
    """The records of the logs, sorted into units as they come."""

    def __init__(self, problems: Mapping[str, Problem] | None, rule: Join) -> None:
        self.carried = problems is None  # the records bring their problems along
        self.problems = dict(problems or {})
        self.rule = rule
        self.units: dict[Unit, list[tuple[int, Logged]]] = {}
        self.rejected: list[Rejected] = []
        self.seen: dict[tuple[Any, ...], str] = {}
        self.strays: list[str] = []
        self.by_text = _texts_of(self.problems.values()) if rule.match != "id" else {}
        self.fits: dict[str, list[str]] = {}

    def put(self, entry: Logged | Rejected, reader: Reader) -> None:
        if isinstance(entry, Rejected):
            self.rejected.append(entry)
            return
        why = self._stood_before(entry)
        name, turn = None, entry.turn
        if not why:
            try:
                name, turn, why = self._joined(entry, reader)
            except Damaged as damage:
                why = str(damage)
        if name is None:
            self.rejected.append(Rejected(entry.file, entry.place, why))
            return
        self.units.setdefault((name, entry.seed or 0), []).append((turn, entry))

    def _stood_before(self, entry: Logged) -> str:
        if entry.once is None:
            return ""
        before = self.seen.setdefault((entry.file, *entry.once), entry.place)
        return "" if before == entry.place else f"the same record stood already at {before}"

    def _joined(self, entry: Logged, reader: Reader) -> Joined:
        """The id of the record's problem, or None and why it has none; and the record's place among its samples."""
        name, turn, why = self._name_of(entry, reader)
        if self.carried:
            return self._carried(entry, name), turn, ""
        if name in self.problems and self.rule.match != "text":
            return name, turn, ""
        if self.rule.match == "id":
            self.strays += [] if name is None else [name]
            return None, turn, why or f"its id {brief(name)} is not the id of a problem"
        found, unasked = self._by_text(entry)
        if found is not None or self.rule.match == "text":
            return found, turn, unasked
        with suppress(Damaged):
            problem = embedded_problem(entry.record, name, self.rule.carried)
            if problem is not None and self.problems.get(problem.id) == problem:
                return problem.id, turn, ""
        self.strays += [] if name is None else [name]
        return None, turn, f"{why or f'its id {brief(name)} is not the id of a problem'}, and {unasked}"

    def _carried(self, entry: Logged, name: str | None) -> str:
        """The id of the problem that the record carries."""
        problem = embedded_problem(entry.record, name, self.rule.carried)
        if problem is None:
            raise Damaged("it carries no problem")
        if self.problems.setdefault(problem.id, problem) != problem:
            raise Damaged(f"it carries another problem under the id {brief(problem.id)} than a record before it")
        return problem.id

    def _name_of(self, entry: Logged, reader: Reader) -> Joined:
        """The id that a record holds, whose ever it may be."""
        paths = (self.rule.field,) if self.rule.field else reader.ids
        found = next((value for path in paths if (value := at(entry.record, path)) is not None), None)
        if not isinstance(found, str | int) or isinstance(found, bool):
            said = "nothing" if found is None else brief(found)
            return None, entry.turn, f"there is {said} at {' or '.join(paths)}, where the id of a sample was expected"
        name, turn = str(found), entry.turn
        if self.rule.cut and self.rule.cut in name:
            name, _, number = name.rpartition(self.rule.cut)
            turn = int(number) if number.isascii() and number.isdigit() and len(number) < 16 else turn
        return name, turn, ""

    def _by_text(self, entry: Logged) -> tuple[str | None, str]:
        asked = _plain(entry.prompt)
        if not asked:
            return None, "it does not say what was asked"
        if asked not in self.fits:  # samples of one problem were asked the same
            self.fits[asked] = self.by_text.get(asked) or sorted({
                name for text, names in self.by_text.items() if text in asked for name in names
            })  # fmt: skip
        fits = self.fits[asked]
        if len(fits) == 1:
            return fits[0], ""
        if self.rule.match == "text":
            self.strays.append(asked)
        said = brief(asked)
        return None, f"what was asked fits {listing(fits)}: {said}" if fits else f"no problem asks {said}"

    def why_nothing(self) -> str:
        first = f"; the first: {self.rejected[0]}" if self.rejected else ""
        if self.carried:
            return f"its records carry no problem; name the file that holds the problems (--problems){first}"
        if not self.strays:
            return f"it holds no record that can be joined with a problem{first}"
        what = "texts" if self.rule.match == "text" else "ids"
        found, known = (listing([brief(name) for name in list(dict.fromkeys(names))[:3]])
                        for names in (self.strays, self.problems))  # fmt: skip
        hint = "the id of a sample may stand elsewhere (--id-field NAME, --cut MARK)"
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
    """The problems by what they ask: the prompt that is made of each, and its text where that says everything."""
    found: dict[str, list[str]] = {}
    for problem in problems:
        texts = [problem.text] if _says_everything(problem) else []
        with suppress(CalverifyError):  # a task that nobody registered has no prompt; its text still counts
            texts.append(prompt(problem))
        for text in dict.fromkeys(map(_plain, texts)):
            if text:
                found.setdefault(text, []).append(problem.id)
    return found


def _says_everything(problem: Problem) -> bool:
    """Does the text name every node of the graph that is supplied?"""
    words = set(WORD.findall(problem.text))
    nodes = () if problem.graph is None else problem.graph.nodes
    return all(words.issuperset(WORD.findall(node)) for node in nodes)
