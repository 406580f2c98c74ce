"""llama.cpp as a wheel brings it: loaded in this process, or listening on this machine.

Rule 1: the runtime listens on this machine only and asks for a key, which nobody knows unless it was given.
Rule 2: what a text is may not hang on what was written before it: nothing is kept from one call to the next, and each
text has memory of its own.
"""

import json
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calverify.errors import CalverifyError

__all__ = ["RUNTIME", "SLOTS", "Setup", "completed", "serve", "started"]

RUNTIME = "xllamacpp"
SLOTS = 8  # texts that are written side by side
HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Setup:
    """What to load; `context` is the tokens of one prompt with its text, and no `threads` means every core."""

    name: str
    weights: Path
    adapter: Path | None
    threads: int | None
    context: int


def started(setup: Setup) -> Any:
    """The runtime with the weights loaded."""
    return _started(_parameters(setup, port=0, key=secrets.token_urlsafe(16)))


def serve(setup: Setup, port: int, key: str | None) -> Any:
    """The same, listening on a port that others know (0: any), with their key or none."""
    return _started(_parameters(setup, port=port, key=key))


def completed(server: Any, body: bytes) -> bytes:
    """What the runtime answers to the body of a chat completion."""
    return json.dumps(server.handle_chat_completions(json.loads(body))).encode()


def _parameters(setup: Setup, *, port: int, key: str | None) -> Any:
    try:
        import xllamacpp  # type: ignore[import-untyped]
    except ImportError:
        raise CalverifyError(
            "the embedded model needs its runtime: pip install 'calverify[embedded]', or make demo in a clone"
        ) from None
    asked = xllamacpp.CommonParams()
    asked.model.path = str(setup.weights)
    asked.model_alias = {setup.name}
    asked.hostnames, asked.port = [HOST], port
    asked.api_keys = [key] if key else []
    asked.cors_origins = ""
    asked.endpoint_slots = asked.ui = asked.warmup = False
    asked.verbosity = -1
    asked.n_parallel, asked.n_ctx = SLOTS, setup.context * SLOTS
    asked.kv_unified = asked.cache_prompt = False
    asked.cache_ram_mib = 0
    if setup.threads is not None:
        asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = setup.threads
    if setup.adapter is not None:
        adapter = xllamacpp.CommonAdapterLoraInfo()
        adapter.path, adapter.scale = str(setup.adapter), 1.0
        asked.lora_adapters = [adapter]
    return asked


def _started(asked: Any) -> Any:
    import xllamacpp

    try:
        return xllamacpp.Server(asked)
    except RuntimeError as error:
        adapters = "".join(f" with the adapter {one.path}" for one in asked.lora_adapters)
        port = f", or the port {asked.port} is taken" if asked.port else ""
        raise CalverifyError(f"the runtime cannot load {asked.model.path}{adapters}{port}: {error}") from None
