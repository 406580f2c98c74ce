"""Is the effect among the treated above a threshold?  E[Y_1 - Y_0 | X=1], by a set to adjust for."""

from fractions import Fraction
from typing import TYPE_CHECKING

from calverify.problem import Query
from calverify.tasks import _quantities as numbers
from calverify.tasks._task import Case, task
from calverify.tasks.ate import prepare_effect, shown_outcome

if TYPE_CHECKING:
    from calverify.effects import SCM

__all__ = ["effect_among_treated_is_above"]


def prepare_ett(scm: "SCM", query: Query) -> numbers.Quantity:
    from calverify.effects import ett

    effect = prepare_effect(scm, query)

    def value(adjustment: frozenset[str]) -> Fraction | None:
        parts = numbers.among_treated(effect, adjustment)
        return None if parts is None else parts[0] - parts[1]

    name = f"the effect of {effect.treatment} on {shown_outcome(query, effect.outcome)} among the treated"
    return numbers.with_adjustment(effect, name, ett(scm, effect.treatment, effect.outcome, event=effect.event), value)


@task(
    "ett",
    aliases=("att", "effect_of_treatment_on_the_treated", "effect_on_the_treated", "effect_among_the_treated"),
    **numbers.quantity_parts(
        prepare_ett,
        lambda q: numbers.asked(
            f"the average effect of {q.targets[0]} on {shown_outcome(q, q.targets[1])} among the treated "
            f"({q.targets[0]}=1)",
            q,
            "State the adjustment set as your strategy. ",
        ),
        ("effect_of_treatment_on_the_treated",),
        "adjustment_formula",
    ),
)
def effect_among_treated_is_above(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when the effect among the treated is above the threshold."""
    return numbers.is_the_truth(answer, case)
