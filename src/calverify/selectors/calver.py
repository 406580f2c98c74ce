"""The checker's own selector: the number of bits that hold."""

from collections.abc import Sequence

from calverify.scoring import Verdict
from calverify.selectors._choice import Number

__all__ = ["calver"]


def calver(verdicts: Sequence[Verdict]) -> list[Number | None]:
    """The score of each admissible candidate: 0 to 6."""
    return [verdict.score if verdict.admissible else None for verdict in verdicts]
