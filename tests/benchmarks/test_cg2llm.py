"""Mediators and interventions in networks: the words, the encodings, and the labels that were derived before."""

import json
from collections import Counter
from itertools import pairwise
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calverify as cv
from calverify.benchmarks import BENCHMARKS, DataFolder, Item, findings_of, tallies
from calverify.benchmarks._encodings import ENCODINGS
from calverify.benchmarks.cg2llm import KINDS, PER_WORD, busiest, direct_mediators, no_direct_mediators
from calverify.errors import CalverifyError
from calverify.evaluation import Grader
from tests.benchmarks.altered import write_lines
from tests.benchmarks.small_networks import put_network
from tests.oracles import criteria
from tests.strategies import random_dag

ENTRY = BENCHMARKS["cg2llm"]
ORACLES = {
    "mediator": lambda graph, x, m, y: criteria.direct_mediator(graph, x, m, y),
    "reachable": lambda graph, x, m, y: criteria.mediator(graph, x, m, y),
    "intervention": lambda graph, *targets: criteria.intervention(graph, *targets),
}
NETWORK = random_dag(Random("cg2llm"), 9, 0.35)

# ---------------------------------------------------------------- encodings: each read back by a reader of the tests


def sentences(text: str) -> set[tuple[str, str]]:
    found = (sentence.split(" causes ") for sentence in text.removesuffix(".").split(". ") if sentence)
    return {(tail, head) for tail, heads in found for head in heads.split(", ")}


def pairs(text: str) -> set[tuple[str, str]]:
    return {tuple(pair.strip("()").split(", ")) for pair in text.removesuffix(".").split(". ") if pair}


def from_json(text: str) -> set[tuple[str, str]]:
    return {(parent, child) for child, said in json.loads(text).items() for parent in said["parents"]}


def from_graphviz(text: str) -> set[tuple[str, str]]:
    lines = (line.strip().rstrip(";").replace('"', "") for line in text.splitlines() if "->" in line)
    return {tuple(line.split(" -> ")) for line in lines}


def from_graphml(text: str) -> set[tuple[str, str]]:
    edges = ElementTree.fromstring(text).iter("{http://graphml.graphdrawing.org/xmlns}edge")
    return {(edge.get("source"), edge.get("target")) for edge in edges}


READERS = {
    "prose": sentences, "json": from_json, "adjacency": pairs, "multinode": sentences, "graphviz": from_graphviz,
    "graphml": from_graphml,
}  # fmt: skip


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(seed=st.integers(0, 10**6), nodes=st.integers(2, 9))
def test_an_encoding_tells_every_edge_once_and_no_other(encoding, seed, nodes):
    graph = random_dag(Random(seed), nodes, 0.5)
    text = ENCODINGS[encoding](graph)
    assert READERS[encoding](text) == set(graph.directed)
    if encoding == "prose":
        assert text.count(" causes ") == len(graph.directed)


def test_the_encodings_of_a_small_graph():
    graph = cv.Graph.parse("A -> B, A -> C, B -> C")
    assert ENCODINGS["prose"](graph) == "A causes B. B causes C. A causes C."
    assert ENCODINGS["adjacency"](graph) == "(A, B). (A, C). (B, C)."
    assert ENCODINGS["multinode"](graph) == "A causes B, C. B causes C."
    assert json.loads(ENCODINGS["json"](graph))["C"] == {"parents": ["A", "B"]}


def test_names_that_xml_must_escape():
    graph = cv.Graph(["a<b", 'say "x"'], [("a<b", 'say "x"')])
    assert from_graphml(ENCODINGS["graphml"](graph)) == {("a<b", 'say "x"')}


# ---------------------------------------------------------------- items


def test_items_of_a_small_network(tmp_path):
    items = ENTRY.build(Random(0), put_network(tmp_path, "asia", NETWORK)).items
    counted = Counter((key.strata["slice"], key.strata["encoding"]) for _, key in items)
    assert set(counted) == {(kind, encoding) for kind in KINDS for encoding in ENCODINGS}
    for problem, key in items:
        assert key.graph == NETWORK
        oracle = ORACLES[key.strata["slice"]](NETWORK, *problem.query.targets)
        assert key.published == ("yes" if oracle else "no"), problem.id
        assert problem.graph is None
        assert problem.legend == NETWORK.nodes
        assert READERS[key.strata["encoding"]](problem.text.split("\n", 1)[1]) == set(NETWORK.directed)


def test_grading_is_on_the_hidden_network(tmp_path):
    for problem, key in ENTRY.build(Random(0), put_network(tmp_path, "asia", NETWORK), "json").items:
        other = {"yes": "no", "no": "yes"}[key.published]
        assert [Grader(problem, key)(word) for word in (key.published, other)] == [True, False]


def test_the_encodings_of_a_question_share_their_cluster(tmp_path):
    items = ENTRY.build(Random(0), put_network(tmp_path, "asia", NETWORK)).items
    assert set(Counter(key.cluster for _, key in items).values()) == {len(ENCODINGS)}


def test_the_same_seed_gives_the_same_items_and_another_gives_others(tmp_path):
    data = put_network(tmp_path, "asia", NETWORK)
    again, same, other = (ENTRY.build(Random(seed), data).items for seed in (0, 0, 1))
    assert again == same
    assert [item.problem.query for item in other] != [item.problem.query for item in same]


def test_a_problem_does_not_tell_its_word(tmp_path):
    """The place of a question in the corpus says nothing: the words are mixed."""
    items = ENTRY.build(Random(0), put_network(tmp_path, "asia", NETWORK), "json").items
    for kind in KINDS:
        words = [key.published for _, key in items if key.strata["slice"] == kind]
        assert sum(one != other for one, other in pairwise(words)) > 3
    for problem, key in items:
        assert set(problem.to_json()) == {"id", "text", "query", "graph", "legend", "graph_class"}
        assert problem.to_json()["graph"] is None
        assert key.published not in problem.id.split("-")


@pytest.mark.parametrize("seed", range(10))
def test_mediators_are_all_there(seed):
    graph = random_dag(Random(seed), 7, 0.4)
    yes, no = list(direct_mediators(graph)), no_direct_mediators(graph)
    triples = [(x, m, y) for x in graph.nodes for m in graph.nodes for y in graph.nodes if len({x, m, y}) == 3]
    assert set(yes) == {triple for triple in triples if criteria.direct_mediator(graph, *triple)}
    assert len(set(yes)) == len(yes)
    assert len(set(no)) == len(no)
    assert not any(criteria.direct_mediator(graph, *triple) for triple in no)


def test_the_busiest_node_is_the_first_of_several():
    assert busiest(cv.Graph.parse("A -> B, B -> C, D -> C, D -> E")) == "B"


# ---------------------------------------------------------------- labels

LABEL = {"graph": "asia", "task": "mediator", "source": "A", "candidate": "B", "target": "D", "label": "No"}


def labelled(tmp_path, *records) -> DataFolder:
    write_lines(tmp_path / "causalgraph2llm" / "labels_derived.jsonl", list(records))
    return put_network(tmp_path, "asia", cv.Graph.parse("A -> B -> C -> D"))


def test_the_two_definitions_of_a_mediator_are_told_apart(tmp_path):
    (found,) = findings_of(ENTRY, Random(0), labelled(tmp_path, LABEL))
    assert (found.agrees, found.recomputed) == (True, "No")
    assert found.why == "by directed paths it would be Yes: A -> B -> C -> D is a directed path"
    assert found.witness["walk"] == ["A", "B", "C", "D"]
    (wrong,) = findings_of(ENTRY, Random(0), labelled(tmp_path, {**LABEL, "label": "Yes"}))
    assert (wrong.agrees, wrong.recomputed, wrong.why) == (False, "No", "B -> D is not an edge of the graph")


def test_a_wrong_label_is_found(tmp_path):
    cut = {"graph": "asia", "task": "intervention", "do": "B", "source": "A", "target": "D", "label": "Yes"}
    (found,) = findings_of(ENTRY, Random(0), labelled(tmp_path, cut))
    assert (found.agrees, found.recomputed) == (False, "No")
    assert "D cannot be reached from A once edges into B are removed" in found.why


@pytest.mark.parametrize(
    "change, why", [({"graph": "x"}, "'x' is not in the folder"), ({"task": "x"}, "'x' is none of")]
)
def test_a_strange_label_is_refused(tmp_path, change, why):
    with pytest.raises(CalverifyError, match=rf"labels_derived\.jsonl, line 1: .*{why}"):
        list(findings_of(ENTRY, Random(0), labelled(tmp_path, {**LABEL, **change})))


# ---------------------------------------------------------------- the development networks


@pytest.fixture(scope="module")
def items(data_dir) -> tuple[Item, ...]:
    return ENTRY.build(Random(0), DataFolder(data_dir), "prose").items


def test_all_860_labels_by_single_edges_and_reachability(data_dir):
    counted = {each.slice: each for each in tallies(findings_of(ENTRY, Random(0), DataFolder(data_dir)))}
    assert sum(each.agree for each in counted.values()) == sum(each.keys for each in counted.values()) == 860
    assert counted["intervention"].agree == 449
    lines = (data_dir / "causalgraph2llm" / "labels_derived.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    told = counted["mediator, told apart by directed paths"].agree
    assert told == sum(record["label"] == "No" and record.get("directed_walk_exists", False) for record in records)


def test_the_node_of_an_intervention_is_the_busiest(items, data_dir):
    cut = [item for item in items if item.key.strata["slice"] == "intervention"]
    ours = {key.strata["network"]: problem.query.targets[0] for problem, key in cut}
    lines = (data_dir / "causalgraph2llm" / "labels_derived.jsonl").read_text("utf-8").splitlines()
    most = [record for record in map(json.loads, lines) if record.get("do_role") == "most"]
    assert ours == {record["graph"]: record["do"] for record in most}


def test_twenty_of_each_word_as_far_as_there_are(items):
    counted = Counter((key.strata["network"], key.strata["slice"], key.published) for _, key in items)
    assert max(counted.values()) == PER_WORD
    assert counted["hepar2", "mediator", "yes"] == counted["hepar2", "mediator", "no"] == PER_WORD
    assert counted["asia", "mediator", "yes"] == 7
    assert counted["child", "intervention", "yes"] == 14
