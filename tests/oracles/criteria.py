"""Every task's predicate a second time, straight from its definition: slow, obvious, by enumerating paths.

Shares no code with the library.  It reads a graph's nodes and edges and nothing else.
"""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from tests.oracles.paths import Paths, subsets
from tests.oracles.truth_tables import Tree, solutions

Edge = tuple[str, str]
Step = tuple[str, str, str]
Names = frozenset[str]


class Plain(NamedTuple):
    """A graph as three rows."""

    nodes: tuple[str, ...]
    directed: tuple[Edge, ...]
    bidirected: tuple[Edge, ...]


def without_edges_out_of(graph, node: str) -> Plain:
    return Plain(graph.nodes, tuple(edge for edge in graph.directed if edge[0] != node), graph.bidirected)


def without_edges_into(graph, node: str) -> Plain:
    """What do(node) leaves: no arrowhead at the node, bidirected edges included."""
    directed = tuple(edge for edge in graph.directed if edge[1] != node)
    return Plain(graph.nodes, directed, tuple(edge for edge in graph.bidirected if node not in edge))


# ---------------------------------------------------------------- sets


def backdoor(graph, x: str, y: str) -> Callable[[Names], bool]:
    """Nothing of X, Y and De(X) is in Z, and Z separates X from Y in the graph without arrows out of X."""
    forbidden = {x, y} | Paths(graph).strictly_below(x)
    cut = Paths(without_edges_out_of(graph, x))
    return lambda z: z <= set(graph.nodes) and not z & forbidden and cut.separated({x}, {y}, z)


def d_separation(graph, x: str, y: str) -> Callable[[Names], bool]:
    """Neither node is in Z, and no path between them is open."""
    paths = Paths(graph)
    return lambda z: z <= set(graph.nodes) and not z & {x, y} and paths.separated({x}, {y}, z)


def blocked_path(graph, nodes: Sequence[str], arrows: Sequence[str]) -> Callable[[Names], bool]:
    """Neither end is in Z, and some interior node of this one path closes it."""
    paths, path = Paths(graph), (tuple(nodes), tuple(arrows))
    ends = {nodes[0], nodes[-1]}
    return lambda z: z <= set(graph.nodes) and not z & ends and not paths.is_open(path, z)


def members(holds: Callable[[Names], bool], names: Collection[str]) -> set[Names]:
    """Every set of names that holds."""
    return {z for z in subsets(names) if holds(z)}


def minimal(sets: Collection[Names]) -> set[Names]:
    """The sets that hold no other of them."""
    return {z for z in sets if not any(other < z for other in sets)}


# ---------------------------------------------------------------- walks


def chains(graph, start: str, stop: str, seen: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every simple directed path between two different nodes."""
    seen = (*seen, start)
    if start == stop:
        yield seen
        return
    for tail, head in graph.directed:
        if tail == start and head not in seen:
            yield from chains(graph, head, stop, seen)


def reaches(graph, start: str, stop: str) -> bool:
    return any(True for _ in chains(graph, start, stop))


def mediator(graph, x: str, m: str, y: str) -> bool:
    """Is M inside some directed path from X to Y?  (acyclic graphs)"""
    return any(m in chain[1:-1] for chain in chains(graph, x, y))


def direct_mediator(graph, x: str, m: str, y: str) -> bool:
    return (x, m) in graph.directed and (m, y) in graph.directed


def intervention(graph, *targets: str) -> bool:
    """(X, Y): does do(X) leave a directed path from X to Y?  (D, X, Y): does do(D)?"""
    cut, x, y = targets if len(targets) == 3 else (targets[0], *targets)
    return reaches(without_edges_into(graph, cut), x, y)


def shows_a_yes(graph, walk: Sequence[str], stops: Sequence[str]) -> bool:
    """Is the walk made of edges, from the first stop to the last, by way of those between?"""
    edges = all(step in graph.directed for step in itertools.pairwise(walk))
    through = all(stop in walk[1:-1] for stop in stops[1:-1])
    return len(walk) > 1 and edges and through and (walk[0], walk[-1]) == (stops[0], stops[-1])


# ---------------------------------------------------------------- cycles


def closes(graph, cycle: Sequence[str]) -> bool:
    """Are the nodes, with the first one not repeated, a simple directed cycle?"""
    steps = list(zip(cycle, [*cycle[1:], *cycle[:1]], strict=True))
    return len(cycle) > 1 and len(set(cycle)) == len(cycle) and all(step in graph.directed for step in steps)


def cycles(graph) -> set[tuple[str, ...]]:
    """Every simple cycle, once, from its least node: each edge with every chain that leads back."""
    return {chain for tail, head in graph.directed for chain in chains(graph, head, tail) if chain[0] == min(chain)}


# ---------------------------------------------------------------- knights


def knights(people: Sequence[str], statements: Iterable[tuple[int, Tree]]) -> list[dict[str, bool]]:
    """Every consistent assignment."""
    return [dict(zip(people, row, strict=True)) for row in solutions(list(statements), len(people))]


# ---------------------------------------------------------------- witnesses


def is_separation_proof(graph, states: Collection[Sequence[str]], x: str, y: str, given: Collection[str]) -> bool:
    """Is the set of walk states closed under the move rule, with X's start inside and Y outside?

    A state is (node, mark): a walk stands at the node, having come by an arrowhead ("head") or by a tail ("tail").
    It may go on over an edge when the node lets it: a collider when it or a descendant is given, anything else when it
    is not given, and the first node always.
    """
    found, z, below = {tuple(state) for state in states}, set(given), Paths(graph).below
    if (x, "start") not in found or any(node == y for node, _ in found):
        return False
    for node, mark in found:
        for head_here, other, head_there in _edges_at(graph, node):
            collider = mark == "head" and head_here
            goes_on = mark == "start" or (bool(below[node] & z) if collider else node not in z)
            back_at_start = other == x
            if goes_on and not back_at_start and (other, "head" if head_there else "tail") not in found:
                return False
    return True


def _edges_at(graph, node: str) -> Iterator[tuple[bool, str, bool]]:
    """(arrowhead at this node, other end, arrowhead there) of every edge at a node."""
    for tail, head in graph.directed:
        if tail == node:
            yield False, head, True
        if head == node:
            yield True, tail, False
    for one, other in graph.bidirected:
        if node in (one, other):
            yield True, other if node == one else one, True


def is_active_path(
    graph, steps: Sequence[Step], opened: dict[str, Sequence[str]], x: str, y: str, given: Collection[str]
) -> bool:
    """Do the steps run from X to Y over edges of the graph, is every interior node open, and are the chains right?"""
    steps = [tuple(step) for step in steps]
    nodes, arrows = (*[left for left, _, _ in steps], steps[-1][2]), tuple(arrow for _, arrow, _ in steps)
    joined = all(before[2] == after[0] for before, after in itertools.pairwise(steps))
    z = frozenset(given)
    if (nodes[0], nodes[-1]) != (x, y) or not joined or not all(is_edge(graph, step) for step in steps):
        return False
    colliders = {
        nodes[i] for i in range(1, len(nodes) - 1) if arrows[i - 1] in ("->", "<->") and arrows[i] in ("<-", "<->")
    }
    down = all(
        chain[0] == node and chain[-1] in z and all(step in graph.directed for step in itertools.pairwise(chain))
        for node, chain in opened.items()
    )
    return set(opened) == colliders and down and Paths(graph).is_open((nodes, arrows), z)


def is_edge(graph, step: Step) -> bool:
    left, arrow, right = step
    if arrow == "<->":
        return (left, right) in graph.bidirected or (right, left) in graph.bidirected
    return ((left, right) if arrow == "->" else (right, left)) in graph.directed


def is_directed_path(graph, walk: Sequence[str], start: str, stop: str) -> bool:
    steps = itertools.pairwise(walk)
    return len(walk) > 1 and (walk[0], walk[-1]) == (start, stop) and all(step in graph.directed for step in steps)


def is_topological_order(graph, order: Sequence[str]) -> bool:
    place = {node: i for i, node in enumerate(order)}
    return sorted(order) == sorted(graph.nodes) and all(place[tail] < place[head] for tail, head in graph.directed)
