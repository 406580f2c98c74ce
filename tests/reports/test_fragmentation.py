"""Repairs and losses, against the recount and against the paper's own counts."""

from collections import Counter
from fractions import Fraction

import pytest

from calverify.evaluation import STRATA, Unit
from calverify.reports import Options, make_report, text
from calverify.reports._cells import shown
from calverify.reports.fragmentation import COLUMNS, strata_rows
from tests.paper.test_counts import ROWS
from tests.reports.recount import OPTIONS, hit, is_gain, made, of, records, studies


def leads(row) -> bool:
    """Has an invalid answer more votes than any valid one?"""
    counts = Counter(vote for vote in row.votes if vote is not None)
    right = dict(zip(row.votes, row.right, strict=True))
    best = {ok: max([n for vote, n in counts.items() if right[vote] is ok], default=0) for ok in (True, False)}
    return best[False] > best[True]


def test_every_stratum():
    table, _ = made("fragmentation")
    for record in records(table):
        covered = [row for row in of(record["policy"]) if row.covered]
        wanted = {STRATA[0]: [True], STRATA[1]: [False]}.get(record["stratum"], [True, False])
        rows = [row for row in covered if leads(row) in wanted]
        assert record["units"] == len(rows)
        assert record["repairs"] == sum(hit(row, "calver") and not hit(row, "plurality") for row in rows)
        assert record["losses"] == sum(hit(row, "plurality") and not hit(row, "calver") for row in rows)
        assert record["vote"].value * len(rows) == sum(hit(row, "plurality") for row in rows)
        assert is_gain(record["gain"], rows, "calver", "plurality")
        if record["stratum"] == STRATA[0]:
            assert record["vote"].value == 0


def test_the_meter_speaks_and_counts():
    _, table = made("fragmentation")
    for record in records(table):
        rows = of(record["policy"])
        assert record["invalid leads"] == sum(row.covered and leads(row) for row in rows)
        assert record["none valid"] == sum(not row.covered for row in rows)
        assert sum(record[name] for name in ("invalid leads", "tied", "valid leads", "none valid")) == len(rows)
        assert is_gain(record["headroom over the vote"], rows, "coverage", "plurality")
        assert any(note.startswith(f"{record['policy']}: checking can help") for note in table.notes)


def test_bars_are_the_totals():
    (table, _), (plot,) = make_report("fragmentation", studies(), OPTIONS)
    totals = {row["policy"]: row for row in records(table) if row["stratum"].startswith("all pools")}
    for line in plot.series:
        assert dict(plot.points(line)) == {policy: float(row[line.name]) for policy, row in totals.items()}


# ---------------------------------------------------------------- the paper's counts


def unit_of(place: int, vote: bool, calver: bool) -> Unit:
    """A unit of which the picks are known: candidate 0 is wrong, candidate 1 is right."""
    return Unit(f"p{place}", 0, f"p{place}", {}, (), (False, True), {"plurality": int(vote), "calver": int(calver)})


def test_the_rows_that_the_paper_prints():
    """576 = 226 + 350; 197 - 54 = 143, which is 24.8 points."""
    units = [unit_of(place, vote, calver) for place, (_, vote, calver) in enumerate(ROWS)]
    found = [dict(zip(COLUMNS, row, strict=True)) for row in strata_rows("paper", units, ROWS, Options(draws=50))]
    assert [row["units"] for row in found] == [226, 350, 576]
    assert [(row["repairs"], row["losses"]) for row in found] == [(155, 0), (42, 54), (197, 54)]
    assert found[2]["gain"].value == Fraction(143, 576)
    printed = [[shown(row[name]).split()[0] for name in ("vote", "calver", "gain")] for row in found]
    assert printed == [["0.0", "68.6", "+68.6"], ["82.0", "78.6", "-3.4"], ["49.8", "74.7", "+24.8"]]


def test_nothing_to_divide():
    study = studies()[0]
    (table, _), plots = make_report("fragmentation", [study.only(u for u in study.units if not u.covered)], OPTIONS)
    assert (table.rows, plots) == ((), ())
    assert "no unit holds a right candidate" in text([table])


@pytest.mark.parametrize("missing", ["plurality", "calver"])
def test_choices_that_are_missing_are_named(missing):
    study = studies()[0]
    names = [name for name in ("first", "plurality", "calver") if name != missing]
    ((table,), _) = make_report("fragmentation", [study.chosen_by(names)], OPTIONS)
    assert table.rows == ()
    assert f"missing in: simulated one ({missing})" in table.notes[0]
