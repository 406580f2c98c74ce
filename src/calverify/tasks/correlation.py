"""Is the outcome likelier where the exposure is seen?  P(Y=1 | X=1) - P(Y=1 | X=0) against a threshold."""

from fractions import Fraction
from typing import TYPE_CHECKING

from calverify.problem import Query
from calverify.tasks import _quantities as numbers
from calverify.tasks._task import Case, task

if TYPE_CHECKING:
    from calverify.effects import SCM

__all__ = ["difference_is_above"]


def shown(query: Query) -> str:
    """ "P(Y=1 | X=1) - P(Y=1 | X=0)", with the condition where there is one."""
    stated = dict(query.formula)
    exposure, outcome = query.targets
    seen = "".join(f", {name}={stated.get(name, '1')}" for name in query.given)
    happens = f"{outcome}={stated.get(outcome, '1')}"
    return f"P({happens} | {exposure}=1{seen}) - P({happens} | {exposure}=0{seen})"


def prepare_difference(scm: "SCM", query: Query) -> numbers.Quantity:
    from calverify.effects import probability

    event = numbers.seen_event(scm, query, ("exposure", "outcome"))
    exposure, outcome = query.targets
    happens, condition = {outcome: event[outcome]}, {name: event[name] for name in query.given}

    def value() -> Fraction:
        arms = (probability(scm, happens, {**condition, exposure: arm}) for arm in (1, 0))
        return next(arms) - next(arms)

    return numbers.direct(scm, query, shown(query), value)


@task(
    "correlation",
    aliases=("association", "associational_difference", "risk_difference"),
    **numbers.quantity_parts(prepare_difference, lambda q: numbers.asked(shown(q), q), ("compare",), "conditioning"),
)
def difference_is_above(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when the outcome's probability differs between arms by more than the threshold."""
    return numbers.is_the_truth(answer, case)
