"""Knights and knaves by trying everything: slow, obvious, and without a line of the engine it judges.

Formulas are the nested tuples of the mem-kk records, `("and", ("telling-truth", 0), ("lying", 1))`; people are indices.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

Tree = tuple[Any, ...]
Row = tuple[bool, ...]


def rows(people: int) -> list[Row]:
    """Every assignment, knaves first: 2 people -> FF, FT, TF, TT."""
    return list(product((False, True), repeat=people))


def value(tree: Tree, row: Sequence[bool]) -> bool:
    """Is the formula true when `row[i]` says whether person i is a knight?"""
    word, *parts = tree
    if word == "telling-truth":
        return row[parts[0]]
    if word == "lying":
        return not row[parts[0]]
    values = [value(part, row) for part in parts]
    if word == "and":
        return all(values)
    if word == "or":
        return any(values)
    if word == "not":
        (only,) = values
        return not only
    left, right = values
    return {"->": right if left else True, "<=>": left == right}[word]


def truth_table(tree: Tree, people: int) -> list[bool]:
    return [value(tree, row) for row in rows(people)]


def satisfies(row: Row, statements: Sequence[tuple[int, Tree]]) -> bool:
    """Is each (speaker, formula) such that the speaker is a knight exactly when the formula is true?"""
    return all(row[speaker] == value(tree, row) for speaker, tree in statements)


def solutions(statements: Sequence[tuple[int, Tree]], people: int) -> list[Row]:
    return [row for row in rows(people) if satisfies(row, statements)]
