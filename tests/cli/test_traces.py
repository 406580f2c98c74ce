"""`calverify verify`, `select`, `explain`, `demo` and `doctor`: the same as the library says."""

import json

import pytest

import calverify as cv
from tests.cli.conftest import EXAMPLE
from tests.sheets import sheet_of

PROBLEM = ["--problem", "problem.json"]
FULL = "U -> X, U -> Y, X -> M, M -> Y, P -> Y"


def test_verify_a_valid_trace(run, folder):
    """Six of six leaves with 0."""
    done = run("verify", *PROBLEM, "trace.txt")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "score  6 of 6",
        *[f"  1  {slot}" for slot in ("graph", "query", "strategy", "derivation", "result", "answer")],
        "answer {U}",
        "why    {U} blocks every backdoor path from X to Y and holds no descendant of X",
    ]


def test_verify_an_invalid_trace(run, folder):
    """The paper's second trace: three of six, which leaves with 1, and the reason once."""
    done = run("verify", *PROBLEM, "wrong.txt")
    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines() == [
        "score  3 of 6",
        "  1  graph",
        "  1  query",
        "  0  strategy   M is a descendant of X: X -> M",
        "  1  derivation",
        "  0  result",
        "  0  answer",
        "answer {M}",
        "why    M is a descendant of X: X -> M",
    ]


@pytest.mark.parametrize("name", ["trace.txt", "wrong.txt"])
def test_verify_json_is_the_verdict(run, folder, problem, name):
    """--json prints the library's record."""
    verdict = cv.verify(problem, (folder / name).read_text("utf-8"))
    assert run("verify", *PROBLEM, "--json", name).json == verdict.to_json()


def test_standard_input_is_the_default(run, folder):
    """No file and "-" both mean standard input."""
    text = (folder / "trace.txt").read_bytes()
    assert run("verify", *EXAMPLE, stdin=text).code == 0
    assert run("verify", *EXAMPLE, "-", stdin=text).code == 0
    assert run("explain", *PROBLEM, stdin=text).code == 0
    assert run("select", *EXAMPLE, stdin=text).code == 0


@pytest.mark.parametrize("text", [b"", b"I would guess U.", b"STEP 3 [strategy]: {"])
def test_a_text_that_is_no_trace_scores(run, text):
    """The model's mistakes are faults and never an error."""
    done = run("verify", *EXAMPLE, stdin=text)
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith("score  0 of 6\n")
    assert "answer could not be read\n" in done.out


def test_a_text_that_is_too_large_is_undetermined(run):
    """Over the size limit is neither a pass nor a zero: exit code 4."""
    huge = b"x" * ((1 << 20) + 1)
    done = run("verify", *EXAMPLE, stdin=huge)
    assert (done.code, done.err) == (4, "")
    assert done.out == "score  undetermined: the text has 1,048,577 characters; the limit is 1,048,576\n"
    record = run("explain", *EXAMPLE, "--json", stdin=huge)
    assert (record.code, record.json["score"]) == (4, None)


def test_unregistered_task_scores_nothing(run, folder):
    """A trace of a task that nobody registered earns nothing, and the verdict says so."""
    done = run("verify", *EXAMPLE, "--task", "astrology", "trace.txt")
    assert done.code == 1
    assert "no task 'astrology' is registered" in done.out


def test_constructed_graph_mode(run, folder):
    """Without a graph, the trace is judged on the graph that it states."""
    done = run("explain", "--task", "backdoor", "--targets", "X,Y", "trace.txt")
    assert (done.code, done.out.splitlines()[0]) == (0, "score  6 of 6")


def test_explain_shows_a_witness_and_a_valid_answer(run, folder):
    """The proof that the answer is wrong, and what would be right."""
    done = run("explain", *PROBLEM, "wrong.txt")
    assert done.code == 1
    assert done.out.splitlines()[-4:] == [
        "witness",
        "  kind     descendant",
        "  path     X -> M",
        "nearby {U} is valid (ours, not the model's)",
    ]


def test_explain_draws_the_open_path(run, folder, problem):
    """A path is drawn edge by edge."""
    text = sheet_of(problem, frozenset({"P"})).text().encode()
    assert "  path     X <- U -> Y\n" in run("explain", *PROBLEM, stdin=text).out


def test_explain_json_is_the_verdict_and_a_valid_answer(run, folder, problem):
    """The same record as verify, and the valid answer nearby in plain JSON."""
    verdict = cv.verify(problem, (folder / "wrong.txt").read_text("utf-8"))
    assert run("explain", *PROBLEM, "--json", "wrong.txt").json == {**verdict.to_json(), "nearest_valid": ["U"]}


def test_select_from_a_pool(run, folder):
    """The earliest of the highest score, against what voting elects."""
    done = run("select", *PROBLEM, "--pool", "pool.json")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "     1  3 of 6  {M}              M is a descendant of X: X -> M",
        "->   2  6 of 6  {U}              {U} blocks every backdoor path from X to Y and holds no descendant of X",
        "     3  3 of 6  {M}              M is a descendant of X: X -> M",
        "chosen: candidate 2, {U}",
        "voting: candidate 1, {M}",
    ]


def test_select_from_files_is_select_from_a_pool(run, folder):
    """One file a candidate, in the order they are named."""
    pool = run("select", *PROBLEM, "--pool", "pool.json", "--json")
    files = run("select", *PROBLEM, "--json", "wrong.txt", "trace.txt", "wrong.txt")
    assert pool == files
    assert (files.json["index"], files.json["answer"], files.json["voting"]) == (1, ["U"], 0)


def test_select_json_is_the_choice(run, folder, problem):
    """--json prints the library's record, and what voting elects."""
    texts = [(folder / name).read_text("utf-8") for name in ("wrong.txt", "trace.txt")]
    choice = cv.select(problem, texts)
    found = run("select", *PROBLEM, "--json", "wrong.txt", "trace.txt").json
    assert found == {**choice.to_json(), "voting": 0}


def test_nothing_to_choose_from(run, folder):
    """Where no trace is admissible nothing is chosen, which leaves with 1; --admission all chooses all the same."""
    (folder / "prose.txt").write_text("It is surely U.", encoding="utf-8")
    done = run("select", *PROBLEM, "prose.txt")
    assert (done.code, done.out.splitlines()[1:]) == (1, ["chosen: nothing", "voting: nothing"])
    assert run("select", *PROBLEM, "--admission", "all", "--json", "prose.txt").json["index"] == 0


def test_answers_are_spelled_by_their_task(run):
    """A cycle is not shown as a set."""
    problem = cv.Problem("c", cv.Query("cycle"), cv.Graph.parse("A->B->A"))
    text = sheet_of(problem).text().encode()
    assert (
        "chosen: candidate 1, A -> B -> A\n" in run("select", "--graph", "A->B->A", "--task", "cycle", stdin=text).out
    )


def test_demo_shows_that_voting_elects_the_wrong_answer(run):
    """The demo's own claims, from its own numbers."""
    done = run("demo", "--by-hand")
    assert (done.code, done.err) == (0, "")
    assert "chosen: candidate 3, {U}\nvoting: candidate 1, {M}\n" in done.out
    record = run("demo", "--by-hand", "--json").json
    assert [verdict["score"] for verdict in record["verdicts"]] == [3, 3, 6, 3, 6, 6, 3, 6]
    assert (record["index"], record["voting"]) == (2, 0)


def test_the_demo_s_last_line_runs(run):
    """What the demo tells the reader to type works."""
    graph = cv.Graph.parse(FULL)
    line = run("demo", "--by-hand").out.splitlines()[-1]
    assert line == f'  calverify check --graph "{graph}" --task backdoor --targets X,Y --answer "U, P"'
    assert run("check", "--graph", FULL, "--task", "backdoor", "--targets", "X,Y", "--answer", "U, P").code == 0


def test_doctor_tests_itself(run):
    """Versions, tasks, and a self-test that passes."""
    done = run("doctor")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"calverify {cv.__version__} (scorer {cv.SCORER_VERSION}) on Python ")
    record = run("doctor", "--json").json
    assert (record["calverify"], record["tasks"]) == (cv.__version__, sorted(cv.TASKS))
    assert set(record["self_test"].values()) == {True}


def test_pool_of_a_problem_that_options_state(run, folder):
    """Options give the problem no id, so any pool may be judged by them."""
    record = json.loads((folder / "pool.json").read_text("utf-8"))
    (folder / "pool.json").write_text(json.dumps({**record, "problem": "another"}), encoding="utf-8")
    assert run("select", *EXAMPLE, "--pool", "pool.json").code == 0


def test_explain_shows_a_witness_inside_a_witness(run):
    """It stands under its name, field by field like any other."""
    asked = ["--graph", "Z->X->Y, X<->Y", "--task", "instrument", "--targets", "X,Y"]
    lines = run("explain", *asked, stdin=b'STEP 6 [answer]: {"answer": "Z"}').out.splitlines()
    shown = lines[lines.index("witness") + 1 :]
    assert shown[0] == "  kind     instrument"
    assert shown.index("    path     Z -> X") > shown.index("  relevant")
    assert shown[-1] == "    states   Z (start), X (by head)"
