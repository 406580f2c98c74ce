"""The report as one HTML file that needs nothing else: tables, figures, and every pool with every candidate.

Rule 1: the page may run its own script and use its own style, each by its hash, and may load nothing at all.
Rule 2: whatever a model, a file or a person wrote goes through `_page_markup`, here and in the page.
Rule 3: the same studies give the same page, byte for byte.
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple, TypeVar

from calverify.archives import Step
from calverify.evaluation import Study
from calverify.reports._explorer import CATEGORIES, explorer_data, packed
from calverify.reports._page_about import about_markup, notices_of
from calverify.reports._page_figures import gains_of, plot_markup
from calverify.reports._page_markup import Markup, data_block, join, tag, words
from calverify.reports._page_tables import table_markup
from calverify.reports._table import Plot, Table

__all__ = ["page"]

SCRIPTS = ("dom.js", "graph.js", "list.js", "pool.js", "page.js")
THEORY, METER = "theory", "fragmentation-meter"
FILTERS = {"policy": "Policy", "task": "Task", "class": "Graph class", "outcome": "Outcome"}
UNITS = "Shares are in per cent and gains in percentage points; 95 % intervals stand in brackets."
LIST = "Every pool of candidates, with what the vote and the checker made of it. Open one to read its traces."

Entry = tuple[str, str]  # an address in the page, and what the table of contents calls it
Part = TypeVar("Part", Table, Plot)


class Chapter(NamedTuple):
    """One part of the page: its address, its heading, what the table of contents lists below it, and what it holds."""

    place: str
    heading: str
    entries: Sequence[Entry]
    parts: Sequence[Markup]


def page(
    studies: Sequence[Study],
    tables: Sequence[Table],
    plots: Sequence[Plot],
    *,
    title: str = "Selection report",
    logs: Sequence[Sequence[Step]] = (),
) -> str:
    """The whole file; `logs` holds the log of each study's folder in turn, or nothing at all."""
    labels = _labels(studies)
    steps = logs or [()] * len(studies)
    places = [f"about-{at}" for at in range(len(studies))]
    about = [about_markup(*each) for each in zip(labels, studies, steps, places, strict=True)]
    chapters = [
        *_measured(tables, plots),
        Chapter("pools", "Pools", (), (_explorer(),)),
        Chapter("made", "How it was made", list(zip(places, labels, strict=True)), about),
    ]
    index, details = explorer_data(labels, studies)
    main = tag("main", tag("div", *map(_section, chapters), id="report"),
               tag("section", id="pool-view", hidden="", aria_labelledby="pool-title"),
               id="content", tabindex=-1)  # fmt: skip
    body = join([
        tag("a", "Skip to the report", href="#content", class_="skip"),
        _top(title, labels, studies, steps),
        tag("div", _contents(chapters), main, class_="frame"),
        data_block("index", index),
        tag("script", Markup(packed(details)), type="application/octet-stream", id="details"),
    ])  # fmt: skip
    return _document(title, body)


def _measured(tables: Sequence[Table], plots: Sequence[Plot]) -> list[Chapter]:
    """Tables, figures, and what theory says in a chapter of its own; a chapter without any of them is left out."""
    tabled, drawn = _placed("table", tables), _placed("figure", plots)
    rows = [(place, table) for place, table in tabled if not _is_theory(table)]
    curves = [(place, plot) for place, plot in drawn if not _is_theory(plot)]
    told = [(place, table) for place, table in tabled if _is_theory(table)]
    lines = [(place, plot) for place, plot in drawn if _is_theory(plot)]
    gains = [figure for place, table in rows for figure in gains_of(table, place)]
    units = tag("p", UNITS, class_="quiet")
    chapters = [
        Chapter("tables", "Tables", _listed(rows), [units, *(table_markup(table, place) for place, table in rows)]),
        Chapter("figures", "Figures", _listed(curves), [_figures(curves, gains)]),
        Chapter("theory", "Theory", _listed(told),
                [units, *(table_markup(table, place) for place, table in told), _figures(lines, [])]),
    ]  # fmt: skip
    filled = (bool(rows), bool(curves or gains), bool(told or lines))
    return [chapter for chapter, there in zip(chapters, filled, strict=True) if there]


def _is_theory(part: Table | Plot) -> bool:
    """Does it say what theory leads to expect?"""
    return part.name.partition("-")[0] == THEORY or part.name == METER


def _listed(parts: Sequence[tuple[str, Part]]) -> list[Entry]:
    return [(place, part.title) for place, part in parts]


def _figures(plots: Sequence[tuple[str, Plot]], gains: Sequence[Markup]) -> Markup:
    return tag("div", *(plot_markup(plot, place) for place, plot in plots), *gains, class_="figures")


def _labels(studies: Sequence[Study]) -> list[str]:
    """What each study is called: its policy, with a number where two have one name."""
    often = Counter(study.policy for study in studies)
    seen: Counter[str] = Counter()
    labels = []
    for study in studies:
        seen[study.policy] += 1
        labels.append(study.policy if often[study.policy] == 1 else f"{study.policy} ({seen[study.policy]})")
    return labels


def _placed(kind: str, parts: Sequence[Part]) -> list[tuple[str, Part]]:
    """Each part with its address, which no other part has."""
    seen: Counter[str] = Counter()
    found: list[tuple[str, Part]] = []
    for part in parts:
        name = f"{kind}-{words(part.name)}"
        seen[name] += 1
        found.append((name if seen[name] == 1 else f"{name}-{seen[name]}", part))
    return found


def _section(chapter: Chapter) -> Markup:
    heading = f"{chapter.place}-heading"
    return tag("section", tag("h2", chapter.heading, id=heading), *chapter.parts, id=chapter.place,
               aria_labelledby=heading)  # fmt: skip


def _top(title: str, labels: Sequence[str], studies: Sequence[Study], steps: Sequence[Sequence[Step]]) -> Markup:
    """The title, what the page is about, and what its reader has to know first."""
    pools = sum(len(study.units) for study in studies)
    said = f"{pools:,} pools of {', '.join(labels) or 'no study'}"
    button = tag("button", "Theme", type="button", id="theme", hidden="")
    notices = [tag("p", notice, class_="warning") for notice in notices_of(labels, studies, steps)]
    line = tag("div", tag("div", tag("h1", title), tag("p", said)), button)
    return tag("header", line, tag("div", *notices) if notices else "", class_="top")


def _contents(chapters: Sequence[Chapter]) -> Markup:
    """The table of contents, two levels deep."""
    listed = []
    for chapter in chapters:
        inner = tag("ol", *(tag("li", tag("a", name, href=f"#{where}")) for where, name in chapter.entries))
        listed.append(tag("li", tag("a", chapter.heading, href=f"#{chapter.place}"), inner if chapter.entries else ""))
    return tag("nav", tag("ol", *listed), class_="toc", aria_label="Contents")


def _explorer() -> Markup:
    """The frame of the list; the script fills it."""
    fields = [
        tag("label", said, tag("select", tag("option", "all", value=""), id=f"filter-{name}"))
        for name, said in FILTERS.items()
    ]
    fields.append(tag("label", "Text in question or traces", tag("input", id="filter-text", type="search",
                                                                autocomplete="off", spellcheck="false")))  # fmt: skip
    fields.append(tag("button", "Reset", type="reset"))
    outcomes = tag("dl", *(part for name, said in CATEGORIES.items() for part in (tag("dt", name), tag("dd", said))))
    table = tag("table", tag("caption", "Pools", class_="spoken"), tag("thead", id="pool-head"),
                tag("tbody", id="pool-rows"), class_="pools")  # fmt: skip
    return join([
        tag("p", LIST),
        tag("noscript", tag("p", "The list of pools needs scripts; the tables and figures above do not.",
                            class_="warning")),
        tag("form", *fields, id="filters", class_="filters", role="search", aria_label="Filter the pools"),
        tag("details", tag("summary", "What the outcomes mean"), outcomes, class_="outcomes"),
        tag("p", id="count", role="status", aria_live="polite"),
        tag("div", table, class_="scroll", role="region", tabindex=0, aria_label="Pools"),
        tag("button", "Show more", type="button", id="more", hidden=""),
    ])  # fmt: skip


def _document(title: str, body: Markup) -> str:
    """The file, its policy first: nothing may be loaded, and only these two blocks may act."""
    script, style = _script(), _asset("page.css")
    rules = (
        "default-src 'none'", f"script-src {_hash(script)}", f"style-src {_hash(style)}", "base-uri 'none'",
        "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
    )  # fmt: skip
    policy = '<meta http-equiv="Content-Security-Policy" content="{}">'.format("; ".join(rules))
    head = join([
        Markup('<meta charset="utf-8">'), Markup(policy),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="referrer" content="no-referrer">'),
        tag("title", title), Markup(f"<style>{style}</style>"),
    ])  # fmt: skip
    page = tag(
        "html", "\n", tag("head", head), "\n", tag("body", body, Markup(f"\n<script>{script}</script>\n")), lang="en"
    )
    return f"<!doctype html>\n{page}\n"


def _script() -> str:
    """The scripts as one block that leaves no name behind."""
    return "".join(['(() => {\n"use strict";\n', *map(_asset, SCRIPTS), "})();\n"])


def _asset(name: str) -> str:
    return (files("calverify.reports") / "web" / name).read_text("utf-8")


def _hash(block: str) -> str:
    return f"'sha256-{b64encode(sha256(block.encode('utf-8')).digest()).decode('ascii')}'"
