"""What the tasks with one right set share: say the set, and compare."""

from collections.abc import Callable
from typing import Any

from calverify.graphs import Graph
from calverify.names import listing
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT
from calverify.tasks._set_tasks import SET_STATES, names_text, unknown_names
from calverify.tasks._task import Case, Reason
from calverify.traces import NODE_SET

__all__ = ["single_set_parts"]


def single_set_parts(
    truth: Callable[[Graph, Query], frozenset[str]], noun: Callable[[Query], tuple[str, str]]
) -> dict[str, Any]:
    """The parts of a task whose only valid answer is the set that `truth` gives."""

    def explain(answer: frozenset[str], case: Case) -> Reason:
        if unknown := unknown_names(answer, case):
            return unknown
        extra, missing = sorted(answer - case.state), sorted(case.state - answer)
        called = " ".join(noun(case.query))
        witness = {"kind": "set", "is": sorted(case.state), "extra": extra, "missing": missing}
        if extra:
            return Reason(f"{listing(extra)} does not belong to the {called}", witness)
        if missing:
            return Reason(f"{listing(missing)} is left out of the {called}", witness)
        return Reason(f"{names_text(answer)} is the {called}", witness)

    return {
        "family": "object",
        "answer": NODE_SET,
        "formal": GRAPH_SLOT,
        "prepare": truth,
        "solve": lambda case: iter((case.state,)),
        "every": lambda case: iter((case.state,)),
        "cheapest": lambda case: case.state,
        "how_many": lambda case: len(case.state),
        "explain": explain,
        "noun": noun,
        "states": SET_STATES,
    }
