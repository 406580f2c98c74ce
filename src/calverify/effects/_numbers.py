"""Probabilities as they are written: 0.02 is 1/50, not the nearest double.

A JSON number is read through its shortest decimal spelling; a string holds a decimal ("0.02", "1e-3") or a ratio
("1/3").  Digits and exponents are bounded, so that no short text stands for an enormous integer.
"""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from calverify.errors import RecordError
from calverify.names import brief

__all__ = ["exact_number", "read_probability"]

NUMBER: Final = re.compile(r"[+-]?+[0-9]{0,2000}+(?:\.[0-9]{0,2000}+)?+(?:[eE][+-]?+[0-9]{1,3}+|(?!))?+", re.ASCII)
RATIO: Final = re.compile(r"[+-]?+[0-9]{1,2000}+/[0-9]{1,2000}+", re.ASCII)


def exact_number(value: object) -> Fraction | None:
    """The finite number that a JSON value or a string spells, exactly; None when it spells none."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    if isinstance(value, int):
        return Fraction(value)
    text = str(value).strip()
    if not (NUMBER.fullmatch(text) or RATIO.fullmatch(text)):
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def read_probability(value: object, where: str) -> Fraction:
    """The probability, exactly; `where` begins the sentence that refuses anything else."""
    number = exact_number(value)
    if number is None:
        raise RecordError(f"{where} {brief(value)} is not a number; expected a probability, from 0 to 1")
    if number < 0:
        raise RecordError(f"{where} {brief(value)} is negative; expected a probability, from 0 to 1")
    if number > 1:
        raise RecordError(f"{where} {brief(value)} is above one; expected a probability, from 0 to 1")
    return number
