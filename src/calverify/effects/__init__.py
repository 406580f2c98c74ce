"""Causal models given by their tables, and exact effects in them.  This room has never heard of language models.

Everything is a `Fraction`: numbers are taken as they are written, and no float decides anything.

Reading order: `_numbers`, `_variable`, `_scm` (the value), `_tables` (sums of products), `_question` (what is asked, as
tables), `_events` (how a caller says it), `_queries`, `_adjustment`.
"""

from calverify.effects._adjustment import Adjusted, Stratum, psi, psi_strata
from calverify.effects._numbers import exact_number
from calverify.effects._queries import (
    ate,
    ett,
    interventional,
    natural_direct,
    natural_indirect,
    necessity,
    necessity_bounds,
    probability,
)
from calverify.effects._scm import SCM
from calverify.effects._variable import BINARY, Variable

__all__ = [
    "BINARY",
    "SCM",
    "Adjusted",
    "Stratum",
    "Variable",
    "ate",
    "ett",
    "exact_number",
    "interventional",
    "natural_direct",
    "natural_indirect",
    "necessity",
    "necessity_bounds",
    "probability",
    "psi",
    "psi_strata",
]
