"""A verdict: its score, its sentences, its proof, its record."""

import json
from random import Random

import pytest

import calverify as cv
from tests.agreement import decision_is_proved, proves
from tests.problems import DECISIONS, SETS, SOLVABLE, known
from tests.sheets import SLOTS, Copies, Raw, bits, sheet_of

WORKED = cv.Problem("w1", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y"))
SHEET = sheet_of(WORKED, frozenset({"U", "P"}))


def test_a_faultless_verdict():
    verdict = cv.verify(WORKED, SHEET.text())
    assert verdict.score == 6
    assert verdict.bits == dict.fromkeys(SLOTS, 1)
    assert verdict.faults == ()
    assert verdict.answer == ["P", "U"]
    assert verdict.admissible
    assert verdict.undetermined is None
    assert verdict.why == "{P, U} blocks every backdoor path from X to Y and holds no descendant of X"
    assert verdict.witness["kind"] == "separated"
    assert repr(verdict) == f"Verdict(score=6, answer=['P', 'U'], why={verdict.why!r})"


def test_that_the_object_is_invalid_is_said_once():
    """The specification's own record."""
    verdict = cv.verify(WORKED, sheet_of(WORKED, frozenset({"M"})).text())
    record = verdict.to_json()
    assert record["score"] == 3
    assert record["bits"] == {"graph": 1, "query": 1, "strategy": 0, "derivation": 1, "result": 0, "answer": 0}
    assert record["answer"] == ["M"]
    assert record["faults"] == [{"slot": "strategy", "why": "M is a descendant of X: X -> M"}]
    assert record["witness"] == {"kind": "descendant", "path": ["X", "M"]}


RECORDS = [
    ("six", SHEET.text()),
    ("three", sheet_of(WORKED, frozenset({"M"})).text()),
    ("three, swapped", SHEET.swapped(["M"]).text()),
    ("no answer", SHEET.but(answer={}, line="?").text()),
    ("a conflict", SHEET.but(line=Copies((["U"], ["P"]))).text()),
    ("nothing", ""),
    ("an answer only", "ANSWER: U"),
    ("broken slots", SHEET.but(graph=Raw("{"), result=Raw("["), query={}).text()),
    ("invalid, and the strategy says another thing", sheet_of(WORKED, frozenset({"U"})).swapped(["M"]).text()),
    ("too large", "x" * ((1 << 20) + 1)),
]


@pytest.mark.parametrize("text", [row[1] for row in RECORDS], ids=[row[0] for row in RECORDS])
def test_a_verdict_is_plain_json_and_back(text):
    verdict = cv.verify(WORKED, text)
    record = json.loads(json.dumps(verdict.to_json()))
    again = cv.Verdict.from_json(record)
    assert again.to_json() == record
    assert again == verdict
    for name in ("score", "bits", "answer", "faults", "witness", "why", "admissible", "undetermined"):
        assert getattr(again, name) == getattr(verdict, name), name


def test_a_wrong_yes_with_a_broken_witness_is_plain_json_and_back():
    """Two bits fail because the answer is wrong, and the strategy for a reason of its own."""
    problem = cv.Problem("p", cv.Query("intervention", ("A", "C")), cv.Graph.parse("C -> A, B"))
    sheet = sheet_of(problem, "yes").but(strategy={"method": "any", "path": ["A", "B", "C"]})
    verdict = cv.verify(problem, sheet.text())
    assert bits(verdict) == "110100"
    record = verdict.to_json()
    assert cv.Verdict.from_json(record).to_json() == record


@pytest.mark.parametrize("broken", [{}, [], None, "verdict", 7])
def test_a_record_that_is_none_is_refused(broken):
    with pytest.raises(cv.RecordError):
        cv.Verdict.from_json(broken)


@pytest.mark.parametrize("field", ["gold", "correct", "label", "answer_key"])
def test_a_record_with_another_field_is_refused(field):
    record = cv.verify(WORKED, SHEET.text()).to_json()
    with pytest.raises(cv.RecordError):
        cv.Verdict.from_json({**record, field: 1})


def test_a_record_that_contradicts_itself_is_refused():
    record = cv.verify(WORKED, SHEET.text()).to_json()
    with pytest.raises(cv.RecordError):
        cv.Verdict.from_json({**record, "faults": [{"slot": "graph", "why": "no"}]})
    with pytest.raises(cv.RecordError):
        cv.Verdict.from_json({**record, "score": 3})


@pytest.mark.parametrize(
    "damage",
    [
        {"bits": {"graph": 1}},
        {"bits": {"graph": 1, "query": 1, "strategy": 1, "derivation": 1, "result": 1, "answer": 2}},
        {"bits": None},
        {"faults": None},
        {"faults": [{"slot": "graph"}]},
        {"faults": [7]},
        {"faults": [{"slot": "soul", "why": "missing"}]},
    ],
)
def test_a_record_of_the_wrong_shape_is_refused(damage):
    record = cv.verify(WORKED, SHEET.text()).to_json()
    with pytest.raises(cv.RecordError):
        cv.Verdict.from_json({**record, **damage})


def test_verdicts_are_compared_by_what_they_say():
    one, two = (cv.verify(WORKED, text) for text in (SHEET.text(), SHEET.text() + "\n"))
    assert one == two
    assert one != cv.verify(WORKED, SHEET.swapped(["M"]).text())
    assert one != "Verdict"


@pytest.mark.parametrize("task, kind", SOLVABLE)
def test_a_verdict_carries_the_proof_that_check_gives(task, kind):
    for seed in range(25):
        rng = Random(f"{task} {kind} {seed}")
        drawn = known(rng, task, kind)
        problem = drawn.problem
        for answer in (rng.choice(drawn.right), rng.choice(drawn.wrong)):
            verdict = cv.verify(problem, sheet_of(problem, answer).text())
            said = cv.check(problem.graph, problem.query, verdict.answer)
            assert (verdict.why, verdict.witness, verdict.answer) == (said.why, said.witness, said.answer)
            assert (verdict.score == 6) == said.valid
            if task in SETS:
                proves(verdict.witness, problem.graph, problem.query, answer, said.valid)
            elif task in DECISIONS:
                decision_is_proved(verdict.witness, problem.graph, problem.query, drawn.right[0])


def test_a_checker_judges_many_texts():
    checker = cv.Checker(WORKED)
    texts = [SHEET.text(), SHEET.swapped(["M"]).text(), "", SHEET.text()]
    assert [checker(text).score for text in texts] == [6, 3, 0, 6]
    assert [checker.judge(cv.parse(text)).score for text in texts] == [6, 3, 0, 6]
    assert checker(texts[1]) == cv.verify(WORKED, texts[1])


def test_a_verdict_does_not_depend_on_what_was_judged_before():
    texts = [sheet_of(WORKED, frozenset(names)).text() for names in ("U", "UP", "M", "", "UM", "X")]
    first = [cv.verify(cv.Problem("w", WORKED.query, WORKED.graph), text).to_json() for text in texts]
    for seed in range(5):
        order = Random(seed).sample(range(len(texts)), len(texts))
        problem = cv.Problem("w", WORKED.query, WORKED.graph)
        assert {i: cv.verify(problem, texts[i]).to_json() for i in order} == dict(enumerate(first))


@pytest.mark.parametrize("task, kind", SOLVABLE)
def test_how_the_first_slot_is_spelled_does_not_matter(task, kind):
    """As the prompt has it, with blanks, or its fields in another order over many lines: one and the same verdict."""
    rng = Random(f"spelled {task} {kind}")
    drawn = known(rng, task, kind)
    for answer in (rng.choice(drawn.right), rng.choice(drawn.wrong)):
        sheet = sheet_of(drawn.problem, answer)
        turned = dict(reversed(sheet.graph.items()))
        spellings = [
            json.dumps(sheet.graph, separators=(",", ":")),
            json.dumps(sheet.graph),
            json.dumps(turned, indent=1),
        ]
        spellings += [spelled.replace(":", " : ") for spelled in spellings[:1] if ":" not in str(sheet.graph.values())]
        verdicts = [cv.verify(drawn.problem, sheet.but(graph=Raw(spelled)).text()).to_json() for spelled in spellings]
        assert verdicts == [verdicts[0]] * len(verdicts)
        assert verdicts[0]["bits"]["graph"] == 1
