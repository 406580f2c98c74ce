"""Find one front-door adjustment set (Pearl 2009, Definition 3.3.3), each member judged separately, as CLEAR does.

Z meets every directed path from X to Y; no backdoor path joins X to a member; and every backdoor path from a member
to Y is blocked by X, for each member in the graph without arrows out of that member alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from calverify.graphs import Graph, Separation, directed_path, walk_states
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT, require_acyclic
from calverify.tasks._set_tasks import SET_RULES, SET_STATES, endpoint_in, names_text, separation_reason, unknown_names
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.traces import NODE_SET

__all__ = ["is_a_front_door"]


@dataclass(frozen=True, slots=True)
class FrontDoor:
    """Which nodes may be members, each judged when it is asked for; valid sets of them meet every directed path.

    `joined` are the nodes that a backdoor path joins to the treatment.
    """

    graph: Graph
    treatment: str
    outcome: str
    joined: frozenset[str]
    _known: dict[str, bool] = field(default_factory=dict)

    def admits(self, name: str) -> bool:
        """Are both backdoor clauses true of this member?"""
        if name not in self._known:
            self._known[name] = not self.objection(name)
        return self._known[name]

    def objection(self, name: str) -> str:
        """Which clause a member breaks: "end", "treatment", "outcome", or ""."""
        if name in (self.treatment, self.outcome) or name not in self.graph:
            return "end"
        if name in self.joined:
            return "treatment"
        apart = Separation(self.graph, {name}, {self.outcome}, cut={name}).admits(frozenset({self.treatment}))
        return "" if apart else "outcome"

    def open_route(self, members: frozenset[str]) -> tuple[str, ...] | None:
        """A directed path from treatment to outcome that no member stands on."""
        return directed_path(self.graph, {self.treatment}, {self.outcome}, self.graph.node_set - members)


def prepare_front_door(graph: Graph, query: Query) -> FrontDoor:
    require_acyclic(graph, query.task)
    treatment, outcome = distinct_targets(query, graph.node_set, ("treatment", "outcome"))
    joined = frozenset(name for name, _ in walk_states(graph.without_edges_out_of({treatment}), {treatment}))
    return FrontDoor(graph, treatment, outcome, joined)


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
            if larger not in seen and state.admits(name):
                seen.add(larger)
                queue.append(larger)


def front_door_between(case: Case, low: frozenset[str], high: frozenset[str]) -> frozenset[str] | None:
    """A valid set that holds `low` and stays inside `high`, or None: more members never do harm."""
    candidate = frozenset(filter(case.state.admits, high))
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
    if itself := endpoint_in(members, state.treatment, state.outcome):
        return itself
    for name in sorted(members):
        if not state.admits(name):
            return _into(state, name) if state.objection(name) == "treatment" else _out_of(state, name)
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
    return all(map(state.admits, members)) and state.open_route(members) is None
