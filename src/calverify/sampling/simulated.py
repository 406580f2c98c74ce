"""A policy that is no model: it draws whole traces from a known distribution, and says so in its name.

Rule 1: it is blind.  Right answers come from `solve`, wrong ones are those that the predicate refuses.
Rule 2: the distribution is exact and can be asked for (`kinds`), so what a selector should do is known.
Rule 3: a pool depends on the policy's seed, the problem's id and the pool's seed, and on nothing else.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm
from random import Random
from typing import Any

from calverify.archives import Manifest
from calverify.errors import CalverifyError
from calverify.graphs import Graph
from calverify.pools import Candidate, Pool
from calverify.problem import Problem
from calverify.sampling._damage import DAMAGES
from calverify.sampling._familiar import familiar_errors, valid_answers
from calverify.scoring import checker_for
from calverify.tasks import Case, faultless_trace, task_of

__all__ = ["Kind", "SimulatedPolicy"]

Shares = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """One trace that the policy may write: what it is, whether its answer is right, and how often it comes."""

    text: str
    answer: str
    right: bool
    damage: str
    mass: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedPolicy:
    """`SimulatedPolicy(right=(Fraction(3, 5),), spread=4)`: right six times in ten, over four answers.

    `right` lists the chances of a right answer: each problem has one of them, by lot.  The right mass is split evenly
    over `spread` right answers (or as many as there are), the wrong mass over the most familiar errors in the
    proportions of `wrong`, and a share `malformed` of all traces is damaged, every damage as often as another.
    With `graph`, the methods take what the policy reads out of the text of a problem that supplies none.
    """

    label: str = ""
    seed: int = 0
    right: Shares = (Fraction(3, 5),)
    spread: int = 4
    wrong: Shares = (Fraction(1),)
    malformed: Fraction = Fraction(1, 10)

    def __post_init__(self) -> None:
        shares = [*self.right, *self.wrong, self.malformed]
        if not all(isinstance(share, Fraction) and 0 <= share <= 1 for share in shares):
            raise CalverifyError(f"shares must be fractions between 0 and 1, not {', '.join(map(str, shares))}")
        if not self.right or not sum(self.wrong) or self.spread < 1:
            raise CalverifyError(
                "a simulated policy needs a chance of being right, an error to make, and a spread of 1"
            )

    @property
    def name(self) -> str:
        """ "simulated", and the label behind it: no label can hide what this is."""
        return f"simulated {self.label}".strip()

    def manifest(self, k: int) -> Manifest:
        """How the pools came about; `command` makes them again."""
        shares = {"right": self.right, "wrong": self.wrong, "malformed": (self.malformed,)}
        stated = " ".join(f"--{name} {','.join(map(str, values))}" for name, values in shares.items())
        command = f"calverify simulate --k {k} --seed {self.seed} --spread {self.spread} {stated}"
        return Manifest(self.name, model="simulated", sampling={"n": k, "backend": "simulated"}, command=command)

    def chance(self, problem: Problem) -> Fraction:
        """How often an answer to this problem is right."""
        return self.right[Random(f"{self.seed} {problem.id}").randrange(len(self.right))]

    def kinds(self, problem: Problem, graph: Graph | None = None) -> tuple[Kind, ...]:
        """Every trace that may be drawn for a problem, with its exact probability; they add up to 1.

        Where the problem supplies no graph, `graph` is what the policy reads out of its text.
        """
        case = self._case(problem, graph)
        whole = 1 - self.malformed
        found = []
        for name, value, right, mass in self._answers(case, self.chance(problem)):
            text = faultless_trace(case, value)
            found.append(Kind(text, name, right, "", mass * whole))
            for damage, change in DAMAGES.items():
                still = right and damage != "no answer"
                found.append(Kind(change(text, case), name, still, damage, mass * self.malformed / len(DAMAGES)))
        return tuple(kind for kind in found if kind.mass)

    def _case(self, problem: Problem, graph: Graph | None) -> Case:
        case = checker_for(problem).case
        if case is None and graph is None:
            raise CalverifyError(f"problem {problem.id!r} supplies no graph: a simulated policy cannot read its text")
        return task_of(problem.query).case(graph, problem.query) if case is None else case

    def _answers(self, case: Case, chance: Fraction) -> list[tuple[str, Any, bool, Fraction]]:
        """(what it is, value, right, probability); a problem without a right answer gets only wrong ones."""
        valid = valid_answers(case, self.spread)
        errors = familiar_errors(case, valid, len(self.wrong))
        if not errors:
            raise CalverifyError(f"{case.query.task} on {case.formal}: every readable answer seems to be right")
        chance = chance if valid else Fraction(0)
        shares = self.wrong[: len(errors)]
        total = sum(shares) or Fraction(1)
        good = [("right", value, True, chance / len(valid)) for value in valid]
        bad = zip(errors, shares, strict=True)
        return [*good, *((name, value, False, (1 - chance) * share / total) for (name, value), share in bad)]

    def pool(self, problem: Problem, k: int, seed: int, *, graph: Graph | None = None) -> Pool:
        """k independent traces."""
        (pool,) = self.pools(problem, k, [seed], graph=graph)
        return pool

    def pools(self, problem: Problem, k: int, seeds: Iterable[int], *, graph: Graph | None = None) -> tuple[Pool, ...]:
        """A pool of k independent traces for each seed."""
        kinds = self.kinds(problem, graph)
        return tuple(_drawn(kinds, problem, k, seed, Random(f"{self.seed} {problem.id} {seed}")) for seed in seeds)


def _drawn(kinds: Sequence[Kind], problem: Problem, k: int, seed: int, rng: Random) -> Pool:
    scale = lcm(*(kind.mass.denominator for kind in kinds))
    upto = list(accumulate(int(kind.mass * scale) for kind in kinds))
    places = [bisect_right(upto, rng.randrange(scale)) for _ in range(k)]
    return Pool(problem.id, seed, tuple(Candidate(i, kinds[place].text) for i, place in enumerate(places)))
