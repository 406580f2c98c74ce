"""What the tasks share whose objects are listed outright: nodes, edges, relatives, triples, components."""

from collections.abc import Callable
from typing import Any

from calverify.graphs import Graph
from calverify.names import article
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT
from calverify.tasks._task import Case, Reason
from calverify.traces import NODE, NODE_SET, AnswerType

__all__ = ["member_parts"]

RULES = (
    "read_off", "lookup", "edges", "nodes", "parents", "children", "ancestors", "descendants", "reachability", "chain",
    "fork", "collider", "v_structure", "bidirected_edges", "partition", "connected_components", "enumeration", "list",
)  # fmt: skip


def member_parts(
    answer: AnswerType,
    members: Callable[[Graph, Query], list[Any]],
    noun: Callable[[Query], tuple[str, str]],
    states: tuple[str, ...],
) -> dict[str, Any]:
    """The parts of a task whose valid answers are the objects that `members` lists."""

    def explain(value: Any, case: Case) -> Reason:
        shown, called = answer.spell(value), " ".join(noun(case.query))
        right = value in case.state
        witness = {"kind": "member", "object": answer.show(value), "all": [answer.show(one) for one in case.state]}
        return Reason(f"{shown} is {'' if right else 'not '}{article(called)}", witness)

    return {
        "family": "object",
        "answer": answer,
        "formal": GRAPH_SLOT,
        "prepare": lambda graph, query: dict.fromkeys(members(graph, query)),
        "solve": lambda case: iter(case.state),
        "every": lambda case: iter(case.state),
        "cheapest": lambda case: next(iter(case.state), None),
        "explain": explain,
        "noun": noun,
        "rules": RULES,
        "rule": "read_off",
        "all_at_once": NODE_SET if answer is NODE else None,
        "states": states,
    }
