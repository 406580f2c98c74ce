"""`calverify check` and `calverify solve`: the same as the library says, in prose and in JSON."""

import pytest

import calverify as cv
from tests.cli.conftest import EXAMPLE

GRAPH = cv.Graph.parse("U->X, U->Y, X->M->Y, P->Y")
QUERY = cv.Query("backdoor", ("X", "Y"))


def test_valid_answer(run):
    """A valid answer leaves with 0 and one line."""
    assert run("check", *EXAMPLE, "--answer", "U, P") == (
        0,
        "valid: {P, U} blocks every backdoor path from X to Y and holds no descendant of X\n",
        "",
    )


def test_invalid_answer_has_a_valid_one_nearby(run):
    """An invalid answer leaves with 1, says why, and offers a valid one that is labelled as ours."""
    assert run("check", *EXAMPLE, "--answer", "M, P") == (
        1,
        "invalid: M is a descendant of X: X -> M\nnearby: {P, U} is valid (ours, not the model's)\n",
        "",
    )


@pytest.mark.parametrize("answer", ["U", "U, P", "{M}", "set()", "none", "X", "Q", "U, U", ""])
def test_check_json_is_the_check(run, answer):
    """--json prints the library's record, and a valid answer nearby in plain JSON."""
    found = cv.check(GRAPH, QUERY, answer)
    nearby = None if found.valid else cv.nearest_valid(GRAPH, QUERY, answer)
    done = run("check", *EXAMPLE, "--answer", answer, "--json")
    assert done.json == {**found.to_json(), "nearest_valid": nearby}
    assert (done.code, done.err) == (0 if found.valid else 1, "")


def test_unknown_node_in_an_answer_is_the_model_s_mistake(run):
    """It costs the answer its validity; it is no error."""
    done = run("check", *EXAMPLE, "--answer", "Q")
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith("invalid: Q is not a node of the graph\n")


def test_no_valid_answer_exists(run):
    """Where nothing is valid, check says so and solve leaves with 1 and an empty list."""
    hidden = ["--graph", "X->Y, X<->Y", "--task", "backdoor", "--targets", "X,Y"]
    assert "nearby: no valid answer exists\n" in run("check", *hidden, "--answer", "set()").out
    assert run("solve", *hidden) == (1, "", "no valid answer exists\n")
    assert run("solve", *hidden, "--json") == (1, "[]\n", "")


QUESTIONS = [
    (["--graph", "U->X, U->Y, X->Y", "--task", "backdoor", "--targets", "X,Y"], "{U}\n"),
    (["--graph", "A->B->C, A->D->C", "--task", "d_separation", "--targets", "A,C"], "{B, D}\n"),
    (["--graph", "F->P<-T, P->Q", "--task", "blocked_path", "--path", "F->P<-T"], "{}\n"),
    (["--graph", "A->B->A, B->C->A", "--task", "cycle"], "A -> B -> A\nA -> B -> C -> A\n"),
    (["--graph", "X->M->N->Y", "--task", "mediator", "--targets", "X,M,Y"], "yes\n"),
    (["--graph", "X->M->N->Y", "--task", "direct_mediator", "--targets", "X,M,Y"], "no\n"),
    (["--graph", "Z->X->Y", "--task", "intervention", "--targets", "X,Z,Y"], "no\n"),
    (["--task", "knights", "--says", "Ann: knave(Bob)", "--says", "Bob: knave(Ann) and knave(Bob)"],
     "Ann is a knight, Bob is a knave\n"),
]  # fmt: skip


NEED_A_RECORD: set[str] = set()  # tasks whose question no options can state


@pytest.mark.parametrize(("question", "answers"), QUESTIONS, ids=lambda part: part[-1] if type(part) is str else None)
def test_every_solution_checks(run, question, answers):
    """What solve prints, check accepts, letter by letter."""
    assert run("solve", *question) == (0, answers, "")
    for line in answers.splitlines():
        assert run("check", *question, "--answer", line).code == 0


def test_every_task_is_asked_here():
    """A new task needs a row above, or its name among those that need a problem record."""
    asked = {question[question.index("--task") + 1] for question, _ in QUESTIONS}
    assert asked | NEED_A_RECORD == set(cv.TASKS)


def test_solve_stops_at_its_limit(run):
    """More answers than --limit is undetermined, which is 4; --one gives one all the same."""
    wide = ["--graph", "X<-A->B->Y, X<-C->D->Y, X<-E->F->Y", "--task", "backdoor", "--targets", "X,Y"]
    assert len(run("solve", *wide, "--json").json) == 8
    done = run("solve", *wide, "--limit", "7")
    assert (done.code, done.out) == (4, "")
    assert done.err == "error: backdoor has more than 7 minimal answers on this graph\n"
    one = run("solve", *wide, "--one", "--json").json
    assert len(one) == 1
    assert len(one[0]) == 3


def test_undetermined_is_neither_valid_nor_invalid(run):
    """25 people are too many for a truth table: solve leaves with 4, and check does not claim that nothing is valid."""
    said = [word for i in range(25) for word in ("--says", f"p{i}: knave(p{i})")]
    assert run("solve", "--task", "knights", *said).code == 4
    done = run("check", "--task", "knights", *said, "--answer", ", ".join(f"p{i} is a knave" for i in range(25)))
    assert done.code == 1
    assert done.out.splitlines()[1].startswith("nearby: undetermined: a truth table takes at most")


def test_names_with_commas_are_a_json_list(run):
    """A name that holds a comma is written as JSON, in targets and in answers."""
    graph = '"a, b" -> X, "a, b" -> Y, X -> Y'
    done = run("check", "--graph", graph, "--task", "backdoor", "--targets", '["X", "Y"]', "--answer", '["a, b"]')
    assert done.code == 0


def test_alias_of_a_task(run):
    """A task answers to its aliases, in any case and with blanks, dashes or underscores."""
    assert run("check", *EXAMPLE, "--task", "Back-Door Adjustment Set", "--answer", "U").code == 0


FILES = [
    ("g.txt", "U->X, U->Y, X->Y"),
    ("g.json", '{"nodes": ["U", "X", "Y"], "directed": [["U", "X"], ["U", "Y"], ["X", "Y"]]}'),
    ("g.dot", "digraph { U -> {X Y}; X -> Y }"),
    ("g.GV", "\ufeffdigraph { U -> {X Y}; X -> Y }"),
    ("g.dagitty", "dag { U -> {X Y}; X -> Y }"),
    ("g.gml", "graph [directed 1 node [id 0 label \"U\"] node [id 1 label \"X\"] node [id 2 label \"Y\"] "
              "edge [source 0 target 1] edge [source 0 target 2] edge [source 1 target 2]]"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), FILES)
def test_graph_from_a_file(run, tmp_path, name, text):
    """The suffix names the format, in upper or lower case, with or without a byte order mark."""
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    assert run("solve", "--graph-file", str(file), "--task", "backdoor", "--targets", "X,Y").out == "{U}\n"


def test_graph_from_standard_input(run):
    """Standard input has no suffix, so its format is named."""
    asked = ["--graph-file", "-", "--task", "backdoor", "--targets", "X,Y"]
    assert run("solve", *asked, "--format", "dot", stdin=b"digraph { U -> {X Y}; X -> Y }").out == "{U}\n"
    assert run("solve", *asked).err.startswith("error: Standard input has no suffix: name its --format")


def test_hidden_nodes_are_projected_on_request_only(run):
    """A hidden node is refused, or becomes a bidirected edge."""
    asked = ["--graph-file", "-", "--format", "dagitty", "--task", "backdoor", "--targets", "X,Y"]
    text = b"dag { H [latent] H -> {X Y} X -> Y }"
    assert run("solve", *asked, stdin=text).code == 2
    assert run("solve", *asked, "--project-latents", stdin=text) == (1, "", "no valid answer exists\n")
