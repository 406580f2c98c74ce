"""Rescue: each answer that a log judged is judged again by predicate, and what cannot be read is no finding."""

import builtins
import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calverify as cv
from calverify.errors import BudgetError
from calverify.evaluation import WAYS, rescue
from calverify.exchange import import_logs
from calverify.keys import Key
from calverify.tasks import Case
from tests.exchange.logs import PROBLEMS, data_of, joined, lines
from tests.oracles.criteria import backdoor
from tests.sheets import sheet_of

W1 = PROBLEMS["w1"]
SLOTS, LINE, EXTRACTED = WAYS


def one(text, *, marked=False, problem=W1, key=None, answers=None, **more):
    """The one finding of a log of one reply."""
    log = {"version": 2, "eval": {"task": "t"}, "samples": [{
        "id": problem.id, "epoch": 1, "target": "{U}", "output": {"choices": [{"message": {"content": text}}]},
        "scores": {"match": {"value": "C" if marked else "I", "answer": answers}},
    }]}  # fmt: skip
    found = import_logs({"log.json": json.dumps(log).encode()}, {problem.id: problem})
    (finding,) = rescue(found, {} if key is None else {problem.id: key}, **more).findings
    return finding


def test_a_log_of_inspect():
    """What string matching lost, by both of its graders."""
    judged = rescue(joined("inspect.eval"))
    assert [count.to_json() for count in judged.marks()] == [
        {"mark": "match", "judged": 8, "right": 4, "valid": 6, "rescued": 2, "overturned": 0, "unread": 0,
         "undetermined": 0},
        {"mark": "pattern", "judged": 8, "right": 2, "valid": 6, "rescued": 4, "overturned": 0, "unread": 0,
         "undetermined": 0},
    ]  # fmt: skip
    lost = {(found.problem, found.answer) for found in judged.rescued}
    assert lost == {("w1", "{P, U}"), ("w2", "{B}"), ("w3", "G -> X -> G"), ("w3", "G -> X -> H -> G")}
    assert judged.overturned == ()
    assert judged.ways == {SLOTS: 0, LINE: 8, EXTRACTED: 0}
    wrong = [found for found in judged.findings if found.valid is False]
    assert {(found.answer, found.marked) for found in wrong} == {("{M}", False), ("{}", False)}


def test_a_log_of_lm_eval():
    """A metric of what a filter made is judged by what it made."""
    judged = rescue(joined("samples_causal_sets.jsonl"))
    assert {(found.mark, found.problem) for found in judged.rescued} == {
        ("exact_match@strict", "w1"),
        ("exact_match@strict", "w3"),
        *(("exact_match@flexible", name) for name in PROBLEMS),
    }
    assert all(found.index is None or found.way == LINE for found in judged.findings)


def test_one_grader_of_it():
    judged = rescue(joined("samples_causal_sets.jsonl"), marks=("exact_match@strict",))
    assert [count.mark for count in judged.marks()] == ["exact_match@strict"]


ROWS = [
    ("a line", "ANSWER: {P, U}", None, True, "{P, U}", LINE, "{P, U} blocks every backdoor path from X to Y and"),
    ("a wrong line", "ANSWER: {M}", None, False, "{M}", LINE, "M is a descendant of X: X -> M"),
    ("the same line twice", "ANSWER: U\nANSWER: {U}", None, True, "{U}", LINE, "{U} blocks every backdoor path"),
    ("what the log cut out", "I take U.", "{U}", True, "{U}", EXTRACTED, "{U} blocks every backdoor path"),
    ("a line that it cut out", "I take U.", "ANSWER: {U}", True, "{U}", EXTRACTED, "{U} blocks every"),
    ("a line before what it cut out", "ANSWER: {U}", "{M}", True, "{U}", LINE, "{U} blocks every"),
    ("an unreadable line", "ANSWER: the set {U}", "{U}", True, "{U}", EXTRACTED, "{U} blocks every"),
    ("hedging", "ANSWER: {U}\nANSWER: {M}", "{U}", None, None, None, "its answer cannot be read, or it gives several"),
    ("nothing", "I do not know.", None, None, None, None, "it has no answer line, and the log extracted nothing"),
    ("blanks", "I do not know.", "  ", None, None, None, "it has no answer line, and the log extracted nothing"),
    ("prose", "I do.", "It is {U}!", None, None, None, "what the log extracted is no answer: "),
    ("prose like names", "Well.", "U and P", None, "{U and P}", None, "it names what the graph does not have: U and P"),
    ("a strange name", "ANSWER: {Q}", None, None, "{Q}", None, "it names what the graph does not have: Q"),
    ("the empty set", "ANSWER: none", None, False, "{}", LINE, "{} leaves the path X <- U -> Y open"),
]  # fmt: skip


@pytest.mark.parametrize("text, cut, valid, answer, way, why", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_how_an_answer_is_read(text, cut, valid, answer, way, why):
    found = one(text, answers=cut)
    assert (found.valid, found.answer, found.way) == (valid, answer, way)
    assert found.why.startswith(why)
    assert (found.marked, found.gold, found.place) == (False, "{U}", "log.json, sample 1")


@pytest.mark.parametrize("marked, valid, rescued, overturned", [
    (False, "{U}", 1, 0), (True, "{U}", 0, 0), (False, "{M}", 0, 0), (True, "{M}", 0, 1),
])  # fmt: skip
def test_who_is_wrong(marked, valid, rescued, overturned):
    judged = rescue(
        import_logs({"x": lines({"id": "w1", "completion": f"ANSWER: {valid}", "correct": marked})}, PROBLEMS)
    )
    assert (len(judged.rescued), len(judged.overturned)) == (rescued, overturned)


def test_six_slots():
    """The answer of a trace counts, whatever its other slots are worth."""
    trace = sheet_of(W1, frozenset({"U"})).text()
    assert (one(trace).valid, one(trace).way) == (True, SLOTS)
    torn = "\n".join(line for line in trace.split("\n") if "STEP 1" not in line)
    assert (one(torn).valid, one(torn).way) == (True, SLOTS)
    split = sheet_of(W1, frozenset({"U"})).but(line="{M}").text()
    assert (one(split, answers="{U}").valid, one(split).way) == (None, None)


def test_a_problem_without_a_graph():
    """Only the key holds it: without the key nothing is judged, and the sentence says so."""
    story = cv.Problem("w1", W1.query, text="Rain wets the grass.", legend=("U", "X", "M", "Y", "P"))
    found = one("ANSWER: {U}", problem=story)
    assert (found.valid, found.way, found.why) == (
        None,
        None,
        "the problem holds no graph to judge on; its key does (--keys)",
    )
    assert one("ANSWER: {U}", problem=story, key=Key("w1", W1.graph)).valid is True
    assert one("ANSWER: {M}", problem=story, key=Key("w1", W1.graph)).valid is False


def test_a_key_that_states_the_answer():
    key = Key("w1", answer=["P", "U"])
    assert (one("ANSWER: {U, P}", key=key).valid, one("ANSWER: {U}", key=key).valid) == (True, False)
    assert one("ANSWER: {U}", key=key).why == "the key states {P, U}"


def test_tables():
    """A numeric question is judged by the true effect, not by the number that was reported."""
    tables = {"X": {"parents": [], "p": 0.5}, "Y": {"parents": ["X"], "p": [0.2, 0.7]}}
    record = {"id": "w1", "query": {"task": "ate", "targets": ["X", "Y"], "threshold": 0}, "scm": {"variables": tables}}
    problem = cv.Problem.from_json(record)
    assert (one("ANSWER: yes", problem=problem).valid, one("ANSWER: no", problem=problem).valid) == (True, False)


def test_a_question_over_the_budget_is_neither(monkeypatch):
    def over(case, answer):
        raise BudgetError("too large")

    monkeypatch.setattr(Case, "holds", over)
    found = one("ANSWER: {U}", problem=replace(W1))
    assert (found.valid, found.why, found.way) == (None, "undetermined: too large", LINE)


def test_partial_credit_and_measures_are_no_marks():
    row = {"id": "w1", "completions": ["ANSWER: {M}"], "reward": [0.5], "num_turns": [1], "correct": [None]}
    found = import_logs({"x": lines(row)}, PROBLEMS)
    assert rescue(found).findings == ()
    assert [f.marked for f in rescue(found, marks=("num_turns",)).findings] == [True]
    assert [f.marked for f in rescue(found, right_at=Fraction(1, 2)).findings] == [True]


@settings(max_examples=150)
@given(st.sets(st.sampled_from("UXMYP")), st.booleans())
def test_against_the_definition(names, marked):
    """The findings are those of the criterion as the textbook has it, path by path."""
    found = one(f"ANSWER: {{{', '.join(sorted(names))}}}", marked=marked)
    truth = backdoor(W1.graph, "X", "Y")(frozenset(names))
    assert (found.valid, found.valid and not marked) == (truth, truth and not marked)


def test_data_is_read_once(monkeypatch):
    """No new token, and no new file: what the log holds is all there is."""
    found = import_logs({"inspect.eval": data_of("inspect.eval")}, PROBLEMS)
    monkeypatch.setattr(builtins, "open", None)
    assert rescue(found).rescued
