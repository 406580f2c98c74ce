"""The words that grammars are put together from: quoted text, choices, lists, and the rules of JSON and numbers."""

from collections.abc import Iterable, Sequence
from itertools import groupby

__all__ = ["ANY_JSON", "TERMS", "either", "literal", "one_of", "separated"]

ANY_JSON = r"""
object ::= "{" ws ( member ( "," ws member )* )? "}" ws
member ::= string ":" ws value
array ::= "[" ws ( value ( "," ws value )* )? "]" ws
value ::= object | array | string | number | ( "true" | "false" | "null" ) ws
string ::= "\"" ( [^"\\\x00-\x1F\x7F] | "\\" ( ["\\/bfnrt] | "u" [0-9a-fA-F]{4} ) )* "\"" ws
number ::= "-"? ( "0" | [1-9] [0-9]{0,15} ) ( "." [0-9]{1,24} )? ws
ws ::= " "?
line ::= [^\n]{1,400}
"""
TERMS = r"""
word ::= "\"" [A-Za-z0-9_ -]{1,40} "\""
quoted ::= "\"" [^"\\\x00-\x1F\x7F]{1,200} "\""
line ::= [^\n]{1,400}
whole ::= "0" | [1-9] [0-9]{0,8}
decimal ::= "-"? whole ( "." [0-9]{1,24} )?
fraction ::= "-"? [0-9]{1,60} "/" [0-9]{1,60}
yesno ::= "yes" | "no"
letter ::= [A-Z]
role ::= "knight" | "knave"
"""


def literal(text: str) -> str:
    """A text as a grammar quotes it; whatever could end the quotes or the line is written by its number."""
    return '"' + "".join(_char(char) for char in text) + '"'


def _char(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if " " <= char <= "~":
        return char
    code = ord(char)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def either(patterns: Iterable[str]) -> str:
    """One of them."""
    return "( " + " | ".join(patterns) + " )"


def separated(item: str, between: str, *, least: int = 1) -> str:
    """At least so many items, 0 or more."""
    if not least:
        return f"( {separated(item, between)} )?"
    rest = f"( {literal(between)} {item} )"
    return f"{item} {rest}*" if least == 1 else f"{item} {rest}{{{least - 1},}}"


def one_of(texts: Sequence[str]) -> str:
    """One of these texts, none of which begins another; what several begin with is written once."""
    if len(texts) == 1:
        return literal(texts[0])
    low, high = min(texts), max(texts)  # what these two share, all share
    shared = low[: next(place for place, char in enumerate(high) if low[place : place + 1] != char)]
    ordered = sorted(text[len(shared) :] for text in texts)
    parts = [one_of(list(group)) for _, group in groupby(ordered, key=lambda text: text[:1])]
    return (f"{literal(shared)} " if shared else "") + either(parts)
