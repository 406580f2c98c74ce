"""Published networks in words at level 1: the paper's counts, the round trip, and the source graph in the key alone."""

from collections import Counter
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS, DataFolder, stated_edges
from calverify.tasks import faultless_trace
from tests.benchmarks.digests import digest
from tests.benchmarks.small_networks import put_network
from tests.oracles import criteria

ENTRY = BENCHMARKS["prose"]
SMALL = cv.Graph.parse("U -> X, U -> Y, X -> M, M -> Y, Y -> Z, W")


def test_a_pair_is_told_and_read_back(tmp_path):
    items = ENTRY.build(Random(0), put_network(tmp_path, "alarm", SMALL)).items
    assert [item.problem.query.targets for item in items] == [("X", "Y"), ("X", "Z"), ("M", "Y"), ("M", "Z")]
    for problem, key in items:
        assert problem.graph is None
        assert set(problem.legend) == set(key.graph.nodes)
        assert stated_edges(problem.text, problem.legend) == set(key.graph.directed)
        assert key.strata["edge_f1"] == "1"
        assert key.cluster == problem.id.removesuffix("-l1")


def test_at_most_20_of_a_network_and_at_most_10_nodes(tmp_path):
    names = [f"V{n}" for n in range(9)]
    wide = cv.Graph([*names, "L0", "L1", "L2"], [(a, b) for at, a in enumerate(names) for b in names[at + 1 :]]
                    + [("V8", "L0"), ("L0", "L1"), ("L1", "L2"), ("V0", "L2")])  # fmt: skip
    built = ENTRY.build(Random(0), put_network(tmp_path, "sachs", wide))
    assert len(built.items) == 20
    assert sum(built.dropped.values()) > 0
    assert all(len(item.key.graph.nodes) <= 10 for item in built.items)


def test_a_faultless_trace_on_the_source_graph_scores_six(tmp_path):
    for item in ENTRY.build(Random(0), put_network(tmp_path, "alarm", SMALL)).items:
        case = cv.find_task("backdoor").case(item.key.graph, item.problem.query)
        assert cv.verify(item.problem, faultless_trace(case, case.task.cheapest(case))).score == 6


# ---------------------------------------------------------------- the development networks

PAPER = {"win95pts": 16, "mildew": 5, "alarm": 7, "barley": 15, "hepar2": 20, "insurance": 20, "water": 16, "child": 20,
         "sachs": 13}  # fmt: skip


@pytest.fixture(scope="module")
def corpus(data_dir):
    return ENTRY.build(Random("prose 0"), DataFolder(data_dir))


def test_each_network_has_as_many_as_the_derived_suite(corpus):
    counted = Counter(item.key.strata["slice"] for item in corpus.items)
    assert sum(PAPER.values()) == 132
    assert counted
    assert counted == {name: PAPER[name] for name in counted}


def test_the_same_seed_gives_the_same_bytes(corpus):
    assert digest(corpus) == "4383f688ceb88697"


def test_every_text_is_read_back_and_every_problem_confounded(corpus):
    for problem, key in corpus.items:
        found = {}
        for sentence in problem.text.removesuffix(".").split(". "):
            cause, effects = sentence.split(" has a direct effect on ")
            found[cause] = set(effects.replace(" and ", ", ").split(", "))
        assert {(tail, head) for tail, heads in found.items() for head in heads} == set(key.graph.directed)
        valid = criteria.backdoor(key.graph, *problem.query.targets)
        assert not valid(frozenset())
        assert valid(frozenset(key.graph.parents({problem.query.targets[0]})))
        assert "directed" not in str(problem.to_json())
