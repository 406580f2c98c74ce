"""What a reward model gave each trace, as stored in the pool."""

from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View

__all__ = ["reward"]


@selector("reward")
def reward(view: View) -> list[Number | None]:
    """The reward of each candidate; one without a rating stands aside, and is no 0."""
    return view.stored("reward")
