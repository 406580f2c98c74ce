"""What holds for every text: it gives a trace, in one pass, and that reads back; answers survive their spelling."""

import json
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, islice
from string import ascii_letters

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calverify.errors import BudgetError, Fault
from calverify.graphs import Path
from calverify.names import NameFault, clean_name
from calverify.traces import (
    ASSIGNMENT,
    CYCLE,
    GRAPH,
    MAX_TEXT,
    NODE_SET,
    NUMBER,
    ORDERING,
    PATH,
    SLOTS,
    STEPS,
    WALK,
    YES_NO,
    Trace,
    parse,
    render_trace,
)
from calverify.traces._json import MAX_DEPTH, JsonFault, read_json, too_deep
from tests.oracles import slow_json
from tests.strategies import graphs

TYPES = (NODE_SET, CYCLE, WALK, ORDERING, PATH, YES_NO, NUMBER, GRAPH, ASSIGNMENT)
NOBODY: frozenset[str] = frozenset()

ANYTHING = st.text(st.characters())  # lone surrogates too
MARKS = [
    "STEP",
    "step ",
    "1",
    " 6",
    "[graph_extract]",
    "[Answer]",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    '"',
    "'",
    "\\",
    "`",
    "```",
]
MARKS += [
    "```json",
    "*",
    "**",
    "_",
    "#",
    ">",
    "- ",
    "1. ",
    "<think>",
    "</think>",
    "ANSWER:",
    "Final answer: ",
    "\n",
    "\r\n",
]
MARKS += ["\n\n", " ", "\t", "{}", "[]", '{"a": 1}', '{"a": 1, "a": 2}', '"a"', "null", "NaN", "1e999", "01", "9" * 301]
MARKS += [
    "A",
    "B",
    "->",
    "<-",
    " -> ",
    "none",
    "set()",
    "yes",
    "no",
    "knight",
    " is a ",
    " and ",
    "∅",
    "\ud800",
    "\u200b",
    "\ufeff",
]
MARKS += [f"\nSTEP {i} [{step}]: " for i, step in enumerate(STEPS, 1)]
PIECES = st.lists(st.sampled_from(MARKS) | st.text(st.characters(), max_size=3), max_size=30).map("".join)


# ---------------------------------------------------------------- JSON

NUMBERS = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | NUMBERS | ANYTHING
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANYTHING, inner, max_size=4), max_leaves=12
)
JSON_MARKS = [
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    '"',
    "\\",
    "\\u00e9",
    "\\ud835",
    "\\udefc",
    '"a"',
    '"b": ',
    "1",
    "0",
    "-",
    ".",
    "e",
    "+",
]
JSON_MARKS += [
    "true",
    "false",
    "null",
    "NaN",
    "Infinity",
    " ",
    "\n",
    "\t",
    "\x01",
    "\u00a0",
    "/",
    "9" * 301,
    "1e400",
    "[" * 65,
]
JSON_PIECES = st.lists(st.sampled_from(JSON_MARKS), max_size=20).map("".join)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """JSON with one to three characters deleted, doubled, swapped or put in."""
    text = json.dumps(draw(VALUES), ensure_ascii=draw(st.booleans()))
    for _ in range(draw(st.integers(1, 3))):
        text = draw(st.sampled_from(EDITS))(text, draw(st.integers(0, len(text))), draw(st.sampled_from(JSON_MARKS)))
    return text


def _cut(text: str, at: int, mark: str) -> str:
    return text[:at] + text[at + 1 :]


def _put(text: str, at: int, mark: str) -> str:
    return text[:at] + mark + text[at:]


def _double(text: str, at: int, mark: str) -> str:
    return text[:at] + text[at : at + 8] + text[at:]


def _swap(text: str, at: int, mark: str) -> str:
    return text[:at] + text[at : at + 2][::-1] + text[at + 2 :]


def _stop(text: str, at: int, mark: str) -> str:
    return text[:at]


EDITS: list[Callable[[str, int, str], str]] = [_cut, _put, _double, _swap, _stop]


def exactly(value: object) -> str:
    """A spelling in which 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


@given(JSON_PIECES | damaged() | PIECES | ANYTHING, st.integers(0, 3))
def test_json_agrees_with_the_slow_reader(text, start):
    assume(slow_json.depth(text, start) <= MAX_DEPTH)
    try:
        expected = slow_json.read(text, start)
    except slow_json.Refused:
        with pytest.raises(JsonFault):
            read_json(text, start)
    else:
        found = read_json(text, start)
        assert found == expected
        assert exactly(found) == exactly(expected)


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_json_agrees_with_the_library_on_strict_json(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    found, stop = read_json(text, 0)
    assert exactly(found) == exactly(json.loads(text))
    assert stop == len(text)


@given(damaged())
def test_json_reads_nothing_that_the_library_refuses(text):
    try:
        _, stop = read_json(text, 0)
    except JsonFault:
        return
    json.loads(text[:stop])


@given(PIECES | JSON_PIECES | damaged(), st.integers(0, 100), st.integers(0, 5))
def test_depth_agrees_with_the_slow_counter(text, levels, start):
    text = "[" * levels + text
    assert too_deep(text, start) == (slow_json.depth(text, start) > MAX_DEPTH)


@given(VALUES, st.sampled_from(SLOTS))
def test_a_slot_holds_the_value_that_was_written(value, slot):
    index = SLOTS.index(slot)
    written = f"STEP {index + 1} [{STEPS[index]}]: {json.dumps(value)}"
    assert exactly(parse(written).slots[index]) == exactly(value)


# ---------------------------------------------------------------- any text


def assert_a_trace(text: str) -> Trace:
    trace = parse(text)
    assert len(trace.slots) == 6
    for slot, value in zip(SLOTS, trace.slots, strict=True):
        if isinstance(value, Fault):
            assert value.slot == slot
            assert value.why
    record = trace.to_json()
    assert Trace.from_json(record) == trace
    assert Trace.from_json(json.loads(json.dumps(record))) == trace
    assert parse(text) == trace
    for line in trace.answers:
        assert "\n" not in line
        for kind in TYPES:
            kind.read(line, NOBODY, "answer")
    return trace


@given(ANYTHING | PIECES)
def test_any_text_gives_a_trace_that_reads_back(text):
    assert_a_trace(text)


GRAPH_SLOT = {"nodes": ["U", "M", "Y"], "edges": [["U", "M"], ["M", "Y"]]}
OTHER_SLOTS = [
    {"task": "d_separation", "targets": ["U", "Y"]},
    {"set": ["M"]},
    [{"rule": "r", "to": "M"}],
    {"result": ["M"]},
]
SHEET = [GRAPH_SLOT, *OTHER_SLOTS, {"answer": ["M"]}]
WHOLE = render_trace(SHEET, "M")


@st.composite
def mutants(draw: st.DrawFn) -> str:
    """A faultless trace after a few edits of its lines and characters."""
    lines = WHOLE.split("\n")
    for _ in range(draw(st.integers(0, 3))):
        at, to = draw(st.integers(0, len(lines))), draw(st.integers(0, len(lines)))
        what = draw(st.sampled_from(["cut", "double", "move", "put"]))
        if what == "put":
            lines.insert(at, draw(PIECES))
        elif line := lines[at : at + 1]:
            if what != "double":
                del lines[at]
            if what != "cut":
                lines[to:to] = line
    text = draw(st.sampled_from(["\n", "\n\n", "\r\n", " "])).join(lines)
    for _ in range(draw(st.integers(0, 4))):
        at, mark = draw(st.integers(0, len(text))), draw(st.sampled_from(MARKS))
        text = draw(st.sampled_from(EDITS))(text, at, mark)
    return text


@given(mutants())
def test_a_damaged_trace_is_a_trace(text):
    assert_a_trace(text)


@given(mutants() | PIECES)
def test_a_blank_at_the_end_of_each_line_changes_nothing(text):
    """A text by the book and one that needs care are read to the same trace."""
    trace, careful = parse(text), parse(text.replace("\n", " \n") + " ")
    assert exactly(trace.to_json()["slots"]) == exactly(careful.to_json()["slots"])
    assert [fault.slot for fault in trace.faults] == [fault.slot for fault in careful.faults]
    assert (trace.answers, trace.headers) == (careful.answers, careful.headers)


@given(mutants(), PIECES)
def test_a_copy_of_every_slot_leaves_none(text, between):
    """Whatever stands before, a whole second trace repeats each slot that the first one has: hedging earns nothing."""
    first, both = parse(text + "\n" + between), parse(text + "\n" + between + "\n" + WHOLE)
    for slot, before, after in zip(SLOTS, first.slots, both.slots, strict=True):
        assert isinstance(after, Fault) or before == Fault(slot, "missing")
    assert both.answers == (*first.answers, "M")
    assert both.headers == first.headers + 6


@given(st.lists(ANYTHING, min_size=7, max_size=7))
def test_prose_between_the_slots_changes_nothing(prose):
    lines = WHOLE.split("\n")[1:-2]
    assume(not any(parse(words) != Trace() for words in prose))
    text = "\n".join(words + "\n" + line for words, line in zip(prose, [*lines, "ANSWER: M"], strict=True))
    assert parse(text) == parse(WHOLE)


WRAPS = [
    "{}",
    "**{}**",
    "- {}",
    "* {}",
    "> {}",
    "### {}",
    "3. {}",
    "7) {}",
    "  {}  ",
    "\t{}\t",
    "`{}`",
    "_{}",
    "<think>{}",
    "{}</think>",
]
WRAPS += ["- **{}**", "> - {}", "{}\r", "1. `{}`", "• {}", "+ {}", "</think> {}"]
HEADERS = [
    "STEP {n} [{s}]: {b}",
    "step {n} [{s}] {b}",
    "Step {n}: [{s}] {b}",
    "STEP {n} [ {s} ] : {b}",
    "**STEP {n}** [{s}]: {b}",
]
HEADERS += [
    "STEP 0{n} [{s}]:{b}",
    "Step {n}. [{s}]:\n{b}",
    "STEP {n} [{s}]\n\n  {b}",
    "STEP {n} [{s}]:\n```json\n{b}\n```",
    "**STEP {n} [{s}]:** {b}",
]
HEADERS += ["STEP {n} [{s}]: `{b}`", "STEP {n} [{s}]:\n```\n{b}\n```\n", "STEP {n} – [{s}]: {b}.", "STEP{n}[{s}]{b},"]
CASES: list[Callable[[str], str]] = [
    str,
    str.upper,
    str.title,
    lambda name: name.replace("_", " "),
    lambda name: name.replace("_", "-"),
]


@given(st.data())
def test_harmless_variation_changes_nothing(data):
    lines = []
    for index, value in enumerate(SHEET):
        body = json.dumps(
            value, indent=data.draw(st.sampled_from([None, None, 2])), ensure_ascii=data.draw(st.booleans())
        )
        header = data.draw(st.sampled_from(HEADERS))
        line = header.format(n=index + 1, s=data.draw(st.sampled_from(CASES))(STEPS[index]), b=body)
        if "\n" not in line and not line.endswith("`"):
            line = data.draw(st.sampled_from(WRAPS)).format(line)
        lines += [
            line,
            *data.draw(st.lists(st.sampled_from(["", "   ", "So far so good.", "---", "</think>"]), max_size=2)),
        ]
    answer = data.draw(
        st.sampled_from(["ANSWER: M", "Answer: M", "**ANSWER:** M", "Final answer: **M**", "answer:M", "`ANSWER`: `M`"])
    )
    lines.append(data.draw(st.sampled_from([wrap for wrap in WRAPS if "think" not in wrap])).format(answer))
    assert parse("\n".join(lines)) == parse(WHOLE)


@given(VALUES, VALUES, st.text(st.characters(exclude_characters="\n \t\r*`", exclude_categories=["Cs"]), min_size=1))
def test_what_is_rendered_reads_back(one, two, answer):
    trace = parse(render_trace([one, two, one, two, one, two], answer))
    assert exactly(trace.slots) == exactly((one, two) * 3)
    assert trace.answers == (answer,)


# ---------------------------------------------------------------- answers


def _is_name(text: str) -> bool:
    try:
        return clean_name(text) == text
    except NameFault:
        return False


LETTERS = st.sampled_from(
    [
        *"ABab12 _-.,:;'\"[]{}()<>*`$\\/=|",
        "->",
        "<-",
        "→",
        "none",
        " is a knight",
        "and ",
        "é",
        "\u0301",
        "∅",
        "\n",
        "\u2028",
    ]
)
NAMES = (st.lists(LETTERS, min_size=1, max_size=6).map("".join) | st.text(max_size=6)).filter(_is_name)
PLAIN = st.text(ascii_letters + "0123456789_", min_size=1, max_size=4).filter(
    lambda name: name.lower() not in ("none", "empty")
)
DRAWN = {
    NODE_SET: st.frozensets(NAMES, max_size=4),
    WALK: st.lists(NAMES, min_size=1, max_size=4).map(tuple),
    ORDERING: st.lists(NAMES, min_size=1, max_size=4, unique=True).map(tuple),
    CYCLE: st.lists(NAMES, min_size=1, max_size=4, unique=True).map(lambda names: CYCLE.read(names, NOBODY, "answer")),
    YES_NO: st.sampled_from(["yes", "no"]),
    NUMBER: st.fractions(max_denominator=10_000) | st.decimals(-1000, 1000, places=6).map(Fraction),
    ASSIGNMENT: st.dictionaries(NAMES, st.booleans(), min_size=1, max_size=4).map(
        lambda roles: tuple(sorted(roles.items()))
    ),
}


@pytest.mark.parametrize("kind", DRAWN, ids=lambda kind: kind.name)
def test_an_answer_survives_its_spelling(kind):
    @given(DRAWN[kind])
    def survives(value):
        (line,) = parse(f"ANSWER: {kind.spell(value)}").answers
        assert kind.read(line, NOBODY, "answer") == value
        if kind is not NUMBER:  # JSON has no fractions
            assert kind.read(json.loads(json.dumps(kind.show(value))), NOBODY, "answer") == value

    survives()


@given(graphs(max_nodes=4), st.lists(NAMES, min_size=4, max_size=4, unique=True))
def test_a_graph_survives_its_spelling(graph, names):
    graph = graph.renamed(dict(zip(graph.nodes, names, strict=False)))
    (line,) = parse(f"ANSWER: {GRAPH.spell(graph)}").answers
    assert GRAPH.read(line, NOBODY, "answer") == graph
    assert GRAPH.read(json.loads(json.dumps(GRAPH.show(graph))), NOBODY, "answer") == graph


@given(st.lists(PLAIN, min_size=1, max_size=5), st.data())
def test_a_path_survives_its_spelling(nodes, data):
    path = Path(tuple(nodes), tuple(data.draw(st.sampled_from(["->", "<-", "<->"])) for _ in nodes[1:]))
    (line,) = parse(f"ANSWER: {PATH.spell(path)}").answers
    assert PATH.read(line, NOBODY, "answer") == path
    assert PATH.read(PATH.show(path), NOBODY, "answer") == path


ANSWER_PIECES = [
    "A",
    "B",
    "AB",
    "Z",
    ", ",
    ",",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    '"',
    "'",
    "->",
    " ",
    ".",
    "*",
    "`",
    "none",
    "set()",
    "X[0]",
]


@given(st.lists(st.sampled_from(ANSWER_PIECES), max_size=10).map("".join), st.sampled_from([" ", "\t", "  ", "\n"]))
def test_blanks_around_an_answer_change_nothing(text, blank):
    known = frozenset({"A", "B", "AB", "X[0]", "none"})
    for kind in TYPES:
        found, again = kind.read(text, known, "answer"), kind.read(blank + text + blank, known, "answer")
        assert found == again or (isinstance(found, Fault) and isinstance(again, Fault))


LISTS = ["{}", "{{{}}}", "[{}]", "({})", "{{ {} }}", "**{}**", "`{{{}}}`", "${}$", "{}.", "{{{}}}.", " {} "]


@given(
    st.lists(PLAIN, min_size=1, max_size=5, unique=True),
    st.sampled_from(LISTS),
    st.sampled_from(["{}", '"{}"', "'{}'", "`{}`", " {}"]),
    st.data(),
)
def test_a_set_is_the_same_in_any_order_and_dress(names, dress, quotes, data):
    known = frozenset(data.draw(st.lists(st.sampled_from(names))))
    shuffled = data.draw(st.permutations(names))
    text = dress.format(data.draw(st.sampled_from([", ", ",", " , "])).join(quotes.format(name) for name in shuffled))
    assert NODE_SET.read(text, known, "answer") == frozenset(names)
    assert NODE_SET.read(shuffled, known, "answer") == frozenset(names)


@given(
    st.lists(PLAIN, min_size=1, max_size=6, unique=True),
    st.integers(0, 5),
    st.booleans(),
    st.sampled_from([" -> ", "->", " → ", ", "]),
)
def test_a_cycle_is_the_same_in_any_rotation(names, turn, closed, arrow):
    turn %= len(names)
    walk = names[turn:] + names[:turn]
    walk += walk[:1] if closed else []
    assert CYCLE.read(walk, NOBODY, "answer") == CYCLE.read(names, NOBODY, "answer")
    assert CYCLE.read(arrow.join(walk), NOBODY, "answer") == CYCLE.read(names, NOBODY, "answer")


@given(st.lists(PLAIN, min_size=1, max_size=4), PLAIN, st.integers(0, 4))
def test_a_name_said_twice_is_refused(names, name, at):
    twice = [*names[:at], name, *names[at:], name]
    for value in (twice, ", ".join(twice), json.dumps(twice)):
        assert isinstance(NODE_SET.read(value, NOBODY, "answer"), Fault)
        assert isinstance(ORDERING.read(value, NOBODY, "answer"), Fault)
    assert isinstance(ASSIGNMENT.read(", ".join(f"{one} is a knight" for one in twice), NOBODY, "answer"), Fault)


@given(PIECES | ANYTHING | VALUES, st.frozensets(st.sampled_from(["A", "B", "none"])))
def test_every_answer_is_read_or_refused_and_what_is_read_is_canonical(value, known):
    for kind in TYPES:
        found = kind.read(value, known, "answer")
        if isinstance(found, Fault):
            assert found.slot == "answer"
            assert found.why
            continue
        hash(found)
        assert kind.read(value, known, "answer") == found
        if kind is not NUMBER:
            assert kind.read(json.loads(json.dumps(kind.show(found))), known, "answer") == found


# ---------------------------------------------------------------- hostile texts
#
# Nothing is timed: at full size, what is not linear does not come back within the patience of a reader.

FULL = MAX_TEXT - 1000
SHORT = FULL // 16  # so that the default run has tried each of them


def filled(size: int, unit: str) -> str:
    return unit * (size // len(unit))


def counted(size: int, unit: str, joint: str) -> str:
    """Many different names: "v0, v1, v2, …"."""
    return joint.join(unit.format(i) for i in range(size // (len(unit) + len(joint) + 5)))


def counted_pairs(size: int, unit: str, joint: str) -> str:
    """Every pair of a few names, as often as there is room."""
    return joint.join(unit.format(*pair) for pair in islice(combinations(range(400), 2), size // 13))


COMBINING = "e" + "\u0323\u0301" * 90
HOSTILE_TEXTS: dict[str, Callable[[int], str]] = {
    "200,000 brackets": lambda n: "[" * 200_000,
    "brackets": lambda n: filled(n, "["),
    "objects": lambda n: filled(n, '{"a":'),
    "shallow brackets": lambda n: "[" + filled(n, "[],") + "[]]",
    "strings that hide brackets": lambda n: "[" + filled(n, '"[[{{\\"",') + "1]",
    "closing brackets in strings": lambda n: filled(n, '["]",'),
    "a string that never ends": lambda n: '["' + filled(n, "["),
    "backslashes": lambda n: '"' + filled(n, "\\"),
    "quotes": lambda n: filled(n, '"'),
    "colons": lambda n: '{"a":"' + filled(n, ":") + '"}',
    "many keys": lambda n: "{" + counted(n, '"k{}":1', ",") + "}",
    "one key twice at the end": lambda n: "{" + counted(n, '"k{}":1', ",") + ',"w":1,"w":1}',
    "one key twice at the end and deeper": lambda n: '[[{"a":{' + counted(n, '"k{}":1', ",") + ',"w":1,"w":1}}]]',
    "one name twice at the end": lambda n: '["' + counted(n, "v{}", '","') + '","w","w"]',
    "stars": lambda n: filled(n, "*"),
    "blanks": lambda n: filled(n, " "),
    "line breaks": lambda n: filled(n, "\n"),
    "windows line breaks": lambda n: filled(n, "\r\n"),
    "think tags": lambda n: filled(n, "<think>"),
    "half think tags": lambda n: filled(n, "</thin"),
    "numbering": lambda n: filled(n, "1."),
    "numbering a line": lambda n: filled(n, "\n1."),
    "bullets": lambda n: filled(n, "\n- "),
    "fences": lambda n: filled(n, "```"),
    "fences a line": lambda n: filled(n, "\n```json"),
    "steps": lambda n: filled(n, "STEP "),
    "half headers": lambda n: filled(n, "\nSTEP 1 ["),
    "a header that goes on": lambda n: "STEP 1 [" + filled(n, "a "),
    "a number that goes on": lambda n: "STEP " + filled(n, "1"),
    "headers": lambda n: filled(n, "STEP 1 [graph_extract]: {}\n"),
    "headers without JSON": lambda n: filled(n, "Step 1 [graph extract]:\n"),
    "headers of other steps": lambda n: filled(n, "STEP 7 [x]: {}\n"),
    "six headers and brackets": lambda n: (
        "\n".join(f"STEP {i} [{step}]: [" for i, step in enumerate(STEPS, 1)) + filled(n, "[")
    ),
    "six headers and a gap": lambda n: (
        "\n".join(f"STEP {i} [{step}]:" for i, step in enumerate(STEPS, 1)) + filled(n, "\n ") + "x"
    ),
    "a tail": lambda n: "STEP 1 [graph_extract]: {}" + filled(n, "*.") + "x",
    "ANSWER lines": lambda n: filled(n, "ANSWER: C\n"),
    "digits": lambda n: filled(n, "9"),
    "decimals": lambda n: "0." + filled(n, "7"),
    "zeros": lambda n: "0." + filled(n, "0") + "1",
    "an exponent": lambda n: "1e" + filled(n, "9"),
    "a fraction": lambda n: "7" * (n // 2) + "/" + "3" * (n // 2),
    "combining marks": lambda n: "e" + filled(n, "\u0323\u0301"),
    "combining marks in names": lambda n: '["' + counted(n, "{}" + COMBINING, '","') + '"]',
    "combining marks in a list": lambda n: counted(n, "{}" + COMBINING, ","),
    "combining marks in a key": lambda n: '{"e' + filled(n, "\u0323\u0301") + '":1}',
    "surrogates": lambda n: filled(n, "\ud800"),
    "commas": lambda n: filled(n, ","),
    "a list": lambda n: counted(n, "v{}", ", "),
    "a list with one name twice": lambda n: counted(n, "v{}", ",") + ",w,w",
    "blanks in a list": lambda n: "A," + filled(n, " ") + ",B",
    "arrows": lambda n: filled(n, "->"),
    "a walk": lambda n: counted(n, "v{}", " -> "),
    "a closed walk": lambda n: counted(n, "v{}", " -> ") + " -> v0",
    "the same step": lambda n: filled(n, "A -> B -> "),
    "arrows that point left": lambda n: filled(n, "a<-") + "a",
    "dashes": lambda n: filled(n, "a-"),
    "edges": lambda n: counted(n, "h -> v{}", ", "),
    "one edge twice": lambda n: counted(n, "h -> v{}", ", ") + ", h -> v0",
    "bidirected edges": lambda n: counted(n, "a <-> v{}", ";"),
    "bidirected edges of few nodes": lambda n: counted_pairs(n, "v{}<->v{}", ","),
    "ands": lambda n: filled(n, " and "),
    "knights and": lambda n: filled(n, "knight and "),
    "knights and blanks": lambda n: filled(n, "knight" + " " * 50),
    "people": lambda n: counted(n, "P{} is a knight", " and "),
    "one person twice": lambda n: counted(n, "P{} is a knight", ", ") + ", P0 is a knave",
    "roles": lambda n: "{" + counted(n, '"P{}":"knight"', ",") + "}",
    "numbered people": lambda n: filled(n, "(1) "),
    "equals": lambda n: filled(n, "="),
    "full stops": lambda n: filled(n, "."),
    "apostrophes": lambda n: filled(n, "'"),
}


@pytest.mark.parametrize("size", [SHORT, pytest.param(FULL, marks=pytest.mark.property)], ids=["short", "full"])
@pytest.mark.parametrize("make", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS)
def test_a_hostile_text_is_read_at_all(make, size):
    hostile = make(size)
    assert size // 2 < len(hostile) <= size + 200 or hostile == "[" * 200_000
    for said in (hostile, f"STEP 1 [graph_extract]: {hostile}", f"ANSWER: {hostile}"):
        assert len(parse(said).slots) == 6
    values = [hostile]
    if not too_deep(hostile, 0):
        with suppress(JsonFault):
            values.append(read_json(hostile, 0)[0])
    for kind in TYPES:
        for value in values:
            try:
                kind.read(value, NOBODY, "answer")
            except BudgetError:
                assert kind is GRAPH  # too large is neither right nor wrong
