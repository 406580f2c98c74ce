"""Find one front-door adjustment set (Pearl 2009, Definition 3.3.3), each member judged separately, as CLEAR does.

Z meets every directed path from X to Y; no backdoor path joins X to a member; and every backdoor path from a member
to Y is blocked by X, for each member in the graph without arrows out of that member alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from calverify.graphs import Graph, directed_path, separated
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT, require_acyclic
from calverify.tasks._set_tasks import SET_RULES, SET_STATES, names_text, separation_reason, unknown_names
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.traces import NODE_SET

__all__ = ["is_a_front_door"]


@dataclass(frozen=True, slots=True)
class FrontDoor:
    """The nodes that may be members; which sets of them are valid is then a matter of meeting every directed path."""

    graph: Graph
    treatment: str
    outcome: str
    eligible: frozenset[str]

    def open_route(self, members: frozenset[str]) -> tuple[str, ...] | None:
        """A directed path from treatment to outcome that no member stands on."""
        return directed_path(self.graph, {self.treatment}, {self.outcome}, self.graph.node_set - members)


def prepare_front_door(graph: Graph, query: Query) -> FrontDoor:
    require_acyclic(graph, query.task)
    treatment, outcome = distinct_targets(query, graph.node_set, ("treatment", "outcome"))
    others = graph.node_set - {treatment, outcome}
    eligible = frozenset(name for name in others if not _objection(graph, treatment, outcome, name))
    return FrontDoor(graph, treatment, outcome, eligible)


def _objection(graph: Graph, treatment: str, outcome: str, member: str) -> str:
    """Which of the two backdoor clauses a member breaks: "treatment", "outcome", or ""."""
    if not separated(graph.without_edges_out_of({treatment}), {treatment}, {member}):
        return "treatment"
    return "" if separated(graph.without_edges_out_of({member}), {member}, {outcome}, {treatment}) else "outcome"


def minimal_front_doors(case: Case) -> Iterator[frozenset[str]]:
    """Every inclusion-minimal set, smallest first: add to a set one eligible node of a path it misses."""
    state: FrontDoor = case.state
    queue: list[frozenset[str]] = [frozenset()]
    seen = set(queue)
    for members in queue:  # grows while we walk it
        route = state.open_route(members)
        if route is None:
            if all(state.open_route(members - {name}) for name in members):
                yield members
            continue
        for name in route:
            larger = members | {name}
            if name in state.eligible and larger not in seen:
                seen.add(larger)
                queue.append(larger)


def front_door_between(case: Case, low: frozenset[str], high: frozenset[str]) -> frozenset[str] | None:
    """A valid set that holds `low` and stays inside `high`, or None: more members never do harm."""
    candidate = high & case.state.eligible
    return candidate if low <= candidate and case.holds(candidate) else None


def _into(state: FrontDoor, member: str) -> Reason:
    """Proof that no backdoor path joins the treatment to a member, or that one does."""
    graph, where = state.graph.without_edges_out_of({state.treatment}), f" once arrows out of {state.treatment} are cut"
    return separation_reason(graph, state.treatment, member, frozenset(), where)


def _out_of(state: FrontDoor, member: str) -> Reason:
    """Proof that the treatment blocks every backdoor path from a member to the outcome, or that it does not."""
    graph, where = state.graph.without_edges_out_of({member}), f" once arrows out of {member} are cut"
    return separation_reason(graph, member, state.outcome, frozenset({state.treatment}), where)


def explain(members: frozenset[str], case: Case) -> Reason:
    state: FrontDoor = case.state
    if unknown := unknown_names(members, case):
        return unknown
    for role, name in (("treatment", state.treatment), ("outcome", state.outcome)):
        if name in members:
            return Reason(f"{name} is the {role} itself", {"kind": "endpoint", "role": role, "name": name})
    for name in sorted(members - state.eligible):
        clause = _objection(state.graph, state.treatment, state.outcome, name)
        return _into(state, name) if clause == "treatment" else _out_of(state, name)
    route = state.open_route(members)
    if route is not None:
        why = f"{names_text(members)} misses the directed path {' -> '.join(route)}"
        return Reason(why, {"kind": "directed_walk", "walk": list(route), "cut": None})
    why = f"{names_text(members)} meets every directed path from {state.treatment} to {state.outcome}"
    witness = {
        "kind": "front_door",
        "set": sorted(members),
        "treatment": state.treatment,
        "outcome": state.outcome,
        "into": [_into(state, name).witness for name in sorted(members)],
        "out_of": [_out_of(state, name).witness for name in sorted(members)],
    }
    return Reason(f"{why}, and no backdoor path to or from a member is open", witness)


@task(
    "frontdoor",
    family="object",
    answer=NODE_SET,
    formal=GRAPH_SLOT,
    prepare=prepare_front_door,
    solve=minimal_front_doors,
    cheapest=lambda case: next(minimal_front_doors(case), None),
    between=front_door_between,
    explain=explain,
    noun=lambda q: ("valid frontdoor adjustment set", "for treatment {} and outcome {}".format(*q.targets)),
    aliases=("frontdoor_adjustment_set", "front door", "front door adjustment", "front door adjustment set",
             "frontdoor_adjustment", "frontdoor_criterion"),
    rules=(*SET_RULES, "frontdoor", "frontdoor_criterion", "front_door", "front_door_criterion", "mediators"),
    rule="frontdoor_criterion",
    states=SET_STATES,
)  # fmt: skip
def is_a_front_door(members: frozenset[str], case: Case) -> bool:
    """Every member is eligible, and no directed path from treatment to outcome misses them all."""
    state: FrontDoor = case.state
    return members <= state.eligible and state.open_route(members) is None
