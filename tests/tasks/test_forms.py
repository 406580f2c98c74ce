"""The forms of a question, each on every task that allows it, against the objects that brute force finds."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

import calverify as cv
from calverify.tasks import FORMS, form_of
from calverify.traces import CYCLE, PATH
from tests.agreement import some
from tests.known import Known
from tests.oracles import criteria
from tests.problems import ADMITS, NO_RIGHT_ANSWER, ROWS, known
from tests.rows import judged
from tests.sheets import bits, sheet_of

FEW = pytest.mark.parametrize("count", [8, pytest.param(80, marks=pytest.mark.property)])
SET_FORMS = ("minimal", "minimum", "maximal")
PATH_FORMS = ("shortest", "longest")
PLAIN_FORMS = ("yes_no", "choice", "choice_not", "existence")
# Beyond the plain forms, which every task with an object of its own takes.
TAKES = {
    "adjustment": SET_FORMS,
    "ancestor": ("find_all", "how_many"),
    "backdoor": SET_FORMS,
    "backdoor_path": ("find_all", "how_many", *PATH_FORMS),
    "blocked_path": SET_FORMS,
    "c_component": ("find_all", "how_many"),
    "chain": ("find_all", "how_many"),
    "child": ("find_all", "how_many"),
    "cycle": ("find_all", "how_many", *PATH_FORMS),
    "d_separation": SET_FORMS,
    "descendant": ("find_all", "how_many"),
    "directed_path": ("find_all", "how_many", *PATH_FORMS),
    "edge": ("find_all", "how_many"),
    "fork": ("find_all", "how_many"),
    "frontdoor": SET_FORMS,
    "instrument": ("find_all", "how_many"),
    "knights": ("find_all", "how_many"),
    "markov_blanket": ("how_many",),  # of its members: there is only one blanket
    "markov_equivalent": ("find_all", "how_many"),
    "maximal_root_set": ("how_many",),
    "node": ("find_all", "how_many"),
    "optimal_adjustment": ("how_many",),
    "parent": ("find_all", "how_many"),
    "path": ("find_all", "how_many", *PATH_FORMS),
    "topological_order": ("find_all", "how_many"),
    "v_structure": ("find_all", "how_many"),
}


def rows_of(*forms: str) -> pytest.MarkDecorator:
    """Every form of these on every task that takes it and every class of graph that the task admits."""
    found = [(task, kind, form) for task, kind in ROWS for form in forms if takes(task, form)]
    return pytest.mark.parametrize("task, kind, form", found)


def takes(task: str, form: str) -> bool:
    return task in TAKES and (form in PLAIN_FORMS or form in TAKES[task])


def draw(task: str, kind: str, form: str, seed: int) -> tuple[Known, Random]:
    rng = Random(f"{task} {kind} {form} {seed}")
    return known(rng, task, kind, most=5), rng


def asked(drawn: Known, form: str, **parts: Any) -> cv.Problem:
    """The drawn problem, asked in a form."""
    return cv.Problem("p", replace(drawn.problem.query, form=form, **parts), drawn.problem.graph)


def text_of(drawn: Known, value: Any) -> str:
    return cv.find_task(drawn.task).answer.spell(value)


def is_decided(problem: cv.Problem, right: list[Any], wrong: list[Any]) -> None:
    """By `check`, `solve`, `nearest_valid` and in traces; the answers in the form that they are read into."""
    task = form_of(cv.find_task(problem.query.task), problem.query.form)
    for value in [*right, *wrong]:
        shown = task.answer.show(value)
        for written in (shown, task.answer.spell(value)):
            said = cv.check(problem.graph, problem.query, written)
            assert said.valid == (value in right), (problem, written, said)
            assert said.answer == shown
            assert said.why
        sheet = sheet_of(problem, value)
        verdict = cv.verify(problem, sheet.text())
        assert bits(verdict) == ("111111" if value in right else "110100"), (problem, sheet, verdict.faults)
    for value in wrong if right else []:
        swapped = sheet_of(problem, right[0]).swapped(task.answer.show(value))
        assert bits(cv.verify(problem, swapped.text())) == "110100", (problem, value)
    found = cv.solve(problem.graph, problem.query)
    assert set(found) <= set(right)
    assert bool(found) == bool(right)
    near = cv.nearest_valid(problem.graph, problem.query, "?")
    assert near is None if not right else cv.check(problem.graph, problem.query, near).valid


@FEW
@rows_of("find_all")
def test_all_of_them(task, kind, form, count):
    """All, but not all but one, nor all and one more."""
    for seed in range(count):
        drawn, rng = draw(task, kind, form, seed)
        whole = frozenset(drawn.right)
        wrong = [whole | {rng.choice(drawn.wrong)}]
        if whole:
            wrong += [whole - {rng.choice(drawn.right)}, frozenset({rng.choice(drawn.wrong)})]
        if not any(isinstance(value, tuple) and value == () for part in wrong for value in part):
            is_decided(asked(drawn, form), [whole], wrong)


@FEW
@rows_of("how_many")
def test_how_many_there_are(task, kind, form, count):
    members = "find_all" not in TAKES[task]
    for seed in range(count):
        drawn, _ = draw(task, kind, form, seed)
        number = len(drawn.right[0]) if members else len(drawn.right)
        is_decided(asked(drawn, form), [number], [number + 1, *([number - 1] if number else [])])


@FEW
@rows_of("yes_no")
def test_yes_or_no(task, kind, form, count):
    for seed in range(count):
        drawn, rng = draw(task, kind, form, seed)
        for value in some(rng, drawn.right, 2):
            is_decided(asked(drawn, form, claim=text_of(drawn, value)), ["yes"], ["no"])
        for value in some(rng, drawn.wrong, 2):
            is_decided(asked(drawn, form, claim=text_of(drawn, value)), ["no"], ["yes"])


@FEW
@rows_of("choice", "choice_not")
def test_one_of_these(task, kind, form, count):
    for seed in range(count):
        drawn, rng = draw(task, kind, form, seed)
        values = [
            *some(rng, drawn.right, 2),
            *some(rng, drawn.wrong, 2),
        ]
        rng.shuffle(values)
        valid = {
            letter: drawn.holds(value) == (form == "choice") for letter, value in zip("ABCD", values, strict=False)
        }
        problem = asked(drawn, form, options=tuple(text_of(drawn, value) for value in values))
        is_decided(problem, [a for a in valid if valid[a]], [a for a in valid if not valid[a]] + ["Z"])


@FEW
@rows_of("existence")
def test_is_there_one(task, kind, form, count):
    for seed in range(count):
        drawn, rng = draw(task, kind, form, seed)
        problem = asked(drawn, form)
        is_decided(problem, ["yes" if drawn.right else "no"], ["no" if drawn.right else "yes"])
        if drawn.right:
            sheet, entry = sheet_of(problem, "yes"), cv.find_task(task)
            for value in (rng.choice(drawn.right), rng.choice(drawn.wrong)):
                stated = sheet.but(strategy={"method": "any", entry.states[0]: entry.answer.show(value)})
                shown = bits(cv.verify(problem, stated.text()))
                assert shown == ("111111" if value in drawn.right else "110111"), (problem, value)
            assert bits(cv.verify(problem, sheet.but(strategy={"method": "any"}).text())) == "110111"


def best_of(form: str, right: list[Any]) -> list[Any]:
    """What nothing beats, of all valid objects."""
    size = {value: len(value.nodes) if isinstance(value, cv.Path) else len(value) for value in right}
    if form in ("minimum", "shortest", "longest"):
        wanted = (max if form == "longest" else min)(size.values(), default=0)
        return [value for value in right if size[value] == wanted]
    if form == "minimal":
        return [value for value in right if value in criteria.minimal(right)]
    return [value for value in right if not any(value < other for other in right)]


@FEW
@rows_of(*SET_FORMS, *PATH_FORMS)
def test_the_best_of_them(task, kind, form, count):
    """Every tie is accepted, and `solve` gives them all; of the maximal sets it gives one."""
    for seed in range(count):
        drawn, rng = draw(task, kind, form, seed)
        best = best_of(form, list(drawn.right))
        other = [value for value in drawn.right if value not in best]
        problem = asked(drawn, form)
        wrong = [*some(rng, other, 4), *some(rng, drawn.wrong, 3)]
        is_decided(problem, best, [value for value in wrong if value != ()])
        found = cv.solve(problem.graph, problem.query)
        assert len(found) == 1 if form == "maximal" else set(found) == set(best)
        for value in other[:4]:
            said = cv.check(problem.graph, problem.query, cv.find_task(task).answer.show(value))
            assert said.witness["kind"] == "better"
            better = cv.check(problem.graph, drawn.problem.query, said.witness["object"])
            assert better.valid
            assert "is valid but not" in said.why


# ---------------------------------------------------------------- nothing to find

EMPTY = [
    ("no parents", "A -> B", "parent", "A"),
    ("no children", "A -> B", "child", "B"),
    ("no ancestors", "A -> B", "ancestor", "A"),
    ("no descendants", "A -> B", "descendant", "B"),
    ("no path", "A, B", "path", "A B"),
    ("no directed path", "A <- B", "directed_path", "A B"),
    ("no backdoor path", "A -> B", "backdoor_path", "A B"),
    ("no cycle", "A -> B", "cycle", ""),
    ("no edge", "A, B", "edge", ""),
    ("no chain", "A -> B", "chain", ""),
    ("no fork", "A -> B", "fork", ""),
    ("no v-structure", "A -> B", "v_structure", ""),
    ("no instrument", "A -> B", "instrument", "A B"),
    ("no other graph", "A -> B <- C", "markov_equivalent", ""),
    ("no node", "", "node", ""),
]


@judged("graph, task, targets", EMPTY)
def test_where_there_is_none(graph, task, targets):
    graph, targets = cv.Graph.parse(graph), tuple(targets.split())
    for written in ([], "[]", "none", "set()", "{}"):
        assert cv.check(graph, cv.Query(task, targets, form="find_all"), written).valid, written
    assert not cv.check(graph, cv.Query(task, targets, form="find_all"), "").valid
    assert cv.check(graph, cv.Query(task, targets, form="how_many"), 0).valid
    assert not cv.check(graph, cv.Query(task, targets, form="how_many"), 1).valid
    assert cv.check(graph, cv.Query(task, targets, form="existence"), "no").valid
    assert not cv.check(graph, cv.Query(task, targets, form="existence"), "yes").valid
    for form in ("find_one", *(form for form in PATH_FORMS if takes(task, form))):
        assert cv.solve(graph, cv.Query(task, targets, form=form)) == []


UNREADABLE = [
    ("a path that is none", "path", "A B", "A => => B"),
    ("a path of words", "path", "A B", "the path by way of C"),
    ("an undirected path", "path", "A B", "A -- B"),
    ("no path at all", "path", "A B", ""),
    ("a set that is none", "backdoor", "A B", "{A, A}"),
    ("a cycle that is none", "cycle", "", "set()"),
    ("a graph that is none", "markov_equivalent", "", "A ->"),
    ("an edge that is none", "edge", "", "A to B"),
    ("an order that is none", "topological_order", "", "A, A, B, C"),
    ("two names", "parent", "B", "A, C"),
]


@judged("task, targets, claim", UNREADABLE)
def test_a_claim_that_names_no_object_is_false(task, targets, claim):
    graph = cv.Graph.parse("A -> B, C")
    query = cv.Query(task, tuple(targets.split()), form="yes_no", claim=claim)
    said = cv.check(graph, query, "no")
    assert said.valid
    assert said.witness == {"kind": "unreadable"}
    assert not cv.check(graph, query, "yes").valid
    choice = cv.Query(task, tuple(targets.split()), form="choice", options=(claim,))
    assert not cv.check(graph, choice, "A").valid
    assert cv.solve(graph, choice) == []
    choice_not = cv.Query(task, tuple(targets.split()), form="choice_not", options=(claim,))
    assert cv.solve(graph, choice_not) == ["A"]


# ---------------------------------------------------------------- what makes no sense


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("task", ADMITS)
def test_a_form_that_makes_no_sense_is_refused(task, form):
    """With one sentence, whichever way it is asked; and every other form is a task."""
    drawn = known(Random(task), task, ADMITS[task][-1])
    claim = "A" if form == "yes_no" else None
    options = ("A", "B") if form.startswith("choice") else ()
    problem = asked(drawn, form, claim=claim, options=options)
    if takes(task, form):
        assert form_of(cv.find_task(task), form).family in ("object", "decision")
        assert cv.prompt(problem)
        return
    for ask in (
        lambda: cv.check(problem.graph, problem.query, "A"),
        lambda: cv.solve(problem.graph, problem.query),
        lambda: cv.prompt(problem),
        lambda: cv.verify(problem, "ANSWER: A"),
    ):
        with pytest.raises(cv.QueryError) as refused:
            ask()
        assert str(refused.value) == f"{task} is not asked as {form}"


GRAPH = cv.Graph.parse("A -> B, C -> B")
REFUSED = [
    ("a form that nobody knows", {"form": "some"}, "unknown form 'some'; there are find_one, find_all"),
    ("no claim", {"form": "yes_no"}, "needs the field 'claim'"),
    ("a claim too many", {"form": "find_all", "claim": "A"}, "has no use for a claim"),
    ("no options", {"form": "choice"}, "needs the field 'options'"),
    ("too many options", {"form": "choice", "options": ("A",) * 27}, "needs the field 'options', a list of 1 to 26"),
    ("options too many", {"form": "find_one", "options": ("A",)}, "has no use for options"),
]


@judged("parts, why", REFUSED)
def test_a_question_that_makes_no_sense_is_refused(parts, why):
    with pytest.raises(cv.QueryError) as refused:
        cv.check(GRAPH, cv.Query("parent", ("B",), **parts), "A")
    assert why in str(refused.value)


def test_every_task_and_every_form_has_its_place():
    assert set(FORMS) == {"find_all", "how_many", *PLAIN_FORMS, *SET_FORMS, *PATH_FORMS}
    assert set(TAKES) <= set(ADMITS)
    for task, forms in TAKES.items():
        assert ("shortest" in forms) == (cv.find_task(task).answer in (PATH, CYCLE))
    assert all(task in ADMITS for task, _ in NO_RIGHT_ANSWER)
