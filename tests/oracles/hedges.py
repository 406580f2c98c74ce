"""What is wrong with a hedge's record, by Shpitser and Pearl's definition (2006).  Shares no code with the library.

A C-forest is joined by bidirected edges, and no node of it has more than one child; its roots are the nodes without.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Any

from tests.oracles.criteria import Plain, reaches
from tests.oracles.definitions import districts

Arrow = tuple[str, str]


def faults(graph, record: Mapping[str, Any], outcomes: Collection[str], treatments: Collection[str]) -> list[str]:
    """Why the record shows no hedge for P(outcomes | do(treatments)) in the graph; nothing where it does."""
    return list(_faults(graph, record, set(outcomes), set(treatments)))


def _faults(graph, record, outcomes: set[str], treatments: set[str]) -> Iterator[str]:
    whole, inner, roots = (set(record[name]) for name in ("whole", "inner", "roots"))
    arrows, arcs = ([tuple(edge) for edge in record[name]] for name in ("directed", "bidirected"))
    if not whole <= set(graph.nodes) or not inner < whole or not roots <= inner:
        yield "the sets are not nested"
    if not set(arrows) <= set(graph.directed):
        yield "an arrow is not in the graph"
    if not {frozenset(arc) for arc in arcs} <= {frozenset(arc) for arc in graph.bidirected}:
        yield "a bidirected edge is not in the graph"
    for area in (whole, inner):
        yield from _no_forest(area, roots, [a for a in arrows if a[0] in area and a[1] in area], arcs)
    if not whole & treatments or inner & treatments:
        yield "the treatments do not tell the forests apart"
    cut = Plain(tuple(graph.nodes), tuple(edge for edge in graph.directed if edge[1] not in treatments), ())
    if not all(any(root == end or reaches(cut, root, end) for end in outcomes) for root in roots):
        yield "a root is above no outcome"


def _no_forest(area: set[str], roots: set[str], arrows: list[Arrow], arcs: list[Arrow]) -> Iterator[str]:
    inside = tuple(arc for arc in arcs if set(arc) <= area)
    if len(districts(Plain(tuple(sorted(area)), (), inside))) != 1:
        yield "bidirected edges do not join it"
    if len(inside) != len(area) - 1:
        yield "the bidirected edges are no tree"
    tails = [tail for tail, _ in arrows]
    if len(set(tails)) != len(tails):
        yield "a node has two children"
    if area - set(tails) != roots:
        yield "the nodes without a child are not the roots"


def smallest_size(graph, outcomes: Collection[str], treatments: Collection[str]) -> int | None:
    """The number of nodes of a smallest hedge, by trying all pairs of sets; None where there is no hedge.

    Extra edges do no harm, so forests are found in the graph's own: a set is a C-forest for some roots when it is
    joined and each other node has a child in it.
    """
    cut = Plain(tuple(graph.nodes), tuple(edge for edge in graph.directed if edge[1] not in treatments), ())
    fine = {n for n in graph.nodes if any(n == end or reaches(cut, n, end) for end in outcomes)} - set(treatments)
    for size in range(2, len(graph.nodes) + 1):
        for whole in map(set, combinations(graph.nodes, size)):
            if whole & set(treatments) and _joined(graph, whole) and _has_inner(graph, whole, fine):
                return size
    return None


def _joined(graph, area: set[str]) -> bool:
    inside = tuple(arc for arc in graph.bidirected if set(arc) <= area)
    return len(districts(Plain(tuple(sorted(area)), (), inside))) == 1


def _has_inner(graph, whole: set[str], fine: set[str]) -> bool:
    """Is there a joined set inside, away from the treatments, whose roots may be roots of the whole as well?"""
    for size in range(1, len(whole)):
        for inner in map(set, combinations(sorted(whole & fine), size)):
            childless = {n for n in whole - inner if not any((n, other) in graph.directed for other in whole)}
            if not childless and _joined(graph, inner):
                return True
    return False
