"""How sure the policy itself was, as stored in the pool."""

from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View

__all__ = ["confidence"]


@selector("confidence")
def confidence(view: View) -> list[Number | None]:
    """The policy's own rating of each candidate; one without a rating stands aside, and is no 0."""
    return view.stored("confidence")
