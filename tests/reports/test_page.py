"""The page as a file: its policy, its data, its notices; what it looks like and does is tested in a browser."""

import json
import re
import zlib
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from html import unescape
from xml.etree import ElementTree

import pytest

import calverify as cv
from calverify.archives import Archive, FrozenFile, Manifest, Ratings
from calverify.evaluation import Interval, Unit, study_of
from calverify.keys import Key
from calverify.pools import Candidate, Pool
from calverify.reports import Points, Table, make_report, page
from calverify.reports._explorer import CATEGORIES, category_of
from calverify.reports._explorer_witness import marks_of, said, witness_lines
from calverify.reports._page_about import is_simulated
from calverify.reports._page_figures import gains_of
from tests.browser.reports import HOSTILE, HOSTILE_ID, chain, hostile
from tests.reports.recount import OPTIONS, studies


def made(**more) -> str:
    tables, plots = [], []
    for name in ("policies", "k-curve", "theory"):
        some, drawn = make_report(name, studies(), OPTIONS)
        tables += some
        plots += drawn
    return page(studies(), tables, plots, **more)


@pytest.fixture(scope="module")
def whole() -> str:
    return made()


def block(text: str, start: str, end: str) -> str:
    return text.split(start, 1)[1].split(end, 1)[0]


def test_it_repeats(whole):
    """Byte for byte: no clock, no order of a set."""
    assert made() == whole


def test_the_policy_names_what_is_there(whole):
    """Nothing may be loaded; the one script and the one style are those of the hashes."""
    policy = block(whole, 'Content-Security-Policy" content="', '"')
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in policy
    script = re.findall(r"<script>(.*?)</script>", whole, re.DOTALL)
    style = re.findall(r"<style>(.*?)</style>", whole, re.DOTALL)
    for rule, (inside,) in (("script-src", script), ("style-src", style)):
        digest = b64encode(sha256(inside.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    assert whole.index("Content-Security-Policy") < whole.index("<title>") < whole.index("<style>")


def test_it_refers_to_nothing_beyond_itself(whole):
    """No address but the name of SVG, no handler and no style in an attribute, no import."""
    assert set(re.findall(r"https?://[^\s\"'<]+", whole)) == {"http://www.w3.org/2000/svg"}
    assert set(re.findall(r"<(?:link|iframe|object|embed|img|base|audio|video)\b", whole)) == set()
    for attribute in ("src", "style", "srcset", *(f"on{event}" for event in ("click", "load", "error"))):
        assert f" {attribute}=" not in re.sub(r"<script>.*?</script>", "", whole, flags=re.DOTALL)
    assert "@import" not in whole
    assert "url(" not in block(whole, "<style>", "</style>")


def data_of(text: str) -> tuple[dict, dict]:
    index = json.loads(block(text, '<script type="application/json" id="index">', "</script>"))
    packed = block(text, '<script type="application/octet-stream" id="details">', "</script>")
    return index, json.loads(zlib.decompress(b64decode(packed)))


def test_the_data_holds_every_pool_once(whole):
    """Row i of the index is about pool i, whose texts, bits and grades are those of the unit."""
    index, details = data_of(whole)
    units = [(study, unit) for study in studies() for unit in study.units]
    assert len(index["rows"]) == len(details["pools"]) == len(units)
    for row, pool, (study, unit) in zip(index["rows"], details["pools"], units, strict=True):
        assert (index["policies"][row[0]], row[1], row[2]) == (study.policy, unit.problem, unit.seed)
        assert row[5:] == [*("01"[unit.right(name)] for name in ("plurality", "calver")), "01"[unit.covered],
                           category_of(unit)]  # fmt: skip
        verdicts = [details["verdicts"][at] for at in pool["verdicts"]]
        assert tuple(details["texts"][verdict[0]] for verdict in verdicts) == study.pools[unit.problem, unit.seed].texts
        assert ["".join(map(str, verdict.bits.values())) for verdict in unit.verdicts] == [v[1] for v in verdicts]
        assert [details["texts"][verdict[4]] for verdict in verdicts] == [verdict.why for verdict in unit.verdicts]
        assert pool["correct"] == "".join("01"[right] for right in unit.correct)
        assert pool["choices"] == dict(unit.choices)
    assert len(set(details["texts"])) == len(details["texts"]), "what is said twice is stored once"


def test_the_graph_of_each_verdict():
    """The problem's own where it supplies one, else what the trace states; an answer that cannot be read is none."""
    both = [hostile(), studies()[1]]
    _, details = data_of(page(both, [], []))
    met = set()
    units = [(study, unit) for study in both for unit in study.units]
    for pool, (study, unit) in zip(details["pools"], units, strict=True):
        supplied = study.problems[unit.problem].graph
        place = details["problems"][pool["problem"]]["graph"]
        assert (place == -1) == (supplied is None)
        for at, verdict in zip(pool["verdicts"], unit.verdicts, strict=True):
            _, _, answer, *_, graph, _ = details["verdicts"][at]
            assert (answer == -1) == (verdict.answer is None)
            stated = verdict.judged_on if supplied is None else None
            assert (graph == -1) == (stated is None)
            if stated is not None:
                drawn = details["graphs"][graph]
                assert details["texts"][drawn["words"]] == str(stated)
                assert [box[0] for box in drawn["boxes"]] == list(stated.nodes)
            met.add((answer == -1, graph == -1))
    assert met == {(False, True), (False, False), (True, True)}


def test_a_graph_too_large_to_draw_is_told_in_words():
    nodes = [f"n{at}" for at in range(100)]
    problem = cv.Problem("large", cv.Query("node"), cv.Graph(nodes))
    pool = Pool("large", 0, (Candidate(0, "ANSWER: n1"),))
    study = study_of(Archive({"large": problem}, (pool,), Manifest("x")), {"large": Key("large")})
    _, details = data_of(page([study], [], []))
    (graph,) = details["graphs"]
    assert graph["nodes"] == 100
    assert "size" not in graph
    assert "n99" in details["texts"][graph["words"]]


def test_scores_that_were_stored_are_shown(whole):
    _, details = data_of(whole)
    failed = [pool for pool in details["pools"] if {"confidence": None} in pool["scores"]]
    assert len(failed) == 2  # one a policy


def unit(choices, correct=(False, True, None)) -> Unit:
    shown = tuple(cv.verify(studies()[0].problems["b1"], "ANSWER: {U}\nSTEP 1") for _ in correct)
    return Unit("p", 0, "p", {}, shown, correct, choices, "everyone")


CATEGORISED = [
    (unit({"plurality": 0, "calver": 1}), "repaired"),
    (unit({"plurality": 1, "calver": 0}), "lost"),
    (unit({"plurality": 1, "calver": 1}), "both right"),
    (unit({"plurality": 0, "calver": 0}), "both wrong"),
    (unit({"plurality": 0, "calver": None}), "both wrong"),
    (unit({"plurality": 2, "calver": 1}), "undetermined"),
    (unit({"plurality": 0, "calver": 1}, (False, False)), "no valid candidate"),
    (unit({"plurality": 0}), "not compared"),
    (unit({}), "not compared"),
]


@pytest.mark.parametrize("unit, name", CATEGORISED, ids=[f"{name} {at}" for at, (_, name) in enumerate(CATEGORISED)])
def test_outcomes(unit, name):
    assert category_of(unit) == name


def test_every_outcome_is_told_and_met():
    assert {name for _, name in CATEGORISED} == set(CATEGORIES)


# ---------------------------------------------------------------- where it came from


def test_an_archive_that_was_not_sealed_is_named(whole):
    """Above everything else, and again with its manifest."""
    top = block(whole, '<header class="top">', "</header>")
    assert "Simulated: no language model wrote these pools." in top
    assert "(all studies)" in top
    assert "Not sealed:" in top
    assert "Not sealed:" in block(whole, 'id="about-0"', "</section>")


def test_a_sealed_one_shows_its_chain():
    one = studies()[0]
    steps = chain(one)
    text = page([one], [], [], logs=[steps])
    assert "Not sealed:" not in text
    about = block(text, 'id="about-0"', "</section>")
    for step in steps:
        assert f"<strong>{step.step}</strong>" in about
        assert step.sha256 in about
    assert about.count(steps[0].sha256) == 2, "the line itself, and the line before the next one"


@pytest.mark.parametrize(("decoding", "said"), [("pinned", "Not free text: a grammar pins slots"), ("free", None)])
def test_what_a_text_was_held_to_is_said_first(decoding, said):
    """A grammar that writes a part of every trace is named above every number."""
    one = studies()[0]
    study = replace(one, manifest=replace(one.manifest, sampling={"decoding": decoding}))
    top = block(page([study], [], []), '<header class="top">', "</header>")
    assert ("Not free text:" in top) == (said is not None)
    assert said is None or said in top


SAID = [
    (Manifest("simulated x"), True),
    (Manifest("x", model="simulated"), True),
    (Manifest("x", sampling={"backend": "simulated"}), True),
    (Manifest("not simulated", model="m"), False),
    (Manifest("x"), False),
]


@pytest.mark.parametrize("manifest, simulated", SAID)
def test_what_is_simulated_is_recognised(manifest, simulated):
    assert is_simulated(manifest) == simulated


def told(manifest: Manifest) -> dict[str, str]:
    """The facts about a policy, as terms and what they say; then its files."""
    text = block(page([replace(studies()[0], manifest=manifest)], [], []), 'id="about-0"', "</section>")
    pairs = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", text)
    return {unescape(term): unescape(re.sub(r"<.*?>", "", said)) for term, said in pairs}


def test_the_manifest_is_told():
    """All that it says, and nothing of what it does not."""
    bare = told(Manifest("x"))
    assert bare == {"Policy": "x", "Prompt version": "1", "Size": "16 pools of 8 problems, 96 candidates",
                    "Scorer version": "1"}  # fmt: skip
    judge = Ratings(
        model="a judge", pools="d" * 64, rated=95, failed=1, prompt_version="3", settings={"temperature": 0}
    )
    files = {"pools.jsonl": FrozenFile("a" * 64, 16)}
    whole = Manifest("x", "a model", "an adapter", "4 bit", "2", {"temperature": 0.8, "stop": ["A", "B"]},
                     "calverify sample <here>", seeds=(0, 1, 2), corpus="c" * 64, files=files,
                     scores={"judge": judge})  # fmt: skip
    assert told(whole) == {
        **bare, "Model": "a model", "Adapter": "an adapter", "Quantisation": "4 bit", "Prompt version": "2",
        "Sampling": "stop A B, temperature 0.8", "Seeds": "0, 1, 2", "Corpus (sha256)": "c" * 64,
        "Command": "calverify sample <here>", "pools.jsonl": f"{'a' * 64} 16 records",
        "Stored judge": "a judge, prompt 3, temperature 0, 95 rated, 1 failed",
    }  # fmt: skip


def test_only_what_is_simulated_is_said_to_be():
    study = studies()[0]
    assert "Simulated:" in block(page([study], [], []), 'id="about-0"', "</section>")
    other = replace(study, manifest=Manifest("a model", model="m"))
    assert "Simulated" not in page([other], [], [])


def test_two_studies_of_one_name_are_told_apart():
    one = studies()[0]
    index, _ = data_of(page([one, replace(one)], [], []))
    assert index["policies"] == ["simulated one (1)", "simulated one (2)"]


def test_without_tables_there_is_no_chapter_of_them():
    text = page(studies()[:1], [], [])
    places = re.findall(r'<section id="(\w+)"', text.replace(' aria-labelledby="made-heading"', ""))
    assert 'href="#tables"' not in text
    assert 'href="#theory"' not in text
    assert 'href="#pools"' in text
    assert "tables" not in places


# ---------------------------------------------------------------- gains


def gain(point: float) -> Points:
    return Points(point, Interval(point, point - 0.1, point + 0.1, 50, 7, 9, "problem"))


LABELLED = [
    ((("a", "x", 3), ("b", "x", 4)), ["a, x", "b, x"]),
    ((("a", "x", 3), ("a", "y", 4)), ["x", "y"]),  # what all rows share is left out
    ((("a", "x", 3), ("a", "x", 4)), ["x, units 3", "x, units 4"]),  # rows that begin alike are told apart
    ((("a", "", 3), ("b", "y", 4)), ["a", "b, y"]),
    ((("a", "x", 3), ("b", "y", 4), ("c", "z", None)), ["a, x", "b, y"]),  # without a gain there is nothing to draw
]


@pytest.mark.parametrize("heads, labels", LABELLED)
def test_a_gain_with_its_interval_is_drawn(heads, labels):
    """One row a gain, with the words that its row of the table begins with."""
    rows = tuple((*head, gain(0.2) if head[2] else None) for head in heads)
    table = Table("t", "T", ("policy", "task", "units", "gain"), tuple((a, b, n or 0, g) for a, b, n, g in rows))
    (figure,) = gains_of(table, "here")
    drawn = ElementTree.fromstring(figure)
    assert [each.text for each in drawn.iter("text") if (each.get("class") or "") == "label"] == labels
    assert [row.find("th").text for row in drawn.find("details/div/table/tbody")] == labels
    assert "50 bootstrap draws clustered by problem" in drawn.find("figcaption/p").text
    assert drawn.get("id") == "here-gains-3"


def test_a_single_gain_is_no_figure():
    table = Table("t", "T", ("policy", "gain"), (("a", gain(0.1)), ("b", None)))
    assert list(gains_of(table, "here")) == []


# ---------------------------------------------------------------- hostile text


def test_hostile_text_ends_nothing():
    """Every <script>, </style> and comment of the page is the page's own."""
    study = hostile()
    text = page([study], [], [], title=HOSTILE)
    assert text.count("<script") == text.count("</script>") == 3
    assert text.count("<style") == text.count("</style>") == 1
    assert "<!--" not in text
    assert "<img" not in text
    assert "\u202e" not in text
    assert "\0" not in text
    assert "\ud800" not in text
    title = unescape(block(text, "<title>", "</title>"))
    assert title.startswith("STEP 1 [graph_extract]: <script>alert(1)</script>")
    _, details = data_of(text)
    assert HOSTILE in details["texts"]
    index, _ = data_of(text)
    assert HOSTILE_ID in [row[1] for row in index["rows"]]


# ---------------------------------------------------------------- witnesses

MARKED = [
    (None, None),
    ({"kind": "x"}, None),
    ({"kind": "active_path", "path": [["X", "<-", "U"], ["U", "->", "Y"]], "given": ["M"]},
     {"steps": [["X", "<-", "U"], ["U", "->", "Y"]], "given": ["M"]}),
    ({"kind": "directed_walk", "walk": ["A", "B", "C"]}, {"steps": [["A", "->", "B"], ["B", "->", "C"]]}),
    ({"kind": "no_edge", "edge": ["A", "B"]}, {"nodes": ["A", "B"]}),
    ({"kind": "edge", "edge": ["A", "B"]}, {"steps": [["A", "->", "B"]]}),
    ({"kind": "collider", "triple": ["A", "C", "B"]}, {"steps": [["A", "->", "C"], ["B", "->", "C"]]}),
    ({"kind": "active_path", "path": [], "opened": {"C": ["C", "D"]}}, {"steps": [["C", "->", "D"]]}),
    ({"kind": "closed", "states": [["A", "start"], ["B", "->"]], "given": []}, {"nodes": ["A", "B"]}),
    ({"kind": "whole", "parts": [{"kind": "directed_walk", "walk": ["A", "B"]}, {"kind": "node", "name": "Q"}]},
     {"steps": [["A", "->", "B"]]}),
]  # fmt: skip


@pytest.mark.parametrize("witness, marks", MARKED)
def test_what_a_witness_marks(witness, marks):
    assert marks_of(witness) == marks


def test_a_witness_in_words():
    witness = {
        "kind": "active_path",
        "given": [],
        "path": [["X", "<-", "C"], ["C", "<-", "Y"]],
        "opened": {"C": ["C", "D"], "E": ["E"]},
        "why": None,
        "inner": {"kind": "closed", "states": [["A", "start"], ["B", "->"], "odd"]},
        "long": "x" * 1_000,
    }
    words = dict(witness_lines(witness))
    assert words["path"] == "X <- C <- Y"
    assert words["given"] == "none"
    assert words["opened"] == "C by C -> D; E, which is given"
    assert words["inner: states"] == 'A (start), B (by ->), "odd"'
    assert words["long"].endswith("… (1,000 characters)")
    assert witness_lines(None) == []


SAID_AS = [
    (None, "none"),
    ([], "none"),
    ({}, "none"),
    ("X", "X"),
    (0.5, "0.5"),
    (True, "true"),
    (["A", "B"], "A, B"),
    ([1, 2], "1, 2"),
    ([["Ann", "knave(Bob)"], ["Bob", "p or q"]], "Ann: knave(Bob); Bob: p or q"),
    ([{"given": {"A": 0, "B": 1}, "mass": 0.4}, {"given": {}, "mass": 0}],
     "given (A 0, B 1), mass 0.4; given (none), mass 0"),
    ([["A", 1, 2], ["B"]], "A, 1, 2; B"),
]  # fmt: skip


@pytest.mark.parametrize("value, words", SAID_AS)
def test_any_field_in_words(value, words):
    assert said(value) == words


def test_a_witness_of_witnesses_is_bounded():
    deep: dict = {"kind": "x"}
    for _ in range(500):
        deep = {"kind": "x", "parts": [deep, {"kind": "directed_walk", "walk": ["A", "B"]}]}
    assert marks_of(deep) == {"steps": [["A", "->", "B"]]}
    assert len(witness_lines(deep)) < 200
