"""The checker: six bits, why each failed, and the same question asked without a trace.

Reading order: `_bits` (the six checks), `_verify` (a problem compiled), `_verdict`, `_check`, `_proof` and `_margin`.
"""

from calverify.scoring._certify import Certificate, certifiable, certify
from calverify.scoring._check import Check, case_of, check, judged, nearest_valid, solve
from calverify.scoring._margin import Margin, edit_margin
from calverify.scoring._proof import proof, proof_of
from calverify.scoring._verdict import SCORER_VERSION, Verdict
from calverify.scoring._verify import Checker, checker_for, verify

__all__ = [
    "SCORER_VERSION",
    "Certificate",
    "Check",
    "Checker",
    "Margin",
    "Verdict",
    "case_of",
    "certifiable",
    "certify",
    "check",
    "checker_for",
    "edit_margin",
    "judged",
    "nearest_valid",
    "proof",
    "proof_of",
    "solve",
    "verify",
]
