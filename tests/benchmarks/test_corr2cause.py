"""Corr2Cause: premises to classes, labels by listing every dag another way, and what the audit finds."""

import json
from collections import Counter
from itertools import combinations
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS, DataFolder, findings_of, tallies
from calverify.benchmarks.corr2cause import class_member, read_hypothesis, read_premise
from calverify.errors import CalverifyError, RecordError
from calverify.scoring import checker_for
from calverify.tasks import faultless_trace
from tests.oracles.paths import Paths, subsets
from tests.oracles.relations import equivalent, every_dag, orientations
from tests.strategies import random_dag
from tests.tasks.test_equivalence_claim import meaning

ENTRY = BENCHMARKS["corr2cause"]
NAMES = "ABCDEF"


def told(names) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def independences(graph) -> frozenset:
    """By enumerated paths."""
    paths = Paths(graph)
    return frozenset(
        (frozenset({a, b}), given)
        for a, b in combinations(sorted(graph.nodes), 2)
        for given in subsets([name for name in sorted(graph.nodes) if name not in (a, b)])
        if paths.separated({a}, {b}, given)
    )


def premise_of(graph) -> str:
    """As the data set words it."""
    names, facts = sorted(graph.nodes), independences(graph)
    joined = [
        f"{a} correlates with {b}" for a, b in combinations(names, 2) if (frozenset({a, b}), frozenset()) not in facts
    ]
    free = []
    for a, b in combinations(names, 2):
        for given in sorted((given for pair, given in facts if pair == {a, b}), key=sorted):
            free.append(
                f"{a} and {b} are independent given {told(sorted(given))}" if given else f"{a} is independent of {b}"
            )
    if joined and free:
        free[0] = f"However, {free[0]}"
    listed = ". ".join([*joined, *free])
    count = len(names)
    return (
        f"Suppose there is a closed system of {count} variables, {told(names)}. All the statistical relations among "
        f"these {count} variables are as follows: {listed}."
    )


@pytest.mark.parametrize("seed", range(40))
def test_a_premise_gives_back_its_class(seed):
    rng = Random(seed)
    names = NAMES[: rng.randint(2, 5)]
    drawn = random_dag(rng, len(names), rng.choice((0.3, 0.6)))
    graph = cv.Graph(names, [tuple(names[drawn.nodes.index(end)] for end in edge) for edge in drawn.directed])
    premise = premise_of(graph)
    assert read_premise(premise) == (tuple(names), independences(graph))
    assert equivalent(class_member(premise), graph)


def test_six_variables():
    graph = cv.Graph.parse("A -> B, B -> C, D -> C, C -> E, E -> F, D -> F")
    assert equivalent(class_member(premise_of(graph)), graph)


REFUSED = [
    ("Suppose there are 2 variables.", "expected 'Suppose there is a closed system"),
    ("@3 variables, A and B. @3@ A correlates with B.", "names 2 variables"),
    ("@2 variables, A and A. @2@ A correlates with A.", "names 2 variables"),
    ("@2 variables, A and B. @2@ A correlates with C.", "about A and C"),
    ("@2 variables, A and B. @2@ A likes B.", "says 'A likes B'"),
    ("@2 variables, A and B. @2@ A correlates with B. A is independent of B.", "correlate and are independent"),
    ("@3 variables, A, B and C. @3@ A and B are independent given A.", "one name twice"),
    ("@3 variables, A, B and C. @3@ A and B are independent given C. B and C are independent given A.", "no directed"),
    ("@3 variables, A, B and C. @3@ A and B are independent given C. A is independent of B.", "no directed acyclic"),
]


@pytest.mark.parametrize("text, why", REFUSED)
def test_a_premise_that_cannot_be_is_refused(text, why):
    whole = text.replace("@3@", "All the statistical relations among these 3 variables are as follows:")
    whole = whole.replace("@2@", "All the statistical relations among these 2 variables are as follows:")
    with pytest.raises(RecordError, match=why):
        class_member(whole.replace("@", "Suppose there is a closed system of "))


@pytest.mark.parametrize("text, relation, names", [
    ("A directly causes B.", "parent", "AB"),
    ("B causes something else which causes A.", "indirect_cause", "BA"),
    ("E is a cause for C, but not a direct one.", "indirect_cause", "EC"),
    ("There exists at least one collider (i.e., common effect) of D and C.", "common_effect", "DC"),
    ("There exists at least one confounder (i.e., common cause) of A and C.", "common_cause", "AC"),
])  # fmt: skip
def test_a_hypothesis(text, relation, names):
    assert read_hypothesis(text) == (relation, tuple(names))


def folder(root, *records) -> DataFolder:
    (root / "corr2cause").mkdir(exist_ok=True)
    (root / "corr2cause/causalnli_3nodes.json").write_text(json.dumps(list(records)), encoding="utf-8")
    return DataFolder(root)


CHAIN = premise_of(cv.Graph.parse("A -> B -> C"))


def record(relation="neutral", hypothesis="A directly causes B.", **more) -> dict:
    ident = "num_nodes=3__mec_id=7__node_i=1__node_j=2__causal_relation=parent__prob=0.33"
    return {"premise": CHAIN, "hypothesis": hypothesis, "relation": relation, "id": ident, **more}


def test_a_wrong_label_is_told_with_a_counter_model(tmp_path):
    two, three = findings_of(ENTRY, Random(0), folder(tmp_path, record("entailment")))
    assert (two.agrees, two.published, two.recomputed) == (False, "entailed", "not entailed")
    assert two.witness["kind"] == "counter_member"
    counter = cv.Graph.from_json(two.witness["graph"])
    assert equivalent(counter, cv.Graph.parse("A -> B -> C"))
    assert ("A", "B") not in counter.directed
    assert (three.agrees, three.recomputed) == (False, "neutral")
    assert three.witness["members"] == 3
    assert ("A", "B") in cv.Graph.from_json(three.witness["holds_in"]).directed


def test_a_right_label_agrees(tmp_path):
    assert [found.agrees for found in findings_of(ENTRY, Random(0), folder(tmp_path, record()))] == [True, True]


@pytest.mark.parametrize("change, why", [
    ({"relation": "perhaps"}, "the relation 'perhaps'"),
    ({"id": "7"}, "the id '7'"),
    ({"hypothesis": "A likes B."}, "no known wording"),
    ({"hypothesis": "A directly causes Q."}, "'Q' is not in"),
    ({"premise": 3}, "'premise' must be of type str"),
    ({"premise": CHAIN.replace("independent", "happy")}, "expected a correlation"),
])  # fmt: skip
def test_a_damaged_record_is_told_with_its_place(tmp_path, change, why):
    with pytest.raises(CalverifyError, match=rf"causalnli_3nodes\.json, record 2: .*{why}"):
        list(findings_of(ENTRY, Random(0), folder(tmp_path, record(), {**record(), **change})))


def test_no_files(tmp_path):
    with pytest.raises(CalverifyError, match=r"cannot read .*causalnli_2nodes\.json"):
        ENTRY.build(Random(0), DataFolder(tmp_path))


# ---------------------------------------------------------------- the development part


@pytest.fixture(scope="module")
def data(data_dir) -> DataFolder:
    return DataFolder(data_dir)


@pytest.fixture(scope="module")
def items(data):
    return ENTRY.build(Random(0), data).items


@pytest.fixture(scope="module")
def audited(data):
    return list(findings_of(ENTRY, Random(0), data))


def test_2580_claims(items):
    assert Counter(item.key.strata["slice"] for item in items) == {
        "2 variables": 6, "3 variables": 54, "4 variables": 360, "5 variables": 2160,
    }  # fmt: skip
    assert Counter(item.key.published for item in items) == {"entailment": 131, "neutral": 1095, "contradiction": 1354}
    assert len({item.problem.id for item in items}) == 2580


def test_every_label_by_every_orientation(items, audited):
    """Up to 4 variables all dags with the premise's separations; at 5, the orientations that are equivalent."""
    ours = {found.problem: found.recomputed for found in audited if "three" in found.slice}
    small = {}
    for names in (tuple(NAMES[:size]) for size in (2, 3, 4)):
        small[len(names)] = [(dag, independences(cv.Graph(names, dag.directed))) for dag in every_dag(names)]
    classes: dict[str, list] = {}
    for item in items:
        graph, text = item.problem.graph, item.problem.text
        if text not in classes:
            if len(graph.nodes) < 5:
                facts = read_premise(text)[1]
                classes[text] = [set(dag.directed) for dag, said in small[len(graph.nodes)] if said == facts]
            else:
                classes[text] = [set(dag.directed) for dag in orientations(graph) if equivalent(dag, graph)]
        relation, (a, b) = item.key.strata["relation"], item.problem.query.targets
        held = [meaning(edges, relation, a, b) for edges in classes[text]]
        label = "entailment" if all(held) else "neutral" if any(held) else "contradiction"
        assert ours[item.problem.id] == label, item.problem.id


def test_what_the_audit_finds(audited):
    counted = {each.slice: (each.agree, each.disagree, each.open) for each in tallies(audited)}
    assert counted == {
        "2 variables": (6, 0, 0), "2 variables, three classes": (6, 0, 0),
        "3 variables": (54, 0, 0), "3 variables, three classes": (51, 3, 0),
        "4 variables": (356, 4, 0), "4 variables, three classes": (346, 14, 0),
        "5 variables": (2105, 55, 0), "5 variables, three classes": (1723, 437, 0),
    }  # fmt: skip
    two = [found for found in audited if not found.agrees and "three" not in found.slice]
    assert Counter(found.witness["kind"] for found in two) == {"every_member": 52, "counter_member": 7}


def test_every_counter_model_is_one(items, audited):
    problems = {item.problem.id: item for item in items}
    for found in audited:
        if found.agrees is False and found.recomputed == "not entailed":
            item = problems[found.problem]
            counter = cv.Graph.from_json(found.witness["graph"])
            assert independences(counter) == read_premise(item.problem.text)[1]
            assert not meaning(set(counter.directed), item.key.strata["relation"], *item.problem.query.targets)


def test_faultless_traces_score_six(items):
    for item in items[::40]:
        case = checker_for(item.problem).case
        assert cv.verify(item.problem, faultless_trace(case, next(case.task.solve(case)))).score == 6


def test_no_problem_depends_on_its_key(data_dir, tmp_path, items):
    (tmp_path / "corr2cause").mkdir()
    for path in (data_dir / "corr2cause").glob("*.json"):
        records = json.loads(path.read_text("utf-8"))
        turned = [{**one, "relation": "neutral", "id": one["id"].split("__prob")[0] + "__prob=0.50"} for one in records]
        (tmp_path / "corr2cause" / path.name).write_text(json.dumps(turned), encoding="utf-8")
    assert [item.problem for item in ENTRY.build(Random(0), DataFolder(tmp_path)).items] == [
        item.problem for item in items
    ]


def test_no_prompt_shows_an_edge(items):
    for item in items[::100]:
        assert "->" not in cv.prompt(item.problem)
        assert "neutral" not in cv.prompt(item.problem)
