"""Markup that text cannot break out of: the only way in which anything becomes part of the page.

Rule 1: text is escaped where it is put in, by `text` or as an attribute of `tag`; nothing is pasted beside them.
Rule 2: what a reader could not see (control characters, marks that change direction) is shown as ⟨U+202E⟩.
Rule 3: data for the scripts is JSON without a single "<", so no text in it can end its element.
"""

import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any
from unicodedata import category

__all__ = ["Markup", "data_block", "join", "tag", "text", "words"]

UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
NOT_A_WORD = re.compile(r"[^a-z0-9]++")
VOID = frozenset({"input", "meta"})
EMPTY = frozenset({"line", "path", "polygon", "polyline", "rect"})  # shapes, which hold nothing and must be closed


class Markup(str):
    """Text that is markup already, and safe."""

    __slots__ = ()


def text(value: object) -> Markup:
    """The value as text, every invisible character but line break and tab shown by its number."""
    if isinstance(value, Markup):
        return value
    plain = str(value)
    if not plain.isprintable():
        plain = "".join(
            f"⟨U+{ord(char):04X}⟩" if category(char) in UNSEEN and char not in "\n\t" else char for char in plain
        )
    return Markup(escape(plain, quote=True))


def join(parts: Iterable[object], between: str = "") -> Markup:
    """The parts one after another, each escaped unless it is markup."""
    return Markup(text(between).join(text(part) for part in parts))


def tag(name: str, *inside: object, **attributes: object) -> Markup:
    """An element; `class_`, `for_` and `aria_label` stand for class, for and aria-label, None leaves one out."""
    stated = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID:
        return Markup(f"<{name}{stated}>")
    return Markup(f"<{name}{stated}/>" if name in EMPTY else f"<{name}{stated}>{join(inside)}</{name}>")


def data_block(place: str, value: Any) -> Markup:
    """A block of JSON that a script reads by its id, and that no text inside can end."""
    said = json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    return Markup(f'<script type="application/json" id="{text(place)}">{said}</script>')


def words(name: str) -> str:
    """A name as part of an address in the page: "Same pool" -> "same-pool"."""
    return NOT_A_WORD.sub("-", name.lower()).strip("-") or "x"
