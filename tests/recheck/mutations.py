"""Damage done to a proof: one change, of any sort, anywhere in the record."""

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.recheck.brute import FIELDS

Record = dict[str, Any]
FORM_KINDS = ("all", "better", "count", "example", "extra", "left_out", "none", "unreadable")
Place = tuple[Any, Any]  # a list or an object, and the index or key of what is to be changed
WORDS = ("->", "<-", "<->", "head", "tail", "start", "collider", "noncollider", "yes", "no", "knight", "knave",
         "treatment", "outcome", "end", "condition", "A", "B", "C", "D", "E", "F", "G", "Ann", "Q", "")  # fmt: skip
FLIPS = {"->": "<-", "<-": "->", "head": "tail", "tail": "head", "knight": "knave", "knave": "knight", "yes": "no",
         "no": "yes", "and": "or", "or": "and", "collider": "noncollider", "noncollider": "collider"}  # fmt: skip


def places(value: Any) -> Iterator[Place]:
    """Everything inside a value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield value, key
        yield from places(inner)


def drop(rng: Random, holder: Any, key: Any) -> None:
    del holder[key]


def replace(rng: Random, holder: Any, key: Any) -> None:
    said = holder[key]
    if isinstance(said, bool):
        holder[key] = not said
    elif isinstance(said, int | float) and rng.random() < 0.7:
        holder[key] = rng.choice((said + 1, -said, 1 - said, round(said, 1), said / 2, str(said), "1/3"))
    else:
        holder[key] = rng.choice((rng.choice(WORDS), FLIPS.get(str(said), "Q"), None, [], 1))


def flip(rng: Random, holder: Any, key: Any) -> None:
    said = holder[key]
    if isinstance(said, list):
        said.reverse()
    elif isinstance(said, str):
        words = said.split(" ")
        place = rng.randrange(len(words))
        holder[key] = " ".join([*words[:place], FLIPS.get(words[place], rng.choice(WORDS)), *words[place + 1 :]])
    else:
        replace(rng, holder, key)


def duplicate(rng: Random, holder: Any, key: Any) -> None:
    if isinstance(holder, list):
        holder.insert(rng.randint(0, len(holder)), copy.deepcopy(holder[key]))
    else:
        holder[rng.choice(("extra", "gold", "name"))] = copy.deepcopy(holder[key])


def swap(rng: Random, holder: Any, key: Any) -> None:
    other = rng.choice(range(len(holder)) if isinstance(holder, list) else list(holder))
    holder[key], holder[other] = holder[other], holder[key]


def grow(rng: Random, holder: Any, key: Any) -> None:
    said = holder[key]
    if isinstance(said, list):
        said.insert(
            rng.randint(0, len(said)),
            rng.choice((rng.choice(WORDS), [rng.choice("ABCDEFG"), rng.choice(("head", "tail"))])),
        )
    elif isinstance(said, dict):
        said[rng.choice(WORDS)] = rng.choice(([], rng.choice(WORDS)))
    else:
        flip(rng, holder, key)


CHANGES: tuple[Callable[[Random, Any, Any], None], ...] = (drop, replace, flip, duplicate, swap, grow)


def mutated(rng: Random, record: Record, others: list[Record]) -> Record:
    """The record with one change, most often in its witness; it may turn out to be the same, or true again."""
    found = copy.deepcopy(record)
    part = rng.choices(("witness", "problem", "answer", "whole", "kind", "other", "valid"), (60, 8, 8, 2, 5, 12, 5))[0]
    if part == "valid":
        found["valid"] = not found["valid"]
    elif part == "kind":
        found["witness"]["kind"] = rng.choice([*FIELDS, *FORM_KINDS])
    elif part == "other":
        other = copy.deepcopy(rng.choice(others))
        field = rng.choice(("witness", "witness", "answer", "problem"))
        found[field] = other[field]
        if rng.random() < 0.5:
            found["valid"] = other["valid"]
    else:
        inside = list(places(found if part == "whole" else found[part]))
        if part == "whole" or not inside:
            inside = [(found, key) for key in found]
        rng.choice(CHANGES)(rng, *rng.choice(inside))
    return found
