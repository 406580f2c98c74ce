"""The JSON record and the line of text, as formats."""

import re

import pytest

from calverify import errors
from calverify.formats import read_graph, write_graph
from calverify.graphs import Graph

REFUSED = [
    ("", "JSON line 1"),
    ("{\n]", "JSON line 2"),
    ("[]", "a graph record must be an object, not '[]'"),
    ("{}", "needs a list 'nodes'"),
    ('{"nodes": [], "nodes": [], "directed": []}', "the JSON key 'nodes' stands twice"),
    ('{"nodes": NaN, "directed": []}', "JSON has no NaN"),
    ('{"nodes": ' + "9" * 5000 + "}", "JSON: "),
    ("[" * 100_000, "JSON line 1: nested over 64 levels deep"),
    ('{"nodes": [], "directed": [], "gold": 1}', "a graph record carries 'gold'"),
    ('{"nodes": "ab", "directed": []}', "needs a list 'nodes', not '\"ab\"'"),
    ('{"nodes": [1], "directed": []}', "'nodes' of a graph record holds '1'; expected a name"),
    ('{"nodes": ["a"], "directed": [5]}', "'directed' of a graph record holds '5'; expected a pair of names"),
    ('{"nodes": ["a"], "directed": [{"x": 1, "y": 2}]}', "expected a pair of names"),
    ('{"nodes": ["a"], "directed": ["ab"]}', "expected a pair of names"),
    ('{"nodes": ["a"], "directed": [["a"]]}', "expected a pair of names"),
    ('{"nodes": ["a"], "directed": [], "bidirected": 7}', "needs a list 'bidirected', not '7'"),
    ('{"nodes": ["a"], "directed": [], "bidirected": null}', "needs a list 'bidirected', not 'null'"),
    ('{"nodes": ["a"], "directed": [["a", "b"]]}', "names 'b', which is not among the nodes"),
    ('{"class": "dag", "nodes": ["a", "b"], "directed": [], "bidirected": [["a", "b"]]}', "declared dag"),
    ('{"class": [], "nodes": [], "directed": []}', "unknown graph class"),
]


@pytest.mark.parametrize(("text", "why"), REFUSED, ids=[row[1] for row in REFUSED])
def test_json_is_refused(text, why):
    with pytest.raises((errors.RecordError, errors.GraphError), match=re.escape(why)):
        read_graph(text, "json")


def test_json_is_bounded():
    names = ",".join(f'"n{i}"' for i in range(10_001))
    with pytest.raises(errors.BudgetError, match="10,001 nodes; expected at most 10,000"):
        read_graph(f'{{"nodes": [{names}], "directed": []}}', "json")


def test_json_brackets_in_strings_do_not_nest():
    name = "[" * 100
    assert read_graph(f'{{"nodes": ["{name}"], "directed": []}}', "json") == Graph([name])


def test_json_written():
    text = write_graph(Graph.parse("é -> b, b <-> c"), "json")
    assert text == '{"class": "admg", "nodes": ["é", "b", "c"], "directed": [["é", "b"]], "bidirected": [["b", "c"]]}'


@pytest.mark.parametrize("name", ['a"b', "a\nb"])
def test_text_refuses_a_name_that_it_cannot_spell(name):
    with pytest.raises(errors.GraphError, match="the text format cannot spell"):
        write_graph(Graph([name]), "text")
