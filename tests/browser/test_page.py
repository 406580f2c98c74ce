"""The report in a real browser: all of it is there, it keeps to itself, and a reader can work with it."""

import json
import re
from base64 import b64decode
from itertools import pairwise
from math import isclose
from urllib.parse import quote

import pytest

from calverify.reports import Plot, Points
from calverify.reports._explorer import category_of
from calverify.reports._page_tables import cell_text
from tests.browser.reports import HOSTILE, HOSTILE_ID

WIDTHS = (1280, 420)
SHEET = (1031, 703)  # A4 on its side, less its margins, in pixels
TAB, ENTER, SPACE = "\ue004", "\ue007", " "
UNSEEN = {"\u202e", "\u202c", "\u200b", "\0", "\a", "\ud800", "\u2028"}
OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


def address(study, unit, candidate=None) -> str:
    parts = (study.policy, unit.problem, str(unit.seed))
    said = "/".join(quote(part, safe="!~*'()") for part in parts)
    return f"pool={said}" + ("" if candidate is None else f"&candidate={candidate + 1}")


def text_of(report, selector: str) -> str:
    return report.run("return document.querySelector(arguments[0]).innerText", selector)


def shown(report, fragment: str) -> None:
    """Go to a pool by its address, as a link does."""
    report.run(
        """return new Promise((done) => {
          if (location.hash === "#" + arguments[0]) done();
          window.addEventListener("hashchange", () => setTimeout(done), { once: true });
          location.hash = arguments[0];
        });""",
        fragment,
    )
    report.until("!document.getElementById('pool-view').hidden")


def every_unit(made):
    return [(study, unit) for study in made.studies for unit in study.units]


# ---------------------------------------------------------------- what is there


def test_every_table_is_there(report, made):
    """Title, heads and each cell with its interval, as the renderers read them."""
    found = report.run(
        """const lines = (part, cells) => [...part.rows].map((row) => [...row.cells].map((cell) => cell.textContent));
        return Object.fromEntries([...document.querySelectorAll("section.table")].map((section) => [section.id, {
          name: section.dataset.table, title: section.querySelector("caption").textContent,
          heads: lines(section.querySelector("thead"))[0], rows: lines(section.querySelector("tbody")),
          notes: [...section.querySelectorAll(".notes li")].map((note) => note.textContent),
          height: section.getBoundingClientRect().height}]));"""
    )
    assert len(found) == len(made.tables) > 18
    left = list(found.values())
    for table in made.tables:
        (here,) = [each for each in left if (each["name"], each["title"]) == (table.name, table.title)]
        assert here["height"] > 30
        assert tuple(here["heads"]) == table.columns or not table.columns
        rows = [[" ".join(filter(None, cell_text(cell))) for cell in row] for row in table.rows]
        assert here["rows"] == rows or (not rows and here["rows"] == [["No rows."]])
        assert here["notes"] == list(table.notes)


def test_every_plot_is_drawn(report, made):
    """A drawing with marks that have a size, within its frame, a title, a description, and its numbers beside it."""
    found = report.run(
        """return [...document.querySelectorAll("figure[data-plot]")].map((figure) => {
          const svg = figure.querySelector("svg");
          const frame = svg?.getBoundingClientRect();
          const drawn = [...(svg?.querySelectorAll(".mark, .bar") || [])].map((mark) => mark.getBoundingClientRect());
          const words = [...(svg?.querySelectorAll("text") || [])].map((word) => word.getBoundingClientRect());
          const inside = (box) => box.left >= frame.left - 1 && box.right <= frame.right + 1 &&
            box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
          return {name: figure.dataset.plot, title: figure.querySelector("h3").textContent, marks: drawn.length,
            outside: [...drawn, ...words].filter((box) => !inside(box)).length, words: words.length,
            named: svg ? [...svg.querySelectorAll("title, desc")].map((part) => part.textContent.length) : [],
            lines: svg ? svg.querySelectorAll(".line").length : 0,
            numbers: figure.querySelectorAll("details tbody tr").length};
        });"""
    )
    by_title = {each["title"]: each for each in found}
    for plot in made.plots:
        here = by_title[plot.title]
        assert here["name"] == plot.name
        assert here["numbers"] == len(plot.x)
        assert len(here["named"]) == 2, plot.name
        assert all(here["named"]), plot.name
        assert here["outside"] == 0, plot.name
        assert here["words"] > 3
        assert here["marks"] >= _marks(plot), plot.name
        assert plot.kind != "curve" or here["lines"] == len(plot.series)
    gains = sum(
        sum(isinstance(cell, Points) and cell.interval is not None for cell in table.column(title)) > 1
        for table in made.tables
        if not table.name.startswith("theory") and table.name != "fragmentation-meter"
        for title in table.columns
    )
    assert len(found) == len(made.plots) + gains


def _marks(plot: Plot) -> int:
    """One a value, and one more a line in the legend of a curve."""
    return len(plot.series) * (len(plot.x) + (plot.kind == "curve"))


def test_the_contents_lead_to_everything(report):
    dead = report.run(
        """return [...document.querySelectorAll('.toc a, .skip')].map((a) => a.getAttribute('href'))
        .filter((href) => !document.getElementById(href.slice(1)));"""
    )
    assert dead == []
    assert report.run("return document.querySelectorAll('.toc a').length") > 20
    twice = report.run(
        """const ids = [...document.querySelectorAll('[id]')].map((each) => each.id);
        return ids.filter((id, at) => ids.indexOf(id) !== at);"""
    )
    assert twice == []


def test_how_it_was_made(report, made):
    """The manifest of each policy, what is simulated or was not sealed, and the chain with its hashes."""
    top = text_of(report, ".top")
    assert "Simulated: no language model wrote these pools." in top
    assert "Not sealed:" in top
    for at, study in enumerate(made.studies):
        said = report.run("return document.getElementById(arguments[0]).textContent", f"about-{at}")
        assert study.manifest.policy in said
        assert study.manifest.model in said
        assert f"{len(study.units):,} pools" in said
        assert ("Simulated:" in said) == (at < 2)
        assert ("Not sealed:" in said) == (at > 0)
    steps = report.run("return [...document.querySelectorAll('#about-0 .chain > li')].map((step) => step.textContent)")
    assert [step.split(" ")[0] for step in steps] == ["seal", "select", "reveal"]
    for digit, step in (("3", 0), ("4", 1), ("3", 2)):
        assert digit * 64 in steps[step]


# ---------------------------------------------------------------- it keeps to itself


def test_nothing_is_asked_for_and_nothing_complains(browser, made):
    """From the first byte on, through every view."""
    browser.open(made.path)
    browser.asked_for()
    browser.log()
    browser.open(made.path)
    browser.until("document.querySelector('#pool-rows tr')")
    for study, unit in some_units(made):
        shown(browser, address(study, unit))
        browser.run("document.querySelectorAll('summary').forEach((each) => each.click())")
    browser.run("location.hash = '#pools&text=e&sort=outcome'")
    browser.until("document.getElementById('pool-view').hidden")
    asked = {asked.split("#")[0] for asked in browser.asked_for()}
    assert asked <= {made.path.as_uri(), "about:blank"}
    assert made.path.as_uri() in asked
    assert browser.log() == []


def test_the_watch_would_have_seen_it(browser, tmp_path):
    """A page that asks and complains: both are told."""
    path = tmp_path / "asks.html"
    path.write_text("<!doctype html><img src='https://example.org/x.png'><script>null.x</script>", "utf-8")
    browser.log()
    browser.asked_for()
    browser.open(path)
    browser.until("document.readyState === 'complete'")
    assert "https://example.org/x.png" in browser.asked_for()
    assert any("TypeError" in entry["message"] for entry in browser.log())


def test_the_policy_of_the_page_stops_the_rest(report):
    """Whatever got in could neither run, nor load, nor restyle."""
    met = report.run(
        """return (async () => {
          const met = [];
          document.addEventListener("securitypolicyviolation", (event) => met.push(event.effectiveDirective));
          const image = new Image();
          image.src = "https://example.org/x.png";
          document.body.append(image);
          await fetch("https://example.org/").catch(() => null);
          document.body.setAttribute("style", "color: red");
          const frame = document.createElement("iframe");
          frame.src = "https://example.org/";
          document.body.append(frame);
          const style = document.createElement("style");
          style.textContent = "body { display: none }";
          document.head.append(style);
          let refused = "";
          try { document.body.innerHTML = "<b onclick=alert(1)>x</b>"; } catch (error) { refused = error.name; }
          const link = document.createElement("a");
          link.setAttribute("href", "javascript:document.title='run'");
          document.body.append(link);
          link.click();
          await new Promise((done) => setTimeout(done, 50));
          return {met: [...new Set(met)], refused, title: document.title,
            visible: getComputedStyle(document.body).display};
        })()"""
    )
    assert {"img-src", "connect-src", "style-src-attr", "style-src-elem", "frame-src"} <= set(met["met"])
    assert met["refused"] == "TypeError"
    assert met["title"] != "run"
    assert met["visible"] != "none"
    report.log()


def test_hostile_text_is_text(report, made):
    """A trace with <script>, </style> and marks that change direction: shown letter for letter, and nothing runs."""
    study = made.studies[2]
    unit = study.units[0]
    scripts = report.run("return document.scripts.length")
    shown(report, address(study, unit, 0))
    said = report.run("return document.querySelector('.trace').textContent")
    assert said == "".join(f"U+{ord(char):04X}" if char in UNSEEN else char for char in HOSTILE)
    assert report.run("return document.querySelector('.wording').textContent") == said
    assert text_of(report, "#pool-title").startswith("w/1&<i>U+202E\"'")
    assert (
        report.run("return document.querySelectorAll('#pool-view :is(script, style, img, i, b, iframe)').length") == 0
    )
    assert report.run("return document.scripts.length") == scripts
    assert "<i>by hand</i>" in text_of(report, ".top")
    assert report.run("return [...document.querySelectorAll('#made dd')].some((dd) => dd.textContent === '</script>')")
    assert report.log() == []


# ---------------------------------------------------------------- the explorer


def rows_of(made, keep) -> int:
    return sum(keep(study, unit) for study, unit in every_unit(made))


FILTERS = {
    "policy": lambda study, unit: study.policy,
    "task": lambda study, unit: unit.strata["task"],
    "class": lambda study, unit: unit.strata["graph"],
    "outcome": lambda study, unit: category_of(unit),
}


@pytest.mark.parametrize("name", FILTERS)
def test_filters(report, made, name):
    """Each option keeps the pools that it says; the address holds it, and leads to the same list."""
    options = report.run(f"return [...document.querySelectorAll('#filter-{name} option')].map((each) => each.value)")
    values = {FILTERS[name](study, unit) for study, unit in every_unit(made)}
    assert set(options) == {"", *values}
    for value in sorted(values):
        wanted = rows_of(made, lambda study, unit, value=value: FILTERS[name](study, unit) == value)
        report.run(
            """const field = document.getElementById(arguments[0]);
            field.value = arguments[1];
            field.dispatchEvent(new Event("change"));""",
            f"filter-{name}", value,
        )  # fmt: skip
        assert text_of(report, "#count") == f"{wanted} of {len(every_unit(made))} pools"
        assert report.run("return document.querySelectorAll('#pool-rows tr').length") == min(wanted, 100)
    kept = text_of(report, "#pool-rows")
    report.open(made.path, report.run("return location.hash.slice(1)"))
    report.until(f"document.getElementById('filter-{name}').value === arguments[0]", value)
    assert text_of(report, "#pool-rows") == kept


def test_text_is_found_in_traces(report, made):
    report.open(made.path, "pools&text=" + quote("alert(2)"))
    report.until("document.getElementById('count').textContent.startsWith('3 of')")
    wanted = rows_of(
        made, lambda study, unit: any("alert(2)" in text for text in study.pools[unit.problem, unit.seed].texts)
    )
    assert wanted == 3
    report.run("document.querySelector('#filters button[type=reset]').click()")
    report.until("document.getElementById('filter-text').value === ''")
    total = len(every_unit(made))
    assert text_of(report, "#count") == f"{total} of {total} pools"


def test_two_filters_and_none_left(report, made):
    report.open(made.path, "pools&task=cycle&class=admg")
    report.until("document.querySelector('#count').textContent.startsWith('0 of')")
    assert text_of(report, "#pool-rows") == "No pool is like that."


def test_sorting(report, made):
    report.open(made.path, "pools&sort=-seed")
    report.until("document.querySelector('th[aria-sort=descending]')")
    seeds = report.run(
        "return [...document.querySelectorAll('#pool-rows tr')].map((row) => Number(row.cells[2].textContent))"
    )
    assert seeds == sorted((unit.seed for _, unit in every_unit(made)), reverse=True)[:100]
    report.run("document.querySelector('button[name=seed]').click()")
    report.until("document.querySelector('th[aria-sort=ascending]')")


def test_long_lists_show_more(report, made):
    total = len(every_unit(made))
    assert total > 100
    assert report.run("return document.querySelectorAll('#pool-rows tr').length") == 100
    report.run("document.getElementById('more').click()")
    assert report.run("return document.querySelectorAll('#pool-rows tr').length") == total
    assert report.run("return document.getElementById('more').hidden")
    at = report.run("return document.activeElement.closest('tr').dataset.place")
    assert at == "100"


def test_the_list_and_back(report, made):
    """Into a pool of a filtered list, on to its neighbour, and back: the list is as it was, its focus on the pool."""
    report.open(made.path, "pools&task=frontdoor&sort=problem")
    report.until("document.querySelector('#pool-rows tr')")
    before = text_of(report, "#pool-rows")
    report.run("document.querySelectorAll('#pool-rows a')[1].focus()")
    there = report.run("return window.scrollY")
    report.press(ENTER)
    report.until("!document.getElementById('pool-view').hidden")
    wanted = rows_of(made, lambda study, unit: unit.strata["task"] == "frontdoor")
    assert f"2 of {wanted}" in text_of(report, ".crumbs")
    report.run("[...document.querySelectorAll('.crumbs a')].find((a) => a.textContent.startsWith('Next')).focus()")
    report.press(ENTER)
    report.until("document.querySelector('.crumbs').textContent.includes('3 of')")
    report.back()
    report.until("document.querySelector('.crumbs').textContent.includes('2 of')")
    report.back()
    report.until("document.getElementById('pool-view').hidden")
    assert text_of(report, "#pool-rows") == before
    assert report.run("return document.activeElement.closest('tr')?.rowIndex") == 2
    assert report.run("return window.scrollY") == there > 0


def test_an_address_of_nothing(report, made):
    for fragment in ("pool=nobody/nothing/0", "pool=%E0%A4%A/x/1"):
        shown(report, fragment)
        assert "No such pool" in text_of(report, "#pool-view")
    assert report.log() == []


# ---------------------------------------------------------------- one pool


def some_units(made):
    """A pool of each task, and those that were written by hand."""
    first = {}
    for study, unit in every_unit(made):
        first.setdefault((unit.strata["task"], study is made.studies[2], unit.problem == HOSTILE_ID), (study, unit))
    return list(first.values())


def plainly(text: str) -> str:
    return "".join(f"U+{ord(char):04X}" if char in UNSEEN else char for char in text)


SHOWN_OF_A_CANDIDATE = """
const texts = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
return {title: texts("#candidate-title")[0], trace: texts(".trace")[0], reasons: texts(".bits td:nth-child(3)"),
  bits: texts(".bits td:nth-child(2)"), marks: texts("[aria-current] .bit"), by: texts("[aria-current] .by")[0],
  facts: texts(".candidate .facts dd")};
"""


def test_every_candidate_beside_its_bits(report, made):
    """The text, six bits, the canonical answer and the sentence that says why, of every candidate."""
    words = {1: "✓ holds", 0: "✗ fails", None: "? undetermined"}
    for study, unit in some_units(made):
        texts = study.pools[unit.problem, unit.seed].texts
        for at, (text, verdict) in enumerate(zip(texts, unit.verdicts, strict=True)):
            shown(report, address(study, unit, at))
            found = report.run(SHOWN_OF_A_CANDIDATE)
            assert found["title"] == f"Candidate {at + 1}"
            assert found["trace"] == plainly(text)
            assert found["bits"] == [words[bit] for bit in verdict.bits.values()]
            assert [mark[0] for mark in found["marks"]] == [bit[0] for bit in found["bits"]]
            assert found["by"] == ", ".join(name for name, index in unit.choices.items() if index == at)
            assert found["facts"][1] == plainly(verdict.why)
            assert (found["facts"][0] == "none readable") == (verdict.answer is None)
            assert {plainly(fault.why) for fault in verdict.faults} <= set(found["reasons"])


def test_question_and_choices(report, made):
    for study, unit in some_units(made):
        shown(report, address(study, unit))
        problem = study.problems[unit.problem]
        assert plainly(problem.text) in report.run("return document.querySelector('.question').textContent")
        said = report.run(
            "return [...document.querySelectorAll('.choices li')].map((line) => line.textContent.split(' '))"
        )
        wanted = [[name, *(("nothing",) if at is None else ("candidate", str(at + 1)))]
                  for name, at in unit.choices.items()]  # fmt: skip
        assert [[part for part in line[:3] if part] for line in said] == wanted


def drawn_edges(report, kind: str) -> set[tuple[str, ...]]:
    return {tuple(edge.split(" ")) for edge in report.run(
        f"return [...document.querySelectorAll('.graph .edge{kind}')].map((edge) => edge.dataset.edge)")}  # fmt: skip


def edges_of(graph) -> set[tuple[str, ...]]:
    marks = (("->", graph.directed), ("<->", graph.bidirected), ("--", graph.undirected))
    return {(a, mark, b) for mark, edges in marks for a, b in edges}


def turned(step):
    back = {"->": "<-", "<-": "->", "<->": "<->", "--": "--"}
    return (step[2], back[step[1]], step[0])


def walk_of(witness) -> list[tuple[str, ...]]:
    """The steps of an open path, or of the directed path that shows a descendant."""
    if witness["kind"] == "active_path":
        return [tuple(step) for step in witness["path"]]
    names = witness["walk"]
    return [(a, "->", b) for a, b in pairwise(names)]


def test_the_graph_and_its_witness_are_drawn(report, made):
    """Every node and edge once, the targets doubled, and the open path or the path to a descendant drawn strongly."""
    met = set()
    for study, unit in every_unit(made)[:54]:
        problem = study.problems[unit.problem]
        if problem.graph is None:
            continue
        for at, verdict in enumerate(unit.verdicts):
            kind = (verdict.witness or {}).get("kind")
            if kind not in ("active_path", "directed_walk") or (kind, problem.query.task) in met:
                continue
            met.add((kind, problem.query.task))
            shown(report, address(study, unit, at))
            assert drawn_edges(report, "") == edges_of(problem.graph)
            assert set(
                report.run("return [...document.querySelectorAll('.graph .node')].map((n) => n.dataset.node)")
            ) == set(problem.graph.nodes)
            steps = walk_of(verdict.witness)
            strong = drawn_edges(report, ".strong")
            assert strong == {step for step in (*steps, *map(turned, steps)) if step in edges_of(problem.graph)}
            assert len(strong) >= len({frozenset((a, b)) for a, _, b in steps}) > 0
            targets = report.run("return [...document.querySelectorAll('.node.target')].map((n) => n.dataset.node)")
            assert set(targets) == {name for name in problem.query.target_names if name in problem.graph}
            assert "thick line: the witness" in text_of(report, ".legend")
    assert {kind for kind, _ in met} == {"active_path", "directed_walk"}
    assert len(met) > 3


def test_the_truth_comes_last(report, made):
    """Nothing says it before the button is pressed; then it says what grading says, of candidates and of choices."""
    for study, unit in some_units(made):
        shown(report, address(study, unit))
        last = report.run("return document.querySelector('#pool-view').lastElementChild.className")
        assert last == "reveal"
        before = text_of(report, "#pool-view")
        assert "right" not in before.split("Reveal the truth")[1]
        assert report.run("return document.querySelector('.reveal table').checkVisibility()") is False
        report.run("document.querySelector('.reveal summary').click()")
        said = report.run("return [...document.querySelectorAll('.reveal table')].map((table) => "
                          "[...table.tBodies[0].rows].map((row) => row.cells[2].textContent))")  # fmt: skip
        words = {True: "✓ right", False: "✗ wrong", None: "? undetermined"}
        assert said[0] == [words[right] for right in unit.correct]
        assert said[1] == [words[unit.outcome(name)] for name in unit.choices]


# ---------------------------------------------------------------- readers


def test_the_keyboard_is_enough(report, made):
    """The skip link comes first; a pool is opened, its truth revealed and left again without a pointer."""
    report.press(TAB)
    assert report.run("return document.activeElement.className") == "skip"
    report.press(ENTER)
    assert report.run("return document.activeElement.id") == "content"
    report.run("document.getElementById('filter-text').focus()")
    report.press("e", "d", "g", "e", "s")
    report.until("location.hash.includes('text=edges')")
    report.run("document.querySelector('#pool-rows a').focus()")
    report.press(ENTER)
    report.until("document.activeElement.id === 'pool-title'")
    for _ in range(80):
        report.press(TAB)
        if report.run(
            "return document.activeElement.tagName === 'SUMMARY' && !!document.activeElement.closest('.reveal')"
        ):
            break
    assert report.run("return getComputedStyle(document.activeElement).outlineStyle") != "none"
    report.press(SPACE)
    assert report.run("return document.querySelector('.reveal').open")
    report.run("document.querySelector('.crumbs a').focus()")
    report.press(ENTER)
    report.until("document.getElementById('pool-view').hidden")


def test_the_focus_is_seen_everywhere(report, made):
    """Whatever takes the focus shows it."""
    for fragment in ("", address(made.studies[0], made.studies[0].units[0])):
        report.open(made.path, fragment)
        report.until(
            "document.readyState === 'complete' && (!arguments[0] || !document.getElementById('pool-view').hidden)",
            fragment,
        )
        report.press(TAB)
        unseen = report.run(
            """const able = [...document.querySelectorAll("a, button, input, select, summary, [tabindex='0']")];
            return able.filter((each) => each.checkVisibility()).filter((each) => {
              each.focus();
              return document.activeElement !== each || getComputedStyle(each).outlineStyle === "none";
            }).map((each) => each.outerHTML.slice(0, 90));"""
        )
        assert unseen == []


def test_everything_has_a_name(report, made):
    """What a screen reader would say: no control, table, region or drawing is nameless."""
    roles = {"button", "link", "textbox", "searchbox", "combobox", "table", "region", "image", "img", "navigation",
             "DisclosureTriangle", "columnheader"}  # fmt: skip
    for fragment in ("", address(made.studies[0], made.studies[0].units[0])):
        report.open(made.path, fragment)
        report.until(
            "document.readyState === 'complete' && (!arguments[0] || !document.getElementById('pool-view').hidden)",
            fragment,
        )
        nodes = report.devtools("Accessibility.getFullAXTree")["nodes"]
        asked = [node for node in nodes if not node["ignored"] and node["role"]["value"] in roles]
        assert len(asked) > 20
        nameless = [node for node in asked if not node.get("name", {}).get("value", "").strip()]
        assert nameless == [], json.dumps(nameless[:3], indent=1)


CONTRASTS = """
const parse = (said) => said.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
  .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
const over = (top, below) => top.length < 4 ? top : [0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3]));
const ground = (each) => each === null ? [255, 255, 255]
  : over(parse(getComputedStyle(each).backgroundColor), ground(each.parentElement));
const worst = {};
for (const each of document.querySelectorAll("body *")) {
  const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!own || !each.checkVisibility() || each.closest(".spoken, script, noscript, .skip, option")) continue;
  const style = getComputedStyle(each);
  const ink = parse(each.namespaceURI.endsWith("svg") ? style.fill : style.color);
  let paper = ground(each);
  const box = each.closest(".node.answer")?.querySelector(".box");
  if (box) paper = parse(getComputedStyle(box).fill);
  const [one, other] = [light(ink), light(paper)].sort((a, b) => b - a);
  const ratio = (one + 0.05) / (other + 0.05);
  if (ratio < 4.5) worst[each.outerHTML.slice(0, 80)] = [ratio, style.color, paper];
}
return [worst, light(parse(getComputedStyle(document.body).backgroundColor))];
"""


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark_can_be_read(report, made, dark):
    """Every word has a contrast of 4.5 at least, as the guidelines for accessible content ask."""
    report.media(dark=dark)
    for fragment in ("", address(made.studies[0], made.studies[0].units[0], 1)):
        report.open(made.path, fragment)
        report.until(
            "document.readyState === 'complete' && (!arguments[0] || !document.getElementById('pool-view').hidden)",
            fragment,
        )
        worst, paper = report.run(CONTRASTS)
        assert worst == {}
        assert (paper < 0.1) == dark


def test_the_reader_may_choose_the_other(report):
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = report.run(paper)
    press = "document.getElementById('theme').click(); return document.getElementById('theme').textContent"
    assert report.run(press) == "Theme: light"
    assert report.run(paper) == light
    assert report.run(press) == "Theme: dark"
    assert report.run(paper) != light
    assert report.run(press) == "Theme: auto"
    assert report.run(paper) == light


def test_on_paper(report):
    """Dark on light whatever the screen was, without what can only be clicked, and tables are not cut."""
    report.media(dark=True, paper=True)
    assert report.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    seen = report.run(
        """return ['.toc', '.skip', '#theme', '#pools', '#tables', '#figures', '#theory', '#made']
        .filter((each) => document.querySelector(each).checkVisibility());"""
    )
    assert seen == ["#tables", "#figures", "#theory", "#made"]
    report.size(*SHEET)
    cut = report.run(
        """return [...document.querySelectorAll("section.table table, svg.plot")]
        .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth)
        .map((each) => each.closest("[data-table], [data-plot]").id);"""
    )
    assert cut == []
    printed = b64decode(report.devtools("Page.printToPDF", preferCSSPageSize=True)["data"])
    (width, height), *_ = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert (round(float(width)), round(float(height))) == (842, 595)
    assert len(printed) > 50_000


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_sticks_out(report, made, width):
    """Wide tables scroll by themselves; the page does not."""
    report.size(width, 900)
    assert report.run(OVERFLOW) <= 0
    for study, unit in some_units(made):
        shown(report, address(study, unit))
        assert report.run(OVERFLOW) <= 0, unit.problem


def test_it_is_drawn_as_large_as_it_says(report, made):
    """A point of a curve stands where its value says, between the ticks of the axis."""
    plot = next(plot for plot in made.plots if plot.name.startswith("k-curve"))
    spots = report.run(
        """const svg = document.querySelector('figure[data-plot="' + arguments[0] + '"] svg');
        const ticks = [...svg.querySelectorAll("text")].filter((each) => each.getAttribute("text-anchor") === "end")
          .map((each) => [Number(each.textContent), Number(each.getAttribute("y"))]);
        return [ticks, svg.querySelector(".line.ours").getAttribute("points")];""",
        plot.name,
    )
    (low, low_y), *_, (high, high_y) = spots[0]
    ys = [float(spot.split(",")[1]) for spot in spots[1].split(" ")]
    (ours,) = [line for line in plot.series if line.name == "calver"]
    for y, value in zip(ys, ours.values, strict=True):
        read = low + (high - low) * (y - low_y) / (high_y - low_y)
        assert isclose(read, 100 * value, abs_tol=0.2)
