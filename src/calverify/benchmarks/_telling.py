"""Edges told in words: sentences that name an edge, that describe a mechanism, and narratives.

Rule 1: every sentence that tells of a cause does so with one of the phrases below, and tells of one edge a phrase.
Rule 2: what a narrative adds says nothing of what causes what.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from random import Random

from calverify.benchmarks._domains import Domain

__all__ = ["ASIDES", "MECHANISMS", "REMARKS", "TELLERS", "edge_stated"]

Edge = tuple[str, str]

# What a mechanism sentence says of a cause {a} and its effect {b}.
MECHANISMS = (
    "part of what sets {b} is {a}",
    "a shift in {a} brings a shift in {b}",
    "{b} responded to changes in {a}",
    "{a} fed straight into {b}",
    "a change in {a} is passed on to {b} with nothing in between",
    "{a} left its own mark on {b}",
)
REMARKS = (
    "people there swore that {b} moved because of {a}",
    "again and again it was {a} that pushed {b} one way or the other",
    "{a} kept nudging {b}",
    "nobody doubted that {a} had a hand in {b}",
    "whatever happened to {a} soon showed in {b}",
    "{b} bent to {a}",
)
ASIDES = (
    "Notes on {v} were kept in a drawer of their own.",
    "It took a while to agree on how to record {v}.",
    "A visitor asked what was meant by {v}.",
)


def edge_stated(edges: Sequence[Edge], names: Sequence[str], domain: Domain | None, rng: Random) -> str:
    """ "PKC has a direct effect on PKA and Raf."; a variable without an effect of its own is in no sentence.

    Names stand as they are, so that they can be read back.
    """
    by_cause = {cause: [b for _, b in group] for cause, group in groupby(sorted(edges), key=lambda edge: edge[0])}
    causes = rng.sample(sorted(by_cause), len(by_cause))
    told = [
        f"{cause} has a direct effect on {_listed(rng.sample(by_cause[cause], len(by_cause[cause])))}."
        for cause in causes
    ]
    return " ".join(told)


def mechanisms(edges: Sequence[Edge], names: Sequence[str], domain: Domain, rng: Random) -> str:
    """A sentence an edge, each in words of its own."""
    phrases = _spread(MECHANISMS, len(edges), rng)
    told = [_capital(phrase.format(a=a, b=b)) + "." for phrase, (a, b) in zip(phrases, edges, strict=True)]
    return " ".join(told)


def narrative(edges: Sequence[Edge], names: Sequence[str], domain: Domain, rng: Random) -> str:
    """A scene, the edges in pairs and alone, and asides between them."""
    phrases = _spread(REMARKS, len(edges), rng)
    clauses = [phrase.format(a=a, b=b) for phrase, (a, b) in zip(phrases, edges, strict=True)]
    told: list[str] = []
    while clauses:
        first = clauses.pop()
        more = f", and {clauses.pop()}" if clauses and rng.random() < 0.5 else ""
        told.append(_capital(first) + more + ".")
    asides = [*domain.asides, *(aside.format(v=rng.choice(names)) for aside in rng.sample(ASIDES, 2))]
    for aside in asides:
        told.insert(rng.randint(0, len(told)), _capital(aside))
    return " ".join([domain.scene, *told])


def _spread(phrases: Sequence[str], count: int, rng: Random) -> list[str]:
    """So many phrases, none of them again before all have been used."""
    found: list[str] = []
    while len(found) < count:
        found += rng.sample(phrases, len(phrases))
    return found[:count]


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


TELLERS: dict[str, Callable[[Sequence[Edge], Sequence[str], Domain, Random], str]] = {
    "l1": edge_stated,
    "l2": mechanisms,
    "l3": narrative,
}
