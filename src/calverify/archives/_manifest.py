"""The manifest: how a pool was sampled, and the sha256 of every file that was frozen with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from calverify.archives._ratings import Ratings
from calverify.archives._settings import SAMPLING_NAMES, read_settings
from calverify.errors import RecordError
from calverify.names import brief
from calverify.pools import SCORE_NAMES
from calverify.records import read_fields, read_list
from calverify.scoring import SCORER_VERSION
from calverify.traces import PROMPT_VERSION

__all__ = ["FILE_NAMES", "FrozenFile", "Manifest"]

FILE_NAMES = ("problems.jsonl", "pools.jsonl", "problems.jsonl.gz", "pools.jsonl.gz")


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
    `seeds` and `files` are filled in by `freeze`.  `command` is free text: how to make the pools again.  `scores` says
    how each score was made that was stored beside the traces afterwards.
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
    scores: Mapping[str, Ratings] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.policy, str) or not self.policy.strip():
            raise RecordError(f"a manifest needs the name of its policy, not {brief(self.policy)}")
        read_settings("sampling", self.sampling, SAMPLING_NAMES)
        read_fields("scores", self.scores, dict.fromkeys(SCORE_NAMES, Ratings))

    def to_json(self) -> dict[str, Any]:
        files = {name: frozen.to_json() for name, frozen in self.files.items()}
        scores = {name: ratings.to_json() for name, ratings in sorted(self.scores.items())} or None
        plain = {"sampling": dict(self.sampling), "seeds": list(self.seeds), "files": files, "scores": scores}
        record = {**{part.name: getattr(self, part.name) for part in fields(self)}, **plain}
        return {name: value for name, value in record.items() if value is not None}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Manifest":
        text = dict.fromkeys(
            ("policy", "model", "adapter", "quantisation", "prompt_version", "command", "scorer_version", "corpus"), str
        )
        kinds = {**text, "sampling": dict, "seeds": list, "files": dict, "scores": dict}
        read = read_fields("manifest", record, kinds, ("policy",))
        seeds = read_list("manifest", "seeds", read.get("seeds", []))
        if not all(type(seed) is int for seed in seeds):
            raise RecordError(f"in a manifest record, 'seeds' must be integers, not {brief(seeds)}")
        files = read_fields("files", read.get("files", {}), dict.fromkeys(FILE_NAMES, dict))
        frozen = {name: FrozenFile.from_json(files[name]) for name in sorted(files)}
        scores = read_fields("scores", read.get("scores", {}), dict.fromkeys(SCORE_NAMES, dict))
        made = {name: Ratings.from_json(scores[name]) for name in sorted(scores)}
        return cls(**{**read, "seeds": tuple(seeds), "files": frozen, "scores": made})
