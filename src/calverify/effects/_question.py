"""A question to a model, as tables: what is kept, what was seen, and what is set from outside.

Rule 1: setting X by intervention is done on the arrows out of X, not on X: each child reads a *dial* in X's place, and
X itself keeps its table (a single-world intervention graph, Richardson and Robins 2013).  A dial shown to one child
only is an edge intervention, which is all that natural direct and indirect effects need.  A do(X = x) is a dial with
one position on every arrow out of X.
Rule 2: a variable that nothing asked for depends on is left out (barren): only ancestors of what is kept or seen,
walking up through arrows that are not dialled, bring in their tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from calverify.effects._scm import SCM
from calverify.effects._tables import Table, joint

__all__ = ["Arrow", "Question", "Switch", "weigh"]

Arrow = tuple[int, int]  # (parent, child), as positions in the model


@dataclass(frozen=True, slots=True)
class Switch:
    """A dial: the states it goes through, and the arrows that read it in the parent's place."""

    states: tuple[int, ...]
    arrows: frozenset[Arrow]


@dataclass(frozen=True, slots=True)
class Question:
    """Weights of every joint position of `keep`, then of the switches; all else is summed out.

    `keep` holds a variable and a tuple of classes of its states; a state in no class is left out.
    `seen` narrows a variable to some of its states.
    """

    keep: tuple[tuple[int, tuple[tuple[int, ...], ...]], ...] = ()
    seen: Mapping[int, Sequence[int]] = field(default_factory=dict)
    switches: tuple[Switch, ...] = ()


def weigh(scm: SCM, question: Question) -> tuple[Sequence[int], int]:
    """(weights, scale): each probability is weight / scale.  The last thing kept or switched varies fastest."""
    asked = _Asked(scm, question)
    scale = 1
    tables = []
    for at in asked.needed():
        tables.append(asked.table(at))
        scale *= scm.variables[at].scale
    return joint([*tables, *asked.classes], asked.keep, asked.sizes), scale


class _Asked:
    """One question while its tables are put together."""

    def __init__(self, scm: SCM, question: Question) -> None:
        self.scm = scm
        self.states: list[Sequence[int]] = [range(len(variable.states)) for variable in scm.variables]
        for at, states in question.seen.items():
            self.states[at] = states
        self.sizes = [len(states) for states in self.states]
        self.wanted = {*question.seen, *(at for at, _ in question.keep)}
        self.keep: list[int] = []
        self.classes: list[Table] = []
        self.dial: dict[Arrow, int] = {}
        for at, classes in question.keep:
            self.keep.append(self._kept(at, classes))
        for switch in question.switches:
            self.keep.append(len(self.sizes))
            self.dial.update(dict.fromkeys(switch.arrows, len(self.sizes)))
            self.states.append(switch.states)
            self.sizes.append(len(switch.states))

    def _kept(self, at: int, classes: tuple[tuple[int, ...], ...]) -> int:
        """The axis that is kept: the variable's own, or a new one that says which class its state is in."""
        if classes == tuple([(state,) for state in self.states[at]]):
            return at
        axis = len(self.sizes)
        self.sizes.append(len(classes))
        self.states.append(range(len(classes)))
        inside = [int(state in group) for state in self.states[at] for group in classes]
        self.classes.append(Table((at, axis), inside))
        return axis

    def needed(self) -> list[int]:
        """The variables that bear on the question, as positions, ascending."""
        parents, dial = self.scm.parents, self.dial
        found, todo = set(self.wanted), list(self.wanted)
        while todo:
            child = todo.pop()
            for parent in parents[child]:
                if parent not in found and (parent, child) not in dial:
                    found.add(parent)
                    todo.append(parent)
        return sorted(found)

    def table(self, at: int) -> Table:
        """The table of one variable: dials in the place of the parents they stand for, and only the states seen."""
        scm, dial, sizes = self.scm, self.dial, self.sizes
        family = (at, *scm.parents[at])
        if not dial or not any((parent, at) in dial for parent in family):
            if all(sizes[axis] == len(scm.variables[axis].states) for axis in family):
                return scm.own_table(at)
        return scm.table(at, [dial.get((parent, at), parent) for parent in family], self.states)
