"""An OpenAI-compatible chat completion in JSON: the body of a request, and what a response says.

Nothing here touches the network.  A response that is not whole or of another shape is `Passing`: it is asked again,
and no part of it is used.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from calverify.names import brief
from calverify.sampling._request import Completion, Passing, Reply, Request
from calverify.sampling._schema import IN_JSON, SIX_SLOTS, trace_of

__all__ = ["GRAMMAR_FIELDS", "body_of", "error_of", "held_to", "models_of", "reply_of"]

REASONING = ("reasoning_content", "reasoning")  # what servers call it
BROKEN = ("error", "abort")  # how a choice finished that the server could not finish
GRAMMAR_FIELDS: dict[str, Callable[[str], Any]] = {  # how a server takes a grammar
    "structured_outputs": lambda grammar: {"grammar": grammar},  # vLLM
    "guided_grammar": lambda grammar: grammar,  # vLLM, older
    "grammar": lambda grammar: grammar,  # llama.cpp
}


def body_of(request: Request, model: str, want: int, limit_field: str, held: Mapping[str, Any]) -> bytes:
    """The body that asks for `want` choices; `held` is what holds the text to a form."""
    parameters = request.parameters
    messages = [{"role": role, "content": text} for role, text in request.messages]
    if parameters.decoding == "schema":
        messages[-1]["content"] += f"\n\n{IN_JSON}"
    body: dict[str, Any] = {
        "model": model,
        "messages": messages,
        "temperature": parameters.temperature,
        "seed": request.sampling_seed,
        "n": want if want > 1 else None,
        "top_p": parameters.top_p,
        limit_field: parameters.max_tokens,
        "stop": list(parameters.stop) or None,
        **held,
        **parameters.extra_body,
    }
    kept = {name: value for name, value in body.items() if value is not None}
    return json.dumps(kept, ensure_ascii=True, allow_nan=False).encode()


def held_to(request: Request, field: str) -> dict[str, Any]:
    """What a body says to hold the text to its form: one JSON object, or a grammar in the field of that name."""
    decoding = request.parameters.decoding
    if decoding == "free":
        return {}
    if decoding == "schema":
        return {"response_format": SIX_SLOTS}
    from calverify.sampling._grammar import grammar_of

    return {field: GRAMMAR_FIELDS[field](grammar_of(request.problem, decoding))}


# ---------------------------------------------------------------- responses


def reply_of(data: bytes, want: int, decoding: str = "free") -> Reply:
    """The completions of a response, in the order of their own numbers, and no more than were asked for.

    A number that stands twice is one choice that was sent twice.  Where a number is left out, so is what stands behind
    it: each place is asked for with a seed of its own, and the text of another place may not take it.
    """
    record = _object(data)
    choices = record.get("choices")
    if not isinstance(choices, list) or not choices:
        why = error_of(data) if "error" in record else "it holds no choices"
        raise Passing(f"a response without an answer: {why}")
    read = [_completion(choice, decoding) for choice in _in_order(choices, want)[:want]]
    usage = record.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    return Reply(
        tuple(read),
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        _text(record.get("system_fingerprint")) or None,
        want,
    )


def error_of(data: bytes) -> str:
    """What a response says went wrong, in at most three hundred characters."""
    try:
        record = json.loads(data)
    except (ValueError, RecursionError):
        return " ".join(data[:2000].decode("utf-8", "replace").split())[:300] or "nothing"
    found = record.get("error", record) if isinstance(record, Mapping) else record
    if isinstance(found, Mapping):
        found = found.get("message") or found.get("detail") or found
    said = found if isinstance(found, str) else json.dumps(found)
    return " ".join(said.split())[:300] or "nothing"


def models_of(data: bytes) -> list[str]:
    """The names of at most eight models that a list of models holds."""
    record = _object(data)
    rows = record.get("data")
    names = [_text(row.get("id")) for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
    return [name for name in names if name][:8]


def _object(data: bytes) -> Mapping[str, Any]:
    try:
        record = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Passing(f"a response that is not whole JSON: {error}") from None
    if not isinstance(record, Mapping):
        raise Passing("a response that is no JSON object")
    return record


def _in_order(choices: Sequence[Any], want: int) -> list[Any]:
    """By their `index`, up to the first that is missing; as they came where they are not numbered, or all alike."""
    numbered: dict[int, Any] = {}
    for choice in choices:
        number = choice.get("index") if isinstance(choice, Mapping) else None
        if type(number) is not int:
            return list(choices)
        numbered.setdefault(number, choice)
    if len(numbered) == 1:
        return list(choices)
    first = 1 if numbered.keys() == set(range(1, want + 1)) else 0  # some count from 1
    last = next(number for number in range(first, first + len(numbered) + 1) if number not in numbered)
    if last == first:
        raise Passing(f"a response without choice {first}; its numbers are {brief(sorted(numbered))}")
    return [numbered[number] for number in range(first, last)]


def _completion(choice: Any, decoding: str) -> Completion:
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(message, Mapping):
        raise Passing("a response with a choice that holds no message")
    finish = _text(choice.get("finish_reason")) or None
    if choice.get("error") or finish in BROKEN:
        raise Passing(f"a choice that the server could not finish: {error_of(json.dumps(choice).encode())}")
    text = _text(message.get("content")) or _text(message.get("refusal"))
    reasoning = next((said for name in REASONING if (said := _text(message.get(name)))), "")
    return Completion(trace_of(text) if decoding == "schema" else text, reasoning, finish)


def _text(value: Any) -> str:
    """A text, or the texts of a list of parts, one after another."""
    if isinstance(value, list):
        text = "".join(_text(part.get("text")) for part in value if isinstance(part, Mapping))
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")  # halves that meet are one
    return value if isinstance(value, str) else ""


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None
