"""The shelf of selectors: each is a function from verdicts to one number per candidate, and `earliest_max` picks."""

from calverify.selectors._choice import ADMISSIONS, Choice, Number, earliest_max, judge, select
from calverify.selectors.calver import calver
from calverify.selectors.plurality import plurality

__all__ = ["ADMISSIONS", "Choice", "Number", "calver", "earliest_max", "judge", "plurality", "select"]
