"""The table of formats: names, suffixes, totality and round trips."""

import re
from contextlib import suppress

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calverify import errors
from calverify.formats import (
    FORMATS,
    format_of,
    from_dagitty,
    from_dot,
    from_gml,
    from_networkx,
    latent_projection,
    read_graph,
    to_dagitty,
    to_dot,
    to_networkx,
    write_graph,
)
from calverify.graphs import Graph
from calverify.names import clean_name

SUFFIXES = [
    ("model.dot", "dot"),
    ("MODEL.GV", "dot"),
    ("a/b.c/model.dagitty", "dagitty"),
    ("x.gml", "gml"),
    ("asia.bif", "bif"),
    ("graph.json", "json"),
    ("graph.txt", "text"),
]
WORDS = ["node", "graph", "edge", "strict", "digraph", "subgraph", "dag", "Node", "1", "-2.5", "1a", "a b", 'a"b', "\\"]
WORDS += ["a->b", "a--b", "-", "<b>", "a;b", "[x]", "{", "//", "/*", "#", "é", "e\u0301", "→", "a\nb", "\u00a0", "a\\b"]
MARKS = [
    "->",
    "<-",
    "<->",
    "--",
    "@->",
    "}",
    "{",
    "[",
    "]",
    "=",
    ",",
    ";",
    ":",
    "+",
    "(",
    ")",
    "|",
    "<",
    ">",
    '"',
    "\\",
]
KEYS = [
    "dir",
    "both",
    "none",
    "label",
    "id",
    "source",
    "target",
    "kind",
    "directed",
    "variable",
    "probability",
    "network",
]
KEYS += ["observed", "no", "latent", "&amp;", "nodes", "bidirected"]

NAMES = st.one_of(st.sampled_from(WORDS), st.text(max_size=8), st.text('ab"\\\n ->{}', max_size=6))
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS + MARKS + KEYS), max_size=40).map(" ".join))
HEADERS = ["", "digraph {", "strict digraph {", "dag {", "graph [ directed 1 ", "variable A {} ", '{"nodes": ']


@st.composite
def graphs(draw) -> Graph:
    raw = draw(st.lists(NAMES.filter(str.strip), max_size=6))
    names = list(dict.fromkeys(clean_name(name) for name in raw))
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    directed = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    cyclic = bool(directed) and draw(st.booleans())
    if cyclic:
        directed.append((directed[0][1], directed[0][0]))
    bidirected = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs and not cyclic else []
    return Graph(names, directed, bidirected)


@pytest.mark.parametrize(("filename", "name"), SUFFIXES)
def test_format_of(filename, name):
    assert format_of(filename) == name


@pytest.mark.parametrize("filename", ["", "model", "model.xml", "dot", "asia.bif.gz", ".dotx"])
def test_format_of_an_unknown_suffix(filename):
    with pytest.raises(errors.GraphError, match=re.escape("expected one of .txt, .json, .dot")):
        format_of(filename)


def test_suffixes_belong_to_one_format():
    suffixes = [suffix for row in FORMATS.values() for suffix in row.suffixes]
    assert len(set(suffixes)) == len(suffixes)


@pytest.mark.parametrize("use", [lambda: read_graph("a", "xml"), lambda: write_graph(Graph.parse("a"), "xml")])
def test_an_unknown_format_is_refused(use):
    with pytest.raises(errors.GraphError, match="unknown graph format 'xml'; expected one of text, json, dot"):
        use()


@pytest.mark.parametrize("name", ["gml", "bif"])
def test_a_format_without_writer_is_refused(name):
    with pytest.raises(errors.GraphError, match="read only; expected one of text, json, dot, dagitty"):
        write_graph(Graph.parse("a"), name)


def test_no_format_is_the_text_format():
    assert read_graph("a -> b") == Graph.parse("a -> b")
    assert write_graph(Graph.parse("a -> b")) == "a -> b"


def test_the_content_is_never_looked_at():
    assert read_graph("digraph").nodes == ("digraph",)


def test_latents_are_projected_where_the_format_can_mark_them():
    assert read_graph("dag { U [latent] ; X <- U -> Y }", "dagitty", project_latents=True) == Graph.parse("X <-> Y")
    assert read_graph("a -> b", "text", project_latents=True) == Graph.parse("a -> b")


@pytest.mark.parametrize("name", FORMATS)
@given(header=st.sampled_from(HEADERS), text=TEXTS, hide=st.booleans())
def test_every_reader_is_total(name, header, text, hide):
    with suppress(errors.CalverifyError):
        assert isinstance(read_graph(header + text, name, project_latents=hide), Graph)


@pytest.mark.parametrize("name", [name for name, row in FORMATS.items() if row.writer])
@given(graph=graphs())
def test_what_is_written_is_read_back(name, graph):
    try:
        text = write_graph(graph, name)
    except errors.GraphError as error:
        assert name != "json"
        assume("cannot spell" not in str(error) and "no node called" not in str(error))
        raise
    again = read_graph(text, name)
    assert again == graph
    assert again.nodes == graph.nodes or name == "text"
    assert again.kind == graph.kind


@given(graph=graphs())
def test_networkx_is_read_back(graph):
    again = from_networkx(to_networkx(graph))
    assert again == graph
    assert again.nodes == graph.nodes


@given(graph=graphs())
def test_the_gml_of_networkx_is_read_back(graph):
    assert from_gml("\n".join(nx.generate_gml(to_networkx(graph)))) == graph


HUGE = [
    ("dot", "digraph {" + "{" * 10_000),
    ("dot", "digraph { " + "a -> " * 50_000),
    ("dot", 'digraph { "' + '\\"' * 125_000),
    ("dot", 'digraph { a [x="' + '\\"' * 125_000 + '"] }'),
    ("dot", "digraph { a [x=<" + "<b>" * 75_000 + ">] }"),
    ("dot", "digraph { /*" + "*" * 250_000),
    ("dot", "digraph { /*" + "* " * 125_000 + "*/ }"),
    ("dot", "digraph { " + "a;" * 75_000 + "}"),
    ("dot", "digraph { " + "a [x=1];" * 25_000 + "}"),
    ("dot", "digraph { a [" + "k=v," * 50_000 + "] }"),
    ("dot", "digraph { a" + "\u0301" * 125_000 + "}"),
    ("dagitty", 'dag { "' + "\\" * 250_000),
    ("dagitty", "dag { " + "{a} " * 50_000 + "}"),
    ("gml", "graph [ directed 1 " + "a [ " * 250_000),
    ("gml", 'graph [ directed 1 node [ id 0 label "' + "&#1" * 75_000 + '" ] ]'),
    ("gml", "graph [ directed 1 node [ id " + "9" * 250_000 + " ] ]"),
    ("bif", "variable A { " + "{" * 250_000),
    ("bif", "probability ( A | " + "B, " * 75_000),
    ("json", '{"nodes": [' + '"a",' * 250_000),
    ("json", "{" * 250_000),
]


@pytest.mark.parametrize(("name", "text"), HUGE, ids=[f"{name} {text[:24]}" for name, text in HUGE])
def test_a_large_text_is_answered(name, text):
    """Without a stack overflow, and in time: a quadratic reader would not finish here."""
    with suppress(errors.CalverifyError):
        assert isinstance(read_graph(text, name), Graph)


def test_the_two_languages_agree_on_what_they_share():
    text = "{ a -> {b c} ; b -> d }"
    assert from_dot("digraph" + text) == from_dagitty("dag" + text)
    graph = Graph.parse("a -> b, b <-> c")
    assert from_dot(to_dot(graph)) == from_dagitty(to_dagitty(graph)) == latent_projection(graph, [])
