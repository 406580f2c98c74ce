"""Tables for a spreadsheet: unrounded numbers, an interval in two columns of its own, notes behind a #."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from calverify.reports._table import Cell, Number, Plot, Points, PValue, Share, Table

__all__ = ["csv_text"]

FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a text that begins so; a quote stops it


def csv_text(tables: Sequence[Table], plots: Sequence[Plot] = ()) -> str:
    """The tables one below the other, a blank line between them; shares are fractions, not per cent."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for place, table in enumerate(tables):
        if place:
            out.write("\n")
        writer.writerow([f"# {table.name}: {table.title}"])
        if table.rows:
            split = [any(_interval(row[i]) for row in table.rows) for i in range(len(table.columns))]
            writer.writerow(_spread(list(table.columns), split))
            for row in table.rows:
                writer.writerow(_values(row, split))
        for note in table.notes:
            writer.writerow([f"# {note}"])
    return out.getvalue()


def _interval(cell: Cell) -> bool:
    return isinstance(cell, Share | Points | Number) and cell.interval is not None


def _spread(titles: list[str], split: Sequence[bool]) -> Iterator[str]:
    for title, wide in zip(titles, split, strict=True):
        yield from (title, f"{title} (low)", f"{title} (high)") if wide else (title,)


def _values(row: Sequence[Cell], split: Sequence[bool]) -> Iterator[str]:
    for cell, wide in zip(row, split, strict=True):
        yield _value(cell)
        if wide:
            bounds = cell.interval if isinstance(cell, Share | Points | Number) else None
            yield from ("", "") if bounds is None else (repr(bounds.low), repr(bounds.high))


def _value(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(FORMULAS) else cell
    return repr(float(cell.value)) if isinstance(cell, Share | Points | Number | PValue) else str(cell)
