"""The texts to build graphs from: motifs, minimal sets, traps; every edge is told, and no other, by another reader."""

import re
from collections import Counter, defaultdict
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS
from calverify.benchmarks._domains import DOMAINS
from calverify.benchmarks.construction import MOTIFS, TWO_SETS
from calverify.tasks import faultless_trace
from tests.benchmarks.digests import digest
from tests.oracles import criteria

LEVELS = ("l1", "l2", "l3")


@pytest.fixture(scope="module")
def corpus():
    return BENCHMARKS["construction"].build(Random("construction 0"))


def valid_sets(item):
    graph, (x, y) = item.key.graph, item.problem.query.targets
    others = [name for name in graph.nodes if name not in (x, y)]
    return criteria.members(criteria.backdoor(graph, x, y), others)


def test_the_same_seed_gives_the_same_bytes_and_another_gives_others(corpus):
    assert digest(corpus) == "c78fafe695143dd7"
    assert digest(BENCHMARKS["construction"].build(Random("construction 1"))) != digest(corpus)


def test_80_graphs_of_eight_motifs_in_ten_domains_at_three_levels(corpus):
    told = [item for item in corpus.items if item.key.strata["level"] in LEVELS]
    assert len(told) == 240
    assert len(MOTIFS) == 8
    assert len(DOMAINS) == 10
    cells = Counter(tuple(item.key.strata[name] for name in ("slice", "domain", "level")) for item in told)
    assert len(cells) == 240
    clusters = defaultdict(set)
    for item in told:
        clusters[item.key.cluster].add(item.key.graph)
    assert len(clusters) == 80
    assert all(len(graphs) == 1 for graphs in clusters.values())
    assert len({item.key.graph for item in told}) == 80


def test_every_graph_is_confounded_and_has_a_trap(corpus):
    for item in corpus.items:
        graph, (x, y) = item.key.graph, item.problem.query.targets
        sets = valid_sets(item)
        assert sets
        assert frozenset() not in sets
        traps = [name for name in graph.nodes if name not in (x, y) and criteria.reaches(graph, x, name)]
        assert traps, item.problem.id
        assert not any(trap in names for trap in traps for names in sets)


def test_30_graphs_have_two_minimal_sets_or_more(corpus):
    counts = {item.key.cluster: (item.key.strata["slice"], len(criteria.minimal(valid_sets(item))))
              for item in corpus.items if item.key.strata["level"] in LEVELS}  # fmt: skip
    assert sum(count >= 2 for _, count in counts.values()) == 30
    assert all((count >= 2) == (motif in TWO_SETS) for motif, count in counts.values())


def test_a_collider_trap_opens_a_path(corpus):
    for item in corpus.items:
        if item.key.strata["slice"] == "collider_trap":
            (x, y), sets = item.problem.query.targets, valid_sets(item)
            opens = [names | {c} for names in criteria.minimal(sets) for c in item.key.graph.nodes if c not in names]
            traps = item.key.graph.strict_descendants({x})
            assert any(names not in sets and not names & traps and not names & {x, y} for names in opens)


# ---------------------------------------------------------------- what the texts say, read by patterns of their own

NAME = r"([\w' ]+?)"
TOLD = [
    (rf"^part of what sets {NAME} is {NAME}$", "ba"),
    (rf"^a shift in {NAME} brings a shift in {NAME}$", "ab"),
    (rf"^{NAME} responded to changes in {NAME}$", "ba"),
    (rf"^{NAME} fed straight into {NAME}$", "ab"),
    (rf"^a change in {NAME} is passed on to {NAME} with nothing in between$", "ab"),
    (rf"^{NAME} left its own mark on {NAME}$", "ab"),
    (rf"^people there swore that {NAME} moved because of {NAME}$", "ba"),
    (rf"^again and again it was {NAME} that pushed {NAME} one way or the other$", "ab"),
    (rf"^{NAME} kept nudging {NAME}$", "ab"),
    (rf"^nobody doubted that {NAME} had a hand in {NAME}$", "ab"),
    (rf"^whatever happened to {NAME} soon showed in {NAME}$", "ab"),
    (rf"^{NAME} bent to {NAME}$", "ba"),
]


def edges_told(text: str, level: str) -> tuple[set, int]:
    """The edges of a text, and how many clauses tell of none."""
    edges, silent = set(), 0
    for sentence in text.removesuffix(".").split(". "):
        if level == "l1":
            cause, effects = sentence.split(" has a direct effect on ")
            edges |= {(cause, effect) for effect in re.split(r", | and ", effects)}
            continue
        for clause in sentence.split(", and ") if level == "l3" else [sentence]:
            found = [(match.groups(), order) for pattern, order in TOLD if (match := re.match(pattern, clause.lower()))]
            silent += not found
            edges |= {pair if order == "ab" else pair[::-1] for pair, order in found}
    return edges, silent


def test_every_level_tells_every_edge_and_no_other(corpus):
    for item in corpus.items:
        level = item.key.strata["level"]
        if level in LEVELS:
            edges, silent = edges_told(item.problem.text, level)
            assert edges == set(item.key.graph.directed), item.problem.text
            assert silent == (5 if level == "l3" else 0)  # the scene, two asides of the domain and two of its variables


def test_level_2_and_3_list_no_edges(corpus):
    for item in corpus.items:
        if item.key.strata["level"] != "l1":
            assert "direct effect" not in item.problem.text
            assert "->" not in item.problem.text


def test_clauses_come_in_another_order_than_the_edges(corpus):
    shuffled = 0
    for item in corpus.items:
        if item.key.strata["level"] == "l2":
            told = [edges_told(sentence, "l2")[0] for sentence in item.problem.text.split(". ")]
            shuffled += [next(iter(edge)) for edge in told] != sorted(item.key.graph.directed)
    assert shuffled > 70


# ---------------------------------------------------------------- the hand-written ones


def test_twelve_narratives_name_every_variable(corpus):
    stress = [item for item in corpus.items if item.key.strata["level"] == "stress"]
    assert len(stress) == 12
    for item in stress:
        text = item.problem.text.lower()
        assert len(item.key.graph.nodes) >= 5
        assert len(text.split()) >= 60
        for name in item.key.graph.nodes:
            assert any(word[:4] in text for word in name.split()), (item.problem.id, name)
    several = [item for item in stress if len(criteria.minimal(valid_sets(item))) >= 2]
    assert len(several) == 8


# ---------------------------------------------------------------- problems and keys


def test_no_problem_shows_the_key(corpus):
    for item in corpus.items:
        problem = item.problem
        assert problem.graph is None
        assert problem.graph_class == "dag"
        assert set(problem.legend) == set(item.key.graph.nodes)
        record = str(problem.to_json())
        assert str(item.key.published) not in record
        assert item.key.strata["slice"] == "stress" or item.key.strata["slice"] not in record


def test_a_faultless_trace_on_the_source_graph_scores_six(corpus):
    for item in corpus.items:
        case = cv.find_task("backdoor").case(item.key.graph, item.problem.query)
        assert cv.verify(item.problem, faultless_trace(case, frozenset(item.key.published))).score == 6
