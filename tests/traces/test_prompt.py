"""The prompt is the paper's figure, and a faultless trace by the book reads back."""

import pytest

from calverify.traces import PROMPT_VERSION, STEPS, parse, render_prompt, render_trace

SCHEMA = (
    '{"nodes":[...],"edges":[["A","B"],...]}',
    '{"task":"<task name>","targets":[...]}',
    '{"method":"<graph rule used>"}',
    '[{"rule":"...","to":"..."}]',
    '{"result": <the graph-derived answer>}',
    '{"answer": <final answer in the question\'s format>}',
)
FIGURE = """\
You are given a directed acyclic graph (DAG) and a question about its causal structure.
Reason step by step inside <think>...</think> using EXACTLY this six-step schema, one STEP per line, \
each with a JSON object:
STEP 1 [graph_extract]: {"nodes":[...],"edges":[["A","B"],...]}
STEP 2 [query_id]: {"task":"<task name>","targets":[...]}
STEP 3 [strategy]: {"method":"<graph rule used>"}
STEP 4 [identification_proof]: [{"rule":"...","to":"..."}]
STEP 5 [compute]: {"result": <the graph-derived answer>}
STEP 6 [answer]: {"answer": <final answer in the question's format>}
After </think>, output the final answer on its own line as 'ANSWER: ...'.

Graph nodes: J, K, C, Y, B, R, L, W
Directed edges: K->C, R->L, B->L, B->W, J->K, B->R, C->Y, K->B
Question: Find one valid nodeset that can d-separate node Y and node B."""


def test_the_prompt_of_the_figure():
    facts = [
        "Graph nodes: J, K, C, Y, B, R, L, W",
        "Directed edges: K->C, R->L, B->L, B->W, J->K, B->R, C->Y, K->B",
    ]
    given = "a directed acyclic graph (DAG) and a question about its causal structure"
    asked = "Find one valid nodeset that can d-separate node Y and node B."
    assert render_prompt(given, SCHEMA, facts, asked) == FIGURE


def test_a_changed_prompt_needs_a_new_version():
    assert PROMPT_VERSION == "1", "the figure above is the prompt of version 1: a new version brings its own text"


@pytest.mark.parametrize("count", [0, 5, 7])
def test_a_schema_has_six_shapes(count):
    with pytest.raises(ValueError):  # noqa: PT011
        render_prompt("", ["{}"] * count, [], "")
    with pytest.raises(ValueError):  # noqa: PT011
        render_trace([{}] * count, "")


def test_an_echo_of_the_prompt_is_no_trace():
    """The schema is no JSON, so a model that repeats it earns nothing."""
    trace = parse(FIGURE)
    assert [fault.slot for fault in trace.faults] == ["graph", "query", "result", "answer"]
    assert trace.answers == ()


SLOTS = [
    [{}, {}, {}, [], {}, {}],
    [
        {"nodes": ["é", "a\nb", 'q"q'], "edges": []},
        {"task": "STEP 1 [graph_extract]: {}"},
        {"method": "ANSWER: no\nANSWER: yes"},
        [{"rule": "</think>"}],
        {"result": "\u2028\x00\ud800"},
        {"answer": ["x", 1, 1.5, None, True, [[]]]},
    ],
]


@pytest.mark.parametrize("slots", SLOTS)
def test_what_is_rendered_reads_back(slots):
    text = render_trace(slots, "a, b")
    trace = parse(text)
    assert trace.slots == tuple(slots)
    assert trace.answers == ("a, b",)
    assert trace.headers == 6
    assert text.split("\n") == [
        "<think>",
        *[line for line in text.split("\n") if line.startswith("STEP ")],
        "</think>",
        "ANSWER: a, b",
    ]
    assert len([line for line in text.split("\n") if line.startswith("STEP ")]) == len(STEPS)


def test_the_trace_by_the_book():
    text = render_trace([{"nodes": ["é"], "edges": []}, {}, {}, [], {}, {"answer": ["A", "B"]}], "{A, B}")
    assert text == (
        '<think>\nSTEP 1 [graph_extract]: {"nodes":["é"],"edges":[]}\nSTEP 2 [query_id]: {}\nSTEP 3 [strategy]: {}\n'
        'STEP 4 [identification_proof]: []\nSTEP 5 [compute]: {}\nSTEP 6 [answer]: {"answer":["A","B"]}\n</think>\n'
        "ANSWER: {A, B}"
    )
