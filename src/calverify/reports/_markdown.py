"""Tables as GitHub reads them."""

from collections.abc import Sequence

from calverify.reports._cells import is_number, shown, visible
from calverify.reports._table import Plot, Table

__all__ = ["markdown"]

MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>#|~"})


def markdown(tables: Sequence[Table], plots: Sequence[Plot] = ()) -> str:
    """The tables with a heading each; a figure draws what the table of its name holds, and is not drawn here."""
    return "\n\n".join(map(_table, tables)) + "\n"


def _table(table: Table) -> str:
    parts = [f"## {_plain(table.title)}"]
    if table.rows:
        flush = [any(is_number(row[place]) for row in table.rows) for place in range(len(table.columns))]
        rule = ["---:" if right else "---" for right in flush]
        rows = [[_cell(shown(cell), is_number(cell)) for cell in row] for row in table.rows]
        lines = [[_plain(title) for title in table.columns], rule, *rows]
        parts.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
    if table.notes:
        parts.append("\n".join(f"- {_plain(note)}" for note in table.notes))
    return "\n\n".join(parts)


def _cell(said: str, number: bool) -> str:
    """Numbers are ours, and need no escape; whatever else there is may hold marks."""
    return said if number else _plain(said)


def _plain(said: str) -> str:
    """The text on one line, with nothing in it that markdown or a browser would obey."""
    return visible(said).translate(MARKS)
