"""Does one cause explain the other away?  P(Y=1 | X=1, C=1) - P(Y=1 | C=1), C a common effect, against a threshold."""

from fractions import Fraction
from typing import TYPE_CHECKING

from calverify.errors import QueryError
from calverify.problem import Query
from calverify.tasks import _quantities as numbers
from calverify.tasks._task import Case, task

if TYPE_CHECKING:
    from calverify.effects import SCM

__all__ = ["cause_is_explained"]


def shown(query: Query) -> str:
    """ "P(Y=1 | X=1, C=1) - P(Y=1 | C=1)"."""
    stated = dict(query.formula)
    cause, outcome, *seen = (f"{name}={stated.get(name, '1')}" for name in (*query.targets, *query.given))
    return f"P({outcome} | {', '.join([cause, *seen])}) - P({outcome} | {', '.join(seen)})"


def prepare_difference(scm: "SCM", query: Query) -> numbers.Quantity:
    from calverify.effects import probability

    event = numbers.seen_event(scm, query, ("cause", "outcome"))
    if not query.given:
        raise QueryError(f"{query.task}: the field 'given' must name the common effect")
    cause, outcome = query.targets
    happens, effect = {outcome: event[outcome]}, {name: event[name] for name in query.given}

    def value() -> Fraction:
        return probability(scm, happens, {**effect, cause: event[cause]}) - probability(scm, happens, effect)

    return numbers.direct(scm, query, shown(query), value)


@task(
    "explaining_away",
    aliases=("exp_away", "explain_away", "berkson"),
    **numbers.quantity_parts(
        prepare_difference, lambda q: numbers.asked(shown(q), q), ("collider_bias",), "conditioning"
    ),
)
def cause_is_explained(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when seeing the cause, the effect being seen, adds more than the threshold."""
    return numbers.is_the_truth(answer, case)
