"""The structure of a Bayesian network in BIF, the interchange format of the bnlearn repository.

    network NAME { property ... ; }
    variable NAME { type discrete [ n ] { value, value } ; property ... ; }
    probability ( CHILD | PARENT, PARENT ) { ... }

Each probability block gives the edges PARENT -> CHILD.  Variables may come in any order and after the blocks that name
them.  The numbers in a block are tokens like any other and are passed over.
Refused: a name without a variable block, a variable with two probability blocks or with none (a file cut short would
otherwise lose its edges in silence), and a joint block `( A, B )`.
"""

import re
from typing import Final

from calverify.errors import GraphError
from calverify.formats._sketch import Sketch
from calverify.formats._tokens import Cursor, Token, shown
from calverify.graphs import Graph

__all__ = ["from_bif"]

# A value may be spelled <5, 12+ or Asy/Patch: a word is whatever is no mark, and a comment starts where a word would.
TOKENS: Final = re.compile(
    r"""(?P<blank>\s++|//[^\n]*+|/\*(?:[^*]++|\*(?!/)|(?!))*+\*/)"""
    r"""|(?P<quoted>"[^"]*+")"""
    r"""|(?P<mark>[{}()\[\],;|])"""
    r"""|(?P<word>[^\s{}()\[\],;|"]++)"""
)


def from_bif(text: str) -> Graph:
    """The dag of a BIF text."""
    cursor = Cursor(text, TOKENS, "BIF")
    sketch = Sketch("BIF")
    variables: dict[str, int] = {}
    families: dict[str, list[Token]] = {}
    while cursor.next.kind != "end":
        word = cursor.next.text if cursor.next.kind == "word" else ""
        if word not in ("network", "variable", "probability"):
            cursor.refuse("'network', 'variable' or 'probability'")
        cursor.take()
        if word == "variable":
            token = _name(cursor, "the name of a variable")
            name = sketch.node(token.text, token.line)
            if name in variables:
                raise GraphError(f"BIF line {token.line}: variable {name} is declared twice")
            variables[name] = token.line
        elif word == "probability":
            child, *parents = _family(cursor)
            if child.text in families:
                raise GraphError(f"BIF line {child.line}: variable {child.text} has two probability blocks")
            families[child.text] = [child, *parents]
        elif not cursor.sees("{"):
            _name(cursor, "the name of the network or '{'")
        _skip_body(cursor)
    return _joined(sketch, variables, families)


def _joined(sketch: Sketch, variables: dict[str, int], families: dict[str, list[Token]]) -> Graph:
    """The graph, once every name is known to be a variable and every variable to have its block."""
    for family in families.values():
        child, *parents = (_known(sketch, token, family[0]) for token in family)
        for parent, token in zip(parents, family[1:], strict=True):
            sketch.edge(parent, "->", child, token.line)
        variables.pop(child)
    if variables:
        name, line = next(iter(variables.items()))
        raise GraphError(f"BIF line {line}: variable {name} has no probability block; expected one for each variable")
    return sketch.graph(acyclic=True)


def _known(sketch: Sketch, token: Token, child: Token) -> str:
    name = sketch.known(token.text)
    if name is None:
        raise GraphError(
            f"BIF line {token.line}: the probability block of {child.text} names {shown(token.text)}, "
            "which has no variable block"
        )
    return name


def _name(cursor: Cursor, expected: str) -> Token:
    """The next name, without its quotes."""
    if cursor.next.kind not in ("word", "quoted"):
        cursor.refuse(expected)
    token = cursor.take()
    return token._replace(text=token.text[1:-1]) if token.kind == "quoted" else token


def _family(cursor: Cursor) -> list[Token]:
    """The child and its parents, from `( CHILD | PARENT, PARENT )`."""
    cursor.expect("(")
    family = [_name(cursor, "the name of a variable")]
    if cursor.accept("|"):
        family.append(_name(cursor, "the name of a parent"))
        while cursor.accept(","):
            family.append(_name(cursor, "the name of a parent"))
    elif not cursor.sees(")"):
        cursor.refuse("'|' or ')'")
    if not cursor.accept(")"):
        cursor.refuse("',' or ')'")
    return family


def _skip_body(cursor: Cursor) -> None:
    """Pass over `{ ... }`, with whatever braces are inside."""
    cursor.expect("{")
    depth = 1
    while depth:
        if cursor.next.kind == "end":
            cursor.refuse("'}'")
        token = cursor.take()
        if token.kind == "mark":
            depth += (token.text == "{") - (token.text == "}")
