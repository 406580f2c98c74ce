"""Give an estimand of P(outcomes | do(treatments), given), or say that there is none; sets of each are allowed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from calverify.errors import QueryError
from calverify.graphs import Graph
from calverify.names import listing
from calverify.problem import Query, Target
from calverify.tasks._graph_slot import GRAPH_SLOT, require_acyclic
from calverify.tasks._task import Case, Reason, task
from calverify.traces import EXPRESSION

if TYPE_CHECKING:
    from calverify.docalculus import Effect

__all__ = ["EFFECT_RULES", "effect_text", "is_the_effect", "prepare_effect"]

# `docalculus` is imported where it is used: most problems never ask for an estimand.

EFFECT_RULES = (
    "id_algorithm", "id", "idc", "hedge", "do_calculus", "rule_1", "rule_2", "rule_3", "backdoor", "backdoor_criterion",
    "backdoor_adjustment", "adjustment", "adjustment_formula", "frontdoor", "frontdoor_criterion", "front_door",
    "frontdoor_adjustment", "c_component", "district", "truncated_factorization", "truncated_factorisation",
    "g_formula", "marginalization", "marginalisation", "conditioning", "chain_rule", "bayes", "total_probability",
    "law_of_total_probability", "no_confounding", "unconfounded", "intervention", "substitution", "simplification",
    "insertion_of_observations", "deletion_of_observations", "action_observation_exchange", "insertion_of_actions",
    "deletion_of_actions", "do", "estimand", "factorization", "factorisation",
)  # fmt: skip


def prepare_effect(graph: Graph, query: Query) -> "Effect":
    from calverify.docalculus import Effect

    require_acyclic(graph, query.task)
    if len(query.targets) != 2:
        raise QueryError(f"{query.task} takes 2 targets (treatment, outcome), either may be a set")
    roles = {"treatment": _names(query.targets[0]), "outcome": _names(query.targets[1]), "condition": query.given}
    seen: dict[str, str] = {}
    for role, names in roles.items():
        for name in names:
            if name not in graph:
                raise QueryError(f"{query.task}: {role} {name!r} is not in the graph ({listing(sorted(graph.nodes))})")
            if name in seen:
                raise QueryError(f"{query.task}: {name} cannot be both {seen[name]} and {role}")
            seen[name] = role
    return Effect(graph, *map(frozenset, roles.values()))


def _names(target: Target) -> tuple[str, ...]:
    return target if type(target) is tuple else (target,)


def effect_text(query: Query) -> str:
    """P(Y | do(X), Z), as a question says it."""
    treatments, outcomes = (", ".join(_names(target)) for target in query.targets)
    given = f", {', '.join(query.given)}" if query.given else ""
    return f"P({outcomes} | do({treatments}){given})"


def estimands(case: Case) -> Iterator[Any]:
    """The one that the ID algorithm gives."""
    yield estimand(case)


def estimand(case: Case) -> Any:
    from calverify.docalculus import NOT_IDENTIFIABLE, Estimand, canonical

    found = case.state.identify()
    return canonical(found.expression) if isinstance(found, Estimand) else NOT_IDENTIFIABLE


def explain(candidate: Any, case: Case) -> Reason:
    from calverify.docalculus import decide

    decision = decide(case.state, candidate, prove_it=True)
    return Reason(decision.why, decision.witness)


@task(
    "identification",
    family="object",
    answer=EXPRESSION,
    formal=GRAPH_SLOT,
    prepare=prepare_effect,
    solve=estimands,
    cheapest=estimand,
    explain=explain,
    noun=lambda q: ("expression in observed probabilities", f"that equals {effect_text(q)}"),
    question=lambda q: (
        f"Give an expression in observed probabilities, without do, that equals {effect_text(q)}, such as "
        '"sum_{Z} P(B | A, Z) P(Z)"; or answer "not identifiable" where there is none.'
    ),
    aliases=("estimand", "identify", "causal_estimand", "identification_estimand", "do_calculus", "provable_estimand"),
    rules=EFFECT_RULES,
    rule="id_algorithm",
    states=("estimand", "expression", "formula", "functional", "candidate"),
    sets=True,
)
def is_the_effect(candidate: Any, case: Case) -> bool:
    """The expression equals the effect in every model of the graph; or there is none, and that is the answer."""
    from calverify.docalculus import decide

    return decide(case.state, candidate).accepted
