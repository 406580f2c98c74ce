"""The six bits, one table a bit: what earns it, what costs it, and which bits a loss takes along."""

import pytest

import calverify as cv
from tests.sheets import ABSENT, SLOTS, Copies, Raw, Sheet, bits, sheet_of

GRAPH = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y")
PROBLEM = cv.Problem("w1", cv.Query("backdoor", ("X", "Y")), GRAPH)
SHEET = sheet_of(PROBLEM, frozenset({"U", "P"}))
EDGES = [list(edge) for edge in GRAPH.directed]
NODES = list(GRAPH.nodes)


def judge(**parts) -> cv.Verdict:
    return cv.verify(PROBLEM, SHEET.but(**parts).text())


def why(verdict: cv.Verdict, slot: str) -> str:
    return next((fault.why for fault in verdict.faults if fault.slot == slot), "")


def rows(table):
    return pytest.mark.parametrize("body, bit, says", [row[1:] for row in table], ids=[row[0] for row in table])


# ---------------------------------------------------------------- b1

GRAPHS = [
    ("as supplied", {"nodes": NODES, "edges": EDGES}, 1, ""),
    ("nodes in another order", {"nodes": NODES[::-1], "edges": EDGES}, 1, ""),
    ("edges in another order", {"nodes": NODES, "edges": EDGES[::-1]}, 1, ""),
    ("no bidirected edges, said so", {"nodes": NODES, "edges": EDGES, "bidirected": []}, 1, ""),
    ("the class, said so", {"class": "dag", "nodes": NODES, "edges": EDGES}, 1, ""),
    ("blanks around names", {"nodes": [f" {node} " for node in NODES], "edges": EDGES}, 1, ""),
    ("a node left out", {"nodes": NODES[1:], "edges": EDGES}, 0, NODES[0]),
    ("a node left out with its edges", {"nodes": NODES[:-1], "edges": EDGES[:-1]}, 0, "the node P is left out"),
    ("a node too many", {"nodes": [*NODES, "W"], "edges": EDGES}, 0, "the node W is not in the graph"),
    ("an edge left out", {"nodes": NODES, "edges": EDGES[1:]}, 0, "the edge U -> X is left out"),
    ("an edge too many", {"nodes": NODES, "edges": [*EDGES, ["X", "Y"]]}, 0, "the edge X -> Y is not in the graph"),
    ("an edge turned", {"nodes": NODES, "edges": [["X", "U"], *EDGES[1:]]}, 0, "the edge X -> U is not in the graph"),
    ("an edge twice", {"nodes": NODES, "edges": [*EDGES, EDGES[0]]}, 0, "edge U -> X is listed twice"),
    ("a node twice", {"nodes": [*NODES, NODES[0]], "edges": EDGES}, 0, "is listed twice"),
    ("an arc for an arrow", {"nodes": NODES, "edges": EDGES[1:], "bidirected": [["U", "X"]]}, 0, "U -> X is left out"),
    ("a self-loop", {"nodes": NODES, "edges": [*EDGES, ["X", "X"]]}, 0, "X -> X is a self-loop"),
    ("a cycle", {"nodes": NODES, "edges": [*EDGES, ["Y", "X"]]}, 0, "Y -> X"),
    ("a look-alike", {"nodes": [*NODES[:-1], "\u0420"], "edges": EDGES[:-1]}, 0, "the node P is left out"),
    ("an unhashable name", {"nodes": [*NODES[:-1], ["P"]], "edges": EDGES}, 0, "a name must be a string"),
    ("an edge of three", {"nodes": NODES, "edges": [*EDGES[:-1], ["P", "Y", "X"]]}, 0, "a pair of names"),
    ("an edge in words", {"nodes": NODES, "edges": [*EDGES[:-1], "P -> Y"]}, 0, "a pair of names"),
    ("another class", {"class": "admg", "nodes": NODES, "edges": EDGES}, 1, ""),
    ("a class that is none", {"class": "tree", "nodes": NODES, "edges": EDGES}, 0, "unknown graph class 'tree'"),
    ("no edges", {"nodes": NODES}, 0, "edges"),
    ("no nodes", {"edges": EDGES}, 0, "nodes"),
    ("nodes in words", {"nodes": "U, X, Y, M, P", "edges": EDGES}, 0, "nodes must be a list"),
    ("a field too many", {"nodes": NODES, "edges": EDGES, "answer": ["U"]}, 0, "unknown field 'answer'"),
    ("a list", [NODES, EDGES], 0, "not"),
    ("null", None, 0, "not None"),
]


@rows(GRAPHS)
def test_graph(body, bit, says):
    verdict = judge(graph=body)
    assert bits(verdict) == f"{bit}11111"
    assert says in why(verdict, "graph")


ADMG = cv.Problem("a", cv.Query("d_separation", ("A", "C")), cv.Graph.parse("A -> B <-> C, A <-> B"))
TYPED = [
    ("as supplied", [["A", "B"]], [["B", "C"], ["A", "B"]], 1, ""),
    ("arcs turned", [["A", "B"]], [["C", "B"], ["B", "A"]], 1, ""),
    ("the bow's arc left out", [["A", "B"]], [["B", "C"]], 0, "the edge A <-> B is left out"),
    ("the bow's arrow left out", [], [["B", "C"], ["A", "B"]], 0, "the edge A -> B is left out"),
    ("an arrow for an arc", [["A", "B"], ["B", "C"]], [["A", "B"]], 0, "the edge B -> C is not in the graph"),
    ("an arc twice, turned", [["A", "B"]], [["B", "C"], ["A", "B"], ["B", "A"]], 0, "is listed twice"),
    ("arcs left out", [["A", "B"]], None, 0, "bidirected"),
]


@pytest.mark.parametrize("edges, arcs, bit, says", [row[1:] for row in TYPED], ids=[row[0] for row in TYPED])
def test_a_graph_keeps_the_types_of_its_edges(edges, arcs, bit, says):
    body = {"nodes": ["A", "B", "C"], "edges": edges, "bidirected": arcs}
    verdict = cv.verify(ADMG, sheet_of(ADMG).but(graph=body).text())
    assert bits(verdict) == f"{bit}11111"
    assert says in why(verdict, "graph")


# ---------------------------------------------------------------- b2

QUERIES = [
    ("as asked", {"task": "backdoor", "targets": ["X", "Y"]}, 1, ""),
    ("an alias", {"task": "backdoor_adjustment_set", "targets": ["X", "Y"]}, 1, ""),
    ("an alias in words", {"task": "Back-Door Adjustment Set", "targets": ["X", "Y"]}, 1, ""),
    ("blanks around names", {"task": "backdoor", "targets": [" X", "Y "]}, 1, ""),
    ("a field that nobody asked for", {"task": "backdoor", "targets": ["X", "Y"], "note": "hm"}, 1, ""),
    ("targets turned", {"task": "backdoor", "targets": ["Y", "X"]}, 0, "the targets are X, Y, not ['Y', 'X']"),
    ("one target", {"task": "backdoor", "targets": ["X"]}, 0, "the targets are X, Y"),
    ("a target twice", {"task": "backdoor", "targets": ["X", "X"]}, 0, "the targets are X, Y"),
    ("another target", {"task": "backdoor", "targets": ["X", "M"]}, 0, "the targets are X, Y"),
    ("targets in words", {"task": "backdoor", "targets": "X, Y"}, 0, "the targets are X, Y"),
    ("no targets", {"task": "backdoor"}, 0, "the targets are X, Y"),
    ("another task", {"task": "d_separation", "targets": ["X", "Y"]}, 0, "the task is backdoor, not 'd_separation'"),
    ("no task", {"targets": ["X", "Y"]}, 0, "the task is backdoor"),
    (
        "another task far behind",
        {"task": f"backdoor{' ' * 200}cycle", "targets": ["X", "Y"]},
        0,
        "the task is backdoor",
    ),
    ("a condition that nobody asked for", {"task": "backdoor", "targets": ["X", "Y"], "given": ["U"]}, 0, "condition"),
    ("a path that nobody asked for", {"task": "backdoor", "targets": ["X", "Y"], "path": "X -> M -> Y"}, 0, "path"),
    ("null", None, 0, "not an object"),
    ("a list", ["backdoor", "X", "Y"], 0, "not an object"),
]


@rows(QUERIES)
def test_query(body, bit, says):
    verdict = judge(query=body)
    assert bits(verdict) == f"1{bit}1111"
    assert says in why(verdict, "query")


# ---------------------------------------------------------------- b3, and what it does to b4

STRATEGIES = [
    ("a method alone", {"method": "adjustment"}, "111111", ""),
    ("nothing", {}, "111111", ""),
    ("the object", {"method": "any", "set": ["U", "P"]}, "111111", ""),
    ("the object in another order", {"method": "any", "set": ["P", "U"]}, "111111", ""),
    ("the object in words", {"method": "any", "set": "{U, P}"}, "111111", ""),
    ("the object under another key", {"method": "any", "Z": ["U", "P"]}, "111111", ""),
    ("the object twice", {"method": "any", "Z": ["U", "P"], "set": "P, U"}, "111111", ""),
    ("a key that means nothing", {"method": "any", "reason": ["M"]}, "111111", ""),
    ("two objects", {"method": "any", "set": ["U", "P"], "Z": ["U"]}, "110111", "two different objects are stated"),
    ("another object", {"method": "any", "set": ["U"]}, "110011", "what the strategy states is not the answer"),
    ("an object that holds the answer", {"method": "any", "set": ["U", "P", "M"]}, "110011", "is not the answer"),
    ("the empty set", {"method": "any", "set": []}, "110011", "what the strategy states is not the answer"),
    ("an object that cannot be read", {"method": "any", "set": 7}, "110111", "7 is not a list of names"),
    ("a name twice", {"method": "any", "set": ["U", "U"]}, "110111", "U is listed twice"),
    ("a method that is no name", {"method": ["any"], "set": ["U", "P"]}, "110111", "the method is not a name"),
    ("a list", ["U", "P"], "110111", "not an object"),
    ("text", "U, P", "110111", "not an object"),
]


@pytest.mark.parametrize("body, expected, says", [row[1:] for row in STRATEGIES], ids=[row[0] for row in STRATEGIES])
def test_strategy(body, expected, says):
    """A stated object that is not the answer also has no steps that are about it."""
    verdict = judge(strategy=body)
    assert bits(verdict) == expected
    assert says in why(verdict, "strategy")


# ---------------------------------------------------------------- b4


def step(to, rule="node_insertion"):
    return {"rule": rule, "to": to}


STATED = [
    ("the object", [step(["U", "P"])], 1, ""),
    ("the object in words", [step("{P, U}")], 1, ""),
    ("in two steps", [step("U"), step("P")], 1, ""),
    ("in two steps that overlap", [step(["U"]), step(["P", "U"])], 1, ""),
    ("with an empty step", [step([]), step(["U", "P"])], 1, ""),
    ("another rule of the set tasks", [step(["U", "P"], "block_path")], 1, ""),
    ("a rule in words", [step(["U", "P"], "Node Insertion")], 1, ""),
    ("a rule with a dash", [step(["U", "P"], "D-separation")], 1, ""),
    ("under the name of the object", [{"rule": "adjustment", "set": ["U", "P"]}], 1, ""),
    ("more is said", [{**step(["U", "P"]), "because": "so"}], 1, ""),
    ("half of it", [step(["U"])], 0, "leave out part"),
    ("something else", [step(["M"])], 0, "step 1 is not about the object"),
    ("something else besides", [step(["U", "P"]), step(["M"])], 0, "step 2 is not about the object"),
    ("too much", [step(["U", "P", "M"])], 0, "step 1 is not about the object"),
    ("no argument", [{"rule": "node_insertion"}], 0, "step 1"),
    ("no rule", [{"to": ["U", "P"]}], 0, "is not a rule of backdoor"),
    ("a rule of another family", [step(["U", "P"], "follow_edges")], 0, "'follow_edges' is not a rule of backdoor"),
    ("a rule of nobody", [step(["U", "P"], "magic")], 0, "'magic' is not a rule of backdoor"),
    ("a rule of nobody far behind", [step(["U", "P"], f"adjustment{' ' * 200}magic")], 0, "is not a rule of backdoor"),
    ("a rule that is no text", [step(["U", "P"], 7)], 0, "7 is not a rule"),
    ("no steps", [], 0, "no steps"),
    ("one step, no list", step(["U", "P"]), 0, "not a list of steps"),
    ("steps in words", ["insert U", "insert P"], 0, "step 1 is not an object"),
    ("null", None, 0, "not a list of steps"),
]


@rows(STATED)
def test_derivation_about_a_stated_object(body, bit, says):
    verdict = judge(derivation=body)
    assert bits(verdict) == f"111{bit}11"
    assert says in why(verdict, "derivation")


SILENT = [
    ("a node", [step("C")], 0, "not about nodes"),
    ("a node of the graph", [step("U")], 1, ""),
    ("nodes", [step(["M", "P"])], 1, ""),
    ("nodes in words", [step("{U, P}")], 1, ""),
    ("an edge", [step("X -> M")], 1, ""),
    ("edges", [step([["X", "M"], ["M", "Y"]])], 1, ""),
    ("the empty set", [step("set()")], 1, ""),
    ("the empty list", [step([])], 1, ""),
    ("a stranger among nodes", [step(["U", "W"])], 0, "step 1 is not about nodes of the graph"),
    ("a number", [step(7)], 0, "step 1 is not about nodes of the graph"),
    ("a tale", [step("all of them")], 0, "step 1 is not about nodes of the graph"),
    ("deeper than edges", [step([[["U"]]])], 0, "step 1 is not about nodes of the graph"),
]


@rows(SILENT)
def test_derivation_where_no_object_is_stated(body, bit, says):
    """Provenance only: any nodes will do, whatever the answer."""
    verdict = judge(strategy={"method": "adjustment"}, derivation=body)
    assert bits(verdict) == f"111{bit}11"
    assert says in why(verdict, "derivation")


def test_the_papers_figure_states_no_object():
    """The trace printed in the paper: a method, and a derivation about a node."""
    edges = "K->C, R->L, B->L, B->W, J->K, B->R, C->Y, K->B"
    problem = cv.Problem("55821370", cv.Query("d_separation", ("Y", "B")), cv.Graph.parse(edges))
    text = """STEP 1 [graph_extract]: {"nodes":["J","K","C","Y","B","R","L","W"],
    "edges":[["K","C"],["R","L"],["B","L"],["B","W"],
             ["J","K"],["B","R"],["C","Y"],["K","B"]]}
STEP 2 [query_id]: {"task":"d_separation_nodeset","targets":["Y","B"]}
STEP 3 [strategy]: {"method":"node_insertion"}
STEP 4 [identification_proof]: [{"rule":"node_insertion","to":"C"}]
STEP 5 [compute]: {"result": ["C"]}
STEP 6 [answer]: {"answer": ["C"]}
ANSWER: C"""
    verdict = cv.verify(problem, text)
    assert verdict.score == 6
    assert verdict.answer == ["C"]


# ---------------------------------------------------------------- b5 and b6

RESULTS = [
    ("the answer", {"result": ["P", "U"]}, 1, ""),
    ("the answer in words", {"result": "{U, P}"}, 1, ""),
    ("more is said", {"result": ["U", "P"], "valid": True}, 1, ""),
    ("another valid set", {"result": ["U"]}, 0, "the result is not the answer"),
    ("an invalid set", {"result": ["M"]}, 0, "the result is not the answer"),
    ("no set", {"result": True}, 0, "True is not a list of names"),
    ("no field", {"set": ["U", "P"]}, 0, "no field 'result'"),
    ("a list", ["U", "P"], 0, "not an object"),
]


@rows(RESULTS)
def test_result(body, bit, says):
    verdict = judge(result=body)
    assert bits(verdict) == f"1111{bit}1"
    assert says in why(verdict, "result")


# How a slot and ANSWER lines combine; the strategy states no object, so that bits 3, 5 and 6 follow the answer alone.
GOOD, ALSO, BAD = ["U", "P"], ["U"], ["M"]
ANSWERS = [
    ("both", GOOD, GOOD, GOOD, "111111"),
    ("slot alone", GOOD, ABSENT, GOOD, "111111"),
    ("line alone", ABSENT, GOOD, GOOD, "111110"),
    ("neither", ABSENT, ABSENT, None, "110100"),
    ("line in words", GOOD, "{P, U}", GOOD, "111111"),
    ("line in words, no brackets", GOOD, "U, P", GOOD, "111111"),
    ("line in bold", GOOD, "**U, P**", GOOD, "111111"),
    ("two lines that agree", GOOD, Copies((GOOD, "P, U")), GOOD, "111111"),
    ("both wrong", BAD, BAD, BAD, "110100"),
    ("slot right, line wrong", GOOD, BAD, None, "110100"),
    ("slot wrong, line right", BAD, GOOD, None, "110100"),
    ("both right, but not one answer", ALSO, GOOD, None, "110100"),
    ("two lines, right and wrong", GOOD, Copies((GOOD, BAD)), None, "110100"),
    ("two lines, wrong and right", GOOD, Copies((BAD, GOOD)), None, "110100"),
    ("two lines, both right", GOOD, Copies((GOOD, ALSO)), None, "110100"),
    ("three lines, one of them other", GOOD, Copies((GOOD, GOOD, ALSO)), None, "110100"),
    ("two lines without a slot", ABSENT, Copies((GOOD, BAD)), None, "110100"),
    ("two lines, one unreadable", GOOD, Copies((GOOD, "{oops")), None, "110100"),
    ("a line that cannot be read", GOOD, "{oops", None, "110100"),
    ("a slot that cannot be read", 7, GOOD, GOOD, "111110"),
    ("a name twice", ["U", "P", "U"], GOOD, GOOD, "111110"),
    ("the empty set", [], [], [], "110100"),
]


@pytest.mark.parametrize("slot, line, answer, expected", [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS])
def test_answer(slot, line, answer, expected):
    body = ABSENT if slot is ABSENT else {"answer": slot}
    result = {"result": GOOD if answer is None else answer}
    verdict = judge(strategy={"method": "any"}, result=result, derivation=[step("U")], answer=body, line=line)
    assert bits(verdict) == expected, verdict.faults
    assert verdict.answer == (None if answer is None else sorted(answer))
    assert verdict.admissible is (answer is not None)


SAID = [
    ("lines that differ", {"line": Copies((GOOD, BAD))}, "2 ANSWER lines that differ"),
    ("line against slot", {"line": BAD}, "the ANSWER line contradicts the answer slot"),
    ("no answer", {"line": ABSENT, "answer": ABSENT}, "missing"),
    ("no field", {"line": ABSENT, "answer": {"set": GOOD}}, "no field 'answer'"),
]


@pytest.mark.parametrize("parts, says", [row[1:] for row in SAID], ids=[row[0] for row in SAID])
def test_a_trace_without_an_answer_says_why(parts, says):
    verdict = judge(**parts)
    assert why(verdict, "answer") == says
    assert verdict.why == says
    assert verdict.witness is None
    assert why(verdict, "strategy") == why(verdict, "result") == "there is no answer to check it against"


# ---------------------------------------------------------------- slots

SPOILED = [
    ("missing", lambda body: ABSENT, "missing"),
    ("twice, the copies agree", lambda body: Copies((body, body)), "2 copies"),
    ("twice, they differ", lambda body: Copies((body, {})), "2 copies"),
    ("three times", lambda body: Copies((body, body, body)), "3 copies"),
    ("cut short", lambda body: Raw('{"set": ["U"'), "not JSON"),
    ("empty", lambda body: Raw(""), "not JSON"),
    ("a key twice", lambda body: Raw('{"set": ["U"], "set": ["U"]}'), "occurs twice"),
    ("NaN", lambda body: Raw('{"result": NaN}'), "NaN is not a number"),
    ("Infinity", lambda body: Raw('{"result": -Infinity}'), "is not a number"),
    ("too deep", lambda body: Raw("[" * 65 + "]" * 65), "nested over 64 levels"),
    ("a second thought", lambda body: Raw("{} or rather []"), "more text behind the JSON"),
]


@pytest.mark.parametrize("spoil, says", [row[1:] for row in SPOILED], ids=[row[0] for row in SPOILED])
@pytest.mark.parametrize("slot", SLOTS)
def test_a_slot_that_is_spoiled_fails_its_own_bit(slot, spoil, says):
    place = SLOTS.index(slot)
    verdict = judge(**{slot: spoil(getattr(SHEET, slot))})
    assert bits(verdict) == "1" * place + "0" + "1" * (5 - place)
    assert [fault.slot for fault in verdict.faults] == [slot]
    assert says in verdict.faults[0].why


def test_a_text_without_a_trace_earns_nothing():
    for text in ("", "hello", "ANSWER: U, P", "STEP 7 [more]: {}"):
        verdict = cv.verify(PROBLEM, text)
        assert verdict.score == (0 if "ANSWER" not in text else verdict.score)
        assert verdict.bits["graph"] == verdict.bits["query"] == verdict.bits["derivation"] == 0
        assert verdict.admissible is False


def test_an_answer_without_a_header_is_no_trace():
    verdict = cv.verify(PROBLEM, "ANSWER: U, P")
    assert verdict.answer == ["P", "U"]
    assert verdict.admissible is False
    assert bits(verdict) == "000000"


# ---------------------------------------------------------------- an unregistered task

UNKNOWN = cv.Problem("u", cv.Query("sorcery", ("X", "Y")), GRAPH)


@pytest.mark.parametrize("text", ["", SHEET.text(), "ANSWER: U, P"])
def test_an_unregistered_task_earns_nothing_and_says_so(text):
    verdict = cv.verify(UNKNOWN, text)
    assert bits(verdict) == "000000"
    assert verdict.score == 0
    assert verdict.undetermined is None
    assert [fault.slot for fault in verdict.faults] == list(SLOTS)
    assert all("'sorcery'" in fault.why for fault in verdict.faults)
    assert "'sorcery'" in verdict.why
    assert verdict.answer is None


def test_an_unregistered_task_is_an_error_for_those_who_ask_without_a_trace():
    for ask in (lambda: cv.check(GRAPH, UNKNOWN.query, []), lambda: cv.solve(GRAPH, UNKNOWN.query)):
        with pytest.raises(cv.CalverifyError, match="no task 'sorcery' is registered; there are adjustment"):
            ask()


# ---------------------------------------------------------------- size


def test_a_text_over_the_limit_is_undetermined():
    for problem in (PROBLEM, UNKNOWN):
        verdict = cv.verify(problem, SHEET.text() + " " * (1 << 20))
        assert verdict.score is None
        assert verdict.undetermined
        assert set(verdict.bits.values()) == {None}
        assert verdict.faults == ()
        assert verdict.answer is None
        assert verdict.witness is None
        assert verdict.admissible is False
        assert verdict.why.startswith("undetermined: ")


def test_a_text_at_the_limit_is_judged():
    text = SHEET.text()
    assert cv.verify(PROBLEM, text + " " * ((1 << 20) - len(text))).score == 6


def test_sheets_are_frozen():
    assert isinstance(SHEET, Sheet)
    assert SHEET.but(line="U").line == "U"
    assert SHEET.line == ["P", "U"]
