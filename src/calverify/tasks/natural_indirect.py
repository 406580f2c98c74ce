"""Is the natural indirect effect above a threshold?  E[Y_{X=0, M_1} - Y_0], M all that mediates."""

from typing import TYPE_CHECKING

from calverify.problem import Query
from calverify.tasks import _quantities as numbers
from calverify.tasks._set_tasks import SET_STATES
from calverify.tasks._task import Case, task
from calverify.tasks.ate import shown_outcome

if TYPE_CHECKING:
    from calverify.effects import SCM

__all__ = ["indirect_effect_is_above"]


def prepare_natural(scm: "SCM", query: Query) -> numbers.Quantity:
    from calverify.effects import natural_indirect

    return numbers.mediated(scm, query, "the natural indirect effect", natural_indirect)


@task(
    "natural_indirect",
    aliases=(
        "nie",
        "natural_indirect_effect",
        "indirect_effect",
        "mediated_effect",
    ),
    **numbers.quantity_parts(
        prepare_natural,
        lambda q: numbers.asked(
            f"the natural indirect effect of {q.targets[0]} on {shown_outcome(q, q.targets[1])} "
            "(through its mediators alone)",
            q,
            "State the mediators as your strategy. ",
        ),
        ("natural_indirect", "mediators"),
        "mediation_formula",
        ("mediators", *SET_STATES),
    ),
)
def indirect_effect_is_above(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when the natural indirect effect is above the threshold."""
    return numbers.is_the_truth(answer, case)
