"""Proofs: a verdict on an answer with everything that `calverify.recheck` needs to check it without us."""

from dataclasses import replace
from json import dumps
from typing import Any

from calverify.errors import BudgetError, Fault, QueryError
from calverify.graphs import Graph
from calverify.problem import Problem
from calverify.scoring._certify import broken_guard, certifiable, certificate_witness
from calverify.scoring._check import Check, case_for, judged
from calverify.scoring._verdict import Verdict
from calverify.tasks import Case, ate

__all__ = ["proof", "proof_of"]


def proof(problem: Problem, answer: Any) -> dict[str, Any]:
    """{"problem", "answer", "valid", "why", "witness"} in plain JSON; a `BudgetError` where there is no verdict.

    The problem stands as it was judged: the task under its registered name, formulas as they print, claims and options
    as their objects, no legend.  An answer that cannot be read stands as it was given, and such a proof is refused by
    `recheck`: it has no witness.
    """
    case = case_for(problem)
    said = judged(case, answer)
    if said.valid is None:
        raise BudgetError(said.why.removeprefix("undetermined: "))
    return _record(problem, case, said, _as_given(answer) if said.answer is None else said.answer)


def proof_of(problem: Problem, verdict: Verdict) -> dict[str, Any]:
    """The proof of what a verdict says of a trace's answer, on the graph that the trace was judged on.

    Of a numeric trace the answer is its whole claim: its set, its number and its word.  Where the strict guards hold of
    them, the witness is a certificate.
    """
    if verdict.undetermined:
        raise BudgetError(verdict.undetermined)
    if verdict.answer is None:
        raise QueryError("the trace gives no answer that could be read, so there is nothing to prove")
    if verdict.claim is not None:
        return _claim_proof(problem, verdict.claim)
    formal = verdict.judged_on
    return proof(replace(problem, graph=formal) if isinstance(formal, Graph) else problem, verdict.answer)


def _claim_proof(problem: Problem, claim: ate.EffectClaim) -> dict[str, Any]:
    case = case_for(problem)
    if not claim.whole and (case.state.needs_set or None in (claim.reported, claim.answer)):
        raise QueryError("the trace does not state a set, a number and an answer, so there is nothing to prove")
    valid, reason = ate.bears_out(case.state, claim), case.task.explain(claim, case)
    certain = valid and certifiable(case) and broken_guard(claim, case) is None
    witness = certificate_witness(claim, case) if certain else reason.witness
    return _record(problem, case, Check(valid, reason.why, witness), claim.to_json())


def _record(problem: Problem, case: Case, said: Check, answer: Any) -> dict[str, Any]:
    return {
        "problem": _as_judged(problem, case),
        "answer": answer,
        "valid": said.valid,
        "why": said.why,
        "witness": None if said.witness is None else dict(said.witness),
    }


def _as_judged(problem: Problem, case: Case) -> dict[str, Any]:
    base = case if problem.query.form == "find_one" else case.state
    said = base.task.formal.show(base.formal).get("constraints", problem.query.formula)
    query = replace(
        problem.query,
        task=case.task.name,
        formula=tuple(map(tuple, said)),
        claim=None if problem.query.claim is None else _object_text(problem.query.claim, base),
        options=tuple(_object_text(option, base) for option in problem.query.options),
    )
    return replace(problem, query=query, legend=(), graph_class=None).to_json()


def _object_text(text: str, base: Case) -> str:
    """A claim or an option as its object: a name, a path or an edge as it is written, anything else in JSON."""
    value = base.task.answer.read(text, base.names, "query")
    if isinstance(value, Fault):
        return text
    shown = base.task.answer.show(value)
    return shown if isinstance(shown, str) else dumps(shown)


def _as_given(answer: Any) -> Any:
    if isinstance(answer, set | frozenset | tuple):
        return sorted(answer, key=str) if isinstance(answer, set | frozenset) else list(answer)
    return answer
