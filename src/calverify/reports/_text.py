"""Tables for a terminal: aligned columns, numbers flush right, notes below."""

from collections.abc import Sequence
from textwrap import wrap

from calverify.reports._cells import is_number, shown, visible
from calverify.reports._table import Plot, Table

__all__ = ["text"]

WIDTH = 100


def text(tables: Sequence[Table], plots: Sequence[Plot] = ()) -> str:
    """The tables one below the other; a figure draws what the table of its name holds, and is not drawn here."""
    return "\n\n".join(map(_table, tables)) + "\n"


def _table(table: Table) -> str:
    lines = [visible(table.title), "=" * len(visible(table.title))]
    if table.rows:
        cells = [[shown(cell) for cell in row] for row in table.rows]
        widths = [max(map(len, column)) for column in zip(table.columns, *cells, strict=True)]
        right = [any(is_number(row[place]) for row in table.rows) for place in range(len(widths))]
        rule = ["-" * width for width in widths]
        lines += [_line(row, widths, right) for row in (table.columns, rule, *cells)]
    for note in table.notes:
        lines += wrap(
            visible(note),
            WIDTH,
            initial_indent="* ",
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines)


def _line(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = [
        cell.rjust(width) if flush else cell.ljust(width) for cell, width, flush in zip(row, widths, right, strict=True)
    ]
    return "  ".join(cells).rstrip()
