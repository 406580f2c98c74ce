"""Paths: typed chains of edges, directed routes, simple cycles, and what blocks one named path."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from calverify.errors import GraphError
from calverify.graphs._graph import Graph
from calverify.graphs._masks import as_names, each_bit, reach
from calverify.graphs._text import MARKS, quoted, read_chain

__all__ = [
    "Path",
    "directed_path",
    "directed_paths",
    "path_is_blocked",
    "shortest_cycle",
    "shortest_path",
    "simple_cycles",
    "simple_paths",
]


@dataclass(frozen=True, slots=True)
class Path:
    """Nodes and the edge between each two, as "F -> P <- T <-> J": a bow's two edges give two paths."""

    nodes: tuple[str, ...]
    arrows: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.nodes) != len(self.arrows) + 1 or any(arrow not in MARKS for arrow in self.arrows):
            raise GraphError(f"a path needs one of {' '.join(MARKS)} between each two nodes, not {self.arrows}")

    @classmethod
    def parse(cls, text: str) -> "Path":
        names, arrows = read_chain(text)
        return cls(names, arrows)

    def __str__(self) -> str:
        spelled = [quoted(self.nodes[0])]
        for arrow, node in zip(self.arrows, self.nodes[1:], strict=True):
            spelled += [arrow, quoted(node)]
        return " ".join(spelled)

    def steps(self) -> Iterator[tuple[str, str, str]]:
        """(left, arrow, right) of every edge: "F -> P <- T" -> ("F", "->", "P"), ("P", "<-", "T")."""
        return zip(self.nodes, self.arrows, self.nodes[1:], strict=False)

    def reversed(self) -> "Path":
        flipped = {"->": "<-", "<-": "->", "<->": "<->"}
        return Path(self.nodes[::-1], tuple(flipped[arrow] for arrow in self.arrows[::-1]))

    def colliders(self) -> tuple[str, ...]:
        """Interior nodes with an arrowhead on both sides."""
        return tuple(
            node
            for before, node, after in zip(self.arrows, self.nodes[1:-1], self.arrows[1:], strict=False)
            if before != "<-" and after != "->"
        )

    def first_foreign_step(self, graph: Graph) -> str | None:
        """The first step that is not an edge of that type in `graph`, as "F -> P"; None when all are."""
        directed, bidirected = graph.edge_set
        for left, arrow, right in self.steps():
            edge = (right, left) if arrow == "<-" else (left, right)
            if edge not in directed if arrow != "<->" else (min(edge), max(edge)) not in bidirected:
                return f"{left} {arrow} {right}"
        return None


def path_is_blocked(graph: Graph, path: Path, given: Iterable[str]) -> tuple[str, str] | None:
    """The first interior node that blocks `path`, with "noncollider" or "collider"; None when the path is open.

    A non-collider blocks when it is given; a collider blocks when neither it nor a descendant of it is given.
    """
    given = as_names(given)
    opened = graph.ancestors(given)
    for before, node, after in zip(path.arrows, path.nodes[1:-1], path.arrows[1:], strict=False):
        if before != "<-" and after != "->":
            if node not in opened:
                return node, "collider"
        elif node in given:
            return node, "noncollider"
    return None


def directed_path(
    graph: Graph, sources: Iterable[str], targets: Iterable[str], through: Iterable[str] | None = None
) -> tuple[str, ...] | None:
    """A shortest directed path from a source to a target, as nodes; its interior stays in `through` when given."""
    masks = graph.masks
    goal = masks.mask(targets)
    inside = (masks.visible if through is None else masks.mask(through)) | goal
    came: dict[int, int] = dict.fromkeys(each_bit(masks.mask(sources)), 0)
    queue = list(came)
    for bit in queue:  # grows while we walk it
        if bit & goal:
            chain = [bit]
            while came[chain[-1]]:
                chain.append(came[chain[-1]])
            return tuple(masks.names[b] for b in reversed(chain))
        for child in each_bit(masks.children[bit] & inside):
            if child not in came:
                came[child] = bit
                queue.append(child)
    return None


def shortest_path(graph: Graph, source: str, target: str) -> Path | None:
    """A path with the fewest edges, whatever their arrows, or None."""
    masks = graph.masks
    start, goal = masks.mask([source]), masks.mask([target])
    joined = {b: (masks.children[b] | masks.parents[b] & masks.visible | masks.spouses[b]) for b in masks.names}
    came: dict[int, int] = {start: 0}
    queue = [start]
    for bit in queue:  # grows while we walk it
        if bit == goal:
            break
        for other in each_bit(joined[bit] & masks.visible):
            if other not in came:
                came[other] = bit
                queue.append(other)
    if goal not in came or start == goal:
        return None
    walk = [goal]
    while came[walk[-1]]:
        walk.append(came[walk[-1]])
    walk.reverse()
    edges = [next(_next_edges(graph, joined, a, masks.visible & ~b, b)) for a, b in pairwise(walk)]
    return Path(tuple(masks.names[b] for b in walk), tuple(arrow for arrow, _ in edges))


def directed_paths(graph: Graph, source: str, target: str) -> Iterator[tuple[str, ...]]:
    """Every simple directed path between two nodes, as nodes, lazily."""
    masks = graph.masks
    start, goal = masks.mask([source]), masks.mask([target])
    if start == goal:
        return
    walk, used = [start], start
    branches = [each_bit(masks.children[start] & reach(masks.parents, goal, masks.visible & ~used))]
    while branches:
        bit = next(branches[-1], 0)
        if bit == goal:
            yield tuple(masks.names[b] for b in [*walk, bit])
        elif bit:
            walk.append(bit)
            used |= bit
            branches.append(each_bit(masks.children[bit] & reach(masks.parents, goal, masks.visible & ~used)))
        else:
            branches.pop()
            used ^= walk.pop()


def simple_paths(graph: Graph, source: str, target: str) -> Iterator[Path]:
    """Every simple path between two nodes whatever its arrows, lazily; parallel edges give distinct paths.

    Each prefix can be completed, so the wait between two paths is polynomial.
    """
    masks = graph.masks
    start, goal = masks.mask([source]), masks.mask([target])
    if start == goal:
        return
    joined = {b: (masks.children[b] | masks.parents[b] & masks.visible | masks.spouses[b]) for b in masks.names}
    nodes, arrows = [start], [""]
    branches = [_next_edges(graph, joined, start, start, goal)]
    while branches:
        step = next(branches[-1], None)
        if step is None:
            branches.pop()
            nodes.pop()
            arrows.pop()
            continue
        arrow, bit = step
        if bit == goal:
            yield Path(tuple(masks.names[b] for b in [*nodes, bit]), (*arrows[1:], arrow))
            continue
        nodes.append(bit)
        arrows.append(arrow)
        branches.append(_next_edges(graph, joined, bit, sum(nodes), goal))


def _next_edges(graph: Graph, joined: dict[int, int], bit: int, used: int, goal: int) -> Iterator[tuple[str, int]]:
    """Edges at `bit` to unused nodes from which the goal can still be reached."""
    masks = graph.masks
    useful = reach(joined, goal, ~used)
    for other in each_bit(joined[bit] & useful):
        if masks.children[bit] & other:
            yield "->", other
        if masks.parents[bit] & other:
            yield "<-", other
        if masks.spouses[bit] & other:
            yield "<->", other


def simple_cycles(graph: Graph) -> Iterator[tuple[str, ...]]:
    """Every simple directed cycle once, lazily, from its first node in graph order: ("A", "B") is A -> B -> A."""
    masks = graph.masks
    allowed = masks.visible
    for start in masks.names:
        walk = [start]
        branches = [each_bit(masks.children[start] & reach(masks.parents, start, allowed))]
        while branches:
            bit = next(branches[-1], 0)
            if bit == start:
                yield tuple(masks.names[b] for b in walk)
            elif bit:
                walk.append(bit)
                back = reach(masks.parents, start, allowed & ~(sum(walk) & ~start))
                branches.append(each_bit(masks.children[bit] & back))
            else:
                branches.pop()
                walk.pop()
        allowed &= ~start


def shortest_cycle(graph: Graph) -> tuple[str, ...] | None:
    """A directed cycle with the fewest edges, or None."""
    best: tuple[str, ...] | None = None
    for node in graph.nodes:
        back = directed_path(graph, graph.children({node}), {node})
        if back and (best is None or len(back) < len(best)):
            best = (node, *back[:-1])
    return best
