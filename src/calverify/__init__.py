"""Sample many answers to a causal question, check each with executable causal criteria, pick one, and say why.

    >>> import calverify as cv
    >>> g = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y")
    >>> cv.check(g, cv.Query("backdoor", ("X", "Y")), {"M"}).why
    'M is a descendant of X: X -> M'

The rooms, in reading order: `graphs` and `logic` (engines), `problem`, `traces` (the six-slot contract), `tasks` (one
predicate a file), `scoring` (the six bits), `selectors`, then `formats` and `cli` around them.
"""

from calverify.errors import (
    BudgetError,
    CalverifyError,
    Fault,
    FormulaError,
    GraphError,
    LeakError,
    QueryError,
    RecordError,
    UnknownTaskError,
)
from calverify.graphs import Graph, Path, separated
from calverify.problem import Problem, Query
from calverify.scoring import (
    SCORER_VERSION,
    Certificate,
    Check,
    Checker,
    Verdict,
    certify,
    check,
    nearest_valid,
    solve,
    verify,
)
from calverify.selectors import SELECTORS, Choice, View, choose, earliest_max, plurality, select, selector, view_of
from calverify.tasks import TASKS, find_task, prompt
from calverify.traces import Trace, parse

__version__ = "0.1.0"

__all__ = [
    "SCORER_VERSION",
    "SELECTORS",
    "TASKS",
    "BudgetError",
    "CalverifyError",
    "Certificate",
    "Check",
    "Checker",
    "Choice",
    "Fault",
    "FormulaError",
    "Graph",
    "GraphError",
    "LeakError",
    "Path",
    "Problem",
    "Query",
    "QueryError",
    "RecordError",
    "Trace",
    "UnknownTaskError",
    "Verdict",
    "View",
    "__version__",
    "certify",
    "check",
    "choose",
    "earliest_max",
    "find_task",
    "nearest_valid",
    "parse",
    "plurality",
    "prompt",
    "select",
    "selector",
    "separated",
    "solve",
    "verify",
    "view_of",
]
