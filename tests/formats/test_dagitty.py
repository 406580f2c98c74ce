"""The dagitty language, as its own grammar reads it, without what no graph of ours can say."""

import re

import pytest

from calverify import errors
from calverify.formats import from_dagitty, to_dagitty
from calverify.graphs import Graph

READ = [
    ("one line", "dag { X -> Y ; A <-> B ; X <- Z -> W ; a -> {b c} }", "X -> Y, A <-> B, X <- Z -> W, a -> b, a -> c"),
    ("no separators", "dag { x -> m -> a b }", "x -> m -> a, b"),
    ("tight", "dag{a->b<-c<->d}", "a -> b <- c <-> d"),
    ("strict, any case, named", "strict Dag model { x y ; z \n q }", "x, y, z, q"),
    (
        "the web page",
        'dag {\nbb="-4.5,-3,4.2,3"\nX [exposure,pos="-2.2,1.5"]\nY [outcome,pos="1.4 , 1.6"]\nX -> Y [beta="0.3"]\n}\n',
        "X -> Y",
    ),
    ("adjusted", 'dag { Z [adjusted,pos="0,0"] ; Z -> X [pos="0.1,0.2"] }', "Z -> X"),
    ("barewords", "dag { 1.5 -> -2 ; a_b.c }", "1.5 -> -2, a_b.c"),
    ("quoted", 'dag { "a b" -> "é" ; "c\\d" ; "x" + "y" }', '"a b" -> é, c\\d, xy'),
    ("line continued", 'dag { "a\\\nb" }', "ab"),
    ("quoted words", 'dag { "edge" -> "subgraph" ; edge -> strict }', "edge -> subgraph, edge -> strict"),
    ("groups both", "dag { {a b} <-> {c d} }", "a <-> c, a <-> d, b <-> c, b <-> d"),
    ("groups nested", "dag { {a -> b} -> {c {d}} }", "a -> b, a -> c, a -> d, b -> c, b -> d"),
    ("graph options", 'dag { graph [bb="0,0,1,1"] a -> b }', "a -> b"),
    ("digraph with a cycle", "digraph { a -> b -> a }", "a -> b -> a"),
    ("strict merges", "strict dag { a -> b a -> b }", "a -> b"),
    ("empty", "dag {}", ""),
    ("trailing separator", "dag { a };\n", "a"),
]

REFUSED = [
    ("", "line 1: the text ends; expected 'dag'"),
    ("X -> Y", "line 1: unexpected 'X'; expected 'dag'"),
    ("dag {\na -> b", "line 2: the text ends; expected a statement or '}'"),
    ("dag { a -- b }", "edge a -- b is undirected; expected -> <- or <->"),
    ("pdag {\n a -> b\n c -- d }", "line 3: edge c -- d is undirected"),
    ("pag { a @-> b }", "edge a @-> b has an end that is not known"),
    ("pag { a <-@ b }", "edge a <-@ b has an end that is not known"),
    ("pag { a @-@ b }", "edge a @-@ b has an end that is not known"),
    ("pag { a @-- b }", "edge a @-- b has an end that is not known"),
    ("pag { a --@ b }", "edge a --@ b has an end that is not known"),
    ("mag { a <-> b }", "line 1: the model is a mag; expected a dag"),
    ("PDAG { a -> b }", "the model is a PDAG; expected a dag"),
    ("graph { a -> b }", "the model is a graph; expected a dag"),
    ("dag { a -> b -> a }", "declared dag, but it has the directed cycle a -> b -> a"),
    ("dag { a -> b -> a <-> c }", "directed cycle"),
    ("dag { a -> b\na -> b }", "line 2: edge a -> b is listed twice (first on line 1)"),
    ("dag { a <- a }", "edge a -> a is a self-loop"),
    ('dag {\n U [latent,pos="0,0"]\n U -> X }', "line 2: node U is marked as hidden"),
    ("dag { U [u] U -> X }", "node U is marked as hidden"),
    ("dag { U [unobserved] }", "node U is marked as hidden"),
    ("dag { S [selected] X -> S }", "node 'S' is a selection node"),
    ("dag { a -> b, c }", "unexpected ','; expected a statement"),
    ("dag { é }", "line 1: unexpected 'é'"),
    ("dag { a → b }", "line 1: unexpected '→'"),
    ("dag { a - > b }", "line 1: unexpected '-'"),
    ("dag { node -> b }", "'node' is a word of the language"),
    ('dag { "graph" -> b }', "'graph' is a word of the language"),
    ('dag { "a\nb" }', "line 1: unexpected '\"'"),
    ('dag { "" }', "a name is empty"),
    ("dag { a [pos=] }", "unexpected ']'; expected a value after '='"),
    ("dag { a -> }", "expected a name or a group after the arrow"),
    ("dag { a } b", "unexpected 'b'; expected the end of the text"),
    ("dag {" + "{" * 64, "groups are nested over 64 deep"),
]


@pytest.mark.parametrize(("text", "graph"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_read(text, graph):
    assert from_dagitty(text) == Graph.parse(graph)


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_refused(text, why):
    with pytest.raises(errors.GraphError, match=re.escape(why)):
        from_dagitty(text)


@pytest.mark.parametrize("mark", ["latent", "l", "unobserved", "u", 'latent,pos="0,1"'])
def test_hidden_nodes_are_projected_on_request(mark):
    text = f"dag {{ U [{mark}] ; X <- U -> Y ; X -> Y }}"
    assert from_dagitty(text, project_latents=True) == Graph.parse("X -> Y, X <-> Y")


def test_a_cycle_through_hidden_nodes_is_still_a_cycle():
    with pytest.raises(errors.GraphError, match="directed cycle"):
        from_dagitty("digraph { U [latent] ; X -> U -> X }", project_latents=True)


def test_written():
    graph = Graph.parse('X -> "a b", X <-> dag')
    assert to_dagitty(graph) == 'dag {\nX\n"a b"\n"dag"\nX -> "a b"\nX <-> "dag"\n}\n'
    assert to_dagitty(Graph.parse("a -> b -> a")) == "digraph {\na\nb\na -> b\nb -> a\n}\n"


@pytest.mark.parametrize("name", ["graph", "node", "a\\", "a\nb", "a\x7fb"])
def test_a_name_that_cannot_be_spelled_is_not_written(name):
    with pytest.raises(errors.GraphError, match="dagitty"):
        to_dagitty(Graph([name]))
