"""A real OpenAI-compatible server on the loopback, deterministic in what it says and misbehaving on a seeded script.

What it says for a prompt and a seed is `text_of(prompt, seed)`, and choice i of a call has the seed of the call plus i,
as vLLM and llama.cpp count.  So a pool that was sampled through any misbehaviour can be compared with `expected`.
It imports the standard library only; `python tests/sampling/loopback.py --latency 0.05` serves from a process of its
own and prints its port.
"""

import argparse
import asyncio
import gzip
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

STALL_S = 10.0
REASONS = {200: "OK", 302: "Found", 400: "Bad Request", 404: "Not Found", 429: "Too Many Requests", 500: "Oops"}


def text_of(prompt: str, seed: int, size: int = 0) -> str:
    """What is said: a text that no other prompt or seed gets, of at least `size` characters."""
    name = sha256(f"{prompt}\0{seed}".encode()).hexdigest()[:16]
    return f"STEP 6 [answer]: {{}}\nANSWER: {name}{'.' * max(0, size - 40)}"


class Call(NamedTuple):
    """One request: how many came before it, its path, headers and body."""

    number: int
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        return self.body["messages"][-1]["content"]

    @property
    def n(self) -> int:
        return self.body.get("n", 1)

    @property
    def seed(self) -> int:
        return self.body.get("seed", 0)


class Answer(NamedTuple):
    """What goes over the wire; `cut` says after how many bytes the connection breaks."""

    status: int
    body: bytes
    headers: tuple[str, ...] = ()
    cut: int | None = None
    stall_s: float = 0.0
    again: bool = False  # the same bytes once more, unasked


Say = Callable[[Call], str]


def completion(call: Call, say: Say | None = None, **more: Any) -> dict[str, Any]:
    """The response of a server that behaves."""
    choices = []
    for index in range(call.n):
        text = text_of(call.prompt, call.seed + index) if say is None else say(call)
        choices.append({"index": index, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"})
    used = {"prompt_tokens": 10, "completion_tokens": 5 * call.n, "total_tokens": 10 + 5 * call.n}
    record = {"id": f"c{call.number}", "object": "chat.completion", "created": 0, "model": call.body.get("model", ""),
              "choices": choices, "usage": used, "system_fingerprint": "fp_loopback"}  # fmt: skip
    return {**record, **more}


def fine(call: Call, **more: Any) -> Answer:
    return Answer(200, json.dumps(completion(call, **more)).encode())


def rating(call: Call) -> str:
    """What a judge, a policy that is asked whether it is right, or a policy says."""
    if "Rate it from 0" in call.prompt:
        return 'Each step holds.\n{"score": 7}'
    return "yes" if "yes or no" in call.prompt else text_of(call.prompt, call.seed)


def refused(status: int, message: str, *headers: str) -> Answer:
    return Answer(status, json.dumps({"error": {"message": message, "type": "x"}}).encode(), headers)


def with_choices(change: Callable[[list[Any]], list[Any]]) -> Callable[[Call], Answer]:
    def answer(call: Call) -> Answer:
        record = completion(call)
        return Answer(200, json.dumps({**record, "choices": change(record["choices"])}).encode())

    return answer


def _renamed(choices: list[Any], name: str) -> list[Any]:
    return [{**choice, "message": {**choice["message"], name: "I thought."}} for choice in choices]


def _half(answer: Answer) -> Answer:
    return answer._replace(cut=len(answer.body) // 2)


MISDEEDS: dict[str, Callable[[Call], Answer]] = {
    # refusals that pass
    "429": lambda call: refused(429, "slow down"),
    "429 seconds": lambda call: refused(429, "slow down", "Retry-After: 0"),
    "429 milliseconds": lambda call: refused(429, "slow down", "retry-after-ms: 20"),
    "429 date": lambda call: refused(429, "slow down", f"Retry-After: {formatdate(time.time() - 1, usegmt=True)}"),
    "429 nonsense": lambda call: refused(429, "slow down", "Retry-After: soon"),
    "408": lambda call: refused(408, "timeout"),
    "409": lambda call: refused(409, "conflict"),
    "500": lambda call: refused(500, "oops"),
    "502 html": lambda call: Answer(502, b"<html><h1>502 Bad Gateway</h1></html>"),
    "503 empty": lambda call: Answer(503, b""),
    # connections that break
    "no answer": lambda call: fine(call)._replace(cut=-1),
    "half the head": lambda call: fine(call)._replace(cut=-2),
    "half the body": lambda call: _half(fine(call)),
    "answered twice": lambda call: fine(call)._replace(again=True),
    "stall": lambda call: fine(call)._replace(stall_s=STALL_S),
    "badly packed": lambda call: fine(call)._replace(headers=("Content-Encoding: gzip",)),
    # bodies that are not what they should be
    "truncated": lambda call: Answer(200, fine(call).body[: len(fine(call).body) // 2]),
    "empty": lambda call: Answer(200, b""),
    "no object": lambda call: Answer(200, b"[]"),
    "error in a 200": lambda call: Answer(200, b'{"error":{"message":"upstream","code":502}}'),
    "no choices": with_choices(lambda choices: []),
    "choices null": with_choices(lambda choices: None),
    "no message": with_choices(lambda choices: [{"index": 0}, *choices[1:]]),
    "broken choice": with_choices(lambda choices: [*choices[:-1], {**choices[-1], "finish_reason": "error"}]),
    # the wrong number of choices, or in the wrong order
    "one only": with_choices(lambda choices: choices[:1]),
    "one fewer": with_choices(lambda choices: choices[: max(1, len(choices) - 1)]),
    "one left out": with_choices(lambda choices: choices[:1] + choices[2:]),
    "first left out": with_choices(lambda choices: choices[1:] or choices),
    "more": with_choices(lambda choices: [*choices, {**choices[0], "index": len(choices)}]),
    "backwards": with_choices(lambda choices: choices[::-1]),
    "each twice": with_choices(lambda choices: [choice for choice in choices for _ in "ab"]),
    "all twice": with_choices(lambda choices: choices + choices),
    "numbered from 1": with_choices(lambda choices: [{**choice, "index": choice["index"] + 1} for choice in choices]),
    "not numbered": with_choices(lambda choices: [{**choice, "index": None} for choice in choices]),
    # other ways to say the same
    "no usage": lambda call: fine(call, usage=None),
    "usage of nonsense": lambda call: fine(call, usage={"prompt_tokens": -1, "completion_tokens": "many"}),
    "hangs up each time": lambda call: fine(call)._replace(cut=len(fine(call).body)),
    "packed": lambda call: Answer(200, gzip.compress(fine(call).body), ("Content-Encoding: gzip",)),
    "reasoning": with_choices(lambda choices: _renamed(choices, "reasoning")),
    "reasoning content": with_choices(lambda choices: _renamed(choices, "reasoning_content")),
}  # fmt: skip
# A server may do these for ever and every candidate still comes.
HARMLESS = {
    "one only", "one fewer", "one left out", "more", "backwards", "each twice", "all twice", "numbered from 1",
    "not numbered", "no usage", "usage of nonsense", "reasoning", "reasoning content", "answered twice",
    "hangs up each time", "packed",
}  # fmt: skip


def script(seed: int, misdeeds: list[str], share: float) -> Callable[[Call], Answer]:
    """Misbehave in that share of the calls, by lot."""
    lots = Random(seed)

    def answer(call: Call) -> Answer:
        return MISDEEDS[lots.choice(misdeeds)](call) if lots.random() < share else fine(call)

    return answer


class Loopback:
    """The server; `calls` is what it was asked, `most` how many requests it had at once."""

    def __init__(self, answer: Callable[[Call], Answer] = fine, latency_s: float = 0.0, keep: bool = True) -> None:
        self.answer = answer
        self.latency_s = latency_s
        self.keep = keep
        self.calls: list[Call] = []
        self.inside = self.most = self.count = 0
        self.on_call: Callable[[Call], None] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self) -> asyncio.Server:
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=512)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                fields = (line.partition(": ") for line in head[1:] if line)
                headers = {name.lower(): value for name, _, value in fields}
                data = await reader.readexactly(int(headers.get("content-length", 0)))
                call = Call(self.count, head[0].split()[1], headers, json.loads(data or b"{}"))
                if not await self._respond(call, writer):
                    break
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the client went away, or the server ends
        finally:
            writer.close()

    async def _respond(self, call: Call, writer: asyncio.StreamWriter) -> bool:
        """Answer; whether the connection stays."""
        self.count += 1
        if self.keep:
            self.calls.append(call)
        self.inside += 1
        self.most = max(self.most, self.inside)
        try:
            if self.on_call is not None:
                self.on_call(call)
            answer = self.answer(call)
            await asyncio.sleep(answer.stall_s or self.latency_s)
        finally:
            self.inside -= 1
        said = REASONS.get(answer.status, "Status")
        lines = [f"HTTP/1.1 {answer.status} {said}", "Content-Type: application/json",
                 f"Content-Length: {len(answer.body)}", *answer.headers]  # fmt: skip
        head = "\r\n".join([*lines, "", ""]).encode()
        if answer.cut == -2:
            writer.write(head[: len(head) // 2])
        elif answer.cut != -1:
            writer.write(head + answer.body[: answer.cut])
            if answer.again:
                writer.write(head + answer.body)
        await writer.drain()
        return answer.cut is None

    @contextmanager
    def running(self) -> Iterator["Loopback"]:
        """Serve from a thread of its own within the block."""
        ready, loop = threading.Event(), asyncio.new_event_loop()
        stop = asyncio.Event()

        async def main() -> None:
            server = await self.serve()
            ready.set()
            await stop.wait()
            server.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        thread = threading.Thread(target=loop.run_until_complete, args=(main(),))
        thread.start()
        assert ready.wait(10)
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join(10)
            loop.close()

    def asked(self) -> Counter[str]:
        return Counter(call.path for call in self.calls)


async def _main(latency_s: float, size: int) -> None:
    def answer(call: Call) -> Answer:
        return fine(call, say=(lambda call: text_of(call.prompt, call.seed, size)) if size else None)

    server = Loopback(answer, latency_s, keep=False)
    serving = await server.serve()
    print(server.port, flush=True)
    await serving.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--size", type=int, default=0)
    options = parser.parse_args()
    asyncio.run(_main(options.latency, options.size))
