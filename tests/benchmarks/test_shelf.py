"""What every benchmark of the shelf keeps to."""

from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import (
    BENCHMARKS,
    Benchmark,
    Corpus,
    DataFolder,
    Finding,
    Item,
    Origin,
    Subset,
    by_predicate,
    find_benchmark,
    findings_of,
    tallies,
)
from calverify.errors import CalverifyError
from calverify.keys import Key

GRAPH = cv.Graph.parse("U -> X, U -> Y, X -> Y")
ASK = cv.Query("backdoor", ("X", "Y"))


def item(number: int, published, level: str = "easy", **parts) -> Item:
    problem = cv.Problem(f"p{number}", ASK, parts.get("shown", GRAPH))
    strata = {"slice": f"s{number % 2}", "level": level}
    return Item(problem, Key(problem.id, published=published, graph=parts.get("hidden"), strata=strata))


def read(data: DataFolder, rng: Random) -> Corpus:
    return Corpus((item(0, ["U"]), item(1, [], "hard")))


@pytest.fixture
def words() -> Benchmark:
    home = Origin(folder="words", size="2", licence="CC0", home="https://example.org/words")
    return Benchmark("words", "?", reader=read, origin=home, subsets={"easy": Subset("half", {"level": "easy"})})


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_entry_says_what_it_is(name):
    entry = BENCHMARKS[name]
    assert entry.name == name
    assert entry.what
    assert (entry.generator is None) is not (entry.reader is None)
    assert (entry.origin is None) is (entry.reader is None)
    assert find_benchmark(name) == (entry, None)
    for part, subset in entry.subsets.items():
        assert subset.what
        assert find_benchmark(f"{name}:{part}") == (entry, part)


def test_an_adapter_without_data_says_where_to_get_it(words):
    with pytest.raises(
        CalverifyError, match=r"words is read from a folder of data: name it with --data .*example\.org"
    ):
        words.build(Random(0))


def test_a_part_holds_the_items_with_its_strata(words, tmp_path):
    data = DataFolder(tmp_path)
    assert [one.problem.id for one in words.build(Random(0), data).items] == ["p0", "p1"]
    assert [one.problem.id for one in words.build(Random(0), data, "easy").items] == ["p0"]


@pytest.mark.parametrize("name, why", [("nothing", "no benchmark 'nothing'"), ("miniature:core", "no part 'core'")])
def test_an_unknown_name_is_refused(name, why):
    with pytest.raises(CalverifyError, match=why):
        find_benchmark(name)


def test_keys_are_judged_by_the_predicate():
    right, wrong = by_predicate([item(0, ["U"]), item(1, [])])
    assert right == Finding("p0", "s0", ["U"], ["U"], True)
    assert (wrong.agrees, wrong.recomputed) == (False, ["U"])
    assert wrong.why == "{} leaves the path X <- U -> Y open once arrows out of X are cut"
    assert wrong.witness["kind"] == "active_path"


def test_without_a_graph_the_keys_graph_judges_and_without_both_nothing_does():
    hidden, neither = by_predicate([item(0, ["U"], shown=None, hidden=GRAPH), item(1, ["U"], shown=None)])
    assert hidden.agrees is True
    assert (neither.agrees, neither.why) == (None, "there is nothing to recompute it from")


def test_no_published_key_no_finding():
    assert list(by_predicate([item(0, None)])) == []


def test_findings_are_counted_by_slice(words, tmp_path):
    counted = tallies(findings_of(words, Random(0), DataFolder(tmp_path)))
    assert [(each.slice, each.keys, each.agree, each.disagree, each.open) for each in counted] == [
        ("s0", 1, 1, 0, 0),
        ("s1", 1, 0, 1, 0),
    ]


@pytest.mark.parametrize("name", [pytest.param("identification", marks=pytest.mark.property), "miniature"])
def test_every_published_key_of_a_generated_suite_holds(name):
    entry = BENCHMARKS[name]
    found = list(findings_of(entry, Random(f"{name} 0")))
    assert len(found) == len(entry.build(Random(f"{name} 0")).items)
    assert [finding for finding in found if not finding.agrees] == []
