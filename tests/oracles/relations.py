"""Relatives, triples, components and equivalent graphs, from their definitions, by trying everything.

Shares no code with the library.  It reads a graph's nodes and edges and nothing else.
"""

from collections.abc import Iterator
from itertools import combinations, permutations, product

from tests.oracles.criteria import Plain, reaches
from tests.oracles.layouts import districts
from tests.oracles.paths import Paths

Names = frozenset[str]
Edge = tuple[str, str, str]


def relatives(graph, relation: str, node: str) -> set[str]:
    """The node's parents, children, ancestors or descendants, itself apart."""
    others = [other for other in graph.nodes if other != node]
    holds = {
        "parent": lambda other: (other, node) in graph.directed,
        "child": lambda other: (node, other) in graph.directed,
        "ancestor": lambda other: reaches(graph, other, node),
        "descendant": lambda other: reaches(graph, node, other),
    }[relation]
    return {other for other in others if holds(other)}


def triples(graph, shape: str) -> set[Names]:
    """Three nodes a, b, c with two arrows in this shape, and no arrow between a and c."""
    wanted = {
        "chain": lambda a, b, c: ((a, b), (b, c)),
        "fork": lambda a, b, c: ((b, a), (b, c)),
        "v_structure": lambda a, b, c: ((a, b), (c, b)),
    }[shape]
    arrows = set(graph.directed)
    return {
        frozenset((a, b, c))
        for a, b, c in permutations(graph.nodes, 3)
        if arrows.issuperset(wanted(a, b, c)) and not arrows & {(a, c), (c, a)}
    }


def edges(graph) -> set[Edge]:
    """(left, mark, right) of every edge; one without a direction has its names in order."""
    arrows = {(a, "->", b) for a, b in graph.directed}
    arcs = {(min(edge), "<->", max(edge)) for edge in graph.bidirected}
    return arrows | arcs | {(min(edge), "--", max(edge)) for edge in graph.undirected}


def childless(graph) -> Names:
    return frozenset(graph.nodes) - {tail for tail, _ in graph.directed}


def is_c_component(graph) -> bool:
    return len(districts(graph)) == 1


def is_c_forest(graph) -> bool:
    """One C-component, and no node is the tail of two arrows."""
    tails = [tail for tail, _ in graph.directed]
    return is_c_component(graph) and len(tails) == len(set(tails))


def is_c_tree(graph) -> bool:
    return is_c_forest(graph) and len(childless(graph)) == 1


# ---------------------------------------------------------------- Markov equivalence


def orientations(graph) -> Iterator[Plain]:
    """Every dag that joins the same pairs of nodes."""
    pairs = sorted({tuple(sorted(edge)) for edge in graph.directed})
    for turned in product((False, True), repeat=len(pairs)):
        arrows = tuple(pair[::-1] if turn else pair for pair, turn in zip(pairs, turned, strict=True))
        candidate = Plain(tuple(graph.nodes), arrows, ())
        if not any(reaches(candidate, head, tail) for tail, head in arrows):
            yield candidate


def equivalent(graph, other) -> bool:
    """Do both graphs separate the same nodes by the same sets?"""
    return Paths(graph).independences() == Paths(other).independences()


def every_dag(nodes: tuple[str, ...]) -> Iterator[Plain]:
    """Every dag on these nodes."""
    for kinds in product(("", "->", "<-"), repeat=len(nodes) * (len(nodes) - 1) // 2):
        arrows = tuple(
            (a, b) if kind == "->" else (b, a)
            for kind, (a, b) in zip(kinds, combinations(nodes, 2), strict=True)
            if kind
        )
        candidate = Plain(nodes, arrows, ())
        if not any(reaches(candidate, head, tail) for tail, head in arrows):
            yield candidate
