"""The recount agrees with the studies that the tables are made of, and the studies are worth counting."""

import pytest

from tests.reports.recount import PICKS, hit, recount, studies


def test_recount_and_studies_agree_pool_by_pool():
    units = [unit for study in studies() for unit in study.units]
    rows = recount()
    assert len(rows) == len(units) == 32
    for row, unit in zip(rows, units, strict=True):
        assert (row.problem, row.seed, row.cluster) == (unit.problem, unit.seed, unit.cluster)
        assert row.right == unit.correct
        assert tuple(vote is not None for vote in row.votes) == unit.stands
        for name in PICKS:
            assert PICKS[name](row) == unit.index(name), (name, row)


@pytest.mark.parametrize("name", ["plurality", "first", "medoid"])
def test_checking_differs_from_the_baselines(name):
    """Otherwise every gain below would be 0 for any reason."""
    assert sum(hit(row, "calver") != hit(row, name) for row in recount()) > 3
