"""Answers that are expressions of probabilities, or the words "not identifiable"."""

from typing import Any

from calverify.errors import ExpressionError
from calverify.names import brief
from calverify.traces._answer_type import AnswerType, Names, Unreadable, short, unwrap

__all__ = ["EXPRESSION"]

# `docalculus` is imported where it is used: most problems never ask for an expression.

MOST_CHARACTERS = 10_000
NO_ESTIMAND = frozenset({
    "not identifiable", "not identified", "non identifiable", "nonidentifiable", "unidentifiable", "not_identifiable",
    "it is not identifiable", "the effect is not identifiable", "cannot be identified", "it cannot be identified",
    "unidentified", "it is not identified", "the effect is not identified", "the effect cannot be identified",
})  # fmt: skip


def _read_expression(value: Any, names: Names) -> Any:
    """The canonical expression; a name that is not in the graph is read like any other."""
    from calverify.docalculus import NOT_IDENTIFIABLE

    if type(value) is not str:
        raise Unreadable(f"{brief(value)} is not the text of an expression")
    if len(value) > MOST_CHARACTERS:
        raise Unreadable(f"an expression of over {MOST_CHARACTERS:,} characters")
    text = unwrap(value)
    if " ".join(text.replace("-", " ").strip("\"'").lower().split()) in NO_ESTIMAND:
        return NOT_IDENTIFIABLE
    try:
        return _expression(text, names)
    except ExpressionError:
        pass  # perhaps only because of a name, which is for the predicate to refuse
    try:
        return _expression(text, None)
    except ExpressionError as error:
        raise Unreadable(short(error)) from None


def _expression(text: str, names: Names | None) -> Any:
    """The canonical expression, which can be spelled: what divides by zero everywhere is refused there."""
    from calverify.docalculus import canonical, read_expression, to_text

    found = canonical(read_expression(text, names))
    read_expression(to_text(found))
    return found


def _text(value: Any) -> str:
    from calverify.docalculus import to_text

    return value if isinstance(value, str) else to_text(value)


EXPRESSION = AnswerType("expression", _read_expression, _text, _text)
