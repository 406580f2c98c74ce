"""BIF: the structure of the bnlearn networks, and blocks that do not fit together."""

import gzip
import re

import pytest

from calverify import errors
from calverify.formats import from_bif
from calverify.graphs import Graph

A = "variable A { type discrete [ 2 ] { yes, no }; }\n"
B = "variable B { type discrete [ 3 ] { <5, 5-12, Asy/Patch }; }\n"
PA = "probability ( A ) { table 0.01, 0.99; }\n"
PB = "probability ( B | A ) {\n  (yes) 0.1, 0.9e-1, 0;\n  (no) 0.2, 0.8, 0;\n}\n"

READ = [
    ("two variables", "network unknown {\n}\n" + A + B + PA + PB, "A -> B"),
    ("any order", PB + PA + B + A, "A -> B"),
    ("nothing", "", ""),
    ("unnamed network", "network { } " + A + PA, "A"),
    ("quoted network", 'network "my net" { property "x {" ; } ' + A + PA, "A"),
    ("comments", "// network {\n/* variable Q { } */" + A + PA, "A"),
    ("properties", A.replace("}\n", 'property position = (73, 165) ; property "a } b" ; }') + PA, "A"),
    ("quoted names", 'variable "a b" { } ' + A + PA + 'probability ( "a b" | "A" ) { }', 'A -> "a b"'),
    ("three parents", "".join(f"variable {n} {{ }} " for n in "abcd")
     + "probability ( d | a, b,c ) { } probability(a){} probability(b){} probability(c){}", "a -> d, b -> d, c -> d"),
]  # fmt: skip

REFUSED = [
    ("nonsense", "line 1: unexpected 'nonsense'; expected 'network', 'variable' or 'probability'"),
    ("variable { }", "unexpected '{'; expected the name of a variable"),
    (A + PA + "probability ( A | B ) { }", "variable A has two probability blocks"),
    (A + "probability ( A | B ) { }", "line 2: the probability block of A names 'B', which has no variable block"),
    (PA, "line 1: the probability block of A names 'A', which has no variable block"),
    (A + B + PA, "line 2: variable B has no probability block"),
    (A + A, "line 2: variable A is declared twice"),
    (A + B + PA + "probability ( B, A ) { }", "unexpected ','; expected '|' or ')'"),
    (A + B + PA + "probability ( B | A A ) { }", "unexpected 'A'; expected ',' or ')'"),
    (A + B + PA + "probability ( B | ) { }", "unexpected ')'; expected the name of a parent"),
    (A + B + PA + "probability ( B | A, A ) { }", "edge A -> B is listed twice"),
    (A + "probability ( A | A ) { }", "edge A -> A is a self-loop"),
    (A + "probability ( A ) {", "line 2: the text ends; expected '}'"),
    (A + B + "probability ( A | B ) { } probability ( B | A ) { }", "directed cycle"),
    ('variable "A { }', "line 1: unexpected '\"'"),
]

NETWORKS = [
    ("alarm", 37, 46),
    ("asia", 8, 8),
    ("child", 20, 25),
    ("hepar2", 70, 123),
    ("mildew", 35, 46),
    ("water", 32, 66),
]


@pytest.mark.parametrize(("text", "graph"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_read(text, graph):
    assert from_bif(text) == Graph.parse(graph)


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_refused(text, why):
    with pytest.raises(errors.GraphError, match=re.escape(why)):
        from_bif(text)


@pytest.mark.parametrize(("name", "nodes", "edges"), NETWORKS, ids=[row[0] for row in NETWORKS])
def test_bnlearn(data_dir, name, nodes, edges):
    graph = from_bif(gzip.decompress((data_dir / "bnlearn" / f"{name}.bif.gz").read_bytes()).decode())
    assert (len(graph.nodes), len(graph.directed), graph.kind) == (nodes, edges, "dag")


def test_asia_edge_by_edge(data_dir):
    graph = from_bif(gzip.decompress((data_dir / "bnlearn" / "asia.bif.gz").read_bytes()).decode())
    assert graph == Graph.parse(
        "asia -> tub -> either -> xray, smoke -> lung -> either -> dysp, smoke -> bronc -> dysp"
    )
