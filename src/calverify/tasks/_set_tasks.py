"""What the tasks about separating sets share: strategy keys, rule names, and the proof of a separation verdict."""

from collections.abc import Iterator
from typing import Any

from calverify.graphs import (
    Graph,
    Separation,
    active_path,
    minimal_separators,
    minimum_separator,
    opened_colliders,
    walk_states,
)
from calverify.names import listing
from calverify.tasks._task import Case, Reason

__all__ = [
    "SET_RULES",
    "SET_STATES",
    "endpoint_in",
    "minimal_sets",
    "names_text",
    "separation_reason",
    "separator_between",
    "smallest_set",
    "unknown_names",
]

SET_STATES = ("set", "adjustment_set", "conditioning_set", "separating_set", "nodeset", "nodes", "Z", "z")
SET_RULES = (
    "node_insertion", "block_path", "block_paths", "blocking", "path_blocking", "block_backdoor_path",
    "block_backdoor_paths", "backdoor", "backdoor_criterion", "backdoor_adjustment", "adjustment", "adjust",
    "adjustment_formula", "adjustment_set", "condition", "condition_on", "conditioning", "d_separation", "m_separation",
    "dsep", "separate", "separation", "separator", "collider", "avoid_collider", "chain", "fork", "parents",
    "parents_of_treatment", "rule1", "rule2", "rule3", "rule_1", "rule_2", "rule_3", "do_calculus", "ancestral_graph",
    "moralize", "moralization", "bayes_ball", "minimal_set", "set", "select_set",
)  # fmt: skip


def names_text(names: Any) -> str:
    """{U, P} in order, as a sentence shows it; the empty set is "{}"."""
    return "{" + listing(sorted(names)) + "}"


def unknown_names(names: frozenset[str], case: Case) -> Reason | None:
    """The reason that a set names what is not in the graph, or None."""
    foreign = sorted(names - case.names)
    if not foreign:
        return None
    verb = "is not a node" if len(foreign) == 1 else "are not nodes"
    return Reason(f"{listing(foreign)} {verb} of the graph", {"kind": "unknown", "names": foreign})


def endpoint_in(names: frozenset[str], treatment: str, outcome: str) -> Reason | None:
    """The reason that a set holds the treatment or the outcome itself, or None."""
    for role, name in (("treatment", treatment), ("outcome", outcome)):
        if name in names:
            return Reason(f"{name} is the {role} itself", {"kind": "endpoint", "role": role, "name": name})
    return None


def separation_reason(graph: Graph, x: str, y: str, given: frozenset[str], where: str = "") -> Reason:
    """Proof that `given` separates x and y in `graph` or not; `where` says which graph that is."""
    path = active_path(graph, {x}, {y}, given)
    if path is None:
        states = [list(state) for state in walk_states(graph, {x}, given)]
        witness = {"kind": "separated", "from": x, "to": y, "given": sorted(given), "states": states}
        return Reason(f"{names_text(given)} blocks every path between {x} and {y}{where}", witness)
    opened = opened_colliders(graph, path, given)
    why = f"{names_text(given)} leaves the path {path} open{where}"
    for collider, chain in opened.items():
        by = "is given" if len(chain) == 1 else f"is opened by {' -> '.join(chain)}"
        why += f"; the collider {collider} {by}"
    steps = [list(step) for step in path.steps()]
    descents = {collider: list(chain) for collider, chain in opened.items()}
    return Reason(why, {"kind": "active_path", "given": sorted(given), "path": steps, "opened": descents})


def minimal_sets(case: Case) -> Iterator[frozenset[str]]:
    """Every inclusion-minimal set for a case whose state is a `Separation` of its two targets."""
    state: Separation = case.state
    x, y = case.query.targets
    return minimal_separators(state.graph, x, y, case.names - state.forbidden)


def separator_between(case: Case, low: frozenset[str], high: frozenset[str]) -> frozenset[str] | None:
    """A valid set that holds `low` and stays inside `high`, or None.

    If there is one, then all of `high` among the ancestors of the targets and of `low` is one (van der Zander,
    Liskiewicz, Textor 2019).
    """
    state: Separation = case.state
    if low & state.forbidden:
        return None
    candidate = (high - state.forbidden) & state.graph.ancestors({*case.query.targets, *low})
    return candidate if case.holds(candidate) else None


def smallest_set(case: Case) -> frozenset[str] | None:
    """A set of least size, in polynomial time."""
    state: Separation = case.state
    x, y = case.query.targets
    return minimum_separator(state.graph, x, y, case.names - state.forbidden)
