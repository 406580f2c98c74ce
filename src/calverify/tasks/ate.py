"""Is the average treatment effect above a threshold?  A set to adjust for, a number, and yes or no.

The trace states the set in its strategy slot and the number in its result slot.  The strategy bit is the paper's
*deployed* test: separation once arrows out of the treatment are cut, without the exclusion of the treatment, the
outcome and descendants.  The strict certificate (`calverify.certify`) adds those guards.

The outcome counts as happened in state 1; `formula=(("Y", "0"),)` asks about state 0 instead.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from calverify.errors import BudgetError, QueryError
from calverify.graphs import Graph, separated
from calverify.names import exact_number, number_json
from calverify.problem import Problem, Query
from calverify.tasks._graph_slot import GRAPH_SLOT
from calverify.tasks._set_tasks import SET_RULES, SET_STATES, names_text, separation_reason, unknown_names
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.traces import NODE_SET, YES_NO

if TYPE_CHECKING:
    from calverify.effects import SCM, Adjusted

__all__ = [
    "Effect",
    "EffectClaim",
    "ModelSlot",
    "Numeric",
    "bears_out",
    "is_above",
    "limit_text",
    "limits",
    "prepare_effect",
    "readable",
    "require_binary",
    "said_of_number",
    "said_of_truth",
    "shown_outcome",
    "stated_states",
]

TOLERANCE = Fraction(1, 50)


@dataclass(frozen=True, slots=True)
class EffectClaim:
    """What a trace says: the set it adjusts for, the number it reports, its yes or no; None where it says nothing."""

    adjustment: frozenset[str] | None
    reported: Fraction | None
    answer: str | None

    @property
    def whole(self) -> bool:
        """Does it say all three?"""
        return None not in (self.adjustment, self.reported, self.answer)

    def to_json(self) -> dict[str, Any]:
        adjustment = None if self.adjustment is None else sorted(self.adjustment)
        effect = None if self.reported is None else number_json(self.reported)
        return {"set": adjustment, "effect": effect, "answer": self.answer}


class Numeric(Protocol):
    """A numeric question, compiled: what the six checks ask of it."""

    @property
    def threshold(self) -> Fraction: ...

    @property
    def tolerance(self) -> Fraction: ...

    @property
    def needs_set(self) -> bool:
        """Must the strategy state a set, or is the number read off the tables directly?"""
        ...

    def separates(self, adjustment: frozenset[str]) -> bool:
        """The strategy bit: may the number be computed with this set?"""
        ...

    def recomputed(self, adjustment: frozenset[str]) -> Fraction | None:
        """The number that the set gives."""
        ...


@dataclass(frozen=True, slots=True)
class Effect:
    """A numeric question, compiled: the model, the two targets, and what decides."""

    scm: "SCM"
    cut: Graph
    treatment: str
    outcome: str
    threshold: Fraction
    tolerance: Fraction
    event: str = "1"

    needs_set: ClassVar[bool] = True

    def separates(self, adjustment: frozenset[str]) -> bool:
        """The deployed test: no exclusion guard, so a set that holds a target separates it trivially."""
        if not adjustment <= self.cut.node_set:
            return False
        return separated(self.cut, {self.treatment}, {self.outcome}, adjustment)

    def separation(self, adjustment: frozenset[str]) -> Reason:
        """The proof that a set without the targets separates them, or that it does not."""
        where = f" once arrows out of {self.treatment} are cut"
        return separation_reason(self.cut, self.treatment, self.outcome, adjustment, where)

    def psi(self, adjustment: frozenset[str]) -> "Adjusted":
        """The adjustment functional, with the treatment protected from overwrite by the set."""
        from calverify.effects import psi

        return psi(self.scm, self.treatment, self.outcome, adjustment, event=self.event)

    def recomputed(self, adjustment: frozenset[str]) -> Fraction | None:
        """The number that a trace with this set should report; None where an arm never occurs."""
        return self.psi(adjustment).value

    def strata(self, adjustment: frozenset[str]) -> list[dict[str, Any]] | None:
        """Each stratum's exact numbers; None where there are too many to list."""
        from calverify.effects import psi_strata

        try:
            strata = psi_strata(self.scm, self.treatment, self.outcome, adjustment, event=self.event)
            return [part.to_json() for part in strata]
        except BudgetError:
            return None

    def truth(self) -> Fraction:
        """The effect itself, by inference in the mutilated model."""
        from calverify.effects import ate

        return ate(self.scm, self.treatment, self.outcome, event=self.event)


def bears_out(state: Numeric, claim: EffectClaim) -> bool:
    """The deployed test of a whole claim: the set may be used, it gives the number, the number gives the word."""
    if claim.reported is None or (claim.adjustment is None and state.needs_set):
        return False
    adjustment = claim.adjustment or frozenset()
    if not state.separates(adjustment):
        return False
    value = state.recomputed(adjustment)
    near = value is not None and abs(claim.reported - value) <= state.tolerance
    return near and claim.answer == ("yes" if claim.reported > state.threshold else "no")


class ModelSlot:
    """The `Formal` of this task: the graph slot, with the tables that only the problem supplies."""

    noun = "the tables of a model: a Problem with the field scm"

    def supplied(self, problem: Problem) -> "SCM | None":
        return problem.scm

    def names(self, formal: "SCM") -> frozenset[str]:
        return formal.graph.node_set

    def mismatch(self, value: Any, formal: "SCM") -> str | None:
        return GRAPH_SLOT.mismatch(value, formal.graph)

    def construct(self, value: Any, problem: Problem) -> "SCM":
        raise QueryError(f"{problem.query.task} needs {self.noun}")

    def show(self, formal: "SCM") -> Any:
        return GRAPH_SLOT.show(formal.graph)

    def schema(self, formal: "SCM | None") -> str:
        return GRAPH_SLOT.schema(None if formal is None else formal.graph)

    def given(self, formal: "SCM | None", problem: Problem) -> str:
        return "a causal model with its probability tables, and a question about an effect in it"

    def facts(self, formal: "SCM") -> list[str]:
        lines = [*GRAPH_SLOT.facts(formal.graph), "All variables are 0 or 1. Their probability tables:"]
        for variable in formal.variables:
            given = f" | {', '.join(variable.parents)}" if variable.parents else ""
            table = formal.to_json()["variables"][variable.name]["p"]
            lines.append(f"P({variable.name}=1{given}) = {table}")
        return lines


def prepare_effect(scm: "SCM", query: Query) -> Effect:
    treatment, outcome = distinct_targets(query, scm.graph.node_set, ("treatment", "outcome"))
    for role, name in (("treatment", treatment), ("outcome", outcome)):
        require_binary(scm, query, role, name)
    threshold, tolerance = limits(query)
    event = stated_states(query, (outcome,)).get(outcome, "1")
    cut = scm.graph.without_edges_out_of({treatment})
    return Effect(scm, cut, treatment, outcome, threshold, tolerance, event)


def require_binary(scm: "SCM", query: Query, role: str, name: str) -> None:
    if not scm[name].binary:
        raise QueryError(f"{query.task}: the {role} {name} is not binary: {', '.join(scm[name].states)}")


def limits(query: Query) -> tuple[Fraction, Fraction]:
    """The threshold and the tolerance of a numeric question."""
    threshold = Fraction(0) if query.threshold is None else query.threshold
    tolerance = TOLERANCE if query.tolerance is None else query.tolerance
    if tolerance < 0:
        raise QueryError(f"{query.task}: the tolerance {tolerance} is negative")
    return threshold, tolerance


def limit_text(query: Query) -> str:
    """The threshold as a question writes it: "0.005", "1/3"."""
    return str(number_json(query.threshold or Fraction(0)))


def readable(value: Fraction) -> Any:
    """The number as a trace can state it: exact where it can be read back, else to fifteen places."""
    exact = number_json(value)
    return exact if exact_number(exact) == value else float(round(value, 15))


def stated_states(query: Query, names: Collection[str]) -> dict[str, str]:
    """The states that a query's `formula` gives to variables: {"Y": "0"}; refused for any other name or state."""
    for name, state in query.formula:
        if name not in names or state not in ("0", "1"):
            wanted = " or ".join(names)
            raise QueryError(f"{query.task}: the formula gives {name} the state {state!r}; expected {wanted} as 0 or 1")
    found = dict(query.formula)
    if len(found) != len(query.formula):
        raise QueryError(f"{query.task}: the formula names a variable twice")
    return found


def shown_outcome(query: Query, name: str) -> str:
    """The outcome as a question names it: "Y", or "Y=0" where that state is asked about."""
    return f"{name}=0" if (name, "0") in query.formula else name


def truth(case: Case) -> str:
    state: Effect = case.state
    return "yes" if state.truth() > state.threshold else "no"


def only_truth(case: Case) -> Iterator[str]:
    yield truth(case)


def explain(claim: "EffectClaim | str", case: Case) -> Reason:
    """Of a trace's claim: the first thing wrong with its set or number, or the strata; of a bare word: the effect."""
    state: Effect = case.state
    if isinstance(claim, str):
        outcome = shown_outcome(case.query, state.outcome)
        return said_of_truth(f"the effect of {state.treatment} on {outcome}", state.truth(), state)
    adjustment, reported = claim.adjustment, claim.reported
    if adjustment is None:
        return Reason("no set to adjust for is stated")
    if unknown := unknown_names(adjustment, case):
        return unknown
    if not state.separates(adjustment):
        return state.separation(adjustment)
    found = state.psi(adjustment)
    witness: dict[str, Any] = {
        "kind": "strata",
        "adjustment": sorted(adjustment),
        "strata": state.strata(adjustment),
        "psi": None if found.value is None else number_json(found.value),
    }
    if found.value is None or reported is None:
        return Reason(found.why, witness)
    given = f"adjusting for {names_text(adjustment)} gives {found.value}"
    return Reason(said_of_number(claim, found.value, state, given), witness)


def said_of_number(claim: EffectClaim, value: Fraction, state: Numeric, given: str) -> str:
    """What is wrong with the number or the word of a claim, or that nothing is; `given` says what the number is."""
    assert claim.reported is not None
    off = abs(claim.reported - value)
    if off > state.tolerance:
        return f"{given}, and {claim.reported} is off by {off}, more than {state.tolerance}"
    decided = "yes" if claim.reported > state.threshold else "no"
    if claim.answer not in (None, decided):
        return f"{claim.reported} against the threshold {state.threshold} means {decided}, not {claim.answer}"
    return f"{given}, " + ("as reported" if off == 0 else f"within {state.tolerance} of the reported {claim.reported}")


def said_of_truth(name: str, value: Fraction, state: Numeric) -> Reason:
    """The number that decides, against the threshold."""
    more = "above" if value > state.threshold else "not above"
    proof = {"kind": "effect", "effect": number_json(value), "threshold": number_json(state.threshold)}
    return Reason(f"{name} is {value}, {more} {state.threshold}", proof)


@task(
    "ate",
    family="numeric",
    answer=YES_NO,
    formal=ModelSlot(),
    prepare=prepare_effect,
    solve=only_truth,
    cheapest=truth,
    explain=explain,
    question=lambda q: (
        f"Is the average treatment effect of {q.targets[0]} on {shown_outcome(q, q.targets[1])} greater than "
        f"{limit_text(q)}? State "
        "the adjustment set as your strategy, the effect as your result, and answer yes or no."
    ),
    aliases=("average_treatment_effect", "ace", "average_causal_effect", "numeric_ate", "effect"),
    rules=SET_RULES,
    rule="adjustment_formula",
    states=SET_STATES,
    witness=NODE_SET,
    witness_for=lambda answer, case: case.state.scm.graph.parents({case.state.treatment}),
    result_for=lambda answer, case: readable(case.state.truth()),
)
def is_above(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when the true effect is above the threshold."""
    return answer == truth(case)
