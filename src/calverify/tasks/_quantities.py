"""What the numeric questions about a model share: a number that the tables fix, against a threshold.

Rule 1: the tables decide.  The number is recomputed exactly, and the word follows from the reported number.
Rule 2: where a number is read off the tables directly, the strategy may state any set of nodes (a law of total
probability holds for every one) or none.  Where it needs a set, the set is checked: one that separates for effects
among the treated, one that catches every indirect path for natural effects.
Rule 3: `formula` gives states, 1 where it says nothing: `(("Y", "0"),)` asks about Y=0.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from calverify.errors import QueryError
from calverify.graphs import Graph, directed_path
from calverify.names import listing, number_json
from calverify.problem import Query
from calverify.tasks._set_tasks import SET_RULES, SET_STATES, names_text, unknown_names
from calverify.tasks._task import Case, Reason, distinct_targets
from calverify.tasks.ate import (
    Effect,
    EffectClaim,
    ModelSlot,
    limit_text,
    limits,
    prepare_effect,
    readable,
    require_binary,
    said_of_number,
    said_of_truth,
    shown_outcome,
    stated_states,
)
from calverify.traces import NODE_SET, YES_NO

if TYPE_CHECKING:
    from calverify.effects import SCM

__all__ = [
    "Quantity",
    "among_treated",
    "asked",
    "direct",
    "indirect_path",
    "is_the_truth",
    "mediated",
    "quantity_parts",
    "seen_event",
    "with_adjustment",
]

Value = Callable[[frozenset[str]], Fraction | None]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a model, compiled: its name in words, its value, and what may be said about how it is computed."""

    name: str
    truth: Callable[[], Fraction]
    threshold: Fraction
    tolerance: Fraction
    nodes: frozenset[str]
    needs_set: bool = False
    misfit: Callable[[frozenset[str]], Reason | None] = lambda names: None
    given_set: Value | None = None  # the value that a set gives; None: whatever the set, it is the truth
    usual_set: frozenset[str] = frozenset()

    def separates(self, adjustment: frozenset[str]) -> bool:
        return adjustment <= self.nodes and self.misfit(adjustment) is None

    def recomputed(self, adjustment: frozenset[str]) -> Fraction | None:
        return self.truth() if self.given_set is None else self.given_set(adjustment)


# ---------------------------------------------------------------- compiled


def direct(scm: "SCM", query: Query, name: str, value: Callable[[], Fraction]) -> Quantity:
    """A number that the tables fix without a choice of a set; refused where its condition never occurs."""
    number = value()
    return Quantity(name, lambda: number, *limits(query), scm.graph.node_set)


def seen_event(scm: "SCM", query: Query, roles: tuple[str, ...]) -> dict[str, int]:
    """The state of every name that the query has: its targets, in these roles, and its condition."""
    targets = distinct_targets(query, scm.graph.node_set, roles)
    names = (*targets, *query.given)
    for role, name in zip((*roles, *["condition"] * len(query.given)), names, strict=True):
        if name not in scm:
            raise QueryError(f"{query.task}: {role} {name!r} is not in the graph ({listing(sorted(scm.graph.nodes))})")
        require_binary(scm, query, role, name)
    if len(set(names)) != len(names):
        raise QueryError(f"{query.task}: a name stands twice among the targets and the condition")
    stated = stated_states(query, names)
    return {name: int(stated.get(name, "1")) for name in names}


def with_adjustment(effect: Effect, name: str, truth: Fraction, value: Value) -> Quantity:
    """A number that a set to adjust for gives, by the deployed test of `ate`."""

    def misfit(names: frozenset[str]) -> Reason | None:
        return None if effect.separates(names) else effect.separation(names)

    graph = effect.scm.graph
    usual = graph.parents({effect.treatment})
    nodes = graph.node_set
    return Quantity(name, lambda: truth, effect.threshold, effect.tolerance, nodes, True, misfit, value, usual)


def among_treated(effect: Effect, adjustment: frozenset[str]) -> tuple[Fraction, Fraction] | None:
    """P(outcome | treated), and what it would have been under control, summed over the strata of a set.

    None where a stratum of treated units has no controls.
    """
    from calverify.effects import probability, psi_strata

    scm, x, y = effect.scm, effect.treatment, effect.outcome
    factual = counterfactual = Fraction(0)
    for stratum in psi_strata(scm, x, y, adjustment, event=effect.event):
        mass = probability(scm, dict(stratum.given), {x: 1}) if stratum.given else Fraction(1)
        if not mass:
            continue
        if stratum.control is None or stratum.treated is None:
            return None
        factual += mass * stratum.treated
        counterfactual += mass * stratum.control
    return factual, counterfactual


def indirect_path(graph: Graph, x: str, y: str, names: frozenset[str]) -> tuple[str, ...] | None:
    """A directed path from x to y of more than one edge that none of the names is on; None where there is none."""
    edges = [edge for edge in graph.directed if edge != (x, y) and not names & {*edge}]
    left = Graph(graph.nodes, edges)
    found = directed_path(left, {x}, {y})
    return None if found is None else tuple(found)


def mediated(scm: "SCM", query: Query, name: str, natural: Callable[..., Fraction]) -> Quantity:
    """A natural effect: the set holds mediators only, and every indirect path from treatment to outcome meets it."""
    effect = prepare_effect(scm, query)
    graph, x, y = scm.graph, effect.treatment, effect.outcome
    between = graph.strict_descendants({x}) & graph.ancestors({y}) - {x, y}

    def misfit(names: frozenset[str]) -> Reason | None:
        for other in sorted(names - between):
            why = f"{other} is on no directed path from {x} to {y}"
            return Reason(why, {"kind": "no_mediator", "name": other, "mediators": sorted(between)})
        path = indirect_path(graph, x, y, names)
        if path is None:
            return None
        why = f"{names_text(names)} leaves out the path {' -> '.join(path)}"
        return Reason(why, {"kind": "directed_walk", "walk": list(path), "cut": None})

    value = natural(scm, x, y, event=effect.event)
    about = f"{name} of {x} on {shown_outcome(query, y)}"
    limit = (effect.threshold, effect.tolerance)
    return Quantity(about, lambda: value, *limit, graph.node_set, True, misfit, None, between)


# ---------------------------------------------------------------- the parts of a task


def truth(case: Case) -> str:
    state: Quantity = case.state
    return "yes" if state.truth() > state.threshold else "no"


def is_the_truth(answer: str, case: Case) -> bool:
    return answer == truth(case)


def only_truth(case: Case) -> Iterator[str]:
    yield truth(case)


def explain(claim: EffectClaim | str, case: Case) -> Reason:
    """Of a bare word: the number.  Of a trace's claim: the first thing wrong with its set or its number, or nothing."""
    state: Quantity = case.state
    if isinstance(claim, str):
        return said_of_truth(state.name, state.truth(), state)
    if claim.adjustment is None and state.needs_set:
        return Reason("no set is stated")
    adjustment = claim.adjustment or frozenset()
    if unknown := unknown_names(adjustment, case):
        return unknown
    if (misfit := state.misfit(adjustment)) is not None:
        return misfit
    value = state.recomputed(adjustment)
    by = f" by {names_text(adjustment)}" if state.needs_set else ""
    shown = None if value is None else number_json(value)
    witness: dict[str, Any] = {"kind": "quantity", "set": sorted(adjustment), "value": shown}
    if value is None or claim.reported is None:
        none = f"{state.name} cannot be computed{by}: an arm never occurs in one of its strata"
        return Reason(none if value is None else f"{state.name}{by} is {value}", witness)
    return Reason(said_of_number(claim, value, state, f"{state.name}{by} is {value}"), witness)


def asked(words: str, query: Query, more: str = "") -> str:
    """The question of a numeric task."""
    return f"Is {words} greater than {limit_text(query)}? {more}State the number as your result, and answer yes or no."


def quantity_parts(
    prepare: Callable[["SCM", Query], Quantity],
    question: Callable[[Query], str],
    rules: Collection[str],
    rule: str,
    states: tuple[str, ...] = SET_STATES,
) -> dict[str, Any]:
    """The parts of a task about a number of a model."""
    return {
        "family": "numeric",
        "answer": YES_NO,
        "formal": ModelSlot(),
        "prepare": prepare,
        "solve": only_truth,
        "cheapest": truth,
        "explain": explain,
        "question": question,
        "rules": (*SET_RULES, *PROBABILITY_RULES, *rules),
        "rule": rule,
        "states": states,
        "witness": NODE_SET,
        "witness_for": lambda answer, case: case.state.usual_set,
        "result_for": lambda answer, case: readable(case.state.truth()),
    }


PROBABILITY_RULES = (
    "direct", "total_probability", "law_of_total_probability", "marginalization", "marginalisation", "conditioning",
    "bayes", "bayes_rule", "chain_rule", "conditional_probability", "product_rule", "estimand", "factorization",
    "factorisation", "consistency", "counterfactual", "mediation_formula", "mediation", "abduction", "frontdoor",
    "front_door", "instrument", "wald_ratio",
)  # fmt: skip
