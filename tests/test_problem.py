"""Problems and queries: what they hold, what they refuse, and their records."""

import json
from fractions import Fraction
from random import Random

import pytest

import calverify as cv
from tests.problems import ROWS, known

GRAPH = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y")
QUERY = cv.Query("backdoor", ("X", "Y"))
PROBLEM = cv.Problem("w1", QUERY, GRAPH, "what the model is shown")
RECORD = PROBLEM.to_json()
LEAKS = ["gold", "gold_v2", "correct", "answer", "answer_key", "target", "label"]


def through_json(record):
    return json.loads(json.dumps(record))


# ---------------------------------------------------------------- records


def test_the_specifications_record():
    record = {
        "id": "w1",
        "text": "what the model is shown",
        "query": {"task": "backdoor", "targets": ["X", "Y"]},
        "graph": {
            "class": "dag",
            "nodes": ["U", "X", "M", "Y", "P"],
            "directed": [["U", "X"], ["U", "Y"]],
            "bidirected": [],
        },
    }
    problem = cv.Problem.from_json(record)
    assert problem.id == "w1"
    assert problem.query == QUERY
    assert problem.graph == cv.Graph(["U", "X", "M", "Y", "P"], [("U", "X"), ("U", "Y")])
    assert problem.to_json() == record


def test_what_may_be_left_out_of_a_record():
    record = {
        "id": "w1",
        "query": {"task": "backdoor", "targets": ["X", "Y"]},
        "graph": {"nodes": ["X", "Y"], "directed": []},
    }
    problem = cv.Problem.from_json(record)
    assert problem.graph.kind == "dag"
    assert problem.text == ""
    assert cv.Problem.from_json({"id": "w1", "query": {"task": "cycle"}}).graph is None


QUERIES = [
    cv.Query("backdoor", ("X", "Y")),
    cv.Query("cycle"),
    cv.Query("blocked_path", path="F->P<-T<->J"),
    cv.Query("d_separation", ["A", "B"], given=["C"]),
    cv.Query("ate", ("X", "Y"), threshold=0, tolerance="0.02"),
    cv.Query("ate", ("X", "Y"), threshold=Fraction(1, 3), tolerance=Fraction(2, 7)),
    cv.Query("knights", ("Ann", "Bob"), formula=(("Ann", "knave(Bob)"), ("Bob", "Ann is a knight"))),
    cv.Query("a task of tomorrow", ("é", "Mary Ann")),
]


@pytest.mark.parametrize("query", QUERIES, ids=[str(i) for i in range(len(QUERIES))])
def test_a_query_is_plain_json_and_back(query):
    record = through_json(query.to_json())
    assert cv.Query.from_json(record) == query
    assert cv.Query.from_json(record).to_json() == record


@pytest.mark.parametrize("task, kind", ROWS)
def test_a_problem_is_plain_json_and_back(task, kind):
    for seed in range(10):
        drawn = known(Random(f"{task} {kind} {seed}"), task, kind).problem
        names = drawn.graph.nodes if drawn.graph else drawn.query.targets
        own = cv.Problem("own", drawn.query, None, "a tale", legend=names, graph_class=kind if drawn.graph else None)
        for problem in (drawn, own):
            record = through_json(problem.to_json())
            again = cv.Problem.from_json(record)
            assert again == problem
            assert again.to_json() == record
            assert again.graph is None or again.graph.nodes == problem.graph.nodes


def test_judging_leaves_a_problem_as_it_was():
    problem = cv.Problem.from_json(RECORD)
    cv.verify(problem, "ANSWER: U")
    assert problem == cv.Problem.from_json(RECORD)
    assert problem.to_json() == RECORD
    assert repr(problem) == repr(cv.Problem.from_json(RECORD))


# ---------------------------------------------------------------- the firewall


@pytest.mark.parametrize("field", LEAKS)
@pytest.mark.parametrize("value", [["U"], None, ""])
def test_a_field_in_which_an_answer_could_live_is_refused(field, value):
    with pytest.raises(cv.LeakError, match=repr(field)):
        cv.Problem.from_json({**RECORD, field: value})
    with pytest.raises(cv.LeakError, match=repr(field)):
        cv.Query.from_json({**QUERY.to_json(), field: value})
    with pytest.raises(cv.LeakError, match=repr(field)):
        cv.Problem.from_json({**RECORD, "query": {**RECORD["query"], field: value}})


@pytest.mark.parametrize("field", LEAKS)
def test_nor_inside_the_graph(field):
    with pytest.raises(cv.RecordError, match=repr(field)):
        cv.Problem.from_json({**RECORD, "graph": {**RECORD["graph"], field: ["U"]}})


@pytest.mark.parametrize("field", ["_memo", "Id", "id ", "metadata", "graph_"])
def test_only_known_fields_are_read(field):
    with pytest.raises(cv.LeakError):
        cv.Problem.from_json({**RECORD, field: {}})


def test_a_leak_is_a_record_error_that_names_what_is_allowed():
    with pytest.raises(cv.RecordError) as refused:
        cv.Problem.from_json({**RECORD, "gold": 1, "answer": 2})
    assert "'answer', 'gold'" in str(refused.value)
    assert "allowed: graph, graph_class, id, legend, query, scm, text" in str(refused.value)


@pytest.mark.parametrize("field", LEAKS)
def test_there_is_no_attribute_for_an_answer_either(field):
    for thing in (PROBLEM, QUERY):
        with pytest.raises((AttributeError, TypeError)):
            setattr(thing, field, ["U"])


# ---------------------------------------------------------------- what a problem refuses

MISPLACED = [
    (
        "an unknown target",
        {"query": cv.Query("backdoor", ("X", "W")), "graph": GRAPH},
        "target 'W' is not in the graph",
    ),
    (
        "an unknown condition",
        {"query": cv.Query("d_separation", ("X", "Y"), given=("W",)), "graph": GRAPH},
        "given 'W'",
    ),
    ("a path that leads astray", {"query": cv.Query("blocked_path", path="X -> W -> Y"), "graph": GRAPH}, "path 'W'"),
    (
        "a path's end",
        {"query": cv.Query("blocked_path", path="X -> M -> W"), "graph": GRAPH},
        "'W' is not in the graph",
    ),
    ("outside the legend", {"query": QUERY, "legend": ("X", "U")}, "target 'Y' is not in the legend (U, X)"),
    ("a look-alike", {"query": cv.Query("backdoor", ("\u0425", "Y")), "graph": GRAPH}, "target '\u0425' is not in"),
]


@pytest.mark.parametrize("fields, why", [row[1:] for row in MISPLACED], ids=[row[0] for row in MISPLACED])
def test_a_name_that_is_not_there_is_refused_with_its_place(fields, why):
    with pytest.raises(cv.QueryError) as refused:
        cv.Problem("w7", **fields)
    assert "problem 'w7'" in str(refused.value)
    assert why in str(refused.value)


WRONG = [
    ("no id", {"id": ""}),
    ("an id that is no text", {"id": 7}),
    ("no query", {"query": None}),
    ("a query in words", {"query": "backdoor"}),
    ("a graph in words", {"graph": "X -> Y"}),
    ("a text that is none", {"text": None}),
    ("a class that is none", {"graph_class": "tree"}),
    ("an empty name in the legend", {"legend": ("X", " ", "Y"), "graph": None}),
    ("a number in the legend", {"legend": ("X", "Y", 3), "graph": None}),
    ("a legend in words", {"legend": "XY", "graph": None}),
    ("a legend that is a number", {"legend": 7, "graph": None}),
]


@pytest.mark.parametrize("fields", [row[1] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_problem_that_is_none_is_refused(fields):
    with pytest.raises(cv.CalverifyError):
        cv.Problem(**{"id": "w", "query": QUERY, "graph": GRAPH, **fields})


DAMAGED = [
    ("no record", None),
    ("a list", [RECORD]),
    ("nothing in it", {}),
    ("no id", {"query": RECORD["query"]}),
    ("no query", {"id": "w"}),
    ("a query that is none", {**RECORD, "query": 7}),
    ("a query without a task", {**RECORD, "query": {"targets": ["X", "Y"]}}),
    ("a task that is no text", {**RECORD, "query": {"task": 7}}),
    ("targets in words", {**RECORD, "query": {"task": "backdoor", "targets": "XY"}}),
    ("targets that are none", {**RECORD, "query": {"task": "backdoor", "targets": 7}}),
    ("a target that is no text", {**RECORD, "query": {"task": "backdoor", "targets": ["X", 7]}}),
    ("a path that is no text", {**RECORD, "query": {"task": "blocked_path", "path": 7}}),
    ("a formula that is none", {**RECORD, "query": {"task": "knights", "targets": ["X"], "formula": 7}}),
    ("a formula in words", {**RECORD, "query": {"task": "knights", "targets": ["X"], "formula": "X is a knight"}}),
    ("a statement of one part", {**RECORD, "query": {"task": "knights", "targets": ["X"], "formula": [["X"]]}}),
    ("a threshold that is none", {**RECORD, "query": {**RECORD["query"], "threshold": "high"}}),
    ("a graph that is none", {**RECORD, "graph": 7}),
    ("a graph with a loop", {**RECORD, "graph": {"nodes": ["X", "Y"], "directed": [["X", "X"]]}}),
    (
        "a graph of another class",
        {**RECORD, "graph": {"class": "dag", "nodes": ["X", "Y"], "directed": [["X", "Y"], ["Y", "X"]]}},
    ),
    ("a legend that is none", {"id": "w", "query": RECORD["query"], "legend": 7}),
    ("a legend in words", {"id": "w", "query": RECORD["query"], "legend": "XY"}),
]


@pytest.mark.parametrize("record", [row[1] for row in DAMAGED], ids=[row[0] for row in DAMAGED])
def test_a_damaged_record_is_an_error_of_ours(record):
    """Never a TypeError, never half a problem."""
    with pytest.raises(cv.CalverifyError):
        cv.Problem.from_json(record)


@pytest.mark.parametrize("targets", ["XY", "X", 7, None, [""], ["X", None], ["a" * 500], ["\ud800"]])
def test_targets_that_are_none_are_refused(targets):
    with pytest.raises(cv.QueryError):
        cv.Query("backdoor", targets)


@pytest.mark.parametrize("order", [{"X", "Y"}, frozenset({"X", "Y"})])
def test_targets_without_an_order_are_refused(order):
    """Treatment and outcome would depend on the run."""
    with pytest.raises(cv.QueryError):
        cv.Query("backdoor", order)


@pytest.mark.parametrize("task", ["", None, 7, ["backdoor"]])
def test_a_query_needs_the_name_of_a_task(task):
    with pytest.raises(cv.QueryError, match="name of a task"):
        cv.Query(task, ("X", "Y"))


def test_names_are_trimmed_and_normalised():
    assert cv.Query("backdoor", (" X ", "e\u0301")).targets == ("X", "\u00e9")
    assert cv.Problem("w", QUERY, legend=(" X", "Y ")).legend == ("X", "Y")


def test_a_path_gives_the_targets_and_is_spelled_one_way():
    query = cv.Query("blocked_path", path="F->P<-T")
    assert query.targets == ("F", "T")
    assert query.path == "F -> P <- T"
    assert query == cv.Query("blocked_path", ("F", "T"), path=" F  → P ← T ")


# ---------------------------------------------------------------- exact numbers

NUMBERS = [
    ("a decimal", 0.02, Fraction(1, 50)),
    ("a decimal no double holds", 0.1, Fraction(1, 10)),
    ("text", "0.02", Fraction(1, 50)),
    ("a fraction in words", "1/3", Fraction(1, 3)),
    ("a fraction", Fraction(1, 3), Fraction(1, 3)),
    ("an integer", 0, Fraction(0)),
    ("a negative", -0.25, Fraction(-1, 4)),
    ("an exponent", 1e-05, Fraction(1, 100_000)),
    ("nothing", None, None),
]


@pytest.mark.parametrize("field", ["threshold", "tolerance"])
@pytest.mark.parametrize("said, exact", [row[1:] for row in NUMBERS], ids=[row[0] for row in NUMBERS])
def test_a_number_is_what_was_written(field, said, exact):
    query = cv.Query("ate", ("X", "Y"), **{field: said})
    assert getattr(query, field) == exact
    assert cv.Query.from_json(through_json(query.to_json())) == query


@pytest.mark.parametrize("field", ["threshold", "tolerance"])
@pytest.mark.parametrize("said", [float("nan"), float("inf"), "high", "", True, [1], "1/0", {}])
def test_what_is_no_number_is_refused(field, said):
    with pytest.raises(cv.QueryError, match=f"{field} must be a finite number"):
        cv.Query("ate", ("X", "Y"), **{field: said})


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(1, 50), Fraction(7), Fraction(10**30), Fraction(1, 10**30)])
def test_a_number_survives_its_record(value):
    record = cv.Query("ate", ("X", "Y"), threshold=value).to_json()
    assert cv.Query.from_json(through_json(record)).threshold == value


# ---------------------------------------------------------------- values


def test_problems_are_values():
    assert cv.Problem("w1", QUERY, GRAPH) == cv.Problem(
        "w1", cv.Query("backdoor", ["X", "Y"]), cv.Graph.parse(str(GRAPH))
    )
    assert cv.Problem("w1", QUERY, GRAPH) != cv.Problem("w2", QUERY, GRAPH)
    with pytest.raises(AttributeError):
        QUERY.task = "cycle"
    with pytest.raises(AttributeError):
        PROBLEM.id = "w2"
