"""Tables and plots for programs: unrounded numbers, and every interval with how it was made."""

from collections.abc import Sequence
from json import dumps

from calverify.reports._table import Plot, Table

__all__ = ["json_text"]


def json_text(tables: Sequence[Table], plots: Sequence[Plot] = ()) -> str:
    """{"tables": [...], "plots": [...]} on one line."""
    record = {"tables": [table.to_json() for table in tables], "plots": [plot.to_json() for plot in plots]}
    return dumps(record, sort_keys=True) + "\n"
