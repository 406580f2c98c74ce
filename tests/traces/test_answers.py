"""Answers of every type: what is read from JSON and from text, its canonical form, what is refused, and spelling."""

import json
from fractions import Fraction

import pytest

from calverify.errors import BudgetError, Fault, GraphError
from calverify.graphs import Graph, Path
from calverify.names import brief, clean_name
from calverify.traces import (
    ASSIGNMENT,
    CYCLE,
    EDGE,
    GRAPH,
    NODE_SET,
    NUMBER,
    ORDERING,
    PATH,
    WALK,
    YES_NO,
    graph_of_slot,
    parse,
)

NOBODY: frozenset[str] = frozenset()
TYPES = (NODE_SET, CYCLE, WALK, ORDERING, PATH, YES_NO, NUMBER, GRAPH, ASSIGNMENT)
MOST_OF_A_WHY = 1000


def read(kind, value, names=NOBODY):
    return kind.read(value, frozenset(names), "result")


def assert_refused(kind, value, names=NOBODY):
    found = read(kind, value, names)
    assert isinstance(found, Fault), found
    assert found.slot == "result"
    assert 0 < len(found.why) < MOST_OF_A_WHY


# ---------------------------------------------------------------- sets

SETS = [
    (["A", "B"], "A B"),
    (["B", "A"], "A B"),
    ("A, B", "A B"),
    ("B,A", "A B"),
    ("  A ,\tB ", "A B"),
    ("{A, B}", "A B"),
    ("[A, B]", "A B"),
    ("(A, B)", "A B"),
    ("{ A , B }", "A B"),
    ("A, B.", "A B"),
    ("{A, B}.", "A B"),
    ('["A", "B"]', "A B"),
    ('["A","B"].', "A B"),
    ("['A', 'B']", "A B"),
    ('{"A", "B"}', "A B"),
    ("{'A', 'B'}", "A B"),
    ("{`A`, `B`}", "A B"),
    ('"A", "B"', "A B"),
    ("`A`, `B`", "A B"),
    ("**A**, **B**", "A B"),
    ("{*A*, *B*}", "A B"),
    ("**A, B**", "A B"),
    ("**{A, B}**", "A B"),
    ("**{A, B}**.", "A B"),
    ("{A, B}**.", "A B"),
    ("*{A, B}.*", "A B"),
    ("`A`.", "A"),
    ("A`.", "A"),
    ("`{A, B}`", "A B"),
    ("$A, B$", "A B"),
    (["A"], "A"),
    ("A", "A"),
    ('"A"', "A"),
    ("'A'", "A"),
    ("{A}", "A"),
    (["A ", " B"], "A B"),
    ("a", "a"),
    ("A_1, b-2, c.3", "A_1 b-2 c.3"),
    ("温度, é", "温度 é"),
    (["e\u0301"], "\u00e9"),
    ("e\u0301", "\u00e9"),
    (["\u041c"], "\u041c"),  # Cyrillic, not the Latin letter
    (["M\u200b"], "M\u200b"),
]


@pytest.mark.parametrize("value, names", SETS)
def test_sets(value, names):
    assert read(NODE_SET, value) == frozenset(names.split())
    assert read(NODE_SET, value, names.split()) == frozenset(names.split())


def test_a_name_may_hold_blanks():
    """So two names and a word between them are one name, which no graph knows: a hedge earns nothing."""
    assert read(NODE_SET, "C or D, A and B", {"A", "B", "C", "D"}) == {"C or D", "A and B"}


EMPTY = [
    [],
    {},
    "set()",
    "{}",
    "[]",
    "()",
    "{ }",
    "[ ]",
    "( )",
    "set( )",
    "∅",
    "empty set",
    "Empty Set",
    "the empty set",
    "none",
    "None",
    "NONE",
    "None.",
    " none ",
    "**none**",
    "**None**.",
    "`{}`",
    "$∅$",
    '"none"',
    "'[]'",
    "{}.",
]


@pytest.mark.parametrize("value", EMPTY, ids=repr)
def test_the_empty_set_is_an_answer(value):
    assert read(NODE_SET, value) == frozenset()
    assert read(NODE_SET, value, {"A", "B"}) == frozenset()


@pytest.mark.parametrize("value", EMPTY, ids=repr)
@pytest.mark.parametrize("kind", [WALK, CYCLE, ORDERING], ids=lambda kind: kind.name)
def test_nothing_is_no_sequence(kind, value):
    assert_refused(kind, value)


SETS_REFUSED = [
    None,
    "",
    "   ",
    "\t",
    ".",
    "**",
    "``",
    True,
    1,
    1.5,
    ["A", "A"],
    "A, A",
    "{A, B, A}",
    ["A", " A"],
    ["e\u0301", "\u00e9"],
    '["A", "A"]',
    ["A", 1],
    ["A", None],
    ["A", ["B"]],
    ["A", ""],
    [""],
    [[]],
    [{}],
    {"A": 1},
    {"set": ["A"]},
    '{"A": 1}',
    '{"set": ["A"]}',
    "A,",
    ",A",
    "A,,B",
    "{A, B",
    "A, B}",
    "{A, B]",
    "{A} or {B}",
    "{A}, {B}",
    "{A}{B}",
    "{{A}}",
    "[A] [B]",
    "nodeset: {A}",
    "the set {A}",
    "X[1]",
    "A's",
    'A"',
    '{nodeset": ["G"]}',
    '["A"',
    '["A"] and ["B"]',
    "N" * 201,
    ["N" * 201],
    ["\ud800"],
    "\ud800",
]


@pytest.mark.parametrize("value", SETS_REFUSED, ids=lambda value: repr(value)[:30])
def test_sets_refused(value):
    assert_refused(NODE_SET, value)
    assert_refused(NODE_SET, value, {"A", "B"})


def test_a_bracket_that_does_not_close_takes_no_letter_off_a_name():
    known = {"A", "B", "C", "BC", "B1", "B2"}
    for value in ("{A, BC", "[A, B1", "{A, B]", "[A, B)", "{A, B,", "{BC", "[B1"):
        assert_refused(NODE_SET, value, known)
    assert read(NODE_SET, "(A, B2", known) == {"(A", "B2"}
    assert read(NODE_SET, "BC", known) == {"BC"}


KNOWN = [
    ("a node called none", "none", {"none"}, {"none"}),
    ("none where no node is called so", "none", {"A"}, set()),
    ("None is not the node none", "None", {"none"}, set()),
    ("a node called none among others", "{none, A}", {"none", "A"}, {"none", "A"}),
    ("a list that names it", ["none"], {"none"}, {"none"}),
    ("a node called {}", "{}", {"{}"}, {"{}"}),
    ("a node called ∅ in emphasis", "**∅**", {"∅"}, {"∅"}),
    ("a name with a comma", "Smith, J", {"Smith, J", "A"}, {"Smith, J"}),
    ("a name with a full stop", "vit. C.", {"vit. C."}, {"vit. C."}),
    ("a name with brackets", "X[0], X[1]", {"X[0]", "X[1]"}, {"X[0]", "X[1]"}),
    ("a name with brackets in a set", "{X[0], X[1]}", {"X[0]", "X[1]"}, {"X[0]", "X[1]"}),
    ("a name with quotes", "{'A', A}", {"'A'", "A"}, {"'A'", "A"}),
    ("a name with an apostrophe", "Ann's age, B", {"Ann's age", "B"}, {"Ann's age", "B"}),
    ("a name with stars", "A*, B", {"A*", "B"}, {"A*", "B"}),
    ("an unknown name is read", "{Z}", {"A"}, {"Z"}),
    ("JSON names with commas", '["a, b", "c"]', {"a, b", "c"}, {"a, b", "c"}),
]


@pytest.mark.parametrize("value, names, found", [row[1:] for row in KNOWN], ids=[row[0] for row in KNOWN])
def test_known_names_bind_first(value, names, found):
    assert read(NODE_SET, value, names) == found


def test_many_names_with_brackets_are_no_deep_json():
    names = [f"X[{i}]" for i in range(80)]
    assert read(NODE_SET, json.dumps(names)) == set(names)
    assert read(NODE_SET, "{" + ", ".join(names) + "}", names) == set(names)


# ---------------------------------------------------------------- sequences

WALKS = [
    (["A", "B", "C"], "A B C"),
    ("A -> B -> C", "A B C"),
    ("A->B->C", "A B C"),
    ("A → B → C", "A B C"),
    ("A ⟶ B => C", "A B C"),
    ("A, B, C", "A B C"),
    ("[A, B, C]", "A B C"),
    ('["A", "B", "C"]', "A B C"),
    ("A -> B -> C.", "A B C"),
    ("**A -> B -> C**", "A B C"),
    ("**A -> B -> C**.", "A B C"),
    ("`A -> B -> C`", "A B C"),
    ("**A** -> **B** -> **C**", "A B C"),
    ('"A" -> "B" -> "C"', "A B C"),
    ("A", "A"),
    (["A"], "A"),
    ("A -> B -> A", "A B A"),
    (["A", "A"], "A A"),
    ("C -> B -> A", "C B A"),
]


@pytest.mark.parametrize("value, names", WALKS)
def test_walks(value, names):
    assert read(WALK, value) == tuple(names.split())
    assert read(WALK, value, {"A", "B", "C"}) == tuple(names.split())


SEQUENCES_REFUSED = [
    None,
    "",
    "A <- B",
    "A <-> B",
    "A ↔ B",
    "A ← B",
    "A -> B <- C",
    "A ->",
    "-> A",
    "->",
    "A -> -> B",
    "[A -> B]",
    "{A -> B}",
    ["A", 1],
    {"A": "B"},
    5,
    False,
    "A,",
    "A -> N" + "N" * 200,
]


@pytest.mark.parametrize("kind", [WALK, CYCLE, ORDERING], ids=lambda kind: kind.name)
@pytest.mark.parametrize("value", SEQUENCES_REFUSED, ids=lambda value: repr(value)[:30])
def test_sequences_refused(kind, value):
    assert_refused(kind, value)


@pytest.mark.parametrize("kind", [WALK, CYCLE, ORDERING], ids=lambda kind: kind.name)
@pytest.mark.parametrize("name", ["a->b", "a<-b", "a<->b", "a=>b", "a→b", "a←b", "a, b", "[a]", '"', "none"])
def test_a_json_list_protects_its_names(kind, name):
    assert read(kind, [name, "zz"]) == (name, "zz")
    assert read(kind, json.dumps([name, "zz"])) == (name, "zz")
    assert read(kind, json.dumps([name, "zz"], ensure_ascii=False)) == (name, "zz")
    assert read(kind, name, {name}) == (name,)


def test_orderings():
    assert (
        read(ORDERING, "A, B, C") == read(ORDERING, "A -> B -> C") == read(ORDERING, ["A", "B", "C"]) == ("A", "B", "C")
    )
    assert read(ORDERING, "B, A") != read(ORDERING, "A, B")
    for value in ("A, A", "A -> B -> A", ["A", "B", "A"], ["e\u0301", "\u00e9"]):
        assert_refused(ORDERING, value)


CYCLES = [
    (["A", "B", "C"], "A B C"),
    (["A", "B", "C", "A"], "A B C"),
    (["B", "C", "A"], "A B C"),
    (["C", "A", "B", "C"], "A B C"),
    ("C -> A -> B -> C", "A B C"),
    ("B → C → A", "A B C"),
    ("B, C, A, B", "A B C"),
    ('["B", "C", "A"]', "A B C"),
    (["A", "C", "B"], "A C B"),  # the other way round is another cycle
    (["B", "A"], "A B"),
    ("A -> A", "A"),
    (["A"], "A"),
    (["A", "B", "A", "B"], "A B A B"),  # not simple: read as it stands
    (["A", "B", "A", "B", "A"], "A B A B"),
    (["B", "A", "A"], "B A A"),
]


@pytest.mark.parametrize("value, names", CYCLES)
def test_cycles_begin_with_their_least_name(value, names):
    assert read(CYCLE, value) == tuple(names.split())


def test_a_cycle_is_shown_closed():
    assert CYCLE.show(("A", "B")) == ["A", "B", "A"]
    assert CYCLE.spell(("A", "B")) == "A -> B -> A"


# ---------------------------------------------------------------- paths

PATHS = [
    ("A -> B <- C <-> D", "A -> B <- C <-> D"),
    ("A->B<-C<->D", "A -> B <- C <-> D"),
    ("A → B ← C ↔ D", "A -> B <- C <-> D"),
    (["A", "->", "B"], "A -> B"),
    (["A -> B <- C"], "A -> B <- C"),
    ("A -> B.", "A -> B"),
    ("**A -> B**", "A -> B"),
    ("**A -> B**.", "A -> B"),
    ("`A -> B`", "A -> B"),
    ("A", "A"),
    ('"two words" -> B', '"two words" -> B'),
]


@pytest.mark.parametrize("value, text", PATHS)
def test_paths(value, text):
    assert read(PATH, value) == Path.parse(text)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "A B",
        "A - B",
        "A -> ",
        "-> A",
        "A -> B, C",
        "A -> -> B",
        None,
        5,
        True,
        {},
        [],
        ["A", "B"],
        ["A", "->", 5],
        [["A"]],
    ],
    ids=repr,
)
def test_paths_refused(value):
    assert_refused(PATH, value)


# ---------------------------------------------------------------- yes and no

YES = [
    True,
    "yes",
    "Yes",
    "YES",
    "yes.",
    " yes ",
    "**Yes**",
    "**Yes.**",
    "**Yes**.",
    "Yes**.",
    "`yes`",
    '"yes"',
    "'Yes'",
    "true",
    "True",
]
NO = [False, "no", "No", "NO", "No.", "**No**", "**No**.", '"no"', "false", "False"]
NEITHER = [
    None,
    "",
    0,
    1,
    [],
    ["yes"],
    {},
    "y",
    "n",
    "maybe",
    "Yes, but no",
    "yes and no",
    "yes or no",
    "yes/no",
    "yes no",
    "yes yes",
    "not yes",
    "no, yes",
    "Yes, X causes Y",
    "yesno",
    "none",
    "ｙｅｓ",
    "y\u0435s",
    "yes\u200b",
    "N/A",
]


@pytest.mark.parametrize("value", YES, ids=repr)
def test_yes(value):
    assert read(YES_NO, value) == "yes"


@pytest.mark.parametrize("value", NO, ids=repr)
def test_no(value):
    assert read(YES_NO, value) == "no"


@pytest.mark.parametrize("value", NEITHER, ids=repr)
def test_neither_yes_nor_no(value):
    assert_refused(YES_NO, value)


# ---------------------------------------------------------------- numbers

NUMBERS = [
    (0, "0"),
    (-3, "-3"),
    (0.1, "1/10"),
    (0.5, "1/2"),
    (-0.0, "0"),
    (1e-300, "1e-300"),
    (10**299, "1e299"),
    ("0.1", "1/10"),
    ("0.10", "1/10"),
    (".5", "1/2"),
    ("5.", "5"),
    ("+1", "1"),
    ("-0.25", "-1/4"),
    ("1e-3", "1/1000"),
    ("1E+02", "100"),
    ("1/3", "1/3"),
    ("-2/6", "-1/3"),
    (" 0.1 ", "1/10"),
    ("0.1.", "1/10"),
    ("**0.1**", "1/10"),
    ("**0.1**.", "1/10"),
    ("`0.1`", "1/10"),
    ("$0.1$", "1/10"),
    ('"0.1"', "1/10"),
    ("1" * 40, "1" * 40),
    ("0." + "1" * 60, "0." + "1" * 60),
]


@pytest.mark.parametrize("value, number", NUMBERS, ids=lambda value: repr(value)[:20])
def test_numbers_are_exact(value, number):
    assert read(NUMBER, value) == Fraction(number)


NO_NUMBERS = [
    None,
    True,
    False,
    "",
    ".",
    "-",
    "e5",
    "1e",
    "1e999",
    "1e1000000000",
    "NaN",
    "nan",
    "inf",
    "Infinity",
    "1/0",
    "0/0",
    "1.5/2",
    "1/2/3",
    "1,000",
    "1_000",
    "1 000",
    "12%",
    "0x10",
    "--1",
    "0.1 or 0.2",
    "about 0.1",
    "≈0.1",
    "0.1..",
    "\u0663",
    "½",
    "²",
    "one",
    [],
    [1],
    {},
    float("inf"),
    float("nan"),
    10**5000,
    "1" * 301,
    "0." + "1" * 301,
    "1" * 5000,
]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda value: brief(value)[:20])
def test_no_numbers(value):
    assert_refused(NUMBER, value)


# ---------------------------------------------------------------- graphs

RECORD = {"nodes": ["A", "B", "C"], "edges": [["A", "B"]], "bidirected": [["B", "C"]]}
GRAPHS = [
    (RECORD, "A -> B, B <-> C"),
    ({**RECORD, "bidirected": [["C", "B"]], "nodes": ["C", "B", "A"]}, "A -> B, B <-> C"),
    ({**RECORD, "class": "admg"}, "A -> B, B <-> C"),
    ({"nodes": ["A", "B"], "directed": [["A", "B"]]}, "A -> B"),
    ({"nodes": ["A", " B"], "edges": [["A ", "B"]]}, "A -> B"),
    ({"nodes": ["A"], "edges": []}, "A"),
    ({"nodes": [], "edges": []}, ""),
    ("A -> B, B <-> C", "A -> B, B <-> C"),
    ("A -> B; C <-> B.", "A -> B, B <-> C"),
    ("**A → B**", "A -> B"),
    ("**A -> B**.", "A -> B"),
    (json.dumps(RECORD), "A -> B, B <-> C"),
    (json.dumps(RECORD) + ".", "A -> B, B <-> C"),
]


@pytest.mark.parametrize("value, text", GRAPHS, ids=lambda value: repr(value)[:50])
def test_graphs(value, text):
    assert read(GRAPH, value) == Graph.parse(text)


NO_GRAPHS = [
    None,
    "",
    "  ",
    5,
    True,
    [],
    [["A", "B"]],
    {},
    {"nodes": ["A"]},
    {"edges": []},
    {"nodes": "AB", "edges": []},
    {"nodes": {"A": 1}, "edges": []},
    {"nodes": None, "edges": []},
    {"nodes": ["A", "B"], "edges": {"A": "B"}},
    {"nodes": ["A", "B"], "edges": ["AB"]},
    {"nodes": ["A", "B"], "edges": [["A"]]},
    {"nodes": ["A", "B"], "edges": [["A", "B", "A"]]},
    {"nodes": ["A", "B"], "edges": [["A", ["B"]]]},
    {"nodes": ["A", "B"], "edges": [["A", 1]]},
    {"nodes": ["A", "B"], "edges": [{"from": "A", "to": "B"}]},
    {"nodes": ["A", "B"], "edges": [["A", "B"], ["A", "B"]]},
    {"nodes": ["A", "B"], "edges": [["A", "A"]]},
    {"nodes": ["A"], "edges": [["A", "B"]]},
    {"nodes": ["A", "A"], "edges": []},
    {"nodes": [""], "edges": []},
    {"nodes": [1], "edges": []},
    {"nodes": [["A"]], "edges": []},
    {"nodes": ["\ud800"], "edges": []},
    {"nodes": ["A", "B"], "edges": [], "bidirected": None},
    {"nodes": ["A", "B"], "edges": [], "bidirected": [["A", "B"], ["B", "A"]]},
    {"nodes": ["A", "B"], "edges": [["A", "B"]], "directed": [["A", "B"]]},
    {"nodes": ["A"], "edges": [], "weights": {}},
    {"nodes": ["A"], "edges": [], "class": "tree"},
    {"nodes": ["A"], "edges": [], "class": ["dag"]},
    {"nodes": ["A"], "edges": [], "class": {}},
    {"nodes": ["A", "B"], "edges": [["A", "B"], ["B", "A"]], "class": "dag"},
    {"nodes": ["A", "B"], "edges": [["A", "B"], ["B", "A"]], "bidirected": [["A", "B"]]},
    "A -> ",
    "A B",
    '{"nodes": ["A"], "nodes": ["B"], "edges": []}',
    '{"nodes": ["A"], "edges": [}',
]


@pytest.mark.parametrize("value", NO_GRAPHS, ids=lambda value: repr(value)[:60])
def test_no_graphs(value):
    assert_refused(GRAPH, value)


@pytest.mark.parametrize(
    "value", [value for value in NO_GRAPHS if type(value) is not str], ids=lambda value: repr(value)[:60]
)
def test_a_slot_that_is_no_graph_says_why(value):
    with pytest.raises(GraphError):
        graph_of_slot(value)


def test_a_graph_too_large_is_undetermined_and_no_fault():
    with pytest.raises(BudgetError):
        read(GRAPH, {"nodes": [f"V{i}" for i in range(10_001)], "edges": []})


# ---------------------------------------------------------------- assignments

ASSIGNMENTS = [
    ({"Ann": "knight", "Bob": "knave"}, "Ann+ Bob-"),
    ({"Bob": "Knave ", "Ann": "KNIGHT"}, "Ann+ Bob-"),
    ({"Ann": True, "Bob": False}, "Ann+ Bob-"),
    ('{"Ann": "knight", "Bob": "knave"}', "Ann+ Bob-"),
    ('{"Ann": "knight", "Bob": "knave"}.', "Ann+ Bob-"),
    ('`{"Ann": "knight", "Bob": "knave"}`', "Ann+ Bob-"),
    ("Ann is a knight, Bob is a knave", "Ann+ Bob-"),
    ("Ann is a knight, and Bob is a knave.", "Ann+ Bob-"),
    ("Ann is a knight and Bob is a knave", "Ann+ Bob-"),
    ("Bob is a knave; Ann is a knight", "Ann+ Bob-"),
    ("ANN is A KNIGHT", "ANN+"),
    ("Ann: knight, Bob: knave", "Ann+ Bob-"),
    ("Ann = knight, Bob = knave", "Ann+ Bob-"),
    ("Ann=knight,Bob=knave", "Ann+ Bob-"),
    ("(1) Ann is a knight, (2) Bob is a knave", "Ann+ Bob-"),
    ("(1) Ann is a knight\n(2) Bob is a knave", "Ann+ Bob-"),
    ("1. Ann is a knight, 2. Bob is a knave", "Ann+ Bob-"),
    ("**Ann is a knight, Bob is a knave**", "Ann+ Bob-"),
    ("**Ann is a knight, Bob is a knave**.", "Ann+ Bob-"),
    ("**Ann** is a **knight**, **Bob** is a **knave**", "Ann+ Bob-"),
    ("- Ann: **knight**\n- Bob: **knave**", "Ann+ Bob-"),
    ("Andy is a knight and Andrea is a knave and Sandy is a knight", "Andrea- Andy+ Sandy+"),
    ("Zo\u0065\u0308 is a knight", "Zo\u00eb+"),
]


@pytest.mark.parametrize("value, roles", ASSIGNMENTS, ids=lambda value: repr(value)[:50])
def test_assignments_are_sorted_by_name(value, roles):
    assert read(ASSIGNMENT, value) == tuple((role[:-1], role[-1] == "+") for role in roles.split())


def test_a_person_may_have_two_names():
    assert read(ASSIGNMENT, "Ann Lee is a knight, and Bob is a knave") == (("Ann Lee", True), ("Bob", False))


NO_ASSIGNMENTS = [
    None,
    "",
    "none",
    5,
    True,
    [],
    ["Ann"],
    {},
    "{}",
    {"Ann": "spy"},
    {"Ann": 1},
    {"Ann": None},
    {"Ann": ["knight"]},
    {"": "knight"},
    {"Ann": "knight", " Ann": "knave"},
    '{"Ann": "knight", "Ann": "knave"}',
    '{"Ann": "knight", "Ann": "knight"}',
    "Ann is a knight, Ann is a knave",
    "Ann is a knight, Ann is a knight",
    "Ann is a knight, Bob",
    "Ann is a knight or a knave",
    "Ann is a knight or Bob is a spy",
    "Ann is not a knight",
    "Ann is a liar",
    "Ann knight",
    " is a knight",
    "N" * 201 + " is a knight",
    "Ann is a kn\u0456ght",
]


@pytest.mark.parametrize("value", NO_ASSIGNMENTS, ids=lambda value: repr(value)[:50])
def test_no_assignments(value):
    assert_refused(ASSIGNMENT, value)


# ---------------------------------------------------------------- spelling

AWKWARD = [
    "none",
    "None",
    "∅",
    "{}",
    "[]",
    "empty set",
    "a, b",
    "a,b",
    "a -> b",
    "a->b",
    "a<-b",
    "a→b",
    "a←b",
    "a<->b",
    "'a'",
    '"a"',
    'a"b',
    "a'b",
    "`a`",
    "*a*",
    "$a$",
    "a.",
    "a..",
    ".",
    "[a]",
    "{a}",
    "(a)",
    "X[0]",
    "a: b",
    "a = b",
    "a;b",
    "a\nb",
    "a\u2028b",
    "a\tb",
    "and b",
    "a and b",
    "knight and b",
    "a is a knight",
    "(1) a",
    "1. a",
    "yes",
    "\\",
    "\\n",
    "é",
    "e\u0323\u0301",
    "𝛼",
    "a\u200b",
    "ANSWER: b",
    "STEP 1 [graph_extract]: {}",
    "[" * 100,
    "-",
    "a-",
    "a--b",
    "N" * 200,
]


def spelled(kind, value, names=NOBODY):
    """What the spelling reads back to, by itself and as the ANSWER line of a trace."""
    text = kind.spell(value)
    (line,) = parse(f"ANSWER: {text}").answers
    assert kind.read(line, frozenset(names), "answer") == kind.read(text, frozenset(names), "answer")
    return kind.read(line, frozenset(names), "answer")


@pytest.mark.parametrize("kind", [NODE_SET, WALK, CYCLE, ORDERING], ids=lambda kind: kind.name)
@pytest.mark.parametrize("name", AWKWARD, ids=lambda name: ascii(name)[:20])
def test_awkward_names_are_spelled_so_that_they_read_back(kind, name):
    name = clean_name(name)
    for names in ([name], [name, "zz"], ["AA", name]):
        value = kind.read(names, NOBODY, "answer")
        assert spelled(kind, value) == value
        assert spelled(kind, value, names) == value
        assert kind.read(json.loads(json.dumps(kind.show(value))), NOBODY, "answer") == value


@pytest.mark.parametrize("name", AWKWARD, ids=lambda name: ascii(name)[:20])
def test_awkward_people_are_spelled_so_that_they_read_back(name):
    for roles in ({name: "knight"}, {name: "knave", "zz": "knight"}):
        value = read(ASSIGNMENT, roles)
        assert spelled(ASSIGNMENT, value) == value
        assert read(ASSIGNMENT, ASSIGNMENT.show(value)) == value


@pytest.mark.parametrize("name", AWKWARD, ids=lambda name: ascii(name)[:20])
def test_awkward_nodes_are_spelled_so_that_they_read_back(name):
    for graph in (Graph([name]), Graph([name, "zz"], [(name, "zz")]), Graph(["zz", name], [], [("zz", name)])):
        assert spelled(GRAPH, graph) == graph
        assert read(GRAPH, GRAPH.show(graph)) == graph


@pytest.mark.parametrize(
    "name", [name for name in AWKWARD if '"' not in name and "\n" not in name], ids=lambda name: ascii(name)[:20]
)
def test_awkward_paths_are_spelled_so_that_they_read_back(name):
    name = clean_name(name)
    for path in (Path((name, "zz"), ("->",)), Path(("zz", name, "AA"), ("<-", "<->"))):
        assert spelled(PATH, path) == path
        assert read(PATH, PATH.show(path)) == path


@pytest.mark.parametrize("name", AWKWARD, ids=lambda name: ascii(name)[:20])
def test_awkward_edges_are_spelled_so_that_they_read_back(name):
    name = clean_name(name)
    for mark in ("->", "<->", "--"):
        for left, right in ((name, "zz"), ("AA", name)):
            edge = (left, mark, right) if mark == "->" else (min(left, right), mark, max(left, right))
            assert spelled(EDGE, edge) == spelled(EDGE, edge, [left, right]) == edge
            assert read(EDGE, json.loads(json.dumps(EDGE.show(edge)))) == edge


EDGES = [
    (["A", "B"], ("A", "->", "B")),
    (["A", "->", "B"], ("A", "->", "B")),
    (["A", "<-", "B"], ("B", "->", "A")),
    (["B", "<->", "A"], ("A", "<->", "B")),
    (["B", "--", "A"], ("A", "--", "B")),
    ('["A*", "->", "B."]', ("A*", "->", "B.")),
]


@pytest.mark.parametrize("written, edge", EDGES)
def test_an_edge_may_be_a_list(written, edge):
    assert read(EDGE, written) == edge


@pytest.mark.parametrize("written", [["A"], ["A", "=>", "B"], ["A", "->", "A"], ["A", "->", 1], ["A", "->", "B", "C"]])
def test_a_list_that_is_no_edge(written):
    assert_refused(EDGE, written)


@pytest.mark.parametrize("names", [("{}",), ("{}", "set()"), ("A", "{}")])
def test_the_empty_set_is_spelled_apart_from_a_node_that_looks_like_it(names):
    """Where a node is called {}, the text {} is that node."""
    text = NODE_SET.spell(frozenset(), frozenset(names))
    assert NODE_SET.read(text, frozenset(names), "answer") == frozenset()


@pytest.mark.parametrize("number", ["0", "-1", "1/10", "0.12345", "1/3", "-22/7", "1e15", "1e20", "1e-20"])
def test_numbers_are_spelled_so_that_they_read_back(number):
    assert spelled(NUMBER, Fraction(number)) == Fraction(number)


@pytest.mark.parametrize(
    "text", ["1" * 300, "0." + "1" * 300, "9" * 300 + "." + "3" * 300 + "e200", "1e308", "1e-99", "7/" + "9" * 300]
)
def test_a_number_that_is_read_is_shown_and_spelled(text):
    number = read(NUMBER, text)
    if not isinstance(number, Fault):
        assert json.dumps(NUMBER.show(number))
        assert spelled(NUMBER, number) == number


SPELLED = [
    (NODE_SET, frozenset(), "{}"),
    (NODE_SET, frozenset({"B", "A"}), "{A, B}"),
    (NODE_SET, frozenset({"a, b"}), '["a, b"]'),
    (WALK, ("A", "B"), "A -> B"),
    (ORDERING, ("B", "A"), "B, A"),
    (CYCLE, ("A",), "A -> A"),
    (PATH, Path.parse("A->B<-C"), "A -> B <- C"),
    (YES_NO, "yes", "yes"),
    (NUMBER, Fraction(1, 4), "0.25"),
    (NUMBER, Fraction(3), "3"),
    (GRAPH, Graph.parse("A -> B, C"), "A -> B, C"),
    (ASSIGNMENT, (("Ann", True), ("Bob", False)), "Ann is a knight, Bob is a knave"),
]


@pytest.mark.parametrize("kind, value, text", SPELLED)
def test_spelling_is_plain_where_it_can_be(kind, value, text):
    assert kind.spell(value) == text


# ---------------------------------------------------------------- reasons


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
@pytest.mark.parametrize("unit", ["a", "a ", "a,a ", "-", "-> ", "[", '"', '{"a": ', "a -> b c ", "e\u0301\n", "9"])
def test_a_reason_is_short_whatever_the_answer(kind, unit):
    found = read(kind, unit * 50_000)
    assert not isinstance(found, Fault) or len(found.why) < MOST_OF_A_WHY


def test_a_reason_is_short_whatever_the_names_of_the_fields():
    for field in ("k" * 100_000, "nodes"):
        assert len(read(GRAPH, {"nodes": ["A"], "edges": [["A", "k" * 100_000]], field: ["A"]}).why) < MOST_OF_A_WHY
