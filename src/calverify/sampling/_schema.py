"""The six slots as one JSON object, for endpoints that can be held to a JSON schema, and back to a trace.

The object's keys are the six steps, in their order.  What comes back as anything else stays as it is, for the checker
to judge.
"""

import json
from typing import Any

from calverify.errors import RecordError
from calverify.records import read_strict_json
from calverify.traces import STEPS

__all__ = ["IN_JSON", "SIX_SLOTS", "trace_of"]

IN_JSON = (
    f"Write one JSON object and nothing else. Its keys are {', '.join(STEPS)}, in this order; the value of each is "
    "the JSON of that STEP."
)

SIX_SLOTS: dict[str, Any] = {
    "type": "json_schema",
    "json_schema": {
        "name": "six_slots",
        "schema": {
            "type": "object",
            "properties": {
                step: {"type": "array", "items": {"type": "object"}}
                if step == "identification_proof"
                else {"type": "object"}
                for step in STEPS
            },
            "required": list(STEPS),
            "additionalProperties": False,
        },
    },
}


def trace_of(text: str) -> str:
    """The six slots of the object as lines of a trace."""
    try:
        record = read_strict_json(text)
    except RecordError:
        return text
    if not isinstance(record, dict) or record.keys() != set(STEPS):
        return text
    return "\n".join(
        f"STEP {place} [{step}]: {json.dumps(record[step], ensure_ascii=False)}"
        for place, step in enumerate(STEPS, start=1)
    )
