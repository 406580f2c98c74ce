"""What can go wrong, and whose fault it is.

A model's mistake is a `Fault`: data, costs a bit, never raised.
Our caller's or data set's mistake is a `CalverifyError`: raised where it is found, naming the value, its place and
what was expected.  A bug is neither, and crashes.

    CalverifyError
    ├── GraphError       an edge, node or class that no graph of ours can have
    ├── FormulaError     a formula outside the closed grammar
    ├── ExpressionError  an expression of probabilities outside the closed grammar, with the place where it stops
    ├── QueryError       a question that does not fit its graph or its task
    ├── UnknownTaskError      a task name that nothing is registered under
    ├── RecordError      a JSON record of the wrong shape
    │   └── LeakError    a record with a field that is not on the allow-list
    └── BudgetError      too large or over the step budget: undetermined, neither a pass nor a zero
"""

from dataclasses import dataclass

__all__ = [
    "BudgetError",
    "CalverifyError",
    "ExpressionError",
    "Fault",
    "FormulaError",
    "GraphError",
    "LeakError",
    "QueryError",
    "RecordError",
    "UnknownTaskError",
]


class CalverifyError(Exception):
    """The caller's or the data set's mistake."""


class GraphError(CalverifyError):
    """An edge, node or class that no graph of ours can have."""


class FormulaError(CalverifyError):
    """A formula outside the closed grammar."""


class ExpressionError(CalverifyError):
    """An expression of probabilities outside the closed grammar, or with an unknown name."""


class QueryError(CalverifyError):
    """A question that does not fit its graph or its task."""


class UnknownTaskError(CalverifyError):
    """A task name that nothing is registered under."""


class RecordError(CalverifyError):
    """A JSON record of the wrong shape."""


class LeakError(RecordError):
    """A record with a field that is not on the allow-list: a reference answer could live there."""


class BudgetError(CalverifyError):
    """Too large, or over the step budget: the question stays undetermined."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why one slot of a model's text earned nothing: `Fault("strategy", "2 copies")`."""

    slot: str
    why: str

    def to_json(self) -> dict[str, str]:
        return {"slot": self.slot, "why": self.why}

    @classmethod
    def from_json(cls, record: object) -> "Fault":
        if not isinstance(record, dict) or record.keys() != {"slot", "why"}:
            raise RecordError("a fault record has the fields slot and why, and no other")
        if not all(isinstance(value, str) for value in record.values()):
            raise RecordError("in a fault record, slot and why must be texts")
        return cls(record["slot"], record["why"])
