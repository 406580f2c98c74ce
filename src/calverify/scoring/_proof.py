"""Proofs: a verdict on an answer with everything that `calverify.recheck` needs to check it without us."""

from dataclasses import replace
from typing import Any

from calverify.errors import BudgetError, QueryError
from calverify.graphs import Graph
from calverify.problem import Problem
from calverify.scoring._check import case_of, check
from calverify.scoring._verdict import Verdict
from calverify.tasks import Case

__all__ = ["proof", "proof_of"]


def proof(problem: Problem, answer: Any) -> dict[str, Any]:
    """{"problem", "answer", "valid", "why", "witness"} in plain JSON; a `BudgetError` where there is no verdict.

    The problem stands as it was judged: the task under its registered name, formulas as they print, no legend.  An
    answer that cannot be read stands as it was given, and such a proof is refused by `recheck`: it has no witness.
    """
    case = case_of(problem.graph, problem.query)
    said = check(problem.graph, problem.query, answer)
    if said.valid is None:
        raise BudgetError(said.why.removeprefix("undetermined: "))
    return {
        "problem": _as_judged(problem, case),
        "answer": _as_given(answer) if said.answer is None else said.answer,
        "valid": said.valid,
        "why": said.why,
        "witness": None if said.witness is None else dict(said.witness),
    }


def proof_of(problem: Problem, verdict: Verdict) -> dict[str, Any]:
    """The proof of what a verdict says of a trace's answer, on the graph that the trace was judged on."""
    if verdict.undetermined:
        raise BudgetError(verdict.undetermined)
    if verdict.answer is None:
        raise QueryError("the trace gives no answer that could be read, so there is nothing to prove")
    formal = verdict.judged_on
    return proof(replace(problem, graph=formal) if isinstance(formal, Graph) else problem, verdict.answer)


def _as_judged(problem: Problem, case: Case) -> dict[str, Any]:
    said = case.task.formal.show(case.formal).get("constraints", [])
    query = replace(problem.query, task=case.task.name, formula=tuple(map(tuple, said)))
    return replace(problem, query=query, legend=(), graph_class=None).to_json()


def _as_given(answer: Any) -> Any:
    if isinstance(answer, set | frozenset | tuple):
        return sorted(answer, key=str) if isinstance(answer, set | frozenset) else list(answer)
    return answer
