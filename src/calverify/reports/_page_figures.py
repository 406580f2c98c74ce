"""Figures: each plot with a table of its numbers, and a plot of the gains that a table holds with their intervals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from calverify.evaluation import Interval
from calverify.reports._page_markup import Markup, tag
from calverify.reports._page_tables import cell_text
from calverify.reports._svg import OURS, Bar, bars_svg, curve_svg, number_text, value_text
from calverify.reports._table import Plot, Points, Table

__all__ = ["gains_of", "plot_markup"]


def plot_markup(plot: Plot, place: str) -> Markup:
    """The figure of a plot: drawing, caption, and its numbers in a table that opens."""
    drawing = curve_svg(plot, place) if plot.kind == "curve" else _bars(plot, place)
    return _figure(plot.name, plot.title, drawing, plot.caption, _numbers(plot), place)


def _bars(plot: Plot, place: str) -> Markup:
    """A row for each label where there is one series; else a heading a label, and a row for each series below it."""
    bars: list[Bar] = []
    single = len(plot.series) == 1
    for at, label in enumerate(plot.x):
        if not single:
            bars.append(Bar(str(label)))
        for line in plot.series:
            band = line.band[at] if line.band else None
            bars.append(Bar(str(label) if single else line.name, line.values[at], band, line.name == OURS))
    return bars_svg(plot.title, bars, plot.unit, place)


def _numbers(plot: Plot) -> Markup:
    head = tag("tr", tag("th", plot.x_title, scope="col"),
               *(tag("th", line.name, scope="col", class_="number") for line in plot.series))  # fmt: skip
    rows = []
    for at, x in enumerate(plot.x):
        cells = [_value(line.values[at], line.band[at] if line.band else None, plot.unit) for line in plot.series]
        rows.append(tag("tr", tag("th", number_text(x) if isinstance(x, float | int) else x, scope="row"), *cells))
    caption = tag("caption", f"The numbers of: {plot.title}", class_="quiet")
    return tag("table", caption, tag("thead", head), tag("tbody", *rows))


def _value(value: float, band: tuple[float, float] | None, unit: str) -> Markup:
    said: list[object] = [value_text(value, unit)]
    if band is not None:
        low, high = (value_text(end, unit).removesuffix(" %") for end in band)
        said += [" ", tag("span", f"[{low}, {high}]", class_="interval")]
    return tag("td", *said, class_="number")


def _figure(name: str, title: str, drawing: Markup, caption: str, numbers: Markup, place: str) -> Markup:
    opened = tag("details", tag("summary", "Numbers"), tag("div", numbers, class_="scroll", role="region", tabindex=0,
                                                          aria_label=f"The numbers of: {title}"))  # fmt: skip
    said = tag("figcaption", tag("h3", title), tag("p", caption) if caption else "")
    return tag("figure", said, tag("div", drawing, class_="canvas"), opened, id=place, data_plot=name)


# ---------------------------------------------------------------- gains


def gains_of(table: Table, place: str) -> Iterator[Markup]:
    """The figure of each column of a table in which two rows or more hold a gain with its interval."""
    labels = _labels(table)
    for at, column in enumerate(table.columns):
        held = [(label, cell, cell.interval) for label, row in zip(labels, table.rows, strict=True)
                if isinstance(cell := row[at], Points) and cell.interval is not None]  # fmt: skip
        if len(held) > 1:
            title, address = f"{table.title}: {column}", f"{place}-gains-{at}"
            bars = [Bar(label, float(cell.value), (interval.low, interval.high)) for label, cell, interval in held]
            drawing = bars_svg(title, bars, "points", address, dots=True)
            caption = f"Percentage points, with 95 % intervals. {_made(interval for _, _, interval in held)}"
            yield _figure(f"{table.name}-gains-{at}", title, drawing, caption, _gain_numbers(title, held), address)


def _labels(table: Table) -> list[str]:
    """The words that each row begins with, but for those that all do; where two begin alike, the number behind them."""
    heads = []
    alike = next((at for at, title in enumerate(table.columns) if len(set(table.column(title))) > 1), 0)
    for row in table.rows:
        size = next((at for at, cell in enumerate(row) if not isinstance(cell, str)), len(row))
        count = row[size] if size < len(row) and isinstance(row[size], int) else None
        said = [str(cell) for cell in row[min(alike, max(size - 1, 0)) : size] if cell]
        heads.append((", ".join(said), "" if count is None else f"{table.columns[size]} {count}"))
    often = Counter(words for words, _ in heads)
    return [", ".join(filter(None, (words, count))) if often[words] > 1 else words for words, count in heads]


def _made(intervals: Iterable[Interval]) -> str:
    """How they were made, each way once."""
    ways = {f"{each.draws:,} bootstrap draws clustered by {each.key}" for each in intervals}
    return f"{'; '.join(sorted(ways))}."


def _gain_numbers(title: str, held: Sequence[tuple[str, Points, Interval]]) -> Markup:
    head = tag("tr", *(tag("th", name, scope="col", class_="number" if at else None)
                       for at, name in enumerate(("of", "gain", "interval"))))  # fmt: skip
    rows = [tag("tr", tag("th", label, scope="row"), *(tag("td", part, class_="number") for part in cell_text(cell)))
            for label, cell, _ in held]  # fmt: skip
    return tag("table", tag("caption", f"The numbers of: {title}", class_="quiet"), tag("thead", head),
               tag("tbody", *rows))  # fmt: skip
