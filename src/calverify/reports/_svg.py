"""Plots as inline SVG: title and description in the drawing, lines told apart without colour, numbers beside them.

Rule 1: a line is told from another by its marker, its dashes and its label; colour only says which one is ours.
Rule 2: colours come from the page's style sheet, so that a plot follows the page into the dark and onto paper.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log2, log10

from calverify.reports._page_markup import Markup, join, tag
from calverify.reports._table import Plot, Series

__all__ = ["Bar", "Scale", "bars_svg", "curve_svg", "marker", "number_text", "value_text"]

WIDTH, HEIGHT = 620, 350
LEFT, RIGHT, TOP, BOTTOM = 52, 158, 14, 50
LABEL = 18  # between two labels
DASHES = (None, "7 4", "2 3", "10 3 2 3", "4 4", "1 4", "12 4", "6 2 2 2")
OURS = "calver"
ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
MOST_PLACES = 10  # on an axis; more of them, and round numbers stand there instead


@dataclass(frozen=True, slots=True)
class Scale:
    """From a value to a place along an axis; `doubling` puts 1, 2, 4 and 8 at equal distances."""

    low: float
    high: float
    start: float
    stop: float
    doubling: bool = False

    def __call__(self, value: float) -> float:
        low, high, at = (log2(self.low), log2(self.high), log2(value)) if self.doubling else (
            self.low, self.high, value)  # fmt: skip
        return self.start + (self.stop - self.start) * ((at - low) / (high - low) if high > low else 0.5)

    def ticks(self) -> list[float]:
        """Up to seven round values on the axis."""
        span = self.high - self.low
        if not span > 0:
            return [self.low]
        power = 10.0 ** floor(log10(span / 6))
        step = next(power * each for each in ROUND if power * each >= span / 6 * 0.999)
        first, last = ceil(self.low / step - 1e-6), floor(self.high / step + 1e-6)
        return [step * at for at in range(first, last + 1)]


def number_text(value: float) -> str:
    """A number of an axis: 0, 2.5, −40."""
    return f"{value:g}".replace("-", "−") if abs(value) > 1e-9 else "0"


def value_text(value: float, unit: str) -> str:
    """A value in the words of its unit: 57.4 %, +17.4, 143."""
    if not isfinite(value):
        return "–"
    if unit == "share":
        return f"{100 * value:.1f} %"
    said = f"{100 * value:+.1f}" if unit == "points" else f"{value:,.4g}"
    return "0.0" if said in ("+0.0", "-0.0") else said.replace("-", "−")


def _shown(value: float, unit: str) -> float:
    """The value on its axis: shares as per cent, differences in points."""
    return value if unit == "number" else 100 * value


# ---------------------------------------------------------------- curves


def curve_svg(plot: Plot, place: str) -> Markup:
    """Lines over numbers, each with its band and its label at the right end."""
    xs = [float(x) for x in plot.x]
    values = [end for line in plot.series for end in _ends(line) if isfinite(end)]
    if not xs or not values:
        return tag("p", "There is nothing to draw.")
    low, high = min(xs), max(xs)
    across = Scale(low, high, LEFT, WIDTH - RIGHT, doubling=low > 0 and high / low >= 4)
    shown = [_shown(value, plot.unit) for value in values]
    bottom, top = min(shown), max(shown)
    room = (top - bottom or abs(top) or 1.0) * 0.06
    bottom, top = (max(0.0, bottom - room) if bottom >= 0 else bottom - room), top + room
    if plot.unit == "share":
        top = min(top, 100.0)
    down = Scale(bottom, top, HEIGHT - BOTTOM, TOP)
    parts = [_across_axis(plot, across, xs), _down_axis(plot, down)]
    lines = [_Line(line, at, xs, plot.unit, across, down) for at, line in enumerate(plot.series)]
    above = sorted(lines, key=lambda line: line.style == "ours")  # ours is drawn last, and so over the others
    parts += [line.band() for line in above] + [line.markup() for line in above] + [_labels(lines)]
    return _svg(plot.title, _description(plot), place, HEIGHT, parts)


def _ends(line: Series) -> list[float]:
    return [*line.values, *(end for pair in line.band for end in pair)]


def _across_axis(plot: Plot, scale: Scale, xs: Sequence[float]) -> Markup:
    foot = HEIGHT - BOTTOM
    places = sorted(set(xs)) if len(set(xs)) <= MOST_PLACES else scale.ticks()
    parts = [tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=foot, y2=foot, class_="axis")]
    for value in places:
        at = f"{scale(value):.1f}"
        parts.append(tag("line", x1=at, x2=at, y1=foot, y2=foot + 5, class_="axis"))
        parts.append(tag("text", number_text(value), x=at, y=foot + 20, text_anchor="middle"))
    parts.append(tag("text", plot.x_title, x=(LEFT + WIDTH - RIGHT) / 2, y=HEIGHT - 8, text_anchor="middle",
                     class_="title"))  # fmt: skip
    return join(parts)


def _down_axis(plot: Plot, scale: Scale) -> Markup:
    parts = []
    for value in scale.ticks():
        at = f"{scale(value):.1f}"
        kind = "zero" if abs(value) < 1e-9 else "grid"
        parts.append(tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=at, y2=at, class_=kind))
        parts.append(tag("text", number_text(value), x=LEFT - 8, y=at, dy="0.35em", text_anchor="end"))
    unit = {"share": " (%)", "points": " (points)"}.get(plot.unit, "")
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(tag("text", f"{plot.y_title}{unit}", x=14, y=middle, text_anchor="middle", class_="title",
                     transform=f"rotate(-90 14 {middle:g})"))  # fmt: skip
    return join(parts)


@dataclass(frozen=True, slots=True)
class _Line:
    """One series on its axes; a value that is not finite leaves a gap."""

    series: Series
    at: int
    xs: Sequence[float]
    unit: str
    across: Scale
    down: Scale

    @property
    def style(self) -> str:
        return "ours" if self.series.name == OURS else "other"

    def spots(self) -> list[tuple[float, float]]:
        return [
            (self.across(x), self.down(_shown(value, self.unit)))
            for x, value in zip(self.xs, self.series.values, strict=True)
            if isfinite(value)
        ]

    def band(self) -> Markup:
        pairs = [
            (self.across(x), self.down(_shown(low, self.unit)), self.down(_shown(high, self.unit)))
            for x, (low, high) in zip(self.xs, self.series.band, strict=False)
            if isfinite(low) and isfinite(high)
        ]
        if not pairs:
            return join([])
        around = [(x, high) for x, _, high in pairs] + [(x, low) for x, low, _ in reversed(pairs)]
        return tag("polygon", points=_points(around), class_=f"band {self.style}")

    def markup(self) -> Markup:
        spots = self.spots()
        dash = None if self.style == "ours" else DASHES[(self.at + 1) % len(DASHES)]
        drawn = tag("polyline", points=_points(spots), class_=f"line {self.style}", stroke_dasharray=dash)
        return join([drawn, *(marker(self.at, x, y, self.style) for x, y in spots)])


def _points(spots: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)


def marker(at: int, x: float, y: float, style: str) -> Markup:
    """One of six shapes about a point."""
    shapes = (
        f"M{x - 4:.1f} {y:.1f}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
        f"M{x - 4:.1f} {y - 4:.1f}h8v8h-8z",
        f"M{x:.1f} {y - 5:.1f}l5 9h-10z",
        f"M{x:.1f} {y - 5.5:.1f}l5 5.5l-5 5.5l-5 -5.5z",
        f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8",
        f"M{x:.1f} {y - 5:.1f}v10m-5 -5h10",
    )
    hollow = " hollow" if at >= len(shapes) else ""
    return tag("path", d=shapes[at % len(shapes)], class_=f"mark {style}{hollow}")


def _labels(lines: Sequence[_Line]) -> Markup:
    """The name of each line where it ends, moved apart where two would touch."""
    ends = sorted((spots[-1][1], line.at) for line in lines if (spots := line.spots()))
    places = [y for y, _ in ends]
    for at in range(1, len(places)):
        places[at] = max(places[at], places[at - 1] + LABEL)
    if places:
        places[-1] = min(places[-1], HEIGHT - BOTTOM)
    for at in reversed(range(len(places) - 1)):
        places[at] = min(places[at], places[at + 1] - LABEL)
    parts = []
    for y, (end, at) in zip(places, ends, strict=True):
        line, x = lines[at], WIDTH - RIGHT + 26
        parts.append(tag("line", x1=line.spots()[-1][0] + 7, y1=f"{end:.1f}", x2=x - 10, y2=f"{y:.1f}", class_="lead"))
        parts.append(marker(at, x, y, line.style))
        parts.append(tag("text", line.series.name, x=x + 11, y=f"{y:.1f}", dy="0.35em", class_=f"label {line.style}"))
    return join(parts)


# ---------------------------------------------------------------- bars and dots


@dataclass(frozen=True, slots=True)
class Bar:
    """One row: what it is about, its value, its interval where there is one; a `heading` has no value."""

    label: str
    value: float | None = None
    band: tuple[float, float] | None = None
    ours: bool = False


def bars_svg(title: str, bars: Sequence[Bar], unit: str, place: str, *, dots: bool = False) -> Markup:
    """Rows from the top with their values in print: bars from zero, or dots with their intervals."""
    known = [bar for bar in bars if bar.value is not None and isfinite(bar.value)]
    ends = [_shown(end, unit) for bar in known for end in (bar.value or 0.0, *(bar.band or ()))]
    if not ends:
        return tag("p", "There is nothing to draw.")
    left = min(230, 24 + 8 * max(len(bar.label) for bar in bars))
    right, row = 84, 26
    foot = TOP + row * len(bars) + 4
    scale = Scale(min(0.0, *ends), max(0.0, *ends) or 1.0, left, WIDTH - right)
    parts = []
    for value in scale.ticks():
        at = f"{scale(value):.1f}"
        parts.append(tag("line", x1=at, x2=at, y1=TOP, y2=foot, class_="zero" if abs(value) < 1e-9 else "grid"))
        parts.append(tag("text", number_text(value), x=at, y=foot + 18, text_anchor="middle"))
    most = left // 8
    for number, bar in enumerate(bars):
        y = TOP + row * number + row / 2
        name = bar.label if len(bar.label) <= most else f"{bar.label[: most - 1]}…"
        kind = "heading" if bar.value is None else "label ours" if bar.ours else "label"
        where, anchor = (4, "start") if bar.value is None else (left - 10, "end")
        parts.append(tag("text", name, x=where, y=y, dy="0.35em", text_anchor=anchor, class_=kind))
        parts.append(_bar(bar, scale, y, unit, dots))
    said = "; ".join(f"{bar.label} {value_text(bar.value or 0.0, unit)}" for bar in known)
    return _svg(title, said, place, foot + 28, parts)


def _bar(bar: Bar, scale: Scale, y: float, unit: str, dots: bool) -> Markup:
    if bar.value is None:
        return join([])
    if not isfinite(bar.value):
        return tag("text", value_text(bar.value, unit), x=WIDTH - 4, y=y, dy="0.35em", text_anchor="end")
    style = "ours" if bar.ours else "other"
    at, zero = scale(_shown(bar.value, unit)), scale(0.0)
    parts = []
    if not dots:
        parts.append(tag("rect", x=f"{min(at, zero):.1f}", y=y - 8, width=f"{abs(at - zero):.1f}", height=16,
                         class_=f"bar {style}"))  # fmt: skip
    if bar.band is not None:
        low, high = (f"{scale(_shown(end, unit)):.1f}" for end in bar.band)
        parts.append(tag("path", d=f"M{low} {y - 4}v8M{low} {y}H{high}M{high} {y - 4}v8", class_=f"whisker {style}"))
    if dots:
        parts.append(marker(0, at, y, style))
    parts.append(tag("text", value_text(bar.value, unit), x=WIDTH - 4, y=y, dy="0.35em", text_anchor="end"))
    return join(parts)


# ---------------------------------------------------------------- words


def _svg(title: str, description: str, place: str, height: float, parts: Sequence[Markup]) -> Markup:
    named, told = f"{place}-svg-title", f"{place}-svg-desc"
    inside = [tag("title", title, id=named), tag("desc", description, id=told), *parts]
    box = f"0 0 {WIDTH} {height:g}"
    return tag("svg", *inside, viewBox=box, role="img", aria_labelledby=f"{named} {told}", class_="plot")


def _description(plot: Plot) -> str:
    """From where to where each line goes, in words."""
    said = []
    for line in plot.series:
        spots = [(x, value) for x, value in plot.points(line) if isfinite(value)]
        if spots:
            (first, start), (last, stop) = spots[0], spots[-1]
            said.append(f"{line.name} goes from {value_text(start, plot.unit)} at {plot.x_title} {first} "
                        f"to {value_text(stop, plot.unit)} at {last}")  # fmt: skip
    return "; ".join(said) + ". Every number is in the table below the figure."
