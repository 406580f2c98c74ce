"""Identification: is an expression the effect, or is there none?

Right is shown by a derivation, wrong by a model of the graph with both numbers, and "not identifiable" by two models
that agree on all that is observed and differ on the effect.  Where the checker had no derivation, the expression is
compared with the effect on random models of our own, which is a test with a tiny chance of error and no proof.
"""

from collections.abc import Mapping
from fractions import Fraction
from hashlib import blake2b
from itertools import product
from math import prod
from typing import Any, NamedTuple

from .derivations import follows, same_for_any_functions
from .expressions import PRIME, Tree, children, divided, probabilities, read, value
from .graphs import Graph
from .question import ACYCLIC, Ask, Family, Question
from .records import Set, fields, named, need, number, row, several, word

__all__ = ["FAMILIES"]

NO_ESTIMAND = "not identifiable"
MOST_WORLDS = 1 << 18
RANDOM_MODELS = 2
LATENT_VALUES = 4  # in models of our own

Chances = Mapping[tuple[int, ...], list[Any]]  # of a node's values, by the values of its parents and latents


class Model(NamedTuple):
    """Tables for some nodes, parents first, and a distribution for each latent; numbers of one field."""

    sizes: Mapping[str, int]
    latents: list[list[Any]]
    hears: Mapping[str, tuple[tuple[str, ...], tuple[int, ...]]]  # a node's parents, and the places of its latents
    tables: Mapping[str, Chances]
    prime: int | None

    def masses(self, do: tuple[tuple[str, int], ...]) -> dict[tuple[int, ...], Any]:
        """How likely each assignment to the nodes is when some are set."""
        hidden = [len(row) for row in self.latents]
        need(prod(hidden) * prod(self.sizes.values()) <= MOST_WORLDS, "too large to recheck: the worlds of a model")
        fixed, found = dict(do), dict[tuple[int, ...], Any]()
        for states in product(*map(range, hidden)):
            start = self._field(prod(row[state] for row, state in zip(self.latents, states, strict=True)))
            waiting: list[tuple[tuple[int, ...], Any]] = [((), start)]
            while waiting:
                at, mass = waiting.pop()
                if len(at) == len(self.sizes):
                    found[at] = self._field(found.get(at, 0) + mass)
                    continue
                waiting += self._next(at, mass, states, fixed)
        return found

    def _next(self, at: tuple[int, ...], mass: Any, states: Any, fixed: Mapping[str, int]) -> list[Any]:
        names = list(self.sizes)
        name = names[len(at)]
        if name in fixed:
            return [((*at, fixed[name]), mass)]
        parents, latents = self.hears[name]
        row = self.tables[name][(*(at[names.index(one)] for one in parents), *(states[one] for one in latents))]
        return [((*at, state), self._field(mass * chance)) for state, chance in enumerate(row) if chance]

    def _field(self, number: Any) -> Any:
        return number if self.prime is None else number % self.prime


class Worlds:
    """What expressions are worth in a model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.known: dict[Any, Any] = {}

    def value(self, tree: Tree, at: Mapping[tuple[str, int], int]) -> Any:
        return value(tree, at, self.chance, self.model.sizes, self.model.prime)

    def chance(self, of: Any, do: Any, given: Any) -> Any:
        """P(of | do, given), by listing all that can happen; None where that has no value."""
        events = [*of, *do, *given]
        need(
            all(name in self.model.sizes and 0 <= state < self.model.sizes[name] for name, state in events),
            "a name or value that the model does not have",
        )
        if len(dict(do)) < len({*do}):
            return None
        key = tuple(sorted({*do}))
        if key not in self.known:
            self.known[key] = self.model.masses(key)
        return divided(self._mass(key, [*of, *given]), self._mass(key, given), self.model.prime)

    def _mass(self, do: Any, events: Any) -> Any:
        places = list(self.model.sizes)
        asked = [(places.index(name), state) for name, state in events]
        rows = self.known[do].items()
        return sum(mass for at, mass in rows if all(at[place] == state for place, state in asked))


# ---------------------------------------------------------------- models


def read_model(graph: Graph, record: Any) -> Model:
    """A model of the graph: its nodes hear nothing but their parents and the latents of their bidirected edges."""
    latents, nodes = fields(record, "latents nodes")
    rows, ends, names = [], list[Set](), list[str]()
    for latent in latents:
        name, arc, count, stated = fields(latent, "name ends values row")
        pair = tuple(sorted(row(arc, 2)))
        need(pair in graph.arcs and frozenset(pair) not in ends, "a latent stands for a bidirected edge of the graph")
        rows.append(_row(stated, count))
        ends.append(frozenset(pair))
        names.append(named(name))
    sizes, hears, tables = dict[str, int](), dict[str, Any](), dict[str, Any]()
    for node in nodes:
        name, count, parents, heard, table = fields(node, "name values parents latents rows")
        above, places = row(parents), tuple(names.index(one) for one in row(heard))
        fits = set(above) <= graph.near("<-", name) & sizes.keys() and name in graph.nodes and name not in sizes
        need(fits and all(name in ends[place] for place in places), f"{name!r:.60} hears what the graph does not show")
        need(len({*above}) == len(above) and len({*places}) == len(places), "listed twice")
        need(type(count) is int and 1 < count < 100, "a node has some values")
        keys = list(product(*(range(sizes[one]) for one in above), *(range(len(rows[place])) for place in places)))
        need(type(table) is list and len(table) == len(keys), f"the table of {name!r:.60} has another shape")
        sizes[name], hears[name] = count, (above, places)
        tables[name] = {key: _row(stated, count) for key, stated in zip(keys, table, strict=True)}
    return Model(sizes, rows, hears, tables, None)


def _row(stated: Any, count: Any) -> list[Fraction]:
    found = [number(one) for one in stated]
    need(len(found) == count and min(found) >= 0 and sum(found) == 1, "a row is no distribution")
    return found


def own_model(graph: Graph, names: Set, turn: int, size: int) -> Model:
    """Random residues for the names and all above them; every table adds up to one."""
    left, order = graph.reach("<-", names), list[str]()
    while left:
        free = sorted(name for name in left if not graph.near("<-", name) & left)
        order, left = order + free, left - {*free}
    arcs = [arc for arc in sorted(graph.arcs) if {*arc} <= {*order}]
    hears = {
        name: (tuple(sorted(graph.near("<-", name))), tuple(at for at, arc in enumerate(arcs) if name in arc))
        for name in order
    }
    tables = {}
    for name, (parents, latents) in hears.items():
        keys = product(range(size), repeat=len(parents)), product(range(LATENT_VALUES), repeat=len(latents))
        tables[name] = {
            (*one, *other): _drawn(size, turn, name, one, other) for one, other in product(*map(list, keys))
        }
    hidden = [_drawn(LATENT_VALUES, turn, arc) for arc in arcs]
    return Model(dict.fromkeys(order, size), hidden, hears, tables, PRIME)


def _drawn(count: int, *about: Any) -> list[int]:
    free = [
        int.from_bytes(blake2b(repr((at, about)).encode(), digest_size=16).digest()) % PRIME for at in range(1, count)
    ]
    return [(1 - sum(free)) % PRIME, *free]


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
    kind, denied = w["kind"], answer == NO_ESTIMAND
    if kind == "hedge":
        need(denied)
        _apart(q, w["apart"])
        return True
    if denied:
        _identified(q, w["goal"] if kind == "derivation" else read(w["estimand"]), w)
        return False
    tree = effect_of(q, answer)
    if kind == "derivation":
        need(same_for_any_functions(w["goal"], tree), "another expression is derived")
        _identified(q, w["goal"], w)
        return True
    if kind == "identified":
        _identified(q, tree, w)
        return True
    if kind == "unknown":
        need(several(w["names"]) and several(w["names"]) == names_in(tree) - q.graph.nodes)
    elif kind == "interventional":
        need(any(done for done in _interventions(tree)))
    else:
        need(kind == "counter_model")
        _refuted(q, tree, w)
    return False


def shows_word(q: Question, answer: str, w: Any) -> bool:
    """Whether there is an estimand."""
    if w["kind"] == "hedge":
        _apart(q, w["apart"])
        return answer == "no"
    _identified(q, w["goal"] if w["kind"] == "derivation" else read(w["estimand"]), w)
    return answer == "yes"


def _identified(q: Question, tree: Tree, w: Any) -> None:
    """The expression has no do, and a derivation leads from the effect to it, or random models show no difference."""
    need(names_in(tree) <= q.graph.nodes and not any(_interventions(tree)), "no expression in observed probabilities")
    if w["kind"] == "derivation":
        need(w["start"] == target_of(q), "the derivation starts from another effect")
        follows(q.graph, w["start"], w["goal"], w["steps"])
        return
    target = target_of(q)
    names = names_in(tree) | names_in(target)
    for turn in range(RANDOM_MODELS):
        worlds = Worlds(own_model(q.graph, names, turn, 2))
        free = sorted({*_free(tree), *_free(target)})
        for states in product(range(2), repeat=len(free)):
            at = dict(zip(free, states, strict=True))
            one, other = worlds.value(tree, at), worlds.value(target, at)
            need(
                one is not None and other is not None and (one - other) % PRIME == 0,
                "a random model shows a difference",
            )


def _refuted(q: Question, tree: Tree, w: Any) -> None:
    """In a model of the graph, positive everywhere, the expression and the effect have the two numbers stated."""
    model = read_model(q.graph, w["model"])
    rows = [*model.latents, *(row for table in model.tables.values() for row in table.values())]
    need(all(chance > 0 for row in rows for chance in row), "the model has an impossible event")
    at = {_variable(name): state for name, state in w["at"].items()}
    need(set(at) >= {*_free(tree), *_free(target_of(q))}, "a variable has no value")
    worlds = Worlds(model)
    values = [worlds.value(one, at) for one in (tree, target_of(q))]
    need(None not in values and values == [number(w["candidate_value"]), number(w["target_value"])], "other numbers")
    need(values[0] != values[1], "the numbers are the same")


def _variable(text: str) -> tuple[str, int]:
    (name, primes, stated), *more = read(f"P({text})")["P"][0]
    need(not more and stated is None, f"no variable: {text!r:.60}")
    return name, primes


def _apart(q: Question, record: Any) -> None:
    """Two models of the graph: the same masses for all that is observed, another number for the effect.

    Nodes that the models leave out are coins of their own, so the effect does not depend on them.
    """
    need(record is not None, "no pair of models shows that there is no estimand")
    models, at, stated = fields(record, "models at values")
    one, other = (read_model(q.graph, model) for model in models)
    need(one.sizes == other.sizes and one.masses(()) == other.masses(()), "the models differ on what is observed")
    inside = [
        [[name, 0, None] for name in sorted(some) if name in one.sizes] for some in (q.sides[1], q.sides[0], q.given)
    ]
    need(inside[0], "the models hold no outcome")
    values = [
        Worlds(model).value({"P": inside}, {(name, 0): state for name, state in at.items()}) for model in (one, other)
    ]
    need(
        None not in values and values == [number(value) for value in stated] and values[0] != values[1],
        "the same effect",
    )


def _interventions(tree: Tree) -> list[bool]:
    return [bool(tree["P"][1])] if "P" in tree else [found for one in children(tree) for found in _interventions(one)]


def _free(tree: Tree) -> Set | Any:
    pairs = probabilities(tree)
    return {
        (name, primes)
        for variables, bound in pairs
        for name, primes, said in variables
        if said is None and (name, primes) not in bound
    }


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
