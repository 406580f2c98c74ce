"""A model in this process: the llama.cpp runtime of a wheel, weights from a file, an adapter beside them.

Rule 1: the candidates of a call share one prefill, and nothing of a call is kept for the next: on one machine a pool is
the same whatever was sampled before it.
Rule 2: a text that a grammar holds is begun here and ended here; the model is asked for what is chosen between.
Rule 3: nothing is cut off the distribution (no top-k, no min-p, top_p 1) unless the parameters say so.
"""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from calverify.archives import Manifest
from calverify.errors import CalverifyError
from calverify.names import brief
from calverify.records import read_fields
from calverify.sampling._grammar import HELD, held
from calverify.sampling._held import Held
from calverify.sampling._request import Completion, Reply, Request
from calverify.sampling._runtime import RUNTIME, SLOTS, Setup, completed, serve, started
from calverify.sampling._weights import WEIGHTS, cached, digest_of, weights_named
from calverify.sampling._wire import body_of, error_of, held_to, reply_of

__all__ = ["Embedded"]

MOST_TOKENS = 768  # of one text, where the parameters set no limit
UNCUT = {"top_p": 1.0, "top_k": 0, "min_p": 0.0}


@dataclass(slots=True, kw_only=True)
class Embedded:
    """`Embedded(weights=Path("model.gguf"))`; `adapter` is a LoRA in GGUF, `context` the tokens of a prompt and a text.

    `threads` is how many cores it takes: by default all of them.
    """

    weights: Path
    adapter: Path | None = None
    label: str = ""
    threads: int | None = None
    context: int = 2048
    sha256: str = ""
    adapter_sha256: str = ""
    _server: Any = field(default=None, init=False, repr=False)
    _alone: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.threads is not None and not 1 <= self.threads <= 1024:
            raise CalverifyError(f"the threads of a model are 1 or more, not {brief(self.threads)}")
        if not 128 <= self.context <= 1 << 20:
            raise CalverifyError(f"the context must lie between 128 and {1 << 20:,} tokens, not {brief(self.context)}")
        self.sha256 = _checked(self.weights, self.sha256)
        if self.adapter is not None:
            self.adapter_sha256 = _checked(self.adapter, self.adapter_sha256)

    @property
    def name(self) -> str:
        adapted = f" with {self.adapter.stem}" if self.adapter is not None else ""
        return self.label or f"{self._known()[0]}{adapted}"

    def _known(self) -> tuple[str, str | None]:
        """The model and its quantisation, of a file that we know; else the file's name."""
        known = (weights for weights in WEIGHTS.values() if weights.sha256 == self.sha256)
        return next(((weights.model, weights.quantisation) for weights in known), (self.weights.stem, None))

    def manifest(self) -> Manifest:
        model, quantisation = self._known()
        adapter = None if self.adapter is None else f"{self.adapter.stem}, sha256 {self.adapter_sha256}"
        return Manifest(
            self.name,
            model=f"{model}, sha256 {self.sha256}",
            adapter=adapter,
            quantisation=quantisation,
            sampling={"backend": f"embedded {RUNTIME} {version(RUNTIME)}", "max_tokens": MOST_TOKENS, **UNCUT},
        )

    def settings(self) -> dict[str, Any]:
        names = ("label", "threads", "context", "sha256", "adapter_sha256")
        record = {name: getattr(self, name) for name in names if getattr(self, name) not in (None, "")}
        files = {"weights": str(self.weights.resolve())}
        if self.adapter is not None:
            files["adapter"] = str(self.adapter.resolve())
        return {"kind": "embedded", **record, **files}

    @classmethod
    def from_settings(cls, record: Mapping[str, Any], environment: Mapping[str, str]) -> "Embedded":
        """The model of a run's settings: "weights" names a file, or else "model" one that was pulled."""
        kinds = {
            "kind": str, "model": str, "weights": str, "adapter": str, "label": str, "threads": int, "context": int,
            "sha256": str, "adapter_sha256": str,
        }  # fmt: skip
        read = read_fields("embedded model", record, kinds)
        read.pop("kind", None)
        named = read.pop("model", next(iter(WEIGHTS)))
        weights = Path(read.pop("weights")) if "weights" in read else _pulled(named, environment)
        adapter = Path(read.pop("adapter")) if "adapter" in read else None
        return cls(weights=weights, adapter=adapter, **read)

    async def complete(self, request: Request, want: int) -> Reply:
        """`want` completions, by calls that share a prefill each."""
        return await asyncio.to_thread(self._complete, request, want)

    async def close(self) -> None:
        """Wait for the call under way, and let the weights go."""
        await asyncio.to_thread(self._close)

    def serve(self, port: int, key: str | None = None) -> Any:
        """An OpenAI-compatible server on this machine, which lives as long as what comes back is kept."""
        return serve(self._setup(), port, key)

    # ------------------------------------------------------------ in another thread

    def _close(self) -> None:
        with self._alone:
            self._server = None

    def _setup(self) -> Setup:
        return Setup(self.name, self.weights, self.adapter, self.threads, self.context)

    def _complete(self, request: Request, want: int) -> Reply:
        with self._alone:
            self._server = self._server or started(self._setup())
            turns = range(0, want, SLOTS)
            parts = [
                self._turn(replace(request, index=request.index + turn), min(SLOTS, want - turn)) for turn in turns
            ]
        texts = tuple(one for part in parts for one in part.completions)
        read = sum(part.tokens_in or 0 for part in parts)
        written = parts[0].tokens_out if want == 1 else None  # of several texts the runtime counts the first alone
        return Reply(texts, read, written, asked=want)

    def _turn(self, request: Request, want: int) -> Reply:
        """One call of the runtime."""
        decoding = request.parameters.decoding
        opened = held(request.problem, decoding) if decoding in HELD else None
        data = completed(self._server, body_of(request, self.name, want, "max_tokens", _asked(request, opened)))
        if b'"choices"' not in data:
            raise CalverifyError(self._refusal(error_of(data), request))
        reply = reply_of(data, want, decoding)
        return reply if opened is None else replace(reply, completions=tuple(_whole(reply, opened)))

    def _refusal(self, said: str, request: Request) -> str:
        if "context" in said:
            return (
                f"problem {request.problem.id!r} and its answer do not fit {self.context} tokens: raise the context, "
                f"or leave the problem out ({said})"
            )
        return f"the runtime refuses problem {request.problem.id!r}: {said}"


def _checked(path: Path, stated: str) -> str:
    """The hash of a file, which must be the stated one where one is stated."""
    found = digest_of(path)
    if stated and found != stated:
        raise CalverifyError(f"{path} has changed: its sha256 was {stated} when the run began, and is {found}")
    return found


def _pulled(name: str, environment: Mapping[str, str]) -> Path:
    weights = weights_named(name)
    path = cached(weights, environment)
    if not path.is_file():
        raise CalverifyError(f"the weights of {name} are not on this machine: calverify model pull fetches them")
    if digest_of(path) != weights.sha256:
        raise CalverifyError(f"{path} is not the file that was pinned: calverify model pull fetches it again")
    return path


def _whole(reply: Reply, opened: Held) -> Iterator[Completion]:
    """The texts with their beginning, and with their ending unless a limit cut them short."""
    for one in reply.completions:
        said = one.text.removeprefix(opened.opening)  # the runtime repeats what was begun
        yield replace(one, text=opened.whole(said) if one.finish == "stop" else opened.opening + said)


def _asked(request: Request, opened: Held | None) -> dict[str, Any]:
    """What a body says beside its messages and parameters: a grammar with the text's beginning, and our defaults."""
    parameters = request.parameters
    more: dict[str, Any] = {**UNCUT} if parameters.top_p is None else {"top_k": 0, "min_p": 0.0}
    if parameters.max_tokens is None:
        more["max_tokens"] = MOST_TOKENS
    if opened is None:
        return {**more, **held_to(request, "grammar")}
    begun = [*request.messages, ("assistant", opened.opening)]
    messages = [{"role": role, "content": text} for role, text in begun]
    return {**more, "messages": messages, "grammar": opened.asked}
