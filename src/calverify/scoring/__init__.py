"""The checker: six bits, why each failed, and the same question asked without a trace.

Reading order: `_bits` (the six checks), `_verify` (a problem compiled), `_verdict`, `_check`.
"""

from calverify.scoring._check import Check, case_of, check, nearest_valid, solve
from calverify.scoring._verdict import SCORER_VERSION, Verdict
from calverify.scoring._verify import Checker, checker_for, verify

__all__ = [
    "SCORER_VERSION",
    "Check",
    "Checker",
    "Verdict",
    "case_of",
    "check",
    "checker_for",
    "nearest_valid",
    "solve",
    "verify",
]
