"""Is the natural direct effect above a threshold?  E[Y_{X=1, M_0} - Y_0], M all that mediates."""

from typing import TYPE_CHECKING

from calverify.problem import Query
from calverify.tasks import _quantities as numbers
from calverify.tasks._set_tasks import SET_STATES
from calverify.tasks._task import Case, task
from calverify.tasks.ate import shown_outcome

if TYPE_CHECKING:
    from calverify.effects import SCM

__all__ = ["direct_effect_is_above"]


def prepare_natural(scm: "SCM", query: Query) -> numbers.Quantity:
    from calverify.effects import natural_direct

    return numbers.mediated(scm, query, "the natural direct effect", natural_direct)


@task(
    "natural_direct",
    aliases=(
        "nde",
        "natural_direct_effect",
        "direct_effect",
        "controlled_for_mediators",
    ),
    **numbers.quantity_parts(
        prepare_natural,
        lambda q: numbers.asked(
            f"the natural direct effect of {q.targets[0]} on {shown_outcome(q, q.targets[1])} "
            "(not through any mediator)",
            q,
            "State the mediators as your strategy. ",
        ),
        ("natural_direct", "mediators"),
        "mediation_formula",
        ("mediators", *SET_STATES),
    ),
)
def direct_effect_is_above(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when the natural direct effect is above the threshold."""
    return numbers.is_the_truth(answer, case)
