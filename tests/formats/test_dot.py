"""DOT: what Graphviz draws is what is read, and what no graph of ours can say is refused."""

import re

import pytest

from calverify import errors
from calverify.formats import from_dot, to_dot
from calverify.graphs import Graph

READ = [
    ("plain", "digraph { U -> X; U -> Y; X -> Y }", "U -> X, U -> Y, X -> Y"),
    ("named, any case", "STRICT DiGraph G { a -> b }", "a -> b"),
    ("chain", "digraph { a -> b -> c }", "a -> b -> c"),
    ("no separators", "digraph { a b a -> b c }", "a -> b, c"),
    ("byte order mark", "\ufeffdigraph {a}", "a"),
    ("empty", "digraph {}", ""),
    ("semicolons", "digraph {;;a;;}", "a"),
    ("group right", "digraph { a -> {b c} }", "a -> b, a -> c"),
    ("group both", "digraph { {a b} -> {c d} }", "a -> c, a -> d, b -> c, b -> d"),
    ("group of edges", "digraph { {a -> b} -> c }", "a -> b, a -> c, b -> c"),
    ("nested groups", "digraph { a -> {b {c}} }", "a -> b, a -> c"),
    ("empty group", "digraph { a -> {} -> b }", "a, b"),
    ("subgraph", 'digraph { subgraph cluster_0 { label="L"; a -> b } b -> subgraph { c } }', "a -> b -> c"),
    ("ports", "digraph { a:n -> b:p1:sw; c:x }", "a -> b, c"),
    ("comments", "# top\ndigraph { // one\n a /* a -> c * / */ -> b # end\n}", "a -> b"),
    ("numerals", "digraph { 1 -> -2.5; .5 -> 1. }", "1 -> -2.5, .5 -> 1."),
    ("numerals by spelling", "digraph { 1 -> 1.0 }", "1 -> 1.0"),
    ("quoted", 'digraph { "a b" -> "c->d"; "node" }', '"a b" -> "c->d", node'),
    ("joined", 'digraph { "a" + "b" -> c }', "ab -> c"),
    ("line continued", 'digraph { "a\\\nb" -> c }', "ab -> c"),
    ("unicode word", "digraph { α -> été }", "α -> été"),
    ("attributes", 'digraph { a [label="A", shape=box][x=1;y=2] a -> b [weight=2] }', "a -> b"),
    ("html label", "digraph { a [label=<<b>A</b> & co>] a -> b }", "a -> b"),
    ("graph attributes", 'digraph { rankdir=LR; graph [bb="0,0"]; node [shape=box] a -> b }', "a -> b"),
    ("both", "digraph { a -> b [dir=both] }", "a <-> b"),
    ("back", "digraph { a -> b [dir=back] }", "b -> a"),
    ("default both", "digraph { edge [dir=both]; a -> b; c -> d [dir=forward] }", "a <-> b, c -> d"),
    ("default ends with its group", "digraph { {edge [dir=both] a -> b} b -> c }", "a <-> b, b -> c"),
    ("default enters a group", "digraph { edge [dir=both]; {a -> b} }", "a <-> b"),
    ("both, no tail", "digraph { a -> b [dir=both, arrowtail=none, arrowhead=empty] }", "a -> b"),
    ("both, no head", "digraph { a -> b [dir=both, arrowhead=none] }", "b -> a"),
    ("bow", "digraph { a -> b; a -> b [dir=both] }", "a -> b, a <-> b"),
    ("cycle", "digraph { a -> b -> a }", "a -> b -> a"),
    ("strict merges", "strict digraph { a -> b; a -> b }", "a -> b"),
    ("strict cycle", "strict digraph { a -> b; b -> a }", "a -> b -> a"),
    ("observed", 'digraph { a [observed="yes"]; a -> b }', "a -> b"),
]

REFUSED = [
    ("", "line 1: the text ends; expected 'digraph'"),
    ("digraf {}", "line 1: unexpected 'digraf'; expected 'digraph'"),
    ('"digraph" {}', "expected 'digraph'"),
    ("digraph a b {}", "line 1: unexpected 'b'; expected '{'"),
    ("digraph {\n a -> b\n", "line 3: the text ends; expected a statement or '}'"),
    ("digraph { a } b", "unexpected 'b'; expected the end of the text"),
    ("digraph {} }", "unexpected '}'; expected the end of the text"),
    ("graph {\n a -- b }", "line 2: edge a -- b is undirected"),
    ("digraph { a -- b }", "edge a -- b is undirected"),
    ("graph { a }", "line 1: a 'graph' is undirected; expected 'digraph'"),
    ("graph { a -> b }", "a 'graph' is undirected"),
    ("digraph { a -> b [dir=none] }", "edge a -> b is drawn without a head"),
    ("digraph { edge [dir=none] a -> b }", "edge a -> b is drawn without a head"),
    ("digraph { a -> b [arrowhead=none] }", "edge a -> b is drawn without a head"),
    ("digraph { a -> b [dir=sideways] }", "dir='sideways'; expected one of forward, back, both, none"),
    ("digraph { a -> b [dir=both arrowtail=odot] }", "edge a -> b ends in a circle (arrowtail=odot)"),
    ("digraph { a -> b [style=invis] }", "edge a -> b is invisible"),
    ("digraph { a -> b\n a -> b }", "line 2: edge a -> b is listed twice (first on line 1)"),
    ("digraph { a -> b; a -> b }", "listed twice (first on line 1)"),
    ("digraph { a -> b [dir=both]\n b -> a [dir=both] }", "line 2: edge b <-> a is listed twice"),
    ("strict digraph { a -> b;\na -> b [dir=both] }", "line 2: edge a <-> b has other heads before"),
    ("strict digraph {\n a -> a }", "line 2: edge a -> a is a self-loop"),
    ("digraph { <b> }", "unexpected '<b>'; expected a statement or '}' (an HTML string is no name"),
    ("digraph { a <- b }", "line 1: unexpected '<'"),
    ("digraph { a <- b -> c }", "DOT has no '<-'"),
    ("digraph { a → b }", "line 1: unexpected '→'"),
    ("digraph { a-b }", "line 1: unexpected '-'"),
    ("digraph { 1a }", "line 1: unexpected '1'"),
    ('digraph { a\n"b }', "line 2: unexpected '\"'"),
    ("digraph { /* a }", "line 1: unexpected '/'"),
    ("digraph { a -> }", "unexpected '}'; expected a name or a group after the arrow"),
    ("digraph { -> a }", "unexpected '->'; expected a statement"),
    ("digraph { a [b] }", "unexpected ']'; expected '=' after the attribute 'b'"),
    ("digraph { a [b=] }", "unexpected ']'; expected a value after '='"),
    ("digraph { a [b=c }", "unexpected '}'; expected an attribute or ']'"),
    ("digraph { a: }", "unexpected '}'; expected a port after ':'"),
    ('digraph { "a" + b }', "unexpected 'b'; expected a string in quotes after '+'"),
    ("digraph { {a b} [x=y] }", "unexpected '['; expected a statement"),
    ("digraph { node; }", "line 1: 'node' is a word of the language"),
    ("digraph { a -> Edge }", "'Edge' is a word of the language"),
    ("digraph { subgraph s {a} subgraph s {b} }", "subgraph 's' is opened twice"),
    ("digraph { subgraph s -> b }", "unexpected '->'; expected '{'"),
    ('digraph { "" }', "line 1: a name is empty"),
    ('digraph { a\n" a" }', "line 2: ' a' and 'a' are the same name after trimming and NFC"),
    ('digraph { "e\u0301" é }', "are the same name after trimming and NFC"),
    (f"digraph {{ {'x' * 300} }}", "line 1: "),
    ('digraph {\n U [observed="no"]; U -> X }', "line 2: node U is marked as hidden"),
    ("digraph { U [latent=true]; U -> X }", "node U is marked as hidden"),
    ("digraph { node [observed=no]; U -> X }", "a default marks nodes as hidden"),
    ("digraph { a -> b -> a; c -> d [dir=both] }", "a graph with a directed cycle"),
    ("digraph {" + "{" * 64 + "}" * 64 + "}", "groups are nested over 64 deep"),
]


@pytest.mark.parametrize(("text", "graph"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_read(text, graph):
    assert from_dot(text) == Graph.parse(graph)


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_refused(text, why):
    with pytest.raises(errors.GraphError, match=re.escape(why)):
        from_dot(text)


def test_nodes_keep_their_order():
    assert from_dot("digraph { b; a -> c; d }").nodes == ("b", "a", "c", "d")


def test_hidden_nodes_are_projected_on_request():
    text = "digraph { U [observed=no]; U -> X; U -> Y; X -> Y }"
    assert from_dot(text, project_latents=True) == Graph.parse("X -> Y, X <-> Y")


def test_groups_may_be_nested_to_the_limit():
    assert from_dot("digraph {" + "{" * 63 + "a" + "}" * 63 + "}") == Graph.parse("a")


def test_products_of_groups_are_bounded():
    edges = f"{{{' '.join(f'n{i}' for i in range(400))}}} -> {{a b c}}; " * 100
    with pytest.raises(errors.BudgetError, match="DOT line 1: more than 100,000 edges"):
        from_dot("strict digraph {" + edges + "}")


def test_nodes_are_bounded():
    with pytest.raises(errors.BudgetError, match="more than 10,000 nodes"):
        from_dot("digraph {" + " ".join(f"n{i}" for i in range(10_001)) + "}")


def test_written():
    graph = Graph.parse('U -> "a b", U <-> V, node')
    assert to_dot(graph) == (
        'digraph {\n    U;\n    "a b";\n    V;\n    "node";\n    U -> "a b";\n    U -> V [dir=both, style=dashed];\n}\n'
    )


@pytest.mark.parametrize("name", ["a\\", "a\\\\\\", 'a\\"b', "a\\\nb", "a\\\r\nb"])
def test_a_name_that_cannot_be_spelled_is_not_written(name):
    with pytest.raises(errors.GraphError, match="DOT cannot spell"):
        to_dot(Graph([name]))
