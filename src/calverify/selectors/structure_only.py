"""The structure-only control: what is left of the checker when validity is not looked at.

It keeps the bits of graph, query and derivation, and the format of the answer: the answer slot can be read, and where
there is an ANSWER line it says the same.  Strategy, result and the truth of the answer are dropped.
"""

from calverify.errors import Fault
from calverify.selectors._shelf import selector
from calverify.selectors._view import Number, View
from calverify.tasks import task_of
from calverify.traces import parse

__all__ = ["structure_only"]

KEPT = ("graph", "query", "derivation")


@selector("structure_only")
def structure_only(view: View) -> list[Number | None]:
    """How many of the four hold, 0 to 4."""
    return list(view.counted(lambda place: _kept(view, place)))


def _kept(view: View, place: int) -> int:
    bits = view.verdicts[place].bits
    return sum(bits[slot] or 0 for slot in KEPT) + (bits["answer"] == 1 or _formed(view, place))


def _formed(view: View, place: int) -> bool:
    """Does the answer slot hold a readable answer?  That the line agrees with it is what made the trace readable."""
    slot = parse(view.pool.candidates[place].text).slots[5]
    if type(slot) is not dict or "answer" not in slot:
        return False
    task, graph = task_of(view.problem.query), view.verdicts[place].judged_on
    names = frozenset(view.problem.legend) if graph is None else task.formal.names(graph)
    return not isinstance(task.answer.read(slot["answer"], names, "answer"), Fault)
