"""Sums of products of integer tables: variable elimination, exact.

Rule 1: a table is a scope (axis numbers, ascending) and its values, the last axis varying fastest.
Rule 2: the order of elimination is found first, on scopes alone, and what it will cost is checked before any number is
touched; so a question that would explode is refused in the time it takes to say so.
Rule 3: the cheapest axis goes first: the one whose elimination builds the smallest table (min-weight), ties to the
lowest number.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import repeat
from math import prod
from operator import add, itemgetter, mul
from typing import NamedTuple

from calverify.errors import BudgetError

__all__ = ["MOST_CELLS", "MOST_STEPS", "Table", "joint", "take_along"]

MOST_CELLS = 1 << 18  # entries in one table
MOST_STEPS = 1 << 21  # multiplications in one question

Reader = Callable[[Sequence[int]], tuple[int, ...]]


class Table(NamedTuple):
    """`values[i]` for each assignment of the axes in `scope`."""

    scope: tuple[int, ...]
    values: Sequence[int]


def joint(tables: Sequence[Table], keep: Sequence[int], sizes: Sequence[int]) -> Sequence[int]:
    """The product of the tables with every axis summed out but those of `keep`, whose order is kept.

    `sizes[axis]` is how many states the axis has.
    """
    order = _order([table.scope for table in tables], keep, sizes)
    left = list(tables)
    for axis, rest in order:
        inside: list[Table] = []
        outside: list[Table] = []
        for table in left:
            (inside if axis in table.scope else outside).append(table)
        values = _product(inside, (axis, *rest), sizes)
        outside.append(Table(rest, _summed(values, sizes[axis])))
        left = outside
    return _product(left, tuple(keep), sizes)


def _order(
    scopes: Sequence[tuple[int, ...]], keep: Sequence[int], sizes: Sequence[int]
) -> list[tuple[int, tuple[int, ...]]]:
    """Which axis goes next, and the axes of the table it leaves; refused when the tables grow too large."""
    near: dict[int, int] = {}
    for scope in scopes:
        mask = 0
        for axis in scope:
            mask |= 1 << axis
        for axis in scope:
            near[axis] = near.get(axis, 0) | mask
    result = prod(sizes[axis] for axis in keep)
    costs = {axis: _cells(near[axis], sizes) for axis in near if axis not in keep}
    steps, order = result * (len(keep) + 1), []
    _check(result, steps)
    while costs:
        axis = min(costs, key=lambda each: (costs[each], each))
        cost = costs.pop(axis)
        steps += cost
        _check(cost, steps)
        around = near.pop(axis) & ~(1 << axis)
        rest = _axes(around)
        order.append((axis, rest))
        for other in rest:
            near[other] = (near[other] | around) & ~(1 << axis)
            if other in costs:
                costs[other] = _cells(near[other], sizes)
    return order


def _check(cells: int, steps: int) -> None:
    if cells > MOST_CELLS or steps > MOST_STEPS:
        grown = f"a table of {cells:,} entries" if cells > MOST_CELLS else f"over {MOST_STEPS:,} multiplications"
        raise BudgetError(f"an exact effect would need {grown}; the limit is {MOST_CELLS:,} entries in a table")


def _axes(mask: int) -> tuple[int, ...]:
    """0b1010 -> (1, 3)."""
    found = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        found.append(bit.bit_length() - 1)
    return tuple(found)


def _cells(mask: int, sizes: Sequence[int]) -> int:
    cells = 1
    while mask:
        bit = mask & -mask
        mask ^= bit
        cells *= sizes[bit.bit_length() - 1]
    return cells


def _product(tables: Sequence[Table], target: tuple[int, ...], sizes: Sequence[int]) -> Sequence[int]:
    """The values of the product, laid out along the target axes."""
    shape = tuple([sizes[axis] for axis in target])
    columns = [_laid_out(table, target, shape) for table in tables]
    if not columns:
        return [1] * prod(shape)
    values = columns[0]
    for column in columns[1:]:
        values = list(map(mul, values, column))
    return values


def _laid_out(table: Table, target: tuple[int, ...], shape: tuple[int, ...]) -> Sequence[int]:
    if table.scope == target:
        return table.values
    if not table.scope:
        return list(repeat(table.values[0], prod(shape)))
    places = tuple([target.index(axis) for axis in table.scope])
    return _reader(places, shape)(table.values)


def _reader(places: tuple[int, ...], shape: tuple[int, ...]) -> Reader:
    """What reads a table whose axes stand at these places of a larger shape, one value for each cell of the shape."""
    return _small_reader(places, shape) if prod(shape) <= 1024 else _new_reader(places, shape)


def _new_reader(places: tuple[int, ...], shape: tuple[int, ...]) -> Reader:
    strides = [0] * len(shape)
    stride = 1
    for place in reversed(places):
        strides[place] = stride
        stride *= shape[place]
    indices = take_along((stride, range(count)) for stride, count in zip(strides, shape, strict=True))
    if len(indices) == 1:
        return tuple
    reader: Reader = itemgetter(*indices)
    return reader


_small_reader = lru_cache(maxsize=4096)(_new_reader)


def take_along(axes: Iterable[tuple[int, Sequence[int]]]) -> list[int]:
    """The flat indices of the named states along each axis, a pair of its stride and the states: first axis slowest."""
    indices = [0]
    for stride, states in axes:
        offsets = [stride * state for state in states]
        indices = [index + offset for index in indices for offset in offsets]
    return indices


def _summed(values: Sequence[int], count: int) -> Sequence[int]:
    """The slowest axis, of `count` states, summed out."""
    height = len(values) // count
    if count == 1:
        return values
    if count == 2:
        return list(map(add, values[:height], values[height:]))
    return list(map(sum, zip(*[values[at : at + height] for at in range(0, len(values), height)], strict=True)))
