"""How much of the source graph a trace's own graph holds, where the graph was told in a text.

Rule 1: edges are compared as typed edges; isolated nodes do not matter.
Rule 2: what a choice needs is less than the graph.  A backdoor claim needs the query-local signature, and any answer
needs that its verdict on the trace's own graph is its verdict on the source graph.
"""

from dataclasses import dataclass
from fractions import Fraction

from calverify.evaluation._theory import signatures_agree
from calverify.graphs import Graph, edge_f1
from calverify.problem import Query
from calverify.scoring import Verdict

__all__ = ["Recovery", "recovery_of"]

SETS = ("find_one", "minimal", "minimum", "maximal")  # forms whose answer is the set itself


@dataclass(frozen=True, slots=True)
class Recovery:
    """One trace's own graph beside the source graph.

    `signature` tells whether both say the same about the returned adjustment set (None where the answer is none), and
    `carries` whether the answer's verdict on the own graph is the one on the source graph (None where undetermined).
    """

    edge_f1: Fraction
    exact: bool
    signature: bool | None
    carries: bool | None


def recovery_of(verdict: Verdict, query: Query, source: Graph, correct: bool | None) -> Recovery | None:
    """The trace's graph beside the source graph; None where the trace states no graph that could be judged."""
    graph = verdict.judged_on
    if not isinstance(graph, Graph):
        return None
    shared = edge_f1(graph, source)
    exact = graph.edge_set == source.edge_set and graph.undirected_set == source.undirected_set
    carries = None
    if verdict.answer is not None and correct is not None:
        carries = (verdict.bits["answer"] == 1) is correct
    return Recovery(shared, exact, _signature(verdict, query, graph, source), carries)


def _signature(verdict: Verdict, query: Query, graph: Graph, source: Graph) -> bool | None:
    answer = verdict.answer
    if query.task != "backdoor" or query.form not in SETS or not isinstance(answer, list):
        return None
    treatment, outcome = query.targets
    return signatures_agree(graph, source, treatment, outcome, answer)
