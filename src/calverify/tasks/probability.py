"""Is a probability above a threshold?  P(Y=1), or given a condition P(Y=1 | X=1), of what is merely seen."""

from typing import TYPE_CHECKING

from calverify.problem import Query
from calverify.tasks import _quantities as numbers
from calverify.tasks._task import Case, task

if TYPE_CHECKING:
    from calverify.effects import SCM

__all__ = ["probability_is_above"]


def shown(query: Query) -> str:
    """ "P(Y=1 | X=0)"."""
    stated = dict(query.formula)
    event, *seen = (f"{name}={stated.get(name, '1')}" for name in (*query.targets, *query.given))
    return f"P({event} | {', '.join(seen)})" if seen else f"P({event})"


def prepare_probability(scm: "SCM", query: Query) -> numbers.Quantity:
    from calverify.effects import probability

    event = numbers.seen_event(scm, query, ("outcome",))
    happens = {query.targets[0]: event.pop(query.targets[0])}
    return numbers.direct(scm, query, shown(query), lambda: probability(scm, happens, event))


@task(
    "probability",
    aliases=("marginal", "conditional", "conditional_probability", "observational", "marginal_probability"),
    **numbers.quantity_parts(
        prepare_probability, lambda q: numbers.asked(shown(q), q), ("sum",), "law_of_total_probability"
    ),
)
def probability_is_above(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when the probability of the outcome, given the condition, is above the threshold."""
    return numbers.is_the_truth(answer, case)
