"""Numeric effects by margin: strata, maximum scores and guards, on traces whose worth is known by construction."""

from fractions import Fraction

import pytest

import calverify as cv
from calverify.archives import Archive, Manifest
from calverify.effects import SCM
from calverify.evaluation import Study, study_of
from calverify.keys import Key
from calverify.pools import Candidate, Pool
from calverify.reports import Options, Table, make_report, margins
from calverify.reports.margins import GUARDS, margin_of
from tests.reports.recount import records, studies
from tests.tasks.test_ate import TABLES, trace

OPTIONS = Options(draws=20)
CERTIFIED, PROTECTED, DESCENDANT, NEAR = GUARDS

# The effect is 0.215.  A trace: its text, is its decision right, its guard where it has six bits.
RIGHT = trace()
NEAR_RIGHT = (RIGHT, True, NEAR)
NEAR_WRONG = (trace(result="0.2", answer="no"), False, NEAR)  # within the tolerance, across the threshold
SURE = (RIGHT, True, CERTIFIED)
SLIP = (trace(answer="no"), False, None)  # the word does not follow from the number: five bits
LUCKY = (trace(adjustment='["U","X"]'), True, PROTECTED)
BLOCKED = (trace(adjustment='["U","M"]', result="0", answer="no"), False, DESCENDANT)
OPEN = (trace(adjustment="[]"), True, None)  # an open path: four bits

# threshold: the margin, and the pool
POOLS = {
    "0.205": ("0.01", [NEAR_WRONG, NEAR_WRONG, NEAR_RIGHT]),
    "0.185": ("0.03", [SLIP, SLIP, SURE]),
    "0.195": ("0.02", [OPEN, SLIP, SLIP, NEAR_RIGHT]),  # at the edge of two strata, and at the tolerance
    "0.115": ("0.1", [BLOCKED, SURE]),
    "0": ("0.215", [LUCKY, SURE, BLOCKED]),
}
STRATA = {
    "[0, 0.02)": ["0.205"],
    "[0.02, 0.05)": ["0.185", "0.195"],
    "[0.05, 0.15)": ["0.115"],
    "0.15 and more": ["0"],
    "all": [*POOLS],
    "reported: 0.02 and more": ["0.185", "0.195", "0.115", "0"],
}


def numeric() -> Study:
    """One problem a threshold, and one that is not numeric."""
    scm = SCM.from_json(TABLES)
    problems = {
        name: cv.Problem(name, cv.Query("ate", ("X", "Y"), threshold=Fraction(name)), scm=scm) for name in POOLS
    }
    pools = [Pool(name, 0, tuple(Candidate(at, text) for at, (text, _, _) in enumerate(traces)))
             for name, (_, traces) in POOLS.items()]  # fmt: skip
    other = studies()[0]
    problems["m1"] = other.problems["m1"]
    pools.append(other.pools["m1", 0])
    archive = Archive(problems, tuple(pools), Manifest("by hand"))
    return study_of(archive, {name: Key(name) for name in problems})


@pytest.fixture(scope="module")
def made() -> tuple[Table, Table]:
    tables, plots = make_report("margins", [numeric()], OPTIONS)
    assert plots == ()
    return tables


def test_what_the_pools_are():
    """Right and wrong are as they were built, and the margins exact."""
    study = numeric()
    for unit in study.units[:-1]:
        margin, traces = POOLS[unit.problem]
        assert margin_of(study, unit) == Fraction(margin)
        assert list(unit.correct) == [right for _, right, _ in traces]
        assert [verdict.score == 6 for verdict in unit.verdicts] == [guard is not None for *_, guard in traces]


def vote(name: str) -> bool:
    """Is the more frequent word right?  Ties go to the earlier one."""
    rights = [right for _, right, _ in POOLS[name][1]]
    return rights[0] if 2 * sum(rights) == len(rights) else 2 * sum(rights) > len(rights)


def checked(name: str) -> bool:
    """Is the earliest trace with six bits right?  Every pool has one."""
    return next(right for _, right, guard in POOLS[name][1] if guard is not None)


def test_every_row(made):
    table, _ = made
    found = records(table)
    assert [row["stratum"] for row in found] == [*STRATA]
    for row, names in zip(found, STRATA.values(), strict=True):
        traces = [trace for name in names for trace in POOLS[name][1]]
        top = [(right, guard) for _, right, guard in traces if guard is not None]
        certified = [right for right, guard in top if guard == CERTIFIED]
        assert row["units"] == len(names)
        assert row["vote"].value == Fraction(sum(map(vote, names)), len(names))
        assert row["calver"].value == Fraction(sum(map(checked, names)), len(names))
        assert row["gain"].value == Fraction(sum(map(checked, names)) - sum(map(vote, names)), len(names))
        assert [row[name] for name in ("candidates", "maximum score", "of these right", "certified",
                                       "certified and right")] == [
            len(traces), len(top), sum(right for right, _ in top), len(certified), sum(certified)]  # fmt: skip
    assert found[-2]["vote"].value != found[-2]["calver"].value


def test_every_guard(made):
    _, guards = made
    traces = [trace for _, pool in POOLS.values() for trace in pool]
    found = records(guards)
    for row, guard in zip(found, GUARDS, strict=False):
        here = [right for _, right, its in traces if its == guard]
        assert (row["guard"], row["right"], row["wrong"], row["undetermined"]) == (
            guard, here.count(True), here.count(False), 0)  # fmt: skip
        assert here, "a guard that no trace breaks shows nothing"
    assert found[0]["wrong"] == 0
    assert found[-1]["guard"] == "all with the maximum score"
    assert found[-1]["right"] == sum(row["right"] for row in found[:-1])


def test_effects_that_cannot_be_computed_are_counted(monkeypatch):
    real = margins.__globals__["margin_of"]
    monkeypatch.setitem(margins.__globals__, "margin_of", lambda s, u: None if u.problem == "0" else real(s, u))
    (table, _), _ = make_report("margins", [numeric()], OPTIONS)
    assert "Left out: 1 unit whose effect is undetermined." in table.notes
    assert records(table)[4]["units"] == len(POOLS) - 1


def test_without_numeric_problems_it_says_what_it_needs():
    (table,), _ = make_report("margins", studies(), OPTIONS)
    assert table.rows == ()
    assert "needs units of the task ate" in table.notes[0]


def test_without_choices_it_says_what_it_needs():
    (table,), _ = make_report("margins", [numeric().chosen_by(["plurality"])], OPTIONS)
    assert table.rows == ()
    assert "by hand (calver)" in table.notes[0]
