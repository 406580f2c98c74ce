"""What a model is shown, and what a faultless trace looks like: one template, so that every task asks the same way."""

from collections.abc import Sequence
from json import dumps
from typing import Any

from calverify.traces._trace import STEPS

__all__ = ["PROMPT_VERSION", "Schema", "render_prompt", "render_trace"]

PROMPT_VERSION = "1"

Schema = Sequence[str]  # the six JSON shapes, in the order of the steps


def render_prompt(given: str, schema: Schema, facts: Sequence[str], question: str) -> str:
    """The prompt of the paper's figure: what is given, the six slots, the facts, the question."""
    steps = [f"STEP {i + 1} [{step}]: {shape}" for i, (step, shape) in enumerate(zip(STEPS, schema, strict=True))]
    return "\n".join(
        [
            f"You are given {given}.",
            "Reason step by step inside <think>...</think> using EXACTLY this six-step schema, one STEP per line, "
            "each with a JSON object:",
            *steps,
            "After </think>, output the final answer on its own line as 'ANSWER: ...'.",
            "",
            *facts,
            f"Question: {question}",
        ]
    )


def render_trace(slots: Sequence[Any], answer: str) -> str:
    """A trace by the book: six slots of compact JSON in a think block, then the ANSWER line."""
    bodies = [dumps(slot, ensure_ascii=False, separators=(",", ":")) for slot in slots]
    steps = [f"STEP {i + 1} [{step}]: {body}" for i, (step, body) in enumerate(zip(STEPS, bodies, strict=True))]
    return "\n".join(["<think>", *steps, "</think>", f"ANSWER: {answer}"])
