"""What the tasks about paths between two nodes share: typed simple paths, and which of them count."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from calverify.graphs import Graph, Path, directed_path, directed_paths, shortest_path, simple_paths
from calverify.names import first_repeat
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT
from calverify.tasks._task import Case, Reason, distinct_targets
from calverify.traces import PATH

__all__ = ["path_parts"]

STATES = ("path", "walk", "route", "nodes")
RULES = (
    "follow_edges", "follow_edge", "trace_path", "simple_path", "path", "walk", "edge", "edges", "bfs", "dfs",
    "breadth_first_search", "depth_first_search", "enumerate_paths", "enumeration", "shortest_path", "longest_path",
    "arrowhead", "into_treatment",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PathQuestion:
    """Simple paths from one node to another in `graph`; `directed` ones, or any."""

    graph: Graph
    source: str
    target: str
    directed: bool

    def every(self) -> Iterator[Path]:
        if self.directed:
            nodes = directed_paths(self.graph, self.source, self.target)
            return (Path(walk, ("->",) * (len(walk) - 1)) for walk in nodes)
        return simple_paths(self.graph, self.source, self.target)

    def shortest(self) -> Path | None:
        if not self.directed:
            return shortest_path(self.graph, self.source, self.target)
        walk = directed_path(self.graph, {self.source}, {self.target})
        return None if walk is None else Path(walk, ("->",) * (len(walk) - 1))

    def fault(self, path: Path) -> tuple[str, dict[str, Any]] | None:
        """Why a path is not one of them, with the data that shows it; None when it is."""
        if (path.nodes[0], path.nodes[-1]) != (self.source, self.target) or len(path.nodes) < 2:
            ends = f"{path} does not run from {self.source} to {self.target}"
            return ends, {"kind": "ends", "path": str(path)}
        twice = first_repeat(path.nodes)
        if twice is not None:
            return f"{path} visits {twice} twice", {"kind": "repeated", "name": twice}
        foreign = path.first_foreign_step(self.graph)
        if foreign is not None:
            edge = next(list(step) for step in path.steps() if " ".join(step) == foreign)
            return f"{foreign} is not an edge of the graph", {"kind": "no_edge", "edge": edge}
        if self.directed and set(path.arrows) != {"->"}:
            return f"{path} does not follow its arrows", {"kind": "not_directed", "path": str(path)}
        return None


def path_parts(head: str, prepare: Callable[[Graph, Query], PathQuestion], sentence: str) -> dict[str, Any]:
    """The parts of a path task: what it is called, how it is compiled, what a valid path is said to be."""

    def explain(path: Path, case: Case) -> Reason:
        fault = case.state.fault(path)
        if fault is not None:
            why, witness = fault
            if witness["kind"] == "no_edge" and path.first_foreign_step(case.formal) is None:
                why = f"{path} leaves {case.state.source} by an arrow out of it"
            return Reason(why, witness)
        return Reason(f"{path} is {sentence}", {"kind": "path", "path": [list(step) for step in path.steps()]})

    return {
        "family": "object",
        "answer": PATH,
        "formal": GRAPH_SLOT,
        "prepare": prepare,
        "solve": lambda case: case.state.every(),
        "every": lambda case: case.state.every(),
        "cheapest": lambda case: case.state.shortest(),
        "explain": explain,
        "noun": lambda query: (head, "from {} to {}".format(*query.targets)),
        "rules": RULES,
        "rule": "follow_edges",
        "states": STATES,
    }


def two_ends(graph: Graph, query: Query) -> tuple[str, ...]:
    return distinct_targets(query, graph.node_set, ("source", "target"))
