"""Cells of policy and query type in which plurality is below the first sample."""

from dataclasses import replace

from calverify.reports import make_report
from tests.reports.recount import ASKED, OPTIONS, hit, is_gain, made, of, records, share, studies


def test_every_cell():
    summary, cells = made("majority-hurts")
    below = {}
    for record in records(cells):
        rows = [row for row in of(record["policy"]) if ASKED[row.problem][1].task == record["query"]]
        assert record["units"] == len(rows)
        assert (record["first"].value, record["vote"].value) == (share(rows, "first"), share(rows, "plurality"))
        assert is_gain(record["vote minus first"], rows, "plurality", "first")
        hurts = sum(hit(row, "plurality") for row in rows) < sum(hit(row, "first") for row in rows)
        assert record["below first"] == ("yes" if hurts else "no")
        below[record["query"]] = below.get(record["query"], 0) + hurts
    *kinds, whole = summary.rows
    assert kinds == [(kind, 2, below[kind]) for kind in sorted(below)]
    assert whole == ("all cells", 10, sum(below.values()))


def test_the_stratum_of_the_keys_names_the_query():
    study = studies()[0]
    named = study.only(replace(u, strata={**u.strata, "query_type": "ett"}) for u in study.units)
    (summary, _), _ = make_report("majority-hurts", [named], OPTIONS)
    assert [row[:2] for row in summary.rows] == [("ett", 1), ("all cells", 1)]
