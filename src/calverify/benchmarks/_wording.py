"""Texts of a few known shapes, read back: "path from {x} to {y}." and "path from A to B." -> {"x": "A", "y": "B"}.

A slot reaches to the next words of its shape, so matching is linear; a text of no known shape is for the caller to
refuse, because a reader that guesses would ask another question than the one that was published.
"""

from functools import lru_cache
from string import Formatter
from typing import NamedTuple

__all__ = ["Filled", "filled", "opening"]


class Filled(NamedTuple):
    """What stands in the slots, and where the text goes on."""

    slots: dict[str, str]
    end: int


@lru_cache(maxsize=512)
def _pieces(shape: str) -> tuple[tuple[str, str | None], ...]:
    return tuple((literal, slot) for literal, slot, _, _ in Formatter().parse(shape))


def opening(shape: str, text: str, at: int = 0) -> Filled | None:
    """The shape where the text goes on at this place, or None; a slot used twice is filled alike, none is empty."""
    found: dict[str, str] = {}
    slot = None
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
    return Filled(found, at)


def filled(shape: str, text: str) -> dict[str, str] | None:
    """What stands in the slots of a shape that is the whole text, or None where the text has another."""
    found = opening(shape, text)
    return found.slots if found is not None and found.end == len(text) else None
