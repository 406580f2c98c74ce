"""The two formats of our own as texts: the JSON record of a graph, and the line of `Graph.parse`.

JSON is strict: a repeated key, NaN or Infinity, nesting over MAX_DEPTH levels or a field that no graph record has is
refused.  A record of the wrong shape is a `RecordError`; a graph that cannot be is a `GraphError`.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from calverify.errors import BudgetError, GraphError, RecordError
from calverify.formats._sketch import MAX_EDGES, MAX_NODES
from calverify.formats._tokens import shown
from calverify.graphs import Graph

__all__ = ["from_json", "from_text", "to_json", "to_text"]

MAX_DEPTH: Final = 64
BRACKETS: Final = re.compile(r'"(?:[^"\\]++|\\[\s\S])*+"|[\[\]{}]')
LIMITS: Final = {"nodes": MAX_NODES, "directed": MAX_EDGES, "bidirected": MAX_EDGES}


def from_json(text: str) -> Graph:
    """The graph of a JSON text {"class", "nodes", "directed", "bidirected"}."""
    _refuse_depth(text)
    try:
        record = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise RecordError(f"JSON line {error.lineno}: {error.msg}; expected a graph record") from error
    except ValueError as error:  # an integer of more digits than Python will read
        raise RecordError(f"JSON: {error}") from error
    if not isinstance(record, dict):
        raise RecordError(f"a graph record must be an object, not {shown(json.dumps(record))}")
    for field, limit in LIMITS.items():
        _check_list(field, record.get(field, []), limit)
    return Graph.from_json(record)


def _check_list(field: str, value: object, limit: int) -> None:
    """A list of names, or of pairs of names."""
    if not isinstance(value, list):
        raise RecordError(f"a graph record needs a list {field!r}, not {shown(json.dumps(value))}")
    if len(value) > limit:
        raise BudgetError(f"a graph record with {len(value):,} {field}; expected at most {limit:,}")
    wanted = "a name" if field == "nodes" else "a pair of names"
    for entry in value:
        names: Sequence[object] = [entry] if field == "nodes" else entry if isinstance(entry, list) else []
        if len(names) != (1 if field == "nodes" else 2) or not all(isinstance(name, str) for name in names):
            raise RecordError(f"{field!r} of a graph record holds {shown(json.dumps(entry))}; expected {wanted}")


def _refuse_depth(text: str) -> None:
    """The decoder recurses, so nesting is counted first."""
    depth = 0
    for found in BRACKETS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > MAX_DEPTH:
            line = text.count("\n", 0, found.start()) + 1
            raise RecordError(f"JSON line {line}: nested over {MAX_DEPTH} levels deep")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for key, value in pairs:
        if key in record:
            raise RecordError(f"the JSON key {shown(key)} stands twice in one object")
        record[key] = value
    return record


def _no_constant(constant: str) -> NoReturn:
    raise RecordError(f"JSON has no {constant}")


def to_json(graph: Graph) -> str:
    """The graph's record as one line of JSON."""
    return json.dumps(graph.to_json(), ensure_ascii=False)


def from_text(text: str) -> Graph:
    """`Graph.parse`: "U -> X -> Y, A <-> B, P"."""
    return Graph.parse(text)


def to_text(graph: Graph) -> str:
    """`str(graph)`, which `from_text` reads back; a name that the line cannot spell is refused."""
    for name in graph.nodes:
        if '"' in name or "\n" in name:
            raise GraphError(f"the text format cannot spell the name {name!r}: a double quote or a line break")
    return str(graph)
