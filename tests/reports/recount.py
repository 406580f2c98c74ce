"""Two small simulated studies, and the same pools counted again by hand from their texts.

The recount reads ANSWER lines by itself, judges answers by the oracles, and picks with nested loops; only the six bits
are the checker's own, which other tests hold to account.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import pytest

import calverify as cv
from calverify.archives import Archive
from calverify.evaluation import Interval, Study, cluster_draws, study_of
from calverify.keys import Key
from calverify.pools import Candidate, Pool
from calverify.reports import Number, Options, Points, Share, Table, make_report
from calverify.sampling import SimulatedPolicy
from tests.oracles import criteria, resampling, votes

DRAWS, SEED, K, SEEDS = 40, 3, 6, 2
OPTIONS = Options(draws=DRAWS, seed=SEED)

CONFOUNDED = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, A -> Y, B -> Y")
BOWED = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, A <-> Y, B -> A")
FORKED = cv.Graph.parse("X -> M -> Y, X -> Y, A -> X, A -> B")
RINGS = cv.Graph.parse("A -> B -> C -> A, C -> D -> C, D -> E")
ASKED = {
    "b1": (CONFOUNDED, cv.Query("backdoor", ("X", "Y"))),
    "b2": (BOWED, cv.Query("backdoor", ("X", "Y"))),
    "d1": (FORKED, cv.Query("d_separation", ("B", "Y"))),
    "m1": (FORKED, cv.Query("mediator", ("X", "M", "Y"))),
    "m2": (CONFOUNDED, cv.Query("mediator", ("X", "U", "Y"))),
    "c1": (RINGS, cv.Query("cycle")),
    "p1": (CONFOUNDED, cv.Query("blocked_path", path="X <- U -> Y")),
    "p2": (BOWED, cv.Query("blocked_path", path="X <- U -> Y <-> A")),
}
# The graphs that grade; of two problems they are not those that the checker reads, so that a high score can be wrong.
TRUTH = {name: graph for name, (graph, _) in ASKED.items()} | {
    "b1": cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, A -> X, A -> Y, B -> Y"),
    "m1": cv.Graph.parse("X -> Y, M -> Y, A -> X, A -> B"),
}
PROBLEMS = {name: cv.Problem(name, query, graph) for name, (graph, query) in ASKED.items()}
CLUSTERS = {name: "b" if name[0] == "b" else name for name in ASKED}  # both backdoor problems tell one story
SLICES = {name: "plain" if name in ("b1", "m1", "c1") else "hard" for name in ASKED}
EDGE_F1 = {"b1": "1", "b2": "0.9", "d1": "0.85", "m1": "1.0", "m2": "0.4", "c1": "0.99", "p1": "0.8"}  # p2 has none
POLICIES = (
    SimulatedPolicy(label="one", right=(Fraction(1, 2), Fraction(1, 5)), wrong=(Fraction(1, 2), Fraction(1, 2)),
                    malformed=Fraction(1, 4)),
    SimulatedPolicy(label="two", seed=7, right=(Fraction(2, 5),), spread=3, malformed=Fraction(1, 2)),
)  # fmt: skip


def key_of(name: str) -> Key:
    strata = {"slice": SLICES[name], **({"edge_f1": EDGE_F1[name]} if name in EDGE_F1 else {})}
    return Key(name, graph=TRUTH[name], cluster=CLUSTERS[name], strata=strata)


@lru_cache(maxsize=1)
def studies() -> tuple[Study, ...]:
    """One a policy: eight problems of five tasks and three graph classes, two seeds, six candidates."""
    found = []
    for policy in POLICIES:
        pools = [pool for problem in PROBLEMS.values() for pool in policy.pools(problem, K, range(SEEDS))]
        archive = Archive(PROBLEMS, tuple(map(_rated, pools)), policy.manifest(K))
        found.append(study_of(archive, {name: key_of(name) for name in PROBLEMS}))
    return tuple(found)


def _rated(pool: Pool) -> Pool:
    """With a stored confidence for every candidate, but for one pool in which a rating failed."""
    failed = (pool.problem, pool.seed) == ("d1", 1)
    rated = [Candidate(c.index, c.text, {"confidence": None if failed and c.index == 2 else len(c.text) % 7 / 10})
             for c in pool.candidates]  # fmt: skip
    return Pool(pool.problem, pool.seed, tuple(rated))


# ---------------------------------------------------------------- the recount


@dataclass(frozen=True)
class Row:
    """One pool, counted by hand: what each candidate votes for (None: it does not stand), is it right, its six bits."""

    policy: str
    problem: str
    seed: int
    cluster: str
    texts: tuple[str, ...]
    votes: tuple[object, ...]
    right: tuple[bool, ...]
    bits: tuple[tuple[int, ...], ...]

    @property
    def scores(self) -> list[int | None]:
        return [None if vote is None else sum(bits) for vote, bits in zip(self.votes, self.bits, strict=True)]

    @property
    def covered(self) -> bool:
        return any(ok for vote, ok in zip(self.votes, self.right, strict=True) if vote is not None)


def said(text: str) -> object:
    """What the ANSWER line says: a set, a word, or a ring from its least node; None without one."""
    line = next((line[len("ANSWER:") :].strip() for line in text.split("\n") if line.startswith("ANSWER:")), None)
    if line is None:
        return None
    if line.startswith("{"):
        return frozenset(part.strip() for part in line.strip("{}").split(",") if part.strip())
    if "->" in line:
        nodes = [part.strip() for part in line.split("->")]
        ring = nodes[:-1] if nodes[0] == nodes[-1] else nodes
        start = ring.index(min(ring))
        return tuple(ring[start:] + ring[:start])
    return line


def holds(problem: str, answer: object) -> bool:
    """Straight from the definitions."""
    graph, query = TRUTH[problem], ASKED[problem][1]
    if isinstance(answer, frozenset):
        x, y = (*query.targets, "", "")[:2]
        if query.task == "blocked_path":
            words = query.path.split()
            return criteria.blocked_path(graph, words[::2], words[1::2])(answer)
        return getattr(criteria, query.task)(graph, x, y)(answer)
    if query.task == "cycle":
        return criteria.closes(graph, answer)
    return answer == ("yes" if criteria.mediator(graph, *query.targets) else "no")


@lru_cache(maxsize=1)
def recount() -> tuple[Row, ...]:
    rows = []
    for study in studies():
        for (problem, seed), pool in study.pools.items():
            answers = [said(text) for text in pool.texts]
            stands = [answer is not None and "STEP" in text for answer, text in zip(answers, pool.texts, strict=True)]
            rows.append(
                Row(
                    study.policy,
                    problem,
                    seed,
                    CLUSTERS[problem],
                    pool.texts,
                    tuple(answer if ok else None for answer, ok in zip(answers, stands, strict=True)),
                    tuple(answer is not None and holds(problem, answer) for answer in answers),
                    tuple(tuple(cv.verify(PROBLEMS[problem], text).bits.values()) for text in pool.texts),
                )
            )
    return tuple(rows)


def of(policy: str) -> list[Row]:
    return [row for row in recount() if policy in (row.policy, "all policies")]


def as_set(vote: object) -> frozenset | None:
    return vote if vote is None or isinstance(vote, frozenset) else frozenset({("word", vote)})


PICKS: dict[str, Callable[[Row], int | None]] = {
    "first": lambda row: next((i for i, vote in enumerate(row.votes) if vote is not None), None),
    "plurality": lambda row: votes.plurality(row.votes),
    "medoid": lambda row: votes.medoid([as_set(vote) for vote in row.votes]),
    "calver": lambda row: votes.highest(row.scores),
    "coverage": lambda row: next((i for i, ok in enumerate(row.right) if ok and row.votes[i] is not None), None),
}


def hit(row: Row, name: str) -> bool:
    """Is the selector right on this pool?"""
    place = PICKS[name](row)
    return place is not None and row.right[place]


def share(rows: Sequence[Row], name: str) -> Fraction:
    return Fraction(sum(hit(row, name) for row in rows), len(rows))


# ---------------------------------------------------------------- comparing


def made(name: str, options: Options = OPTIONS) -> tuple[Table, ...]:
    return make_report(name, studies(), options)[0]


def records(table: Table) -> list[dict[str, object]]:
    """The rows as dictionaries by column."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def slow_interval(tops: Sequence[int], bottoms: Sequence[int], clusters: Sequence[str]) -> tuple[float, float]:
    draws = cluster_draws(len(set(clusters)), DRAWS, SEED).tolist()
    return resampling.interval(tops, bottoms, clusters, draws)


def is_ratio(cell: Share | Points | Number, tops: Sequence[int], bottoms: Sequence[int], rows: Sequence[Row]) -> bool:
    """Is the cell this ratio of sums exactly, with the interval that the slow bootstrap gives?"""
    clusters = [row.cluster for row in rows]
    assert cell.value == Fraction(sum(tops), sum(bottoms))
    if len(set(clusters)) == 1:
        return cell.interval is None
    assert isinstance(cell.interval, Interval)
    assert (cell.interval.draws, cell.interval.clusters, cell.interval.units) == (DRAWS, len(set(clusters)), len(rows))
    low, high = slow_interval(tops, bottoms, clusters)
    assert (cell.interval.low, cell.interval.high) == pytest.approx((low, high), abs=1e-12)
    return True


def is_gain(cell: Points, rows: Sequence[Row], name: str, over: str) -> bool:
    """Is the cell the paired gain of one selector over another on these pools?"""
    return is_ratio(cell, [hit(row, name) - hit(row, over) for row in rows], [1] * len(rows), rows)
