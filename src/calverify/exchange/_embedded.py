"""Problem records that a log carries: in a document, in the metadata of a sample, or as the record's own fields.

A data set that was made from our problems often has the record in a column, as an object or as its JSON text.  The
records of other data sets are told to this room by functions, because it knows none of them.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from calverify.errors import CalverifyError
from calverify.exchange._logged import Damaged, at
from calverify.problem import Problem

__all__ = ["ReadsProblem", "embedded_problem"]

ReadsProblem = Callable[[Mapping[str, Any]], Problem | None]

PLACES = ("problem", "doc.problem", "metadata.problem", "task.data.problem", "task.data.info.problem", "info.problem",
          "verifier_metadata.problem", "doc", "metadata", "task.data", "")  # fmt: skip
FIELDS = ("id", "text", "query", "graph", "legend", "graph_class", "scm")


def embedded_problem(
    record: Mapping[str, Any], name: str | None, others: Sequence[ReadsProblem] = ()
) -> Problem | None:
    """The problem that a record of a log carries, `name` where it has no id; None where it carries none.

    `others` read the records of other data sets, each None where it is none of its own.
    """
    for place in PLACES:
        found = _object(at(record, place) if place else record)
        try:
            problem = _ours(found, name) or next(filter(None, (read(found) for read in others)), None)
        except CalverifyError as error:
            raise Damaged(f"the problem that it carries{f' at {place!r}' if place else ''} is none: {error}") from None
        if problem is not None:
            return problem
    return None


def _ours(found: Mapping[str, Any], name: str | None) -> Problem | None:
    """The problem of a record of ours that may have other fields beside, and null in the place of what it has not."""
    query = found.get("query")
    if not isinstance(query, Mapping) or "task" not in query:
        return None
    kept = {field: value for field in FIELDS if (value := found.get(field)) is not None}
    kept["query"] = {field: value for field, value in query.items() if value is not None}
    return Problem.from_json({"id": name, **kept} if name else kept)


def _object(value: object) -> Mapping[str, Any]:
    """An object, or the object that a text is in JSON."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, Mapping) else {}
