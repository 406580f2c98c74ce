"""The shelf of reports: a report is a function from studies to tables and plots, put up under its name.

Rule 1: what an interval needs (draws, seed) is said by whoever asks; a report knows how many draws are its custom.
Rule 2: a report that a study cannot fill gives a table without rows, whose note says what is missing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from inspect import getdoc

from calverify.errors import CalverifyError
from calverify.evaluation import Crossing, Resampling, Study
from calverify.names import those_there_are
from calverify.registry import Shelf
from calverify.reports._table import Plot, Table

__all__ = ["EXPLORATION", "HEADLINE", "REPORTS", "Options", "Report", "find_report", "make_report", "report"]

HEADLINE, EXPLORATION = 10_000, 2_000  # bootstrap draws

Parts = list[Table | Plot]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a report is made: bootstrap `draws` (None: the report's own custom) and `seed`, and the graph damage `rates`.

    `crossings` compares both architectures on a study.  It grades answers that nobody gave, so it needs the keys, which
    this room may not see: `Options(crossings=lambda study: crossings(study, keys))`.
    """

    draws: int | None = None
    seed: int = 0
    rates: tuple[Fraction, ...] = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2))
    crossings: Callable[[Study], Sequence[Crossing]] | None = None

    @property
    def how(self) -> Resampling:
        return Resampling(EXPLORATION if self.draws is None else self.draws, self.seed)


Make = Callable[[Sequence[Study], Options], Parts]


@dataclass(frozen=True, slots=True)
class Report:
    """One entry of the shelf: its name, what makes it, and the draws that are its custom."""

    name: str
    make: Make
    draws: int

    @property
    def summary(self) -> str:
        """What the report shows, in one sentence."""
        return (getdoc(self.make) or "").partition("\n")[0]


REPORTS: Shelf[Report] = Shelf("report")


def report(name: str, *, draws: int = EXPLORATION) -> Callable[[Make], Make]:
    """Put the decorated function up as the report `name`; it is returned untouched."""

    def put(function: Make) -> Make:
        REPORTS.put(name, Report(name, function, draws))
        return function

    return put


def find_report(name: str) -> Report:
    """The report of that name; refused with the names there are."""
    if name not in REPORTS:
        raise CalverifyError(f"no report {name!r} is on the shelf; {those_there_are(name, REPORTS)}")
    return REPORTS[name]


def make_report(
    name: str, studies: Sequence[Study], options: Options | None = None
) -> tuple[tuple[Table, ...], tuple[Plot, ...]]:
    """The tables and the plots of one report."""
    found, asked = find_report(name), options or Options()
    if not any(study.units for study in studies):
        raise CalverifyError("a report is about studies, and there is none that holds a unit")
    parts = found.make(studies, replace(asked, draws=found.draws if asked.draws is None else asked.draws))
    tables = tuple(part for part in parts if isinstance(part, Table))
    return tables, tuple(part for part in parts if isinstance(part, Plot))
