"""The curve of prefixes: each point is a recount of the first k candidates, and at K = 1 all selectors coincide."""

import itertools
from dataclasses import replace

import pytest

from calverify.reports import make_report
from tests.reports.recount import OPTIONS, hit, is_gain, is_ratio, made, of, records, studies

LINES = ("plurality", "medoid", "calver", "coverage")


def cut(row, k):
    parts = {name: getattr(row, name)[:k] for name in ("texts", "votes", "right", "bits")}
    return replace(row, **parts)


def test_every_point():
    (table,) = made("k-curve")
    assert [row["K"] for row in records(table)] == [1, 2, 4, 6] * 2
    for row in records(table):
        rows = [cut(one, row["K"]) for one in of(row["policy"])]
        for name in LINES:
            assert is_ratio(row[name], [hit(one, name) for one in rows], [1] * len(rows), rows)
        assert is_gain(row["gain over plurality"], rows, "calver", "plurality")


def test_with_one_candidate_the_selectors_coincide():
    for row in records(made("k-curve")[0]):
        if row["K"] == 1:
            assert row["plurality"] == row["medoid"] == row["calver"] == row["coverage"]
            assert row["gain over plurality"].value == 0


def test_plots_draw_the_table():
    (table,), plots = make_report("k-curve", studies(), OPTIONS)
    assert [plot.name for plot in plots] == ["k-curve-1", "k-curve-2"]
    for plot, study in zip(plots, studies(), strict=True):
        rows = [row for row in records(table) if row["policy"] == study.policy]
        assert plot.x == tuple(float(row["K"]) for row in rows)
        assert [line.name for line in plot.series] == list(LINES)
        for line in plot.series:
            assert line.values == pytest.approx([float(row[line.name].value) for row in rows])
            assert line.band == tuple((row[line.name].interval.low, row[line.name].interval.high) for row in rows)
            assert dict(plot.points(line)).keys() == set(plot.x)


def test_coverage_never_falls_and_nobody_is_above_it():
    rows = records(made("k-curve")[0])
    for name in LINES:
        assert all(row[name].value <= row["coverage"].value for row in rows)
    for before, after in itertools.pairwise(rows):
        assert after["K"] == 1 or before["coverage"].value <= after["coverage"].value
