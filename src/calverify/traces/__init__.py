"""The six-slot trace contract: render the prompt, read the text; total, linear, bounded.

Reading order: `_json` (strict JSON inside a longer text), `_trace` (slots), `_answer_type`, `_answers` and
`_graph_answers` (canonical answers), `_prompt`.
"""

from calverify.traces._answer_type import AnswerType
from calverify.traces._answers import (
    ASSIGNMENT,
    COUNT,
    CYCLE,
    LETTER,
    NODE,
    NODE_SET,
    NUMBER,
    ORDERING,
    WALK,
    YES_NO,
    set_of,
)
from calverify.traces._expression_answers import EXPRESSION
from calverify.traces._graph_answers import EDGE, GRAPH, PATH, graph_of_slot
from calverify.traces._prompt import PROMPT_VERSION, Schema, render_prompt, render_trace
from calverify.traces._trace import MAX_TEXT, SLOTS, STEPS, Trace, parse

__all__ = [
    "ASSIGNMENT",
    "COUNT",
    "CYCLE",
    "EDGE",
    "EXPRESSION",
    "GRAPH",
    "LETTER",
    "MAX_TEXT",
    "NODE",
    "NODE_SET",
    "NUMBER",
    "ORDERING",
    "PATH",
    "PROMPT_VERSION",
    "SLOTS",
    "STEPS",
    "WALK",
    "YES_NO",
    "AnswerType",
    "Schema",
    "Trace",
    "graph_of_slot",
    "parse",
    "render_prompt",
    "render_trace",
    "set_of",
]
