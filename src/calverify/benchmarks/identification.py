"""The identification corpus: which expression in observed probabilities is P(outcome | do(treatment))?

Every item is built round an intended estimand and a distractor that a hasty reader would write, and passes a gate
before any candidate exists: the intended estimand has a derivation in the item's graph, and the distractor is refuted.
An idea that fails the gate is dropped and counted, so the corpus says how many of them were wrong; and on how many the
engines contradicted each other, even where these are none.

Three slices, with the paper's counts:
  mediator_trap  the treatment works through a mediator, and the distractor adjusts for it
  unconfounded   nothing confounds, so the effect is what is observed; the distractor adjusts for a common effect, or
                 forgets the treatment
  confounded     something observed confounds; the distractor leaves it out, or weighs it by the treatment
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from random import Random
from types import MappingProxyType

from calverify.benchmarks._item import Corpus, Item, generated
from calverify.errors import BudgetError
from calverify.graphs import Graph
from calverify.keys import Key
from calverify.problem import Problem, Query

__all__ = ["COUNTS", "Idea", "corpus", "gate"]

COUNTS: Mapping[str, int] = MappingProxyType({"mediator_trap": 79, "unconfounded": 84, "confounded": 77})
MOST_TRIED = 50  # ideas for each item that is wanted
DISAGREED = "the engines disagree"
MOST_NODES = 7

Edge = tuple[str, str]
Shape = tuple[tuple[tuple[int, int], ...], ...]

LETTERS = "ABCDFGHJKLMNQRSTVWXYZ"  # no E or P, which expressions use


@dataclass(frozen=True, slots=True)
class Idea:
    """An item before the gate."""

    slice: str
    graph: Graph
    treatment: str
    outcome: str
    intended: str
    distractor: str


@dataclass(slots=True)
class _Sketch:
    """A graph under construction; `spare` are names that it does not use yet."""

    treatment: str
    outcome: str
    spare: list[str]
    arrows: set[Edge]
    arcs: set[Edge]

    def take(self) -> str:
        return self.spare.pop()


@generated("identification", "which expression is the effect? 240 items, each with a trap; generated, gated")
def corpus(rng: Random) -> Corpus:
    """The items that `rng` gives, no two the same but for the names."""
    dropped = Counter({(name, DISAGREED): 0 for name in COUNTS})
    seen: set[Shape] = set()
    ideas = [idea for name, wanted in COUNTS.items() for idea in _passed(name, wanted, seen, dropped, rng)]
    rng.shuffle(ideas)  # a slice tells of its trap, so neither an item's place nor its name may
    items = tuple(_item(idea, number) for number, idea in enumerate(ideas))
    return Corpus(items, MappingProxyType(dict(sorted(dropped.items()))))


def _passed(name: str, wanted: int, seen: set[Shape], dropped: Counter[tuple[str, str]], rng: Random) -> Iterator[Idea]:
    """Ideas of a slice that pass the gate; `seen` and `dropped` take the others in."""
    for _ in range(MOST_TRIED * wanted):
        idea = SLICES[name](rng)
        shape = _shape(idea)
        why = "the same question was asked before" if shape in seen else gate(idea)
        if why:
            dropped[name, why] += 1
            continue
        seen.add(shape)
        yield idea
        wanted -= 1
        if not wanted:
            return
    raise BudgetError(f"{MOST_TRIED} ideas for each item of the slice {name} were not enough")


def _shape(idea: Idea) -> Shape:
    """The graph with the treatment as 0, the outcome as 1 and the others in the order that spells it smallest."""
    others = [node for node in idea.graph.nodes if node not in (idea.treatment, idea.outcome)]
    spelled = []
    for order in permutations(others):
        place = {node: at for at, node in enumerate((idea.treatment, idea.outcome, *order))}
        arrows = sorted((place[a], place[b]) for a, b in idea.graph.directed)
        arcs = sorted((min(place[a], place[b]), max(place[a], place[b])) for a, b in idea.graph.bidirected)
        spelled.append((tuple(arrows), tuple(arcs)))
    return min(spelled)


def gate(idea: Idea) -> str | None:
    """Why an idea is no item; None when the intended estimand is derived and the distractor is refuted."""
    from calverify.docalculus import Disagreement, Effect, decide, read_expression

    effect = Effect(idea.graph, frozenset({idea.treatment}), frozenset({idea.outcome}))
    intended, distractor = (read_expression(text, idea.graph.nodes) for text in (idea.intended, idea.distractor))
    try:
        if decide(effect, intended, prove_it=True).witness["kind"] != "derivation":
            return "the intended estimand is not derivable"
        return "the distractor is derivable" if decide(effect, distractor).accepted else None
    except Disagreement:
        return DISAGREED


def _item(idea: Idea, number: int) -> Item:
    query = Query("identification", (idea.treatment, idea.outcome))
    ident = f"identification-{number:03}"
    text = (
        f"In the causal graph below, which expression in observed probabilities equals "
        f"P({idea.outcome} | do({idea.treatment}))?"
    )
    key = Key(ident, published=idea.intended, strata={"slice": idea.slice})
    return Item(Problem(ident, query, idea.graph, text), key)


# ---------------------------------------------------------------- ideas


def _mediator_trap(rng: Random) -> Idea:
    sketch = _begin(rng)
    mediator = sketch.take()
    sketch.arrows |= {(sketch.treatment, mediator), (mediator, sketch.outcome)}
    if rng.random() < 0.5:
        sketch.arrows.add((sketch.treatment, sketch.outcome))
    adjusted = [_confounder(sketch, rng)] if rng.random() < 0.4 else []
    _surround(sketch, rng)
    return _idea("mediator_trap", sketch, rng, adjusted, _adjusting(sketch, [mediator, *adjusted]))


def _unconfounded(rng: Random) -> Idea:
    sketch = _begin(rng)
    _cause(sketch, rng)
    if rng.random() < 0.6:
        effect = sketch.take()
        sketch.arrows |= {(sketch.treatment, effect), (sketch.outcome, effect)}
        distractor = _adjusting(sketch, [effect])
    else:
        distractor = f"P({sketch.outcome})"
    _surround(sketch, rng)
    return _idea("unconfounded", sketch, rng, [], distractor)


def _confounded(rng: Random) -> Idea:
    sketch = _begin(rng)
    _cause(sketch, rng)
    adjusted = [_confounder(sketch, rng) for _ in range(rng.choice((1, 1, 2)))]
    x, y, z = sketch.treatment, sketch.outcome, adjusted[0]
    distractor = rng.choice((f"P({y} | {x})", f"sum_{{{z}}} P({y} | {x}, {z}) P({z} | {x})"))
    _surround(sketch, rng)
    return _idea("confounded", sketch, rng, adjusted, distractor)


SLICES = {"mediator_trap": _mediator_trap, "unconfounded": _unconfounded, "confounded": _confounded}


def _begin(rng: Random) -> _Sketch:
    treatment, outcome, *spare = rng.sample(LETTERS, MOST_NODES)
    return _Sketch(treatment, outcome, spare, set(), set())


def _cause(sketch: _Sketch, rng: Random) -> None:
    """The treatment acts on the outcome, directly or through something."""
    if rng.random() < 0.6:
        sketch.arrows.add((sketch.treatment, sketch.outcome))
    else:
        between = sketch.take()
        sketch.arrows |= {(sketch.treatment, between), (between, sketch.outcome)}


def _confounder(sketch: _Sketch, rng: Random) -> str:
    """Something observed on a path that comes into the treatment and goes on to the outcome."""
    name = sketch.take()
    if rng.random() < 0.25:
        sketch.arcs.add((name, sketch.treatment))
    else:
        sketch.arrows.add((name, sketch.treatment))
    sketch.arrows.add((name, sketch.outcome))
    return name


def _surround(sketch: _Sketch, rng: Random) -> None:
    """Zero to two more names: a cause of the treatment or of the outcome, an effect of either, or any two joined."""
    for _ in range(min(len(sketch.spare), rng.choice((0, 1, 1, 2)))):
        name, beside = sketch.take(), rng.choice((sketch.treatment, sketch.outcome))
        kind = rng.choice(("cause", "effect", "hidden"))
        if kind == "hidden":
            sketch.arcs.add((name, beside))
        else:
            sketch.arrows.add((name, beside) if kind == "cause" else (beside, name))
        if rng.random() < 0.3:  # a second edge, which may well spoil the idea: the gate sees to that
            sketch.arrows.add((name, sketch.outcome) if kind != "effect" else (sketch.treatment, name))


def _adjusting(sketch: _Sketch, adjusted: list[str]) -> str:
    """ "sum_{Z} P(Y | X, Z) P(Z)", or "P(Y | X)" where nothing is adjusted for."""
    x, y = sketch.treatment, sketch.outcome
    if not adjusted:
        return f"P({y} | {x})"
    names = ", ".join(sorted(adjusted))
    return f"sum_{{{names}}} P({y} | {x}, {names}) P({names})"


def _idea(name: str, sketch: _Sketch, rng: Random, adjusted: list[str], distractor: str) -> Idea:
    used = {sketch.treatment, sketch.outcome, *(end for edge in sketch.arrows | sketch.arcs for end in edge)}
    graph = Graph(rng.sample(sorted(used), len(used)), sorted(sketch.arrows), sorted(sketch.arcs))
    return Idea(name, graph, sketch.treatment, sketch.outcome, _adjusting(sketch, adjusted), distractor)
