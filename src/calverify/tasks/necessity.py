"""Is the probability of necessity above a threshold?  P(Y_0 = 0 | X=1, Y=1), the treatment never preventing Y."""

from fractions import Fraction
from typing import TYPE_CHECKING

from calverify.problem import Query
from calverify.tasks import _quantities as numbers
from calverify.tasks._task import Case, task
from calverify.tasks.ate import prepare_effect, shown_outcome

if TYPE_CHECKING:
    from calverify.effects import SCM

__all__ = ["necessity_is_above"]


def prepare_necessity(scm: "SCM", query: Query) -> numbers.Quantity:
    """Refused where the tables show that the treatment does prevent the outcome."""
    from calverify.effects import necessity

    effect = prepare_effect(scm, query)

    def value(adjustment: frozenset[str]) -> Fraction | None:
        parts = numbers.among_treated(effect, adjustment)
        return None if parts is None or not parts[0] else (parts[0] - parts[1]) / parts[0]

    name = f"the probability of necessity of {effect.treatment} for {shown_outcome(query, effect.outcome)}"
    truth = necessity(scm, effect.treatment, effect.outcome, event=effect.event)
    return numbers.with_adjustment(effect, name, truth, value)


@task(
    "necessity",
    aliases=("probability_of_necessity", "pn"),
    **numbers.quantity_parts(
        prepare_necessity,
        lambda q: numbers.asked(
            f"the probability of necessity of {q.targets[0]} for {shown_outcome(q, q.targets[1])} "
            f"(of those with {q.targets[0]}=1 and the outcome, the share who would not have had it under "
            f"{q.targets[0]}=0; {q.targets[0]} never prevents the outcome)",
            q,
            "State the adjustment set as your strategy. ",
        ),
        ("probability_of_necessity", "monotonicity", "excess_risk_ratio"),
        "adjustment_formula",
    ),
)
def necessity_is_above(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when the probability of necessity, under monotonicity, is above the threshold."""
    return numbers.is_the_truth(answer, case)
