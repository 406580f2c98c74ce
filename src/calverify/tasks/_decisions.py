"""What yes/no questions about directed walks share: the truth, and the walk that shows a "yes"."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from calverify.graphs import Graph, directed_path
from calverify.names import listing
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT
from calverify.tasks._task import Case, Reason
from calverify.traces import WALK, YES_NO

__all__ = ["WalkQuestion", "is_the_truth", "walk_parts"]

Walk = tuple[str, ...]

WALK_STATES = ("path", "witness", "walk", "route", "directed_path", "nodes")
WALK_RULES = (
    "directed_path", "directed_paths", "path", "no_path", "reachability", "reachable", "unreachable", "not_reachable",
    "follow_edges", "follow_edge", "trace_path", "bfs", "dfs", "walk", "edge", "edges", "graph_surgery", "surgery",
    "mutilate", "mutilation", "mutilated_graph", "remove_incoming_edges", "cut_incoming_edges", "do", "do_operator",
    "intervene", "ancestors", "descendants", "ancestor", "descendant", "chain", "path_exists", "mediation",
    "node_insertion", "block_path",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WalkQuestion:
    """Is there a directed walk through these stops, in this order, in this graph?

    `direct` asks for a single edge between each two stops.  `cut` names the node whose incoming edges were removed.
    """

    graph: Graph
    stops: Walk
    direct: bool = False
    cut: str | None = None

    def walk(self) -> Walk | None:
        """A shortest walk through the stops, or None."""
        found: list[str] = [self.stops[0]]
        for start, stop in pairwise(self.stops):
            leg = directed_path(self.graph, {start}, {stop})
            if leg is None or (self.direct and len(leg) != 2):
                return None
            found += leg[1:]
        return tuple(found)

    def fault(self, walk: Walk) -> str | None:
        """Why `walk` does not show a "yes": it runs from the first stop to the last, by way of those between."""
        if walk[0] != self.stops[0] or walk[-1] != self.stops[-1] or len(walk) < 2:
            return f"{listing(walk, ' -> ')} does not run from {self.stops[0]} to {self.stops[-1]}"
        edges = self.graph.edge_set[0]
        for tail, head in pairwise(walk):
            if (tail, head) not in edges:
                after = f" once edges into {self.cut} are removed" if self.cut in (tail, head) else ""
                return f"{tail} -> {head} is not an edge of the graph{after}"
        for stop in self.stops[1:-1]:
            if stop not in walk[1:-1]:
                return f"{listing(walk, ' -> ')} does not pass {stop}"
        if self.direct and walk != self.stops:
            return f"{listing(walk, ' -> ')} is not direct"
        return None


def truth(case: Case) -> str:
    state: WalkQuestion = case.state
    return "yes" if state.walk() else "no"


def is_the_truth(answer: str, case: Case) -> bool:
    return answer == truth(case)


def only_truth(case: Case) -> Iterator[str]:
    yield truth(case)


def walk_fault(walk: Any, case: Case) -> str | None:
    """Why a stated witness does not hold edge by edge; None when it does."""
    state: WalkQuestion = case.state
    return state.fault(walk)


def walk_for(answer: str, case: Case) -> Walk | None:
    """The witness that a faultless trace states: a walk for "yes", nothing for "no"."""
    state: WalkQuestion = case.state
    return state.walk() if answer == "yes" else None


def reason(case: Case) -> Reason:
    """Proof of the truth: the walk, or everything that can be reached from the stop where the walk ends."""
    state: WalkQuestion = case.state
    walk = state.walk()
    after = f" once edges into {state.cut} are removed" if state.cut else ""
    if walk:
        witness = {"kind": "directed_walk", "walk": list(walk), "cut": state.cut}
        return Reason(f"{listing(walk, ' -> ')} is a directed path{after}", witness)
    for start, stop in pairwise(state.stops):
        leg = directed_path(state.graph, {start}, {stop})
        if leg is None:
            reached = sorted(state.graph.descendants({start}))
            why = f"{stop} cannot be reached from {start}{after}: {start} reaches only {{{listing(reached)}}}"
            return Reason(why, {"kind": "unreachable", "from": start, "to": stop, "reached": reached, "cut": state.cut})
        if state.direct and len(leg) != 2:
            return Reason(f"{start} -> {stop} is not an edge of the graph", {"kind": "no_edge", "edge": [start, stop]})
    raise AssertionError("a walk whose every leg exists is a walk")


def walk_parts(prepare: Callable[[Graph, Query], WalkQuestion], question: Callable[[Query], str]) -> dict[str, Any]:
    """The parts of a yes/no task about a directed walk: how it is compiled, and how it is put."""
    return {
        "family": "decision",
        "answer": YES_NO,
        "formal": GRAPH_SLOT,
        "prepare": prepare,
        "solve": only_truth,
        "cheapest": truth,
        "explain": lambda answer, case: reason(case),
        "question": question,
        "rules": WALK_RULES,
        "rule": "directed_path",
        "states": WALK_STATES,
        "witness": WALK,
        "witness_fault": walk_fault,
        "witness_for": walk_for,
    }
