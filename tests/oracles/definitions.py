"""The remaining tasks straight from their definitions, and what makes a witness true: slow, obvious, by enumeration.

Shares no code with the library.  It reads a graph's nodes and edges and nothing else.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tests.oracles import criteria
from tests.oracles.paths import Paths, subsets

Names = frozenset[str]


def on_causal_paths(graph, x: str, y: str) -> Names:
    return frozenset(node for chain in criteria.chains(graph, x, y) for node in chain[1:])


def without_causal_starts(graph, x: str, y: str) -> criteria.Plain:
    """The graph without the first edge of every causal path."""
    first = {(chain[0], chain[1]) for chain in criteria.chains(graph, x, y)}
    return criteria.Plain(graph.nodes, tuple(e for e in graph.directed if e not in first), graph.bidirected)


def adjustment(graph, x: str, y: str, z: Names) -> bool:
    below = frozenset().union(*(Paths(graph).below[node] for node in on_causal_paths(graph, x, y)))
    cut = Paths(without_causal_starts(graph, x, y))
    return z <= set(graph.nodes) and not z & ({x, y} | below) and cut.separated({x}, {y}, z)


def frontdoor(graph, x: str, y: str, z: Names) -> bool:
    if not z <= set(graph.nodes) - {x, y} or any(not z & set(chain) for chain in criteria.chains(graph, x, y)):
        return False
    out_of = criteria.without_edges_out_of
    into = all(Paths(out_of(graph, x)).separated({x}, {m}, ()) for m in z)
    return into and all(Paths(out_of(graph, m)).separated({m}, {y}, {x}) for m in z)


def instrument(graph, x: str, y: str, given: Names, name: str) -> bool:
    if name not in set(graph.nodes) - {x, y} - given:
        return False
    excluded = Paths(without_causal_starts(graph, x, y)).separated({name}, {y}, given)
    return excluded and not Paths(graph).separated({name}, {x}, given)


def blanket(graph, node: str) -> Names:
    """The one smallest set that separates the node from all others."""
    others, paths = set(graph.nodes) - {node}, Paths(graph)
    return next(z for z in subsets(others) if paths.separated({node}, others - z, z))


def optimal(graph, x: str, y: str) -> Names:
    causal = on_causal_paths(graph, x, y)
    below = frozenset().union(*(Paths(graph).below[node] for node in causal))
    return frozenset(a for a, b in graph.directed if b in causal) - below - {x}


def relatives(graph, task: str, node: str) -> set[str]:
    paths = Paths(graph)
    return {
        "parent": {a for a, b in graph.directed if b == node},
        "child": {b for a, b in graph.directed if a == node},
        "ancestor": {a for a in graph.nodes if a != node and node in paths.below[a]},
        "descendant": set(paths.below[node]) - {node},
    }[task]


def districts(graph) -> set[Names]:
    """Merge what a bidirected edge joins until nothing changes."""
    parts = {frozenset({node}) for node in graph.nodes}
    for a, b in graph.bidirected:
        touched = {part for part in parts if a in part or b in part}
        parts = (parts - touched) | {frozenset().union(*touched)}
    return parts


def is_path(graph, task: str, steps: Sequence[criteria.Step], ends: tuple[str, str]) -> bool:
    """Is it a simple path of the sort that the task asks for?"""
    nodes = [steps[0][0], *(right for _, _, right in steps)] if steps else []
    fine = bool(steps) and len(set(nodes)) == len(nodes) and (nodes[0], nodes[-1]) == ends
    arrows = [arrow for _, arrow, _ in steps]
    sort = {"path": True, "directed_path": set(arrows) <= {"->"}, "backdoor_path": arrows[:1] != ["->"]}[task]
    return fine and sort and all(criteria.is_edge(graph, step) for step in steps)


def closed_under(arrows: Collection[tuple[str, str]], reached: Collection[str]) -> bool:
    return all(b in reached for a, b in arrows if a in reached)


def roles_hold(values: Mapping[str, bool], said: Sequence[tuple[str, Any]]) -> bool:
    return all(values[speaker] is value(tree, values) for speaker, tree in said)


def value(tree: Any, values: Mapping[str, bool]) -> bool:
    """A formula of nested lists: ["and", ["knight", "A"], ["not", ["knave", "B"]]]."""
    match tree:
        case ["knight", name]:
            return values[name]
        case ["knave", name]:
            return not values[name]
        case ["not", part]:
            return not value(part, values)
        case ["and", *parts]:
            return all(value(part, values) for part in parts)
        case ["or", *parts]:
            return any(value(part, values) for part in parts)
        case ["implies", one, other]:
            return value(other, values) or not value(one, values)
        case ["iff", one, other]:
            return value(one, values) is value(other, values)
    raise AssertionError(tree)


def walks_on(walk: Sequence[str], arrows: Collection[tuple[str, str]], nodes: Collection[str]) -> bool:
    return len(walk) > 0 and set(walk) <= set(nodes) and all(step in arrows for step in pairwise(walk))
