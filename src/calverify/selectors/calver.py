"""The checker's own selector: the number of bits that hold."""

from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View

__all__ = ["calver"]


@selector("calver")
def calver(view: View) -> list[Number | None]:
    """The score of each candidate that stands: 0 to 6."""
    return list(view.scores)
