"""What can be read off a whole graph: orders, districts, blankets, skeletons, and how two graphs compare."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from calverify.errors import GraphError
from calverify.graphs._graph import Edge, Graph
from calverify.graphs._masks import as_names, each_bit, reach
from calverify.graphs._separation import separated

__all__ = [
    "c_components",
    "edge_f1",
    "markov_blanket",
    "query_signature",
    "skeleton",
    "topological_order",
    "topological_orders",
    "unshielded_triples",
    "v_structure_apart",
    "v_structures",
    "violates_order",
]


def topological_orders(graph: Graph) -> Iterator[tuple[str, ...]]:
    """Every ordering with parents before children, lazily, in the graph's own order; none when there is a cycle."""
    masks = graph.masks
    if not graph.acyclic:
        return
    parents = {bit: masks.parents[bit] & masks.visible for bit in masks.names}

    def ready(placed: int) -> Iterator[int]:
        return (bit for bit in parents if not bit & placed and not parents[bit] & ~placed)

    order: list[int] = []
    placed = 0
    branches = [ready(placed)]
    while branches:
        if len(order) == len(parents):
            yield tuple(masks.names[bit] for bit in order)
        bit = next(branches[-1], 0)
        if bit:
            order.append(bit)
            placed |= bit
            branches.append(ready(placed))
        else:
            branches.pop()
            if order:
                placed ^= order.pop()


def topological_order(graph: Graph) -> tuple[str, ...] | None:
    """An ordering with parents before children, in linear time; None when there is a directed cycle."""
    names = graph.masks.names
    return None if graph.order is None else tuple(names[bit] for bit in graph.order if bit in names)


def violates_order(graph: Graph, order: Iterable[str]) -> Edge | None:
    """The first edge whose child stands before its parent, or None."""
    place = {name: i for i, name in enumerate(order)}
    for name in graph.nodes:
        if name not in place:
            raise GraphError(f"the order leaves out {name!r}")
    return next(((a, b) for a, b in graph.directed if place[a] > place[b]), None)


def c_components(graph: Graph) -> tuple[frozenset[str], ...]:
    """The districts: nodes joined by bidirected edges, a lone node being its own."""
    masks = graph.masks
    found, left = [], masks.visible
    while left:
        piece = reach(masks.spouses, left & -left)
        left &= ~piece
        found.append(frozenset(masks.named(piece)))
    return tuple(found)


def markov_blanket(graph: Graph, node: str) -> frozenset[str]:
    """The least set that separates `node` from all other nodes: whatever a path of colliders joins to it.

    In a dag: parents, children and the children's other parents.
    """
    masks = graph.masks
    bit = masks.mask([node])
    into = 0
    for start in each_bit(masks.children[bit] | masks.spouses[bit]):
        into |= reach(masks.spouses, start, ~bit)
    blanket = into | masks.parents[bit]
    for collider in each_bit(into):
        blanket |= masks.parents[collider]
    return frozenset(masks.named(blanket & ~bit))


def skeleton(graph: Graph) -> frozenset[frozenset[str]]:
    """The pairs of nodes that some edge joins."""
    return frozenset(frozenset(edge) for edge in (*graph.directed, *graph.bidirected))


def v_structures(graph: Graph) -> frozenset[tuple[frozenset[str], str]]:
    """({A, B}, C) for every A *-> C <-* B where no edge joins A and B."""
    masks = graph.masks
    into = {bit: masks.parents[bit] & masks.visible | masks.spouses[bit] for bit in masks.names}
    joined = {bit: into[bit] | masks.children[bit] for bit in masks.names}
    names = masks.names
    return frozenset(
        (frozenset((names[one], names[other])), names[middle])
        for one, middle, other in _open_triples(into, into, joined)
    )


def v_structure_apart(one: Graph, other: Graph) -> tuple[str, str, str, bool] | None:
    """(A, C, B, True) for the first A *-> C <-* B by name that `one` has and `other` has not, or with False the other
    way round; None where both have the same.  Both have the same nodes.

    Masks are compared and no v-structure is listed, because a star has one for each pair of its leaves.
    """
    order = sorted(one.nodes)
    mine, theirs = (_apart_below(Graph(order, graph.directed, graph.bidirected)) for graph in (one, other))
    found = [
        (left, (differs := mine.get((left, middle), 0) ^ theirs.get((left, middle), 0)) & -differs, middle)
        for left, middle in mine.keys() | theirs.keys()
        if mine.get((left, middle), 0) != theirs.get((left, middle), 0)
    ]
    if not found:
        return None
    left, right, middle = min(found)
    a, c, b = (order[bit.bit_length() - 1] for bit in (left, middle, right))
    return a, c, b, bool(mine.get((left, middle), 0) & right)


def _apart_below(graph: Graph) -> dict[tuple[int, int], int]:
    """For a node and a child or spouse of it: the later nodes into that one which no edge joins to it."""
    masks = graph.masks
    into = {bit: masks.parents[bit] & masks.visible | masks.spouses[bit] for bit in masks.names}
    joined = {bit: into[bit] | masks.children[bit] for bit in masks.names}
    return {
        (one, middle): later
        for middle in into
        for one in each_bit(into[middle])
        if (later := into[middle] & -(one << 1) & ~joined[one])
    }


def unshielded_triples(graph: Graph, left: str, right: str) -> Iterator[frozenset[str]]:
    """{A, B, C} for every A among the `left` and C among the `right` of B with no arrow between A and C, lazily.

    `left` and `right` are "parents" or "children": A -> B -> C has its ends among the parents and the children of B.
    """
    masks = graph.masks
    parents = {bit: masks.parents[bit] & masks.visible for bit in masks.names}
    joined = {bit: parents[bit] | masks.children[bit] for bit in masks.names}
    ends = {"parents": parents, "children": masks.children}
    for triple in _open_triples(ends[left], ends[right], joined):
        yield frozenset(masks.names[bit] for bit in triple)


Table = Mapping[int, int]


def _open_triples(left: Table, right: Table, joined: Table) -> Iterator[tuple[int, int, int]]:
    """(A, B, C) for every A in `left` and C in `right` of B that are not joined; each pair once where both are one."""
    for middle in joined:
        for one in each_bit(left[middle]):
            later = -(one << 1) if left is right else -1
            for other in each_bit(right[middle] & later & ~(joined[one] | one)):
                yield one, middle, other


def query_signature(graph: Graph, treatment: str, outcome: str, given: Iterable[str]) -> tuple[frozenset[str], bool]:
    """All that a graph says about one backdoor claim: what of Z is forbidden, and whether Z leaves X and Y connected.

    The claim is strictly valid exactly when this is (empty, False); graphs with equal signatures agree on it (the
    paper's Theorem on query-local invariance).
    """
    given = as_names(given)
    forbidden = given & ({treatment, outcome} | graph.strict_descendants({treatment}))
    return forbidden, not separated(graph.without_edges_out_of({treatment}), {treatment}, {outcome}, given)


def edge_f1(graph: Graph, truth: Graph) -> Fraction:
    """F1 of typed edges, exact: twice the shared edges over all edges of both; 1 when neither has any."""
    shared = sum(len(a & b) for a, b in zip(graph.edge_set, truth.edge_set, strict=True))
    total = sum(len(edges) for g in (graph, truth) for edges in g.edge_set)
    return Fraction(2 * shared, total) if total else Fraction(1)
