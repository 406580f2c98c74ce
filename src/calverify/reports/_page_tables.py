"""Tables as markup: a cell reads as in every other renderer, with its interval in brackets behind it."""

from collections.abc import Sequence

from calverify.reports._cells import is_number, shown
from calverify.reports._page_markup import Markup, join, tag
from calverify.reports._table import Cell, Table

__all__ = ["cell_text", "table_markup"]

ABSENT = "–"


def cell_text(cell: Cell) -> tuple[str, str]:
    """A cell as a reader sees it: the value, and its interval or nothing."""
    if cell is None:
        return ABSENT, ""
    if isinstance(cell, str):
        return cell, ""
    value, _, interval = shown(cell).replace("-", "−").partition(" [")
    return value, f"[{interval}" if interval else ""


def table_markup(table: Table, place: str) -> Markup:
    """The table with its title as caption and its notes below; wide ones scroll by themselves."""
    numeric = [any(is_number(cell) for cell in table.column(title)) for title in table.columns]
    head = tag(
        "tr", *(tag("th", _breakable(title), scope="col", class_="number" if number else None)
                for title, number in zip(table.columns, numeric, strict=True)),
    )  # fmt: skip
    body = [tag("tr", *_cells(row, numeric)) for row in table.rows] or [
        tag("tr", tag("td", "No rows.", colspan=len(table.columns)))
    ]
    whole = tag("table", tag("caption", tag("h3", table.title, id=f"{place}-title")), tag("thead", head),
                tag("tbody", *body))  # fmt: skip
    scroll = tag("div", whole, class_="scroll", role="region", tabindex=0, aria_labelledby=f"{place}-title")
    notes = tag("ul", *(tag("li", note) for note in table.notes), class_="notes") if table.notes else ""
    return tag("section", scroll, notes, class_="table", id=place, data_table=table.name)


def _breakable(title: str) -> Markup:
    """A title that may be broken behind an underscore: soft_consistency need not be wider than its numbers."""
    return join(title.split("_"), Markup("_<wbr>"))


def _cells(row: Sequence[Cell], numeric: Sequence[bool]) -> list[Markup]:
    """The first cell heads its row."""
    return [
        _cell(cell, "td" if at else "th", number) for at, (cell, number) in enumerate(zip(row, numeric, strict=True))
    ]


def _cell(cell: Cell, name: str, number: bool) -> Markup:
    value, interval = cell_text(cell)
    scope = "row" if name == "th" else None
    said = tag("span", value, class_="absent", aria_label="not measured") if cell is None else value
    inside = join([said, " ", tag("span", interval, class_="interval")]) if interval else said
    return tag(name, inside, scope=scope, class_="number" if number else None)
