"""The table of recovered graphs where there is nothing to recover; its rows are counted in evaluation's own tests."""

from calverify.reports import make_report
from tests.reports.recount import OPTIONS, studies


def test_supplied_graphs_leave_the_table_empty():
    ((table,), plots) = make_report("recovery", [studies()[0]], OPTIONS)
    assert (table.rows, plots) == ((), ())
    assert "whose keys hold the source graph" in table.notes[0]


def test_without_choices_it_says_which_are_missing():
    ((table,), _) = make_report("recovery", [studies()[0].chosen_by(["first"])], OPTIONS)
    assert table.rows == ()
    assert "needs choices of plurality and calver" in table.notes[0]
