"""Graphs as people type them: what is read, what is refused and where, and that writing reads back."""

import pytest

from calverify.errors import GraphError
from calverify.graphs import Graph

READ = [
    ("chain", "A -> B -> C", "A B C", "A>B B>C", ""),
    ("chain that turns", "A -> B <- C <-> D", "A B C D", "A>B C>B", "C-D"),
    ("arrows that point left keep the order of mention", "B <- A", "B A", "A>B", ""),
    ("lone names", "P, A -> B; Q\nR", "P A B Q R", "A>B", ""),
    ("no blanks", "A->B<-C<->D", "A B C D", "A>B C>B", "C-D"),
    ("blanks of every kind", "\t A  ->\tB \r\n C->A", "A B C", "A>B C>A", ""),
    ("empty", "", "", "", ""),
    ("nothing but separators", " ,;\n,, ", "", "", ""),
    ("separators in a row", "A -> B,,;\n\nC", "A B C", "A>B", ""),
    ("unicode arrows", "A → B ← C ↔ D ⟶ E ⟵ F ⟷ G", "A B C D E F G", "A>B C>B D>E F>E", "C-D F-G"),
    ("unicode arrows without blanks", "é→B", "é B", "é>B", ""),
    ("names with dashes inside", "a-b->c-d", "a-b c-d", "a-b>c-d", ""),
    ("names with digits, dots, underscores", "V1 -> x_2.b", "V1 x_2.b", "V1>x_2.b", ""),
    ("a name may recur", "A -> B, A -> C, A", "A B C", "A>B A>C", ""),
    ("bow", "A -> B, A <-> B", "A B", "A>B", "A-B"),
]


@pytest.mark.parametrize("text, nodes, directed, arcs", [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_read(text, nodes, directed, arcs):
    graph = Graph.parse(text)
    assert graph.nodes == tuple(nodes.split())
    assert graph.directed == tuple(tuple(edge.split(">")) for edge in directed.split())
    assert graph.bidirected == tuple(tuple(arc.split("-")) for arc in arcs.split())


QUOTED = [
    ('"two words" -> B', ("two words", "B")),
    ('"a, b" <-> "c -> d"', ("a, b", "c -> d")),
    ('"A"->"B"', ("A", "B")),
    ('"<->" -> ";"', ("<->", ";")),
    ('" A " -> B', ("A", "B")),
]


@pytest.mark.parametrize("text, nodes", QUOTED)
def test_quotes_protect_a_name(text, nodes):
    assert Graph.parse(text).nodes == nodes


SAME_NAME = [
    ("two spellings of é", "e\u0301 -> B, \u00e9 -> C", "\u00e9 -> B, \u00e9 -> C"),
    ("blanks inside quotes", '" A " -> B, A -> C', "A -> B, A -> C"),
    ("quoted and plain", '"A" -> B, A -> C', "A -> B, A -> C"),
]


@pytest.mark.parametrize("text, same", [row[1:] for row in SAME_NAME], ids=[row[0] for row in SAME_NAME])
def test_two_spellings_of_one_name_are_one_node(text, same):
    """Names bind after NFC and trimming, inside a text too."""
    assert Graph.parse(text) == Graph.parse(same)


REFUSED = [
    ("arrow first", "-> A", "expected a name before -> at character 1"),
    ("arrow last", "A ->", "arrow -> at the end of a chain: expected a name at character 5"),
    ("arrow before a comma", "A -> , B", "arrow -> at the end of a chain: expected a name at character 6"),
    ("arrow after a comma", "A, <- B", "expected a name before <- at character 4"),
    ("two arrows", "A -> <- B", "expected a name before <- at character 6"),
    ("two names", "A B", "expected an arrow or a comma between 'A' and 'B' at character 3"),
    ("name glued to quotes", 'A"B"', "expected an arrow or a comma between 'A' and 'B' at character 2"),
    ("open quote", '"A -> B', "unexpected '\"' at character 1"),
    ("empty quotes", '"" -> B', "unexpected '\"' at character 1"),
    ("blank quotes", '" " -> B', "a name is empty"),
    ("undirected edge to nowhere", "A --", "arrow -- at the end of a chain"),
    ("undirected edge from nowhere", "-- A", "expected a name before -- at character 1"),
    (
        "undirected edge beside an arrow",
        "A -- B, B -> C",
        "the undirected edge A -- B stands among edges of other types",
    ),
    ("undirected edge beside an arc", "A <-> B -- C", "the undirected edge B -- C stands among edges of other types"),
    ("long arrow", "A --> B", "unexpected '--' at character 3"),
    ("dash at the end of a name", "A- -> B", "unexpected 'A-' at character 1"),
    ("lone dash", "A - B", "unexpected '-' at character 3"),
    ("circle mark", "A o-> B", "expected an arrow or a comma between 'A' and 'o' at character 3"),
    ("fat arrow", "A => B", "unexpected '>'"),
    ("lone angle", "A > B", "unexpected '>' at character 3"),
    ("lone angle, left", "A < B", "unexpected '<' at character 3"),
    ("no-break space", "A\u00a0-> B", "unexpected '\\xa0' at character 2"),
    ("self-loop", "A -> A", "edge A -> A is a self-loop"),
    ("self-loop in a chain", "A -> B <-> B", "edge B <-> B is a self-loop"),
    ("edge twice", "A -> B, B <- A", "edge A -> B is listed twice"),
    ("arc twice", "A <-> B <-> A", "edge A <-> B is listed twice"),
]


@pytest.mark.parametrize("text, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused_naming_the_place(text, why):
    with pytest.raises(GraphError) as refused:
        Graph.parse(text)
    assert why in str(refused.value)


WRITTEN = [
    ("A -> B -> C", "A -> B, B -> C"),
    ("P, A <-> B, B <- C", "C -> B, A <-> B, P"),
    ('"a b" -> C', '"a b" -> C'),
    ('"A" -> "B"', "A -> B"),
    ("", ""),
]


@pytest.mark.parametrize("text, written", WRITTEN)
def test_written(text, written):
    assert str(Graph.parse(text)) == written


AWKWARD = [
    "two words",
    "a,b",
    "a;b",
    "a->b",
    "x-",
    "-x",
    "-",
    "a--b",
    "<",
    ">",
    "é",
    "→",
    "a\u00a0b",
    "a\rb",
    "'",
    "\\",
    ".",
]
UNWRITABLE = ['a"b', '"', "a\nb"]


@pytest.mark.parametrize("name", AWKWARD + UNWRITABLE)
def test_whatever_can_be_a_name_can_be_written(name):
    """`str` promises a text that `Graph.parse` reads back: such a name is written so, or refused when it is given."""
    try:
        graph = Graph([name, "B", "C"], [(name, "B")], [("C", name)])
    except GraphError:
        assert name in UNWRITABLE
        return
    assert Graph.parse(str(graph)) == graph


@pytest.mark.parametrize("text", ['"' * 50_000, "A->" * 50_000, "<" * 50_000, "-" * 50_000, "A " * 50_000])
def test_hostile_text_is_refused_at_once(text):
    with pytest.raises(GraphError):
        Graph.parse(text)
