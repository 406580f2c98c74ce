"""`calverify check` and `calverify solve`: the same as the library says, in prose and in JSON."""

import json

import click
import pytest

import calverify as cv
from calverify.cli import commands
from calverify.cli._inputs import problem_from
from calverify.cli._judge import solve_command
from calverify.scoring import case_of
from calverify.tasks import FORMS, faultless_trace
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


EFFECT = ["--graph", "U->X, U->Y, X->M->Y, P->Y"]
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
    ([*EFFECT, "--task", "adjustment", "--targets", "X,Y"], "{U}\n"),
    ([*EFFECT, "--task", "optimal_adjustment", "--targets", "X,Y"], "{P, U}\n"),
    (["--graph", "X->M->Y, X<->Y", "--task", "frontdoor", "--targets", "X,Y"], "{M}\n"),
    (["--graph", "Z->X->Y, X<->Y", "--task", "instrument", "--targets", "X,Y"], "Z\n"),
    (["--graph", "Z->X->Y, X<->Y, W->Z, W->Y", "--task", "instrument", "--targets", "X,Y", "--given", "W"], "Z\n"),
    ([*EFFECT, "--task", "markov_blanket", "--targets", "M"], "{P, U, X, Y}\n"),
    ([*EFFECT, "--task", "maximal_root_set"], "{Y}\n"),
    ([*EFFECT, "--task", "parent", "--targets", "Y"], "M\nP\nU\n"),
    ([*EFFECT, "--task", "child", "--targets", "U"], "X\nY\n"),
    ([*EFFECT, "--task", "ancestor", "--targets", "M"], "U\nX\n"),
    ([*EFFECT, "--task", "descendant", "--targets", "X"], "M\nY\n"),
    (["--graph", "A--B, B--C", "--task", "node"], "A\nB\nC\n"),
    (["--graph", "A--B, B--C", "--task", "edge"], "A -- B\nB -- C\n"),
    (["--graph", "A->B, A<->B", "--task", "edge"], "A -> B\nA <-> B\n"),
    ([*EFFECT, "--task", "chain"], "{M, U, X}\n{M, X, Y}\n"),
    ([*EFFECT, "--task", "fork"], "{U, X, Y}\n"),
    ([*EFFECT, "--task", "v_structure"], "{M, P, Y}\n{M, U, Y}\n{P, U, Y}\n"),
    (["--graph", "A->B, A<->B", "--task", "path", "--targets", "A,B"], "A -> B\nA <-> B\n"),
    ([*EFFECT, "--task", "directed_path", "--targets", "X,Y"], "X -> M -> Y\n"),
    ([*EFFECT, "--task", "backdoor_path", "--targets", "X,Y"], "X <- U -> Y\n"),
    (["--graph", "A->B, A->C", "--task", "topological_order"], "A, B, C\nA, C, B\n"),
    (["--graph", "A->B->C", "--task", "markov_equivalent"], "B -> A, B -> C\nB -> A, C -> B\n"),
    (["--graph", "A->B, B<->C", "--task", "c_component"], "{A}\n{B, C}\n"),
    (["--graph", "A<->B<->C", "--task", "is_c_component"], "yes\n"),
    (["--graph", "A<->B<->C, A->B, A->C", "--task", "c_forest"], "no\n"),
    (["--graph", "A<->B<->C, A->B->C", "--task", "c_tree"], "yes\n"),
    ([*EFFECT, "--task", "ancestor", "--targets", "Y", "--form", "find_all"], "{M, P, U, X}\n"),
    ([*EFFECT, "--task", "ancestor", "--targets", "Y", "--form", "how_many"], "4\n"),
    ([*EFFECT, "--task", "ancestor", "--targets", "Y", "--form", "yes_no", "--claim", "Y"], "no\n"),
    ([*EFFECT, "--task", "ancestor", "--targets", "U", "--form", "existence"], "no\n"),
    ([*EFFECT, "--task", "path", "--targets", "X,Y", "--form", "find_all"], "[X -> M -> Y, X <- U -> Y]\n"),
    (["--graph", "A->B, B<->C", "--task", "c_component", "--form", "find_all"], "[{A}, {B, C}]\n"),
    (["--graph", "A->B, A->C", "--task", "topological_order", "--form", "find_all"],
     '[["A", "B", "C"], ["A", "C", "B"]]\n'),
    (["--graph", "A->B, A<->B", "--task", "edge", "--form", "find_all"], "[A -> B, A <-> B]\n"),
    ([*EFFECT, "--task", "backdoor", "--targets", "X,Y", "--form", "maximal"], "{P, U}\n"),
    ([*EFFECT, "--task", "backdoor", "--targets", "X,Y", "--form", "minimum"], "{U}\n"),
    (["--graph", "A->B->C, A->D->C", "--task", "d_separation", "--targets", "A,C", "--form", "minimal"], "{B, D}\n"),
    ([*EFFECT, "--task", "backdoor", "--targets", "X,Y", "--option", "{M}", "--option", "{U}", "--option", "U, P"],
     "B\nC\n"),
    ([*EFFECT, "--task", "backdoor", "--targets", "X,Y", "--form", "choice_not", "--option", "{M}", "--option", "{U}"],
     "A\n"),
    (["--graph", "A->B->A, B->C->A", "--task", "cycle", "--form", "longest"], "A -> B -> C -> A\n"),
    (["--graph", "A->B->C->D, A->D", "--task", "path", "--targets", "A,D", "--form", "shortest"], "A -> D\n"),
    (["--graph", "X->Y, X<->Y", "--task", "identifiable", "--targets", "X,Y"], "no\n"),
    ([*EFFECT, "--task", "identification", "--targets", "X,Y"], "sum_{U} P(Y | U, X) P(U)\n"),
    (["--graph", "X->Y, X<->Y", "--task", "identification", "--targets", "X,Y"], "not identifiable\n"),
    (["--graph", "A->B->Y, A->Y, Z->Y", "--task", "identification", "--targets", "{A,B},Y", "--given", "Z"],
     "P(Y | A, B, Z)\n"),
    (["--graph", "A->B->C", "--task", "equivalence_claim", "--targets", "A,B", "--says", "relation: parent"], "no\n"),
    (["--graph", "A->C<-B", "--task", "equivalence_claim", "--targets", "A,C", "--says", "relation: parent"], "yes\n"),
]  # fmt: skip


NEED_A_RECORD = {  # tasks whose question no options can state: they need the tables of a model
    "ate", "correlation", "counterfactual", "ett", "explaining_away", "natural_direct", "natural_indirect", "necessity",
    "probability",
}  # fmt: skip


@pytest.mark.parametrize(("question", "answers"), QUESTIONS, ids=lambda part: part[-1] if type(part) is str else None)
def test_every_solution_checks(run, question, answers):
    """What solve prints, check accepts, letter by letter."""
    assert run("solve", *question) == (0, answers, "")
    for line in answers.splitlines():
        assert run("check", *question, "--answer", line).code == 0


@pytest.mark.parametrize(("question", "answers"), QUESTIONS, ids=lambda part: part[-1] if type(part) is str else None)
def test_one_answer(run, question, answers):
    """--one prints a single answer that checks, whatever the task and the form."""
    done = run("solve", *question, "--one")
    assert (done.code, done.out.count("\n")) == (0, 1)
    assert run("check", *question, "--answer", done.out.removesuffix("\n")).code == 0
    assert len(run("solve", *question, "--one", "--json").json) == 1


def record_of(question):
    """The same question as a problem record."""
    parent = click.Context(commands, **commands.context_settings)  # click keeps the help option of the first parse
    context = solve_command.make_context("solve", list(question), parent)
    asked = {name: value for name, value in context.params.items() if name not in ("limit", "one", "json")}
    return problem_from(asked)


@pytest.mark.parametrize(("question", "answers"), QUESTIONS, ids=lambda part: part[-1] if type(part) is str else None)
def test_every_task_and_form_is_verified_and_explained(run, tmp_path, question, answers):
    """A faultless trace of the first solution scores 6, and one that says nonsense is explained with a way out."""
    problem = record_of(question)
    case = case_of(problem.graph, problem.query)
    (tmp_path / "problem.json").write_text(json.dumps(problem.to_json()), encoding="utf-8")
    (tmp_path / "trace.txt").write_text(faultless_trace(case, cv.solve(problem.graph, problem.query)[0]), "utf-8")
    asked = ["--problem", str(tmp_path / "problem.json")]
    done = run("verify", *asked, str(tmp_path / "trace.txt"))
    assert (done.code, done.err, done.out.splitlines()[0]) == (0, "", "score  6 of 6")
    assert f"\nanswer {answers.splitlines()[0]}\n" in done.out
    assert run("explain", *asked, str(tmp_path / "trace.txt")).out.startswith(done.out)
    wrong = run("explain", *asked, stdin=b"STEP 6 [answer]: {}\nANSWER: 7->Q->7->R")
    assert (wrong.code, wrong.err, wrong.out.splitlines()[0]) == (1, "", "score  0 of 6")


def test_a_claim_and_options_say_the_form(run):
    """--claim makes a yes_no question and --option a choice; beside another form they are refused."""
    asked = [*EFFECT, "--task", "parent", "--targets", "Y"]
    assert run("solve", *asked, "--claim", "U").out == "yes\n"
    assert run("solve", *asked, "--option", "X", "--option", "U").out == "B\n"
    assert run("check", *asked, "--option", "X", "--option", "U", "--answer", "(b)").code == 0
    done = run("solve", *asked, "--claim", "U", "--form", "how_many")
    assert (done.code, done.err.splitlines()[0]) == (2, "error: --claim belongs to --form yes_no, not to how_many.")
    done = run("solve", *asked, "--option", "U", "--form", "find_one")
    assert done.err.startswith("error: --option belongs to --form choice or choice_not, not to find_one.\n")
    assert run("solve", *asked, "--form", "yes_no").code == 2
    assert run("check", *asked, "--form", "choice", "--answer", "A").code == 2


def test_forms_explain_themselves(run):
    """A count says the right one, a list what is left out or foreign, a letter its option, a size what is better."""
    asked = [*EFFECT, "--targets", "X,Y", "--task"]
    for form, said in (
        (["path", "--form", "how_many", "--answer", "3"], "there are 2, not 3"),
        (["path", "--form", "find_all", "--answer", "[X->M->Y]"], "X <- U -> Y is left out"),
        (["path", "--form", "find_all", "--answer", "[X->Y]"],
         "X -> Y does not belong: X -> Y is not an edge of the graph"),
        (["backdoor", "--option", "{M}", "--option", "{U}", "--answer", "A"], "A: M is a descendant of X: X -> M"),
        (["backdoor", "--option", "{M}", "--answer", "D"], "there is no option D"),
        (["backdoor", "--form", "maximal", "--answer", "U"], "{U} is valid but not maximal: {P, U} is valid too"),
        (["backdoor", "--claim", "{M}", "--answer", "yes"], "M is a descendant of X: X -> M"),
        (["c_tree", "--answer", "yes"], None),
    ):  # fmt: skip
        done = run("check", *(asked if said else [*EFFECT, "--task"]), *form)
        assert done.code == 1
        assert said is None or done.out.splitlines()[0] == f"invalid: {said}"


def test_a_form_that_a_task_does_not_have(run):
    """It is refused by name, as is one that does not exist."""
    asked = [*EFFECT, "--task", "mediator", "--targets", "U,X,Y"]
    assert run("solve", *asked, "--form", "how_many").err == "error: mediator is not asked as how_many\n"
    assert run("solve", *asked, "--form", "how many").err.startswith(
        "error: unknown form 'how many'; there are find_one"
    )


def test_a_node_may_be_called_none(run):
    """Its name is no empty answer, in what is offered either."""
    asked = ["--graph", "none->A", "--task", "parent", "--targets", "A"]
    assert run("check", *asked, "--answer", "none").code == 0
    nearby = run("check", *asked, "--answer", "A").out.splitlines()[1]
    assert nearby.replace('"', "").strip("[]").startswith(("nearby: none is", "nearby: [none] is"))


def test_every_task_is_asked_here():
    """A new task needs a row above, or its name among those that need a problem record."""
    asked = {question[question.index("--task") + 1] for question, _ in QUESTIONS}
    assert asked | NEED_A_RECORD == set(cv.TASKS)


def test_every_form_is_asked_here():
    """A new form needs a row above."""
    asked = {record_of(question).query.form for question, _ in QUESTIONS}
    assert asked == {"find_one", *FORMS}


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
