"""Every selector on the same pools, against the recount; incomplete records are left out and counted."""

from fractions import Fraction
from math import comb

from tests.reports.recount import PICKS, hit, is_gain, made, records, recount, share

COMPLETE = [row for row in recount() if (row.problem, row.seed) != ("d1", 1)]


def test_every_cell():
    (table,) = made("same-pool")
    found = {row["selector"]: row for row in records(table)}
    for name in PICKS:
        assert found[name]["accuracy"].value == share(COMPLETE, name)
        if name == "calver":
            assert found[name]["gain of calver"] is None
            continue
        assert is_gain(found[name]["gain of calver"], COMPLETE, "calver", name)
        mine = sum(hit(row, "calver") and not hit(row, name) for row in COMPLETE)
        other = sum(hit(row, name) and not hit(row, "calver") for row in COMPLETE)
        assert (found[name]["only calver right"], found[name]["only the other right"]) == (mine, other)
        tail = sum(comb(mine + other, k) for k in range(min(mine, other) + 1))
        assert found[name]["McNemar p"].value == min(1, 2 * Fraction(tail, 2 ** (mine + other)))
    assert "confidence" in found


def test_rows_rise_to_the_ceiling():
    (table,) = made("same-pool")
    shares = [row["accuracy"].value for row in records(table)]
    assert shares == sorted(shares)
    assert table.rows[-1][0] == "coverage"


def test_what_is_left_out_is_counted():
    """In one pool of each policy a rating failed, of a candidate that stands in at least one of them."""
    (table,) = made("same-pool")
    gone = [row for row in recount() if (row.problem, row.seed) == ("d1", 1) and row.votes[2] is not None]
    assert len(gone) == 2
    assert "Left out: 2 units in which a stored score is missing." in table.notes
