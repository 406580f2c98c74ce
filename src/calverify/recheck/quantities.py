"""Numbers of a model other than the average effect: each found again by listing all that can happen.

A claim is a set, a number and a word, as in `effects`.  A number that needs no set may be claimed without one.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from .effects import Claim, Model, limits, order_of, read_model, scale_of, worlds
from .question import Ask, Family, Question
from .records import Set, fields, need, number, row, several, word

__all__ = ["FAMILIES"]

SEEN = ("probability", "correlation", "explaining_away")
AMONG = ("ett", "necessity")
MOST_ROOTS = 12


def states_of(q: Question, names: tuple[str, ...]) -> dict[str, int]:
    """The state of each name, 1 where the formula says nothing."""
    found = dict.fromkeys(names, 1)
    said = [row(pair, 2) for pair in q.said]
    need(len({pair[0] for pair in said}) == len(said), "the formula names a variable twice")
    for name, state in said:
        need(name in found and state in ("0", "1"), "the formula names another variable or state")
        found[name] = int(state)
    return found


def chance(q: Question, model: Model, event: Mapping[str, int]) -> Fraction:
    """The probability of seeing all of this."""
    order = order_of(q.graph, frozenset(event))
    places = {order.index(name): state for name, state in event.items()}
    hits = (mass for at, mass in worlds(model, order, {}) if all(at[place] == places[place] for place in places))
    return Fraction(sum(hits), scale_of(model, order, {}))


def share(q: Question, model: Model, event: Mapping[str, int], given: Mapping[str, int]) -> Fraction:
    below = chance(q, model, given)
    need(below > 0, "the condition never occurs")
    return chance(q, model, {**given, **event}) / below


def had_it_been(q: Question, model: Model, event: int, arms: tuple[int, int]) -> Fraction:
    """P(outcome) among those with X in the first arm, had X been in the second: by the causes of X."""
    (x, y), causes = q.targets, sorted(q.graph.near("<-", q.targets[0]))
    order = order_of(q.graph, frozenset({*causes, x, y}))
    places, at_x, at_y = [order.index(name) for name in causes], order.index(x), order.index(y)
    strata: dict[tuple[int, ...], list[int]] = {}
    for at, mass in worlds(model, order, {x: arms[1]}):
        cell = strata.setdefault(tuple(at[place] for place in places), [0, 0])
        cell[0] += mass
        cell[1] += mass * (at[at_y] == event)
    total = below = Fraction(0)
    for at, mass in worlds(model, order, {}):
        if at[at_x] == arms[0]:
            whole, hits = strata[tuple(at[place] for place in places)]
            total += Fraction(mass * hits, whole)
            below += mass
    need(below > 0, "an arm never occurs")
    return total / below


def among(q: Question, model: Model, event: int, z: Set) -> tuple[Fraction, Fraction] | None:
    """P(outcome) among the treated, and under control, both summed over the strata of a set; None without controls."""
    (x, y), names = q.targets, sorted(z - {*q.targets})
    order = order_of(q.graph, frozenset({*names, x, y}))
    places = [order.index(name) for name in (*names, x, y)]
    cells: dict[tuple[int, ...], dict[tuple[int, int], int]] = {}
    for at, mass in worlds(model, order, {}):
        *stratum, treated, happens = (at[place] for place in places)
        cell = cells.setdefault(tuple(stratum), {})
        cell[treated, happens] = cell.get((treated, happens), 0) + mass
    factual, counter, treated_mass = Fraction(0), Fraction(0), 0
    for cell in cells.values():
        one, none = (cell.get((arm, 0), 0) + cell.get((arm, 1), 0) for arm in (1, 0))
        if not one:
            continue
        if not none:
            return None
        treated_mass += one
        factual += cell.get((1, event), 0)
        counter += Fraction(one * cell.get((0, event), 0), none)
    need(treated_mass > 0, "nobody is treated")
    return factual / treated_mass, counter / treated_mass


def two_ways(q: Question, model: Model, event: int, arms: tuple[int, int]) -> Fraction:
    """P(outcome) where the arrow X -> Y carries the first arm, and all other arrows out of X the second."""
    x, y = q.targets
    order = order_of(q.graph, frozenset(q.graph.near("<-", y)) | {x})
    outcome, total = model[y], Fraction(0)
    if y in order:  # it is a cause of the treatment, which then changes nothing
        return chance(q, model, {y: event})
    for at, mass in worlds(model, order, {x: arms[1]}):
        seen = tuple(arms[0] if parent == x else at[order.index(parent)] for parent in outcome.parents)
        total += Fraction(mass * outcome.rows[seen][event], outcome.scale)
    return total / scale_of(model, order, {x: arms[1]})


def seen_number(q: Question, model: Model) -> Fraction:
    given = tuple(sorted(q.given))
    states = states_of(q, (*q.targets, *given))
    condition = {name: states[name] for name in given}
    if q.task == "probability":
        (y,) = q.targets
        return share(q, model, {y: states[y]}, condition)
    x, y = q.targets
    happens = {y: states[y]}
    if q.task == "correlation":
        return share(q, model, happens, {**condition, x: 1}) - share(q, model, happens, {**condition, x: 0})
    return share(q, model, happens, {**condition, x: states[x]}) - share(q, model, happens, condition)


def truth(q: Question, model: Model) -> Fraction:
    if q.task in SEEN:
        return seen_number(q, model)
    (y,) = q.targets[1:]
    event = states_of(q, (y,))[y]
    if q.task in AMONG:
        factual, counter = had_it_been(q, model, event, (1, 1)), had_it_been(q, model, event, (1, 0))
        return factual - counter if q.task == "ett" else _needed(factual, counter)
    arms = (1, 0) if q.task == "natural_direct" else (0, 1)
    return two_ways(q, model, event, arms) - two_ways(q, model, event, (0, 0))


def _needed(factual: Fraction, counter: Fraction) -> Fraction:
    need(factual > 0, "no treated unit has the outcome")
    return (factual - counter) / factual


def given_set(q: Question, model: Model, z: Set) -> Fraction | None:
    """The number that a claim with this set should report."""
    if q.task not in AMONG:
        return truth(q, model)
    parts = among(q, model, states_of(q, q.targets[1:])[q.targets[1]], z)
    if parts is None:
        return None
    if q.task == "ett":
        return parts[0] - parts[1]
    return _needed(*parts) if parts[0] else None


# ---------------------------------------------------------------- verdicts


def read_claim(q: Question, answer: Any) -> Claim | str:
    if type(answer) is str:
        return word(answer)
    stated, effect, said = fields(answer, "set effect answer")
    need(stated is not None or q.task in SEEN, "the claim states no set")
    return Claim(frozenset() if stated is None else several(stated), number(effect), word(said))


def shows(q: Question, value: Claim | str, w: Any) -> bool:
    model, (threshold, tolerance) = read_model(q.scm), limits(q)
    if not isinstance(value, Claim):
        found = truth(q, model)
        need(w["kind"] == "effect" and (number(w["effect"]), number(w["threshold"])) == (found, threshold))
        return value == ("yes" if found > threshold else "no")
    z = value.adjustment
    if w["kind"] == "unknown":
        need(several(w["names"]) and several(w["names"]) <= z - q.graph.nodes)
        return False
    need(z <= q.graph.nodes, "the set names what is not in the graph")
    if not fits(q, z, w):
        return False
    need(w["kind"] == "quantity" and several(w["set"]) == z)
    found_by = given_set(q, model, z)
    need((None if w["value"] is None else number(w["value"])) == found_by, "the number is another")
    near = found_by is not None and abs(value.effect - found_by) <= tolerance
    return near and value.answer == ("yes" if value.effect > threshold else "no")


def fits(q: Question, z: Set, w: Any) -> bool:
    """May the number be computed with this set?  Where not, the witness shows it."""
    if q.task in SEEN:
        return True
    x, y = q.targets
    if q.task in AMONG:
        cut = q.graph.cut(x, q.graph.nodes)
        if w["kind"] == "active_path":
            need(not cut.separated(w, x, y, z))
            return False
        need(z & {x, y} or not cut.joins(x, y, z), "the set does not separate")
        return True
    between = (q.graph.reach("->", {x}) & q.graph.reach("<-", {y})) - {x, y}
    if w["kind"] == "no_mediator":
        need(w["name"] in z - between and several(w["mediators"]) == between)
        return False
    if w["kind"] == "directed_walk":
        walk = row(w["walk"])
        need(w["cut"] is None and q.graph.has(walk) and len(walk) > 2 and (walk[0], walk[-1]) == (x, y))
        need(not z & {*walk} and z <= between, "the walk meets the set")
        return False
    inside = q.graph.cut(x, {y})
    need(z <= between and y not in inside.reach("->", {x}, z), "a path leaves the set out")
    return True


def legal(q: Question) -> None:
    """The graph is that of the tables, and what is asked about is 0 or 1; the treatment may not be seen to prevent."""
    model = read_model(q.scm)
    arrows = {(parent, name) for name, variable in model.items() for parent in variable.parents}
    need(q.graph.nodes == model.keys() and q.graph.arrows == arrows, "the graph is not the model's")
    names = (*q.targets, *q.given)
    need(
        all("states" not in q.scm["variables"][name] for name in names), "a variable that is asked about is not 0 or 1"
    )
    need(len({*names}) == len(names), "a name stands twice among the targets and the condition")
    need(q.task != "explaining_away" or q.given, "no common effect is named")
    limits(q)
    states_of(q, names if q.task in (*SEEN, "counterfactual") else q.targets[1:])
    if q.task == "necessity":
        event = states_of(q, q.targets[1:])[q.targets[1]]
        treated = [had_it_been(q, model, event, (1, arm)) for arm in (1, 0)]
        need(treated[0] >= treated[1], "the treatment prevents the outcome")
        if chance(q, model, {q.targets[0]: 0}):
            need(had_it_been(q, model, event, (0, 1)) >= had_it_been(q, model, event, (0, 0)), "the treatment prevents")


# ---------------------------------------------------------------- without chance


def shows_word(q: Question, value: str, w: Any) -> bool:
    """Every world with what is seen gives the outcome one state; the witness is one of them."""
    model, given = read_model(q.scm), tuple(sorted(q.given))
    states = states_of(q, (*q.targets, *given))
    order = order_of(q.graph, q.graph.nodes)
    roots = [name for name in order if not model[name].parents]
    need(len(roots) <= MOST_ROOTS, "too large to recheck: the roots")
    pairs = []
    for at in product((0, 1), repeat=len(roots)):
        start = dict(zip(roots, at, strict=True))
        if all(model[name].rows[()][state] for name, state in start.items()):
            seen = world(model, order, start, {})
            if all(seen[name] == states[name] for name in given):
                pairs.append((seen, world(model, order, start, {q.targets[0]: states[q.targets[0]]})))
    ends = {after[q.targets[1]] for _, after in pairs}
    need(len(ends) == 1, "what is seen does not settle the outcome")
    need((w["seen"], w["had_it_been"]) in pairs, "no such world")
    return value == ("yes" if ends == {states[q.targets[1]]} else "no")


def world(model: Model, order: list[str], roots: Mapping[str, int], do: Mapping[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in order:
        variable = model[name]
        if name in do or name in roots:
            found[name] = do.get(name, roots.get(name, 0))
            continue
        chances = variable.rows[tuple(found[parent] for parent in variable.parents)]
        need(sorted(chances) == [0, variable.scale], f"the table of {name} leaves it to chance")
        found[name] = chances.index(variable.scale)
    return found


NUMBER = {"effect": "effect threshold", "unknown": "names", "quantity": "set value"}
CAUSAL = "threshold tolerance formula scm"
FAMILIES = (
    Family(
        tasks={
            "probability": Ask((1,), "dag", f"given {CAUSAL}"),
            "correlation": Ask(graphs="dag", takes=f"given {CAUSAL}"),
            "explaining_away": Ask(graphs="dag", takes=f"given {CAUSAL}"),
        },
        kinds=NUMBER,
        value=read_claim,
        shows=shows,
        legal=legal,
    ),
    Family(
        tasks=dict.fromkeys(AMONG, Ask(graphs="dag", takes=CAUSAL)),
        kinds={**NUMBER, "active_path": "given path opened"},
        value=read_claim,
        shows=shows,
        legal=legal,
    ),
    Family(
        tasks=dict.fromkeys(("natural_direct", "natural_indirect"), Ask(graphs="dag", takes=CAUSAL)),
        kinds={**NUMBER, "no_mediator": "name mediators", "directed_walk": "walk cut"},
        value=read_claim,
        shows=shows,
        legal=legal,
    ),
    Family(
        tasks={"counterfactual": Ask(graphs="dag", takes="given formula scm")},
        kinds={"worlds": "seen had_it_been"},
        value=lambda q, answer: word(answer),
        shows=shows_word,
        legal=legal,
    ),
)
