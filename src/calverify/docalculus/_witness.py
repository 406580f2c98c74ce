"""Two models that agree on all that is observed and differ on an effect: what a hedge proves, in numbers.

Rule 1: in the first model a node of the hedge is the parity of its parents in the forest and of its latents, which are
fair coins.  In the second the nodes of `inner` leave out what comes from outside `inner`.  Seen together the nodes are
uniform in both, but for the roots, whose parity is even: every latent is counted twice.  Under do(treatments) the first
model counts some latent once, so the parity of the roots is a fair coin; in the second it stays even.
Rule 2: from each root one way leads past the treatments to an outcome, and passes the root's bit on.  A node that has a
bit of its own and passes bits on too has four values: its own bit, plus twice what it passes on.
Rule 3: one root, and every bit passed on, is flipped with a chance of 1/4, in both models alike, so that nothing is
impossible.  A node that is left out is a fair coin of its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from calverify.docalculus._districts import Districts
from calverify.docalculus._hedge import Hedge
from calverify.docalculus._models import Axis, Model, Shape
from calverify.errors import BudgetError
from calverify.graphs import Edge, Graph
from calverify.names import brief

__all__ = ["two_models"]

MOST_ENTRIES = 1 << 12  # in one table: more could not be checked by hand
FLIP = Fraction(1, 4)


@dataclass(frozen=True)
class _Plan:
    """Where each node's bits come from."""

    own: Mapping[str, tuple[str, ...]]  # a node of the hedge -> its parents in the forest
    passed: Mapping[str, tuple[str, ...]]  # a node on the way to an outcome -> the nodes whose bits it passes on
    arcs: Mapping[str, tuple[Edge, ...]]
    roots: tuple[str, ...]

    def parents(self, node: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.own.get(node, ()), *self.passed.get(node, ()))))

    def values(self, node: str) -> int:
        return 4 if node in self.own and node in self.passed else 2

    def sends(self, node: str, value: int) -> int:
        """The bit that the next node on the way gets of this one."""
        through = value >> 1 if node in self.own else value
        return (value & 1 if node in self.roots else 0) ^ through


def two_models(graph: Graph, hedge: Hedge) -> tuple[Model, Model]:
    """Two models of the graph that agree on what is observed, and not on P(outcomes | do(treatments)) of the hedge.

    An effect given something has the hedge of a joint effect: that is what they differ on, and the effect itself need
    not tell them apart where every way ends in what is given.
    """
    plan = _plan(graph, hedge)
    order = [name for name in Districts(graph).names if name in plan.own or name in plan.passed]
    sizes: dict[Axis, int] = {node: plan.values(node) for node in order}
    sizes.update(dict.fromkeys(hedge.bidirected, 2))
    parents, arcs = {node: plan.parents(node) for node in order}, {node: plan.arcs.get(node, ()) for node in order}
    shape = Shape(parents, arcs, sizes, enough=True)
    for node in order:
        if (entries := prod(shape.shape(node))) > MOST_ENTRIES:
            raise BudgetError(f"a table for {brief(node)} needs {entries:,} entries; the limit is {MOST_ENTRIES:,}")
    return _model(shape, plan, frozenset()), _model(shape, plan, frozenset(hedge.inner))


def _plan(graph: Graph, hedge: Hedge) -> _Plan:
    following = _ways(graph, hedge)
    passed: dict[str, tuple[str, ...]] = {}
    for root in hedge.roots:
        here = root
        while here in following and here not in passed.get(following[here], ()):
            there = following[here]
            passed[there] = (*passed.get(there, ()), here)
            here = there
    own = {node: tuple(tail for tail, head in hedge.directed if head == node) for node in hedge.whole}
    arcs = {node: tuple(arc for arc in hedge.bidirected if node in arc) for node in hedge.whole}
    return _Plan(own, passed, arcs, hedge.roots)


def _ways(graph: Graph, hedge: Hedge) -> dict[str, str]:
    """The next node on a way to an outcome, past the treatments; to what was given only where there is no other way."""
    following: dict[str, str] = {}
    for ends in (frozenset(hedge.outcomes) - frozenset(hedge.given), hedge.given):
        queue = sorted(ends)
        for head in queue:  # grows while we walk it
            new = graph.parents([head]).difference(following, hedge.outcomes, hedge.treatments)
            following |= dict.fromkeys(sorted(new), head)
            queue += sorted(new)
    return following


def _model(shape: Shape, plan: _Plan, alone: frozenset[str]) -> Model:
    """The model in which the nodes of `alone` listen to one another only."""
    tables: dict[Axis, tuple[Fraction, ...]] = dict.fromkeys(shape.latents, (Fraction(1, 2), Fraction(1, 2)))
    for node in shape.parents:
        tables[node] = tuple(_table(shape, plan, node, alone))
    return Model(shape, tables)


def _table(shape: Shape, plan: _Plan, node: str, alone: frozenset[str]) -> Iterator[Fraction]:
    """The chances of the node's values, row by row."""
    own, passed = plan.own.get(node), plan.passed.get(node)
    heard = [arc for arc in shape.arcs[node] if node not in alone or set(arc) <= alone]
    summed = [parent for parent in own or () if node not in alone or parent in alone]
    scope = shape.scope(node)[:-1]
    for states in product(*(range(shape.sizes[axis]) for axis in scope)):
        at = dict(zip(scope, states, strict=True))
        chances = [Fraction(1)]
        if own is not None:
            bit = sum(at[parent] for parent in summed) + sum(at[arc] for arc in heard)
            chances = _bit(bit, FLIP if node == plan.roots[0] else Fraction(0))
        if passed is not None:
            bits = _bit(sum(plan.sends(parent, at[parent]) for parent in passed), FLIP)
            chances = [each * one for one in bits for each in chances]
        yield from chances


def _bit(total: int, flip: Fraction) -> list[Fraction]:
    """The chances of 0 and 1 of a parity that may be flipped."""
    return [flip, 1 - flip] if total % 2 else [1 - flip, flip]
