"""Drawings of graphs and plots: nothing covers anything else, arrows point down, and every number is where it says."""

from itertools import combinations, pairwise
from math import hypot, nan
from random import Random
from xml.etree import ElementTree

import pytest

import calverify as cv
from calverify.reports import Plot, Series
from calverify.reports._page_markup import data_block, join, tag, text, words
from calverify.reports._svg import Bar, Scale, bars_svg, curve_svg, number_text, value_text
from calverify.reports._svg_graph import HEIGHT, MOST_DRAWN_NODES, draw
from calverify.reports._svg_layers import layers_of
from tests.known import random_graph

KINDS = ("dag", "admg", "directed", "undirected")


def overlap(one, other) -> bool:
    return abs(one.x - other.x) < (one.width + other.width) / 2 and abs(one.y - other.y) < HEIGHT


def on_border(point, box) -> bool:
    """Is the point no further than two pixels and a half from the border of the box, and outside of it?"""
    x, y = abs(point[0] - box.x) - box.width / 2, abs(point[1] - box.y) - HEIGHT / 2
    return -0.5 <= max(x, y) <= 2.5


def check(graph: cv.Graph) -> None:
    drawing = draw(graph)
    boxes = {box.name: box for box in drawing.boxes}
    assert tuple(boxes) == graph.nodes
    assert not any(overlap(one, other) for one, other in combinations(drawing.boxes, 2))
    edges = [(a, "->", b) for a, b in graph.directed] + [(a, "--", b) for a, b in graph.undirected]
    edges += [(a, "<->", b) for a, b in graph.bidirected]
    assert [(line.tail, line.arrow, line.head) for line in drawing.lines] == edges
    for line in drawing.lines:
        assert on_border(line.points[0], boxes[line.tail]), line
        assert on_border(line.points[-1], boxes[line.head]), line
        for x, y in line.points:
            assert 0 <= x <= drawing.width
            assert 0 <= y <= drawing.height
    for box in drawing.boxes:
        assert box.width / 2 <= box.x <= drawing.width - box.width / 2
        assert HEIGHT / 2 <= box.y <= drawing.height - HEIGHT / 2
    if graph.acyclic:
        assert all(boxes[a].y < boxes[b].y for a, b in graph.directed), "an arrow points down"
    assert draw(graph) == drawing


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [40, pytest.param(2_000, marks=pytest.mark.property)])
def test_random_graphs(kind, count):
    rng = Random(f"drawing {kind}")
    for _ in range(count):
        check(random_graph(rng, kind, most=12, least=1 if kind in ("dag", "undirected") else 3))


def near(line, box) -> bool:
    """Does the straight part of a line run through the box?"""
    (ax, ay), (bx, by) = line.points[0], line.points[-1]
    steps = max(2, int(hypot(bx - ax, by - ay) / 2))
    return any(
        abs(ax + (bx - ax) * at / steps - box.x) < box.width / 2
        and abs(ay + (by - ay) * at / steps - box.y) < HEIGHT / 2
        for at in range(steps + 1)
    )


def test_no_straight_arrow_runs_through_a_node():
    rng = Random("through")
    for _ in range(150):
        drawing = draw(random_graph(rng, "dag", most=10))
        for line in drawing.lines:
            if len(line.points) == 2:
                assert not any(near(line, box) for box in drawing.boxes if box.name not in (line.tail, line.head)), line


SHAPES = [
    ("A", 1, 0),
    ("A, B, C", 3, 0),
    ("A -> B", 2, 1),
    ("A -> B -> C, A -> C", 3, 3),
    ("A -> B -> A", 2, 2),
    ("A <-> B, A -> B", 2, 2),
    ("A -- B -- C -- A", 3, 3),
    ("X -> Y, X <-> Y, U -> X, U <-> Y", 3, 4),
]


@pytest.mark.parametrize("drawn, nodes, edges", SHAPES)
def test_small_graphs(drawn, nodes, edges):
    graph = cv.Graph.parse(drawn)
    check(graph)
    assert (len(draw(graph).boxes), len(draw(graph).lines)) == (nodes, edges)


def test_two_edges_between_two_nodes_are_told_apart():
    for drawn in ("A -> B -> A", "A -> B, A <-> B"):
        first, second = draw(cv.Graph.parse(drawn)).lines
        assert first.points[1:-1] != second.points[1:-1]


def test_parents_stand_above_and_rows_are_few():
    layers = layers_of(4, [(0, 1), (1, 2), (0, 2), (3, 2)], [])
    rows = [[node for node in row if node < 4] for row in layers.rows]
    assert rows[0] == [0]
    assert set(rows[1]) == {1, 3}
    assert rows[2] == [2]
    assert len(layers.routes[2]) == 3, "an arrow that passes a row has a bend in it"


def test_what_nobody_could_read_is_not_drawn():
    names = [f"n{at}" for at in range(MOST_DRAWN_NODES + 1)]
    assert draw(cv.Graph(names)) is None
    assert draw(cv.Graph(names[:-1])) is not None
    dense = cv.Graph(names[:30], [(a, b) for a, b in combinations(names[:30], 2)])
    assert draw(dense) is None
    assert draw(cv.Graph([])) is None


def test_long_names_are_cut_in_the_drawing_alone():
    (box,) = draw(cv.Graph(["a" * 40])).boxes
    assert (box.name, len(box.label), box.label[-1]) == ("a" * 40, 18, "…")


# ---------------------------------------------------------------- axes and plots


@pytest.mark.parametrize(
    "low, high, ticks",
    [
        (0, 100, [0, 20, 40, 60, 80, 100]),
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-12, 31, [-10, 0, 10, 20, 30]),
        (37.2, 38.9, [37.5, 38, 38.5]),
        (5, 5, [5]),
    ],
)
def test_ticks_are_round(low, high, ticks):
    assert Scale(low, high, 0, 300).ticks() == pytest.approx(ticks)


def test_scales():
    assert [Scale(0, 10, 100, 200)(value) for value in (0, 5, 10)] == [100, 150, 200]
    assert [Scale(0, 10, 200, 100)(value) for value in (0, 5, 10)] == [200, 150, 100]
    assert [Scale(1, 8, 0, 3, doubling=True)(value) for value in (1, 2, 4, 8)] == pytest.approx([0, 1, 2, 3])
    assert Scale(3, 3, 0, 10)(3) == 5


@pytest.mark.parametrize(
    "value, unit, said",
    [(0.574, "share", "57.4 %"), (0.174, "points", "+17.4"), (-0.4, "points", "−40.0"), (0.0001, "points", "0.0"),
     (143.0, "number", "143"), (nan, "share", "–")],
)  # fmt: skip
def test_values_in_words(value, unit, said):
    assert value_text(value, unit) == said


def test_numbers_of_an_axis():
    assert [number_text(value) for value in (0.0, 1e-12, 2.5, -40.0, 100.0)] == ["0", "0", "2.5", "−40", "100"]


CURVE = Plot("c", "A <title>", "curve", (1.0, 2.0, 4.0, 8.0), (
    Series("plurality", (0.5, 0.4, 0.3, nan)), Series("calver", (0.5, 0.6, 0.7, 0.8), ((0.4, 0.6),) * 4),
), "K", "accuracy")  # fmt: skip


def test_a_curve_is_well_formed_and_says_what_it_shows():
    """Shapes are closed, so that a browser sees all of them; ours is drawn last; a gap where there is no value."""
    root = ElementTree.fromstring(curve_svg(CURVE, "here"))
    assert root.find("title").text == "A <title>"
    said = root.find("desc").text
    assert "plurality goes from 50.0 % at K 1.0 to 30.0 % at 4.0" in said
    assert "calver goes from 50.0 % at K 1.0 to 80.0 % at 8.0" in said
    lines = list(root.iter("polyline"))
    assert [line.get("class") for line in lines] == ["line other", "line ours"]
    assert [len(line.get("points").split(" ")) for line in lines] == [3, 4]
    assert lines[0].get("stroke-dasharray")
    assert lines[1].get("stroke-dasharray") is None
    assert len([each for each in root.iter("polygon") if "band" in each.get("class")]) == 1
    assert len([each for each in root.iter("path") if "mark" in each.get("class")]) == 3 + 4 + 2
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "here-svg-title here-svg-desc"


@pytest.mark.parametrize("ends", [[0.99] * 8, [0.01] * 8, [0.5] * 8, [at / 8 for at in range(8)]])
def test_labels_keep_apart_and_inside(ends):
    plot = Plot(
        "c", "t", "curve", (1.0, 2.0), tuple(Series(f"s{at}", (0.5, end)) for at, end in enumerate(ends)), "", ""
    )
    root = ElementTree.fromstring(curve_svg(plot, "p"))
    labels = sorted(float(each.get("y")) for each in root.iter("text") if (each.get("class") or "").startswith("label"))
    assert len(labels) == 8
    assert all(below - above >= 17.9 for above, below in pairwise(labels))
    assert labels[0] > 8
    assert labels[-1] <= 300.1


def test_bars_start_at_zero():
    bars = [
        Bar("up", 0.5, (0.4, 0.6)),
        Bar("down", -0.25),
        Bar("a heading"),
        Bar("unknown", nan),
        Bar("calver", 0.1, ours=True),
    ]
    root = ElementTree.fromstring(bars_svg("t", bars, "points", "p"))
    drawn = list(root.iter("rect"))
    zero = next(each for each in root.iter("line") if each.get("class") == "zero").get("x1")
    up, down, ours = drawn
    assert up.get("x") == zero
    assert float(down.get("x")) + float(down.get("width")) == pytest.approx(float(zero), abs=0.2)
    assert float(up.get("width")) == pytest.approx(2 * float(down.get("width")), abs=0.2)
    assert ours.get("class") == "bar ours"
    said = [each.text for each in root.iter("text")]
    assert {"+50.0", "−25.0", "+10.0", "–", "a heading"} <= set(said)
    assert len([each for each in root.iter("path") if "whisker" in each.get("class")]) == 1


def test_nothing_to_draw():
    for empty in (bars_svg("t", [], "share", "p"), bars_svg("t", [Bar("x", nan)], "share", "p"),
                  curve_svg(Plot("c", "t", "curve", (), (), "", ""), "p"),
                  curve_svg(Plot("c", "t", "curve", (1.0,), (Series("s", (nan,)),), "", ""), "p")):  # fmt: skip
        assert empty == "<p>There is nothing to draw.</p>"


# ---------------------------------------------------------------- markup

ESCAPED = [
    ("<b> & \"q\" 'a'", "&lt;b&gt; &amp; &quot;q&quot; &#x27;a&#x27;"),
    ("a\nb\tc", "a\nb\tc"),
    ("\u202ea\u200b\0\ud800", "⟨U+202E⟩a⟨U+200B⟩⟨U+0000⟩⟨U+D800⟩"),
    ("é 漢 😀", "é 漢 😀"),
    (7, "7"),
]


@pytest.mark.parametrize("value, markup", ESCAPED)
def test_text_is_text(value, markup):
    assert text(value) == markup
    assert text(text(value)) == markup, "markup is not escaped twice"
    assert tag("p", value) == f"<p>{markup}</p>"
    assert tag("p", title=value) == f'<p title="{markup}"></p>'
    assert join([value, value], " & ") == f"{markup} &amp; {markup}"


def test_elements():
    assert tag("input", id="a", hidden="") == '<input id="a" hidden="">'
    assert tag("rect", x=1, class_="b", aria_label=None) == '<rect x="1" class="b"/>'
    assert tag("th", "a", for_="x", aria_label="y") == '<th for="x" aria-label="y">a</th>'


def test_no_data_ends_its_block():
    block = data_block("d", {"text": "</script><!-- <script>\u2028"})
    inside = block.removeprefix('<script type="application/json" id="d">').removesuffix("</script>")
    assert "<" not in inside
    assert inside.isascii()
    assert "\\u003c/script>" in inside


def test_names_as_addresses():
    assert [words(name) for name in ("Same pool", "a__b", "<é>", "")] == ["same-pool", "a-b", "x", "x"]
