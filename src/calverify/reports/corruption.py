"""What is left of the gain when the checker is handed a damaged graph; candidates and truth stay as they are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from calverify.errors import CalverifyError
from calverify.evaluation import Study, Unit
from calverify.graphs import Graph
from calverify.problem import Problem
from calverify.reports._damaged_graph import damaged
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Number, Plot, Points, Series, Share, Table
from calverify.reports._units import (
    CALVER,
    VOTE,
    accuracy_of,
    empty,
    gains_of,
    interval_note,
    lacking,
    plural,
    units_of,
)
from calverify.scoring import Checker, checker_for
from calverify.selectors import earliest_max
from calverify.traces import Trace, parse

__all__ = ["corruption", "handed", "pick_on"]

NAME, TITLE = "corruption", "Lift over plurality as the graph handed to the checker is damaged"
COLUMNS = (
    "damage", "rate", "units", "edges damaged", "accuracy", "lift over the vote", "share of the intact lift", "refused",
)  # fmt: skip
AT_RATES = ("delete", "add", "reverse", "mixed")
WHOLE = ("random", "full reversal")
INTACT = "intact"

Condition = tuple[str, Fraction]
Place = tuple[int, str]  # which study, and which of its problems


@dataclass(slots=True)
class Handed:
    """One condition: a checker for each problem, None where the query means nothing on the damaged graph."""

    checkers: dict[Place, Checker | None]
    damaged: int = 0
    edges: int = 0


def _fits(problem: Problem) -> bool:
    """Is there a supplied graph that can be damaged without touching anything else?"""
    graph = problem.graph
    return isinstance(graph, Graph) and graph.kind != "undirected" and problem.scm is None


def handed(problems: Mapping[Place, Problem], condition: Condition, seed: int) -> Handed:
    """The checkers of this condition; the damage depends on the seed, the problem and the condition alone."""
    damage, rate = condition
    found = Handed({})
    for place, problem in problems.items():
        assert problem.graph is not None
        graph, done = problem.graph, 0
        if damage != INTACT:
            graph, done = damaged(graph, damage, rate, Random(f"{seed} {problem.id} {damage} {rate}"))
        found.damaged += done
        found.edges += len(problem.graph.directed) + len(problem.graph.bidirected)
        try:
            found.checkers[place] = checker_for(replace(problem, graph=graph))
        except CalverifyError:
            found.checkers[place] = None
    return found


def pick_on(unit: Unit, traces: Sequence[Trace], checker: Checker | None) -> int | None:
    """The earliest best candidate by this checker; without one all score alike.  Who stands does not change."""
    if checker is None:
        return earliest_max([0 if stands else None for stands in unit.stands])
    scores = [checker.judge(trace).score if stands else None for trace, stands in zip(traces, unit.stands, strict=True)]
    return earliest_max(scores)


def _conditions(rates: Sequence[Fraction]) -> Iterator[Condition]:
    yield INTACT, Fraction(0)
    for damage in AT_RATES:
        yield from ((damage, rate) for rate in rates)
    yield from ((damage, Fraction(1)) for damage in WHOLE)


@report("corruption")
def corruption(studies: Sequence[Study], options: Options) -> Parts:
    """Lift of calver over plurality with edges deleted, added, reversed, mixed, random, and all reversed."""
    if why := lacking(studies, VOTE, CALVER):
        return [empty(NAME, TITLE, why)]
    kept = [(study, unit, (place, unit.problem)) for place, study in enumerate(studies) for unit in study.units
            if _fits(study.problems[unit.problem])]  # fmt: skip
    if not kept:
        return [empty(NAME, TITLE, "needs problems that supply a graph with directions, and no probability tables.")]
    traces = [[parse(text) for text in study.pools[unit.problem, unit.seed].texts] for study, unit, _ in kept]
    problems = {key: study.problems[unit.problem] for study, unit, key in kept}
    picked: dict[Condition, list[int | None]] = {}
    hands: dict[Condition, Handed] = {}
    for condition in _conditions(options.rates):
        hands[condition] = hand = handed(problems, condition, options.seed)
        picked[condition] = [
            pick_on(unit, read, hand.checkers[key]) for (_, unit, key), read in zip(kept, traces, strict=True)
        ]
    units = _with_choices([unit for _, unit, _ in kept], picked)
    lifts = _lifts(units, list(picked), options)
    rows = tuple(_row(condition, units, lifts, hands[condition]) for condition in picked)
    left = len(units_of(studies)) - len(units)
    notes = [
        interval_note(units, options.how),
        f"Damage is drawn with seed {options.seed}: one graph a problem and condition, the same for every pool.",
        "Candidates, answers and truth are those of the study; only the graph handed to the checker changes, so the "
        "graph component too compares with the damaged one.",
        "Refused: problems whose query means nothing on the damaged graph (a named path that is gone); there all "
        "candidates score alike and the first is picked.",
    ]
    if left:
        notes.append(f"Left out: {plural(left, 'unit')} without a supplied graph, or with tables that fix their graph.")
    return [Table(NAME, TITLE, COLUMNS, rows, tuple(notes)), _plot(lifts, options)]


def _said(condition: Condition) -> str:
    return f"{condition[0]} {condition[1]}"


def _with_choices(units: Sequence[Unit], picked: dict[Condition, list[int | None]]) -> list[Unit]:
    """The units with the pick of every condition as one more choice."""
    found = []
    for place, unit in enumerate(units):
        more = {_said(condition): picks[place] for condition, picks in picked.items()}
        found.append(replace(unit, choices={**unit.choices, **more}))
    return found


def _lifts(units: Sequence[Unit], conditions: Sequence[Condition], options: Options) -> dict[Condition, Points]:
    """The lift of every condition; negated gains of the vote, so that all share their draws."""
    found = gains_of(units, VOTE, [_said(condition) for condition in conditions], options.how)
    return {condition: _negated(points) for condition, points in zip(conditions, found, strict=True)}


def _negated(points: Points) -> Points:
    one = points.interval
    turned = None if one is None else replace(one, point=-one.point, low=-one.high, high=-one.low)
    return Points(-points.value, turned)


def _row(condition: Condition, units: Sequence[Unit], lifts: dict[Condition, Points], hand: Handed) -> tuple[Cell, ...]:
    lift, intact = lifts[condition].value, lifts[INTACT, Fraction(0)].value
    part = Number(Fraction(lift) / Fraction(intact)) if intact else None
    refused = sum(checker is None for checker in hand.checkers.values())
    rate = Share(condition[1])
    accuracy = accuracy_of(units, _said(condition))
    return (
        condition[0],
        rate,
        len(units),
        Share.of(hand.damaged, hand.edges),
        accuracy,
        lifts[condition],
        part,
        refused,
    )


def _plot(lifts: dict[Condition, Points], options: Options) -> Plot:
    """A curve for each damage that has a rate; the two that have none are named in the caption."""
    intact = (INTACT, Fraction(0))
    series = []
    for damage in AT_RATES:
        line = [lifts[intact], *(lifts[damage, rate] for rate in options.rates)]
        band = tuple((one.interval.low, one.interval.high) for one in line if one.interval is not None)
        series.append(Series(damage, tuple(float(one.value) for one in line), band))
    ends = "; ".join(f"{name}: {100 * float(lifts[name, Fraction(1)].value):+.1f} points" for name in WHOLE)
    places = (0.0, *map(float, options.rates))
    caption = f"The pools are identical in every condition.  {ends}."
    return Plot(NAME, TITLE, "curve", places, tuple(series), "share of edges damaged", "lift over plurality", "points",
                caption)  # fmt: skip
