"""What holds for every problem of every task: names do not matter, a swap costs three bits, hedging earns none."""

import itertools
import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calverify as cv
from calverify.traces import NODE_SET
from tests.known import Known
from tests.oracles import criteria
from tests.problems import ADMITS, DECISIONS, NO_WITNESS, PEOPLE, ROWS, SOLVABLE, known, puzzle
from tests.sheets import ABSENT, SLOTS, Copies, Raw, Sheet, bits, sheet_of, show

FEW, MANY = 40, 1_000
CASES = pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.property)])
TASKS_AND_CLASSES = pytest.mark.parametrize("task, kind", SOLVABLE)
AWKWARD = (
    "P",
    "Q",
    "V",
    "V1",
    "V11",
    "none",
    "yes",
    "empty set",
    "set()",
    "A, B",
    "to",
    "nodes",
    "é",
    "{}",
    "X -> Y",
    "1",
)


def draw(task: str, kind: str, seed: int) -> tuple[Known, Random]:
    rng = Random(f"{task} {kind} {seed}")
    return known(rng, task, kind), rng


def plain(task: str, answer: object) -> object:
    """A canonical answer as JSON."""
    return cv.find_task(task).answer.show(answer)


def is_right(drawn: Known, answer: object) -> bool:
    """What the oracle says of a verdict's answer, which is plain JSON."""
    if answer is None:
        return False
    if drawn.task == "cycle":
        return drawn.holds(tuple(answer[:-1]))
    if drawn.task == "knights":
        return drawn.holds({name: role == "knight" for name, role in answer.items()})
    kind = cv.find_task(drawn.task).answer
    if kind is NODE_SET:
        return drawn.holds(frozenset(answer))
    return drawn.holds(kind.read(answer, drawn.problem.graph.node_set, "answer"))


# ---------------------------------------------------------------- maximum-score traces


@CASES
@TASKS_AND_CLASSES
def test_a_faultless_trace_of_a_right_answer_scores_six(task, kind, count):
    for seed in range(count):
        drawn, rng = draw(task, kind, seed)
        answer = rng.choice(drawn.right)
        verdict = cv.verify(drawn.problem, sheet_of(drawn.problem, answer).text())
        assert bits(verdict) == "111111", (drawn.problem, answer, verdict.faults)
        assert verdict.score == 6
        assert verdict.faults == ()
        assert verdict.answer == plain(task, answer)
        assert verdict.admissible


@CASES
@TASKS_AND_CLASSES
def test_a_faultless_trace_of_a_wrong_answer_scores_three(task, kind, count):
    for seed in range(count):
        drawn, rng = draw(task, kind, seed)
        answer = rng.choice(drawn.wrong)
        verdict = cv.verify(drawn.problem, sheet_of(drawn.problem, answer).text())
        assert bits(verdict) == "110100", (drawn.problem, answer, verdict.faults)


@CASES
@TASKS_AND_CLASSES
def test_swapping_the_answer_leaves_exactly_three(task, kind, count):
    """In the slot and on the ANSWER line; to an object that is not valid, or to the other word."""
    for seed in range(count):
        drawn, rng = draw(task, kind, seed)
        sheet = sheet_of(drawn.problem, rng.choice(drawn.right))
        for wrong in rng.sample(drawn.wrong, min(3, len(drawn.wrong))):
            verdict = cv.verify(drawn.problem, sheet.swapped(plain(task, wrong)).text())
            assert bits(verdict) == "110100", (drawn.problem, wrong, verdict.faults)


@CASES
@pytest.mark.parametrize("task, kind", [row for row in SOLVABLE if row[0] in DECISIONS])
def test_damaging_one_edge_of_a_witness_leaves_exactly_five(task, kind, count):
    """One node of the walk is replaced so that a step of it is no edge: the answer is right, its proof is not."""
    damaged = 0
    for seed in range(count):
        drawn, rng = draw(task, kind, seed)
        if drawn.right == ["no"]:
            continue
        sheet, graph, targets = sheet_of(drawn.problem), drawn.problem.graph, drawn.problem.query.targets
        if task == "intervention":
            graph = criteria.without_edges_into(graph, targets[0])
        walk = sheet.strategy["path"]
        for place in range(len(walk)):
            broken = [*walk[:place], rng.choice([*graph.nodes, "nowhere"]), *walk[place + 1 :]]
            if all(step in graph.directed for step in itertools.pairwise(broken)):
                continue
            damaged += 1
            verdict = cv.verify(drawn.problem, sheet.but(strategy={**sheet.strategy, "path": broken}).text())
            assert bits(verdict) == "110111", (drawn.problem, broken, verdict.faults)
            assert [fault.slot for fault in verdict.faults] == ["strategy"]
    assert damaged > count // 8


@CASES
@pytest.mark.parametrize("task, kind", [row for row in SOLVABLE if row[0] in DECISIONS])
def test_a_witness_is_held_edge_by_edge_to_the_oracle(task, kind, count):
    """Any walk that shows a yes will do, and no other one."""
    for seed in range(count):
        drawn, rng = draw(task, kind, seed)
        sheet, graph, targets = sheet_of(drawn.problem), drawn.problem.graph, drawn.problem.query.targets
        stops = targets
        if task == "intervention":
            graph, stops = criteria.without_edges_into(graph, targets[0]), targets[-2:]
        for _ in range(4):
            walk = [stops[0], *rng.choices(graph.nodes, k=rng.randint(0, 2)), stops[-1]]
            edited = sheet.but(strategy={"method": "directed_path", "path": walk}, result={"result": "yes"}).swapped(
                "yes"
            )
            shown = criteria.shows_a_yes(graph, walk, stops) and (task != "direct_mediator" or len(walk) == 3)
            verdict = cv.verify(drawn.problem, edited.text())
            assert verdict.bits["strategy"] == shown, (drawn.problem, walk, verdict.faults)
            assert (verdict.score == 6) == shown, (drawn.problem, walk, verdict.faults)


# ---------------------------------------------------------------- renaming


def twin(drawn: Known, names: dict[str, str]) -> cv.Problem:
    """The problem under other names."""
    query = drawn.problem.query
    if drawn.task == "knights":
        return puzzle([names[name] for name in query.targets], drawn.statements).problem
    # A path names its nodes one blank apart, so its twin is written from its parts.
    path = None if query.path is None else quoted_path(cv.Path.parse(query.path), names)
    targets, given = (tuple(names[name] for name in part) for part in (query.targets, query.given))
    asked = cv.Query(query.task, targets, path=path, given=given)
    return cv.Problem("p", asked, drawn.problem.graph.renamed(names))


def quoted_path(path: cv.Path, names: dict[str, str]) -> str:
    nodes = [f'"{names[node]}"' for node in path.nodes]
    return " ".join([nodes[0], *(word for step in zip(path.arrows, nodes[1:], strict=True) for word in step)])


@CASES
@TASKS_AND_CLASSES
def test_renaming_leaves_every_bit_alone(task, kind, count):
    """One bijection in problem and trace, awkward names and swaps of names included; damaged traces too."""
    for seed in range(count):
        drawn, rng = draw(task, kind, seed)
        old = drawn.problem.graph.nodes if drawn.problem.graph else drawn.problem.query.targets
        names = dict(zip(old, rng.sample([*AWKWARD, *old], len(old)), strict=True))
        other = twin(drawn, names)
        answer = rng.choice([*drawn.right, *drawn.wrong])
        sheet = sheet_of(drawn.problem, answer)
        for _ in range(rng.choice((0, 1, 2))):
            sheet = EDITS[rng.choice(NAME_BLIND)](sheet, drawn, rng)
        moved = sheet.renamed(names)
        if task == "knights":
            moved = moved.but(graph=sheet_of(other).graph) if "constraints" in sheet.graph else moved
        one, two = cv.verify(drawn.problem, sheet.text()), cv.verify(other, moved.text())
        assert bits(one) == bits(two), (drawn.problem, sheet, names, two.faults)
        assert one.admissible == two.admissible


# ---------------------------------------------------------------- edits


def _drop(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    return sheet.but(**{rng.choice([*SLOTS, "line"]): ABSENT})


def _repeat(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    slot = rng.choice(SLOTS)
    body = getattr(sheet, slot)
    return sheet if isinstance(body, Copies) else sheet.but(**{slot: Copies((body, body))})


def _garble(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    raw = rng.choice(
        ['{"set": ["A"', "[]", "{}", "null", "NaN", "[[]]", '"A"', "7", '{"result": 1, "result": 1}', "true"]
    )
    return sheet.but(**{rng.choice(SLOTS): Raw(raw)})


def _other(drawn: Known, rng: Random) -> object:
    """Another answer as JSON: a right one as often as a wrong one."""
    pool = rng.choice([drawn.right or drawn.wrong, drawn.wrong])
    return plain(drawn.task, rng.choice(pool))


def _other_result(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    return sheet.but(result={"result": _other(drawn, rng)})


def _other_slot(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    return sheet.but(answer={"answer": _other(drawn, rng)})


def _other_line(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    return sheet.but(line=_other(drawn, rng))


def _more_lines(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    lines = sheet.line.bodies if isinstance(sheet.line, Copies) else (sheet.line,)
    return sheet.but(line=Copies((*lines, _other(drawn, rng))))


def _other_strategy(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    if drawn.task in NO_WITNESS:
        return sheet.but(strategy={"method": "any", "remark": _other(drawn, rng)})
    state = cv.find_task(drawn.task).states[0]
    if drawn.task in DECISIONS:
        stated = rng.choices(drawn.problem.graph.nodes, k=rng.randint(2, 3))
    else:
        stated = _other(drawn, rng)
    return sheet.but(strategy={"method": "any", state: stated})


def _silent_strategy(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    return sheet.but(strategy={"method": "any"})


def _other_steps(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    rule = rng.choice([cv.find_task(drawn.task).rule, "magic"])
    about_nodes = drawn.task in DECISIONS or drawn.task in NO_WITNESS
    to = [rng.choice(drawn.problem.graph.nodes)] if about_nodes else _other(drawn, rng)
    return sheet.but(derivation=[{"rule": rule, "to": to}])


def _other_task(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    return sheet.but(query={"task": rng.choice(list(ADMITS)), "targets": list(drawn.problem.query.targets)[::-1]})


def _other_graph(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    if isinstance(sheet.graph, dict) and "edges" in sheet.graph:
        return sheet.but(graph={**sheet.graph, "edges": sheet.graph["edges"][1:]})
    return sheet.but(graph={"people": list(PEOPLE), "constraints": []})


def _both(sheet: Sheet, drawn: Known, rng: Random) -> Sheet:
    """Another answer everywhere at once."""
    answer = _other(drawn, rng)
    return sheet.swapped(answer).but(result={"result": answer})


EDITS = {
    edit.__name__: edit
    for edit in (
        _drop,
        _repeat,
        _garble,
        _other_result,
        _other_slot,
        _other_line,
        _more_lines,
        _other_strategy,
        _silent_strategy,
        _other_steps,
        _other_task,
        _other_graph,
        _both,
    )
}
NAME_BLIND = (
    "_other_result",
    "_other_slot",
    "_other_line",
    "_other_strategy",
    "_silent_strategy",
    "_other_steps",
    "_both",
)


def edited(drawn: Known, rng: Random, most: int = 4) -> Sheet:
    sheet = sheet_of(drawn.problem, rng.choice(rng.choice([drawn.right or drawn.wrong, drawn.wrong])))
    for _ in range(rng.randint(0, most)):
        sheet = EDITS[rng.choice(list(EDITS))](sheet, drawn, rng)
    return sheet


@CASES
@pytest.mark.parametrize("task, kind", ROWS)
def test_no_edit_takes_a_wrong_answer_above_three(task, kind, count):
    """Strategy (of an object), result and answer each need an answer that is right, whatever else the trace says."""
    for seed in range(3 * count):
        drawn, rng = draw(task, kind, seed)
        verdict = cv.verify(drawn.problem, edited(drawn, rng).text())
        right = is_right(drawn, verdict.answer)
        assert sum(verdict.bits.values()) == verdict.score
        if not right:
            assert verdict.score <= 3, (drawn.problem, verdict)
            assert bits(verdict)[2] + bits(verdict)[4:] == "000", (drawn.problem, verdict.to_json())
        if verdict.score == 6:
            assert right
        failed = {slot for slot in SLOTS if not verdict.bits[slot]}
        assert {fault.slot for fault in verdict.faults} <= failed
        assert bool(verdict.faults) == bool(failed)


@CASES
@TASKS_AND_CLASSES
def test_what_edits_do_to_a_wrong_answer_that_they_leave_alone(task, kind, count):
    """A trace that scores three for its wrong answer scores three at most after any edit of its other slots."""
    for seed in range(count):
        drawn, rng = draw(task, kind, seed)
        wrong = plain(task, rng.choice(drawn.wrong))
        sheet = edited(drawn, rng).swapped(wrong)
        verdict = cv.verify(drawn.problem, sheet.text())
        assert verdict.answer == wrong
        assert verdict.score <= 3
        assert verdict.score == 3 or 0 in (verdict.bits["graph"], verdict.bits["query"], verdict.bits["derivation"])


@CASES
@pytest.mark.parametrize("task, kind", ROWS)
def test_a_contradiction_never_earns_a_bit(task, kind, count):
    """One more ANSWER line that differs: strategy, result and answer are void, and no bit comes back."""
    for seed in range(count):
        drawn, rng = draw(task, kind, seed)
        sheet = edited(drawn, rng, most=2)
        before = cv.verify(drawn.problem, sheet.text())
        if before.answer is None:
            continue
        lines = sheet.line.bodies if isinstance(sheet.line, Copies) else (sheet.line,)
        others = [line for line in (plain(task, a) for a in [*drawn.right, *drawn.wrong]) if line != before.answer]
        if lines == (ABSENT,):
            lines = (before.answer,)
        for hedge in (Copies((*lines, rng.choice(others))), Copies((rng.choice(others), *lines))):
            after = cv.verify(drawn.problem, sheet.but(line=hedge).text())
            assert after.answer is None
            assert all(after.bits[slot] <= before.bits[slot] for slot in SLOTS)
            assert bits(after)[2] + bits(after)[4:] == "000"


@CASES
@TASKS_AND_CLASSES
def test_a_missing_or_repeated_slot_fails_its_own_bit_only(task, kind, count):
    """With the graph supplied and the answer on its line, each slot stands for itself."""
    for seed in range(max(count // 10, 4)):
        drawn, rng = draw(task, kind, seed)
        sheet = sheet_of(drawn.problem, rng.choice(drawn.right))
        for place, slot in enumerate(SLOTS):
            body = getattr(sheet, slot)
            for absent in (ABSENT, Copies((body, body)), Copies((body, body, body)), Raw("{"), Raw("")):
                verdict = cv.verify(drawn.problem, sheet.but(**{slot: absent}).text())
                assert bits(verdict) == "1" * place + "0" + "1" * (5 - place), (slot, absent, verdict.faults)
                assert [fault.slot for fault in verdict.faults] == [slot]


# ---------------------------------------------------------------- any text

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from("ABXY")
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["set", "task", "rule", "to", "path", "nodes", "edges", "cycle"]) | st.text(max_size=3),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
TEXTS = st.text(
    st.sampled_from(list('ABXY{}[]",:-><STEP 123456 \n\t#*`()∅é\u0301\ud800')) | st.characters(), max_size=60
)


@st.composite
def manglings(draw_, problem_sheet: Sheet) -> str:
    """A sheet with slots replaced by any JSON, lines lost, repeated, shuffled and spliced with any text."""
    sheet = problem_sheet
    for slot in draw_(st.lists(st.sampled_from(SLOTS), max_size=3)):
        body = draw_(VALUES)
        old = getattr(sheet, slot)
        if isinstance(old, dict) and isinstance(body, dict):
            body = {**old, **body}
        elif isinstance(old, dict) and old and draw_(st.booleans()):
            body = {**old, draw_(st.sampled_from(sorted(old))): body}
        sheet = sheet.but(**{slot: body})
    lines = sheet.text().split("\n")
    for _ in range(draw_(st.integers(0, 3))):
        at = draw_(st.integers(0, len(lines)))
        kind = draw_(st.sampled_from(["insert", "drop", "repeat", "cut", "answer"]))
        if kind == "insert":
            lines.insert(at, draw_(TEXTS))
        elif kind == "answer":
            lines.insert(at, "ANSWER: " + draw_(TEXTS))
        elif at < len(lines):
            line = lines[at]
            whole = {"drop": [], "repeat": [line, line], "cut": [line[: draw_(st.integers(0, len(line)))]]}[kind]
            lines[at : at + 1] = whole
    return draw_(st.sampled_from(["\n", "\r\n", "\n\n"])).join(lines)


def modes(task: str) -> list[cv.Problem]:
    """A problem of the task with its graph supplied, and one that asks for the trace's own."""
    drawn, _ = draw(task, ADMITS[task][-1], 0)
    problem = drawn.problem
    if task == "knights":
        return [problem, cv.Problem("p", cv.Query("knights", problem.query.targets))]
    return [problem, cv.Problem("p", problem.query), cv.Problem("p", problem.query, legend=problem.graph.nodes)]


def assert_is_a_verdict(verdict: cv.Verdict) -> None:
    assert verdict.score == sum(verdict.bits.values())
    assert 0 <= verdict.score <= 6
    assert all(fault.why and verdict.bits[fault.slot] == 0 for fault in verdict.faults)
    assert (verdict.score == 6) == (not verdict.faults)
    assert verdict.why
    record = json.loads(json.dumps(verdict.to_json()))
    assert cv.Verdict.from_json(record).to_json() == record


@pytest.mark.parametrize("task", ADMITS)
@settings(max_examples=60)
@given(data=st.data())
def test_verify_judges_any_text(task, data):
    drawn, rng = draw(task, ADMITS[task][-1], 0)
    answer = data.draw(
        st.sampled_from([rng.choice(drawn.right or drawn.wrong), rng.choice(drawn.wrong)]), label="answer"
    )
    text = data.draw(TEXTS | manglings(sheet_of(drawn.problem, answer)), label="text")
    for problem in modes(task):
        assert_is_a_verdict(cv.verify(problem, text))


@pytest.mark.property
@pytest.mark.parametrize("task", ADMITS)
@settings(max_examples=1_000)
@given(data=st.data())
def test_verify_judges_any_text_at_length(task, data):
    drawn, rng = draw(task, ADMITS[task][-1], 0)
    answer = data.draw(
        st.sampled_from([rng.choice(drawn.right or drawn.wrong), rng.choice(drawn.wrong)]), label="answer"
    )
    text = data.draw(manglings(sheet_of(drawn.problem, answer)), label="text")
    for problem in modes(task):
        assert_is_a_verdict(cv.verify(problem, text))


@CASES
@pytest.mark.parametrize("task, kind", ROWS)
def test_the_derivation_bit_never_looks_at_the_answer(task, kind, count):
    """Result, answer slot and ANSWER lines may say anything, or nothing."""
    for seed in range(count):
        drawn, rng = draw(task, kind, seed)
        sheet = edited(drawn, rng, most=2)
        before = cv.verify(drawn.problem, sheet.text()).bits["derivation"]
        other = sheet.but(
            result=rng.choice([ABSENT, {"result": _other(drawn, rng)}]),
            answer=rng.choice([ABSENT, Raw("?"), {"answer": _other(drawn, rng)}]),
            line=rng.choice([ABSENT, "what?", show(_other(drawn, rng))]),
        )
        assert cv.verify(drawn.problem, other.text()).bits["derivation"] == before
