"""The round-trip filter: nested thresholds, and what it needs where nothing was measured."""

from dataclasses import replace
from fractions import Fraction

from calverify.reports import make_report
from calverify.reports.filters import THRESHOLDS
from tests.reports.recount import EDGE_F1, OPTIONS, is_gain, made, of, records, share, studies


def test_every_row():
    (table,) = made("filters")
    found = records(table)
    assert len(found) == 3 * len(THRESHOLDS)
    for record, threshold in zip(found, THRESHOLDS * 3, strict=True):
        kept = {name for name, value in EDGE_F1.items() if Fraction(value) >= threshold}
        rows = [row for row in of(record["policy"]) if row.problem in kept]
        assert (record["problems"], record["units"]) == (len(kept), len(rows))
        assert record["vote"].value == share(rows, "plurality")
        assert is_gain(record["gain"], rows, "calver", "plurality")
    assert "Left out: 4 units whose key states no edge_f1." in table.notes


def test_without_the_stratum_it_says_what_it_needs():
    study = studies()[0]
    bare = study.only(replace(u, strata={k: v for k, v in u.strata.items() if k != "edge_f1"}) for u in study.units)
    ((table,), _) = make_report("filters", [bare], OPTIONS)
    assert table.rows == ()
    assert '{"strata": {"edge_f1": "0.95"}}' in table.notes[0]
