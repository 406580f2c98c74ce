"""What yes/no questions about a whole graph share: the truth, and the first thing that speaks against it."""

from collections.abc import Callable
from typing import Any

from calverify.graphs import Graph, c_components
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT, require_acyclic
from calverify.tasks._task import Case, Reason, distinct_targets
from calverify.traces import YES_NO

__all__ = ["answers_rightly", "many_children", "one_district", "question_parts"]

Objection = tuple[str, dict[str, Any]]


def one_district(graph: Graph) -> Objection | None:
    """Why the graph is not a C-component: two parts that no bidirected edge joins."""
    parts = c_components(graph)
    if len(parts) == 1:
        return None
    shown = [sorted(part) for part in parts]
    named = " and ".join("{" + ", ".join(part) + "}" for part in shown[:2])
    return f"no bidirected edge joins {named}", {"kind": "districts", "parts": shown}


def many_children(graph: Graph) -> Objection | None:
    """A node with more than one child."""
    for node in graph.nodes:
        children = sorted(graph.children({node}))
        if len(children) > 1:
            why = f"{node} has {len(children)} children: {', '.join(children)}"
            return why, {"kind": "children", "node": node, "children": children}
    return None


def answers_rightly(answer: str, case: Case) -> bool:
    """Is "yes" said exactly when nothing speaks against it?"""
    return answer == ("no" if case.state else "yes")


def question_parts(called: str, objection: Callable[[Graph], Objection | None]) -> dict[str, Any]:
    """The parts of a task that asks whether the whole graph is something."""

    def prepare(graph: Graph, query: Query) -> Objection | None:
        require_acyclic(graph, query.task)
        distinct_targets(query, graph.node_set, ())
        return objection(graph)

    def truth(case: Case) -> str:
        return "no" if case.state else "yes"

    def explain(answer: str, case: Case) -> Reason:
        if case.state:
            why, witness = case.state
            return Reason(f"not a {called}: {why}", witness)
        return Reason(f"the graph is a {called}", {"kind": "holds"})

    return {
        "family": "decision",
        "answer": YES_NO,
        "formal": GRAPH_SLOT,
        "prepare": prepare,
        "solve": lambda case: iter((truth(case),)),
        "cheapest": truth,
        "explain": explain,
        "question": lambda query: f"Is this graph a {called}? Answer yes or no.",
        "rules": (
            "c_component",
            "c_forest",
            "c_tree",
            "definition",
            "children",
            "root_set",
            "bidirected_edges",
            "district",
        ),
        "rule": "definition",
        "states": (),
        "witness_needed": False,
    }
