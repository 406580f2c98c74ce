"""Effects and probabilities of random binary models: 500 questions of five kinds, at every decision margin.

Rule 1: kinds, strata of the margin and the words yes and no are spread evenly: 100 questions of each kind, 25 of them
in each stratum, and yes as often as no, in a stratum up to one.
Rule 2: no number lies on its threshold.
Rule 3: of an effect, the treatment acts on the outcome, the empty set is wrong, and some set is right.
Rule 4: of a probability of necessity, the tables do not show that the treatment prevents the outcome.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from types import MappingProxyType
from typing import Any

from calverify.benchmarks._item import Corpus, Item, generated
from calverify.effects import SCM
from calverify.errors import BudgetError, QueryError
from calverify.graphs import Graph, separated
from calverify.keys import Key
from calverify.problem import Problem, Query
from calverify.tasks import find_task

__all__ = ["EDGES", "KINDS", "corpus", "stratum_of"]

EDGES = tuple(map(Fraction, ("0", "1/50", "1/20", "3/20", "1")))
PER_STRATUM = 25
FEWEST, MOST = 4, 5  # nodes
MOST_PARENTS = 3
MOST_TRIED = 40_000  # models for one kind
HALF = Fraction(1, 2)
LETTERS = "ABCDFGHJKLMNQRSTUVWXYZ"

Draft = tuple[SCM, Query]
Cell = tuple[int, str]  # a stratum and a word


@generated("ate", "500 questions about effects and probabilities in random binary models; generated")
def corpus(rng: Random) -> Corpus:
    """The items that `rng` gives, the kinds in turn."""
    dropped: Counter[tuple[str, str]] = Counter()
    drawn = [list(_drawn(kind, dropped, rng)) for kind in KINDS]
    turns = [draft for turn in zip(*drawn, strict=True) for draft in turn]
    items = tuple(_item(number, *draft) for number, draft in enumerate(turns))
    return Corpus(items, MappingProxyType(dict(sorted(dropped.items()))))


def stratum_of(margin: Fraction) -> int:
    """Which stratum a margin falls into; the last one holds its upper edge."""
    return sum(margin >= edge for edge in EDGES[1:-1])


def _drawn(kind: str, dropped: Counter[tuple[str, str]], rng: Random) -> Iterator[tuple[str, Draft, int, str]]:
    """The questions of one kind, in random order of stratum and word."""
    room = Counter({
        (stratum, word): PER_STRATUM // 2 + (word == ("yes", "no")[stratum % 2] and PER_STRATUM % 2)
        for stratum in range(len(EDGES) - 1)
        for word in ("yes", "no")
    })  # fmt: skip
    found: list[tuple[str, Draft, int, str]] = []
    for _ in range(MOST_TRIED):
        draft = KINDS[kind](rng)
        if draft is None:
            continue
        cell = _cell(*draft)
        if cell is None or not room[cell]:
            dropped[kind, "another of its margin is there already" if cell else "the number is the threshold"] += 1
            continue
        room[cell] -= 1
        found.append((kind, draft, *cell))
        if not +room:
            rng.shuffle(found)
            yield from found
            return
    raise BudgetError(f"{MOST_TRIED:,} models were not enough for questions of the kind {kind}")


def _cell(scm: SCM, query: Query) -> Cell | None:
    """The stratum and the word; None for a number on its threshold."""
    number = find_task(query.task).case(scm, query).state.truth()
    threshold = query.threshold or Fraction(0)
    if number == threshold:
        return None
    return stratum_of(abs(number - threshold)), "yes" if number > threshold else "no"


def _item(number: int, kind: str, draft: Draft, stratum: int, word: str) -> Item:
    ident = f"ate-{number:03}"
    scm, query = draft
    margin = f"[{float(EDGES[stratum]):g}, {float(EDGES[stratum + 1]):g}" + ("]" if stratum == len(EDGES) - 2 else ")")
    key = Key(ident, published=word, strata={"slice": kind, "margin": margin})
    return Item(Problem(ident, query, scm.graph, scm=scm), key)


# ---------------------------------------------------------------- models


def _parents(rng: Random) -> dict[str, list[str]]:
    """A random dag of four or five nodes, as the causes of each; the order of its nodes says nothing."""
    names = rng.sample(LETTERS, rng.randint(FEWEST, MOST))
    causes = {}
    for at, name in enumerate(names):
        above = [other for other in names[:at] if rng.random() < 0.6]
        causes[name] = sorted(rng.sample(above, min(len(above), MOST_PARENTS)))
    return dict(sorted(causes.items()))


def _model(rng: Random, causes: dict[str, list[str]]) -> SCM:
    """Tables in twentieths."""
    entries = {name: {"parents": above, "p": _table(rng, len(above))} for name, above in causes.items()}
    return SCM.from_json({"variables": entries})


def _table(rng: Random, parents: int) -> Any:
    return [_table(rng, parents - 1) for _ in range(2)] if parents else rng.randint(1, 19) / 20


def _confounded(rng: Random) -> tuple[SCM, tuple[str, str]] | None:
    """A model with a treatment that acts on an outcome, and a way between them that must be blocked."""
    causes = _parents(rng)
    graph = Graph(list(causes), [(cause, name) for name, above in causes.items() for cause in above])
    pairs = [
        (x, y)
        for x in graph.nodes
        for y in sorted(graph.strict_descendants({x}))
        if not separated(graph.without_edges_out_of({x}), {x}, {y}, ())
    ]
    return (_model(rng, causes), rng.choice(pairs)) if pairs else None


def _effect(task: str, threshold: Fraction) -> Callable[[Random], Draft | None]:
    def draft(rng: Random) -> Draft | None:
        drawn = _confounded(rng)
        if drawn is None:
            return None
        scm, targets = drawn
        query = Query(task, targets, threshold=threshold)
        try:
            find_task(task).case(scm, query)
        except QueryError:  # the treatment prevents the outcome
            return None
        return scm, query

    return draft


def _marginal(rng: Random) -> Draft | None:
    scm = _model(rng, _parents(rng))
    inner = [name for name in scm.graph.nodes if scm.graph.parents({name})]
    return (scm, Query("probability", (rng.choice(inner),), threshold=HALF)) if inner else None


def _conditional(rng: Random) -> Draft | None:
    """Of a cause given its effect as often as the other way round."""
    scm = _model(rng, _parents(rng))
    outcome, seen = rng.sample(scm.graph.nodes, 2)
    joined = scm.graph.ancestors({outcome}) & scm.graph.ancestors({seen})
    if not joined:
        return None
    states = ((seen, rng.choice("01")),)
    return scm, Query("probability", (outcome,), given=(seen,), formula=states, threshold=HALF)


KINDS: dict[str, Callable[[Random], Draft | None]] = {
    "ate": _effect("ate", Fraction(0)),
    "ett": _effect("ett", Fraction(0)),
    "marginal": _marginal,
    "conditional": _conditional,
    "necessity": _effect("necessity", HALF),
}
