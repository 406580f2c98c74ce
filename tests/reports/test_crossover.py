"""Extract-then-solve against checking: every cell, on pools whose fate is known by construction."""

from dataclasses import replace
from fractions import Fraction

import pytest

import calverify as cv
from calverify.archives import Archive, Manifest
from calverify.evaluation import Study, crossings, study_of
from calverify.keys import Key
from calverify.pools import Candidate, Pool
from calverify.reports import Options, make_report
from tests.evaluation.studies import GRAPH, QUERY
from tests.evaluation.test_crossover import ONE, trace
from tests.reports.recount import DRAWS, SEED, records, slow_interval, studies

LACKING_ONE = [cv.Graph(GRAPH.nodes, [edge for edge in GRAPH.directed if edge != gone]) for gone in GRAPH.directed[:3]]
MISREAD = "U -> X, U, X -> M -> Y, A -> Y, B -> Y, C -> Y"  # without the edge that confounds
APART = "M -> X, Y, U, A -> Y, B, C"

# A pool: its texts, then agreement, exact, solver, calver, coverage, way, routed.  {U} is right, {M} and {} are not.
MENDED = ([trace(graph, "M") for graph in LACKING_ONE], None, True, True, False, False, "solve", True)
DECEIVED = (
    [trace(MISREAD, ""), trace(MISREAD, ""), trace(GRAPH, "U")],
    None,
    False,
    False,
    False,
    True,
    "solve",
    False,
)
DIVERGENT = ([trace(ONE, "U"), trace(APART, "M")], Fraction(0), False, False, True, True, "verify", True)
ALONE = ([trace(ONE, "M")], None, False, True, False, False, "abstain", False)
SILENT = (["prose"], None, None, None, None, None, None, None)
PROBLEMS = {"p": ("1", [MENDED, DECEIVED, SILENT]), "q": ("1", [MENDED, DIVERGENT]), "r": ("2", [ALONE, DIVERGENT])}


def constructed(*, levels: bool = True) -> tuple[Study, dict[str, Key]]:
    """Problems that supply no graph, and one that does, which has no place in this report."""
    problems = {
        name: cv.Problem(name, QUERY, None, "A tale.", legend=GRAPH.nodes, graph_class="dag") for name in PROBLEMS
    }
    pools = [
        Pool(name, seed, tuple(Candidate(at, text) for at, text in enumerate(texts)))
        for name, (_, made) in PROBLEMS.items()
        for seed, (texts, *_) in enumerate(made)
    ]
    keys = {name: Key(name, graph=GRAPH, strata={"level": level} if levels else {})
            for name, (level, _) in PROBLEMS.items()}  # fmt: skip
    problems["supplied"] = cv.Problem("supplied", QUERY, GRAPH)
    pools.append(Pool("supplied", 0, (Candidate(0, trace(GRAPH, "U")),)))
    archive = Archive(problems, tuple(pools), Manifest("by hand"))
    keys["supplied"] = Key("supplied")
    return study_of(archive, keys), keys


def options(keys: dict[str, Key]) -> Options:
    return Options(draws=DRAWS, seed=SEED, crossings=lambda study: crossings(study, keys))


def fates(level: str | None) -> list[tuple]:
    """(problem, fate) of the pools of a level; silent ones are left out."""
    return [
        (name, pool[1:])
        for name, (here, pools) in PROBLEMS.items()
        if level in (None, here)
        for pool in pools
        if pool[2] is not None
    ]


def check(row, level) -> None:
    names, here = zip(*fates(level), strict=True)
    n = len(here)
    _, exact, solver, verified, covered, way, routed = zip(*here, strict=True)
    assert row["units"] == n
    for column, values in (("exact graph", exact), ("solver", solver), ("calver", verified), ("coverage", covered),
                           ("routed", routed)):  # fmt: skip
        assert row[column].value == Fraction(sum(values), n), column
    assert row["sent to the solver"].value == Fraction(way.count("solve"), n)
    assert row["abstained"].value == Fraction(way.count("abstain"), n)
    assert row["undetermined"] == 0
    gaps = [mine - theirs for mine, theirs in zip(verified, solver, strict=True)]
    gain = row["calver minus solver"]
    assert gain.value == Fraction(sum(gaps), n)
    if len(set(names)) == 1:
        assert gain.interval is None
    else:
        assert (gain.interval.low, gain.interval.high) == pytest.approx(slow_interval(gaps, [1] * n, names))


def test_every_row():
    study, keys = constructed()
    (table,), (plot,) = make_report("crossover", [study], options(keys))
    found = records(table)
    assert [(row["policy"], row["level"]) for row in found] == [("by hand", "1"), ("by hand", "2")]
    for row in found:
        check(row, row["level"])
    assert "Left out: 1 unit in which no candidate states a graph." in table.notes
    assert plot.x == ("1", "2")
    for line, column in (("solver", "solver"), ("calver", "calver"), ("coverage", "coverage")):
        (drawn,) = [series for series in plot.series if series.name == line]
        assert drawn.values == pytest.approx([float(row[column].value) for row in found])


def test_agreement_is_the_median_over_units():
    study, keys = constructed()
    (table,), _ = make_report("crossover", [study], options(keys))
    assert [row["median agreement"].value for row in records(table)][1] == 0  # of the one that has a pair
    alone = study.only(unit for unit in study.units if (unit.problem, unit.seed) == ("r", 0))
    (table,), _ = make_report("crossover", [alone], options(keys))
    assert records(table)[0]["median agreement"] is None


def test_without_levels_there_is_one_row():
    study, keys = constructed(levels=False)
    (table,), _ = make_report("crossover", [study], options(keys))
    (row,) = records(table)
    assert row["level"] == "all"
    check(row, None)


def test_two_policies_are_told_apart():
    study, keys = constructed()
    other = replace(study, policy="another")
    (table,), (plot,) = make_report("crossover", [study, other], options(keys))
    assert [row["policy"] for row in records(table)] == ["by hand"] * 2 + ["another"] * 2
    assert plot.x == ("by hand, 1", "by hand, 2", "another, 1", "another, 2")


def test_what_it_needs():
    """The keys, the choices of calver, and problems that supply no graph: each is said where it is missing."""
    study, keys = constructed()
    short = study.chosen_by(["first"])
    for these, asked, said in (([study], Options(), "needs the keys"), ([short], options(keys), "by hand (calver)"),
                               (studies(), options(keys), "problems that supply no graph")):  # fmt: skip
        (table,), plots = make_report("crossover", these, asked)
        assert (table.rows, plots) == ((), ())
        assert said in table.notes[0]
