"""Pearl's criterion, strict: nothing of X, Y and De(X), and separation without arrows out of X."""

import pytest

import calverify as cv
from tests.set_agreement import set_task_agrees
from tests.sheets import bits, sheet_of

WORKED = "U -> X, U -> Y, X -> M -> Y, P -> Y"
M_BIAS = "A -> X, A -> M <- B -> Y, X -> Y"
CASES = pytest.mark.parametrize("count", [60, pytest.param(3_000, marks=pytest.mark.property)])
CLASSES = pytest.mark.parametrize("kind", ["dag", "admg"])

JUDGED = [
    ("the paper's first valid set", WORKED, "X", "Y", "U", True, "{U} blocks every backdoor path from X to Y"),
    ("the paper's second valid set", WORKED, "X", "Y", "U P", True, "{P, U} blocks every backdoor path"),
    ("the paper's empty set", WORKED, "X", "Y", "", False, "{} leaves the path X <- U -> Y open"),
    ("the paper's mediator", WORKED, "X", "Y", "M", False, "M is a descendant of X: X -> M"),
    ("valid but for the mediator", WORKED, "X", "Y", "U M", False, "M is a descendant of X: X -> M"),
    ("a descendant far down", "X -> A -> B -> C, X -> Y", "X", "Y", "C", False, "X -> A -> B -> C"),
    ("7 dowhy, pgmpy, dagitty: the mediator", "X -> M -> Y", "X", "Y", "M", False, "M is a descendant of X: X -> M"),
    ("7 without the mediator", "X -> M -> Y", "X", "Y", "", True, "blocks every backdoor path"),
    ("8 causalgraphicalmodels: outcome above", "Y -> X", "X", "Y", "", False, "{} leaves the path X <- Y open"),
    ("9 an adjustment set, not a backdoor set", "X -> B, Y", "X", "Y", "B", False, "B is a descendant of X: X -> B"),
    ("9 the empty set", "X -> B, Y", "X", "Y", "", True, "blocks every backdoor path"),
    ("10 caugi#277: nothing", "X <-> C <-> Y, C -> X, C -> Y, X -> Y", "X", "Y", "", False, "X <- C -> Y"),
    ("10 caugi#277: the bow", "X <-> C <-> Y, C -> X, C -> Y, X -> Y", "X", "Y", "C", False, "X <-> C <-> Y"),
    ("11 pathmc#480: collider and its parent", M_BIAS, "X", "Y", "A M", True, "{A, M} blocks every backdoor path"),
    ("11 pathmc#480: the other parent", M_BIAS, "X", "Y", "B M", True, "{B, M} blocks every backdoor path"),
    ("11 pathmc#480: the collider alone", M_BIAS, "X", "Y", "M", False, "the collider M is given"),
    ("11 pathmc#480: nothing", M_BIAS, "X", "Y", "", True, "{} blocks every backdoor path"),
    ("13 the treatment in its own set", WORKED, "X", "Y", "X", False, "X is the treatment itself"),
    ("13 the treatment in a valid set", WORKED, "X", "Y", "U X", False, "X is the treatment itself"),
    ("13 the outcome in the set", WORKED, "X", "Y", "U Y", False, "Y is the outcome itself"),
    ("13 a name that is no node", WORKED, "X", "Y", "U W", False, "W is not a node of the graph"),
    ("13 two names that are no nodes", WORKED, "X", "Y", "W U T", False, "T, W are not nodes of the graph"),
    ("13 endpoints that nothing joins: the treatment", "X, Y", "X", "Y", "X", False, "X is the treatment itself"),
    ("13 endpoints that nothing joins: the outcome", "X, Y", "X", "Y", "Y", False, "Y is the outcome itself"),
    ("13 endpoints that nothing joins: unknown", "X, Y", "X", "Y", "Z", False, "Z is not a node of the graph"),
    ("14 y0: nodes called P and Q", "U -> P, U -> Q, P -> Q", "P", "Q", "U", True, "from P to Q"),
    ("14 y0: nodes called P and Q, open", "U -> P, U -> Q, P -> Q", "P", "Q", "", False, "P <- U -> Q"),
    ("14 dowhy: names that share characters", "V -> V1, V -> 1, V1 -> 1", "V1", "1", "V", True, "from V1 to 1"),
    ("14 dowhy: the characters of a name", "V1 -> X, V1 -> Y, V, 1", "X", "Y", "V 1", False, "X <- V1 -> Y"),
    ("an arc is a backdoor", "X <-> Y, X -> Y", "X", "Y", "", False, "X <-> Y"),
    ("a look-alike letter is another name", WORKED, "X", "Y", "\u0405", False, "\u0405 is not a node of the graph"),
]


@pytest.mark.parametrize("graph, x, y, names, valid, why", [row[1:] for row in JUDGED], ids=[row[0] for row in JUDGED])
def test_a_set_is_judged(graph, x, y, names, valid, why):
    graph, query, names = cv.Graph.parse(graph), cv.Query("backdoor", (x, y)), names.split()
    said = cv.check(graph, query, names)
    assert said.valid is valid
    assert why in said.why
    assert said.answer == sorted(names)
    verdict = cv.verify(cv.Problem("p", query, graph), sheet_of(cv.Problem("p", query, graph), frozenset(names)).text())
    assert bits(verdict) == ("111111" if valid else "110100")
    assert verdict.why == said.why
    assert verdict.witness == said.witness


CYCLIC = "X -> A -> B -> A, X -> Y"
REFUSED = [
    ("13 X = Y", WORKED, ("X", "X"), cv.QueryError, "must be different nodes, not X, X"),
    ("an unknown target", WORKED, ("X", "W"), cv.QueryError, "'W' is not in the graph"),
    ("one target", WORKED, ("X",), cv.QueryError, "backdoor takes 2 targets (treatment, outcome), not X"),
    ("three targets", WORKED, ("X", "Y", "M"), cv.QueryError, "not X, Y, M"),
    ("no target", WORKED, (), cv.QueryError, "not none"),
    ("13 a cycle", CYCLIC, ("X", "Y"), cv.GraphError, "directed cycle"),
]


@pytest.mark.parametrize("graph, targets, error, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_query_that_makes_no_sense_is_refused(graph, targets, error, why):
    graph, query = cv.Graph.parse(graph), cv.Query("backdoor", targets)
    with pytest.raises(error) as refused:
        cv.check(graph, query, ["U"])
    assert why in str(refused.value)
    for ask in (cv.solve, lambda graph, query: cv.nearest_valid(graph, query, [])):
        with pytest.raises(error):
            ask(graph, query)
    with pytest.raises(error):
        cv.verify(cv.Problem("p", query, graph), "ANSWER: U")


def test_a_cycle_is_refused_by_its_nodes():
    with pytest.raises(cv.GraphError) as refused:
        cv.check(cv.Graph.parse(CYCLIC), cv.Query("backdoor", ("X", "Y")), [])
    assert "A" in str(refused.value)
    assert "B" in str(refused.value)


def test_a_self_loop_is_refused_before_there_is_a_graph():
    with pytest.raises(cv.GraphError, match="X -> X is a self-loop"):
        cv.Graph.parse("X -> X, X -> Y")


def test_a_name_listed_twice_is_refused():
    said = cv.check(cv.Graph.parse(WORKED), cv.Query("backdoor", ("X", "Y")), ["U", "U"])
    assert said.valid is False
    assert said.why == "U is listed twice"
    assert said.answer is None


@pytest.mark.parametrize(
    "kind, empty",
    [
        ("set()", True),
        ("{}", True),
        ("[]", True),
        ("empty set", True),
        ("none", True),
        ("∅", True),
        ([], True),
        (set(), True),
        ("", False),
        (None, False),
    ],
)
def test_the_empty_set_is_an_answer_and_nothing_is_not(kind, empty):
    said = cv.check(cv.Graph.parse("X -> Y"), cv.Query("backdoor", ("X", "Y")), kind)
    assert said.valid is empty
    assert said.answer == ([] if empty else None)


@CASES
@CLASSES
def test_sets_agree_with_the_oracle(kind, count):
    set_task_agrees("backdoor", kind, count)


def test_where_no_set_is_valid_nothing_is_offered():
    graph, query = cv.Graph.parse("X <-> Y, X -> Y, U -> X"), cv.Query("backdoor", ("X", "Y"))
    assert cv.solve(graph, query) == []
    assert cv.nearest_valid(graph, query, {"U"}) is None


def test_the_worked_example_has_one_minimal_set():
    graph, query = cv.Graph.parse(WORKED), cv.Query("backdoor", ("X", "Y"))
    assert cv.solve(graph, query) == [frozenset({"U"})]
    assert cv.nearest_valid(graph, query, {"M", "P"}) == ["P", "U"]
    assert cv.nearest_valid(graph, query, "no list of names: {") == ["U"]


@pytest.mark.parametrize("written", ["backdoor", "Backdoor", "backdoor-adjustment set", "BACK DOOR", "backdoor_set"])
def test_other_spellings_of_the_task(written):
    assert cv.find_task(written).name == "backdoor"
    assert cv.check(cv.Graph.parse(WORKED), cv.Query(written, ("X", "Y")), {"U"}).valid


def test_targets_bind_in_order():
    problem = cv.Problem("p", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse(WORKED))
    sheet = sheet_of(problem)
    turned = sheet.but(query={"task": "backdoor", "targets": ["Y", "X"]})
    assert bits(cv.verify(problem, turned.text())) == "101111"
