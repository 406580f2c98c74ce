"""What a task is: one predicate with everything the checker has to know about it, registered under its name.

Adding a task is adding a file to this shelf: a decorated predicate, a `solve`, an `explain`, a question.  The decorator
returns the predicate untouched, so a test calls it directly.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from calverify.errors import GraphError, QueryError, UnknownTaskError
from calverify.graphs import Graph
from calverify.names import brief, those_there_are
from calverify.problem import Problem, Query
from calverify.registry import Shelf
from calverify.traces import AnswerType

__all__ = [
    "TASKS",
    "Case",
    "Explain",
    "Formal",
    "Predicate",
    "Reason",
    "Task",
    "accept_name",
    "distinct_targets",
    "find_task",
    "task",
]


MOST_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an object is valid or not: one sentence, and data that a reader can check by hand."""

    why: str
    witness: Mapping[str, Any] | None = None


class Formal(Protocol):
    """The formal object a trace states in its first slot: a graph, or what each speaker says."""

    noun: str

    def supplied(self, problem: Problem) -> Any | None:
        """The object that the problem supplies, or None in constructed mode."""

    def names(self, formal: Any) -> frozenset[str]:
        """The names that objects may be made of."""

    def mismatch(self, value: Any, formal: Any) -> str | None:
        """Why a slot's value is not the supplied object; None when it is."""

    def construct(self, value: Any, problem: Problem) -> Any:
        """The object a slot states, checked against the problem's legend and class; raises `CalverifyError`."""

    def show(self, formal: Any) -> Any:
        """The slot that states this object."""

    def schema(self, formal: Any | None) -> str:
        """The JSON shape of that slot, for a prompt."""

    def given(self, formal: Any | None, problem: Problem) -> str:
        """What a prompt says is given: "a directed graph and a question about ..."."""

    def facts(self, formal: Any) -> list[str]:
        """The lines of a prompt that state this object."""


@dataclass(slots=True)
class Case:
    """One query on one formal object, compiled once and asked about many answers."""

    task: "Task"
    query: Query
    formal: Any
    names: frozenset[str]
    state: Any
    _known: dict[Any, bool] = field(default_factory=dict)

    def holds(self, answer: Any) -> bool:
        """Does the answer satisfy the predicate?  Asked once per distinct answer, as far as memory is kept."""
        known = self._known.get(answer)
        if known is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            known = self._known[answer] = self.task.predicate(answer, self)
        return known


Predicate = Callable[[Any, Case], bool]
Explain = Callable[[Any, Case], Reason]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A registered task.

    `family` is "object" (the answer is the object itself) or "decision" (yes or no, with a witness in the strategy).
    `aliases` are other spellings of the name, `rules` the names a derivation step may use, `states` the strategy keys
    under which an object or witness may stand, `ordered` whether the targets bind in order.  The witness of a decision
    shows the word `shown_word`; the other word is judged by itself.

    Object tasks that are asked in other forms than "find one" (see `_forms`) say what their objects are called
    (`noun`: head and rest, "cycle" and "in this graph"), and how to list them all (`every`), count them (`how_many`,
    where that is not their number) and find one between two sets (`between`).  `undirected` tasks can be asked of
    undirected graphs, and `sets` tasks about sets of targets.
    """

    name: str
    family: str
    answer: AnswerType
    formal: Formal
    predicate: Predicate
    prepare: Callable[[Any, Query], Any]
    solve: Callable[[Case], Iterator[Any]]
    cheapest: Callable[[Case], Any | None]
    explain: Explain
    question: Callable[[Query], str]
    rules: frozenset[str]
    states: tuple[str, ...]
    rule: str
    aliases: frozenset[str] = frozenset()
    ordered: bool = True
    witness: AnswerType | None = None
    witness_needed: bool = True
    shown_word: str = "yes"
    witness_fault: Callable[[Any, Case], str | None] | None = None
    witness_for: Callable[[Any, Case], Any | None] | None = None
    result_for: Callable[[Any, Case], Any] | None = None
    undirected: bool = False
    sets: bool = False
    noun: Callable[[Query], tuple[str, str]] | None = None
    every: Callable[[Case], Iterator[Any]] | None = None
    how_many: Callable[[Case], int] | None = None
    between: Callable[[Case, frozenset[str], frozenset[str]], Any | None] | None = None
    all_at_once: AnswerType | None = None

    def case(self, formal: Any, query: Query) -> Case:
        """The query compiled on a formal object; raises `QueryError` when it does not fit."""
        if isinstance(formal, Graph) and formal.kind == "undirected" and not self.undirected:
            raise GraphError(f"{self.name} needs directions, and an undirected graph has none")
        for target in query.targets:
            if type(target) is tuple and not self.sets:
                raise QueryError(f"{self.name} is asked about single names, not about the set {{{', '.join(target)}}}")
        return Case(self, query, formal, self.formal.names(formal), self.prepare(formal, query))


TASKS: Shelf[Task] = Shelf("task")


@lru_cache(maxsize=4096)
def accept_name(name: str) -> str:
    """How names of tasks and rules are compared: "D-Separation nodeset" -> d_separation_nodeset."""
    return "_".join(name.lower().replace("-", " ").replace("_", " ").split())


def task(name: str, **parts: Any) -> Callable[[Predicate], Predicate]:
    """Register the decorated predicate as the task `name`."""

    def put(predicate: Predicate) -> Predicate:
        noun = parts.get("noun")
        if noun is not None:
            parts.setdefault("question", lambda query: f"Find one {' '.join(noun(query)).strip()}.")
        parts["aliases"] = frozenset(map(accept_name, {name, *parts.get("aliases", ())}))
        parts["rules"] = frozenset(map(accept_name, {name, *parts["rules"]}))
        TASKS.put(name, Task(name=name, predicate=predicate, **parts))
        return predicate

    return put


def find_task(name: str) -> Task:
    """The task registered under a name or one of its aliases."""
    if name in TASKS:
        return TASKS[name]
    spelled = accept_name(name)
    found = [entry for entry in TASKS.values() if spelled in entry.aliases]
    if not found:
        raise UnknownTaskError(f"no task {brief(name)} is registered; {those_there_are(spelled, sorted(TASKS))}")
    return found[0]


def distinct_targets(query: Query, names: Collection[str], roles: Sequence[str]) -> tuple[str, ...]:
    """The query's targets, one per role, distinct and known; refused otherwise."""
    if len(query.targets) != len(roles):
        wanted = f"{len(roles)} targets ({', '.join(roles)})" if roles else "no targets"
        raise QueryError(f"{query.task} takes {wanted}, not {', '.join(query.targets) or 'none'}")
    for role, name in zip(roles, query.targets, strict=True):
        if name not in names:
            raise QueryError(f"{query.task}: {role} {name!r} is not in the graph ({', '.join(sorted(names))})")
    if len(set(query.targets)) != len(query.targets):
        raise QueryError(f"{query.task}: {' and '.join(roles)} must be different nodes, not {', '.join(query.targets)}")
    return query.targets
