"""The strict certificate of a numeric trace: a score of 6 and the guards that make a wrong decision impossible.

Under the supplied model: if the set is disjoint from the targets and the descendants of the treatment and separates
them, the recomputed functional is the effect (Lemma); the reported number is within the tolerance of it; and the effect
is further than the tolerance from the threshold, so both fall on the same side (the paper's Theorem 1).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calverify.errors import QueryError
from calverify.problem import Problem
from calverify.records import read_fields
from calverify.scoring._verify import checker_for
from calverify.tasks import Case, ate
from calverify.traces import parse

__all__ = ["Certificate", "broken_guard", "certifiable", "certificate_witness", "certify"]


@dataclass(frozen=True, slots=True)
class Certificate:
    """Is the decision certified, why or why not, and each stratum's exact numbers; None is undetermined."""

    granted: bool | None
    why: str
    witness: Mapping[str, Any] | None = None

    def __bool__(self) -> bool:
        return self.granted is True

    def to_json(self) -> dict[str, Any]:
        witness = dict(self.witness) if self.witness is not None else None
        return {"granted": self.granted, "why": self.why, "witness": witness}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Certificate":
        kinds = {"granted": bool | None, "why": str, "witness": dict | None}
        return cls(**read_fields("certificate", record, kinds, needed=kinds))


def certify(problem: Problem, text: str) -> Certificate:
    """The strict ATE certificate of a trace, or why there is none."""
    checker = checker_for(problem)
    case = checker.case
    if case is None or not certifiable(case):
        raise QueryError(
            f"only a numeric task about an average effect can be certified, and {problem.query.task!r} is none here"
        )
    trace = parse(text)
    verdict = checker.judge(trace)
    if verdict.score is None:
        return Certificate(None, verdict.why)
    if verdict.score != 6:
        first = verdict.faults[0]
        return Certificate(False, f"the score is {verdict.score}: {first.slot}: {first.why}", verdict.witness)
    claim: ate.EffectClaim = verdict.claim
    guard = broken_guard(claim, case)
    if guard is not None:
        return Certificate(False, guard, verdict.witness)
    why = f"{verdict.why}; no answer but {claim.answer} is possible"
    return Certificate(True, why, certificate_witness(claim, case))


def certifiable(case: Case) -> bool:
    """Is it about an average treatment effect, which the theorem is about?"""
    return isinstance(case.state, ate.Effect)


def certificate_witness(claim: ate.EffectClaim, case: Case) -> dict[str, Any]:
    """The strata with their exact numbers and their sum, and the proof that the set separates."""
    strata, state = case.task.explain(claim, case).witness, case.state
    assert strata is not None
    assert claim.adjustment is not None
    return {**strata, "kind": "certificate", "separated": state.separation(claim.adjustment).witness}


def broken_guard(claim: ate.EffectClaim, case: Case) -> str | None:
    """The first guard that a maximum-score claim breaks: exclusion, then margin."""
    state: ate.Effect = case.state
    assert claim.adjustment is not None
    graph = state.scm.graph
    for role, name in (("treatment", state.treatment), ("outcome", state.outcome)):
        if name in claim.adjustment:
            return f"the set holds the {role} {name} itself"
    for name in sorted(claim.adjustment & graph.strict_descendants({state.treatment})):
        return f"the set holds {name}, a descendant of {state.treatment}"
    value = state.psi(claim.adjustment).value
    assert value is not None
    margin = abs(value - state.threshold)
    if margin <= state.tolerance:
        return f"the effect {value} is within {state.tolerance} of the threshold {state.threshold}"
    return None
