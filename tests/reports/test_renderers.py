"""Five ways to print a table: each rounds as people do, escapes what it would obey, and loses nothing."""

import csv
import io
import json
import re
from fractions import Fraction

import pytest

import calverify as cv
from calverify.evaluation import Interval
from calverify.reports import (
    RENDERERS,
    REPORTS,
    Number,
    Options,
    Plot,
    Points,
    PValue,
    Series,
    Share,
    Table,
    csv_text,
    find_report,
    json_text,
    latex,
    make_report,
    markdown,
    text,
)
from calverify.reports._cells import shown, visible
from tests.reports.recount import OPTIONS, studies

HOSTILE = '</td>\n| a\\b_{c}^d ~ 50% & $x$ #1 `*[x](y)* "q" \u202e\x1b[2J <script>'


def interval(low: float, point: float, high: float) -> Interval:
    return Interval(point, low, high, 100, 7, 9, "problem")


GAIN = Points(Fraction(143, 576), interval(0.19, 143 / 576, 0.305))
TABLE = Table(
    "a-table",
    "A  table",
    ("policy", "units", "share", "gain", "number", "p", "gone"),
    (
        ("one", 1_111, Share(Fraction(1, 3)), GAIN, Number(Fraction(-1, 8)), PValue(Fraction(1, 50_000)), None),
        (HOSTILE, 0, Share(0.5, interval(0.4, 0.5, 0.6)), Points(-0.0004), Number(1234.5678), PValue(0.25), "-"),
    ),
    ("A note.", f"Another about {HOSTILE}"),
)
EMPTY = Table("empty", "Nothing", (), (), ("Nothing to show: needs more.",))

CELLS = [
    (None, "-"),
    ("a\nb", "a b"),
    ("a\x1b[2Jb\u202e", "a\\u001b[2Jb\\u202e"),
    (1_234_567, "1,234,567"),
    (-3, "-3"),
    (Share(Fraction(1, 3)), "33.3"),
    (Share(1), "100.0"),
    (Share(Fraction(1, 2_000)), "0.1"),  # half away from zero
    (Share(0.5, interval(0.4, 0.5, 0.6)), "50.0 [40.0, 60.0]"),
    (Points(Fraction(143, 576)), "+24.8"),
    (Points(Fraction(-1, 2_000)), "-0.1"),
    (Points(Fraction(-1, 2_001)), "0.0"),  # never a negative zero
    (Points(0, interval(-0.01, 0, 0.02)), "0.0 [-1.0, 2.0]"),
    (Number(Fraction(1, 16)), "0.063"),
    (Number(-1234.5), "-1,234.500"),
    (PValue(Fraction(1, 10_001)), "< 0.0001"),
    (PValue(Fraction(1, 10_000)), "0.0001"),
    (PValue(1), "1.0000"),
]


@pytest.mark.parametrize("cell, said", CELLS)
def test_how_a_cell_reads(cell, said):
    assert shown(cell) == said


REFUSED = [
    (lambda: Share(1.01), "a share must lie between 0 and 1, not 1.01"),
    (lambda: Share(True), "a share must be a finite number"),
    (lambda: Points(float("nan")), "a difference of shares must be a finite number"),
    (lambda: PValue(-0.1), "a p-value must lie between 0 and 1"),
    (lambda: Number(float("inf")), "a number must be finite"),
    (lambda: Table("t", "", ("a", "a"), ()), "two columns of one name"),
    (lambda: Table("t", "", ("a",), ((1, 2),)), "row 0 has 2 cells, not 1"),
    (lambda: Table("t", "", ("a",), ((0.5,),)), "row 0 holds 0.5, which is no cell"),
    (lambda: Table("t", "", ("a",), ((True,),)), "which is no cell"),
    (lambda: Plot("p", "", "pie", (1.0,), (), "", ""), "kind must be one of curve, bars"),
    (lambda: Plot("p", "", "bars", (1.0,), (), "", ""), "bars stand on labels"),
    (lambda: Plot("p", "", "curve", (1.0,), (Series("s", (1.0, 2.0)),), "", ""), "'s' needs 1 values"),
    (lambda: find_report("pie"), "no report 'pie' is on the shelf; there are policies"),
    (lambda: make_report("ties", [studies()[0].only([])]), "none that holds a unit"),
]


@pytest.mark.parametrize("make, why", REFUSED)
def test_what_is_no_cell_table_or_plot(make, why):
    with pytest.raises(cv.CalverifyError) as refused:
        make()
    assert why in str(refused.value)


def test_text_is_aligned():
    lines = text([TABLE, EMPTY]).split("\n")
    assert lines[:2] == ["A table", "======="]
    heads, rule, one = lines[2], lines[3], lines[4]
    assert heads.split() == list(TABLE.columns)
    for column in ("units", "share", "gain", "number", "p"):
        end = re.search(rf"\b{column}\b", heads).end()
        assert rule[end - 1] == "-", column
        assert one[end - 1] not in "  ", column
    assert "\x1b" not in text([TABLE])
    assert "\u202e" not in text([TABLE])
    assert lines[-4:] == ["Nothing", "=======", "* Nothing to show: needs more.", ""]


def unescaped(line: str) -> list[str]:
    """The cells of a row of markdown, as a reader of it splits and unescapes them."""
    assert line.startswith("| ")
    assert line.endswith(" |")
    parts = re.split(r"(?<!\\) \| ", line[2:-2])
    return [re.sub(r"\\([\\`*_{}\[\]<>#|~])", r"\1", part) for part in parts]


def test_markdown():
    parts = markdown([TABLE, EMPTY]).split("\n\n")
    assert parts[0] == "## A table"
    heads, rule, one, two = parts[1].split("\n")
    assert unescaped(heads) == list(TABLE.columns)
    assert unescaped(rule) == ["---", "---:", "---:", "---:", "---:", "---:", "---"]
    assert unescaped(one) == ["one", "1,111", "33.3", "+24.8 [19.0, 30.5]", "-0.125", "< 0.0001", "-"]
    assert unescaped(two)[0] == visible(HOSTILE)
    bare = re.sub(r"\\[\\`*_{}\[\]<>#|~]", "", two)
    assert not set("<>`*[]_#") & set(bare.replace("[40.0, 60.0]", ""))
    assert parts[2].split("\n")[0] == "- A note."
    assert parts[3:] == ["## Nothing", "- Nothing to show: needs more.\n"]


def test_csv_is_unrounded():
    rows = list(csv.reader(io.StringIO(csv_text([TABLE, EMPTY]))))
    assert rows[0] == ["# a-table: A  table"]
    assert rows[1] == ["policy", "units", "share", "share (low)", "share (high)", "gain", "gain (low)", "gain (high)",
                       "number", "p", "gone"]  # fmt: skip
    assert rows[2] == ["one", "1111", repr(1 / 3), "", "", repr(143 / 576), "0.19", "0.305", "-0.125", "2e-05", ""]
    assert rows[3][0] == HOSTILE
    assert rows[3][2:5] == ["0.5", "0.4", "0.6"]
    assert rows[3][-1] == "'-"
    assert rows[-2:] == [["# empty: Nothing"], ["# Nothing to show: needs more."]]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\tx"])
def test_no_text_is_a_formula(name):
    """A spreadsheet would run it."""
    table = Table("t", "", ("policy", "gain"), ((name, Points(-0.5)),))
    row = list(csv.reader(io.StringIO(csv_text([table]))))[2]
    assert row == [f"'{name}", "-0.5"]


def test_json_is_whole():
    curve = Plot("c", "C", "curve", (1.0, 2.0), (Series("s", (0.1, 0.2), ((0.0, 0.2), (0.1, 0.3))),), "K", "share")
    found = json.loads(json_text([TABLE], [curve]))
    (table,), (plot,) = found["tables"], found["plots"]
    assert (table["table"], table["title"], table["columns"]) == ("a-table", "A  table", list(TABLE.columns))
    assert table["rows"][0][2] == {"share": 1 / 3}
    assert table["rows"][0][3] == {"points": 143 / 576, "interval": GAIN.interval.to_json()}
    assert table["rows"][1][0] == HOSTILE
    assert table["rows"][0][-1] is None
    assert plot["series"] == [{"name": "s", "values": [0.1, 0.2], "band": [[0.0, 0.2], [0.1, 0.3]]}]


def test_latex():
    made = latex([TABLE, EMPTY])
    assert made.count(r"\begin{table}") == made.count(r"\end{table}") == 2
    assert made.count("{") - made.count(r"\{") == made.count("}") - made.count(r"\}")
    lines = made.split("\n")
    one = lines[lines.index(r"\midrule") + 1]
    assert one == r"one & $1{,}111$ & $33.3$ & $+24.8\ [19.0,\ 30.5]$ & $-0.125$ & $< 0.0001$ & - \\"
    two = lines[lines.index(r"\midrule") + 2].removesuffix(r" \\").split(" & ")
    assert len(two) == 7
    said = two[0]
    for command, letter in ((r"\textbackslash{}", "\\"), (r"\textasciitilde{}", "~"), (r"\textasciicircum{}", "^"),
                            (r"\textless{}", "<"), (r"\textgreater{}", ">"), (r"\textbar{}", "|"),
                            ("{''}", '"')):  # fmt: skip
        said = said.replace(command, {"\\": "\0"}.get(letter, letter))
    assert not re.search(r"(?<!\\)[&%$#_{}]", said)
    assert re.sub(r"\\([&%$#_{}])", r"\1", said).replace("\0", "\\") == visible(HOSTILE)
    assert r"\label{tab:a-table}" in made
    assert r"\begin{tabular}{lrrrrrl}" in made
    assert r"\label{tab:--b-c}" in latex([Table("é{b}c", "", ("a",), (("x",),))])
    assert r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%" in made


@pytest.fixture(scope="module")
def shelf() -> tuple[list[Table], list[Plot]]:
    """Everything that every report shows."""
    made = [make_report(name, studies(), Options(draws=5, rates=OPTIONS.rates[:1])) for name in REPORTS]
    return [table for tables, _ in made for table in tables], [plot for _, plots in made for plot in plots]


@pytest.mark.parametrize("style", RENDERERS)
def test_every_report_in_every_style(shelf, style):
    """Whatever a report holds, each renderer prints: each title, each policy, and the same bytes twice."""
    tables, plots = shelf
    said = RENDERERS[style](tables, plots)
    assert said == RENDERERS[style](tables, plots)
    assert said.endswith("\n")
    for table in tables:
        title = table.title if style in ("csv", "json") else visible(table.title)
        assert title in said, table.name
    assert said.count("simulated two") > 40


def test_every_report_says_what_it_shows():
    for name, entry in REPORTS.items():
        assert entry.summary.endswith("."), name
        assert entry.draws in (1_000, 2_000, 10_000)
