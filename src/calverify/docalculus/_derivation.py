"""A derivation: numbered steps, each one equation on one part of an expression, with what makes it true.

Rule 1: `before` and `after` stand at `place` in the whole before and after the step, and nothing else changed.
Rule 2: a step is an instance of its rule read in either direction, so a derivation can be read backwards.
Rule 3: "arithmetic/rearrangement" and "cancellation" hold for arbitrary functions in place of the probabilities.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from calverify.docalculus._expression import Expression, Number, Plus, Probability, Product, Quotient, Sum, Variable
from calverify.docalculus._rules import Condition
from calverify.docalculus._terms import Place
from calverify.docalculus._write import to_text

__all__ = ["RULES", "Derivation", "Step", "Unproved", "record", "tidy"]

RULES = {
    1: "rule 1: insertion/deletion of observations",
    2: "rule 2: action/observation exchange",
    3: "rule 3: insertion/deletion of actions",
    "conditioning": "conditioning (total probability)",
    "marginal": "marginalisation",
    "chain": "chain rule",
    "bayes": "Bayes",
    "quotient": "conditional as quotient",
    "cancel": "cancellation",
    "arithmetic": "arithmetic/rearrangement",
}


@dataclass(frozen=True)
class Step:
    """One equation: the part `before` at `place` becomes `after`, which turns the expression into `whole`."""

    rule: str
    place: Place
    before: Expression
    after: Expression
    whole: Expression
    condition: Condition | None = None

    def to_json(self) -> dict[str, Any]:
        held = {
            "condition": self.condition and self.condition.to_json(),
            "because": self.condition and str(self.condition),
        }
        parts = {name: record(getattr(self, name)) for name in ("before", "after", "whole")}
        return {"rule": self.rule, "place": list(self.place), **parts, "text": to_text(self.whole), **held}

    def __str__(self) -> str:
        """ "= P(Y | X, Z) P(Z)", and below it the rule and why it applies."""
        why = f"\n{' ' * 7}since {self.condition}" if self.condition else ""
        change = (
            ""
            if not self.place and self.rule == RULES["arithmetic"]
            else f": {to_text(self.before)} = {to_text(self.after)}"
        )
        return f"= {to_text(self.whole)}\n{' ' * 7}{self.rule}{change}{why}"


@dataclass(frozen=True)
class Derivation:
    """The start equals the goal, step by step."""

    start: Expression
    goal: Expression
    steps: tuple[Step, ...]
    explored: int = 0  # steps of the search

    def to_json(self) -> dict[str, Any]:
        return {
            "start": record(self.start),
            "goal": record(self.goal),
            "text": [to_text(self.start), to_text(self.goal)],
            "steps": [{"number": number, **step.to_json()} for number, step in enumerate(self.steps, start=1)],
        }

    def __str__(self) -> str:
        """The start, then a numbered line or three a step."""
        lines = [f"{number:>3}. {step}" for number, step in enumerate(self.steps, start=1)]
        return "\n".join([f"     {to_text(self.start)}", *lines])


@dataclass(frozen=True)
class Unproved:
    """No derivation was found, which refutes nothing; `explored` is the work done, `why` a lower-case phrase."""

    explored: int
    why: str


def record(expression: Expression) -> Any:
    """The expression in plain JSON: {"P": [of, do, given]}, {"sum": [...], "body"}, {"product"}, {"quotient"}, ..."""
    match expression:
        case Number(value):
            return {"number": value}
        case Probability(of, do, given):
            return {"P": [[_variable(one) for one in some] for some in (of, do, given)]}
        case Sum(over, body):
            return {"sum": [_variable(one) for one in over], "body": record(body)}
        case Product(factors):
            return {"product": [record(factor) for factor in factors]}
        case Quotient(above, below):
            return {"quotient": [record(above), record(below)]}
        case Plus(terms):
            return {"plus": [[sign, record(term)] for sign, term in terms]}
    raise TypeError(f"{expression!r} is no expression")


def _variable(variable: Variable) -> list[Any]:
    """["X", 0, None]: the node, the number of primes, the value or None."""
    return list(variable)


def tidy(start: Expression, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps with rows of rearrangements made one, Bayes' rule seen, and what changes nothing left out."""
    found: list[Step] = []
    for step in steps:
        if found and step.rule == found[-1].rule == RULES["arithmetic"]:
            last = found.pop()
            if last.place == step.place:
                step = replace(step, before=last.before)
            else:
                step = replace(step, place=(), before=found[-1].whole if found else start, after=step.whole)
        elif found and (bayes := _bayes(found[-1], step)) is not None:
            found.pop()
            step = bayes
        if step.before != step.after:
            found.append(step)
    return tuple(found)


def _bayes(one: Step, other: Step) -> Step | None:
    """P(b | a, c) P(a | c) / P(b | c) = P(a | b, c), where two steps go by way of P(a, b | c) / P(b | c)."""
    rules = one.rule, other.rule
    if rules == (RULES["chain"], RULES["quotient"]):
        outer, pair, joint, long, short = other, one.before, one.after, other.before, other.after
        inner = one
    elif rules == (RULES["quotient"], RULES["chain"]):
        outer, pair, joint, long, short = one, other.after, other.before, one.after, one.before
        inner = other
    else:
        return None
    if inner.place != (*outer.place, 0) or not isinstance(long, Quotient) or long.above != joint:
        return None
    if not isinstance(pair, Product) or not isinstance(short, Probability):
        return None
    if not any(isinstance(factor, Probability) and factor.of == short.of for factor in pair.factors):
        return None
    whole = Quotient(pair, long.below)
    before, after = (whole, short) if outer is other else (short, whole)
    return Step(RULES["bayes"], outer.place, before, after, other.whole)
