"""Can the effect be identified from observed probabilities?  Decided by the ID algorithm, with a hedge for a no."""

from collections.abc import Iterator

from calverify.tasks._graph_slot import GRAPH_SLOT
from calverify.tasks._task import Case, Reason, task
from calverify.tasks.identification import EFFECT_RULES, effect_text, prepare_effect
from calverify.traces import YES_NO

__all__ = ["is_identifiable"]


def truth(case: Case) -> str:
    from calverify.docalculus import Estimand

    return "yes" if isinstance(case.state.identify(), Estimand) else "no"


def only_truth(case: Case) -> Iterator[str]:
    yield truth(case)


def explain(answer: str, case: Case) -> Reason:
    from calverify.docalculus import NOT_IDENTIFIABLE, decide

    decision = decide(case.state, NOT_IDENTIFIABLE, prove_it=True)
    return Reason(decision.why, decision.witness)


@task(
    "identifiable",
    family="decision",
    answer=YES_NO,
    formal=GRAPH_SLOT,
    prepare=prepare_effect,
    solve=only_truth,
    cheapest=truth,
    explain=explain,
    question=lambda q: f"Can {effect_text(q)} be identified from observed probabilities? Answer yes or no.",
    aliases=("identifiability",),
    rules=EFFECT_RULES,
    rule="id_algorithm",
    states=(),
    witness_needed=False,
    sets=True,
)
def is_identifiable(answer: str, case: Case) -> bool:
    """The answer says whether the ID algorithm finds an estimand."""
    return answer == truth(case)
