"""The others, each used or written the obvious way, and none of them with a line of our code.

Each engine has a function that builds what it keeps between questions, and one that answers a whole workload as a
list, so that the clock sees the library and a list comprehension around it, no adapter of ours.
"""

import json
import re
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import networkx as nx  # type: ignore[import-untyped]

from bench.workloads import Asked, Layout, Trial

__all__ = [
    "gum_backdoors",
    "gum_graph",
    "gum_questions",
    "gum_separations",
    "json_slots",
    "moral_parents",
    "moral_separated",
    "moral_separations",
    "nx_backdoors",
    "nx_backdoors_cut_once",
    "nx_graph",
    "nx_separations",
    "nx_verdict",
    "pyagrum",
]

Answers = list[bool]


def _installed(name: str) -> Any:
    """The module, or None where it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a peer's own warnings are not ours to fix
            return import_module(name)
    except ImportError:
        return None


pyagrum = _installed("pyagrum")


# ---------------------------------------------------------------- networkx


def nx_graph(layout: Layout) -> nx.DiGraph:
    """The graph; for bidirected edges the canonical DAG, in which each is a latent node with two arrows."""
    graph = nx.DiGraph()
    graph.add_nodes_from(layout.nodes)
    graph.add_edges_from(layout.directed)
    for left, right in layout.bidirected:
        graph.add_edges_from([((left, right), left), ((left, right), right)])
    return graph


def nx_separations(work: Sequence[tuple[nx.DiGraph, Sequence[Asked]]]) -> Answers:
    return [nx.is_d_separator(graph, {x}, {y}, given) for graph, asked in work for x, y, given in asked]


def nx_backdoors(work: Sequence[tuple[nx.DiGraph, str, str, Sequence[frozenset[str]]]]) -> Answers:
    """The strict definition, word by word."""
    return [_nx_backdoor(graph, x, y, given) for graph, x, y, sets in work for given in sets]


def _nx_backdoor(graph: nx.DiGraph, x: str, y: str, given: frozenset[str]) -> bool:
    if x in given or y in given or given & nx.descendants(graph, x):
        return False
    cut = graph.copy()
    cut.remove_edges_from(list(graph.out_edges(x)))
    return bool(nx.is_d_separator(cut, {x}, {y}, given))


def nx_backdoors_cut_once(work: Sequence[tuple[nx.DiGraph, str, str, Sequence[frozenset[str]]]]) -> Answers:
    """The same, with what does not depend on the set computed once for all sets of a problem."""
    found = []
    for graph, x, y, sets in work:
        forbidden = nx.descendants(graph, x) | {x, y}
        cut = graph.copy()
        cut.remove_edges_from(list(graph.out_edges(x)))
        found += [forbidden.isdisjoint(given) and nx.is_d_separator(cut, {x}, {y}, given) for given in sets]
    return found


# ---------------------------------------------------------------- pyAgrum, on the integers that it wants


def gum_graph(layout: Layout) -> Any:
    """The graph on node numbers, one more for each bidirected edge."""
    number = {name: i for i, name in enumerate(layout.nodes)}
    dag = pyagrum.DAG()
    for i in range(len(layout.nodes) + len(layout.bidirected)):
        dag.addNodeWithId(i)
    for tail, head in layout.directed:
        dag.addArc(number[tail], number[head])
    for latent, (left, right) in enumerate(layout.bidirected, len(layout.nodes)):
        dag.addArc(latent, number[left])
        dag.addArc(latent, number[right])
    return dag


def gum_questions(layout: Layout, asked: Sequence[Asked]) -> list[tuple[int, int, set[int]]]:
    number = {name: i for i, name in enumerate(layout.nodes)}
    return [(number[x], number[y], {number[name] for name in given}) for x, y, given in asked]


def gum_separations(work: Sequence[tuple[Any, Sequence[tuple[int, int, set[int]]]]]) -> Answers:
    return [dag.dSeparation(x, y, given) for dag, asked in work for x, y, given in asked]


def gum_backdoors(work: Sequence[tuple[Any, Sequence[tuple[int, int, set[int]]]]]) -> Answers:
    holds = pyagrum.DoorCriteria.satisfiesBackdoorCriterion
    return [holds(dag, x, y, given) for dag, asked in work for x, y, given in asked]


# ---------------------------------------------------------------- the moralised test of the paper, as written there


def moral_parents(layout: Layout) -> dict[Any, list[Any]]:
    """Parents by node; a bidirected edge is a latent node with two children."""
    parents: dict[Any, list[Any]] = {node: [] for node in layout.nodes}
    for tail, head in layout.directed:
        parents[head].append(tail)
    for arc in layout.bidirected:
        parents[arc] = []
        for end in arc:
            parents[end].append(arc)
    return parents


def moral_separated(parents: dict[Any, list[Any]], x: str, y: str, given: frozenset[str]) -> bool:
    """Ancestral restriction, moralisation, deletion of Z, connectivity."""
    ancestral: set[Any] = set()
    todo: list[Any] = [x, y, *given]
    while todo:
        node = todo.pop()
        if node not in ancestral:
            ancestral.add(node)
            todo.extend(parents[node])
    moral: dict[Any, set[Any]] = {node: set() for node in ancestral}
    for node in ancestral:
        family = [node, *parents[node]]
        for one in family:
            for other in family:
                if one != other:
                    moral[one].add(other)
    reached, todo = {x}, [x]
    while todo:
        for node in moral[todo.pop()]:
            if node not in given and node not in reached:
                reached.add(node)
                todo.append(node)
    return y not in reached


def moral_separations(work: Sequence[tuple[dict[Any, list[Any]], Sequence[Asked]]]) -> Answers:
    return [moral_separated(parents, x, y, given) for parents, asked in work for x, y, given in asked]


# ---------------------------------------------------------------- json and networkx: a checker in an afternoon

HEADER = re.compile(r"^STEP \d \[(\w+)\]: (.*)$", re.MULTILINE)
ANSWER = re.compile(r"^ANSWER: (.*)$", re.MULTILINE)


def json_slots(text: str) -> dict[str, Any]:
    """Slots by step name: a regular expression for the headers and `json.loads` for each body."""
    return {header[1]: json.loads(header[2]) for header in HEADER.finditer(text)}


def _answer(text: str, slots: dict[str, Any]) -> frozenset[str] | None:
    """The set of the ANSWER line, None where it contradicts the answer slot."""
    line = ANSWER.search(text)
    if line is None:
        return None
    said = frozenset(name.strip() for name in line[1].strip("{} ").split(",") if name.strip())
    if "answer" in slots and frozenset(slots["answer"]["answer"]) != said:
        return None
    return said


def nx_verdict(graph: nx.DiGraph, trial: Trial, text: str, *, constructed: bool = False) -> tuple[int, ...]:
    """The six bits of the two set tasks; the trace's own graph is the one to judge on where it is `constructed`."""
    slots = json_slots(text)
    stated = slots.get("graph_extract")
    if constructed:
        if stated is None:
            return (0, 0, 0, 0, 0, 0)
        graph = nx.DiGraph()
        graph.add_nodes_from(stated["nodes"])
        graph.add_edges_from(stated["edges"])
        graph_bit = nx.is_directed_acyclic_graph(graph) and set(trial.targets) <= set(graph)
    else:
        graph_bit = (
            stated is not None
            and set(stated["nodes"]) == set(graph)
            and {tuple(edge) for edge in stated["edges"]} == set(graph.edges)
        )
    query = slots.get("query_id")
    query_bit = query is not None and query["task"] == trial.task and tuple(query["targets"]) == trial.targets
    answer = _answer(text, slots)
    valid = answer is not None and _nx_valid(graph, trial, answer)
    strategy, result = slots.get("strategy"), slots.get("compute")
    strategy_bit = strategy is not None and valid and ("set" not in strategy or frozenset(strategy["set"]) == answer)
    result_bit = result is not None and valid and frozenset(result["result"]) == answer
    answer_bit = "answer" in slots and valid
    bits = (graph_bit, query_bit, strategy_bit, _derived(slots, graph), result_bit, answer_bit)
    return tuple(map(int, bits))


def _nx_valid(graph: nx.DiGraph, trial: Trial, answer: frozenset[str]) -> bool:
    x, y = trial.targets
    if not answer <= set(graph):
        return False
    if trial.task == "backdoor":
        return _nx_backdoor(graph, x, y, answer)
    return x not in answer and y not in answer and bool(nx.is_d_separator(graph, {x}, {y}, answer))


def _derived(slots: dict[str, Any], graph: nx.DiGraph) -> bool:
    """Are all steps about nodes of the graph, and together about the set that the strategy states, if it does?"""
    steps = slots.get("identification_proof")
    if not steps:
        return False
    named: set[str] = set()
    for step in steps:
        if step["rule"] != "node_insertion":
            return False
        named.update([step["to"]] if isinstance(step["to"], str) else step["to"])
    strategy = slots.get("strategy", {})
    return named == set(strategy["set"]) if "set" in strategy else named <= set(graph)
