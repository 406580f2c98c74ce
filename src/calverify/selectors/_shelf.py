"""The shelf: a selector is a function from a view to one number a candidate, put up under its name."""

from collections.abc import Callable, Sequence

from calverify.errors import CalverifyError
from calverify.names import those_there_are
from calverify.registry import Shelf
from calverify.selectors._view import Number, View

__all__ = ["SELECTORS", "Selector", "find_selector", "numbers_of", "selector"]

Selector = Callable[[View], Sequence[Number | None]]

SELECTORS: Shelf[Selector] = Shelf("selector")


def selector(name: str) -> Callable[[Selector], Selector]:
    """Put the decorated function up as the selector `name`; it is returned untouched."""

    def put(function: Selector) -> Selector:
        SELECTORS.put(name, function)
        return function

    return put


def find_selector(name: str) -> Selector:
    """The selector of that name; refused with the names there are."""
    if name not in SELECTORS:
        raise CalverifyError(f"no selector {name!r} is on the shelf; {those_there_are(name, SELECTORS)}")
    return SELECTORS[name]


def numbers_of(name: str, view: View) -> list[Number | None]:
    """What a selector says of each candidate; refused unless it is one number, or None, a candidate."""
    numbers = list(find_selector(name)(view))
    if len(numbers) != len(view):
        raise CalverifyError(f"selector {name!r} gives {len(numbers)} numbers for {len(view)} candidates")
    return numbers
