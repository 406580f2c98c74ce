"""GML, as networkx, yEd and DoWhy write it."""

import re

import networkx as nx
import pytest

from calverify import errors
from calverify.formats import from_gml, to_networkx
from calverify.graphs import Graph


def gml(body: str) -> str:
    return f"graph [ directed 1 {body} ]"


TWO = 'node [ id 0 label "X" ] node [ id 1 label "Y" ] '

READ = [
    ("plain", gml(TWO + "edge [ source 0 target 1 ]"), "X -> Y"),
    ("DoWhy", 'graph[directed 1 node[ id "X" label "X"]node[ id "Y" label "Y"]edge[source "X" target "Y"]]', "X -> Y"),
    ("edges first", "graph [ edge [ source 0 target 1 ] " + TWO + "directed 1 ]", "X -> Y"),
    ("no labels", gml("node [ id 7 ] node [ id -3 ] edge [ source 07 target -03 ]"), "7 -> -3"),
    ("number labels", gml("node [ id 0 label 5 ]"), "5"),
    ("zero", gml("node [ id 00 ] node [ id 1 ] edge [ source -0 target +1 ]"), "0 -> 1"),
    (
        "number and string ids",
        gml('node [ id 1 label "a" ] node [ id "1" label "b" ] edge [ source 1 target "1" ]'),
        "a -> b",
    ),
    (
        "entities",
        gml('node [ id 0 label "a&amp;&#98;&#x63;&eacute; &unknown; AT&T &#9999999;" ]'),
        "a&bcé &unknown; AT&T &#9999999;",
    ),
    (
        "bidirected",
        gml(TWO + 'edge [ source 0 target 1 kind "bidirected" ] edge [ source 0 target 1 ]'),
        "X -> Y, X <-> Y",
    ),
    (
        "unknown keys",
        'Creator "yFiles" Version 2.14\n# note\ngraph [ directed 1 hierarchic 1 label "g"\n'
        'node [ id 0 label "X" graphics [ x 1.5e+3 y -.5 fill "#FF" graph [ node [ id 0 ] ] ] w NAN v +INF ] '
        'node [ id 1 label "Y" ] edge [ source 0 target 1 graphics [ Line [ point [ x 1. ] ] ] ] ]',
        "X -> Y",
    ),
]

REFUSED = [
    ("", "line 1: the text ends; expected one graph [...]"),
    ("graph [ " + TWO + "edge [ source 0 target 1 ] ]", "the graph is undirected, so edge X -- Y has no direction"),
    ("graph [\ndirected 0 ]", "line 2: the graph is undirected; expected directed 1"),
    ("graph [ directed 1", "the text ends; expected ']' to close 'graph'"),
    ("graph [ directed 1 ] ]", "unexpected ']'; expected a key"),
    ("graph [ directed 1 ] graph [ directed 1 ]", "expected one graph [...]"),
    ("graph [ directed ]", "unexpected ']'; expected a number, a string or '[' after the key 'directed'"),
    ("graph [ 1 ]", "unexpected '1'; expected a key or ']'"),
    ("graph [ ~ ]", "line 1: unexpected '~'"),
    (gml('node [ label "X" ]'), "node without id"),
    (gml("node [ id 1.5 ]"), "the id '1.5' of a node; expected a whole number or a string"),
    (gml("node [ id 1 ]\nnode [ id 01 ]"), "line 2: two nodes have the id '1'"),
    (gml('node [ id 0 label "X" ]\nnode [ id 1 label "X" ]'), "line 2: two nodes are called 'X'"),
    (gml("node [ id 1 id 2 ]"), "the key 'id' stands twice in one node"),
    (gml('node [ id 0 label "X" ] node [ id 1 label "X " ]'), "are the same name after trimming and NFC"),
    (gml(TWO + "edge [ source 0 ]"), "edge without target"),
    (gml(TWO + "edge [ source 0 target 5 ]"), "an edge whose target is '5', which is not the id of a node"),
    (gml(TWO + "edge [ source 0 target 0 ]"), "edge X -> X is a self-loop"),
    (gml(TWO + "edge [ source 0 target 1 ] edge [ source 0 target 1 ]"), "edge X -> Y is listed twice"),
    (gml(TWO + 'edge [ source 0 target 1 kind "other" ]'), "edge X -> Y has another kind; expected one of directed"),
    (gml('node [ id 0 label "U" observed "no" ]'), "node U is marked as hidden"),
    (gml('node [ id 0 label "" ]'), "a name is empty"),
]


@pytest.mark.parametrize(("text", "graph"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_read(text, graph):
    assert from_gml(text) == (Graph([graph]) if "&" in graph else Graph.parse(graph))


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_refused(text, why):
    with pytest.raises(errors.GraphError, match=re.escape(why)):
        from_gml(text)


def test_hidden_nodes_are_projected_on_request():
    text = gml('node [ id 2 label "U" observed "no" ]' + TWO + "edge [ source 2 target 0 ] edge [ source 2 target 1 ]")
    assert from_gml(text, project_latents=True) == Graph.parse("X <-> Y")


def test_nesting_is_not_bounded_by_the_stack():
    assert from_gml(gml("x [ " * 100_000 + "] " * 100_000 + "node [ id 0 ]")) == Graph.parse("0")


@pytest.mark.parametrize(
    "text", ["a -> b -> c, d", 'é -> "a & b", "&amp;" <-> "x\'y", é <-> "a & b"', "a -> b -> a", ""]
)
def test_what_networkx_writes_is_read(text):
    graph = Graph.parse(text)
    assert from_gml("\n".join(nx.generate_gml(to_networkx(graph)))) == graph
