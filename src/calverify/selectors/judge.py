"""What a language model that was asked to judge gave each trace, as stored in the pool."""

from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View

__all__ = ["judge"]


@selector("judge")
def judge(view: View) -> list[Number | None]:
    """The judge's rating of each candidate; one without a rating stands aside, and is no 0."""
    return view.stored("judge")
