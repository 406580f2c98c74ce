"""Estimands: what is accepted, what is refused with two numbers, and what is no answer at all."""

import pytest

import calverify as cv
from calverify.docalculus import EXAMPLES
from tests.rows import is_judged, is_refused, judged
from tests.sheets import bits, sheet_of

FORK = "U -> X, U -> Y, X -> Y"
FRONTDOOR = "X -> M -> Y, X <-> Y"
NAPKIN = "W -> R -> X -> Y, W <-> X, W <-> Y"

ROWS = [
    ("adjustment", FORK, "X Y", "sum_{U} P(Y|X,U) P(U)", True, "is derived to be"),
    ("in LaTeX and lower case", FORK, "X Y", r"\sum_u P(y \mid x, u) P(u)", True, "is derived to be"),
    ("with values", FORK, "X Y", "sum_{U} P(Y=1|X=1,U) P(U)", True, "is derived to be"),
    ("what is seen is not what is done", FORK, "X Y", "P(Y|X)", False, "in a model of this graph it is"),
    ("nor with a value: the published prover accepts it", FORK, "X Y", "P(Y=1|X)", False, "in a model"),
    ("nor the outcome alone: the published prover accepts it", FORK, "X Y", "P(Y=1)", False, "in a model"),
    ("weighed by the treatment", FORK, "X Y", "sum_{U} P(Y|X,U) P(U|X)", False, "in a model of this graph it is"),
    ("a stratum is not the average", FORK, "X Y", "P(Y|X,U)", False, "in a model of this graph it is"),
    ("an effect has no effect on its cause", FORK, "Y X", "P(X)", True, "is derived to be P(X) in 1 step"),
    ("no causal path", "U -> X, U -> Y", "X Y", "P(Y)", True, "is derived to be"),
    ("front door", FRONTDOOR, "X Y", "sum_{M} P(M|X) sum_{X'} P(Y|M,X') P(X')", True, "is derived to be"),
    ("front door, the copy forgotten", FRONTDOOR, "X Y", "sum_{M} P(M|X) P(Y|M,X)", False, "in a model"),
    ("mediator trap", "X -> M -> Y", "X Y", "sum_{M} P(Y|X,M) P(M)", False, "in a model of this graph it is"),
    (
        "napkin", NAPKIN, "X Y", "sum_{W} P(X,Y|R,W) P(W) / sum_{W} P(X|R,W) P(W)", True, "is derived to be",
    ),
    ("napkin, as a well-known library has it", NAPKIN, "X Y", "P(Y|X)", False, "in a model of this graph it is"),
    ("bow", "X -> Y, X <-> Y", "X Y", "P(Y|X)", False, "in a model of this graph it is"),
    ("bow: there is none", "X -> Y, X <-> Y", "X Y", "not identifiable", True, "form a hedge"),
    ("there is one", FORK, "X Y", "not identifiable", False, "is identified: it is sum_{U} P(Y | U, X) P(U)"),
    ("an unknown name", FORK, "X Y", "P(Y|X,Q)", False, "Q is not in the graph"),
    ("an intervention is no estimand", FORK, "X Y", "P(Y|do(X))", False, "it intervenes"),
    ("no expression", FORK, "X Y", "adjust for U", False, "character"),
    ("a bracket is missing", FORK, "X Y", "P(Y|X", False, "expected"),
    ("divided by zero", FORK, "X Y", "P(Y|X) / (P(X) - P(X))", False, "division by zero"),
]  # fmt: skip


@judged("graph, targets, answer, valid, why", ROWS)
def test_a_row(graph, targets, answer, valid, why):
    is_judged(cv.Query("identification", tuple(targets.split())), graph, answer, valid, why)


def test_a_condition_is_part_of_the_target():
    query = cv.Query("identification", ("X", "Y"), given=("U",))
    is_judged(query, FORK, "P(Y|X,U)", True, "is derived to be")
    is_judged(query, FORK, "sum_{U} P(Y|X,U) P(U)", False, "in a model of this graph it is")


def test_targets_may_be_sets():
    query = cv.Query("identification", (("A", "B"), "Y"))
    is_judged(query, "A -> B -> Y, A -> Y, A <-> B", "P(Y|A,B)", True, "is derived to be")
    is_judged(query, "A -> B -> Y, A -> Y, B <-> Y", "P(Y|A,B)", False, "in a model of this graph it is")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_textbook_answer_of_every_named_example_is_accepted(example):
    query = cv.Query("identification", (tuple(example.treatments), tuple(example.outcomes)), given=example.given)
    assert cv.check(example.graph, query, example.estimand or "not identifiable").valid is True
    solved = cv.solve(example.graph, query)
    assert len(solved) == 1
    assert cv.check(example.graph, query, cv.find_task("identification").answer.show(solved[0])).valid is True


def test_equal_expressions_in_other_words_vote_together():
    problem = cv.Problem("p", cv.Query("identification", ("X", "Y")), cv.Graph.parse(FORK))
    spellings = ["sum_{U} P(Y|X,U) P(U)", r"\sum_u P(u) P(y|u,x)", "sum_{U} (P(U) * P(Y | U, X))"]
    answers = {cv.verify(problem, f"STEP 6 [answer]: {{}}\nANSWER: {text}").answer for text in spellings}
    assert answers == {"sum_{U} P(Y | U, X) P(U)"}


HOSTILE = [
    ("brackets", "(" * 10_000 + "P(Y)" + ")" * 10_000),
    ("sums one in another", "sum_{U} " * 1_000 + "P(Y|X,U) P(U)"),
    ("sums one after another", " + ".join(["sum_{U} P(Y|X,U) P(U)"] * 1_000)),
    ("factors", " * ".join(["P(Y|X)"] * 5_000)),
    ("division by zero", "P(Y|X) / 0"),
    ("unknown names", "P(" + ",".join(f"N{i}" for i in range(1_000)) + ")"),
    ("digits", "9" * 100_000 + " P(Y)"),
]


@judged("text", [(name, text) for name, text in HOSTILE])
def test_a_hostile_expression_costs_its_bits_and_nothing_else(text):
    problem = cv.Problem("p", cv.Query("identification", ("X", "Y")), cv.Graph.parse(FORK))
    verdict = cv.verify(problem, f'STEP 6 [answer]: {{"answer": "x"}}\nANSWER: {text}')
    assert verdict.undetermined or verdict.bits["answer"] == 0
    said = cv.check(problem.graph, problem.query, text)
    assert said.valid is not True
    assert len(said.why) < 1_000


def test_a_whole_trace():
    problem = cv.Problem("p", cv.Query("identification", ("X", "Y")), cv.Graph.parse(FORK))
    right = "sum_{U} P(Y | X, U) P(U)"
    case = cv.find_task("identification").answer.read(right, problem.graph.node_set, "answer")
    sheet = sheet_of(problem, case)
    assert bits(cv.verify(problem, sheet.text())) == "111111"


REFUSED = [
    ("one target", FORK, "X", cv.QueryError, "identification takes 2 targets"),
    ("one node twice", FORK, "X X", cv.QueryError, "X cannot be both treatment and outcome"),
    ("an unknown target", FORK, "X W", cv.QueryError, "'W' is not in the graph"),
    ("a cycle", "A -> B -> A", "A B", cv.GraphError, "directed cycle"),
    ("no directions", "A -- B", "A B", cv.GraphError, "undirected"),
]


@judged("graph, targets, error, why", REFUSED)
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    is_refused(cv.Query("identification", tuple(targets.split())), graph, error, why)


def test_a_condition_that_is_also_the_outcome_is_refused():
    query = cv.Query("identification", ("X", "Y"), given=("Y",))
    is_refused(query, FORK, cv.QueryError, "Y cannot be both outcome and condition")


def test_renaming_by_a_bijection_changes_no_score():
    """The names in problem and trace alike; swaps included, and names that only look like others."""
    query = cv.Query("identification", ("X", "Y"))
    problem = cv.Problem("p", query, cv.Graph.parse(FORK))
    for new in ({"X": "Y", "Y": "U", "U": "X"}, {"X": "do", "Y": "P", "U": "sum"}, {"X": "x_1", "Y": "x", "U": "x_11"}):
        names = problem.graph.nodes
        graph = cv.Graph([new[n] for n in names], [(new[a], new[b]) for a, b in problem.graph.directed])
        renamed = cv.Problem("p", cv.Query("identification", (new["X"], new["Y"])), graph)
        for text in ("sum_{@U} P(@Y|@X,@U) P(@U)", "P(@Y|@X)", "P(@Y=1|@X)", "sum_{@U} P(@Y|@X,@U) P(@U|@X)"):
            scores = []
            for asked, spelled in ((problem, {n: n for n in names}), (renamed, new)):
                answer = text
                for name in names:
                    answer = answer.replace(f"@{name}", spelled[name])
                read = cv.find_task("identification").answer.read(answer, asked.graph.node_set, "answer")
                scores.append(bits(cv.verify(asked, sheet_of(asked, read).text())))
            assert scores[0] == scores[1]
