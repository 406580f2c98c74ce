"""The output file of a batch: one line a request, with its `custom_id` and the body of the response.

Lines come in any order, so a sample's number belongs into its `custom_id` ("w1#3", which `Join.cut` reads), unless one
request asked for all samples with `n`.  Bodies of chat completions, of completions and of responses are read.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from calverify.archives import Archive
from calverify.exchange._logged import Damaged, Logged, Rejected, as_object, as_text, at, reply_text, whole_number
from calverify.exchange._shelf import each_record, exchange, writes
from calverify.names import brief
from calverify.pools import Pool
from calverify.records import write_lines

__all__ = ["read_openai_batch", "response_text", "write_openai_batch"]


@exchange("openai-batch", ids=("custom_id",), known_by=lambda record: "custom_id" in record)
def read_openai_batch(data: bytes, file: str) -> Iterator[Logged | Rejected]:
    """The output or error file of an OpenAI batch, one request a line."""
    return each_record(data, file, _request)


def _request(record: Mapping[str, Any], file: str, place: str) -> Iterator[Logged | Rejected]:
    if "body" in record and "response" not in record:
        raise Damaged("it is a request (a line of the input file), not a response")
    body = at(record, "response.body")
    error = record.get("error") or at(record, "response.body.error")
    if error is not None:
        raise Damaged(f"the request failed: {_failure(error)}")
    if at(record, "response.status_code") not in (None, 200):
        raise Damaged(f"the request failed with the status {brief(at(record, 'response.status_code'))}")
    texts = _choices(as_object(body, "response.body"))
    once = None if record.get("id") is None else ("id", as_text(record["id"]))
    model = as_text(at(record, "response.body.model")) or ""
    yield Logged(file, place, record, texts, seed=whole_number(record.get("seed")), once=once, model=model)


def _failure(error: object) -> str:
    parts = (
        [as_text(error.get(name)) for name in ("code", "message")] if isinstance(error, Mapping) else [as_text(error)]
    )
    return brief(": ".join(part for part in parts if part) or error)


def _choices(body: Mapping[str, Any]) -> tuple[str, ...]:
    if isinstance(body.get("output"), list) or isinstance(body.get("output_text"), str):
        return (response_text(body),)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise Damaged("the body of its response holds neither choices nor an output")
    read = [as_object(choice, f"choice {place}") for place, choice in enumerate(choices)]
    numbers = [choice.get("index", place) for place, choice in enumerate(read)]
    places = [whole_number(number, -1) for number in numbers]
    if sorted(places) != list(range(len(read))):
        raise Damaged(f"its choices are numbered {brief(numbers)}, not from 0 on")
    return tuple(_choice(choice) for _, choice in sorted(zip(places, read, strict=True), key=lambda pair: pair[0]))


def _choice(choice: Mapping[str, Any]) -> str:
    if isinstance(choice.get("text"), str):  # of a completion that is no chat
        return str(choice["text"])
    message = as_object(choice.get("message"), "the message of a choice")
    content = message.get("content")
    reasoning = message.get("reasoning_content", message.get("reasoning"))
    return reply_text(message.get("refusal") if content is None else content, reasoning)


def response_text(response: Mapping[str, Any]) -> str:
    """The reply in a response object: the text of its last message, with what was thought before it."""
    output = response.get("output")
    if not isinstance(output, list):
        return reply_text(response.get("output_text"))
    items = [item for item in output if isinstance(item, Mapping)]
    messages = [place for place, item in enumerate(items) if item.get("type") == "message"]
    if not messages:
        raise Damaged("its response holds no message")
    last = messages[-1]
    thoughts = items[messages[-2] + 1 if len(messages) > 1 else 0 : last]
    return reply_text(items[last].get("content"), "\n".join(_thought(item) for item in thoughts))


def _thought(item: Mapping[str, Any]) -> str:
    """The text of a reasoning item, whole where the response has it, else its summary."""
    if item.get("type") != "reasoning":
        return ""
    for name in ("content", "summary"):
        parts = item.get(name)
        texts = [part.get("text") for part in parts if isinstance(part, Mapping)] if isinstance(parts, list) else []
        if any(texts):
            return "\n".join(text for text in texts if isinstance(text, str))
    return ""


@writes("openai-batch")
def write_openai_batch(archive: Archive) -> bytes:
    """Each pool as the response to one request with n choices; `seed` stands beside it."""
    model = archive.manifest.model or archive.manifest.policy
    return write_lines([_line(pool, place, model) for place, pool in enumerate(archive.pools)], "")


def _line(pool: Pool, place: int, model: str) -> dict[str, Any]:
    choices = [
        {"index": i, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for i, text in enumerate(pool.texts)
    ]
    body = {"id": f"pool-{place}", "object": "chat.completion", "model": model, "choices": choices}
    response = {"status_code": 200, "request_id": f"pool-{place}", "body": body}
    return {
        "id": f"batch_req_{place}",
        "custom_id": pool.problem,
        "seed": pool.seed,
        "response": response,
        "error": None,
    }
