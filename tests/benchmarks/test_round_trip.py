"""Edges told and read back: the sentence of level 1, a reader's reply, and how faithful it is."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calverify as cv
from calverify.benchmarks import faithfulness, read_reply, reading_prompt, stated_edges, writing_prompt
from calverify.benchmarks._telling import edge_stated
from calverify.errors import RecordError
from tests.strategies import random_dag

GRAPH = cv.Graph.parse("PKC -> PKA, PKC -> Raf, PKA -> Raf")
NAMES = set(GRAPH.nodes)


@pytest.mark.parametrize("seed", range(30))
def test_level_1_is_read_back_exactly(seed):
    rng = Random(seed)
    graph = random_dag(rng, rng.randint(2, 9), 0.5)
    if graph.directed:
        text = edge_stated(graph.directed, graph.nodes, None, rng)
        assert stated_edges(text, graph.node_set) == frozenset(graph.directed)
        assert faithfulness(stated_edges(text, graph.node_set), graph) == 1


@pytest.mark.parametrize("text, why", [
    ("PKC drives PKA.", "'PKC drives PKA'"),
    ("PKC has a direct effect on Mek.", "about PKA, PKC, Raf"),
    ("PKC has a direct effect on PKA and.", "expected 'A has a direct effect on"),
    ("PKC has a direct effect on PKA. Fog.", "'Fog'"),
    ("", "''"),
])  # fmt: skip
def test_another_sentence_is_refused(text, why):
    with pytest.raises(RecordError, match=why):
        stated_edges(text, NAMES)


REPLIES = [
    ('[["PKC", "PKA"], ["PKC", "Raf"]]', {("PKC", "PKA"), ("PKC", "Raf")}),
    ('Here it is:\n```json\n[["PKC","PKA"]]\n```', {("PKC", "PKA")}),
    ('First [1], then [["PKA", " Raf "]] as asked.', {("PKA", "Raf")}),
    ("[]", set()),
    ('[["PKA", "Raf"], ["PKA", "Raf"]]', {("PKA", "Raf")}),
    ('[["PKC", "Mek"]]', None),
    ('[["PKC", "PKC"]]', None),
    ('[["PKC", "PKA", "Raf"]]', None),
    ("[[1, 2]]", None),
    ('["PKC", "PKA"]', None),
    ("no list", None),
    ("]]]][[[[", None),
    ("[" * 5000 + "]" * 5000, None),
    ("", None),
]


@pytest.mark.parametrize("reply, edges", REPLIES)
def test_a_reply_is_read_or_it_is_not(reply, edges):
    assert read_reply(reply, NAMES) == (None if edges is None else frozenset(edges))


@given(st.text(alphabet='[]",PKCARaf ', max_size=60))
def test_any_reply_is_read_or_it_is_not(reply):
    found = read_reply(reply, NAMES)
    assert found is None or all(tail in NAMES and head in NAMES and tail != head for tail, head in found)


@pytest.mark.parametrize("edges, measure", [
    ("PKC -> PKA, PKC -> Raf, PKA -> Raf", 1),
    ("PKC -> PKA, PKC -> Raf", Fraction(4, 5)),
    ("PKC -> PKA, PKC -> Raf, Raf -> PKA", Fraction(2, 3)),
    ("PKA -> PKC, PKC -> PKA", Fraction(2, 5)),
    ("Raf -> PKA", 0),
])  # fmt: skip
def test_faithfulness_is_f1_by_hand(edges, measure):
    assert faithfulness(frozenset(cv.Graph.parse(edges).directed), GRAPH) == measure


def test_the_writer_sees_the_graph_and_the_reader_only_the_text():
    writing, reading = writing_prompt("l2", GRAPH), reading_prompt("A text.", GRAPH.nodes)
    assert all(f"{tail} acts on {head}" in writing for tail, head in GRAPH.directed)
    assert "acts on" not in reading
    assert reading.startswith("A text.")
    assert "Variables: PKA, PKC, Raf" in reading
    assert writing_prompt("l3", GRAPH) != writing
