"""What a log says, before it is joined with problems: records with their replies, and records that could not be read.

Rule 1: the log's own marks (gold answers, scores of graders, answers that it extracted) stay in `Said`; the text of a
reply is the only thing that can become a candidate.
Rule 2: a log was written by others.  Whatever is in it, a reader yields a `Logged` or a `Rejected`, and never raises
for what one record holds.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from calverify.names import brief
from calverify.traces import parse

__all__ = [
    "NOTHING",
    "Damaged",
    "Logged",
    "Rejected",
    "Said",
    "Scalar",
    "as_object",
    "as_text",
    "at",
    "completion_texts",
    "last_user",
    "reply_text",
    "said_of",
    "scalars",
    "whole_number",
]  # fmt: skip

Scalar = bool | int | float | str | None

TEXT_PARTS = {"text": "text", "output_text": "text", "refusal": "refusal"}  # type of a part -> where its text is
THOUGHT_PARTS = {"reasoning": "reasoning", "thinking": "thinking"}


class Damaged(Exception):
    """Why a record cannot be read; never leaves this room."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that became no candidate: Rejected("log.jsonl", "line 3", "not JSON: ...")."""

    file: str
    record: str
    why: str

    def __str__(self) -> str:
        return f"{self.file}, {self.record}: {self.why}" if self.record else f"{self.file}: {self.why}"

    def to_json(self) -> dict[str, str]:
        return {"file": self.file, "record": self.record, "why": self.why}


@dataclass(frozen=True, slots=True)
class Said:
    """What a log says of one reply: scores by the name of the grader, the answers that graders read, and its key."""

    scores: Mapping[str, Scalar] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    gold: str | None = None

    def __bool__(self) -> bool:
        return bool(self.scores or self.answers) or self.gold is not None


NOTHING = Said()


@dataclass(frozen=True, slots=True)
class Logged:
    """One record of a log: the replies it holds, in order, and what the log says of them.

    `said` is parallel to `texts`; `whole` is said of the record where the log does not say of which reply.  `turn` is
    the record's place among those of its sample (an epoch, a rollout), `once` what may stand only once in a file.
    """

    file: str
    place: str
    record: Mapping[str, Any]
    texts: tuple[str, ...]
    said: tuple[Said, ...] = ()
    whole: Said = NOTHING
    prompt: str = ""
    turn: int = 0
    seed: int | None = None
    once: tuple[Any, ...] | None = None
    model: str = ""

    def said_of(self, place: int) -> Said:
        return self.said[place] if place < len(self.said) else NOTHING


# ---------------------------------------------------------------- reading values that others wrote


def as_object(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Damaged(f"{what} is {_found(value)}, not an object")
    return value


def whole_number(value: object, otherwise: int = 0) -> int:
    """The value where it is a whole number of ordinary size, else `otherwise`."""
    return value if type(value) is int and abs(value) < 1 << 53 else otherwise


def at(record: Mapping[str, Any], path: str) -> Any:
    """What stands at a path of keys with dots between them ("doc.id"), or None; a key may hold dots itself."""
    if path in record:
        return record[path]
    head, dot, rest = path.partition(".")
    inner = record.get(head)
    return at(inner, rest) if dot and isinstance(inner, Mapping) else None


def as_text(value: object) -> str | None:
    """A text as it is, None as None, anything else as JSON."""
    if value is None or isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    except (RecursionError, TypeError, ValueError):
        return brief(value)


def scalars(name: str, value: object) -> dict[str, Scalar]:
    """A score by its name; the parts of a composed one as "name.part", and what is no single value as JSON."""
    if isinstance(value, Mapping):
        return {f"{name}.{part}": _scalar(inner) for part, inner in value.items()}
    return {name: _scalar(value)}


def _scalar(value: object) -> Scalar:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if value.bit_length() < 1024 else None
    return as_text(value)


def said_of(scores: Mapping[str, Any], answers: Mapping[str, Any], gold: object) -> Said:
    """The marks of one reply, from values that others wrote."""
    named = {key: part for name, value in scores.items() for key, part in scalars(name, value).items()}
    read = {name: text for name, value in answers.items() if (text := as_text(value)) is not None}
    return Said(named, read, as_text(gold))


# ---------------------------------------------------------------- reading replies


def reply_text(content: object, reasoning: object = None, attached: Mapping[str, Any] | None = None) -> str:
    """The text of a reply: its content, a text or a list of parts.

    What the model thought stands in front of it in a think block, but only where the content itself has no slot of the
    trace contract: thoughts are drafts, and a slot may occur only once.
    """
    texts, thoughts = _parts(content, attached or {})
    if isinstance(reasoning, str):
        thoughts.append(_attached(reasoning, attached or {}))
    text, thought = "\n".join(texts), "\n".join(thoughts).strip("\n")
    if not thought.strip() or parse(text).headers:
        return text
    return f"<think>\n{thought}\n</think>\n{text}"


def completion_texts(value: object, name: str) -> tuple[str, ...]:
    """The texts of a list of completions, each a text or a list of chat messages that ends with the reply."""
    if not isinstance(value, list):
        raise Damaged(f"{name!r} is {brief(value)}, not a list")
    return tuple(_text(item, f"{name}[{place}]") for place, item in enumerate(value))


def _text(item: object, what: str) -> str:
    if isinstance(item, str):
        return item
    reply = item[-1] if isinstance(item, list) and item else item
    if not isinstance(reply, Mapping) or reply.get("role", "assistant") != "assistant" or "content" not in reply:
        raise Damaged(f"{what} is {brief(item)}, neither a text nor chat messages that end with a reply")
    return reply_text(reply["content"], reply.get("reasoning_content", reply.get("reasoning")))


def _parts(content: object, attached: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The texts and the thoughts of a content; a content that is neither text nor list is refused."""
    if content is None:
        return [], []
    if isinstance(content, str):
        return [_attached(content, attached)], []
    if not isinstance(content, list):
        raise Damaged(f"the content of a reply is {_found(content)}, not a text or a list of parts")
    texts: list[str] = []
    thoughts: list[str] = []
    for part in content:
        if isinstance(part, str):
            texts.append(_attached(part, attached))
        elif isinstance(part, Mapping):
            kind = str(part.get("type"))
            for kinds, found in ((TEXT_PARTS, texts), (THOUGHT_PARTS, thoughts)):
                value = part.get(kinds.get(kind, ""))
                if isinstance(value, str) and not part.get("redacted"):
                    found.append(_attached(value, attached))
    return texts, thoughts


def _attached(text: str, attached: Mapping[str, Any]) -> str:
    """The attachment that the text stands for, or the text."""
    found = attached.get(text.removeprefix("attachment://")) if text.startswith("attachment://") else None
    return found if isinstance(found, str) else text


def last_user(messages: object, attached: Mapping[str, Any] | None = None) -> str:
    """What was asked: a prompt that is a text, or the last user message of a list."""
    if isinstance(messages, str):
        return _attached(messages, attached or {})
    asked = [m for m in _mappings(messages) if m.get("role") == "user"]
    try:
        return reply_text(asked[-1].get("content"), None, attached) if asked else ""
    except Damaged:
        return ""


def _mappings(values: object) -> Sequence[Mapping[str, Any]]:
    items: Iterable[Any] = values if isinstance(values, list) else ()
    return [item for item in items if isinstance(item, Mapping)]


def _found(value: object) -> str:
    return "missing" if value is None else brief(value)
