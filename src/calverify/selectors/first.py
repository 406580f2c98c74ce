"""The first sample: what one would have had without sampling any more."""

from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View

__all__ = ["first"]


@selector("first")
def first(view: View) -> list[Number | None]:
    """The same number for every candidate that stands, so that the earliest is picked."""
    return [1 if stands else None for stands in view.stands]
