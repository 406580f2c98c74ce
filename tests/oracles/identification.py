"""Sets and nodes that identify an effect, from their definitions, path by path.

Shares no code with the library.  It reads a graph's nodes and edges and nothing else.
"""

from collections.abc import Callable, Collection

from tests.oracles.criteria import Plain, chains
from tests.oracles.paths import Paths

Names = frozenset[str]


def causal_nodes(graph, x: str, y: str) -> Names:
    """Every node of a directed path from X to Y, X apart."""
    return frozenset(node for chain in chains(graph, x, y) for node in chain) - {x}


def on_or_below_a_causal_path(graph, x: str, y: str) -> Names:
    below = Paths(graph).below
    return frozenset().union(*(below[node] for node in causal_nodes(graph, x, y)))


def adjustment(graph, x: str, y: str) -> Callable[[Names], bool]:
    """Neither X nor Y nor a node on or below a causal path; every path that is not causal is blocked."""
    paths, forbidden = Paths(graph), {x, y} | on_or_below_a_causal_path(graph, x, y)
    others = [path for path in paths.between(x, y) if set(path[1]) != {"->"}]
    return lambda z: z <= set(graph.nodes) and not z & forbidden and not any(paths.is_open(p, z) for p in others)


def back_paths(paths: Paths, start: str, stop: str) -> list:
    """Every path that starts with an arrowhead into its first node."""
    return [path for path in paths.between(start, stop) if path[1][0] in ("<-", "<->")]


def frontdoor(graph, x: str, y: str) -> Callable[[Names], bool]:
    """Pearl's three clauses, the last two for each member by itself."""
    paths, routes = Paths(graph), list(chains(graph, x, y))

    def may_join(z: str) -> bool:
        from_x = any(paths.is_open(path, frozenset()) for path in back_paths(paths, x, z))
        return not from_x and not any(paths.is_open(path, frozenset({x})) for path in back_paths(paths, z, y))

    fine = {z for z in graph.nodes if z not in (x, y) and may_join(z)}
    return lambda z: z <= fine and all(z & set(route) for route in routes)


def instrument(graph, x: str, y: str, given: Collection[str]) -> Callable[[str], bool]:
    """Some path to X is open, and none to Y once the causal paths are cut at their first edge."""
    paths, cut, w = Paths(graph), Paths(without_causal_starts(graph, x, y)), frozenset(given)
    outside = set(graph.nodes) - {x, y} - w
    return lambda z: z in outside and bool(paths.open_paths(z, x, w)) and not cut.open_paths(z, y, w)


def optimal(graph, x: str, y: str) -> Names:
    """Parents of causal nodes that are not X and not on or below a causal path."""
    causal = causal_nodes(graph, x, y)
    parents = {tail for tail, head in graph.directed if head in causal}
    return frozenset(parents - {x} - on_or_below_a_causal_path(graph, x, y))


def without_causal_starts(graph, x: str, y: str) -> Plain:
    """The graph without the first arrow of every causal path."""
    causal = causal_nodes(graph, x, y)
    kept = tuple(edge for edge in graph.directed if edge[0] != x or edge[1] not in causal)
    return Plain(graph.nodes, kept, graph.bidirected)
