"""Views for tests of selectors: of texts, or of verdicts whose texts do not matter."""

from collections.abc import Mapping, Sequence

import calverify as cv
from calverify.pools import Candidate, Pool


def pool_of(
    problem: cv.Problem, texts: Sequence[str], scores: Sequence[Mapping[str, float]] = (), seed: int = 0
) -> Pool:
    """The pool of these texts, with a mapping of stored scores for each where any are given."""
    given = list(scores) or [{}] * len(texts)
    rows = zip(texts, given, strict=True)
    return Pool(problem.id, seed, tuple(Candidate(index, text, said) for index, (text, said) in enumerate(rows)))


def view_of_texts(problem: cv.Problem, texts: Sequence[str], admission: str = "admissible") -> cv.View:
    return cv.view_of(problem, pool_of(problem, texts), admission)


def view_of_verdicts(problem: cv.Problem, verdicts: Sequence[cv.Verdict]) -> cv.View:
    """The view of verdicts that are known already."""
    return cv.View(problem, pool_of(problem, [""] * len(verdicts)), tuple(verdicts))
