"""What a report is made of: tables with typed cells, and plots as plain numbers.

Rule 1: a cell holds the unrounded value; only a renderer rounds.
Rule 2: a cell says what sort of number it is, so that every renderer can print it its own way.
Rule 3: what could not be measured is an empty cell (None), never a zero, and a note says why.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from calverify.errors import CalverifyError
from calverify.evaluation import Interval
from calverify.names import brief

__all__ = ["Cell", "Number", "PValue", "Plot", "Points", "Series", "Share", "Table"]

Real = int | float | Fraction

KINDS = ("curve", "bars")
UNITS = ("share", "points", "number")


def _within(what: str, value: Real, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction) or not isfinite(value):
        raise CalverifyError(f"{what} must be a finite number, not {brief(value)}")
    if not low <= value <= high:
        raise CalverifyError(f"{what} must lie between {low} and {high}, not {value}")


def _interval_json(interval: Interval | None) -> dict[str, Any]:
    return {} if interval is None else {"interval": interval.to_json()}


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, from 0 to 1, which people read as per cent; with its interval where there is one."""

    value: Real
    interval: Interval | None = None

    def __post_init__(self) -> None:
        _within("a share", self.value, 0, 1)

    @classmethod
    def of(cls, count: int, total: int) -> "Share | None":
        """The share of `total`; None where there is nothing to take a share of."""
        return cls(Fraction(count, total)) if total else None

    @classmethod
    def within(cls, interval: Interval) -> "Share":
        return cls(interval.point, interval)

    def to_json(self) -> dict[str, Any]:
        return {"share": float(self.value), **_interval_json(self.interval)}


@dataclass(frozen=True, slots=True)
class Points:
    """The difference of two shares, from -1 to 1, which people read as percentage points: 0.174 is +17.4."""

    value: Real
    interval: Interval | None = None

    def __post_init__(self) -> None:
        _within("a difference of shares", self.value, -1, 1)

    @classmethod
    def of(cls, count: int, total: int) -> "Points | None":
        """The signed `count` of units over `total`; None where there is no unit."""
        return cls(Fraction(count, total)) if total else None

    @classmethod
    def within(cls, interval: Interval) -> "Points":
        return cls(interval.point, interval)

    def to_json(self) -> dict[str, Any]:
        return {"points": float(self.value), **_interval_json(self.interval)}


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is no share: a mean score, a ratio; with its interval where there is one."""

    value: Real
    interval: Interval | None = None

    def __post_init__(self) -> None:
        if isinstance(self.value, bool) or not isfinite(self.value):
            raise CalverifyError(f"a number must be finite, not {brief(self.value)}")

    def to_json(self) -> dict[str, Any]:
        return {"number": float(self.value), **_interval_json(self.interval)}


@dataclass(frozen=True, slots=True)
class PValue:
    """How often chance alone would show at least as much."""

    value: Real

    def __post_init__(self) -> None:
        _within("a p-value", self.value, 0, 1)

    def to_json(self) -> dict[str, Any]:
        return {"p": float(self.value)}


Cell = str | int | Share | Points | Number | PValue | None


@dataclass(frozen=True, slots=True)
class Table:
    """One table: `name` is how it is asked for, a row holds one cell a column, and notes say how it was made."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.columns)) != len(self.columns):
            raise CalverifyError(f"table {self.name!r} has two columns of one name: {', '.join(self.columns)}")
        for place, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise CalverifyError(f"table {self.name!r}: row {place} has {len(row)} cells, not {len(self.columns)}")
            for cell in row:
                if isinstance(cell, bool) or not isinstance(cell, Cell):
                    raise CalverifyError(f"table {self.name!r}: row {place} holds {brief(cell)}, which is no cell")

    def column(self, title: str) -> tuple[Cell, ...]:
        """One column's cells, from the top."""
        place = self.columns.index(title)
        return tuple(row[place] for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        rows = [
            [cell if cell is None or isinstance(cell, str | int) else cell.to_json() for cell in row]
            for row in self.rows
        ]
        return {
            "table": self.name,
            "title": self.title,
            "columns": list(self.columns),
            "rows": rows,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a curve, or one colour of bars: a value for each place, and a band of (low, high) where known."""

    name: str
    values: tuple[float, ...]
    band: tuple[tuple[float, float], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "values": list(self.values), "band": [list(pair) for pair in self.band]}


@dataclass(frozen=True, slots=True)
class Plot:
    """One figure: every series has a value for each place of `x`, a number on a curve and a label under bars.

    `unit` says what the values are: "share" (0 to 1, read as per cent), "points" (a difference of shares) or "number".
    """

    name: str
    title: str
    kind: str
    x: tuple[float, ...] | tuple[str, ...]
    series: tuple[Series, ...]
    x_title: str
    y_title: str
    unit: str = "share"
    caption: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS or self.unit not in UNITS:
            raise CalverifyError(
                f"plot {self.name!r}: kind must be one of {', '.join(KINDS)} and unit one of {', '.join(UNITS)}, "
                f"not {self.kind!r} and {self.unit!r}"
            )
        if any(isinstance(place, str) != (self.kind == "bars") for place in self.x):
            raise CalverifyError(f"plot {self.name!r}: bars stand on labels, and curves on numbers")
        for line in self.series:
            if len(line.values) != len(self.x) or len(line.band) not in (0, len(self.x)):
                raise CalverifyError(f"plot {self.name!r}: {line.name!r} needs {len(self.x)} values, and bands or none")

    def points(self, line: Series) -> Iterator[tuple[float | str, float]]:
        """(x, value) of one series, from the left."""
        return zip(self.x, line.values, strict=True)

    def to_json(self) -> dict[str, Any]:
        return {
            "plot": self.name,
            "title": self.title,
            "kind": self.kind,
            "x": list(self.x),
            "series": [line.to_json() for line in self.series],
            "x_title": self.x_title,
            "y_title": self.y_title,
            "unit": self.unit,
            "caption": self.caption,
        }
