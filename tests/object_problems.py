"""Random problems of the tasks about nodes, edges, triples, components, paths, orders, blankets and whole graphs."""

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from random import Random

import calverify as cv
from tests.known import Known, known_members, known_sets, known_word
from tests.oracles import id_algorithm, identification, layouts, relations
from tests.oracles.criteria import Plain
from tests.oracles.cuts import blanket
from tests.oracles.paths import Paths, subsets

FOREIGN = "nowhere"  # a name that no graph of ours knows
Builder = Callable[[Random, cv.Graph], Known | None]


# ---------------------------------------------------------------- nodes, edges, sets of nodes


def _relative(relation: str) -> Builder:
    def build(rng: Random, graph: cv.Graph) -> Known:
        node = rng.choice(graph.nodes)
        right = sorted(relations.relatives(graph, relation, node))
        return known_members(graph, cv.Query(relation, (node,)), right, [*graph.nodes, FOREIGN])

    return build


def _node(rng: Random, graph: cv.Graph) -> Known:
    return known_members(graph, cv.Query("node"), list(graph.nodes), [FOREIGN, "nobody", "no node"])


def _edge(rng: Random, graph: cv.Graph) -> Known:
    pairs = list(combinations(sorted(graph.nodes), 2))
    every = [(a, mark, b) for a, b in pairs for mark in ("->", "<->", "--")]
    every += [(b, "->", a) for a, b in pairs] + [(graph.nodes[0], "->", FOREIGN)]
    return known_members(graph, cv.Query("edge"), sorted(relations.edges(graph)), every)


def _triple(shape: str) -> Builder:
    def build(rng: Random, graph: cv.Graph) -> Known:
        right = sorted(relations.triples(graph, shape), key=sorted)
        return known_members(graph, cv.Query(shape), right, [*subsets(graph.nodes), frozenset({FOREIGN})])

    return build


def _district(rng: Random, graph: cv.Graph) -> Known:
    right = sorted(layouts.districts(graph), key=sorted)
    return known_members(graph, cv.Query("c_component"), right, [*subsets(graph.nodes), frozenset({FOREIGN})])


def _one_set(graph: cv.Graph, query: cv.Query, truth: frozenset[str]) -> Known:
    return known_members(graph, query, [truth], [*subsets(graph.nodes), truth | {FOREIGN}])


def _root_set(rng: Random, graph: cv.Graph) -> Known:
    return _one_set(graph, cv.Query("maximal_root_set"), relations.childless(graph))


def _blanket(rng: Random, graph: cv.Graph) -> Known:
    node = rng.choice(graph.nodes)
    return _one_set(graph, cv.Query("markov_blanket", (node,)), blanket(Paths(graph), node))


def _optimal(rng: Random, graph: cv.Graph) -> Known | None:
    x, y = rng.sample(graph.nodes, 2)
    if not identification.causal_nodes(graph, x, y):
        return None  # there is no effect to estimate
    return _one_set(graph, cv.Query("optimal_adjustment", (x, y)), identification.optimal(graph, x, y))


# ---------------------------------------------------------------- sets that identify


def _set_for_an_effect(task: str, criterion: Callable[..., Callable[[frozenset[str]], bool]]) -> Builder:
    def build(rng: Random, graph: cv.Graph) -> Known:
        x, y = rng.sample(graph.nodes, 2)
        return known_sets(graph, cv.Query(task, (x, y)), criterion(graph, x, y))

    return build


def _instrument(rng: Random, graph: cv.Graph) -> Known:
    x, y = rng.sample(graph.nodes, 2)
    illegal = {x} | Paths(graph).below[y] | identification.on_or_below_a_causal_path(graph, x, y)
    usable = [node for node in graph.nodes if node not in illegal]
    given = rng.sample(usable, min(len(usable), rng.choice((0, 0, 1, 2))))
    holds = identification.instrument(graph, x, y, given)
    query = cv.Query("instrument", (x, y), given=tuple(given))
    return known_members(graph, query, [node for node in graph.nodes if holds(node)], [*graph.nodes, FOREIGN])


# ---------------------------------------------------------------- whole graphs


def _whole(task: str, truth: Callable[[cv.Graph], bool]) -> Builder:
    def build(rng: Random, graph: cv.Graph) -> Known:
        if graph.bidirected and rng.random() < 0.7:  # a chance of a "yes"
            graph = _joined(rng, graph)
        return known_word(graph, cv.Query(task), truth(graph))

    return build


def _joined(rng: Random, graph: cv.Graph) -> cv.Graph:
    """The graph with bidirected edges that join all its nodes, and often with one child a node at most."""
    line = rng.sample(graph.nodes, len(graph.nodes))
    arcs = [(node, rng.choice(line[:place])) for place, node in enumerate(line) if place]
    kept = dict(rng.sample(graph.directed, len(graph.directed))).items() if rng.random() < 0.7 else graph.directed
    return cv.Graph(graph.nodes, kept, arcs)


def _identifiable(rng: Random, graph: cv.Graph) -> Known:
    x, y = rng.sample(graph.nodes, 2)
    if graph.bidirected and rng.random() < 0.5:  # a chance of a "no"
        x, y = sorted(rng.choice(graph.bidirected), key=lambda end: len(graph.ancestors([end])))
        graph = cv.Graph(graph.nodes, {*graph.directed, (x, y)}, graph.bidirected)
    truth = id_algorithm.is_identified(id_algorithm.mixed(graph), frozenset({y}), frozenset({x}))
    return known_word(graph, cv.Query("identifiable", (x, y)), truth)


def as_graph(plain: Plain) -> cv.Graph:
    return cv.Graph(plain.nodes, plain.directed, plain.bidirected)


def _equivalent(rng: Random, graph: cv.Graph) -> Known:
    members = [as_graph(other) for other in relations.orientations(graph) if relations.equivalent(graph, other)]
    right = [other for other in members if other != graph]
    others = [graph, *map(as_graph, relations.orientations(graph)), cv.Graph(graph.nodes, graph.directed[1:])]
    others.append(cv.Graph([*graph.nodes, FOREIGN], graph.directed))
    return known_members(graph, cv.Query("markov_equivalent"), right, others)


# ---------------------------------------------------------------- paths and orders


def paths_of(graph: cv.Graph, task: str, x: str, y: str) -> list[cv.Path]:
    """Every path that the task asks for, parallel edges apart."""
    wanted = {
        "path": lambda arrows: True,
        "directed_path": lambda arrows: set(arrows) == {"->"},
        "backdoor_path": lambda arrows: arrows[0] in ("<-", "<->"),
    }[task]
    return [cv.Path(nodes, arrows) for nodes, arrows in Paths(graph).between(x, y) if wanted(arrows)]


def _path(task: str) -> Builder:
    def build(rng: Random, graph: cv.Graph) -> Known:
        x, y = rng.sample(graph.nodes, 2)
        right = paths_of(graph, task, x, y)
        others = paths_of(graph, "path", x, y) + [path.reversed() for path in right[:3]]
        for path in rng.sample(others, min(4, len(others))):
            others += _damaged(rng, graph, path)
        others += [cv.Path((x, y), (arrow,)) for arrow in ("->", "<-", "<->")]
        others.append(cv.Path((x, FOREIGN, y), ("->", "->")))
        return known_members(graph, cv.Query(task, (x, y)), right, list(dict.fromkeys(others)))

    return build


def _damaged(rng: Random, graph: cv.Graph, path: cv.Path) -> list[cv.Path]:
    """One arrow turned, one node replaced, a step back and forth at the start."""
    place = rng.randrange(len(path.arrows))
    arrow = rng.choice(("->", "<-", "<->"))
    turned = cv.Path(path.nodes, (*path.arrows[:place], arrow, *path.arrows[place + 1 :]))
    other = cv.Path((*path.nodes[:place], rng.choice(graph.nodes), *path.nodes[place + 1 :]), path.arrows)
    twice = cv.Path(path.nodes[:2] + path.nodes, (path.arrows[0], path.reversed().arrows[-1], *path.arrows))
    return [turned, other, twice]


def _order(rng: Random, graph: cv.Graph) -> Known:
    right = sorted(layouts.orders(graph))
    others: list[Sequence[str]] = rng.sample(list(permutations(graph.nodes)), 12)
    others += [right[0][:-1], (*right[0], FOREIGN), right[0][::-1]]
    return known_members(graph, cv.Query("topological_order"), right, others)


OBJECTS: dict[str, Builder] = {
    "adjustment": _set_for_an_effect("adjustment", identification.adjustment),
    "ancestor": _relative("ancestor"),
    "backdoor_path": _path("backdoor_path"),
    "c_component": _district,
    "c_forest": _whole("c_forest", relations.is_c_forest),
    "c_tree": _whole("c_tree", relations.is_c_tree),
    "chain": _triple("chain"),
    "child": _relative("child"),
    "descendant": _relative("descendant"),
    "directed_path": _path("directed_path"),
    "edge": _edge,
    "fork": _triple("fork"),
    "frontdoor": _set_for_an_effect("frontdoor", identification.frontdoor),
    "identifiable": _identifiable,
    "instrument": _instrument,
    "is_c_component": _whole("is_c_component", relations.is_c_component),
    "markov_blanket": _blanket,
    "markov_equivalent": _equivalent,
    "maximal_root_set": _root_set,
    "node": _node,
    "optimal_adjustment": _optimal,
    "parent": _relative("parent"),
    "path": _path("path"),
    "topological_order": _order,
    "v_structure": _triple("v_structure"),
}
