"""What a caller says about a model, as positions: names, states, events and the two arms of a treatment.

An event is a mapping from names to states.  A state is written as its name ("high"), as 1 (the states that count as
1) or 0 (all the others), or as a collection of names.  An arm is one state: a treatment can be set to "high", not to
"something above low".
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from calverify.effects._scm import SCM
from calverify.effects._variable import Variable
from calverify.errors import QueryError
from calverify.names import brief, listing

__all__ = ["Contrast", "Event", "States", "read_contrast", "read_event", "read_names", "read_setting", "shown_event"]

States = str | int | Collection[str]
Event = Mapping[str, States]


class Contrast(NamedTuple):
    """Treatment and outcome as positions; the arms (treated, control) and the outcome event as states."""

    treatment: int
    outcome: int
    arms: tuple[int, int]
    event: tuple[int, ...]


def read_names(scm: SCM, names: Iterable[str]) -> list[int]:
    """The positions of the names; a lone string is one name."""
    return [_position(scm, name) for name in ((names,) if isinstance(names, str) else names)]


def read_event(scm: SCM, event: Event) -> dict[int, tuple[int, ...]]:
    """Position -> the states it is narrowed to, ascending."""
    return {_position(scm, name): _states(scm[name], states) for name, states in event.items()}


def read_setting(scm: SCM, setting: Mapping[str, str | int]) -> dict[int, int]:
    """Position -> the one state it is set to."""
    return {_position(scm, name): _one_state(scm[name], state) for name, state in setting.items()}


def read_contrast(
    scm: SCM, treatment: str, outcome: str, arms: tuple[str, str] | None, event: Collection[str] | str | None
) -> Contrast:
    """The question "what does the treated arm do to the outcome event, against the control arm?"

    Without `arms` they are 1 and 0, which a treatment of more than two states does not have; without `event` it is the
    outcome's states that count as 1.
    """
    x, y = _position(scm, treatment), _position(scm, outcome)
    if x == y:
        raise QueryError(f"treatment and outcome are both {treatment}; expected two variables")
    pair: tuple[str | int, ...] = (1, 0) if arms is None else tuple(arms)
    if len(pair) != 2:
        raise QueryError(f"the arms of {treatment} are {brief(arms)}; expected two states, treated and control")
    treated, control = (_one_state(scm.variables[x], state) for state in pair)
    if treated == control:
        raise QueryError(f"both arms of {treatment} are {scm.variables[x].states[treated]!r}; expected two states")
    return Contrast(x, y, (treated, control), _states(scm.variables[y], 1 if event is None else event))


def _position(scm: SCM, name: object) -> int:
    found = scm.index.get(name) if isinstance(name, str) else None
    if found is None:
        raise QueryError(f"{brief(name)} is no variable of the model ({listing(list(scm.index))})")
    return found


def _states(variable: Variable, states: States) -> tuple[int, ...]:
    if isinstance(states, int):
        if states not in (0, 1):
            raise QueryError(f"{variable.name} = {brief(states)}: expected 0, 1 or the name of a state")
        every = range(len(variable.states))
        return tuple(at for at in every if (at in variable.positive) == bool(states))
    named = (states,) if isinstance(states, str) else tuple(states)
    if not named:
        raise QueryError(f"{variable.name}: an event without states; expected some of {listing(variable.states)}")
    for state in named:
        if state not in variable.states:
            raise QueryError(f"{variable.name} has no state {brief(state)}; expected {listing(variable.states)}")
    return tuple(sorted({variable.states.index(state) for state in named}))


def _one_state(variable: Variable, state: str | int) -> int:
    if not isinstance(state, str | int):
        raise QueryError(f"{variable.name} = {brief(state)}: an arm is one state; expected its name, 0 or 1")
    found = _states(variable, state)
    if len(found) != 1:
        named = listing([variable.states[at] for at in found])
        raise QueryError(f"{variable.name} = {state} means {named}, and a variable is set to one state; name it")
    return found[0]


def shown_event(scm: SCM, event: Mapping[int, Collection[int]]) -> str:
    """{0: (1,), 2: (0, 1)} -> "X=1, Q=low or high"."""
    parts = []
    for at, states in event.items():
        variable = scm.variables[at]
        parts.append(f"{variable.name}={listing([variable.states[state] for state in states], ' or ')}")
    return ", ".join(parts)
