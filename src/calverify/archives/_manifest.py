"""The manifest: how a pool was sampled, and the sha256 of every file that was frozen with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from calverify.errors import RecordError
from calverify.names import brief
from calverify.records import read_fields, read_list
from calverify.scoring import SCORER_VERSION
from calverify.traces import PROMPT_VERSION

__all__ = ["FILE_NAMES", "SAMPLING_NAMES", "FrozenFile", "Manifest"]

FILE_NAMES = ("problems.jsonl", "pools.jsonl", "problems.jsonl.gz", "pools.jsonl.gz")
SAMPLING_NAMES = (
    "temperature", "top_p", "top_k", "min_p", "n", "max_tokens", "stop", "frequency_penalty", "presence_penalty",
    "repetition_penalty", "backend", "dtype",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FrozenFile:
    """What a file was when it was frozen: the sha256 of its bytes, and how many records it holds."""

    sha256: str
    records: int

    def to_json(self) -> dict[str, Any]:
        return {"sha256": self.sha256, "records": self.records}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "FrozenFile":
        kinds = {"sha256": str, "records": int}
        return cls(**read_fields("file", record, kinds, needed=kinds))


@dataclass(frozen=True, slots=True)
class Manifest:
    """Who sampled the pools, and how.

    `policy` is the name that tables use.  `corpus` (the sha256 of the problems as plain JSON Lines, packed or not),
    `seeds` and `files` are filled in by `freeze`.  `command` is free text: how to make the pools again.
    """

    policy: str
    model: str | None = None
    adapter: str | None = None
    quantisation: str | None = None
    prompt_version: str = PROMPT_VERSION
    sampling: Mapping[str, Any] = field(default_factory=dict)
    command: str | None = None
    scorer_version: str = SCORER_VERSION
    seeds: tuple[int, ...] = ()
    corpus: str | None = None
    files: Mapping[str, FrozenFile] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.policy, str) or not self.policy.strip():
            raise RecordError(f"a manifest needs the name of its policy, not {brief(self.policy)}")
        kinds = dict.fromkeys(SAMPLING_NAMES, int | float | str | list)
        read_fields("sampling", self.sampling, kinds)
        for name, value in self.sampling.items():
            if isinstance(value, list) and not all(isinstance(item, str) for item in value):
                raise RecordError(f"in a sampling record, {name!r} must be a number, a text or a list of texts")

    def to_json(self) -> dict[str, Any]:
        record = {part.name: getattr(self, part.name) for part in fields(self)}
        kept = {name: value for name, value in record.items() if value is not None}
        files = {name: frozen.to_json() for name, frozen in self.files.items()}
        return {**kept, "sampling": dict(self.sampling), "seeds": list(self.seeds), "files": files}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Manifest":
        text = dict.fromkeys(
            ("policy", "model", "adapter", "quantisation", "prompt_version", "command", "scorer_version", "corpus"), str
        )
        read = read_fields("manifest", record, {**text, "sampling": dict, "seeds": list, "files": dict}, ("policy",))
        seeds = read_list("manifest", "seeds", read.get("seeds", []))
        if not all(type(seed) is int for seed in seeds):
            raise RecordError(f"in a manifest record, 'seeds' must be integers, not {brief(seeds)}")
        files = read_fields("files", read.get("files", {}), dict.fromkeys(FILE_NAMES, dict))
        frozen = {name: FrozenFile.from_json(files[name]) for name in sorted(files)}
        return cls(**{**read, "seeds": tuple(seeds), "files": frozen})
