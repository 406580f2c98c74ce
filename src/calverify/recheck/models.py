"""Models of a graph, as tables: those that a proof shows, those we draw ourselves, and what expressions are in them."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple

from .expressions import Tree, divided, drawn, prime_for, value
from .graphs import Graph
from .records import Set, fields, named, need, number, row

__all__ = ["Model", "Worlds", "own_model", "read_model"]

MOST_WORLDS = 1 << 18
LATENT_VALUES = 4  # in models of our own

Chances = Mapping[tuple[int, ...], list[Any]]  # of a node's values, by the values of its parents and latents


class Model(NamedTuple):
    """Tables for some nodes, parents first, and a distribution for each latent; numbers of one field."""

    sizes: Mapping[str, int]
    latents: list[list[Any]]
    hears: Mapping[str, tuple[tuple[str, ...], tuple[int, ...]]]  # a node's parents, and the places of its latents
    tables: Mapping[str, Chances]
    prime: int | None

    def masses(self, do: tuple[tuple[str, int], ...]) -> dict[tuple[int, ...], Any]:
        """How likely each assignment to the nodes is when some are set."""
        hidden = [len(row) for row in self.latents]
        need(prod(hidden) * prod(self.sizes.values()) <= MOST_WORLDS, "too large to recheck: the worlds of a model")
        fixed, found = dict(do), dict[tuple[int, ...], Any]()
        for states in product(*map(range, hidden)):
            start = self._field(prod(row[state] for row, state in zip(self.latents, states, strict=True)))
            waiting: list[tuple[tuple[int, ...], Any]] = [((), start)]
            while waiting:
                at, mass = waiting.pop()
                if len(at) == len(self.sizes):
                    found[at] = self._field(found.get(at, 0) + mass)
                    continue
                waiting += self._next(at, mass, states, fixed)
        return found

    def _next(self, at: tuple[int, ...], mass: Any, states: Any, fixed: Mapping[str, int]) -> list[Any]:
        names = list(self.sizes)
        name = names[len(at)]
        if name in fixed:
            return [((*at, fixed[name]), mass)]
        parents, latents = self.hears[name]
        row = self.tables[name][(*(at[names.index(one)] for one in parents), *(states[one] for one in latents))]
        return [((*at, state), self._field(mass * chance)) for state, chance in enumerate(row) if chance]

    def _field(self, number: Any) -> Any:
        return number if self.prime is None else number % self.prime


class Worlds:
    """What expressions are worth in a model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.known: dict[Any, Any] = {}
        self.sums: dict[Any, Any] = {}

    def value(self, tree: Tree, at: Mapping[tuple[str, int], int]) -> Any:
        return value(tree, at, self.chance, self.model.sizes, self.model.prime)

    def chance(self, of: Any, do: Any, given: Any) -> Any:
        """P(of | do, given), by listing all that can happen; None where that has no value."""
        events = [*of, *do, *given]
        need(
            all(name in self.model.sizes and 0 <= state < self.model.sizes[name] for name, state in events),
            "a name or value that the model does not have",
        )
        if len(dict(do)) < len({*do}):
            return None
        key = tuple(sorted({*do}))
        if key not in self.known:
            self.known[key] = self.model.masses(key)
        return divided(self._mass(key, [*of, *given]), self._mass(key, given), self.model.prime)

    def _mass(self, do: Any, events: Any) -> Any:
        key = do, tuple(sorted(events))
        if key not in self.sums:
            places = list(self.model.sizes)
            asked = [(places.index(name), state) for name, state in events]
            rows = self.known[do].items()
            self.sums[key] = sum(mass for at, mass in rows if all(at[place] == state for place, state in asked))
        return self.sums[key]


# ---------------------------------------------------------------- models


def read_model(graph: Graph, record: Any) -> Model:
    """A model of the graph: its nodes hear nothing but their parents and the latents of their bidirected edges."""
    latents, nodes = fields(record, "latents nodes")
    rows, ends, names = [], list[Set](), list[str]()
    for latent in latents:
        name, arc, count, stated = fields(latent, "name ends values row")
        pair = tuple(sorted(row(arc, 2)))
        need(pair in graph.arcs and frozenset(pair) not in ends, "a latent stands for a bidirected edge of the graph")
        rows.append(_row(stated, count))
        ends.append(frozenset(pair))
        names.append(named(name))
    sizes, hears, tables = dict[str, int](), dict[str, Any](), dict[str, Any]()
    for node in nodes:
        name, count, parents, heard, table = fields(node, "name values parents latents rows")
        above, places = row(parents), tuple(names.index(one) for one in row(heard))
        fits = set(above) <= graph.near("<-", name) & sizes.keys() and name in graph.nodes and name not in sizes
        need(fits and all(name in ends[place] for place in places), f"{name!r:.60} hears what the graph does not show")
        need(len({*above}) == len(above) and len({*places}) == len(places), "listed twice")
        need(type(count) is int and 1 < count < 100, "a node has some values")
        keys = list(product(*(range(sizes[one]) for one in above), *(range(len(rows[place])) for place in places)))
        need(type(table) is list and len(table) == len(keys), f"the table of {name!r:.60} has another shape")
        sizes[name], hears[name] = count, (above, places)
        tables[name] = {key: _row(stated, count) for key, stated in zip(keys, table, strict=True)}
    return Model(sizes, rows, hears, tables, None)


def _row(stated: Any, count: Any) -> list[Fraction]:
    found = [number(one) for one in stated]
    need(len(found) == count and min(found) >= 0 and sum(found) == 1, "a row is no distribution")
    return found


def own_model(graph: Graph, sizes: Mapping[str, int], *about: Any) -> Model:
    """Random residues for the names of these sizes and all above them, two values each; a table adds up to one.

    They depend on what they are drawn for, `about`, so that no expression can be made to fit them.
    """
    left, order = graph.reach("<-", sizes), list[str]()
    while left:
        free = sorted(name for name in left if not graph.near("<-", name) & left)
        order, left = order + free, left - {*free}
    counts = {name: sizes.get(name, 2) for name in order}
    arcs = [arc for arc in sorted(graph.arcs) if {*arc} <= {*order}]
    prime, hears, tables = prime_for(about), dict[str, Any](), dict[str, Any]()
    for name in order:
        parents, latents = tuple(sorted(graph.near("<-", name))), tuple(n for n, arc in enumerate(arcs) if name in arc)
        lengths = [*(counts[one] for one in parents), *(LATENT_VALUES for _ in latents)]
        rows = product(*map(range, lengths))
        hears[name] = parents, latents
        tables[name] = {row: _residues(counts[name], prime, about, name, row) for row in rows}
    hidden = [_residues(LATENT_VALUES, prime, about, arc) for arc in arcs]
    return Model(counts, hidden, hears, tables, prime)


def _residues(count: int, prime: int, *about: Any) -> list[int]:
    """A distribution."""
    free = [drawn(at, about) % prime for at in range(1, count)]
    return [(1 - sum(free)) % prime, *free]
