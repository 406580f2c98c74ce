"""The main table, cell by cell, against the recount."""

from dataclasses import replace

from calverify.reports import Options, make_report
from tests.reports.recount import OPTIONS, PICKS, is_gain, made, of, records, share, studies


def test_every_cell():
    (table,) = made("policies")
    assert [row["policy"] for row in records(table)] == ["simulated one", "simulated two"]
    for row in records(table):
        rows = of(row["policy"])
        assert (row["units"], row["clusters"]) == (16, 7)
        for name in PICKS:
            assert row[name].value == share(rows, name), name
        assert is_gain(row["gain over medoid"], rows, "calver", "medoid")
    assert "40 paired bootstrap draws (seed 3) that resample clusters (key: problem)" in table.notes[0]


def test_selectors_stand_in_one_order():
    columns = made("policies")[0].columns
    assert columns[:6] == ("policy", "units", "clusters", "first", "plurality", "medoid")
    assert columns[-3:] == ("calver", "coverage", "gain over medoid")
    assert "confidence" in columns


def test_headlines_have_ten_thousand_draws():
    ((table,), _) = make_report("policies", studies()[:1], Options())
    assert table.rows[0][-1].interval.draws == 10_000


def test_a_study_without_the_baseline_says_so():
    one, two = studies()
    short = two.only(replace(u, choices={n: i for n, i in u.choices.items() if n != "medoid"}) for u in two.units)
    ((table,), _) = make_report("policies", [one, short], OPTIONS)
    assert table.column("medoid")[1] is table.column("gain over medoid")[1] is None
    assert any("simulated two: medoid made no choice" in note for note in table.notes)
