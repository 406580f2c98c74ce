"""The shape of a problem: what is left of it when names are taken away.  Two problems have one shape exactly when a
renaming makes one of the other.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, permutations, product
from math import factorial, prod

from calverify.graphs import Graph
from calverify.logic import Atom, Formula, read
from calverify.problem import Problem, Query

__all__ = ["bare_shape", "shape"]

MOST_RENAMINGS = 5_040  # of names that look alike

Colours = Mapping[str, int]


def shape(problem: Problem) -> str | None:
    """The shape, spelled; None where too many of its names look alike to compare them all.  Tables are left out."""
    query, graph = problem.query, problem.graph
    if graph is None:
        groups = [list(query.targets)]
    else:
        colours = _told_apart(graph, _roles(problem, graph))
        groups = [list(same) for _, same in groupby(sorted(graph.nodes, key=colours.__getitem__), colours.__getitem__)]
    if prod(factorial(len(group)) for group in groups) > MOST_RENAMINGS:
        return None
    return min(_spelled(problem, order) for order in _orders(groups))


def bare_shape(problem: Problem) -> str | None:
    """The shape of the graph alone, whatever is asked about it; of a puzzle, its shape."""
    return shape(problem if problem.graph is None else Problem("(bare)", Query("(any)"), problem.graph))


def _roles(problem: Problem, graph: Graph) -> dict[str, tuple[int, ...]]:
    """Where the question names each node."""
    path = tuple((problem.query.path or "").replace("<", " ").replace(">", " ").replace("-", " ").split())
    said = (*problem.query.targets, *path)
    return {node: tuple(at for at, name in enumerate(said) if name == node) for node in graph.nodes}


def _told_apart(graph: Graph, roles: Mapping[str, tuple[int, ...]]) -> Colours:
    """A number for each node that no renaming changes: by its role, then by the numbers of its neighbours."""
    colours: Colours = _ranked(roles)
    for _ in graph.nodes:
        colours = _ranked({node: (colours[node], *_around(graph, node, colours)) for node in graph.nodes})
    return colours


def _around(graph: Graph, node: str, colours: Colours) -> Iterator[tuple[int, ...]]:
    yield tuple(sorted(colours[tail] for tail, head in graph.directed if head == node))
    yield tuple(sorted(colours[head] for tail, head in graph.directed if tail == node))


def _ranked(marks: Mapping[str, tuple[object, ...]]) -> Colours:
    ranks = {mark: rank for rank, mark in enumerate(sorted(set(marks.values())))}
    return {node: ranks[mark] for node, mark in marks.items()}


def _orders(groups: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Every order of the names in which the groups stay apart."""
    for parts in product(*(permutations(group) for group in groups)):
        yield [name for part in parts for name in part]


def _spelled(problem: Problem, order: Sequence[str]) -> str:
    place = {name: at for at, name in enumerate(order)}
    query, graph = problem.query, problem.graph
    if graph is None:
        said = sorted((place[who], _formula(read(text, query.targets), place)) for who, text in query.formula)
        return f"{query.task} {len(order)} {said}"
    roles = _roles(problem, graph)
    arrows = sorted((place[tail], place[head]) for tail, head in graph.directed)
    return f"{query.task} {[roles[name] for name in order]} {arrows}"


def _formula(formula: Formula, place: Mapping[str, int]) -> str:
    if isinstance(formula, Atom):
        return f"{'knight' if formula.knight else 'knave'} {place[formula.name]}"
    return f"({formula.connective} {', '.join(_formula(part, place) for part in formula.parts)})"
