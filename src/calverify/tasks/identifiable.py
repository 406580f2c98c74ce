"""Can the effect of the treatment on the outcome be identified?  Nothing is accepted until the ID algorithm is here."""

from collections.abc import Iterator

from calverify.graphs import Graph
from calverify.problem import Query
from calverify.tasks._graph_slot import GRAPH_SLOT, require_acyclic
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.traces import YES_NO

__all__ = ["is_identifiable"]


def prepare_effect(graph: Graph, query: Query) -> None:
    require_acyclic(graph, query.task)
    distinct_targets(query, graph.node_set, ("treatment", "outcome"))


def nothing(case: Case) -> Iterator[str]:
    return iter(())


@task(
    "identifiable",
    family="decision",
    answer=YES_NO,
    formal=GRAPH_SLOT,
    prepare=prepare_effect,
    solve=nothing,
    cheapest=lambda case: None,
    explain=lambda answer, case: Reason("identification is not decided by this version, so no answer is accepted"),
    question=lambda q: "Can the causal effect of treatment {} on outcome {} be identified? Answer yes or no.".format(
        *q.targets
    ),
    aliases=("identifiability",),
    rules=("id_algorithm", "hedge", "do_calculus", "backdoor", "frontdoor", "c_component", "district"),
    rule="id_algorithm",
    states=(),
    witness_needed=False,
)
def is_identifiable(answer: str, case: Case) -> bool:
    """Fails closed: neither word is accepted."""
    return False
