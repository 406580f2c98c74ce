"""A Markovian causal model given by its tables: the graph, and P(variable | its parents) for each variable.

    {"variables": {"U": {"p": 0.3},
                   "X": {"parents": ["U"], "p": [0.2, "2/3"]},
                   "Y": {"parents": ["X", "U"], "p": [[0.1, 0.4], [0.5, 0.9]]}}}

`p` is P(V = 1 | parents): one number for a variable without parents, else lists nested one level for each parent, in
the order of `parents`, indexed by that parent's value; so P(Y=1 | X=1, U=0) is 0.5.  A variable with other states names
them, and which of them count as 1; each innermost entry of `p` is then a row with one probability for each state:

    {"parents": ["U"], "states": ["low", "mid", "high"], "positive": ["high"], "p": [[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]]}
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from calverify.effects._numbers import read_probability
from calverify.effects._tables import Table, take_along
from calverify.effects._variable import BINARY, Variable, check_parents, flattened
from calverify.errors import GraphError, RecordError
from calverify.graphs import Graph
from calverify.names import NameFault, brief, clean_name, listing, number_json

__all__ = ["SCM"]

FIELDS = ("parents", "states", "positive", "p")


@dataclass(frozen=True, eq=False)
class SCM:
    """A causal model over a dag, exact; immutable.

    Refused when it is built, naming the variable: an unknown or repeated parent, a variable that is its own parent, a
    directed cycle, and a table that does not fit its parents.
    """

    variables: tuple[Variable, ...]
    memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)  # answers given before
    _tables: dict[int, Table] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.variables, tuple):
            object.__setattr__(self, "variables", tuple(self.variables))
        by_name = self.index
        if len(by_name) != len(self.variables):
            raise RecordError("a model names one variable twice")
        for variable in self.variables:
            for parent, count in zip(variable.parents, variable.shape, strict=True):
                if parent not in by_name:
                    raise _unknown_parent(variable.name, parent, by_name)
                if len(self.variables[by_name[parent]].states) != count:
                    raise RecordError(f"variable {variable.name}: its table gives its parent {parent} {count} states")
        if not self.graph.acyclic:
            cycle = " -> ".join(self.graph.some_cycle())
            raise GraphError(f"a model's parents must not form a directed cycle, and here they do: {cycle}")

    @cached_property
    def index(self) -> dict[str, int]:
        """Where each variable stands."""
        return {variable.name: at for at, variable in enumerate(self.variables)}

    @cached_property
    def graph(self) -> Graph:
        """The dag: an arrow from each parent."""
        edges = [(parent, variable.name) for variable in self.variables for parent in variable.parents]
        return Graph([variable.name for variable in self.variables], edges)

    @cached_property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """Each variable's parents as positions, in the order of its table."""
        index = self.index
        return tuple(tuple(index[parent] for parent in variable.parents) for variable in self.variables)

    def own_table(self, at: int) -> Table:
        """The whole table of one variable, for the engine."""
        if at not in self._tables:
            every = [range(len(variable.states)) for variable in self.variables]
            self._tables[at] = self.table(at, (at, *self.parents[at]), every)
        return self._tables[at]

    def table(self, at: int, axes: Sequence[int], states: Sequence[Sequence[int]]) -> Table:
        """One variable's table along these axes (its own, then one for each parent), narrowed to states[axis].

        An axis of one state leaves the scope.
        """
        variable = self.variables[at]
        placed, stride = [(axes[0], 1)], len(variable.states)
        for axis, count in zip(reversed(axes[1:]), reversed(variable.shape), strict=True):
            placed.append((axis, stride))
            stride *= count
        placed.sort()
        weights = variable.weights
        indices = take_along((step, states[axis]) for axis, step in placed)
        scope = tuple([axis for axis, _ in placed if len(states[axis]) != 1])
        return Table(scope, [weights[index] for index in indices])

    @property
    def binary(self) -> bool:
        """Is every variable an ordinary 0/1 variable?"""
        return all(variable.binary for variable in self.variables)

    def __eq__(self, other: object) -> bool:
        """The same variables with the same tables, parents in the same order; the variables' own order is free."""
        if not isinstance(other, SCM):
            return NotImplemented
        return frozenset(self.variables) == frozenset(other.variables)

    def __hash__(self) -> int:
        return hash(frozenset(self.variables))

    def __repr__(self) -> str:
        return f"<SCM {listing([variable.name for variable in self.variables])}>"

    def __getitem__(self, name: str) -> Variable:
        return self.variables[self.index[name]]

    def __contains__(self, name: object) -> bool:
        return name in self.index

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "SCM":
        """The model of a record {"variables": {name: {"parents", "p"}}}; the module's docstring has the shape."""
        if not isinstance(record, Mapping) or set(record) != {"variables"}:
            raise RecordError(f"a model record must be an object with the one field 'variables', not {brief(record)}")
        entries = record["variables"]
        if not isinstance(entries, Mapping):
            raise RecordError(f"'variables' must be an object from names to tables, not {brief(entries)}")
        named = {}
        for spelling, entry in entries.items():
            name = _name(spelling, "a model's variables")
            if name in named:
                raise RecordError(f"variable {name} is listed twice")
            named[name] = _fields(name, entry)
        states = {name: _states(name, entry) for name, entry in named.items()}
        return cls(tuple(_variable(name, entry, states) for name, entry in named.items()))

    def to_json(self) -> dict[str, Any]:
        """The record that `from_json` reads back to an equal model."""
        return {"variables": {variable.name: _entry(variable) for variable in self.variables}}


def _unknown_parent(name: str, parent: str, known: Iterable[str]) -> RecordError:
    return RecordError(f"variable {name}: its parent {parent} is no variable of the model ({listing(list(known))})")


def _name(value: object, where: str) -> str:
    try:
        return clean_name(value)
    except NameFault as fault:
        raise RecordError(f"{where}: {fault}") from None


def _fields(name: str, entry: object) -> Mapping[str, Any]:
    if not isinstance(entry, Mapping):
        raise RecordError(f"variable {name}: {brief(entry)}; expected an object with 'parents' and 'p'")
    extra = sorted(map(str, entry.keys() - set(FIELDS)))
    if extra:
        raise RecordError(f"variable {name}: unknown field {brief(extra[0])}; its fields are {', '.join(FIELDS)}")
    if "p" not in entry:
        raise RecordError(f"variable {name}: no field 'p'; expected its table of probabilities")
    if ("states" in entry) != ("positive" in entry):
        raise RecordError(f"variable {name}: 'states' and 'positive' (the states that count as 1) come together")
    return entry


def _names(name: str, entry: Mapping[str, Any], part: str) -> tuple[str, ...]:
    value = entry.get(part, [])
    if not isinstance(value, list | tuple):
        raise RecordError(f"variable {name}: {part!r} must be a list of names, not {brief(value)}")
    return tuple(_name(item, f"variable {name}, {part}") for item in value)


def _states(name: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    return _names(name, entry, "states") if "states" in entry else BINARY


def _variable(name: str, entry: Mapping[str, Any], states: Mapping[str, tuple[str, ...]]) -> Variable:
    axes, own, where = [], states[name], f"variable {name}: the probability"
    parents = _names(name, entry, "parents")
    check_parents(name, parents)
    for parent in parents:
        if parent not in states:
            raise _unknown_parent(name, parent, states)
        axes.append((parent, len(states[parent])))
    if "states" not in entry:
        ones = [read_probability(leaf, where) for leaf in flattened(name, entry["p"], axes)]
        return Variable.of_rows(name, axes, own, {1}, [(1 - one, one) for one in ones])
    positive = _names(name, entry, "positive")
    if len(own) < 2:
        raise RecordError(f"variable {name}: {len(own)} states; expected at least two")
    for state in positive:
        if state not in own:
            raise RecordError(f"variable {name}: {state!r} counts as 1 but is not among its states ({listing(own)})")
    leaves = [read_probability(leaf, where) for leaf in flattened(name, entry["p"], [*axes, (name, len(own))])]
    rows = [leaves[at : at + len(own)] for at in range(0, len(leaves), len(own))]
    return Variable.of_rows(name, axes, own, {own.index(state) for state in positive}, rows)


def _entry(variable: Variable) -> dict[str, Any]:
    """One variable as `from_json` reads it."""
    entry: dict[str, Any] = {"parents": list(variable.parents)}
    if variable.binary:
        level: list[Any] = [number_json(row[1]) for row in variable.rows]
    else:
        entry["states"] = list(variable.states)
        entry["positive"] = [variable.states[at] for at in sorted(variable.positive)]
        level = [[number_json(number) for number in row] for row in variable.rows]
    for count in reversed(variable.shape):
        level = [level[at : at + count] for at in range(0, len(level), count)]
    return {**entry, "p": level[0]}
