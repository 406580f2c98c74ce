"""Extract, then solve: merge the graphs that the candidates state, and derive an answer that nobody need have given.

It is an architecture beside the selectors, not one of them.  `route` decides between both: solve where the candidates
agree about the graph, verify each candidate where they do not, abstain where neither can be trusted.
Agreement is not correctness: traces that misread a text often misread it alike.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from calverify.errors import BudgetError, CalverifyError
from calverify.evaluation._grade import grader_for
from calverify.evaluation._study import Study
from calverify.graphs import Graph
from calverify.keys import Key
from calverify.selectors import View, choose
from calverify.tasks import task_of

__all__ = ["Crossing", "Route", "Solved", "consensus", "crossings", "edge_agreement", "route", "solve_consensus"]

TypedEdge = tuple[str, str, str]
HALF = Fraction(1, 2)
FLOOR = 4  # bits: with three, a trace states no valid object even on its own graph


def stated_graphs(view: View) -> list[Graph]:
    """The graph of each candidate that stands and states one; in supplied mode all are the problem's own."""
    formals = [v.judged_on for v, stands in zip(view.verdicts, view.stands, strict=True) if stands]
    return [formal for formal in formals if isinstance(formal, Graph)]


def _typed(graph: Graph) -> Iterator[TypedEdge]:
    directed, bidirected = graph.edge_set
    marked = (("->", directed), ("<->", bidirected), ("--", graph.undirected_set))
    return ((a, mark, b) for mark, edges in marked for a, b in sorted(edges))


def consensus(graphs: Sequence[Graph]) -> Graph:
    """The nodes and the typed edges that more than half of the graphs state; half is not enough.

    A->B, B->A and A<->B are votes for different edges.  Raises `GraphError` where the majority's edges are no graph
    (a cycle beside a bidirected edge).
    """
    if not graphs:
        raise CalverifyError("there is no graph to merge")
    nodes = Counter(node for graph in graphs for node in graph.nodes)
    edges = Counter(edge for graph in graphs for edge in _typed(graph))
    kept = sorted(edge for edge, votes in edges.items() if 2 * votes > len(graphs))
    by_mark = {mark: [(a, b) for a, found, b in kept if found == mark] for mark in ("->", "<->", "--")}
    names = sorted(node for node, votes in nodes.items() if 2 * votes > len(graphs))
    return Graph(names, by_mark["->"], by_mark["<->"], None, by_mark["--"])


def edge_agreement(graphs: Sequence[Graph]) -> Fraction | None:
    """The mean over pairs of shared typed edges over all of both; 1 for two without edges, None without a pair."""
    edges = [frozenset(_typed(graph)) for graph in graphs]
    pairs = [Fraction(len(a & b), len(a | b)) if a | b else Fraction(1) for a, b in combinations(edges, 2)]
    return sum(pairs, Fraction(0)) / len(pairs) if pairs else None


@dataclass(frozen=True, slots=True)
class Solved:
    """The merged graph and the cheapest answer on it, in plain JSON; None for what there is not, and why."""

    graph: Graph | None
    answer: Any
    why: str


def solve_consensus(view: View) -> Solved:
    """Merge the candidates' graphs and solve the query on the result."""
    graphs = stated_graphs(view)
    if not graphs:
        return Solved(None, None, "no candidate states a graph")
    wanted = view.problem.graph_class
    graph: Graph | None = None
    try:
        graph = consensus(graphs)
        if wanted is not None and graph.kind != wanted:
            graph = Graph(graph.nodes, graph.directed, graph.bidirected, wanted, graph.undirected)
        task = task_of(view.problem.query)
        case = task.case(graph, view.problem.query)
        found = task.cheapest(case)
    except BudgetError as error:
        return Solved(graph, None, f"undetermined: {error}")
    except CalverifyError as error:
        return Solved(graph, None, f"the merged graph does not serve: {error}")
    if found is None:
        return Solved(graph, None, "the merged graph has no answer")
    return Solved(graph, task.answer.show(found), f"solved on the edges that most of {len(graphs)} graphs state")


@dataclass(frozen=True, slots=True)
class Route:
    """Which way was taken ("solve", "verify" or "abstain"), why, and the answer; `index` where a candidate gave it."""

    way: str
    why: str
    answer: Any
    index: int | None = None


def route(view: View, threshold: Fraction = HALF, floor: int = FLOOR) -> Route:
    """Solve where the stated graphs agree at least to `threshold`; else verify; abstain below `floor` bits."""
    agreement = edge_agreement(stated_graphs(view))
    said = "too few graphs to compare" if agreement is None else f"edge agreement {float(agreement):.2f}"
    if agreement is not None and agreement >= threshold:
        solved = solve_consensus(view)
        if solved.answer is not None:
            return Route("solve", f"{said}: {solved.why}", solved.answer)
        said = f"{said}, but {solved.why}"
    choice = choose(view, "calver")
    score = None if choice.index is None else view.scores[choice.index]
    if choice.index is None or score is None:
        return Route("abstain", f"{said}, and no candidate can be read", None)
    if score < floor:
        return Route("abstain", f"{said}, and the best candidate has {score} of 6 bits", None)
    return Route("verify", f"{said}: the best candidate has {score} of 6 bits", choice.answer, choice.index)


@dataclass(frozen=True, slots=True)
class Crossing:
    """One unit of the crossover: both ways graded, and whether the merged graph is the source graph."""

    problem: str
    seed: int
    cluster: str
    agreement: Fraction | None
    exact: bool
    solver: bool | None
    verified: bool | None
    covered: bool
    way: str
    routed: bool | None


def crossings(study: Study, keys: Mapping[str, Key], threshold: Fraction = HALF) -> list[Crossing]:
    """Every unit in which at least one candidate states a graph; abstaining is not right."""
    rows = []
    for unit in study.units:
        view = study.view(unit)
        graphs = stated_graphs(view)
        if not graphs:
            continue
        grade = grader_for(study.problems[unit.problem], keys)
        solved, taken = solve_consensus(view), route(view, threshold)
        source = keys[unit.problem].graph or view.problem.graph
        exact = source is not None and solved.graph == source
        rows.append(
            Crossing(
                unit.problem,
                unit.seed,
                unit.cluster,
                edge_agreement(graphs),
                exact,
                grade(solved.answer),
                unit.outcome("calver"),
                unit.covered,
                taken.way,
                grade(taken.answer),
            )
        )
    return rows
