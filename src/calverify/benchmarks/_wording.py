"""Texts of a few known shapes, read back: "path from {x} to {y}." and "path from A to B." -> {"x": "A", "y": "B"}.

A slot reaches to the next word of its shape, so matching is linear; a text of no known shape is for the caller to
refuse, because a reader that guesses would ask another question than the one that was published.
"""

from functools import lru_cache
from string import Formatter

__all__ = ["filled"]


@lru_cache(maxsize=512)
def _pieces(shape: str) -> tuple[tuple[str, str | None], ...]:
    return tuple((literal, slot) for literal, slot, _, _ in Formatter().parse(shape))


def filled(shape: str, text: str) -> dict[str, str] | None:
    """What stands in the slots of a shape, or None where the text has another; a slot used twice is filled alike."""
    found: dict[str, str] = {}
    slot, at = None, 0
    for literal, following in (*_pieces(shape), ("", None)):
        if slot is None:
            if not text.startswith(literal, at):
                return None
            at += len(literal)
        else:
            end = text.find(literal, at) if literal else len(text)
            if end <= at or found.setdefault(slot, text[at:end]) != text[at:end]:
                return None
            at = end + len(literal)
        slot = following
    return found if at == len(text) else None
