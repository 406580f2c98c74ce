"""The three rules of do-calculus on probabilities written as masks of variables.

    rule 1  P(y | do(x), z, w)     = P(y | do(x), w)     if Y and Z are separated by X, W: arrows into X cut
    rule 2  P(y | do(x), do(z), w) = P(y | do(x), z, w)  if Y and Z are separated by X, W: arrows into X, out of Z cut
    rule 3  P(y | do(x), do(z), w) = P(y | do(x), w)     if Y and Z are separated by X, W: arrows into X and Z(W) cut

Z(W) is Z without the ancestors of W when arrows into X are cut.  So a variable beside the outcome is absent, given
or set by do, and between any two of these three states there is exactly one rule.

Rule A: separation is about nodes, probabilities are about variables.  A probability that mentions a node twice (X and
its copy X') is not a probability of the graph: it is not a `Leaf`, and no rule applies to it.
Rule B: asking whether a rule holds costs one unit of the budget, and working that out costs more.
"""

from dataclasses import dataclass
from typing import NamedTuple

from calverify.docalculus._expression import Variable
from calverify.docalculus._separate import Separator, each_bit
from calverify.errors import BudgetError

__all__ = ["ABSENT", "DO", "GIVEN", "Budget", "Condition", "Leaf", "Rules", "Spent"]

GIVEN, ABSENT, DO = 0, 1, 2  # the states of a variable; two of them add up to the number of the rule between them
MAX_VARIABLES = 256


class Leaf(NamedTuple):
    """P(of | do(do), given), each a mask of variables; no node occurs twice."""

    of: int
    do: int = 0
    given: int = 0


class Spent(BudgetError):
    """The budget is used up."""


class Budget:
    """Units of work that are left; the rules and the search share one."""

    def __init__(self, units: int) -> None:
        self.units = units
        self.used = 0

    def spend(self, units: int = 1) -> None:
        self.used += units
        if self.used > self.units:
            raise Spent(f"over {self.units:,} steps")


@dataclass(frozen=True)
class Condition:
    """x and y are separated by `given` once the arrows into `into_cut` and out of `out_cut` are cut."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    given: tuple[str, ...]
    into_cut: tuple[str, ...]
    out_cut: tuple[str, ...]

    def to_json(self) -> dict[str, list[str]]:
        return {name: list(getattr(self, name)) for name in ("x", "y", "given", "into_cut", "out_cut")}

    def __str__(self) -> str:
        """ "Y and Z are separated by {X, W} when arrows into X and out of Z are cut"."""
        by = f"by {_set(self.given)}" if self.given else "by nothing given"
        cuts = [f"into {_some(self.into_cut)}"] if self.into_cut else []
        cuts += [f"out of {_some(self.out_cut)}"] if self.out_cut else []
        surgery = f" when arrows {' and '.join(cuts)} are cut" if cuts else ""
        return f"{_some(self.x)} and {_some(self.y)} are separated {by}{surgery}"


def _set(names: tuple[str, ...]) -> str:
    return "{" + ", ".join(names) + "}"


def _some(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else _set(names)


class Rules:
    """The rules on the leaves of one graph, over a table of variables that grows as expressions are read."""

    def __init__(self, separator: Separator, budget: Budget) -> None:
        self.separator = separator
        self.budget = budget
        self.variables: list[Variable] = []
        self._node: list[int] = []
        self._nodes: dict[int, int] = {}
        self._held: dict[tuple[int, ...], bool] = {}
        self._cost = 2 + len(separator.names) // 8  # a separation takes longer in a large graph

    def add(self, variable: Variable) -> int:
        """The bit of a new variable."""
        if len(self.variables) >= MAX_VARIABLES:
            raise Spent(f"over {MAX_VARIABLES} variables")
        self.variables.append(variable)
        self._node.append(self.separator.bit[variable.name])
        return 1 << len(self.variables) - 1

    def named(self, mask: int) -> list[Variable]:
        return [self.variables[bit.bit_length() - 1] for bit in each_bit(mask)]

    def nodes(self, mask: int) -> int:
        """The nodes of some variables."""
        if mask not in self._nodes:
            found = 0
            for bit in each_bit(mask):
                found |= self._node[bit.bit_length() - 1]
            self._nodes[mask] = found
        return self._nodes[mask]

    def leaf(self, of: int, do: int, given: int) -> Leaf | None:
        """The leaf, or None when a node occurs twice."""
        variables = of.bit_count() + do.bit_count() + given.bit_count()
        return Leaf(of, do, given) if variables == self.nodes(of | do | given).bit_count() else None

    def moved(self, leaf: Leaf, some: int, state: int) -> Leaf | None:
        """The leaf with some variables in another state; None when no rule allows that."""
        of, do, given = leaf
        was = _state(leaf, some)
        if was == ABSENT:
            nodes = self.nodes(some)
            if nodes & self.nodes(of | do | given) or nodes.bit_count() != some.bit_count():
                return None  # a node would occur twice
        do, given = do & ~some, given & ~some
        if not self._holds(was + state, of, some, do, given):
            return None
        return Leaf(of, do | some if state == DO else do, given | some if state == GIVEN else given)

    def _holds(self, *key: int) -> bool:
        self.budget.spend()
        held = self._held.get(key)
        if held is None:
            rule, *masks = key
            self.budget.spend(self._cost)
            y, z, by, into, out = self._surgery(rule, *map(self.nodes, masks))
            held = self._held[key] = self.separator.separated(y, z, by, into, out)
        return held

    def _surgery(self, rule: int, y: int, z: int, x: int, w: int) -> tuple[int, int, int, int, int]:
        into, out = x, 0
        if rule == 2:
            out = z
        elif rule == 3:
            into |= z & ~self.separator.ancestors(w, into=x)
        return y, z, x | w, into, out

    def step(self, before: Leaf, after: Leaf) -> tuple[int, Condition]:
        """The number of the rule that leads from one leaf to the other, and what it needs."""
        some = (before.do ^ after.do) | (before.given ^ after.given)
        rule = _state(before, some) + _state(after, some)
        do, given = before.do & ~some, before.given & ~some
        masks = self._surgery(rule, *map(self.nodes, (before.of, some, do, given)))
        return rule, Condition(*(tuple(self.separator.named(mask)) for mask in masks))


def _state(leaf: Leaf, some: int) -> int:
    return DO if some & leaf.do else GIVEN if some & leaf.given else ABSENT
