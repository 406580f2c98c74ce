"""Questions about a whole graph: C-components, C-forests and C-trees, graphs that are Markov equivalent, and claims
about all of them.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

from .graphs import Graph, read_graph
from .question import LISTED, Ask, Family, Question
from .records import Set, bounded, fields, need, row, several, word

__all__ = ["FAMILIES"]

Edges = frozenset[tuple[str, str]]
Shown = tuple[Set, Edges, Edges, Edges]  # nodes, arrows, arcs, lines


def parts_of(graph: Graph) -> frozenset[Set]:
    """Into which bidirected edges join the nodes."""
    return frozenset(graph.reach("<->", {node}) for node in graph.nodes)


def shows_word(q: Question, value: str, w: Any) -> bool:
    """What speaks against a yes; or nothing does, which takes no data to see."""
    g, kind, parts = q.graph, w["kind"], parts_of(q.graph)
    below = {node: g.near("->", node) for node in g.nodes}
    roots = {node for node in g.nodes if not below[node]}
    if kind == "districts":
        need(several(w["parts"], several) == parts and len(parts) != 1)
    elif kind == "children":
        need(q.task != "is_c_component" and len(below[w["node"]]) > 1 and several(w["children"]) == below[w["node"]])
    elif kind == "roots":
        need(q.task == "c_tree" and len(roots) != 1 and several(w["roots"]) == roots)
    else:
        forest = q.task == "is_c_component" or all(len(heads) < 2 for heads in below.values())
        need(len(parts) == 1 and forest and (q.task != "c_tree" or len(roots) == 1))
    return value == ("yes" if kind == "holds" else "no")


# ---------------------------------------------------------------- Markov equivalence


def read_shown(q: Question, answer: Any) -> Shown:
    """A graph as an answer states it; which class it is follows from its edges."""
    nodes, arrows, arcs, lines = fields(
        {"bidirected": [], "undirected": [], **answer}, "nodes edges bidirected undirected"
    )
    graph, _ = read_graph({"nodes": nodes, "directed": arrows, "bidirected": arcs, "undirected": lines})
    return graph.nodes, graph.arrows, graph.arcs, graph.lines


def pairs_of(arrows: Edges) -> set[Set]:
    return set(map(frozenset, arrows))


def holds_equivalent(q: Question, value: Shown) -> bool:
    """Another dag on the same nodes, with the same skeleton and the same v-structures."""
    other, graph = Graph(*value), q.graph
    dag = not other.arcs and not other.lines and other.acyclic() and other.nodes == graph.nodes
    same = pairs_of(other.arrows) == pairs_of(graph.arrows) and other.colliders() == graph.colliders()
    return dag and same and other.arrows != graph.arrows


def shows_equivalent(q: Question, value: Shown, w: Any) -> bool:
    other, graph, kind = Graph(*value), q.graph, w["kind"]
    if kind == "graph":
        cyclic = "dag" if other.acyclic() else "directed"
        called = "undirected" if other.lines else "admg" if other.arcs else cyclic
        apart = other.nodes ^ graph.nodes
        need((w["class"], several(w["nodes"])) == (called, apart) and (apart or called != "dag"))
    elif kind == "skeleton":
        need(frozenset(row(w["pair"], 2)) in pairs_of(other.arrows) ^ pairs_of(graph.arrows))
    elif kind == "v_structure":
        need(row(w["triple"], 3) in other.colliders() ^ graph.colliders())
    elif kind == "same":
        need(value == (graph.nodes, graph.arrows, graph.arcs, graph.lines))
    else:
        need(holds_equivalent(q, value))
    return bool(kind == "equivalent")


def orientations(q: Question) -> Iterator[Shown]:
    """Every way to turn the arrows."""
    none: Edges = frozenset()
    for turned in product(*((edge, edge[::-1]) for edge in sorted(q.graph.arrows))):
        yield q.graph.nodes, frozenset(turned), none, none


# ---------------------------------------------------------------- claims about a class


def related(relation: str, graph: Graph, a: str, b: str) -> bool:
    """Does the relation hold in this member?  Indirect is a directed path of two arrows or more."""
    if relation in ("common_effect", "common_cause"):
        mark = "->" if relation == "common_effect" else "<-"
        return bool(graph.near(mark, a) & graph.near(mark, b))
    if relation in ("child", "indirect_effect"):
        a, b = b, a
    if relation in ("parent", "child"):
        return (a, b) in graph.arrows
    return b in graph.reach("->", graph.near("->", a) - {b})


RELATIONS = ("parent", "child", "indirect_cause", "indirect_effect", "common_effect", "common_cause")


def shows_claim(q: Question, value: str, w: Any) -> bool:
    """A member in which the relation fails; or every member, listed by turning the arrows in every way."""
    relation, graph = relation_of(q), q.graph
    if w["kind"] == "counter_member":
        member, kind = read_graph(w["graph"])
        same = pairs_of(member.arrows) == pairs_of(graph.arrows) and member.colliders() == graph.colliders()
        need(kind == "dag" and member.nodes == graph.nodes and same, "the graph is no member of the class")
        need(not related(relation, member, *q.targets), "the relation holds there")
        return value == "no"
    turned = (Graph(*shown) for shown in bounded(orientations(q)))
    members = [one for one in turned if one.acyclic() and one.colliders() == graph.colliders()]
    need(type(w["count"]) is int and len(members) == w["count"], "the class has another number of members")
    need(all(related(relation, member, *q.targets) for member in members), "it does not hold in every member")
    return value == "yes"


def relation_of(q: Question) -> str:
    need(len(q.said) == 1, "the formula names no relation")
    role, relation = row(q.said[0], 2)
    need(role == "relation" and relation in RELATIONS, "the formula names no relation")
    return relation


def legal_claim(q: Question) -> None:
    relation_of(q)
    need(len({*q.targets}) == 2, "wrong targets")


FAMILIES = (
    Family(
        tasks={"equivalence_claim": Ask(graphs="dag", takes="formula")},
        kinds={"counter_member": "graph", "every_member": "count"},
        value=lambda q, answer: word(answer),
        shows=shows_claim,
        legal=legal_claim,
    ),
    Family(
        tasks={"is_c_component": Ask((0,)), "c_forest": Ask((0,)), "c_tree": Ask((0,))},
        kinds={"districts": "parts", "children": "node children", "roots": "roots", "holds": ""},
        value=lambda q, answer: word(answer),
        shows=shows_word,
    ),
    Family(
        tasks={"markov_equivalent": Ask((0,), "dag")},
        kinds={"graph": "class nodes", "skeleton": "pair", "v_structure": "triple", "same": "", "equivalent": ""},
        value=read_shown,
        shows=shows_equivalent,
        holds=holds_equivalent,
        tried=orientations,
        forms=LISTED,
    ),
)
