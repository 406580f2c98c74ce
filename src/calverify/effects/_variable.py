"""One variable of a model: its states, its parents in the order of its table, and the table itself.

Rule 1: an instance is always legal.  A table of the wrong shape, a negative weight or a row that does not sum to one is
refused when it is built, naming the variable and what was expected.
Rule 2: a table is integers over one denominator, `weights[i] / scale`, row by row: the last parent varies fastest among
the rows, and a row holds one weight for each state.
Rule 3: "the variable is 1" means that its state is among `positive`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, prod

from calverify.errors import BudgetError, RecordError
from calverify.names import brief, first_repeat

__all__ = ["BINARY", "LARGEST_TABLE", "Variable", "check_parents", "flattened"]

BINARY = ("0", "1")
LARGEST_TABLE = 1 << 22  # numbers in one table


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable and its table: P(state | parents) = weight / scale."""

    name: str
    parents: tuple[str, ...]
    states: tuple[str, ...]
    positive: frozenset[int]
    shape: tuple[int, ...]  # how many states each parent has
    weights: tuple[int, ...]
    scale: int

    def __post_init__(self) -> None:
        self._check_names()
        self._check_weights()
        shared = gcd(self.scale, *self.weights)
        if shared > 1:
            object.__setattr__(self, "weights", tuple(weight // shared for weight in self.weights))
            object.__setattr__(self, "scale", self.scale // shared)

    def _check_names(self) -> None:
        where = f"variable {self.name}:"
        if len(self.states) < 2:
            raise RecordError(f"{where} {len(self.states)} states; expected at least two")
        twice = first_repeat(self.states)
        if twice is not None:
            raise RecordError(f"{where} the state {twice!r} is listed twice")
        if not self.positive or not self.positive < frozenset(range(len(self.states))):
            raise RecordError(f"{where} the states that count as 1 must be some of its states, and not all of them")
        check_parents(self.name, self.parents)

    def _check_weights(self) -> None:
        where, width = f"variable {self.name}:", len(self.states)
        wanted = prod(self.shape) * width
        if len(self.shape) != len(self.parents) or len(self.weights) != wanted:
            raise RecordError(f"{where} a table of {len(self.weights):,} numbers; expected {wanted:,}")
        if self.scale < 1 or min(self.weights) < 0:
            raise RecordError(f"{where} a negative weight in its table; expected probabilities")
        for start in range(0, wanted, width):
            total = sum(self.weights[start : start + width])
            if total != self.scale:
                total_text = brief(str(Fraction(total, self.scale)))
                raise RecordError(f"{where} row {start // width + 1} of its table sums to {total_text}; expected 1")

    @property
    def binary(self) -> bool:
        """Is it an ordinary 0/1 variable, whose table says P(V=1 | parents) and no more?"""
        return self.states == BINARY and self.positive == {1}

    @property
    def rows(self) -> list[tuple[Fraction, ...]]:
        """The table as fractions: one row for each assignment of the parents, one number for each state."""
        numbers = [Fraction(weight, self.scale) for weight in self.weights]
        return [tuple(numbers[at : at + len(self.states)]) for at in range(0, len(numbers), len(self.states))]

    @classmethod
    def of_rows(
        cls,
        name: str,
        parents: Sequence[tuple[str, int]],
        states: Sequence[str],
        positive: Iterable[int],
        rows: Iterable[Sequence[Fraction]],
    ) -> "Variable":
        """The variable with these rows of fractions; `parents` are pairs of a name and how many states it has."""
        numbers = [number for row in rows for number in row]
        scale = lcm(*{number.denominator for number in numbers})
        weights = tuple(number.numerator * (scale // number.denominator) for number in numbers)
        names, shape = tuple(parent for parent, _ in parents), tuple(count for _, count in parents)
        return cls(name, names, tuple(states), frozenset(positive), shape, weights, scale)


def check_parents(name: str, parents: Sequence[str]) -> None:
    """Refuse a parent listed twice and a variable that is its own parent."""
    twice = first_repeat(parents)
    if twice is not None:
        raise RecordError(f"variable {name}: its parent {twice} is listed twice; expected each parent once")
    if name in parents:
        raise RecordError(f"variable {name}: it is listed among its own parents")


def flattened(name: str, table: object, axes: Sequence[tuple[str, int]]) -> list[object]:
    """The leaves of a nested list with one level for each axis, a pair of a name and its number of states.

    [[1, 2], [3, 4]] with two axes of two -> [1, 2, 3, 4].  Without axes the table is its own one leaf.
    """
    if prod(count for _, count in axes) > LARGEST_TABLE:
        raise BudgetError(f"variable {name}: a table of over {LARGEST_TABLE:,} numbers")
    level = [table]
    for depth, (axis, count) in enumerate(axes):
        deeper: list[object] = []
        for part in level:
            if not isinstance(part, list | tuple) or len(part) != count:
                found = f"{len(part)} entries" if isinstance(part, list | tuple) else brief(part)
                levels = " x ".join(str(size) for _, size in axes)
                raise RecordError(
                    f"variable {name}: its table has {found} at level {depth + 1}; expected a list of {count}, "
                    f"one for each state of {axis} (nested lists, {levels})"
                )
            deeper += part
        level = deeper
    return level
