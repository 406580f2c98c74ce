"""CLadder: each kind of question as a task's, every number by enumeration, its answer rule, and its wrong keys."""

import json
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS, DataFolder, findings_of, tallies
from calverify.benchmarks.cladder import QUERIES, released_word, rows
from calverify.errors import CalverifyError
from calverify.sampling import SimulatedPolicy
from calverify.scoring import checker_for
from calverify.tasks import faultless_trace
from tests.oracles import worlds
from tests.recheck.brute_effects import world_of

ENTRY = BENCHMARKS["cladder"]
ARROWHEAD = {"p(X)": 0.4, "p(V2)": 0.7, "p(V3 | X, V2)": [[0.2, 0.9], [0.6, 0.1]],
             "p(Y | X, V2, V3)": [[[0.1, 0.8], [0.7, 0.2]], [[0.9, 0.3], [0.5, 0.6]]]}  # fmt: skip
FORK = {"p(X)": 0.4, "p(V2)": 0.7, "p(Y | X, V2)": [[0.2, 0.9], [0.6, 0.1]]}
CERTAIN = {"p(X)": 0.5, "p(V2 | X)": [0, 1], "p(Y | X, V2)": [[0, 1], [1, 1]]}
COLLISION = {"p(X)": [0.4], "p(Y)": [0.7], "p(V3 | X, Y)": [[0.2, 0.9], [0.6, 0.1]]}
STRUCTURES = {
    0: ("arrowhead", "X->V3,V2->V3,X->Y,V2->Y,V3->Y", ARROWHEAD), 1: ("fork", "X->Y,V2->Y", FORK),
    2: ("mediation", "X->V2,X->Y,V2->Y", CERTAIN), 3: ("collision", "X->V3,Y->V3", COLLISION),
}  # fmt: skip


def model(number: int) -> dict:
    graph, structure, params = STRUCTURES[number]
    return {"model_id": number, "graph_id": graph, "structure": structure, "params": params,
            "background": "Imagine a world.", "variable_mapping": {"Xname": "rain", "Yname": "mud"}}  # fmt: skip


def question(number: int, kind: str, answer: str, **meta) -> dict:
    graph = STRUCTURES.get(number, STRUCTURES[0])[0]
    meta = {"model_id": number, "graph_id": graph, "query_type": kind, "treatment": "X", "outcome": "Y",
            "groundtruth": 0.0, **meta}  # fmt: skip
    return {"question_id": 1, "given_info": "Some numbers.", "question": "Is it so?", "answer": answer, "meta": meta}


def folder(root, *questions: dict, models=range(4)) -> DataFolder:
    """A folder with one question a file, as far as there are questions, and these models."""
    (root / "cladder").mkdir(parents=True)
    for at, variant in enumerate(("anti", "det", "easy", "hard", "non")):
        text = json.dumps(list(questions[at : at + 1]))
        (root / f"cladder/test-generate-{variant}.json").write_text(text, encoding="utf-8")
    (root / "cladder/test-model-meta.json").write_text(json.dumps([model(at) for at in models]), encoding="utf-8")
    return DataFolder(root)


ASKED = [
    ("ate", {"polarity": True}, 0, "ate", ("X", "Y"), (), (), "1/200"),
    ("ate", {"polarity": False}, 0, "ate", ("X", "Y"), (), (("Y", "0"),), "1/200"),
    ("ett", {"polarity": True}, 0, "ett", ("X", "Y"), (), (("Y", "0"),), "1/200"),
    ("ett", {"polarity": False}, 0, "ett", ("X", "Y"), (), (), "1/200"),
    ("nde", {"polarity": True}, 0, "natural_direct", ("X", "Y"), (), (), "1/200"),
    ("nie", {"polarity": False}, 0, "natural_indirect", ("X", "Y"), (), (("Y", "0"),), "1/200"),
    ("correlation", {"polarity": True}, 0, "correlation", ("X", "Y"), (), (), "1/200"),
    ("marginal", {"polarity": False}, 0, "probability", ("Y",), (), (("Y", "0"),), "1/2"),
    ("exp_away", {"polarity": True, "collider": "V3"}, 3, "explaining_away", ("X", "Y"), ("V3",), (), None),
    ("collider_bias", {"polarity": False}, 3, "intervention", ("X", "Y"), (), (), None),
    ("backadj", {"given_info": [["V2"], []]}, 1, "backdoor", ("X", "Y"), (), (), None),
    ("det-counterfactual", {"formal_form": "Y_{X=0} = 1 | V2=1"}, 2, "counterfactual", ("X", "Y"), ("V2",),
     (("X", "0"), ("Y", "1"), ("V2", "1")), None),
]  # fmt: skip


@pytest.mark.parametrize("kind, meta, number, task, targets, given, formula, threshold", ASKED)
def test_a_question_as_its_task_asks_it(tmp_path, kind, meta, number, task, targets, given, formula, threshold):
    (item,) = ENTRY.build(Random(0), folder(tmp_path, question(number, kind, "yes", **meta))).items
    query = item.problem.query
    assert (query.task, query.targets, query.given, query.formula) == (task, targets, given, formula)
    assert query.threshold == (None if threshold is None else Fraction(threshold))
    assert query.options == (("{V2}", "{}") if kind == "backadj" else ())
    assert item.problem.text.startswith("Imagine a world.\nLet X = rain")
    assert ("Is it so?" in item.problem.text) == (kind not in ("backadj", "collider_bias"))
    assert item.key.published == "yes"


def test_parents_that_are_not_independent_are_told(tmp_path):
    """By hand: P(Y=1 | X=1) - P(Y=1 | X=0) with V2 and V3 joined, and as if they were not."""
    right, careless = Fraction(0), Fraction(0)
    for x, sign in ((1, 1), (0, -1)):
        v3_one = [Fraction(str(ARROWHEAD["p(V3 | X, V2)"][x][v2])) for v2 in (0, 1)]
        mixed = Fraction("0.3") * v3_one[0] + Fraction("0.7") * v3_one[1]
        for v2, share in ((0, Fraction("0.3")), (1, Fraction("0.7"))):
            for v3 in (0, 1):
                y = Fraction(str(ARROWHEAD["p(Y | X, V2, V3)"][x][v2][v3]))
                right += sign * share * (v3_one[v2] if v3 else 1 - v3_one[v2]) * y
                careless += sign * share * (mixed if v3 else 1 - mixed) * y
    row = question(0, "ate", "yes" if careless > 0 else "no", groundtruth=float(careless), polarity=True)
    word, number = findings_of(ENTRY, Random(0), folder(tmp_path, row))
    assert (number.slice, number.published, number.recomputed) == ("ate, number", float(careless), float(right))
    assert number.agrees is False
    assert "not independent" in number.why
    assert number.witness["params"] == ARROWHEAD
    assert word.agrees is ((right > Fraction("0.005")) == (careless > 0))


def test_two_valid_methods_are_a_tie(tmp_path):
    (found,) = findings_of(ENTRY, Random(0), folder(tmp_path, question(1, "backadj", "no", given_info=[["V2"], []])))
    assert (found.agrees, found.recomputed) == (None, "yes or no")
    assert "both methods are valid" in found.why


def test_a_tie_can_still_be_got_wrong(tmp_path):
    """By an option that is not there: a simulated policy needs a wrong answer to give."""
    (item,) = ENTRY.build(Random(0), folder(tmp_path, question(1, "backadj", "no", given_info=[["V2"], []]))).items
    kinds = SimulatedPolicy().kinds(item.problem)
    assert {kind.answer for kind in kinds if not kind.right} >= {"an option that is not there"}
    assert sum(kind.mass for kind in kinds) == 1


def test_a_wrong_word_is_found(tmp_path):
    wrong = question(2, "det-counterfactual", "yes", formal_form="Y_{X=0} = 1 | ", groundtruth=1)
    (found,) = findings_of(ENTRY, Random(0), folder(tmp_path, wrong))
    assert (found.agrees, found.recomputed) == (False, "no")
    assert (
        found.why
        == "had X been 0, Y would be 0, in every world with what is seen; the key follows the released number 1"
    )


REFUSED = [
    (question(9, "ate", "yes"), r"anti\.json, record 1: its model 9 is not in"),
    (question(0, "tea", "yes"), r"record 1: the query_type 'tea'; expected one of ate"),
    (question(0, "ate", "perhaps"), r"record 1: the answer 'perhaps'; expected yes or no"),
    (question(0, "ate", "yes", outcome="Q"), r"record 1: .*'Q'"),
    (question(2, "det-counterfactual", "yes", formal_form="Y would be 1"), r"record 1: the formal_form 'Y would be 1'"),
    ({"question_id": 1}, r"record 1: there is no field 'meta'"),
    ({**question(0, "ate", "yes"), "answer": 1}, r"record 1: 'answer' must be of type str"),
]


@pytest.mark.parametrize("record, why", REFUSED, ids=[row[1][-20:] for row in REFUSED])
def test_a_damaged_record_is_told_with_its_place(tmp_path, record, why):
    with pytest.raises(CalverifyError, match=why):
        ENTRY.build(Random(0), folder(tmp_path, record))


def test_a_damaged_model_and_a_torn_file_are_told(tmp_path):
    data = folder(tmp_path, question(0, "ate", "yes"))
    path = tmp_path / "cladder/test-model-meta.json"
    broken = {**model(0), "structure": "X->Y"}
    path.write_text(json.dumps([broken]), encoding="utf-8")
    with pytest.raises(CalverifyError, match=r"test-model-meta\.json, record 1: .*its structure says"):
        ENTRY.build(Random(0), data)
    path.write_text("[{", encoding="utf-8")
    with pytest.raises(CalverifyError, match=r"test-model-meta\.json: not JSON"):
        ENTRY.build(Random(0), data)


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


def test_2284_questions_of_ten_kinds(items):
    assert Counter(item.key.strata["slice"] for item in items) == {
        "ate": 318, "backadj": 352, "collider_bias": 34, "correlation": 352, "det-counterfactual": 296, "ett": 272,
        "exp_away": 34, "marginal": 352, "nde": 92, "nie": 182,
    }  # fmt: skip
    assert len({item.problem.id for item in items}) == 2284


def test_the_answer_rule_gives_every_published_word(data):
    """From the released numbers, wrong ones too."""
    assert [row.ident for row in rows(data) if released_word(row) != row.record["answer"]] == []


def test_the_documented_errors_are_found_and_no_others(audited, items):
    structure = {item.problem.id: item.key.strata["structure"] for item in items}
    wrong = Counter((each.slice, structure[each.problem]) for each in audited if each.agrees is False)
    numbers = {place: count for place, count in wrong.items() if "number" in place[0]}
    assert numbers == {
        ("marginal, number", "IV"): 46, ("marginal, number", "arrowhead"): 46, ("marginal, number", "mediation"): 46,
        ("marginal, number", "confounding"): 34, ("marginal, number", "diamond"): 34,
        ("marginal, number", "diamondcut"): 22, ("marginal, number", "frontdoor"): 22,
        ("ate, number", "arrowhead"): 46, ("ett, number", "arrowhead"): 46, ("nde, number", "arrowhead"): 46,
        ("nie, number", "arrowhead"): 44,
    }  # fmt: skip
    words = {place: count for place, count in wrong.items() if "number" not in place[0]}
    assert words == {("marginal", "arrowhead"): 2, ("marginal", "frontdoor"): 2, ("nie", "arrowhead"): 1}
    assert all("not independent" in each.why for each in audited if each.agrees is False and "number" in each.slice)
    assert all("follows the released number" in each.why for each in audited
               if each.agrees is False and "number" not in each.slice)  # fmt: skip


def test_the_ties_are_those_of_the_forks(audited, items):
    structure = {item.problem.id: item.key.strata["structure"] for item in items}
    ties = [each for each in audited if each.agrees is None]
    assert Counter((each.slice, structure[each.problem]) for each in ties) == {("backadj", "fork"): 34}
    counted = {each.slice: (each.agree, each.disagree, each.open) for each in tallies(audited)}
    assert counted["backadj"] == (318, 0, 34)


def test_every_number_by_enumeration(data):
    """All that a model says, counted in its worlds and its kinds of units; one of the files, whose models differ."""
    checked = Counter()
    for row in rows(data):
        if row.variant not in ("easy", "hard") or row.kind in ("backadj", "collider_bias", "det-counterfactual"):
            continue
        assert checker_for(number_problem(row)).case.state.truth() == by_hand(row), row.ident
        checked[row.kind] += 1
    assert sum(checked.values()) > 500


def number_problem(row) -> cv.Problem:
    return cv.Problem(row.ident, QUERIES[row.kind](row), scm=row.scm)


def by_hand(row) -> Fraction:
    world = world_of(number_problem(row))
    x, y = row.meta["treatment"], row.meta["outcome"]
    lower = not row.meta["polarity"] if row.kind != "ett" else row.meta["polarity"]

    def seen(**given) -> Fraction:
        both = worlds.chance(world, lambda at: at[y] == "1" and all(at[name] == state for name, state in given.items()))
        return both / worlds.chance(world, lambda at: all(at[name] == state for name, state in given.items()))

    if row.kind == "marginal":
        return 1 - seen() if lower else seen()
    if row.kind == "correlation":
        number = seen(**{x: "1"}) - seen(**{x: "0"})
    elif row.kind == "exp_away":
        collider = row.meta["collider"]
        number = seen(**{x: "1", collider: "1"}) - seen(**{collider: "1"})
    elif row.kind == "ate":
        number = worlds.effect(world, x, y, ("1", "0"), ("1",))
    else:
        sums = worlds.counterfactual(world, x, y, together=True)
        number = {"ett": sums["ett"] / sums["treated"], "nde": sums["direct"], "nie": sums["indirect"]}[row.kind]
    return -number if lower else number


def test_faultless_traces_score_six(items):
    for item in items[::23]:
        case = checker_for(item.problem).case
        answer = next(case.task.solve(case))
        assert cv.verify(item.problem, faultless_trace(case, answer)).score == 6


def test_no_problem_depends_on_its_key(data_dir, tmp_path, items):
    """Every word turned round, every released number another: the same problems."""
    for path in (data_dir / "cladder").glob("*.json"):
        records = json.loads(path.read_text("utf-8"))
        if "generate" in path.name:
            for record in records:
                record["answer"] = "no" if record["answer"] == "yes" else "yes"
                record["meta"]["groundtruth"], record["reasoning"] = 0.125, None
        (tmp_path / "cladder").mkdir(exist_ok=True)
        (tmp_path / "cladder" / path.name).write_text(json.dumps(records), encoding="utf-8")
    turned = ENTRY.build(Random(0), DataFolder(tmp_path)).items
    assert [item.problem for item in turned] == [item.problem for item in items]
    assert all(a.key.published != b.key.published for a, b in zip(turned, items, strict=True))
