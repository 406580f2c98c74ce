"""Which of two valid objects is better: smaller or larger by inclusion, shorter or longer."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from calverify.errors import BudgetError
from calverify.tasks._task import Case

__all__ = ["BEST", "best_objects", "better", "climb", "every_object", "within_budget"]

Object = TypeVar("Object")

MOST_OBJECTS = 20_000
BEST = {
    "minimal": "minimal", "minimum": "smallest", "maximal": "maximal", "shortest": "shortest", "longest": "longest",
}  # fmt: skip


def within_budget(task: str, objects: Iterable[Object]) -> list[Object]:
    """The objects, unless they are too many to be listed."""
    found = list(islice(objects, MOST_OBJECTS + 1))
    if len(found) > MOST_OBJECTS:
        raise BudgetError(f"{task} has more than {MOST_OBJECTS:,} objects on this graph")
    return found


def every_object(case: Case) -> list[Any]:
    """All objects of an object task, within the budget."""
    assert case.task.every is not None
    return within_budget(case.task.name, case.task.every(case))


def _size(value: Any) -> int:
    return len(value.nodes) if hasattr(value, "nodes") else len(value)


def _strictly_inside(value: frozenset[str], case: Case) -> frozenset[str] | None:
    """A valid set that leaves out a member of a valid one, or None."""
    return _first(case, ((frozenset(), value - {name}) for name in sorted(value)))


def _strictly_around(value: frozenset[str], case: Case) -> frozenset[str] | None:
    """A valid set that adds a name to a valid one, or None."""
    return _first(case, ((value | {name}, case.names) for name in sorted(case.names - value)))


def _first(case: Case, bounds: Iterator[tuple[frozenset[str], frozenset[str]]]) -> frozenset[str] | None:
    between = case.task.between
    assert between is not None, case.task.name
    return next((found for low, high in bounds if (found := between(case, low, high)) is not None), None)


def _smaller(value: Any, case: Case) -> Any | None:
    least = case.task.cheapest(case)
    return least if least is not None and _size(least) < _size(value) else None


def _longer(value: Any, case: Case) -> Any | None:
    return next((found for found in every_object(case) if _size(found) > _size(value)), None)


BETTER: dict[str, Callable[[Any, Case], Any | None]] = {
    "minimal": _strictly_inside,
    "minimum": _smaller,
    "maximal": _strictly_around,
    "shortest": _smaller,
    "longest": _longer,
}


def better(rule: str, value: Any, case: Case) -> Any | None:
    """An object that beats a valid one under the rule, or None."""
    return BETTER[rule](value, case)


def climb(rule: str, case: Case) -> Any | None:
    """From any valid object, step to better ones until none is."""
    value = case.task.cheapest(case)
    while value is not None and (step := better(rule, value, case)) is not None:
        value = step
    return value


def best_objects(rule: str, case: Case) -> Iterator[Any]:
    """Every valid object that nothing beats; of the maximal ones, one."""
    if rule == "maximal":
        best = climb(rule, case)
        return iter(() if best is None else (best,))
    objects = case.task.solve(case) if rule in ("minimal", "minimum") else iter(every_object(case))
    return (value for value in objects if better(rule, value, case) is None)
