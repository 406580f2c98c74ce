"""What would have been, where nothing is left to chance: Y, had X been set, among those with what is seen.

Every table but those of roots holds only 0 and 1.  `formula` gives the states, 1 where it says nothing: that X is set
to, that Y is asked about, and those of the condition, which is seen before X is set.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from calverify.errors import BudgetError, QueryError
from calverify.graphs import topological_order
from calverify.problem import Query
from calverify.tasks._quantities import seen_event
from calverify.tasks._task import Case, Reason, task
from calverify.tasks.ate import ModelSlot
from calverify.traces import YES_NO

if TYPE_CHECKING:
    from calverify.effects import SCM

__all__ = ["would_have_been"]

RULES = (
    "counterfactual", "abduction", "action", "prediction", "abduction_action_prediction", "propagate",
    "substitution", "structural_equations", "direct", "do", "intervene",
)  # fmt: skip
MOST_WORLDS = 1 << 12
World = dict[str, int]


@dataclass(frozen=True, slots=True)
class Question:
    """The worlds in which the condition is seen, each as it is and as it would have been; and what is asked."""

    worlds: tuple[tuple[World, World], ...]
    cause: tuple[str, int]
    outcome: tuple[str, int]

    @property
    def truth(self) -> str:
        name, state = self.outcome
        return "yes" if self.worlds[0][1][name] == state else "no"


def prepare_question(scm: "SCM", query: Query) -> Question:
    """Refused where chance is left, where the condition never occurs, and where it does not settle the outcome."""
    event = seen_event(scm, query, ("cause", "outcome"))
    cause, outcome = query.targets
    seen = {name: event[name] for name in query.given}
    worlds = []
    for roots in _root_states(scm):
        factual = _world(scm, roots, {})
        if all(factual[name] == state for name, state in seen.items()):
            worlds.append((factual, _world(scm, roots, {cause: event[cause]})))
    if not worlds:
        raise QueryError(f"{query.task}: the condition {_shown(seen)} never occurs")
    if len({after[outcome] for _, after in worlds}) > 1:
        raise QueryError(f"{query.task}: what is seen ({_shown(seen) or 'nothing'}) does not settle {outcome}")
    return Question(tuple(worlds), (cause, event[cause]), (outcome, event[outcome]))


def _shown(states: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={state}" for name, state in states.items())


def _root_states(scm: "SCM") -> Iterator[World]:
    """Every assignment to the roots that can occur."""
    roots = [variable for variable in scm.variables if not variable.parents]
    if 1 << len(roots) > MOST_WORLDS:
        raise BudgetError(f"{len(roots)} roots have over {MOST_WORLDS:,} states together")
    can = [[state for state in (0, 1) if variable.rows[0][state]] for variable in roots]
    for states in product(*can):
        yield {variable.name: state for variable, state in zip(roots, states, strict=True)}


def _world(scm: "SCM", roots: World, done: World) -> World:
    """Every variable, from the roots on; a variable that is set keeps the state it is set to."""
    world: World = {}
    for name in topological_order(scm.graph) or ():
        variable = scm[name]
        if not variable.binary:
            raise QueryError(f"counterfactual: {name} is not binary: {', '.join(variable.states)}")
        if name in done or name in roots:
            world[name] = done.get(name, roots.get(name, 0))
            continue
        row = 0
        for parent in variable.parents:
            row = 2 * row + world[parent]
        one = variable.rows[row][1]
        if one.denominator != 1:
            raise QueryError(f"counterfactual: the table of {name} leaves it to chance: {one}; expected only 0 and 1")
        world[name] = int(one)
    return world


def truth(case: Case) -> str:
    state: Question = case.state
    return state.truth


def only_truth(case: Case) -> Iterator[str]:
    yield truth(case)


def explain(answer: str, case: Case) -> Reason:
    state: Question = case.state
    factual, after = state.worlds[0]
    name, cause = state.outcome[0], f"{state.cause[0]} been {state.cause[1]}"
    witness: dict[str, Any] = {"kind": "worlds", "seen": factual, "had_it_been": after}
    return Reason(f"had {cause}, {name} would be {after[name]}, in every world with what is seen", witness)


def question(query: Query) -> str:
    stated = dict(query.formula)
    cause, outcome, *seen = (f"{name} = {stated.get(name, '1')}" for name in (*query.targets, *query.given))
    given = f" Given that {', '.join(seen)}, would" if seen else " Would"
    return f"{given} it be that {outcome}, had it been that {cause}? Answer yes or no.".strip()


@task(
    "counterfactual",
    family="decision",
    answer=YES_NO,
    formal=ModelSlot(),
    prepare=prepare_question,
    solve=only_truth,
    cheapest=truth,
    explain=explain,
    question=question,
    aliases=("det_counterfactual", "deterministic_counterfactual", "would_have_been"),
    rules=RULES,
    rule="abduction_action_prediction",
    states=(),
    witness_needed=False,
)
def would_have_been(answer: str, case: Case) -> bool:
    """The answer says whether the outcome would have the state asked about, had the cause been set to its state."""
    return answer == truth(case)
