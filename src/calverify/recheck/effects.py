"""Numeric effects: a model read from its tables, and every number recomputed by listing all that can happen.

A claim is the set that a trace adjusts for, the effect that it reports and its yes or no.  `strata` shows whether the
claim is right by the deployed test: the set separates, the strata give the number, the number gives the word.
A `certificate` shows more: that no other word was possible.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Any, NamedTuple

from .graphs import Graph
from .question import Ask, Family, Question
from .records import Set, fields, named, need, number, row, several, word

__all__ = ["FAMILIES", "Claim", "Model", "limits", "order_of", "read_model", "scale_of", "worlds"]

MOST_WORLDS = 1 << 20  # assignments to the variables that matter, listed one by one
MOST_BITS = 1 << 28  # of all their weights together: twenty variables of two digits
MOST_ROWS = 1 << 16  # of one table
MOST_DIGITS = 1 << 14  # binary ones, of its common denominator
DEFAULT_TOLERANCE = Fraction(1, 50)
BINARY = ("0", "1")


class Variable(NamedTuple):
    """P(state | parents) = rows[parents' states][state] / scale; states are counted from 0."""

    parents: tuple[str, ...]
    states: tuple[str, ...]
    rows: Mapping[tuple[int, ...], list[int]]
    scale: int


Model = dict[str, Variable]
Stratum = tuple[Fraction, Fraction | None, Fraction | None]  # mass, P(Y=1 | treated), P(Y=1 | control)


class Claim(NamedTuple):
    adjustment: Set
    effect: Fraction
    answer: str


# ---------------------------------------------------------------- reading


def read_model(record: Any) -> Model:
    (entries,) = fields(record, "variables")
    need(type(entries) is dict, "a model names its variables")
    whole = {named(name): {"parents": [], "states": None, "positive": None, **entries[name]} for name in entries}
    states = {name: BINARY if part["states"] is None else row(part["states"]) for name, part in whole.items()}
    return {name: _read_variable(part, name, states) for name, part in whole.items()}


def _read_variable(entry: Any, name: str, states: Mapping[str, tuple[str, ...]]) -> Variable:
    """Without states of its own it is 0 or 1, and the table says how likely 1 is; else a row has a number for each."""
    parents, listed, positive, table = fields(entry, "parents states positive p")
    above, own, binary = row(parents), states[name], listed is None
    need(len({*above}) == len(above) and {*above} <= states.keys() - {name}, f"{name} has an unknown parent")
    need(binary is (positive is None), f"the states of {name}")
    ones = {"1"} if binary else several(positive)
    need(len({*own}) == len(own) and set() < ones < {*own}, f"the states of {name}")
    sizes = [len(states[parent]) for parent in above]
    need(prod(sizes) <= MOST_ROWS, f"too large to recheck: the table of {name}")
    rows = {}
    for at in product(*map(range, sizes)):
        leaf = _leaf(table, at, sizes, name)
        need(binary or type(leaf) is list, f"the table of {name} has another shape")
        found = [1 - number(leaf), number(leaf)] if binary else [number(part) for part in leaf]
        legal = len(found) == len(own) and min(found) >= 0 and sum(found) == 1
        need(legal, f"a row of the table of {name} is no distribution")
        rows[at] = found
    scale = 1
    for part in (part for found in rows.values() for part in found):
        scale = lcm(scale, part.denominator)
        need(scale.bit_length() <= MOST_DIGITS, f"too large to recheck: the numbers of {name}")
    return Variable(above, own, {at: [int(part * scale) for part in found] for at, found in rows.items()}, scale)


def _leaf(table: Any, at: tuple[int, ...], sizes: list[int], name: str) -> Any:
    for place, size in zip(at, sizes, strict=True):
        need(type(table) is list and len(table) == size, f"the table of {name} has another shape")
        table = table[place]
    return table


def read_claim(q: Question, answer: Any) -> Claim | str:
    """A bare word, or a whole claim."""
    if type(answer) is str:
        return word(answer)
    adjustment, effect, said = fields(answer, "set effect answer")
    return Claim(several(adjustment), number(effect), word(said))


# ---------------------------------------------------------------- what can happen


def order_of(graph: Graph, wanted: Set) -> list[str]:
    """The wanted names and all above them, parents first: no other variable changes how likely these are."""
    left, order = graph.reach("<-", wanted), list[str]()
    while left:
        free = sorted(name for name in left if not graph.near("<-", name) & left)
        order, left = order + free, left - {*free}
    return order


def worlds(model: Model, order: list[str], do: Mapping[str, int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every assignment to the names in this order that can happen, with its weight."""
    count = prod(len(model[name].states) for name in order)
    bits = 64 + sum(model[name].scale.bit_length() for name in order)
    need(count <= MOST_WORLDS and count * bits <= MOST_BITS, "too large to recheck: the worlds to list")
    places = {name: [order.index(parent) for parent in model[name].parents] for name in order if name not in do}
    waiting: list[tuple[tuple[int, ...], int]] = [((), 1)]
    while waiting:
        at, mass = waiting.pop()
        if len(at) == len(order):
            yield at, mass
            continue
        name = order[len(at)]
        if name in do:
            waiting.append(((*at, do[name]), mass))
            continue
        chances = model[name].rows[tuple([at[place] for place in places[name]])]
        waiting += [((*at, state), mass * chance) for state, chance in enumerate(chances) if chance]


def scale_of(model: Model, order: list[str], do: Mapping[str, int]) -> int:
    return prod(model[name].scale for name in order if name not in do)


def limits(q: Question) -> tuple[Fraction, Fraction]:
    """The threshold and the tolerance."""
    threshold = Fraction(0) if q.threshold is None else number(q.threshold)
    tolerance = DEFAULT_TOLERANCE if q.tolerance is None else number(q.tolerance)
    need(tolerance >= 0, "the tolerance is negative")
    return threshold, tolerance


def event_of(q: Question) -> int:
    """The state of the outcome that is asked about: 1 where nothing is said of it."""
    need(q.said in ([], [[q.targets[1], "0"]], [[q.targets[1], "1"]]), "the formula gives no state of the outcome")
    return int(q.said[0][1]) if q.said else 1


def effect_of(q: Question, model: Model) -> Fraction:
    """P(Y=1 | do(X=1)) - P(Y=1 | do(X=0)), or of Y=0 where that is asked about."""
    (x, y), event = q.targets, event_of(q)
    order, means = order_of(q.graph, frozenset({x, y})), []
    for arm in (1, 0):
        weight = sum(mass for at, mass in worlds(model, order, {x: arm}) if at[order.index(y)] == event)
        means.append(Fraction(weight, scale_of(model, order, {x: arm})))
    return means[0] - means[1]


def strata_of(q: Question, model: Model, z: Set) -> dict[tuple[tuple[str, str], ...], Stratum]:
    """Each assignment to z that can happen, as pairs of a name and a state."""
    (x, y), event = q.targets, event_of(q)
    names, order = sorted(z), order_of(q.graph, z | {x, y})
    places = [order.index(name) for name in (*names, x, y)]
    weights: dict[tuple[int, ...], dict[tuple[int, int], int]] = {}
    for at, mass in worlds(model, order, {}):
        *stratum, treated, happens = (at[place] for place in places)
        cells = weights.setdefault(tuple(stratum), {})
        cells[treated, happens] = cells.get((treated, happens), 0) + mass
    found, scale = {}, scale_of(model, order, {})
    for seen, cells in weights.items():
        arms = [cells.get((arm, 0), 0) + cells.get((arm, 1), 0) for arm in (1, 0)]
        one, none = (Fraction(cells.get((arm, event), 0), arms[1 - arm]) if arms[1 - arm] else None for arm in (1, 0))
        given = tuple((name, model[name].states[state]) for name, state in zip(names, seen, strict=True))
        found[given] = Fraction(sum(cells.values()), scale), one, none
    return found


def psi_of(strata: Mapping[Any, Stratum]) -> Fraction | None:
    """The sum over the strata; None where one of them lacks an arm."""
    total = Fraction(0)
    for mass, one, none in strata.values():
        if one is None or none is None:
            return None
        total += (one - none) * mass
    return total


# ---------------------------------------------------------------- verdicts


def shows(q: Question, value: Claim | str, w: Any) -> bool:
    kind, (x, y) = w["kind"], q.targets
    model = read_model(q.scm)
    threshold, tolerance = limits(q)
    if not isinstance(value, Claim):
        effect = effect_of(q, model)
        need(kind == "effect" and (number(w["effect"]), number(w["threshold"])) == (effect, threshold))
        return value == ("yes" if effect > threshold else "no")
    z, cut = value.adjustment, q.graph.cut(x, q.graph.nodes)
    if kind == "unknown":
        need(several(w["names"]) and several(w["names"]) <= z - q.graph.nodes)
        return False
    if kind == "active_path":
        need(z <= q.graph.nodes and not cut.separated(w, x, y, z))
        return False
    need(kind in ("strata", "certificate") and several(w["adjustment"]) == z <= q.graph.nodes)
    need(z & {x, y} or not cut.joins(x, y, z), "the set does not separate")
    psi = _shown_strata(q, model, z, w)
    near = psi is not None and abs(value.effect - psi) <= tolerance
    right = near and value.answer == ("yes" if value.effect > threshold else "no")
    if kind == "certificate":
        need(not z & q.graph.reach("->", {x}) and y not in z, "the set holds a name that it must not")
        need(cut.separated(w["separated"], x, y, z), "the set does not separate")
        need(right and psi is not None and abs(psi - threshold) > tolerance, "another word was possible")
        need(effect_of(q, model) == psi, "the strata do not give the effect")
    return right


def _shown_strata(q: Question, model: Model, z: Set, w: Any) -> Fraction | None:
    """The sum of the strata that a witness lists, each of them recomputed."""
    need(type(w["strata"]) is list, "too large to recheck: the strata are not listed")
    strata, shown = strata_of(q, model, z - {*q.targets}), {}
    for part in w["strata"]:
        given, mass, one, none = fields(part, "given mass treated control")
        shown[tuple(sorted(given.items()))] = (
            number(mass),
            *(None if arm is None else number(arm) for arm in (one, none)),
        )
    psi = psi_of(strata)
    need(shown == strata and len(shown) == len(w["strata"]), "the strata are others")
    need((None if w["psi"] is None else number(w["psi"])) == psi, "the strata have another sum")
    return psi


def _legal(q: Question) -> None:
    """The graph is that of the tables, and the targets are 0 or 1."""
    model = read_model(q.scm)
    arrows = {(parent, name) for name, variable in model.items() for parent in variable.parents}
    need(q.graph.nodes == model.keys() and q.graph.arrows == arrows, "the graph is not the model's")
    need(all("states" not in q.scm["variables"][name] for name in q.targets), "a target is not 0 or 1")


FAMILIES = (
    Family(
        tasks={"ate": Ask(graphs="dag", takes="threshold tolerance formula scm")},
        kinds={
            "effect": "effect threshold",
            "unknown": "names",
            "active_path": "given path opened",
            "strata": "adjustment strata psi",
            "certificate": "adjustment strata psi separated",
        },
        value=read_claim,
        shows=shows,
        legal=_legal,
    ),
)
