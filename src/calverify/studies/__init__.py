"""A whole job from one file: sample, freeze, seal, select, reveal, grade, report.

Reading order: `_plan` (what the file says), `_folder` (where everything lies, and how long it took), `_stages` (each
stage does what is missing), `_told` (what it will cost, and what the checker changed).
"""

from calverify.studies._folder import Clock, StudyFolder
from calverify.studies._plan import Plan, Policy, read_plan
from calverify.studies._stages import Teller, asked_of, begin, graded, make_reports, run_policy
from calverify.studies._told import Ahead, Changed, ahead_of, changed_by

__all__ = [
    "Ahead",
    "Changed",
    "Clock",
    "Plan",
    "Policy",
    "StudyFolder",
    "Teller",
    "ahead_of",
    "asked_of",
    "begin",
    "changed_by",
    "graded",
    "make_reports",
    "read_plan",
    "run_policy",
]
