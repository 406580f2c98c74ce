"""The shelf of selectors: each is a function from a view to one number a candidate, and `earliest_max` picks.

The import list below is the table of contents; the file name is the registered name.
"""

from calverify.selectors._choice import Choice, choose, earliest_max, select
from calverify.selectors._shelf import SELECTORS, Selector, find_selector, numbers_of, selector
from calverify.selectors._view import ADMISSIONS, Number, View, verdicts_on, view_of
from calverify.selectors.calver import calver
from calverify.selectors.confidence import confidence
from calverify.selectors.cross_validity import cross_validity
from calverify.selectors.first import first
from calverify.selectors.judge import judge
from calverify.selectors.medoid import medoid
from calverify.selectors.plurality import plurality
from calverify.selectors.prm import prm
from calverify.selectors.provable import provable
from calverify.selectors.reward import reward
from calverify.selectors.soft_consistency import soft_consistency
from calverify.selectors.structure_only import structure_only
from calverify.selectors.verified_plurality import verified_plurality

__all__ = [
    "ADMISSIONS",
    "SELECTORS",
    "Choice",
    "Number",
    "Selector",
    "View",
    "calver",
    "choose",
    "confidence",
    "cross_validity",
    "earliest_max",
    "find_selector",
    "first",
    "judge",
    "medoid",
    "numbers_of",
    "plurality",
    "prm",
    "provable",
    "reward",
    "select",
    "selector",
    "soft_consistency",
    "structure_only",
    "verdicts_on",
    "verified_plurality",
    "view_of",
]
