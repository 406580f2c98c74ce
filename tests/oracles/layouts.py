"""Orders, cycles and districts, by trying every permutation or joining pair by pair."""

from itertools import combinations, permutations


def orders(graph) -> set[tuple[str, ...]]:
    """Every permutation in which no child stands before a parent."""
    return {
        order
        for order in permutations(graph.nodes)
        if all(order.index(tail) < order.index(head) for tail, head in graph.directed)
    }


def cycles(graph) -> set[tuple[str, ...]]:
    """Every simple directed cycle, turned so that it begins with its first node in graph order."""
    found = set()
    for size in range(2, len(graph.nodes) + 1):
        for first, *rest in combinations(graph.nodes, size):
            for middle in permutations(rest):
                walk = (first, *middle)
                if all(step in graph.directed for step in zip(walk, (*middle, first), strict=True)):
                    found.add(walk)
    return found


def districts(graph) -> set[frozenset[str]]:
    """Union-find over the bidirected edges."""
    leader = {node: node for node in graph.nodes}

    def find(node: str) -> str:
        while leader[node] != node:
            node = leader[node]
        return node

    for left, right in graph.bidirected:
        leader[find(left)] = find(right)
    return {frozenset(node for node in graph.nodes if find(node) == top) for top in set(map(find, graph.nodes))}
