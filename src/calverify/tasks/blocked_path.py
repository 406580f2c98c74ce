"""Find one set that blocks one named path.

This is not separation of the path's endpoints: only the named path is judged, edge by edge as it is written, with the
descendants of its colliders taken in the whole graph.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from calverify.errors import QueryError
from calverify.graphs import Graph, Path, directed_path, path_is_blocked
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT, require_acyclic
from calverify.tasks._set_tasks import SET_RULES, SET_STATES, names_text, unknown_names
from calverify.tasks._task import Case, Reason, task
from calverify.traces import NODE_SET

__all__ = ["blocks_the_path"]


@dataclass(frozen=True, slots=True)
class NamedPath:
    """The path with its interior split: a set blocks it by a non-collider in it, or by a collider it leaves shut."""

    path: Path
    ends: frozenset[str]
    noncolliders: frozenset[str]
    opens: tuple[frozenset[str], ...]  # for each collider, itself and its descendants


def prepare_path(graph: Graph, query: Query) -> NamedPath:
    """The named path, checked edge by edge against the graph."""
    require_acyclic(graph, query.task)
    if query.path is None:
        raise QueryError(f"{query.task} needs the field 'path', such as \"F -> P <- T\"")
    path = Path.parse(query.path)
    for name in path.nodes:
        if name not in graph:
            raise QueryError(f"{query.task}: the path {path} names {name!r}, which is not in the graph")
    if len(set(path.nodes)) != len(path.nodes) or len(path.nodes) < 2:
        raise QueryError(f"{query.task}: the path {path} does not join distinct nodes")
    if foreign := path.first_foreign_step(graph):
        raise QueryError(f"{query.task}: the path {path} has the step {foreign}, which is not an edge of the graph")
    ends = frozenset((path.nodes[0], path.nodes[-1]))
    if query.targets and frozenset(query.targets) != ends:
        raise QueryError(f"{query.task}: the targets {', '.join(query.targets)} are not the ends of the path {path}")
    colliders = path.colliders()
    inner = frozenset(path.nodes[1:-1]) - set(colliders)
    return NamedPath(path, ends, inner, tuple(graph.descendants({name}) for name in colliders))


def minimal_blockers(case: Case) -> Iterator[frozenset[str]]:
    """The empty set when a collider shuts the path by itself, else each non-collider alone."""
    state: NamedPath = case.state
    if state.opens:
        yield frozenset()
    else:
        yield from (frozenset({name}) for name in state.path.nodes[1:-1])


def blocker_between(case: Case, low: frozenset[str], high: frozenset[str]) -> frozenset[str] | None:
    """A blocking set that holds `low` and stays inside `high`, or None."""
    for candidate in (low, *(low | {name} for name in sorted(case.state.noncolliders & high))):
        if case.holds(candidate):
            return candidate
    return None


def explain(given: frozenset[str], case: Case) -> Reason:
    state: NamedPath = case.state
    path = state.path
    if unknown := unknown_names(given, case):
        return unknown
    for name in sorted(given & state.ends):
        return Reason(f"{name} is an end of the path {path}", {"kind": "endpoint", "role": "end", "name": name})
    steps = [list(step) for step in path.steps()]
    witness = {"given": sorted(given), "path": steps}
    blocked = path_is_blocked(case.formal, path, given)
    if blocked:
        name, role = blocked
        how = "is given" if role == "noncollider" else "is a collider, and neither it nor a descendant of it is given"
        return Reason(f"{path} is blocked: {name} {how}", {"kind": "blocked_path", "at": name, "role": role, **witness})
    opened = {name: directed_path(case.formal, {name}, given) or () for name in path.colliders()}
    why = f"{names_text(given)} leaves the path {path} open"
    for collider, chain in opened.items():
        why += f"; the collider {collider} {'is given' if len(chain) == 1 else 'is opened by ' + ' -> '.join(chain)}"
    return Reason(why, {"kind": "active_path", **witness, "opened": {k: list(v) for k, v in opened.items()}})


@task(
    "blocked_path",
    family="object",
    answer=NODE_SET,
    formal=GRAPH_SLOT,
    prepare=prepare_path,
    solve=minimal_blockers,
    cheapest=lambda case: next(minimal_blockers(case), None),
    explain=explain,
    noun=lambda q: ("valid nodeset", f"that can block path {q.path}"),
    between=blocker_between,
    aliases=("blocked_path_nodeset", "block_path", "block_path_nodeset", "path_blocking", "blocking", "blocking_set"),
    rules=SET_RULES,
    rule="block_path",
    states=SET_STATES,
    ordered=False,
)  # fmt: skip
def blocks_the_path(given: frozenset[str], case: Case) -> bool:
    """The set holds no end of the path, and holds a non-collider of it or leaves one of its colliders shut."""
    state: NamedPath = case.state
    if not given <= case.names or given & state.ends:
        return False
    return not state.noncolliders.isdisjoint(given) or any(opens.isdisjoint(given) for opens in state.opens)
