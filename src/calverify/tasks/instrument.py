"""Find one instrument for the effect of X on Y, given a condition (Brito and Pearl 2002; van der Zander et al. 2015).

The condition holds no node on or below a causal path; given it, the instrument is connected to X, and separated from Y
once the causal paths are cut at their first edge.  In linear models the ratio of its two partial covariances is then
the effect.  Cutting every arrow out of X instead would accept a child of X that the effect does not run through.
"""

from calverify.errors import QueryError
from calverify.graphs import Graph, active_path, separated
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT, require_acyclic
from calverify.tasks._set_tasks import separation_reason
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.tasks.adjustment import causal_nodes
from calverify.traces import NODE

__all__ = ["is_an_instrument"]


def prepare_instrument(graph: Graph, query: Query) -> Graph:
    """The graph without the first edge of every causal path."""
    require_acyclic(graph, query.task)
    treatment, outcome = distinct_targets(query, graph.node_set, ("treatment", "outcome"))
    causal = causal_nodes(graph, treatment, outcome)
    illegal = sorted(({treatment, outcome} | graph.descendants(causal | {outcome})) & set(query.given))
    if illegal:
        raise QueryError(f"{query.task}: the condition holds {illegal[0]}, which it must not")
    kept = [edge for edge in graph.directed if not (edge[0] == treatment and edge[1] in causal)]
    return Graph(graph.nodes, kept, graph.bidirected)


def relevance_and_exclusion(name: str, case: Case) -> tuple[bool, bool]:
    treatment, outcome = case.query.targets
    given = case.query.given
    relevant = not separated(case.formal, {name}, {treatment}, given)
    return relevant, separated(case.state, {name}, {outcome}, given)


def explain(name: str, case: Case) -> Reason:
    treatment, outcome = case.query.targets
    given = frozenset(case.query.given)
    if name not in case.names:
        return Reason(f"{name} is not a node of the graph", {"kind": "unknown", "names": [name]})
    if name in (treatment, outcome) or name in given:
        role = "condition" if name in given else "end"
        return Reason(f"{name} is part of the question itself", {"kind": "endpoint", "role": role, "name": name})
    relevant, excluded = relevance_and_exclusion(name, case)
    if not relevant:
        return separation_reason(case.formal, name, treatment, given)
    where = f" once the causal paths from {treatment} are cut"
    if not excluded:
        return separation_reason(case.state, name, outcome, given, where)
    path = active_path(case.formal, {name}, {treatment}, given)
    moved = separation_reason(case.formal, name, treatment, given)
    reason = separation_reason(case.state, name, outcome, given, where)
    witness = {"kind": "instrument", "relevant": moved.witness, "excluded": reason.witness}
    return Reason(f"{name} moves {treatment} ({path}) and reaches {outcome} only through it", witness)


@task(
    "instrument",
    family="object",
    answer=NODE,
    formal=GRAPH_SLOT,
    prepare=prepare_instrument,
    solve=lambda case: (name for name in case.formal.nodes if case.holds(name)),
    every=lambda case: (name for name in case.formal.nodes if case.holds(name)),
    cheapest=lambda case: next((name for name in case.formal.nodes if case.holds(name)), None),
    explain=explain,
    noun=lambda q: ("valid instrument", "for the effect of {} on {}".format(*q.targets)
                    + (f" given {', '.join(q.given)}" if q.given else "")),
    aliases=("instrumental_variable", "iv", "conditional_instrument", "instruments"),
    rules=("instrument", "instrumental_variable", "relevance", "exclusion", "exclusion_restriction", "d_separation",
           "m_separation", "independence"),
    rule="instrument",
    states=("instrument", "node", "variable"),
)  # fmt: skip
def is_an_instrument(name: str, case: Case) -> bool:
    """Connected to the treatment, and separated from the outcome once the causal paths are cut."""
    if name not in case.names or name in case.query.targets or name in case.query.given:
        return False
    return relevance_and_exclusion(name, case) == (True, True)
