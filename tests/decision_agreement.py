"""One task about a word against its oracle, and one question with its only right word."""

from random import Random

import calverify as cv
from tests.agreement import decision_agrees
from tests.problems import known
from tests.sheets import bits, sheet_of


def word_is_judged(graph: str, query: cv.Query, truth: bool, why: str) -> None:
    """The right word is valid and earns six bits, the other keeps graph, query and derivation; both say why."""
    problem = cv.Problem("p", query, cv.Graph.parse(graph))
    for word in ("yes", "no"):
        said = cv.check(problem.graph, problem.query, word)
        assert said.valid is (truth == (word == "yes"))
        assert why in said.why
        assert bits(cv.verify(problem, sheet_of(problem, word).text())) == ("111111" if said.valid else "110100")


def decision_task_agrees(task: str, kind: str, count: int) -> None:
    """On random problems, neither word of which is rare."""
    yes = 0
    for seed in range(count):
        drawn = known(Random(f"{kind} {seed}"), task, kind)
        decision_agrees(drawn)
        yes += drawn.right == ["yes"]
    assert count // 8 < yes < count - count // 8
