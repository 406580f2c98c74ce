"""Identification: is an expression the effect, or is there none?

Right is shown by a derivation, wrong by a model of the graph with both numbers, and "not identifiable" by two models
that agree on all that is observed and differ on the effect.  Where the checker had no derivation, the expression is
compared with the effect on random models of our own, which is a test with a tiny chance of error and no proof.
"""

from itertools import product
from math import prod
from typing import Any

from .derivations import follows, same_for_any_functions
from .expressions import Tree, children, free_in, probabilities, read, told, tree_of
from .graphs import Graph
from .models import Worlds, own_model, read_model
from .question import ACYCLIC, Ask, Family, Question
from .records import Set, fields, need, number, row, several, word

__all__ = ["FAMILIES"]

NO_ESTIMAND = "not identifiable"
RANDOM_MODELS = 2


# ---------------------------------------------------------------- what is asked


def target_of(q: Question) -> Tree:
    """P(outcomes | do(treatments), given)."""
    treatments, outcomes = q.sides
    return {"P": [[[name, 0, None] for name in sorted(some)] for some in (outcomes, treatments, q.given)]}


def effect_of(q: Question, answer: str) -> Tree:
    """The expression of an answer; one value that stands for a variable of the effect everywhere is any value."""
    tree = read(answer)
    said: dict[str, set[Any]] = {}
    for variables, bound in probabilities(tree):
        for name, primes, stated in variables:
            if stated is not None or (name, primes) not in bound:
                said.setdefault(name, set()).add(stated)
    asked = q.sides[0] | q.sides[1] | q.given
    single = {name for name, values in said.items() if name in asked and len(values) == 1 and None not in values}
    return _plain(tree, single) if single else tree


def _plain(tree: Tree, single: set[str]) -> Tree:
    """Without the values of some names; what sums bind of these gets one prime more."""

    def put(variable: list[Any]) -> list[Any]:
        name, primes, stated = variable
        return variable if name not in single else [name, 0 if stated is not None else primes + 1, None]

    if "P" in tree:
        return {"P": [list(map(put, some)) for some in tree["P"]]}
    if "sum" in tree:
        return {"sum": list(map(put, tree["sum"])), "body": _plain(tree["body"], single)}
    if "plus" in tree:
        return {"plus": [[sign, _plain(term, single)] for sign, term in tree["plus"]]}
    if "number" in tree:
        return tree
    ((kind, _),) = tree.items()
    return {kind: [_plain(one, single) for one in children(tree)]}


def names_in(tree: Tree) -> Set:
    return frozenset(name for variables, _ in probabilities(tree) for name, _, _ in variables)


# ---------------------------------------------------------------- witnesses


def shows_estimand(q: Question, answer: str, w: Any) -> bool:
    """The verdict on an expression, or on "not identifiable"."""
    kind = w["kind"]
    if answer == NO_ESTIMAND or kind == "hedge":
        need(answer == NO_ESTIMAND and kind in SHOWN)
        return not _identifiable(q, w)
    tree = effect_of(q, answer)
    if kind == "derivation":
        need(same_for_any_functions(tree_of(w["goal"]), tree), "another expression is derived")
        _derived(q, w)
        return True
    if kind == "identified":
        _compared(q, tree)
        read(w["estimand"])
        return True
    if kind == "unknown":
        need(several(w["names"]) and several(w["names"]) == names_in(tree) - q.graph.nodes)
    elif kind == "interventional":
        told(w["estimand"], read(answer))
        need(_intervenes(tree))
    else:
        need(kind == "counter_model")
        _refuted(q, tree, w)
    return False


def shows_word(q: Question, answer: str, w: Any) -> bool:
    """Whether there is an estimand."""
    return _identifiable(q, w) is (answer == "yes")


def _identifiable(q: Question, w: Any) -> bool:
    """What a hedge, a derivation or a comparison shows of an effect."""
    if w["kind"] == "hedge":
        _hedges(q, w)
        _apart(q, w["apart"])
        return False
    if w["kind"] == "derivation":
        _derived(q, w)
    else:
        _compared(q, read(w["estimand"]))
    return True


def _observed(q: Question, tree: Tree) -> None:
    fine = names_in(tree) <= q.graph.nodes and not _intervenes(tree)
    need(fine, "no expression in observed probabilities")


def _derived(q: Question, w: Any) -> None:
    """The steps lead from the effect to an expression in what is observed."""
    start, goal = tree_of(w["start"]), tree_of(w["goal"])
    _observed(q, goal)
    need(start == target_of(q), "the derivation starts from another effect")
    for text, tree in zip(w["text"], (start, goal), strict=True):
        told(text, tree)
    follows(q.graph, start, goal, w["steps"])


def _compared(q: Question, tree: Tree) -> None:
    """Random models show no difference; in the second, what is summed over has three values."""
    _observed(q, tree)
    target = target_of(q)
    free = sorted(free_in(tree) | free_in(target))
    for turn in range(RANDOM_MODELS):
        sizes = _sizes(tree, target, summed=2 + turn)
        model = own_model(q.graph, sizes, turn, tree, target)
        worlds = Worlds(model)
        for states in product(*(range(sizes[name]) for name, _ in free)):
            at = dict(zip(free, states, strict=True))
            one, other = worlds.value(tree, at), worlds.value(target, at)
            fits = one is not None and other is not None and (one - other) % model.prime == 0
            need(fits, "a random model shows a difference")


def _sizes(tree: Tree, target: Tree, summed: int) -> dict[str, int]:
    """How many values each name has: as many as are named, else two, or `summed` under a sum."""
    found = dict.fromkeys(names_in(tree) | names_in(target), 2)
    stated = dict[str, int]()
    for variables, bound in probabilities(tree):
        for name, primes, said in variables:
            if (name, primes) in bound:
                found[name] = summed
            if said is not None:
                stated[name] = max(2, said + 1, stated.get(name, 0))
    return found | stated


def _refuted(q: Question, tree: Tree, w: Any) -> None:
    """In a model of the graph, positive everywhere, the expression and the effect have the two numbers stated."""
    target = target_of(q)
    told(w["candidate"], tree)
    told(w["target"], target)
    model = read_model(q.graph, w["model"])
    rows = [*model.latents, *(row for table in model.tables.values() for row in table.values())]
    need(all(chance > 0 for row in rows for chance in row), "the model has an impossible event")
    at = _point({_variable(name): state for name, state in w["at"].items()}, free_in(tree) | free_in(target))
    worlds = Worlds(model)
    values = [worlds.value(one, at) for one in (tree, target)]
    need(None not in values and values == [number(w["candidate_value"]), number(w["target_value"])], "other numbers")
    need(values[0] != values[1], "the numbers are the same")


def _point(at: dict[tuple[str, int], Any], free: set[tuple[str, int]]) -> dict[tuple[str, int], int]:
    need(at.keys() == free and all(type(state) is int for state in at.values()), "other variables have values")
    return at


def _variable(text: str) -> tuple[str, int]:
    (name, primes, stated), *more = read(f"P({text})")["P"][0]
    need(not more and stated is None, f"no variable: {text!r:.60}")
    return name, primes


# ---------------------------------------------------------------- no estimand


def _hedges(q: Question, w: Any) -> None:
    """Two forests with the same roots: one in the other, and only the larger meets the treatments.

    They are a hedge for the effect on the outcomes, to which some of the conditions may be added, as others may be to
    the treatments.
    """
    whole, inner, roots, outcomes, treatments, given = (
        several(w[name]) for name in ("whole", "inner", "roots", "outcomes", "treatments", "given")
    )
    arrows, listed = (several(w[name], lambda edge: row(edge, 2)) for name in ("directed", "bidirected"))
    arcs = {(min(arc), max(arc)) for arc in listed}
    known = arrows <= q.graph.arrows and arcs <= q.graph.arcs and len(arcs) == len(listed)
    need(known and roots <= inner < whole <= q.graph.nodes and whole & treatments and not inner & treatments)
    need(outcomes - given == q.sides[1] and given <= outcomes & q.given and treatments <= q.sides[0] | q.given)
    for area in (whole, inner):
        inside = [[edge for edge in edges if {*edge} <= area] for edges in (arrows, arcs)]
        forest = Graph(area, *inside)
        (start, *_) = sorted(area)
        need(forest.reach("<->", {start}) == area and len(forest.arcs) == len(area) - 1, "no tree of bidirected edges")
        need(all(len(forest.near("->", node)) == (node not in roots) for node in area), "no forest with these roots")
    cut = Graph(q.graph.nodes, (edge for edge in q.graph.arrows if edge[1] not in treatments))
    need(roots <= cut.reach("<-", outcomes), "a root is above no outcome")


def _apart(q: Question, record: Any) -> None:
    """Two models of the graph: the same masses for all that is observed, another number for the effect.

    All that is observed is possible, so what differs is not what was never seen.  Nodes that the models leave out are
    coins of their own, so the effect does not depend on them.
    """
    need(record is not None, "no pair of models shows that there is no estimand")
    models, at, stated = fields(record, "models at values")
    one, other = (read_model(q.graph, model) for model in models)
    observed = one.masses(())
    need(one.sizes == other.sizes and observed == other.masses(()), "the models differ on what is observed")
    need(len(observed) == prod(one.sizes.values()), "something that can be observed is impossible in the models")
    roles = (q.sides[1], q.sides[0], q.given)
    target = {"P": [[[name, 0, None] for name in sorted(some) if name in one.sizes] for some in roles]}
    need(target["P"][0], "the models hold no outcome")
    point = _point({(name, 0): state for name, state in at.items()}, free_in(target))
    values = [Worlds(model).value(target, point) for model in (one, other)]
    need(None not in values and values == [number(value) for value in stated], "other numbers")
    need(values[0] != values[1], "the same effect")


def _intervenes(tree: Tree) -> bool:
    return bool(tree["P"][1]) if "P" in tree else any(map(_intervenes, children(tree)))


def read_answer(q: Question, answer: Any) -> str:
    need(type(answer) is str and answer == answer.strip(), "no expression")
    if answer != NO_ESTIMAND:
        read(answer)
    return str(answer)


SHOWN = {
    "hedge": "whole inner roots directed bidirected outcomes treatments given why apart",
    "derivation": "start goal text steps agreement", "identified": "estimand same agreement",
}  # fmt: skip
FAMILIES = (
    Family(
        tasks={"identification": Ask((2,), ACYCLIC, "given", sets=True)},
        kinds={
            **SHOWN, "unknown": "names", "interventional": "estimand",
            "counter_model": "candidate target at candidate_value target_value model",
        },
        value=read_answer,
        shows=shows_estimand,
    ),
    Family(
        tasks={"identifiable": Ask((2,), ACYCLIC, "given", sets=True)},
        kinds=SHOWN,
        value=lambda q, answer: word(answer),
        shows=shows_word,
    ),
)  # fmt: skip
