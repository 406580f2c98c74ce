"""Problem records that a log carries: in a document, in the metadata of a sample, or as the record's own fields.

A data set that was made from our problems often has the record in a column, as an object or as its JSON text.
"""

import json
from collections.abc import Mapping
from typing import Any

from calverify.errors import CalverifyError
from calverify.exchange._logged import Damaged, at
from calverify.problem import Problem

__all__ = ["embedded_problem"]

PLACES = ("problem", "doc.problem", "metadata.problem", "task.data.problem", "task.data.info.problem", "info.problem",
          "verifier_metadata.problem", "doc", "metadata", "task.data", "")  # fmt: skip
FIELDS = ("id", "text", "query", "graph", "legend", "graph_class", "scm")


def embedded_problem(record: Mapping[str, Any], name: str | None) -> Problem | None:
    """The problem that a record of a log carries, `name` where it has no id; None where it carries none."""
    for place in PLACES:
        found = _object(at(record, place) if place else record)
        if isinstance(found.get("query"), Mapping) and "task" in found["query"]:
            kept = {field: value for field in FIELDS if (value := found.get(field)) is not None}
            kept["query"] = {field: value for field, value in kept["query"].items() if value is not None}
            try:
                return Problem.from_json({"id": name, **kept} if name else kept)
            except CalverifyError as error:
                raise Damaged(f"the problem that it carries at {place or 'its top'!r} is none: {error}") from None
    return None


def _object(value: object) -> Mapping[str, Any]:
    """An object, or the object that a text is in JSON."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, Mapping) else {}
