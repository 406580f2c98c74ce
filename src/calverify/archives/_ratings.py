"""How one stored score was made: by which model, from which pools, and how many of its ratings failed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from calverify.archives._settings import SAMPLING_NAMES, read_settings
from calverify.errors import RecordError
from calverify.names import brief
from calverify.records import read_fields

__all__ = ["RATING_NAMES", "Ratings"]

RATING_NAMES = (*SAMPLING_NAMES, "samples", "context", "max_length")
TEXTS = ("model", "pools", "revision", "adapter", "quantisation", "prompt_version")
COUNTS = ("rated", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """What gave every candidate of some pools a number, or failed to.

    `pools` is the sha256 of the file of pools as it was when it was rated, so that ratings can be followed back.
    """

    model: str
    pools: str
    rated: int
    failed: int
    revision: str | None = None
    adapter: str | None = None
    quantisation: str | None = None
    prompt_version: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise RecordError(f"ratings need the name of the model that gave them, not {brief(self.model)}")
        for name in COUNTS:
            if getattr(self, name) < 0:
                raise RecordError(f"in a ratings record, {name!r} must be a count, not {getattr(self, name)}")
        read_settings("settings", self.settings, RATING_NAMES)

    def to_json(self) -> dict[str, Any]:
        record = {part.name: getattr(self, part.name) for part in fields(self)}
        return {**{name: value for name, value in record.items() if value is not None}, "settings": dict(self.settings)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Ratings":
        kinds = {**dict.fromkeys(TEXTS, str), **dict.fromkeys(COUNTS, int), "settings": dict}
        return cls(**read_fields("ratings", record, kinds, needed=("model", "pools", *COUNTS)))
