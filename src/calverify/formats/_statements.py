"""The statements that DOT and dagitty share: names, chains of arrows, groups in braces, attribute lists.

    block      = statement { ";" statement } "}"
    statement  = "node" | "edge" | "graph"  attributes          defaults, where the dialect has them
               | name "=" name                                  an attribute of the whole graph: read and dropped
               | member { arrow member } attributes
    member     = name [ ":" name [ ":" name ] ]                 a port says where a line is drawn: read and dropped
               | [ "subgraph" [ name ] ] "{" block
    attributes = { "[" { name [ "=" name ] [ "," | ";" ] } "]" }

A group stands for every node in it: `a -> {b c}` is two edges.  Groups may be nested MAX_DEPTH deep.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Final, NamedTuple

from calverify.errors import GraphError
from calverify.formats._sketch import Sketch, says_hidden
from calverify.formats._tokens import Cursor, Token, shown

__all__ = ["MAX_DEPTH", "Attributes", "Block", "Dialect"]

MAX_DEPTH: Final = 64
Attributes = Mapping[str, str]


class Dialect(NamedTuple):
    """What one language says differently from the other."""

    format: str
    unquote: Callable[[str], str]
    is_name: Callable[[Token], bool]  # may a node be called this?
    edge_attributes: Collection[str]  # those that `mark` looks at; `edge [...]` may set them for later edges
    mark: Callable[[str, Attributes, str], str]  # arrow, attributes, how to name the edge -> one of -> <- <->
    node: Callable[[Sketch, Token, Attributes], None]  # what the attributes of a node say about it
    defaults: Collection[str]  # the words that set attributes of what follows, or of the whole graph
    bare_keys: bool  # may an attribute stand without a value?


class Block:
    """One reading of the statements between braces, into a sketch."""

    def __init__(self, cursor: Cursor, dialect: Dialect, sketch: Sketch) -> None:
        self.cursor = cursor
        self.dialect = dialect
        self.sketch = sketch
        self._edge_defaults: list[dict[str, str]] = []
        self._groups: set[str] = set()

    def read(self) -> dict[str, None]:
        """Read up to the closing brace, whose opening one has been taken; the names of the nodes in the block."""
        if len(self._edge_defaults) == MAX_DEPTH:
            line = self.cursor.next.line
            raise GraphError(f"{self.dialect.format} line {line}: groups are nested over {MAX_DEPTH} deep")
        self._edge_defaults.append(dict(self._edge_defaults[-1]) if self._edge_defaults else {})
        names: dict[str, None] = {}
        while not self.cursor.accept("}"):
            if not self.cursor.accept(";"):
                self._statement(names)
        self._edge_defaults.pop()
        return names

    def identifier(self, expected: str) -> Token:
        """The next name, without its quotes; "one" + "two" is one name."""
        token = self.cursor.next
        if token.kind == "word":
            return self.cursor.take()
        if token.kind == "html":
            self.cursor.refuse(f"{expected} (an HTML string is no name, and DOT has no '<-')")
        if token.kind != "quoted":
            self.cursor.refuse(expected)
        parts = [self.dialect.unquote(self.cursor.take().text)]
        while self.cursor.accept("+"):
            if self.cursor.next.kind != "quoted":
                self.cursor.refuse("a string in quotes after '+'")
            parts.append(self.dialect.unquote(self.cursor.take().text))
        return Token("quoted", "".join(parts), token.line)

    def _statement(self, names: dict[str, None]) -> None:
        first = self._name_or_group(names, "a statement or '}'")
        if isinstance(first, Token):
            if self.cursor.accept("="):
                self._value()
                return
            if self.cursor.sees("[") and first.kind == "word" and first.text.lower() in self.dialect.defaults:
                self._defaults(first, self._attributes())
                return
        members = [self._members(first, names)]
        arrows: list[Token] = []
        while self.cursor.next.kind == "arrow":
            arrows.append(self.cursor.take())
            members.append(self._members(self._name_or_group(names, "a name or a group after the arrow"), names))
        if arrows:
            attributes = self._edge_attributes(self._attributes())
            for left, arrow, right in zip(members, arrows, members[1:], strict=False):
                self._join(left, arrow, right, attributes)
        elif isinstance(first, Token):
            self.dialect.node(self.sketch, first, self._attributes())

    def _defaults(self, word: Token, attributes: Attributes) -> None:
        if word.text.lower() == "edge":
            self._edge_defaults[-1].update(self._edge_attributes(attributes))
        elif word.text.lower() == "node" and says_hidden(attributes):
            raise GraphError(
                f"{self.dialect.format} line {word.line}: a default marks nodes as hidden; "
                "expected the mark on each node"
            )

    def _edge_attributes(self, attributes: Attributes) -> dict[str, str]:
        return {key: value for key, value in attributes.items() if key in self.dialect.edge_attributes}

    def _name_or_group(self, names: dict[str, None], expected: str) -> Token | dict[str, None]:
        token = self.cursor.next
        if token.kind == "word" and token.text.lower() == "subgraph":
            self.cursor.take()
            if not self.cursor.sees("{"):
                self._open_group(self.identifier("the name of the subgraph or '{'"))
            self.cursor.expect("{")
        elif not self.cursor.accept("{"):
            name = self.identifier(expected)
            for _ in range(2):
                if self.cursor.accept(":"):
                    self.identifier("a port after ':'")
            return name
        group = self.read()
        names.update(group)
        return group

    def _open_group(self, name: Token) -> None:
        """A second subgraph of one name would continue the first; read as two, its arrows would lose ends."""
        if name.text in self._groups:
            raise GraphError(
                f"{self.dialect.format} line {name.line}: subgraph {shown(name.text)} is opened twice; "
                "write it in one place or give the second another name"
            )
        self._groups.add(name.text)

    def _members(self, found: Token | dict[str, None], names: dict[str, None]) -> list[str]:
        if not isinstance(found, Token):
            return list(found)
        if not self.dialect.is_name(found):
            raise GraphError(
                f"{self.dialect.format} line {found.line}: {shown(found.text)} is a word of the language; "
                "expected another name for the node"
            )
        name = self.sketch.node(found.text, found.line)
        names[name] = None
        return [name]

    def _join(self, left: list[str], arrow: Token, right: list[str], attributes: Attributes) -> None:
        if not left or not right:
            return
        edge = f"{self.dialect.format} line {arrow.line}: edge {left[0]} {arrow.text} {right[0]}"
        mark = self.dialect.mark(arrow.text, {**self._edge_defaults[-1], **attributes}, edge)
        for tail in left:
            for head in right:
                self.sketch.edge(tail, mark, head, arrow.line)

    def _attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self.cursor.accept("["):
            while not self.cursor.accept("]"):
                key = self.identifier("an attribute or ']'")
                if self.cursor.accept("="):
                    found[key.text] = self._value()
                elif self.dialect.bare_keys:
                    found[key.text] = ""
                else:
                    self.cursor.refuse(f"'=' after the attribute {shown(key.text)}")
                if not self.cursor.accept(","):
                    self.cursor.accept(";")
        return found

    def _value(self) -> str:
        if self.cursor.next.kind == "html":
            return self.cursor.take().text
        return self.identifier("a value after '='").text
