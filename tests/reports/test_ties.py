"""Tie rules: worst, first and best are a recount, in this order."""

from fractions import Fraction

from tests.reports.recount import made, of, records, share


def test_every_cell():
    (table,) = made("ties")
    for record in records(table):
        rows = of(record["policy"])
        tied = worst = best = 0
        for row in rows:
            stood = [score for score in row.scores if score is not None]
            outcomes = [ok for score, ok in zip(row.scores, row.right, strict=True) if stood and score == max(stood)]
            tied += len(outcomes) > 1
            worst += bool(outcomes) and False not in outcomes
            best += True in outcomes
        cells = [record[name].value for name in ("tie rate", "worst tied", "first index", "best tied", "vote")]
        n = len(rows)
        assert cells == [Fraction(tied, n), Fraction(worst, n), share(rows, "calver"), Fraction(best, n),
                         share(rows, "plurality")]  # fmt: skip
        assert cells[1] <= cells[2] <= cells[3]
        assert cells[0] > 0
