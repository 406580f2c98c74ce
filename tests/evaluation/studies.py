"""Small studies for the tests: simulated pools of a few problems, with keys."""

from collections.abc import Sequence
from fractions import Fraction

import calverify as cv
from calverify.archives import Archive, Manifest
from calverify.evaluation import Study, study_of
from calverify.keys import Key
from calverify.pools import Candidate, Pool
from calverify.sampling import SimulatedPolicy

GRAPH = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, A -> Y, B -> Y, C -> Y")
QUERY = cv.Query("backdoor", ("X", "Y"))


def problems(count: int) -> dict[str, cv.Problem]:
    return {f"p{i}": cv.Problem(f"p{i}", QUERY, GRAPH) for i in range(count)}


def simulated(policy: SimulatedPolicy, count: int, k: int, seeds: int = 1) -> Archive:
    known = problems(count)
    pools = [pool for problem in known.values() for pool in policy.pools(problem, k, range(seeds))]
    return Archive(known, tuple(pools), policy.manifest(k))


def keys_of(archive: Archive) -> dict[str, Key]:
    return {name: Key(name) for name in archive.problems}


def study(policy: SimulatedPolicy, count: int, k: int, seeds: int = 1, selectors: Sequence[str] | None = None) -> Study:
    archive = simulated(policy, count, k, seeds)
    return study_of(archive, keys_of(archive), selectors)


def by_hand(problem: cv.Problem, pools: Sequence[Sequence[str]], key: Key | None = None) -> Study:
    """The study of pools whose texts are given."""
    made = [Pool(problem.id, s, tuple(Candidate(i, t) for i, t in enumerate(pool))) for s, pool in enumerate(pools)]
    archive = Archive({problem.id: problem}, tuple(made), Manifest("by hand"))
    return study_of(archive, {problem.id: key or Key(problem.id)})


HALF = Fraction(1, 2)
