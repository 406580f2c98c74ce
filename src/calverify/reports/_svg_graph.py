"""A graph as a drawing: boxes in rows, arrows that point down, bidirected edges as curves beside them.

Rule 1: the same graph gives the same drawing, number for number.
Rule 2: work is bounded.  A model may state a graph of any size; one that nobody could read is not drawn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import hypot
from typing import Any
from unicodedata import combining, east_asian_width

from calverify.graphs import Graph
from calverify.reports._svg_layers import layers_of

__all__ = ["MOST_DRAWN_EDGES", "MOST_DRAWN_NODES", "Box", "Drawing", "Line", "draw"]

MOST_DRAWN_NODES, MOST_DRAWN_EDGES = 80, 160
LONGEST_LABEL = 18
LETTER, PADDING, NARROWEST, HEIGHT = 8.4, 20, 40, 30
GAP, BEND, ROW = 26, 12, 78
STEEPEST = 0.36  # of a line's way to the side: so it has passed half a box by the time it has passed GAP
HIGHEST = 200.0
MARGIN = 14
STRAIGHTENINGS = 8
BOWS = (0.22, -0.22, 0.4, -0.4, 0.6, -0.6, 0.85, -0.85)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A node: its centre and its width; `label` is its name, cut where it is long."""

    name: str
    label: str
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Line:
    """An edge from the border of one box to the border of another; a point between the ends bends it."""

    tail: str
    arrow: str
    head: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything lies inside (0, 0, width, height)."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]

    def to_json(self) -> dict[str, Any]:
        """Short, because there is one for each graph: boxes by place, coordinates as whole numbers."""
        place = {box.name: at for at, box in enumerate(self.boxes)}
        boxes = [[box.name, box.label, round(box.x), round(box.y), round(box.width)] for box in self.boxes]
        lines = [
            [place[line.tail], line.arrow, place[line.head], [round(part) for point in line.points for part in point]]
            for line in self.lines
        ]
        return {"size": [round(self.width), round(self.height), HEIGHT], "boxes": boxes, "lines": lines}


def draw(graph: Graph) -> Drawing | None:
    """The drawing of a graph; None where it is too large to be read."""
    edges = [*graph.directed, *graph.bidirected, *graph.undirected]
    if not graph.nodes or len(graph.nodes) > MOST_DRAWN_NODES or len(edges) > MOST_DRAWN_EDGES:
        return None
    number = {name: at for at, name in enumerate(graph.nodes)}
    places = [(number[a], number[b]) for a, b in (*graph.directed, *graph.undirected)]
    arcs = [(number[a], number[b]) for a, b in graph.bidirected]
    layers = layers_of(len(graph.nodes), places, arcs)
    labels = [_label(name) for name in graph.nodes]
    widths = [max(NARROWEST, _letters(label) * LETTER + PADDING) for label in labels]
    xs = _columns(layers.rows, layers.routes, dict(enumerate(widths)))
    ys = _heights(layers.rows, layers.routes, xs)
    spots = {node: (xs[node], ys[at]) for at, row in enumerate(layers.rows) for node in row}
    boxes = [
        Box(name, label, *spots[at], width)
        for at, (name, label, width) in enumerate(zip(graph.nodes, labels, widths, strict=True))
    ]
    arrows = ["->"] * len(graph.directed) + ["--"] * len(graph.undirected)
    lines = _lines(boxes, zip(arrows, layers.routes, strict=True), spots)
    lines += [_arc(boxes, a, b) for a, b in arcs]
    return _framed(boxes, lines)


def _label(name: str) -> str:
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"


def _letters(label: str) -> float:
    """How many letters wide: an ideograph is nearly two, and a mark upon a letter none."""
    return sum(0.0 if combining(char) else 1.8 if east_asian_width(char) in "WF" else 1.0 for char in label)


# ---------------------------------------------------------------- columns


def _columns(
    rows: Sequence[Sequence[int]], routes: Sequence[Sequence[int]], widths: Mapping[int, float]
) -> dict[int, float]:
    """The x of every node and bend: near what it is joined to, and never over its neighbour."""
    beside: dict[int, list[int]] = {node: [] for row in rows for node in row}
    for route in routes:
        for one, other in pairwise(route):
            beside[one].append(other)
            beside[other].append(one)
    half = {node: widths.get(node, BEND) / 2 for node in beside}
    xs = {node: x for row in rows for node, x in zip(row, _packed(row, [0.0] * len(row), half), strict=True)}
    for turn in range(STRAIGHTENINGS):
        for row in rows if turn % 2 else reversed(rows):
            wished = [
                sum(xs[other] for other in beside[node]) / len(beside[node]) if beside[node] else xs[node]
                for node in row
            ]
            xs.update(zip(row, _packed(row, wished, half), strict=True))
    return xs


def _packed(row: Sequence[int], wished: Sequence[float], half: Mapping[int, float]) -> list[float]:
    """As near to the wishes as the order and the widths allow: the mean of packing from the left and from the right."""
    apart = [half[one] + half[other] + GAP for one, other in pairwise(row)]
    left, right = list(wished), list(wished)
    for at in range(1, len(row)):
        left[at] = max(wished[at], left[at - 1] + apart[at - 1])
    for at in reversed(range(len(row) - 1)):
        right[at] = min(wished[at], right[at + 1] - apart[at])
    return [(one + other) / 2 for one, other in zip(left, right, strict=True)]


def _heights(rows: Sequence[Sequence[int]], routes: Sequence[Sequence[int]], xs: Mapping[int, float]) -> list[float]:
    """The y of each row: far apart where a line runs far to the side, or it would clip the boxes beside its ends."""
    row_of = {node: at for at, row in enumerate(rows) for node in row}
    gaps = [float(ROW)] * len(rows)
    for route in routes:
        for one, other in pairwise(route):
            upper = min(row_of[one], row_of[other])
            gaps[upper] = max(gaps[upper], min(HIGHEST, STEEPEST * abs(xs[one] - xs[other])))
    return list(accumulate(gaps[:-1], initial=0.0)) if rows else []


# ---------------------------------------------------------------- lines


def _lines(boxes: Sequence[Box], routes: Any, spots: Mapping[int, Point]) -> list[Line]:
    """One line a route; where two join the same two boxes directly, they bend to either side."""
    found, met = [], set()
    for arrow, route in routes:
        first, last = boxes[route[0]], boxes[route[-1]]
        middle = [spots[bend] for bend in route[1:-1]]
        pair = frozenset((route[0], route[-1]))
        if pair in met and not middle:
            middle = [_beside(spots[route[0]], spots[route[-1]], 0.3)]
        met.add(pair)
        found.append(Line(first.name, arrow, last.name, _trimmed(first, middle, last)))
    return found


def _arc(boxes: Sequence[Box], one: int, other: int) -> Line:
    """A bidirected edge as the bow that touches the fewest boxes."""
    start, stop = boxes[one], boxes[other]
    others = [box for at, box in enumerate(boxes) if at not in (one, other)]
    ends = (start.x, start.y), (stop.x, stop.y)
    bow = min(BOWS, key=lambda bow: (_touched(ends, _beside(*ends, bow), others), abs(bow), -bow))
    return Line(start.name, "<->", stop.name, _trimmed(start, [_beside(*ends, bow)], stop))


def _beside(start: Point, stop: Point, bow: float) -> Point:
    """A point off the middle of a line, `bow` of its length to one side."""
    across, down = stop[0] - start[0], stop[1] - start[1]
    stretch = max(1.0, 60 / (hypot(across, down) or 1))
    return (start[0] + stop[0]) / 2 + down * bow * stretch, (start[1] + stop[1]) / 2 - across * bow * stretch


def _touched(ends: tuple[Point, Point], control: Point, boxes: Sequence[Box]) -> int:
    """How many boxes a curve comes near, looked at in twelve places."""
    (ax, ay), (bx, by), (cx, cy) = *ends, control
    found = set()
    for step in range(1, 12):
        t = step / 12
        x = (1 - t) ** 2 * ax + 2 * t * (1 - t) * cx + t * t * bx
        y = (1 - t) ** 2 * ay + 2 * t * (1 - t) * cy + t * t * by
        found |= {box.name for box in boxes if abs(x - box.x) < box.width / 2 + 4 and abs(y - box.y) < HEIGHT / 2 + 4}
    return len(found)


def _trimmed(first: Box, middle: Sequence[Point], last: Box) -> tuple[Point, ...]:
    """The line from border to border."""
    centres = [(first.x, first.y), *middle, (last.x, last.y)]
    return (_border(first, centres[1]), *middle, _border(last, centres[-2]))


def _border(box: Box, toward: Point) -> Point:
    """Where the way from the centre to a point leaves the box."""
    across, down = toward[0] - box.x, toward[1] - box.y
    reach = max(abs(across) / (box.width / 2 + 2), abs(down) / (HEIGHT / 2 + 2))
    return (box.x, box.y) if not reach else (box.x + across / reach, box.y + down / reach)


def _framed(boxes: Sequence[Box], lines: Sequence[Line]) -> Drawing:
    """The drawing moved so that it begins at (0, 0)."""
    xs = [box.x + side * box.width / 2 for box in boxes for side in (-1, 1)] + [x for li in lines for x, _ in li.points]
    ys = [box.y + side * HEIGHT / 2 for box in boxes for side in (-1, 1)] + [y for li in lines for _, y in li.points]
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    return Drawing(
        max(xs) - left + MARGIN,
        max(ys) - top + MARGIN,
        tuple(Box(box.name, box.label, box.x - left, box.y - top, box.width) for box in boxes),
        tuple(
            Line(li.tail, li.arrow, li.head, tuple((x - left, y - top) for x, y in li.points)) for li in lines
        ),
    )  # fmt: skip
