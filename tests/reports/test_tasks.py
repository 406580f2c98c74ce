"""Partitions are complete, and every row is a recount of its units."""

import pytest

from tests.reports.recount import ASKED, SLICES, is_gain, made, of, records, share


def cell_of(table_name: str, problem: str) -> tuple[str, ...]:
    graph, query = ASKED[problem]
    return (SLICES[problem],) if table_name == "tasks-slice" else (graph.kind, query.task)


@pytest.mark.parametrize("place, name, by", [(0, "tasks", 2), (1, "tasks-slice", 1)])
def test_every_row(place, name, by):
    table = made("tasks")[place]
    assert table.name == name
    for row, record in zip(table.rows, records(table), strict=True):
        cell = row[1 : 1 + by]
        inside = [one for one in of(row[0]) if cell[0] == "all" or cell == cell_of(name, one.problem)]
        assert record["units"] == len(inside) > 0
        assert record["vote"].value == share(inside, "plurality")
        assert record["calver"].value == share(inside, "calver")
        assert is_gain(record["gain"], inside, "calver", "plurality")


def test_the_partition_is_complete():
    for table in made("tasks"):
        for policy in {row[0] for row in table.rows}:
            parts = [row for row in records(table) if row["policy"] == policy]
            *cells, whole = parts
            assert sum(row["units"] for row in cells) == whole["units"]
            for name in ("vote", "calver"):
                assert sum(row[name].value * row["units"] for row in cells) == whole[name].value * whole["units"]


def test_a_measure_is_not_a_stratum():
    """edge_f1 is cut by `filters`; a partition by every value of it would be noise."""
    assert [table.name for table in made("tasks")] == ["tasks", "tasks-slice"]
