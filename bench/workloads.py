"""What is asked: random graphs, separation queries, backdoor checks, and traces of mixed quality.

Rule 1: everything is drawn from a seed that names the workload, so every run and every machine asks the same.
Rule 2: nothing here knows an engine: a set that must be valid is the parents of a node, which is valid by theory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps
from random import Random
from typing import Any

__all__ = ["ADMGS", "DAGS", "Asked", "Layout", "Sized", "Trial", "layouts", "questions", "trials"]

Edge = tuple[str, str]
Asked = tuple[str, str, frozenset[str]]  # x, y, Z

STEPS = ("graph_extract", "query_id", "strategy", "identification_proof", "compute", "answer")
TASKS = ("d_separation", "backdoor")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
QUERIES = 8  # a graph
K = 8  # traces a problem


@dataclass(frozen=True, slots=True)
class Sized:
    """One family of random graphs, with the largest conditioning set."""

    name: str
    nodes: int
    edges: tuple[int, int]
    graphs: int
    largest_set: int
    arcs: tuple[int, int] = (0, 0)
    most_parents: int = 1_000


DAGS = (
    Sized("dag8", 8, (7, 12), 500, 4),
    Sized("dag20", 20, (30, 45), 200, 6),
    Sized("dag76", 76, (112, 112), 60, 8, most_parents=7),  # the size of win95pts
    Sized("dag1000", 1_000, (2_000, 2_000), 5, 20),
)
ADMGS = (
    Sized("admg8", 8, (7, 12), 300, 4, (1, 4)),
    Sized("admg20", 20, (30, 45), 120, 6, (3, 8)),
    Sized("admg76", 76, (112, 112), 40, 8, (5, 15), most_parents=7),
)


@dataclass(frozen=True, slots=True)
class Layout:
    """A graph as plain names and edges, its nodes in an order that says nothing about the arrows."""

    nodes: tuple[str, ...]
    directed: tuple[Edge, ...]
    bidirected: tuple[Edge, ...]
    order: tuple[str, ...]  # every arrow points forward in it

    def parents(self, node: str) -> list[str]:
        return sorted(tail for tail, head in self.directed if head == node)


def layouts(sized: Sized, share: float = 1.0) -> list[Layout]:
    """The family's graphs, or the first `share` of them (at least two)."""
    rng = Random(f"layouts {sized.name}")
    return [_layout(sized, rng) for _ in range(max(2, round(sized.graphs * share)))]


def _layout(sized: Sized, rng: Random) -> Layout:
    nodes = tuple(LETTERS[: sized.nodes]) if sized.nodes <= len(LETTERS) else tuple(f"V{i}" for i in range(sized.nodes))
    order = rng.sample(nodes, sized.nodes)
    wanted = rng.randint(*sized.edges)
    parents = dict.fromkeys(nodes, 0)
    edges: dict[Edge, None] = {}
    while len(edges) < wanted:
        tail, head = sorted(rng.sample(range(sized.nodes), 2))
        edge = order[tail], order[head]
        if edge not in edges and parents[edge[1]] < sized.most_parents:
            edges[edge] = None
            parents[edge[1]] += 1
    arcs: dict[Edge, None] = {}
    many = rng.randint(*sized.arcs)
    while len(arcs) < many:
        left, right = sorted(rng.sample(range(sized.nodes), 2))
        arcs[nodes[left], nodes[right]] = None
    return Layout(nodes, tuple(edges), tuple(arcs), tuple(order))


def questions(sized: Sized, graphs: Sequence[Layout]) -> list[list[Asked]]:
    """Eight separation queries a graph: two nodes, and a set of the others whose size is uniform."""
    rng = Random(f"questions {sized.name}")
    return [[_asked(graph.nodes, sized.largest_set, rng) for _ in range(QUERIES)] for graph in graphs]


def _asked(nodes: Sequence[str], largest: int, rng: Random) -> Asked:
    x, y, *others = rng.sample(nodes, 2 + rng.randint(0, largest))
    return x, y, frozenset(others)


@dataclass(frozen=True, slots=True)
class Trial:
    """One problem and the K texts that models returned for it."""

    layout: Layout
    task: str
    targets: Edge
    texts: tuple[str, ...]


def trials(sized: Sized, graphs: Sequence[Layout], *, faultless: bool = False) -> list[Trial]:
    """A problem a graph, d-separation and backdoor in turn; its texts are of mixed quality unless `faultless`."""
    rng = Random(f"trials {sized.name}")
    found = []
    for turn, layout in enumerate(graphs):
        task = TASKS[turn % 2]
        targets = _targets(layout, task, rng)
        writer = _Writer(layout, task, targets, rng)
        texts = [writer.whole(i % 2 == 0) for i in range(K)] if faultless else writer.mixed(spaced=turn % 4 < 2)
        found.append(Trial(layout, task, targets, tuple(texts)))
    return found


def _targets(layout: Layout, task: str, rng: Random) -> Edge:
    """Two nodes, the first before the second; apart where they are to be separated."""
    edges = set(layout.directed)
    while True:
        tail, head = sorted(rng.sample(range(len(layout.order)), 2))
        pair = layout.order[tail], layout.order[head]
        if task == "backdoor" or pair not in edges:
            return pair


PROSE = """We are asked about {0} and {1}. Let us look at the arrows that enter {0} first, then follow each of them
back to where it comes from, and see which of those nodes reach {1} on another way. Conditioning on a
collider would open a path that is closed now, so colliders stay out unless something behind them is
needed. What is left over are the nodes named below, and with them every path that I can find is blocked.
ANSWER: {2}"""


class _Writer:
    """Writes the texts of one problem, in the shape of the paper's figure."""

    def __init__(self, layout: Layout, task: str, targets: Edge, rng: Random) -> None:
        self.layout, self.task, self.targets, self.rng = layout, task, targets, rng
        # Given its parents, a node is separated from every earlier one; and parents block every backdoor path.
        self.valid = layout.parents(targets[0] if task == "backdoor" else targets[1])

    def whole(self, spaced: bool) -> str:
        return self.text(self.valid, spaced=spaced)

    def mixed(self, spaced: bool) -> list[str]:
        """Two good ones, two drawn at random, one without a slot, one on another graph, one absurd, and prose."""
        others = [node for node in self.layout.nodes if node not in self.targets]
        drawn = [sorted(self.rng.sample(others, self.rng.randint(0, 4))) for _ in range(2)]
        return [
            self.text(self.valid, spaced=spaced),
            self.text(self.valid, spaced=not spaced, prose=True, states_set=True),
            self.text(drawn[0], spaced=spaced, states_set=True),
            self.text(drawn[1], spaced=not spaced),
            self.text(self.valid, spaced=spaced, without="identification_proof"),
            self.text(self.valid, spaced=not spaced, edges=self.layout.directed[1:]),
            self.text([*drawn[0][:2], self.targets[1]], spaced=spaced),
            PROSE.format(*self.targets, ", ".join(self.valid) or "{}"),
        ]

    def text(
        self,
        members: Sequence[str],
        *,
        spaced: bool,
        prose: bool = False,
        states_set: bool = False,
        without: str = "",
        edges: Sequence[Edge] | None = None,
    ) -> str:
        graph: dict[str, Any] = {"nodes": self.layout.nodes, "edges": self.layout.directed if edges is None else edges}
        strategy: dict[str, Any] = {"method": "node_insertion"}
        if states_set:
            strategy["set"] = members
        steps: list[dict[str, Any]] = [{"rule": "node_insertion", "to": name} for name in members]
        bodies = (
            graph,
            {"task": self.task, "targets": self.targets},
            strategy,
            steps or [{"rule": "node_insertion", "to": []}],
            {"result": members},
            {"answer": members},
        )
        lines = []
        for place, (step, body) in enumerate(zip(STEPS, bodies, strict=True), 1):
            if step == without:
                continue
            if prose:
                lines.append(f"Let me write down the {step.replace('_', ' ')} next, as the schema wants it.")
            lines.append(f"STEP {place} [{step}]: {dumps(body, separators=None if spaced else (',', ':'))}")
        return "\n".join(["<think>", *lines, "</think>", f"ANSWER: {', '.join(members) or '{}'}"])
