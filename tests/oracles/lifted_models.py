"""The two models of a hedge, made to differ on a conditional effect too.  Slow; shares no code with the library.

When every way of the hedge ends in what is given, the models tell the chance of a parity of given nodes, and nothing of
the outcome yet.  So every node of the graph gets a bit of its own besides: a random table over what is seen of its
parents and over a latent a bidirected edge, the same in both models.  A given node at which ways end is seen only as
one bit, its own bit plus its parity, so what it tells of the outcome depends on how that parity is distributed.
The models agree on the parities and do the same from there, so what is observed still agrees.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from tests.oracles.effects_by_truncation import causal_order
from tests.oracles.two_models import distribution

UNIT = 1_000  # every chance is so many thousandths: in tenths two rows are often alike, and then nothing is told

Seen = tuple[tuple[int, ...], ...]


class Lifted:
    """One model of the graph; two that are lifted with one seed differ in their records only."""

    def __init__(self, graph, record: Mapping[str, Any], hedge, seed: object) -> None:
        rng = Random(f"lifted {seed}")
        self.graph, self.record, self.hedge = graph, record, hedge
        self.order = causal_order(graph)
        self.sizes = {node["name"]: node["values"] for node in record["nodes"]}
        heard = {parent for node in record["nodes"] for parent in node["parents"]}
        self.blurred = {name for name in self.sizes if name in hedge.given and name not in heard}
        self.parents = {name: [tail for tail, head in graph.directed if head == name] for name in graph.nodes}
        self.arcs = {name: [at for at, arc in enumerate(graph.bidirected) if name in arc] for name in graph.nodes}
        self.weights = [rng.randint(1, UNIT - 1) for _ in graph.bidirected]
        self._key, self._tables = rng.random(), {}

    def share(self, name: str, row: tuple) -> int:
        """The thousandths of a 1 in the node's own bit: drawn once for each row."""
        if (name, row) not in self._tables:
            self._tables[name, row] = Random(f"{self._key} {name} {row}").randint(1, UNIT - 1)
        return self._tables[name, row]

    def look(self, name: str, bits: Mapping[str, int], own: int) -> tuple[int, ...]:
        """What is seen of a node: its own bit, after its value in the record if it has one; or the one blurred bit."""
        if name not in bits:
            return (own,)
        return (self.parity(name, bits[name]) ^ own,) if name in self.blurred else (bits[name], own)

    def parity(self, name: str, value: int) -> int:
        """The root's bit, if it is a root, plus the bit that is passed on to it, if one is."""
        passed = value if name not in self.hedge.whole else value >> 1
        return (value & 1 if name in self.hedge.roots else 0) ^ passed

    def joint(self, do: Mapping[str, tuple[int, ...]]) -> dict[Seen, Fraction]:
        """The distribution of what is seen; do() says what is seen of a node."""
        forced = {name: look[0] for name, look in do.items() if name in self.sizes}
        names = [*self.sizes]
        found: dict[Seen, Fraction] = {}
        for row, mass in distribution(self.record, forced, names).items():
            if mass:
                bits = dict(zip(names, row, strict=True))
                for seen, weight in self._rest(bits, do).items():
                    found[seen] = found.get(seen, Fraction(0)) + mass * weight
        return found

    def _rest(self, bits: Mapping[str, int], do: Mapping[str, tuple[int, ...]]) -> dict[Seen, int]:
        found: dict[Seen, int] = {}
        for latents in product((0, 1), repeat=len(self.weights)):
            chance = 1
            for weight, state in zip(self.weights, latents, strict=True):
                chance *= weight if state else UNIT - weight
            states = [({}, chance)]
            for name in self.order:
                states = [new for old in states for new in self._next(name, old, bits, latents, do)]
            for seen, mass in states:
                key = tuple(seen[name] for name in self.graph.nodes)
                found[key] = found.get(key, 0) + mass
        return found

    def _next(self, name: str, old, bits, latents, do):
        seen, mass = old
        if name in do:
            return [({**seen, name: do[name]}, mass)]
        row = (*(seen[parent] for parent in self.parents[name]), *(latents[at] for at in self.arcs[name]))
        ones = self.share(name, row)
        looks = [(self.look(name, bits, own), share) for own, share in ((0, UNIT - ones), (1, ones))]
        return [({**seen, name: look}, mass * share) for look, share in looks]

    def conditional(self, outcomes: Sequence[str], given: Sequence[str], do: Mapping[str, tuple[int, ...]]) -> dict:
        """P(outcomes | do, given) at every value of what is given."""
        places = {name: at for at, name in enumerate(self.graph.nodes)}
        parts: dict[tuple, dict[tuple, Fraction]] = {}
        for seen, mass in self.joint(do).items():
            part = parts.setdefault(tuple(seen[places[name]] for name in given), {})
            row = tuple(seen[places[name]] for name in outcomes)
            part[row] = part.get(row, Fraction(0)) + mass
        return {key: {row: mass / sum(part.values()) for row, mass in part.items()} for key, part in parts.items()}
