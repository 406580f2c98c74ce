"""The shelf of selectors: each is a function from a view to one number a candidate, and `earliest_max` picks.

The import list below is the table of contents; the file name is the registered name.
"""

from calverify.selectors._choice import Choice, choose, earliest_max, select
from calverify.selectors._shelf import SELECTORS, Selector, find_selector, numbers_of, selector
from calverify.selectors._view import ADMISSIONS, Number, View, verdicts_on, view_of
from calverify.selectors.calver import calver
from calverify.selectors.first import first
from calverify.selectors.plurality import plurality
from calverify.selectors.provable import provable

__all__ = [
    "ADMISSIONS",
    "SELECTORS",
    "Choice",
    "Number",
    "Selector",
    "View",
    "calver",
    "choose",
    "earliest_max",
    "find_selector",
    "first",
    "numbers_of",
    "plurality",
    "provable",
    "select",
    "selector",
    "verdicts_on",
    "view_of",
]
