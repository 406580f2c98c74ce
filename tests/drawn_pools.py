"""Random pools of the worked example, with what is known of each candidate without asking the checker.

`KINDS` has one row a way to write a candidate: its text, the set it returns (None where none can be read), whether its
answer slot is in form, and what it votes with where unreadable ones vote too.
"""

from dataclasses import dataclass
from random import Random

import pytest

import calverify as cv
from tests.sheets import ABSENT, Copies, Raw, sheet_of
from tests.views import pool_of

CASES = pytest.mark.parametrize("count", [400, pytest.param(20_000, marks=pytest.mark.property)])
PROBLEM = cv.Problem("w", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y"))
SHEET = sheet_of(PROBLEM)
SETS = [frozenset(names) for names in ("U", "M", "UP", "P", "", "X", "W", "UMP")]


@dataclass(frozen=True)
class Kind:
    """One way to write a candidate."""

    text: str
    answer: frozenset[str] | None
    formed: bool
    vote: object = None


def _of(names: frozenset[str]) -> Kind:
    return Kind(SHEET.swapped(sorted(names)).text(), names, True, names)


def _whole(names: frozenset[str]) -> Kind:
    """The whole trace is about this set, strategy and all."""
    return Kind(sheet_of(PROBLEM, names).text(), names, True, names)


KINDS: dict[str, Kind] = {
    **{f"said {sorted(names)}": _of(names) for names in SETS},
    "whole UP": _whole(frozenset("UP")),
    "whole U": _whole(frozenset("U")),
    "no query": Kind(SHEET.but(query=Raw("{")).text(), frozenset("U"), True, frozenset("U")),
    "no graph": Kind(SHEET.but(graph=ABSENT).text(), frozenset("U"), True, frozenset("U")),
    "line alone": Kind(SHEET.swapped(["M"]).but(answer=ABSENT).text(), frozenset("M"), False, frozenset("M")),
    "slot twice": Kind(
        SHEET.but(answer=Copies(({"answer": ["U"]}, {"answer": ["U"]}))).text(), frozenset("U"), False, frozenset("U")
    ),
    "slot of a number": Kind(SHEET.but(answer={"answer": 7}, line=["U"]).text(), frozenset("U"), False, frozenset("U")),
    "silent": Kind(SHEET.but(answer=ABSENT, line=ABSENT).text(), None, False, "text of silent"),
    "hedge": Kind(SHEET.but(line=Copies((["U"], ["M"]))).text(), None, False, "two lines, U and M"),
    "prose": Kind("I think that it is U.", None, False, "prose"),
    "more prose": Kind("  I think that it is U.\n", None, False, "prose"),
    "line without a trace": Kind("Well.\nANSWER: U", None, False, frozenset("U")),
    "unreadable line": Kind("Hm.\nANSWER: {U, U}", None, False, "{U, U}"),
    "unreadable line, said otherwise": Kind("So:\nANSWER: {U, U}\nfin", None, False, "{U, U}"),
}
VERDICTS = {name: cv.verify(PROBLEM, kind.text) for name, kind in KINDS.items()}


@dataclass(frozen=True)
class Drawn:
    """A pool, its view, and what is known of it."""

    names: list[str]
    view: cv.View

    @property
    def answers(self) -> list[object]:
        """What each candidate votes for, None where it does not stand."""
        everybody = self.view.admission == "all"
        return [KINDS[name].vote if everybody else KINDS[name].answer for name in self.names]

    @property
    def scores(self) -> list[int | None]:
        """The checker's score, 0 for the unreadable where they stand."""
        return [
            (VERDICTS[name].score if KINDS[name].answer is not None else 0) if answer is not None else None
            for name, answer in zip(self.names, self.answers, strict=True)
        ]


def drawn(names: list[str], admission: str = "admissible") -> Drawn:
    pool = pool_of(PROBLEM, [KINDS[name].text for name in names])
    return Drawn(names, cv.View(PROBLEM, pool, tuple(VERDICTS[name] for name in names), admission))


def draw(rng: Random) -> Drawn:
    """A pool of 0 to 12 candidates, few or many of them alike, in either admission."""
    ways = rng.sample(sorted(KINDS), rng.randint(1, 6))
    return drawn(rng.choices(ways, k=rng.randint(0, 12)), rng.choice(["admissible", "all"]))
