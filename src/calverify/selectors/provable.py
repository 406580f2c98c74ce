"""The earliest candidate whose answer is accepted, and nothing where there is none."""

from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View

__all__ = ["provable"]


@selector("provable")
def provable(view: View) -> list[Number | None]:
    """1 for a readable candidate whose answer bit holds; the others stand aside, and then nothing may be picked."""
    return [
        1 if readable and verdict.bits["answer"] else None
        for readable, verdict in zip(view.readable, view.verdicts, strict=True)
    ]
