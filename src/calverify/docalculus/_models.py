"""Random models of an acyclic graph: one table a node, one latent a bidirected edge.

Rule 1: a model is of a *shape*, which says which nodes matter (the ancestors of what is asked), and how many values
each variable has.  A bidirected edge with an end outside is that end's private noise, which its table already covers.
Rule 2: a table's axes are the node's parents, its bidirected edges, and last the node; the last varies fastest.
Rule 3: residues modulo a prime test identities, since they do not grow; small fractions are there to be read.
Rule 4: a prime is drawn as the residues are: whoever knew it could write down numbers that are zero modulo it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, prod
from typing import Any

from calverify.errors import BudgetError, GraphError
from calverify.graphs import Edge, Graph
from calverify.names import brief

__all__ = [
    "MOST_STATES",
    "PRIME",
    "Axis",
    "Model",
    "Scalar",
    "Shape",
    "prime_of",
    "random_model",
    "residues",
    "shape_of",
    "words",
]

PRIME = (1 << 61) - 1  # where nobody is to be surprised
BELOW = 1 << 56  # this far below 2^61 is where primes are drawn from
SMALL_PRIMES = 16_294_579_238_595_022_365  # 3 * 5 * 7 * ... * 53
WITNESSES = (325, 9_375, 28_178, 450_775, 9_780_504, 1_795_265_022)  # with 2: Miller and Rabin err on none below 2^64
MOST_STATES = 6  # of a latent
MOST_CELLS = 1 << 16  # in one table

Axis = str | Edge  # a node, or the latent behind a bidirected edge
Scalar = int | Fraction

_WORD = (1 << 64) - 1
_STRIDE = 0x9E3779B97F4A7C15


def words(seed: int, count: int) -> list[int]:
    """The first `count` words of 64 bits that splitmix64 gives for a seed."""
    found = []
    state = seed & _WORD
    for _ in range(count):
        state = state + _STRIDE & _WORD
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
        found.append(mixed ^ mixed >> 31)
    return found


def prime_of(seed: int) -> int:
    """A prime between 2^61 - 2^56 and 2^61, each as likely as any other."""
    while True:
        drawn = words(seed, 17)
        for word in drawn[1:]:
            number = (1 << 61) - 1 - 2 * (word % (BELOW >> 1))
            if _is_prime(number):
                return number
        seed = drawn[0]


def _is_prime(number: int) -> bool:
    """Of large odd numbers."""
    if gcd(number, SMALL_PRIMES) > 1 or pow(2, number - 1, number) != 1:  # tells nearly all that are none
        return False
    twos = (number - 1 & 1 - number).bit_length() - 1
    for witness in (2, *WITNESSES):
        power = pow(witness, number - 1 >> twos, number)
        if power != 1 and number - 1 not in (pow(power, 1 << turn, number) for turn in range(twos)):
            return False
    return True


@dataclass(frozen=True)
class Shape:
    """Which nodes a model has, parents before children, what each listens to, and how many values everything has."""

    parents: Mapping[str, tuple[str, ...]]  # keys: the nodes
    arcs: Mapping[str, tuple[Edge, ...]]
    sizes: Mapping[Axis, int]
    enough: bool  # no larger latent domain would make another identity false; see `_states`

    @property
    def latents(self) -> tuple[Edge, ...]:
        return tuple(axis for axis in self.sizes if not isinstance(axis, str))

    def scope(self, axis: Axis) -> tuple[Axis, ...]:
        """The axes of the table of a node or latent."""
        return (*self.parents[axis], *self.arcs[axis], axis) if isinstance(axis, str) else (axis,)

    def shape(self, axis: Axis) -> tuple[int, ...]:
        return tuple(self.sizes[each] for each in self.scope(axis))


def shape_of(
    graph: Graph, values: Mapping[str, int] | None = None, about: Iterable[str] | None = None, most: int = MOST_STATES
) -> Shape:
    """The shape of the graph's models, as far as the nodes `about` depend on it; everything when left out.

    A node has two values unless `values` says more; a latent has as many as can matter, but at most `most`.
    """
    if not graph.acyclic or graph.kind not in ("dag", "admg"):
        raise GraphError(f"a model needs an acyclic directed graph, and this one is {graph.kind}")
    above: dict[str, list[str]] = {node: [] for node in graph.nodes}
    for tail, head in graph.directed:
        above[head].append(tail)
    found = _ancestral_order(above, graph.nodes if about is None else about)
    inside = set(found)
    arcs: dict[str, list[Edge]] = {node: [] for node in found}
    kept = [arc for arc in graph.bidirected if arc[0] in inside and arc[1] in inside]
    for arc in kept:
        arcs[arc[0]].append(arc)
        arcs[arc[1]].append(arc)
    sizes: dict[Axis, int] = {node: max(2, (values or {}).get(node, 2)) for node in found}
    rows = {node: prod(sizes[parent] for parent in above[node]) for node in found}
    states, enough = _states(kept, arcs, {node: (sizes[node] - 1) * rows[node] for node in found}, most)
    for arc in kept:
        sizes[arc] = states[arc]
    for node in found:
        cells = sizes[node] * rows[node] * prod(states[arc] for arc in arcs[node])
        if cells > MOST_CELLS:
            raise BudgetError(f"a model's table for {brief(node)} needs over {MOST_CELLS:,} entries")
    parents = {node: tuple(above[node]) for node in found}
    return Shape(parents, {node: tuple(arcs[node]) for node in found}, sizes, enough)


def _ancestral_order(above: Mapping[str, Sequence[str]], about: Iterable[str]) -> list[str]:
    """The names and all that lies above them, parents before children."""
    order: dict[str, None] = {}
    waiting = [(name, False) for name in reversed(list(about))]
    while waiting:
        name, ready = waiting.pop()
        if ready:
            order[name] = None
        elif name not in order:
            waiting.append((name, True))
            waiting += [(parent, False) for parent in above[name] if parent not in order]
    return list(order)


def _states(
    arcs: Sequence[Edge], at: Mapping[str, Sequence[Edge]], freedom: Mapping[str, int], most: int
) -> tuple[dict[Edge, int], bool]:
    """How many values each latent needs, cut at `most`, and whether none was cut or guessed.

    The latent of A <-> B mixes pairs of tables, one of A and one of B.  A table of A is a vector in an affine space of
    dimension d = freedom(A) times the values of A's other latents.  Mixtures of m pairs are the matrices of rank m with
    a fixed corner, and 1 + d is the largest rank there is: with that many values (at the end where it is fewer), the
    mixtures are dense in the mixtures of any number, so an identity that holds for them holds for all.  This needs the
    other latents of one end to be settled first; where bidirected edges form cycles, no order settles them all.
    """
    states: dict[Edge, int] = {}
    enough = True
    left = dict.fromkeys(arcs)
    while left:
        best: tuple[int, Edge] | None = None
        for arc in left:
            for end in arc:
                others = [states.get(other) for other in at[end] if other != arc]
                if None not in others:
                    need = 1 + freedom[end] * prod(other for other in others if other)
                    best = min(best or (need, arc), (need, arc))
        if best is None:
            return states | dict.fromkeys(left, most), False
        need, arc = best
        enough = enough and need <= most
        states[arc] = min(need, most)
        del left[arc]
    return states, enough


@dataclass(frozen=True)
class Model:
    """A table for every node and every latent of a shape: residues modulo `prime`, or fractions where that is None."""

    shape: Shape
    tables: Mapping[Axis, Sequence[Scalar]]
    prime: int | None = None

    @property
    def latent_names(self) -> dict[Edge, str]:
        """U1, U2, ... for the latents, with as many bars as keep them apart from the nodes."""
        latents = self.shape.latents
        mark = "U"
        while any(f"{mark}{number}" in self.shape.parents for number in range(1, len(latents) + 1)):
            mark += "_"
        return {arc: f"{mark}{number}" for number, arc in enumerate(latents, start=1)}

    def rows(self, axis: Axis) -> list[Sequence[Scalar]]:
        """The table cut into its distributions."""
        values, size = self.tables[axis], self.shape.sizes[axis]
        return [values[start : start + size] for start in range(0, len(values), size)]

    def modulo(self, prime: int = PRIME) -> "Model":
        """The same model in residues, where it takes much less time to tell two numbers apart."""
        known = {value: _residue(value, prime) for values in self.tables.values() for value in values}
        tables = {axis: [known[value] for value in values] for axis, values in self.tables.items()}
        return Model(self.shape, tables, prime)

    def to_json(self) -> dict[str, Any]:
        """Latents and nodes with their distributions; rows run over the parents, then the latents, the last fastest."""
        names, shape = self.latent_names, self.shape
        latents = [
            {"name": names[arc], "ends": list(arc), "values": shape.sizes[arc], "row": _written(self.tables[arc])}
            for arc in shape.latents
        ]
        nodes = [
            {
                "name": node,
                "values": shape.sizes[node],
                "parents": list(parents),
                "latents": [names[arc] for arc in shape.arcs[node]],
                "rows": [_written(row) for row in self.rows(node)],
            }
            for node, parents in shape.parents.items()
        ]
        return {"latents": latents, "nodes": nodes}

    def __str__(self) -> str:
        """One line a latent and one a node: "P(X=1 | Z, U1): 1/3, 2/5"; only the probability of value 0 is left out."""
        names = self.latent_names
        lines = [
            f"{name} (behind {arc[0]} <-> {arc[1]}) has values 0..{self.shape.sizes[arc] - 1}: "
            + ", ".join(_written(self.tables[arc]))
            for arc, name in names.items()
        ]
        for node, parents in self.shape.parents.items():
            given = ", ".join([*parents, *(names[arc] for arc in self.shape.arcs[node])])
            values = ", ".join(map(str, range(1, self.shape.sizes[node])))
            lines.append(f"P({node}={values}{' | ' + given if given else ''}): {self._column(node)}")
        return "\n".join(lines)

    def _column(self, node: str) -> str:
        rows = [row[1:] for row in self.rows(node)]
        same = len(rows) > 1 and all(row == rows[0] for row in rows)
        written = [", ".join(_written(row)) for row in (rows[:1] if same else rows)]
        if self.shape.sizes[node] > 2:
            written = [f"({row})" for row in written]
        return ", ".join(written) + (" in every row" if same else "")


def _residue(value: Scalar, prime: int) -> int:
    return value.numerator * pow(value.denominator, -1, prime) % prime


def _written(row: Iterable[Scalar]) -> list[str]:
    return [str(value) for value in row]


Column = Callable[[Sequence[int]], list[Scalar]]  # as many words as values -> a distribution


def _filled(shape: Shape, seed: int, column: Column, prime: int | None) -> Model:
    cells = {axis: prod(shape.shape(axis)) for axis in shape.sizes}
    stream = words(seed, sum(cells.values()))
    tables: dict[Axis, Sequence[Scalar]] = {}
    start = 0
    for axis, count in cells.items():
        size = shape.sizes[axis]
        values: list[Scalar] = []
        for at in range(start, start + count, size):
            values += column(stream[at : at + size])
        tables[axis] = values
        start += count
    return Model(shape, tables, prime)


def residues(shape: Shape, seed: int, prime: int = PRIME) -> Model:
    """Uniform residues; each distribution adds up to one."""

    def column(drawn: Sequence[int]) -> list[Scalar]:
        free = [word % prime for word in drawn[1:]]  # the 64 bits are 2^-60 away from uniform
        return [(1 - sum(free)) % prime, *free]

    return _filled(shape, seed, column, prime)


def fractions(shape: Shape, seed: int, weights: Sequence[int] = range(1, 6)) -> Model:
    """Positive fractions, small where the weights are: each distribution is made of such weights, over their sum."""

    def column(drawn: Sequence[int]) -> list[Scalar]:
        some = [weights[word % len(weights)] for word in drawn]
        total = sum(some)
        return [Fraction(each, total) for each in some]

    return _filled(shape, seed, column, None)


def random_model(graph: Graph, seed: int, *, exact: bool = False, values: Mapping[str, int] | None = None) -> Model:
    """A random model of a dag or admg: residues modulo PRIME, or small positive fractions when `exact`.

    Every node has two values unless `values` gives it more: `{"Y": 3}`.
    """
    shape = shape_of(graph, values)
    return fractions(shape, seed) if exact else residues(shape, seed)
