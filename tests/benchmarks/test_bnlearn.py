"""The paper's pairs in published networks, beside the rule written the slow way and the pairs derived before."""

from collections import Counter
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS, DataFolder, Item, findings_of
from calverify.benchmarks.bnlearn import MOST_NODES, PRINTED, confounded_pairs
from calverify.errors import CalverifyError, RecordError
from tests.benchmarks.small_networks import put_network
from tests.oracles import criteria
from tests.oracles.paths import subsets
from tests.strategies import random_dag

ENTRY = BENCHMARKS["bnlearn"]
SMALL = cv.Graph.parse("U -> X, U -> Y, X -> M, M -> Y, Y -> Z, W")


def slow_pairs(graph: cv.Graph, most: int) -> set[tuple[str, str]]:
    """The rule from definitions: paths enumerated, the empty set judged by brute force."""
    found = set()
    for x in graph.nodes:
        for y in graph.nodes:
            kept = {
                node for node in graph.nodes if {node} & {x, y} or any(criteria.reaches(graph, node, z) for z in (x, y))
            }
            if x != y and criteria.reaches(graph, x, y) and len(kept) <= most:
                if not criteria.backdoor(graph, x, y)(frozenset()):
                    found.add((x, y))
    return found


@pytest.mark.parametrize("seed", range(30))
def test_pairs_are_those_of_the_rule(seed):
    rng = Random(seed)
    graph, most = random_dag(rng, rng.randint(3, 7), rng.uniform(0.2, 0.6)), rng.randint(3, 7)
    assert {(x, y) for x, y, _ in confounded_pairs(graph, most)} == slow_pairs(graph, most)


def test_a_pair_becomes_a_problem_on_the_ancestors(tmp_path):
    built = ENTRY.build(Random(0), put_network(tmp_path, "alarm", SMALL))
    asked = {item.problem.query.targets: item.problem for item in built.items}
    assert list(asked) == [("X", "Y"), ("X", "Z"), ("M", "Y"), ("M", "Z")]
    assert asked["X", "Y"].graph == cv.Graph.parse("U -> X, U -> Y, X -> M, M -> Y")
    assert asked["X", "Z"].graph.node_set == SMALL.node_set - {"W"}
    assert {item.key.strata["slice"] for item in built.items} == {"alarm"}
    assert all(item.key.published is None and item.key.answer is None for item in built.items)


@pytest.mark.parametrize("seed", range(8))
def test_validity_in_the_problem_is_validity_in_the_network(seed, tmp_path):
    """For every set of nodes that the problem has."""
    network = random_dag(Random(seed), 7, 0.4)
    for problem, _ in ENTRY.build(Random(0), put_network(tmp_path, "alarm", network)).items:
        holds = criteria.backdoor(network, *problem.query.targets)
        for names in subsets(problem.graph.nodes):
            assert cv.check(problem.graph, problem.query, names).valid is holds(names), (problem.id, names)


def test_the_parents_of_the_treatment_always_do(tmp_path):
    for seed in range(20):
        for problem, _ in ENTRY.build(
            Random(0), put_network(tmp_path, "alarm", random_dag(Random(seed), 8, 0.4))
        ).items:
            parents = problem.graph.parents({problem.query.targets[0]})
            assert cv.check(problem.graph, problem.query, parents).valid


def test_other_networks_are_left_alone_and_damage_is_told(tmp_path):
    data = put_network(tmp_path, "asia", SMALL)  # one that the paper has no problems of
    assert ENTRY.build(Random(0), data).items == ()
    whole = (tmp_path / "bnlearn" / "asia.bif.gz").read_bytes()
    (tmp_path / "bnlearn" / "alarm.bif.gz").write_bytes(whole[:-9])
    with pytest.raises(RecordError, match=r"bnlearn/alarm\.bif\.gz: not a whole gzip file"):
        ENTRY.build(Random(0), data)
    (tmp_path / "bnlearn" / "alarm.bif.gz").write_bytes(b"network")
    with pytest.raises(CalverifyError, match=r"bnlearn/alarm\.bif\.gz: not a whole gzip file"):
        ENTRY.build(Random(0), data)


def test_a_wrong_network_is_found_by_the_audit(tmp_path):
    (found,) = findings_of(ENTRY, Random(0), put_network(tmp_path, "alarm", SMALL))
    assert (found.published, found.recomputed, found.agrees, found.why) == (17, 4, False, "the rule gives 4 pairs")


# ---------------------------------------------------------------- the development networks


@pytest.fixture(scope="module")
def items(data_dir) -> tuple[Item, ...]:
    return ENTRY.build(Random(0), DataFolder(data_dir)).items


def test_the_207_development_pairs_exactly(items, data_dir):
    lines = (data_dir / "bnlearn" / "pairs_derived.tsv").read_text("utf-8").splitlines()[1:]
    derived = {tuple(line.split("\t")) for line in lines}
    ours = {(key.strata["slice"], *problem.query.targets, key.strata["nodes"]) for problem, key in items}
    assert len(items) == len(ours) == len(lines) == 207
    assert ours == derived
    assert all(len(problem.graph.nodes) <= MOST_NODES for problem, _ in items)


def test_the_printed_numbers(items, data_dir):
    assert sum(PRINTED.values()) == 410
    assert all(finding.agrees for finding in findings_of(ENTRY, Random(0), DataFolder(data_dir)))
    counted = Counter(key.strata["slice"] for _, key in items)
    assert counted == {name: PRINTED[name] for name in counted}


def test_every_problem_has_an_answer_and_the_empty_set_is_none(items):
    for problem, _ in items:
        assert cv.check(problem.graph, problem.query, frozenset()).valid is False
        assert cv.check(problem.graph, problem.query, problem.graph.parents({problem.query.targets[0]})).valid is True
