"""How a cell reads: the only place where numbers are rounded, half away from zero, from their exact values."""

from fractions import Fraction
from json import dumps
from math import floor

from calverify.evaluation import Interval
from calverify.reports._table import Cell, Number, Points, PValue, Share

__all__ = ["is_number", "shown", "visible"]

LEAST_P = Fraction(1, 10_000)


def _fixed(value: int | float | Fraction, digits: int, *, signed: bool = False) -> str:
    """The number with this many digits behind the point: 143/576 of 100 -> "24.8"; never a negative zero."""
    scaled = floor(abs(Fraction(value)) * 10**digits + Fraction(1, 2))
    whole, rest = divmod(scaled, 10**digits)
    sign = "" if not scaled else "-" if value < 0 else "+" if signed else ""
    return f"{sign}{whole:,}.{rest:0{digits}d}" if digits else f"{sign}{whole:,}"


def _bounds(interval: Interval | None, scale: int, digits: int) -> str:
    if interval is None:
        return ""
    low, high = (_fixed(Fraction(bound) * scale, digits) for bound in (interval.low, interval.high))
    return f" [{low}, {high}]"


def shown(cell: Cell) -> str:
    """The cell as people read it: "48.9", "+17.4 [13.9, 20.9]"; a share is in per cent, and nothing is a dash."""
    match cell:
        case None:
            return "-"
        case str():
            return visible(cell)
        case int():
            return f"{cell:,}"
        case Share(value, interval):
            return _fixed(Fraction(value) * 100, 1) + _bounds(interval, 100, 1)
        case Points(value, interval):
            return _fixed(Fraction(value) * 100, 1, signed=True) + _bounds(interval, 100, 1)
        case Number(value, interval):
            return _fixed(value, 3) + _bounds(interval, 1, 3)
        case PValue(value):
            return f"< {float(LEAST_P):.4f}" if value < LEAST_P else _fixed(value, 4)


def visible(text: str) -> str:
    """The text on one line, with JSON's escapes in the place of what a terminal would obey or hide."""
    return "".join(char if char.isprintable() else dumps(char)[1:-1] for char in " ".join(text.split()))


def is_number(cell: Cell) -> bool:
    """Does it stand flush right?"""
    return not isinstance(cell, str | None)
