"""Tables of numbers over axes, multiplied, summed and divided: modulo a prime, or exactly.

Rule 1: an axis is a whole number with a size; a table names its axes in an order of its own, the last varies fastest.
Rule 2: where an entry has no value (it divides by zero), `holes` says so, and so does all that is made of it.
Rule 3: work is counted in entries; over the budget the question stays undetermined, a `BudgetError`.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

from calverify.docalculus._models import Scalar
from calverify.errors import BudgetError

__all__ = ["MOST_ENTRIES", "Arithmetic", "Steps", "Table"]

MOST_ENTRIES = 1 << 16  # in one table


class Steps:
    """The work that is left: about one step an entry of a table."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise BudgetError(f"evaluating the expressions on models takes over {self.most:,} steps")


class Table(NamedTuple):
    axes: tuple[int, ...]
    values: Sequence[Scalar]
    holes: Sequence[bool] | None = None  # None: every entry has a value


class Arithmetic:
    """Operations on tables whose axes have these sizes; modulo `prime`, and exactly where that is None."""

    def __init__(self, sizes: list[int], steps: Steps, prime: int | None = None) -> None:
        self.sizes, self.steps, self.prime = sizes, steps, prime
        self._places: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}

    def modulo(self, prime: int | None) -> "Arithmetic":
        """The same axes, and the same work left, modulo another prime."""
        found = Arithmetic(self.sizes, self.steps, prime)
        found._places = self._places
        return found

    def reduced(self, values: Sequence[Scalar]) -> Sequence[Scalar]:
        prime = self.prime
        return values if prime is None else [value % prime for value in values]

    def cells(self, axes: Iterable[int]) -> int:
        return prod([self.sizes[axis] for axis in axes])

    def constant(self, value: int) -> Table:
        return Table((), self.reduced([value]))

    def table(self, axes: tuple[int, ...], entry: Callable[..., bool]) -> Table:
        """1 where the axes' values satisfy `entry`, 0 elsewhere; of at most two axes."""
        rows: list[tuple[int, ...]] = [()]
        for axis in axes:
            rows = [(*row, value) for row in rows for value in range(self.sizes[axis])]
        return Table(axes, [int(entry(*row)) for row in rows])

    def product(self, tables: Sequence[Table], axes: tuple[int, ...] | None = None) -> Table:
        """The product, over the axes of any table or over these, which must be no fewer."""
        tables = tables or [self.constant(1)]
        if axes is None:
            axes = tables[0].axes
            if any(table.axes != axes for table in tables):
                axes = tuple(dict.fromkeys(axis for table in tables for axis in table.axes))
        self._afford(axes, len(tables))
        values = self.spread(tables[0], axes)
        for table in tables[1:]:
            values = self._times(values, self.spread(table, axes))
        return Table(axes, values, self._holes(tables, axes))

    def sum_out(self, tables: Sequence[Table], axis: int) -> Table:
        """The product of the tables, summed over one axis, which some of them has."""
        rest = dict.fromkeys(other for table in tables for other in table.axes)
        del rest[axis]
        axes = tuple(rest)
        whole, size = self.product(tables, (*axes, axis)), self.sizes[axis]
        values, holes = whole.values, whole.holes
        if size == 2:
            sums = [a + b for a, b in zip(values[::2], values[1::2], strict=True)]
        else:
            sums = [sum(row) for row in zip(*(values[start::size] for start in range(size)), strict=True)]
        values = self.reduced(sums)
        if holes is not None:
            holes = [any(holes[start : start + size]) for start in range(0, len(holes), size)]
        return Table(axes, values, holes)

    def eliminate(self, tables: Sequence[Table], over: Iterable[int]) -> Table:
        """The product of all the tables, summed over these axes in order; one that none has counts its values."""
        left = list(tables)
        for axis in over:
            touched = [table for table in left if axis in table.axes]
            left = [table for table in left if axis not in table.axes]
            left.append(self.sum_out(touched, axis) if touched else self.constant(self.sizes[axis]))
        return self.product(left)

    def order(self, scopes: Iterable[Collection[int]], over: Collection[int]) -> list[int]:
        """An order to sum the axes out in: always the one next that makes the smallest table."""
        masks = [sum([1 << axis for axis in scope]) for scope in scopes]
        left = list(over)
        found: list[int] = []
        costs: dict[int, int] = {}
        self.steps.spend(len(left) * len(masks))
        while left:
            best, best_cost, best_mask = left[0], -1, 0
            for axis in left:
                bit, joined = 1 << axis, 0
                for mask in masks:
                    if mask & bit:
                        joined |= mask
                cost = costs.get(joined)
                if cost is None:
                    costs[joined] = cost = prod([size for at, size in enumerate(self.sizes) if joined >> at & 1])
                if best_cost < 0 or cost < best_cost:
                    best, best_cost, best_mask = axis, cost, joined
            masks = [mask for mask in masks if not mask >> best & 1]
            masks.append(best_mask & ~(1 << best))
            left.remove(best)
            found.append(best)
        return found

    def plus(self, terms: Sequence[tuple[int, Table]]) -> Table:
        """The terms added up, each times its sign."""
        tables = [table for _, table in terms]
        axes = tuple(dict.fromkeys(axis for table in tables for axis in table.axes))
        self._afford(axes, len(tables))
        total: Sequence[Scalar] = [0] * self.cells(axes)
        for sign, table in terms:
            pairs = zip(total, self.spread(table, axes), strict=True)
            total = [a + b for a, b in pairs] if sign > 0 else [a - b for a, b in pairs]
            self._weigh(total)
        return Table(axes, self.reduced(total), self._holes(tables, axes))

    def quotient(self, above: Table, below: Table) -> Table:
        """One over the other, with a hole where the other is zero."""
        self._afford(below.axes, 4)
        holes = [not value for value in below.values] if 0 in below.values else None
        values = [value or 1 for value in below.values] if holes else below.values
        if below.holes is not None:
            holes = [a or b for a, b in zip(holes, below.holes, strict=True)] if holes else list(below.holes)
        prime = self.prime
        inverse = [Fraction(1, value) for value in values] if prime is None else _inverses(values, prime)
        return self.product([above, Table(below.axes, inverse, holes)])

    def pinned(self, table: Table, pins: dict[int, tuple[int | None, int]]) -> Table:
        """The table with some axes replaced: by another (axis, 0), or by one of their values (None, value)."""
        if not any(axis in pins for axis in table.axes):
            return table
        offset, strides, axes = 0, [], []
        stride = len(table.values)
        for axis in table.axes:
            stride //= self.sizes[axis]
            new, value = pins.get(axis, (axis, 0))
            if new is None:
                offset += value * stride
            else:
                axes.append(new)
                strides.append(stride)
        if len(axes) == len(table.axes):
            return Table(tuple(axes), table.values, table.holes)
        places = _places(strides, [self.sizes[axis] for axis in axes])
        return Table(tuple(axes), [table.values[offset + place] for place in places])

    def spread(self, table: Table, axes: tuple[int, ...]) -> Sequence[Scalar]:
        """The values over more axes, or over the same ones in another order."""
        if table.axes == axes:
            return table.values
        return list(map(table.values.__getitem__, self._where(table.axes, axes)))

    def spread_holes(self, table: Table, axes: tuple[int, ...]) -> Sequence[bool]:
        """Where the same entries have no value."""
        if table.holes is None or table.axes == axes:
            return table.holes or [False] * self.cells(axes)
        return list(map(table.holes.__getitem__, self._where(table.axes, axes)))

    def _where(self, old: tuple[int, ...], new: tuple[int, ...]) -> list[int]:
        known = self._places.get((old, new))
        if known is None:
            strides, stride = {}, 1
            for axis in reversed(old):
                strides[axis] = stride
                stride *= self.sizes[axis]
            known = _places([strides.get(axis, 0) for axis in new], [self.sizes[axis] for axis in new])
            self._places[old, new] = known
        return known

    def _holes(self, tables: Iterable[Table], axes: tuple[int, ...]) -> Sequence[bool] | None:
        found: Sequence[bool] | None = None
        for table in tables:
            if table.holes is not None:
                some = self.spread_holes(table, axes)
                found = some if found is None else [a or b for a, b in zip(found, some, strict=True)]
        return found

    def _times(self, one: Sequence[Scalar], other: Sequence[Scalar]) -> list[Scalar]:
        pairs, prime = zip(one, other, strict=True), self.prime
        if prime is not None:
            return [a * b % prime for a, b in pairs]
        made: list[Scalar] = [a * b for a, b in pairs]
        self._weigh(made)
        return made

    def _weigh(self, values: Iterable[Scalar]) -> None:
        """Long numbers cost what reducing their fractions takes; residues are short."""
        if self.prime is None:
            lengths = [value.numerator.bit_length() + value.denominator.bit_length() for value in values]
            self.steps.spend(sum([(bits >> 6) + (bits >> 11) ** 2 for bits in lengths]))

    def _afford(self, axes: tuple[int, ...], times: int) -> None:
        cells = self.cells(axes)
        if cells > MOST_ENTRIES:
            raise BudgetError(f"a table of over {MOST_ENTRIES:,} entries would be needed to evaluate an expression")
        self.steps.spend(16 + cells * times)  # 16: what the smallest operation takes


def _places(strides: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """Where the entries stand, in the order of axes with these strides."""
    found = [0]
    for stride, size in zip(strides, sizes, strict=True):
        steps = [stride * value for value in range(size)]
        found = [place + step for place in found for step in steps]
    return found


def _inverses(values: Sequence[Scalar], prime: int) -> list[Scalar]:
    """One over each residue, none of which is zero, with a single inversion."""
    running: list[Scalar] = []
    total: Scalar = 1
    for value in values:
        running.append(total)
        total = total * value % prime
    back: Scalar = pow(int(total), -1, prime)
    found: list[Scalar] = []
    for value, before in zip(reversed(values), reversed(running), strict=True):
        found.append(back * before % prime)
        back = back * value % prime
    return found[::-1]
