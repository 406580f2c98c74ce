"""Proofs checked a second time, by code that shares nothing with the code that wrote them.

A proof is {"problem", "answer", "valid", "why", "witness"} in plain JSON; `recheck` says why a record is none.

Rule 1: the standard library only and nothing of calverify, so that this folder can be read, copied and used by itself.
Rule 2: a proof passes when its witness shows that the answer is valid, or that it is not.  What a witness cannot hold
(that these are all, that there is none, that nothing is better) is found again by trying, within a bound.
Rule 3: what is unknown, extra, missing or listed twice is refused.  Sentences (`why`, `because`) and what the checker
tells of a test of its own (`agreement`, `same`) prove nothing and are not read.
Rule 4: numbers that are drawn to compare with depend on the whole of what is compared, so that nobody can write a proof
that fits them.
Rule 5: no file has 400 lines.  Reading order: `records`, `graphs`, `question`, then the family of tasks that a proof is
about (`sets`, `walks`, `lists`, `wholes`, `roles`, `effects`; `estimands` after `expressions`, `derivations` and
`models`), and last `forms` for questions in other forms.
"""

from typing import Any

from . import effects, estimands, lists, quantities, roles, sets, walks, wholes
from .forms import shows
from .question import Family, Question
from .records import Refused, fields, need

__all__ = ["KINDS", "TASKS", "recheck"]

# A module with families of tasks is a word in this list.
FAMILIES: tuple[Family, ...] = tuple(
    family
    for module in (sets, walks, lists, wholes, roles, effects, quantities, estimands)
    for family in module.FAMILIES
)
TASKS = {task: family for family in FAMILIES for task in family.tasks}
KINDS = {  # of witnesses, with their fields: those of questions in other forms, and those about one object
    "all": "objects", "better": "object witness", "count": "count objects", "example": "object witness",
    "extra": "object witness", "left_out": "object witness", "none": "", "unreadable": "",
    **{kind: wanted for family in FAMILIES for kind, wanted in family.kinds.items()},
}  # fmt: skip
DAMAGED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def recheck(record: Any) -> str | None:
    """Why the record proves nothing; None when its witness proves its verdict."""
    try:
        problem, answer, valid, _, witness = fields(record, "problem answer valid why witness")
        task = problem["query"]["task"]
        need(task in TASKS, f"no proof of the task {task!r:.60} can be rechecked yet")
        family = TASKS[task]
        q = Question(problem, family.tasks[task])
        family.legal(q)
        need(shows(family, q, answer, witness) is valid, "the witness shows the opposite verdict")
    except Refused as why:
        return str(why)
    except DAMAGED as error:
        return f"the record is damaged: {error!r:.200}"
    return None
