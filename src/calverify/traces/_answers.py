"""Answers: from a JSON value or the text of an ANSWER line to one canonical value, for every type an answer can have.

Rule 1: two answers are the same answer exactly when their canonical values are equal (a cycle in any rotation, a set in
any order), so the canonical value is what votes are counted on.
Rule 2: reading decides what was said, not whether it is right: a name that no graph knows is read like any other.
Rule 3: "set()", "{}", "[]", "empty set", "none" and "∅" are the empty set, which is an answer; nothing at all is not.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from json import dumps
from typing import Any

from calverify.errors import Fault, GraphError
from calverify.graphs import Graph, Path
from calverify.names import NameFault, brief, clean_name, exact_number, first_repeat, number_json
from calverify.traces._json import JsonFault, crowded, read_json, too_deep

__all__ = [
    "ASSIGNMENT",
    "COUNT",
    "CYCLE",
    "EDGE",
    "GRAPH",
    "LETTER",
    "NODE",
    "NODE_SET",
    "NUMBER",
    "ORDERING",
    "PATH",
    "WALK",
    "YES_NO",
    "AnswerType",
    "graph_of_slot",
    "set_of",
]

Names = frozenset[str]

EMPTY_SET = frozenset({"set()", "{}", "[]", "()", "empty set", "the empty set", "empty", "none", "∅", "frozenset()"})
BRACKETS = {"{": "}", "[": "]", "(": ")"}
ARROW = re.compile("->|→|⟶|=>")
MARKS = {"->", "<-", "<->"}
NEXT_PERSON = re.compile(r"(?<=knight)[ \t]++and[ \t]++|(?<=knave)[ \t]++and[ \t]++", re.IGNORECASE)
NUMBERING = re.compile(r"\(?+\d++[.)][ \t]++")
GRAPH_FIELDS = frozenset({"nodes", "edges", "directed", "bidirected", "undirected", "class"})


class Unreadable(Exception):
    """Why a value is not an answer of the type asked for; never leaves this module."""


@dataclass(frozen=True, slots=True)
class AnswerType:
    """How one type of answer is read, shown as JSON, and spelled on an ANSWER line."""

    name: str
    _read: Callable[[Any, Names], Any]
    show: Callable[[Any], Any]
    _plain: Callable[[Any], str]
    _exact: Callable[[Any], Any] | None = None

    def read(self, value: Any, names: Names, slot: str) -> Any:
        """The canonical value, or a `Fault` in `slot`; `names` tells a node called "none" from the empty set."""
        try:
            return self._read(value, names)
        except Unreadable as why:
            return Fault(slot, str(why))

    def spell(self, value: Any) -> str:
        """The text of an ANSWER line that reads back to the value: in plain words, or in JSON for awkward names."""
        plain = self._plain(value)
        same = self.read(plain, frozenset(), "answer") == value and len(plain.splitlines()) == 1
        return plain if same else dumps((self._exact or self.show)(value))


def _name(item: object) -> str:
    try:
        return clean_name(item)
    except NameFault as fault:
        raise Unreadable(str(fault)) from None


def _unwrap(text: str) -> str:
    """The text without emphasis and without the full stop that ends a sentence, whichever stands outside."""
    text = text.strip().strip("*`$ \t")
    return text[:-1].rstrip("*`$ \t") if text.endswith(".") else text


def _json(text: str) -> Any | None:
    """The list or object that the whole text is in strict JSON, or None."""
    if not text.startswith(("[", "{")) or (crowded(text) and too_deep(text, 0)):
        return None
    try:
        value, stop = read_json(text + "\n", 0)
    except JsonFault:
        return None
    return value if stop == len(text) else None


def _names(value: Any, names: Names) -> list[str]:
    """The names of a list, in order, from a JSON list or from text: "{U, P}", "['U', 'P']", "U, P" -> U, P."""
    if type(value) is list:
        return [_name(item) for item in value]
    if type(value) is dict and not value:
        return []
    if type(value) is not str:
        raise Unreadable(f"{brief(value)} is not a list of names")
    if (whole := value.strip()) in names:
        return [whole]
    text = _unwrap(value)
    if text in names:
        return [text]
    word = text.strip("'\"").lower()
    if word in EMPTY_SET or "".join(word.split()) in EMPTY_SET:
        return []
    if not text:
        raise Unreadable("the answer is empty")
    listed = _json(text)
    if type(listed) is list:
        return [_name(item) for item in listed]
    if text[0] in BRACKETS and text.endswith(BRACKETS[text[0]]):
        text = text[1:-1]
        if not text.strip():
            return []
    return [_piece(piece, names) for piece in text.split(",")]


def _piece(piece: str, names: Names) -> str:
    """One name of a list written as text; quotes around it are taken off, other punctuation is not a name."""
    name = _name(piece)
    if name not in names:
        name = _name(name.strip("*` \t"))
    if name not in names and len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        name = _name(name[1:-1])
    if name not in names and any(mark in name for mark in "[]{}\"'"):
        raise Unreadable(f"{brief(name)} is not a name")
    return name


def _read_set(value: Any, names: Names) -> frozenset[str]:
    try:  # known names, each once and spelled by the book, need no closer look
        said: list[Any] = value
        if type(value) is not list:
            said = value[1:-1].split(", ") if value[0] == "{" and value[-1] == "}" else [value]
        found = frozenset(said)
        if len(found) == len(said) and found <= names:
            return found
    except (TypeError, LookupError):
        pass  # no list and no text, an empty text, or a list of other things than names
    listed = _names(value, names)
    found = frozenset(listed)
    if len(found) != len(listed):
        raise Unreadable(f"{first_repeat(listed)} is listed twice")
    return found


def _read_walk(value: Any, names: Names) -> tuple[str, ...]:
    """Names in order, from a list or from "A -> B -> C"."""
    if type(value) is str and value.strip() not in names:
        text = _unwrap(value)
        if type(stated := _json(text)) is list:
            return _read_walk(stated, names)
        if "<-" in text or "↔" in text or "←" in text:
            raise Unreadable(f"{brief(text)} has an arrow that does not point forward")
        if ARROW.search(text):
            return tuple(_piece(piece, names) for piece in ARROW.split(text))
    listed = _names(value, names)
    if not listed:
        raise Unreadable("the sequence is empty")
    return tuple(listed)


def _read_ordering(value: Any, names: Names) -> tuple[str, ...]:
    order = _read_walk(value, names)
    if len(set(order)) != len(order):
        raise Unreadable("a name stands twice in the ordering")
    return order


def _read_cycle(value: Any, names: Names) -> tuple[str, ...]:
    """The cycle from its least name on, its first node not repeated: B -> A -> B is ("A", "B")."""
    walk = _read_walk(value, names)
    if len(walk) > 1 and walk[0] == walk[-1]:
        walk = walk[:-1]
    if len(set(walk)) != len(walk):
        return walk  # not a simple cycle whatever its rotation
    least = walk.index(min(walk))
    return walk[least:] + walk[:least]


def _read_path(value: Any, names: Names) -> Path:
    if type(value) is str and type(stated := _json(_unwrap(value))) is list:
        value = stated
    try:
        if type(value) is list and len(value) > 1 and set(value[1::2]) <= MARKS:
            return Path(tuple(map(_name, value[::2])), tuple(value[1::2]))
        if type(value) is list and value:
            return Path.parse(" ".join(value))
        if type(value) is str:
            return Path.parse(_unwrap(value))
    except (GraphError, TypeError) as error:
        raise Unreadable(_short(error)) from None
    raise Unreadable(f"{brief(value)} is not a path")


def _short(error: Exception) -> str:
    """The reason, cut where it quotes at length."""
    why = str(error)
    return why if len(why) <= 300 else f"{why[:200]} ... {why[-60:]}"


def _read_yes_no(value: Any, names: Names) -> str:
    if type(value) is bool:
        return "yes" if value else "no"
    word = _unwrap(value).strip("\"'").lower() if type(value) is str else ""
    if word in ("yes", "true"):
        return "yes"
    if word in ("no", "false"):
        return "no"
    raise Unreadable(f"{brief(value)} is neither yes nor no")


def _read_number(value: Any, names: Names) -> Fraction:
    """The number as written: 0.1 is one tenth, not the nearest double."""
    number = exact_number(value)
    if number is None and type(value) is str:
        number = exact_number(_unwrap(value).strip("\"'"))
    if number is None:
        raise Unreadable(f"{brief(value)} is not a number")
    return number


def graph_of_slot(value: Any) -> Graph:
    """The graph of {"nodes", "edges", "bidirected"}; raises `GraphError` saying what is wrong with it."""
    if type(value) is not dict:
        raise GraphError(f"a graph is an object with nodes and edges, not {brief(value)}")
    extra = value.keys() - GRAPH_FIELDS
    if extra:
        raise GraphError(f"unknown field {brief(min(extra))}; a graph has nodes, edges and bidirected")
    if "edges" in value and "directed" in value:
        raise GraphError("the edges are stated twice, as edges and as directed")
    nodes = _list_of("nodes", value.get("nodes"))
    edges = _list_of("edges", value.get("edges", value.get("directed")))
    arcs = _list_of("bidirected", value.get("bidirected", []))
    lines = _list_of("undirected", value.get("undirected", []))
    for pair in [*edges, *arcs, *lines]:
        if type(pair) is not list:
            raise GraphError(f"an edge must be a pair of names, not {brief(pair)}")
    return Graph(nodes, edges, arcs, value.get("class"), lines)


def _list_of(field: str, part: Any) -> list[Any]:
    if type(part) is not list:
        raise GraphError(f"{field} must be a list, not {brief(part)}" if part is not None else f"no field {field!r}")
    return part


def _read_graph(value: Any, names: Names) -> Graph:
    if type(value) is str and type(stated := _json(_unwrap(value))) is dict:
        value = stated
    if type(value) is str and not _unwrap(value):
        raise Unreadable("the answer is empty")
    try:
        return Graph.parse(_unwrap(value)) if type(value) is str else graph_of_slot(value)
    except GraphError as error:
        raise Unreadable(_short(error)) from None


def _read_assignment(value: Any, names: Names) -> tuple[tuple[str, bool], ...]:
    """((name, is a knight), ...) sorted by name, from {"Ann": "knight"} or "Ann is a knight, and Bob is a knave."."""
    if type(value) is str and type(stated := _json(_unwrap(value))) is dict:
        value = stated
    if type(value) is str:
        pairs = [_read_role(piece) for piece in _people(value)]
    elif type(value) is dict:
        pairs = [(_name(name), role) for name, role in value.items()]
    else:
        raise Unreadable(f"{brief(value)} does not say who is a knight and who is a knave")
    roles = {"knight": True, "knave": False, True: True, False: False}
    found: dict[str, bool] = {}
    for name, role in pairs:
        kind = roles.get(role.strip().lower() if type(role) is str else role) if type(role) in (str, bool) else None
        if kind is None:
            raise Unreadable(f"{brief(role)} is neither knight nor knave")
        if name in found:
            raise Unreadable(f"{name} is named twice")
        found[name] = kind
    if not found:
        raise Unreadable("nobody is named")
    return tuple(sorted(found.items()))


def _people(text: str) -> list[str]:
    """The statements about one person each: "A is a knight, B is a knave, and C is a knight." -> three."""
    parts = _unwrap(text).replace(";", ",").replace("\n", ",").split(",")
    return [piece for part in parts for piece in NEXT_PERSON.split(part) if piece.strip()]


def _read_role(piece: str) -> tuple[str, str]:
    """Name and role of "(1) Ann is a knight", "and Ann is a knight" or "Ann: knight"."""
    said = piece.strip().lstrip("-•").lstrip()
    if number := NUMBERING.match(said):
        said = said[number.end() :]
    if said[:4].lower() == "and ":
        said = said[4:].lstrip()
    for words in (said.replace(":", " : ", 1).rsplit(None, 2), said.replace("=", " = ", 1).rsplit(None, 2)):
        if len(words) == 3 and words[1] in (":", "="):
            return _person(words[0]), words[2].strip("*`")
    words = said.rsplit(None, 3)
    if len(words) == 4 and words[1].lower() == "is" and words[2].lower() in ("a", "an"):
        return _person(words[0]), words[3].strip("*`")
    raise Unreadable(f"{brief(said)} does not say who is a knight or a knave")


def _person(text: str) -> str:
    """The name without the emphasis around it."""
    bare = text.strip("*` \t")
    return _name(bare or text)


def _roles(value: tuple[tuple[str, bool], ...]) -> dict[str, str]:
    return {name: "knight" if is_knight else "knave" for name, is_knight in value}


def _path_json(path: Path) -> str | list[str]:
    """ "A -> B <- C", or its parts one by one where emphasis marks would be lost from a name."""
    chain = str(path)
    return chain if _unwrap(chain) == chain else _alternating(path)


def _alternating(path: Path) -> list[str]:
    """["A", "->", "B"]: a path whose names a chain cannot spell."""
    return [path.nodes[0], *(part for step in zip(path.arrows, path.nodes[1:], strict=True) for part in step)]


def _graph_json(graph: Graph) -> dict[str, Any]:
    record = graph.to_json()
    return {"nodes": record["nodes"], "edges": record["directed"], "bidirected": record["bidirected"]}


def _closed(cycle: tuple[str, ...]) -> list[str]:
    return [*cycle, cycle[0]]


def _read_node(value: Any, names: Names) -> str:
    listed = _names(value, names) if type(value) is str else [_name(value)]
    if len(listed) != 1:
        raise Unreadable(f"{brief(value)} is not one name")
    return listed[0]


def _read_edge(value: Any, names: Names) -> tuple[str, str, str]:
    """(left, mark, right) of one edge: "A->B", "A<->B", "A--B" or "A-B"; without a direction, the names in order."""
    if type(value) is list and len(value) == 2:
        return _name(value[0]), "->", _name(value[1])
    if type(value) is not str:
        raise Unreadable(f"{brief(value)} is not an edge")
    text = _unwrap(value)
    left, dash, right = text.partition("-")
    if dash and left.strip() in names and right.strip() in names:
        text = f"{left}--{right}"
    try:
        graph = Graph.parse(text)
    except GraphError as error:
        raise Unreadable(str(error)) from None
    marked = (("->", graph.directed), ("<->", graph.edge_set[1]), ("--", graph.undirected_set))
    found = [(a, mark, b) for mark, edges in marked for a, b in edges]
    if len(found) != 1 or len(graph.nodes) != 2:
        raise Unreadable(f"{brief(text)} is not one edge")
    return found[0]


def _edge_text(edge: tuple[str, str, str]) -> str:
    left, mark, right = edge
    pair = [(left, right)]
    return str(Graph((left, right), pair * (mark == "->"), pair * (mark == "<->"), None, pair * (mark == "--")))


def _read_letter(value: Any, names: Names) -> str:
    text = _unwrap(value).strip("()'\" ") if type(value) is str else ""
    if len(text) != 1 or not text.isascii() or not text.isalpha():
        raise Unreadable(f"{brief(value)} is not the letter of an option")
    return text.upper()


def set_of(kind: AnswerType) -> AnswerType:
    """The type of "all of them": a set of objects of one type, in any order, each once."""

    def read(value: Any, names: Names) -> frozenset[Any]:
        items = _items(value, names)
        found = frozenset(kind._read(item, names) for item in items)
        if len(found) != len(items):
            raise Unreadable("an object is listed twice")
        return found

    def show(values: frozenset[Any]) -> list[Any]:
        return sorted((kind.show(value) for value in values), key=repr)

    def plain(values: frozenset[Any]) -> str:
        return "[" + ", ".join(sorted(kind._plain(value) for value in values)) + "]"

    return AnswerType(f"list of {kind.name}", read, show, plain)


def _items(value: Any, names: Names) -> list[Any]:
    """The objects of a list, from JSON or from text: "[{A, B}, {C}]" and "A->B, B->C" are two each."""
    if type(value) is list:
        return value
    if type(value) is not str:
        raise Unreadable(f"{brief(value)} is not a list")
    text = _unwrap(value)
    stated = _json(text)
    if type(stated) is list:
        return stated
    if text.lower() in EMPTY_SET:
        return []
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    items, depth, start = [], 0, 0
    for place, mark in enumerate(text):
        depth += (mark in "{([") - (mark in "})]")
        if mark == "," and depth == 0:
            items.append(text[start:place])
            start = place + 1
    items.append(text[start:])
    stripped = [item.strip() for item in items]
    return [item[1:-1] if len(item) > 1 and item[0] == item[-1] and item[0] in "'\"" else item for item in stripped]


def _count(value: Any, names: Names) -> int:
    number = _read_number(value, names)
    if number.denominator != 1 or number < 0:
        raise Unreadable(f"{brief(value)} is not a count")
    return int(number)


NODE = AnswerType("name", _read_node, str, str)
EDGE = AnswerType("edge", _read_edge, _edge_text, _edge_text)
LETTER = AnswerType("letter", _read_letter, str, str)
COUNT = AnswerType("count", _count, int, str)
NODE_SET = AnswerType("set", _read_set, sorted, lambda names: "{" + ", ".join(sorted(names)) + "}")
CYCLE = AnswerType("cycle", _read_cycle, _closed, lambda cycle: " -> ".join(_closed(cycle)))
WALK = AnswerType("walk", _read_walk, list, " -> ".join)
ORDERING = AnswerType("ordering", _read_ordering, list, ", ".join)
PATH = AnswerType("path", _read_path, _path_json, str, _alternating)
YES_NO = AnswerType("yes/no", _read_yes_no, str, str)
NUMBER = AnswerType("number", _read_number, number_json, lambda value: str(number_json(value)))
GRAPH = AnswerType("graph", _read_graph, _graph_json, str)
ASSIGNMENT = AnswerType(
    "assignment",
    _read_assignment,
    _roles,
    lambda pairs: ", ".join(f"{name} is a {role}" for name, role in _roles(pairs).items()),
)
