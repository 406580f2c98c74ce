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
from typing import TypeVar

from calverify.archives import Step
from calverify.evaluation import Study
from calverify.reports._explorer import CATEGORIES, explorer_data, packed
from calverify.reports._page_about import about_markup
from calverify.reports._page_figures import gains_of, plot_markup
from calverify.reports._page_markup import Markup, data_block, join, tag, words
from calverify.reports._page_tables import table_markup
from calverify.reports._table import Plot, Table

__all__ = ["page"]

SCRIPTS = ("dom.js", "graph.js", "list.js", "pool.js", "page.js")
FILTERS = {"policy": "Policy", "task": "Task", "class": "Graph class", "outcome": "Outcome"}
UNITS = "Shares are in per cent and gains in percentage points; 95 % intervals stand in brackets."
LIST = "Every pool of candidates, with what the vote and the checker made of it. Open one to read its traces."

Part = TypeVar("Part", Table, Plot)
Entry = tuple[str, str]  # an address in the page, and what the table of contents calls it


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
    about = [
        (f"about-{at}", label, about_markup(label, study, logs[at] if logs else (), f"about-{at}"))
        for at, (label, study) in enumerate(zip(labels, studies, strict=True))
    ]
    tabled = [(place, table.title, table_markup(table, place)) for place, table in _placed("table", tables)]
    drawn = [(place, plot.title, plot_markup(plot, place)) for place, plot in _placed("figure", plots)]
    drawn += [figure for place, table in _placed("table", tables) for figure in gains_of(table, place)]
    index, details = explorer_data(labels, studies)
    parts = [
        _section("made", "How it was made", [part for *_, part in about]),
        _section("tables", "Tables", [tag("p", UNITS, class_="quiet"), *(part for *_, part in tabled)])
        if tabled
        else "",
        _section("figures", "Figures", [tag("div", *(part for *_, part in drawn), class_="figures")]) if drawn else "",
        _section("pools", "Pools", [_explorer()]),
    ]
    contents = [("made", "How it was made", _entries(about)), ("tables", "Tables", _entries(tabled)),
                ("figures", "Figures", _entries(drawn)), ("pools", "Pools", [])]  # fmt: skip
    main = tag("main", tag("div", *parts, id="report"), tag("section", id="pool-view", hidden="",
               aria_labelledby="pool-title"), id="content", tabindex=-1)  # fmt: skip
    body = join([
        tag("a", "Skip to the report", href="#content", class_="skip"),
        _top(title, labels, studies),
        tag("div", _contents([part for part in contents if part[2] or part[0] in ("made", "pools")]), main,
            class_="frame"),
        data_block("index", index),
        tag("script", Markup(packed(details)), type="application/octet-stream", id="details"),
    ])  # fmt: skip
    return _document(title, body)


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


def _entries(parts: Sequence[tuple[str, str, Markup]]) -> list[Entry]:
    return [(place, called) for place, called, _ in parts]


def _section(place: str, heading: str, parts: Sequence[Markup]) -> Markup:
    return tag("section", tag("h2", heading, id=f"{place}-heading"), *parts, id=place,
               aria_labelledby=f"{place}-heading")  # fmt: skip


def _top(title: str, labels: Sequence[str], studies: Sequence[Study]) -> Markup:
    pools = sum(len(study.units) for study in studies)
    said = f"{pools:,} pools of {', '.join(labels) or 'no study'}"
    button = tag("button", "Theme", type="button", id="theme", hidden="")
    return tag("header", tag("div", tag("div", tag("h1", title), tag("p", said)), button), class_="top")


def _contents(parts: Sequence[tuple[str, str, Sequence[Entry]]]) -> Markup:
    """The table of contents, two levels deep."""
    listed = []
    for place, called, entries in parts:
        inner = tag("ol", *(tag("li", tag("a", name, href=f"#{where}")) for where, name in entries))
        listed.append(tag("li", tag("a", called, href=f"#{place}"), inner if entries else ""))
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
