"""The graph value: nodes, typed edges, and the class they form.

Rule 1: an instance is always legal.  Unknown endpoints, self-loops, repeated nodes or edges and a class that does not
fit are refused when it is built, naming the edge.
Rule 2: a directed and a bidirected edge between the same two nodes are different edges and may coexist (a bow).
Rule 3: undirected edges do not mix with others.  A graph of them can be asked for its nodes and edges, and refuses
every question that needs a direction.
Rule 4: two graphs are equal when they have the same nodes and the same typed edges; order and class do not matter.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NoReturn

from calverify.errors import BudgetError, GraphError, LeakError, RecordError
from calverify.graphs._masks import Masks, each_bit, reach
from calverify.graphs._text import read_arrows, write_arrows
from calverify.names import NameFault, brief, clean_name, first_repeat, listing

__all__ = ["KINDS", "Edge", "Graph"]

Edge = tuple[str, str]
KINDS = ("dag", "admg", "directed", "undirected")
MAX_NODES = 10_000  # memory grows with the square of nodes and bidirected edges together
MAX_ARCS = 10_000
SEQUENCES = frozenset({list, tuple})
FIELDS = ("class", "nodes", "directed", "bidirected", "undirected")


def _names(nodes: Iterable[object]) -> tuple[str, ...]:
    try:
        return tuple(map(clean_name, nodes))
    except NameFault as fault:
        raise GraphError(f"in a graph, {fault}") from None


def _pairs(edges: list[Sequence[str]], arrow: str, known: Mapping[str, object]) -> tuple[Edge, ...]:
    """The edges as pairs of known names, none of them twice; the first that is not is refused by name."""
    if not edges:
        return ()
    try:  # most edges are lists or tuples of two known names as they are spelled, and need no closer look
        found = tuple([(a, b) for a, b in edges if a != b and a in known and b in known])
        plain = len(found) == len(edges) and SEQUENCES.issuperset(map(type, edges))
    except (TypeError, ValueError):
        plain = False
    pairs = found if plain else tuple([_pair(edge, arrow, known) for edge in edges])
    same = pairs if arrow == "->" else _unordered(pairs)
    if len(set(same)) != len(same) and (twice := first_repeat(same)):
        raise GraphError(f"edge {twice[0]} {arrow} {twice[1]} is listed twice")
    return pairs


def _pair(edge: object, arrow: str, known: Mapping[str, object]) -> Edge:
    if not isinstance(edge, list | tuple) or len(edge) != 2:
        raise GraphError(f"an edge must be a pair of names, not {brief(edge)}")
    left, right = _names(edge)
    if left == right:
        raise GraphError(f"edge {left} {arrow} {right} is a self-loop")
    for name in (left, right):
        if name not in known:
            raise GraphError(f"edge {left} {arrow} {right} names {name!r}, which is not among the nodes")
    return left, right


class Graph:
    """A dag, an admg (acyclic, with bidirected edges) or a directed graph with a cycle; immutable.

    `Graph.parse("U -> X, U -> Y, A <-> B, P")`: chains are allowed, lone names are nodes.
    """

    nodes: tuple[str, ...]
    directed: tuple[Edge, ...]
    bidirected: tuple[Edge, ...]
    undirected: tuple[Edge, ...]
    kind: str

    def __init__(
        self,
        nodes: Iterable[str],
        directed: Iterable[Sequence[str]] = (),
        bidirected: Iterable[Sequence[str]] = (),
        kind: str | None = None,
        undirected: Iterable[Sequence[str]] = (),
    ) -> None:
        names = _names(nodes)
        if len(names) > MAX_NODES:
            raise BudgetError(f"a graph of {len(names):,} nodes is too large; the limit is {MAX_NODES:,}")
        known = dict.fromkeys(names)
        if len(known) != len(names):
            raise GraphError(f"node {first_repeat(names)!r} is listed twice")
        arcs_stated = list(bidirected)
        if len(arcs_stated) > MAX_ARCS:
            raise BudgetError(f"{len(arcs_stated):,} bidirected edges are too many; the limit is {MAX_ARCS:,}")
        arrows = _pairs(list(directed), "->", known)
        arcs = _pairs(arcs_stated, "<->", known)
        lines = _pairs(list(undirected), "--", known)
        if lines and (arrows or arcs):
            raise GraphError(f"the undirected edge {' -- '.join(lines[0])} stands among edges of other types")
        self._fill(names, arrows, arcs, kind, lines)

    def _fill(
        self,
        nodes: tuple[str, ...],
        directed: tuple[Edge, ...],
        arcs: tuple[Edge, ...],
        kind: str | None,
        lines: tuple[Edge, ...] = (),
    ) -> None:
        """Set the fields of a graph whose names and edges are already legal; the class is found or checked here."""
        masks = Masks(nodes, directed, arcs)
        order = masks.order
        found = "undirected" if lines else "directed" if order is None else "admg" if arcs else "dag"
        fields = {"nodes": nodes, "directed": directed, "bidirected": arcs, "undirected": lines, "kind": kind or found}
        walkable = None if order is None or fields["kind"] == "undirected" else masks
        self.__dict__.update(fields, _tables=masks, order=order, walkable=walkable)
        if order is None and arcs:
            cycle, arc = listing(self.some_cycle(), " -> "), " <-> ".join(arcs[0])
            raise GraphError(f"a graph with a directed cycle ({cycle}) cannot have a bidirected edge ({arc})")
        if kind is not None and kind != found:
            self._check_class(kind)

    def _check_class(self, kind: str) -> None:
        if kind not in KINDS:
            raise GraphError(f"unknown graph class {kind!r}; expected one of {', '.join(KINDS)}")
        if self.undirected and kind != "undirected":
            raise GraphError(f"declared {kind}, but it has the undirected edge {' -- '.join(self.undirected[0])}")
        if kind == "undirected" and (self.directed or self.bidirected):
            raise GraphError("declared undirected, but it has a directed or bidirected edge")
        if kind != "directed" and self.order is None:
            raise GraphError(f"declared {kind}, but it has the directed cycle {listing(self.some_cycle(), ' -> ')}")
        if kind != "admg" and self.bidirected:
            left, right = self.bidirected[0]
            raise GraphError(f"declared {kind}, but it has the bidirected edge {left} <-> {right}")

    def some_cycle(self) -> tuple[str, ...]:
        """A directed cycle of a graph that has one, its first node repeated: ("A", "B", "A")."""
        masks = self.masks
        left = masks.visible
        while peeled := sum(bit for bit in each_bit(left) if not masks.parents[bit] & left):
            left &= ~peeled
        bit = left & -left  # every node left has a parent left, so walking upwards comes back to itself
        place: dict[int, int] = {}
        while bit not in place:
            place[bit] = len(place)
            above = masks.parents[bit] & left
            bit = above & -above
        cycle = list(place)[place[bit] :]
        return tuple(masks.names[b] for b in [bit, *reversed(cycle)])

    _tables: Masks
    order: list[int] | None  # bits, parents before children; None when there is a cycle
    walkable: Masks | None  # the bit tables again, where there are directions and no cycle: what separation runs on

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Graph is immutable; cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"Graph is immutable; cannot delete {name!r}")

    @property
    def masks(self) -> Masks:
        """The bit tables, for the routines of this room; an undirected graph has none to offer."""
        if self.kind == "undirected":
            raise GraphError("an undirected graph can be asked for its nodes and edges only, and this needs directions")
        return self._tables

    def acyclic_masks(self, what: str) -> Masks:
        """The bit tables, for what is only defined without directed cycles; refused by name where there is one."""
        if self.order is None:
            cycle = listing(self.some_cycle(), " -> ")
            raise GraphError(f"{what} is defined on acyclic graphs, and this one has the directed cycle {cycle}")
        return self.masks

    def refuse_undirected(self, what: str) -> None:
        """Nothing, unless there is an undirected edge: `what` has no way to write one."""
        if self.undirected:
            raise GraphError(f"{what} cannot hold the undirected edge {' -- '.join(self.undirected[0])}")

    @property
    def acyclic(self) -> bool:
        return self.order is not None

    @cached_property
    def edge_set(self) -> tuple[frozenset[Edge], frozenset[Edge]]:
        """Directed and bidirected edges as sets, each bidirected edge with its names in order."""
        return frozenset(self.directed), frozenset(_unordered(self.bidirected))

    @cached_property
    def undirected_set(self) -> frozenset[Edge]:
        return frozenset(_unordered(self.undirected))

    @cached_property
    def written(self) -> dict[str, Any]:
        """The graph as a trace states it: {"nodes", "edges"}, and "bidirected" when there is such an edge."""
        stated = {"nodes": list(self.nodes), "edges": list(map(list, self.directed))}
        extra = {"bidirected": self.bidirected, "undirected": self.undirected}
        return {**stated, **{name: list(map(list, edges)) for name, edges in extra.items() if edges}}

    @cached_property
    def node_set(self) -> frozenset[str]:
        return frozenset(self.nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        same = self.node_set == other.node_set and self.edge_set == other.edge_set
        return same and self.undirected_set == other.undirected_set

    def __hash__(self) -> int:
        return hash((self.node_set, self.edge_set, self.undirected_set))

    def __repr__(self) -> str:
        return f"Graph.parse({str(self)!r})"

    def __str__(self) -> str:
        """One line that `Graph.parse` reads back: "U -> X, A <-> B, P"."""
        return write_arrows(self.nodes, self.directed, self.bidirected, self.undirected)

    def __contains__(self, name: object) -> bool:
        return name in self._tables.bits

    @classmethod
    def parse(cls, text: str, kind: str | None = None) -> "Graph":
        """The graph written as "U -> X -> Y, A <-> B, P"; a comma, semicolon or line break ends a chain."""
        nodes, directed, bidirected, undirected = read_arrows(text)
        return cls(nodes, directed, bidirected, kind, undirected)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Graph":
        """The graph of a record {"class", "nodes", "directed", "bidirected"}; class and bidirected may be left out."""
        if not isinstance(record, Mapping):
            raise RecordError(f"a graph record must be an object, not {brief(record)}")
        extra = sorted(map(str, record.keys() - set(FIELDS)))
        if extra:
            raise LeakError(f"a graph record carries {extra[0]!r}; its fields are {', '.join(FIELDS)}")
        lists = [
            record.get("nodes"),
            record.get("directed"),
            record.get("bidirected", []),
            record.get("undirected", []),
        ]
        for name, part in zip(FIELDS[1:], lists, strict=True):
            if not isinstance(part, list | tuple):
                raise RecordError(f"a graph record needs a list {name!r}, not {brief(part)}")
        nodes, directed, arcs, lines = lists
        return cls(nodes, directed, arcs, record.get("class"), lines)

    def to_json(self) -> dict[str, Any]:
        record = {
            "class": self.kind,
            "nodes": list(self.nodes),
            "directed": [list(edge) for edge in self.directed],
            "bidirected": [list(edge) for edge in self.bidirected],
        }
        return {**record, "undirected": [list(edge) for edge in self.undirected]} if self.undirected else record

    def parents(self, names: Iterable[str]) -> frozenset[str]:
        """Nodes with an arrow into one of `names`."""
        return self._step(self.masks.parents, names)

    def children(self, names: Iterable[str]) -> frozenset[str]:
        return self._step(self.masks.children, names)

    def spouses(self, names: Iterable[str]) -> frozenset[str]:
        """Nodes joined to one of `names` by a bidirected edge."""
        return self._step(self.masks.spouses, names)

    def ancestors(self, names: Iterable[str]) -> frozenset[str]:
        """Nodes with a directed path to one of `names`, `names` included."""
        masks = self.masks
        return frozenset(masks.named(reach(masks.parents, masks.mask(names))))

    def descendants(self, names: Iterable[str]) -> frozenset[str]:
        """Nodes that one of `names` has a directed path to, `names` included."""
        masks = self.masks
        return frozenset(masks.named(reach(masks.children, masks.mask(names))))

    def strict_ancestors(self, names: Iterable[str]) -> frozenset[str]:
        """Nodes with a directed path of at least one edge to one of `names`."""
        return self.ancestors(self.parents(names))

    def strict_descendants(self, names: Iterable[str]) -> frozenset[str]:
        """Nodes at the end of a directed path of at least one edge from one of `names`: the paper's De(X)."""
        return self.descendants(self.children(names))

    def _step(self, table: Mapping[int, int], names: Iterable[str]) -> frozenset[str]:
        found = 0
        for bit in each_bit(self.masks.mask(names)):
            found |= table[bit]
        return frozenset(self.masks.named(found))

    def _with(self, nodes: tuple[str, ...], directed: Iterable[Edge], bidirected: Iterable[Edge]) -> "Graph":
        graph = Graph.__new__(Graph)
        graph._fill(nodes, tuple(directed), tuple(bidirected), None)
        return graph

    def without_edges_into(self, names: Iterable[str]) -> "Graph":
        """Cut every arrow and every bidirected edge with a head at `names`: the graph after do(names)."""
        cut = self.masks.named(self.masks.mask(names))
        arcs = (arc for arc in self.bidirected if arc[0] not in cut and arc[1] not in cut)
        return self._with(self.nodes, (edge for edge in self.directed if edge[1] not in cut), arcs)

    def without_edges_out_of(self, names: Iterable[str]) -> "Graph":
        """Cut every arrow that leaves `names`; bidirected edges stay."""
        cut = self.masks.named(self.masks.mask(names))
        return self._with(self.nodes, (edge for edge in self.directed if edge[0] not in cut), self.bidirected)

    def induced(self, names: Iterable[str]) -> "Graph":
        """The graph on `names` with every edge that runs between two of them."""
        keep = self.masks.named(self.masks.mask(names))
        arcs = (arc for arc in self.bidirected if arc[0] in keep and arc[1] in keep)
        return self._with(keep, (edge for edge in self.directed if edge[0] in keep and edge[1] in keep), arcs)

    def renamed(self, names: Mapping[str, str]) -> "Graph":
        """The same graph under other names; nodes that `names` leaves out keep theirs."""
        return Graph(
            [names.get(node, node) for node in self.nodes],
            [(names.get(a, a), names.get(b, b)) for a, b in self.directed],
            [(names.get(a, a), names.get(b, b)) for a, b in self.bidirected],
            self.kind,
            [(names.get(a, a), names.get(b, b)) for a, b in self.undirected],
        )


def _unordered(edges: tuple[Edge, ...]) -> tuple[Edge, ...]:
    return tuple((a, b) if a < b else (b, a) for a, b in edges)
